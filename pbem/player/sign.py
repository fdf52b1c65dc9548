"""Signing an action: the only way a player's decision becomes an entry and is saved."""

from __future__ import annotations

from pbem.player.actions.action import Action
from pbem.player.actions.autoplay import save_deferred_actions
from pbem.player.practice import save_and_respond
from pbem.player.store.record_store import ReadMarker
from pbem.umpire.game_state import Game


def sign(act: Action) -> Game | None:
    """Sign an action and save the game; returns the game after any answer of the computer.

    The player's deferred actions follow at once if they can be written.

    None if the game gets no entry, because the action stays at home. Raises `PbemError` as the action's
    `write` and `LocalPlayer.save` do; nothing has been sent then.
    """
    player, _, file = act.context
    after = act.write()
    if after is None:
        return None
    final = save_deferred_actions(player, save_and_respond(player, after, file), file)
    if act.kind != "share":
        ReadMarker(player.home).save_mark(
            act.context.game
        )  # so that later news include the player's own decision
    return final
