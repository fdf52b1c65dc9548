"""Signing an action: the one way by which a player's decision becomes an entry, and is saved."""

from __future__ import annotations

from pbem.player.actions.action import Action
from pbem.player.actions.autoplay import save_deferred_actions
from pbem.player.practice import save_and_respond
from pbem.player.store.record_store import ReadMarker
from pbem.umpire.game_state import Game


def sign(act: Action) -> Game | None:
    """Sign an action, save the game, and let a practice opponent answer; return the game as it stands then.

    Deferred actions of the player follow at once, where they may be written.

    None where nothing is written into the game: it stays at home. Raises `PbemError` as the action's `write`
    and `LocalPlayer.save` do; then nothing has left.
    """
    desk, _, file = act.context
    after = act.write()
    if after is None:
        return None
    final = save_deferred_actions(desk, save_and_respond(desk, after, file), file)
    if act.kind != "share":
        ReadMarker(desk.home).save_mark(
            act.context.game
        )  # so that the news after it include his own decision
    return final
