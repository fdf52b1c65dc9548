"""The views that the prompt shows beside the orders: zones, supply and threats, as `show` lays them."""

from __future__ import annotations

from typing import NamedTuple

from pbem.cli.overlays import Wanted, has_none, laid
from pbem.core.legend import Legend
from pbem.core.requests import Question
from pbem.render.window import reaching
from pbem.render.words import safe
from pbem.umpire.game import Game

OVERLAYS = ("zones", "supply", "threats")


class Aside(NamedTuple):
    """A map with figures, the hexes that have some, and the lines that go with it."""

    legend: Legend
    marked: list[str]
    lines: list[str]


def asides(game: Game) -> tuple[str, ...]:
    """Those of the views that the game has, and `hint` where it has a player that weighs answers."""
    view = game.rules.view
    found = tuple(name for name in OVERLAYS if getattr(view, name))
    return (*found, "hint") if game.rules.adviser else found


def aside(game: Game, asked: Question, legend: Legend, name: str) -> Aside:
    """The view of that name of the position that waits; where the game has none, a line that says so."""
    if name not in asides(game):
        return Aside(legend, [], [has_none(game.rules.title, name)])
    wanted = Wanted("", *(name == one for one in OVERLAYS))
    found = laid(game, asked.state, legend, [asked.seat], wanted)
    assert found is not None
    over = found.overlay
    drawn = reaching(legend, over.figures, over.meaning)
    return Aside(drawn, list(over.figures), [safe(line) for line in over.lines])
