"""Signing an act: the one way by which what a player has decided becomes an entry, and is kept."""

from __future__ import annotations

from pbem.player.actions.action import Action
from pbem.player.actions.autoplay import grant
from pbem.player.practice.practice_opponent import save_and_go_on
from pbem.player.store.read_marker import ReadMarker
from pbem.umpire.game import Game


def sign(act: Action) -> Game | None:
    """Write what an act says, save it, and let a practice opponent answer; the game as it stands then.

    What the player has wished goes right behind it, if it may.

    None where nothing is written into the game: it stays at home. Raises `PbemError` as the act's `write` and
    `Desk.save` do; then nothing has left.
    """
    desk, _, file = act.hand
    after = act.write()
    if after is None:
        return None
    final = grant(desk, save_and_go_on(desk, after, file), file)
    if act.kind != "share":
        ReadMarker(desk.home).note(act.hand.game)  # so that his own decision comes with the news after it
    return final
