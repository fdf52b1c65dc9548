"""Going on: what the program writes for a player by itself, as long as he has nothing to decide.

What he owes follows from the log, and his armed plan decides as he has said. `watch`, practice and `move` go
on by this one way.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.desk.acts.act import Hand
from pbem.desk.acts.orders import Share
from pbem.desk.desk import Desk
from pbem.umpire import Game, seated


class Step(Struct, frozen=True):
    """A game with one entry more, which nothing has kept yet; and the orders in it, if a plan gave them."""

    game: Game
    planned: str = ""


def next_step(desk: Desk, game: Game, *, by_plan: bool = True) -> Step | None:
    """The entry that comes by itself; None where the game waits for the player, or for the other.

    Raises `FileError`, `ShelfError`.
    """
    if seated.owes_no_decision(game, desk.key):
        return Step(Share(Hand(desk, game)).write())
    if not by_plan or not (desk.home / "plans.json").exists():
        return None
    from pbem.desk.plan import carry_out, written  # here, because most players have no plans

    after = carry_out(desk, game)
    return None if after is None else Step(after, written(desk.home, after)[after.ids[-1]].words)


def go_on(desk: Desk, game: Game, file: Path) -> tuple[Game, tuple[str, ...]]:
    """The game with all that comes by itself, each entry saved at once; and the orders that a plan gave.

    Raises as `next_step` and `Desk.save`.
    """
    planned: list[str] = []
    while (step := next_step(desk, game)) is not None:
        game = step.game
        planned += filter(None, [step.planned])
        desk.save(game, file)
    return game, tuple(planned)
