"""The entries pbem writes for a player without asking, as long as the player has nothing to decide.

Due shares follow from the log, deferred actions are written as soon as the log allows them, and an armed plan
gives the orders it was written to give. `watch`, `practice` and `move` all use this module.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.player.actions.action import ActionContext
from pbem.player.actions.orders import GiveOrders, GiveShare
from pbem.player.actions.proposals import automatic_action
from pbem.player.local_player import LocalPlayer
from pbem.player.pending import may_sign_here
from pbem.player.plans.plan_store import PlanStore, consult_armed_plan, entries_by_plan
from pbem.umpire import permissions
from pbem.umpire.game_state import Game


class AutomaticEntry(Struct, frozen=True):
    """A game with one more entry, not saved yet, and the orders in it if a plan gave them."""

    game: Game
    planned: str = ""


def next_automatic_entry(
    player: LocalPlayer, game: Game, *, decides: bool = True, alone: bool = False
) -> AutomaticEntry | None:
    """Sign the next automatic entry; None if the game needs a decision, or it is the other side's turn.

    First comes a due share, then a deferred action, then planned orders. Without `decides`, only the share.
    Deferred and planned decisions are signed only if `may_sign_here`, or if the player plays `alone` on this
    computer. Raises `FileError`, `StorageError`.
    """
    if has_automatic_share(player, game, alone=alone):
        return AutomaticEntry(GiveShare(ActionContext(player, game)).write())
    if not decides or not (alone or may_sign_here(player, game)):
        return None
    if act := automatic_action(ActionContext(player, game)):
        after = act.write()
        return AutomaticEntry(after) if after else None
    after = write_planned_orders(player, game)
    return (
        None
        if after is None
        else AutomaticEntry(after, entries_by_plan(player.home, after)[after.ids[-1]].words)
    )


def has_automatic_share(player: LocalPlayer, game: Game, *, alone: bool = False) -> bool:
    """Whether the player writes next and has nothing to decide, so that pbem writes the entry without asking.

    pbem opens the first beat of a `bound` game only where it signed the offer itself, and so knows that no
    other accept was answered (FORMAT 12), or where the player plays `alone` on this computer. Raises
    `StorageError`.
    """
    if not permissions.has_forced_entry(game, player.key):
        return False
    return alone or not game.state.is_beat_due or may_sign_here(player, game)


def write_planned_orders(player: LocalPlayer, game: Game) -> Game | None:
    """Sign the orders of an armed plan. Returns the game, not saved yet; None if the plan gives no orders.

    A pending message is included. Raises `FileError`, `StorageError`.
    """

    choice = consult_armed_plan(player, game)
    if choice is None or not choice.orders:
        return None
    after = GiveOrders(ActionContext(player, game), choice.orders).write()
    PlanStore(player.home).note_entry(game, after.ids[-1], choice)
    return after


def is_decision_automatic(player: LocalPlayer, game: Game) -> bool:
    """Whether pbem makes the pending decision itself, by a deferred action or an armed plan.

    Raises `FileError`, `StorageError`.
    """
    if automatic_action(ActionContext(player, game)):
        return may_sign_here(player, game)
    choice = consult_armed_plan(player, game)
    return choice is not None and bool(choice.orders) and may_sign_here(player, game)


def save_deferred_actions(player: LocalPlayer, game: Game, file: Path) -> Game:
    """Sign the player's deferred actions if `may_sign_here`, saving after each. Returns the resulting game.

    Raises as `LocalPlayer.save`.
    """
    if not may_sign_here(player, game):
        return game
    while (act := automatic_action(ActionContext(player, game, file))) and (after := act.write()):
        game = after
        player.save(game, file)
    return game


def save_automatic_entries(
    player: LocalPlayer, game: Game, file: Path, *, alone: bool = False
) -> tuple[Game, tuple[str, ...]]:
    """Sign every automatic entry, saving after each. Returns the resulting game, and the orders a plan gave.

    Raises as `next_automatic_entry` and `LocalPlayer.save`.
    """
    planned: list[str] = []
    while (step := next_automatic_entry(player, game, alone=alone)) is not None:
        game = step.game
        planned += filter(None, [step.planned])
        player.save(game, file)
    return game, tuple(planned)
