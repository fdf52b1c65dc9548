"""What the program writes for a player automatically, as long as he has nothing to decide.

Due shares follow from the log; deferred actions are written as soon as they may be; and an armed plan decides
as he has laid down. `watch`, practice and `move` all use this.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.player.actions.action import ActionContext
from pbem.player.actions.deferred import by_itself
from pbem.player.actions.orders import Orders, Share
from pbem.player.local_player import LocalPlayer
from pbem.player.pending.deferred_actions import signs_here
from pbem.umpire import permissions
from pbem.umpire.game import Game


class Step(Struct, frozen=True):
    """A game with one more entry, not saved yet; and the orders in it, if a plan gave them."""

    game: Game
    planned: str = ""


def next_step(desk: LocalPlayer, game: Game, *, decides: bool = True, alone: bool = False) -> Step | None:
    """Sign the next automatic entry; None where the game waits for the player, or for the other.

    First the share that is due, then a deferred action, then planned orders. Without `decides` the share
    alone. Deferred and planned decisions are signed only where `may_sign_here`, or where the player is here
    `alone`. Raises `FileError`, `ShelfError`.
    """
    if permissions.owes_no_decision(game, desk.key):
        return Step(Share(ActionContext(desk, game)).write())
    if not decides or not (alone or signs_here(desk, game)):
        return None
    if act := by_itself(ActionContext(desk, game)):
        after = act.write()
        return Step(after) if after else None
    if not (desk.home / "plans.json").exists():
        return None
    from pbem.player.plans.plan_store import written  # here, because most players have no plans

    after = carry_out(desk, game)
    return None if after is None else Step(after, written(desk.home, after)[after.ids[-1]].words)


def carry_out(desk: LocalPlayer, game: Game) -> Game | None:
    """Sign the orders of an armed plan: the game, to be saved; None if it gives none.

    A pending message is included. Raises `FileError`, `ShelfError`.
    """
    from pbem.player.plans.plan_store import Plans, chosen  # here, because most players have no plans

    choice = chosen(desk, game)
    if choice is None or not choice.orders:
        return None
    after = Orders(ActionContext(desk, game), choice.orders).write()
    Plans(desk.home).note(game, after.ids[-1], choice)
    return after


def decides_by_itself(desk: LocalPlayer, game: Game) -> bool:
    """Whether the program makes the pending decision: by a deferred action, or by an armed plan.

    Raises `FileError`, `ShelfError`.
    """
    if by_itself(ActionContext(desk, game)):
        return signs_here(desk, game)
    if not (desk.home / "plans.json").exists():
        return False
    from pbem.player.plans.plan_store import chosen  # here, because most players have no plans

    choice = chosen(desk, game)
    return choice is not None and bool(choice.orders) and signs_here(desk, game)


def grant(desk: LocalPlayer, game: Game, file: Path) -> Game:
    """Sign the player's deferred actions where `may_sign_here`, and save each entry at once; the game then.

    Raises as `LocalPlayer.save`.
    """
    if not signs_here(desk, game):
        return game
    while (act := by_itself(ActionContext(desk, game, file))) and (after := act.write()):
        game = after
        desk.save(game, file)
    return game


def go_on(desk: LocalPlayer, game: Game, file: Path, *, alone: bool = False) -> tuple[Game, tuple[str, ...]]:
    """Sign all automatic entries, and save each at once; the game then, and the orders that a plan gave.

    Raises as `next_automatic_entry` and `LocalPlayer.save`.
    """
    planned: list[str] = []
    while (step := next_step(desk, game, alone=alone)) is not None:
        game = step.game
        planned += filter(None, [step.planned])
        desk.save(game, file)
    return game, tuple(planned)
