"""The overlays that the prompt shows: zones, supply and threats, as `show` does."""

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
    """A map with the figures of an overlay, the hexes that have one, and the lines below the map."""

    legend: Legend
    marked: list[str]
    lines: list[str]


def asides(game: Game) -> tuple[str, ...]:
    """The overlays that the game has, and `hint` where it has an adviser."""
    view = game.rules.view
    found = tuple(name for name in OVERLAYS if getattr(view, name))
    return (*found, "hint") if game.rules.adviser else found


def aside(game: Game, asked: Question, legend: Legend, name: str) -> Aside:
    """An overlay over the position of the pending question; without a map where the game has none."""
    if name not in asides(game):
        return Aside(legend, [], [has_none(game.rules.title, name)])
    wanted = Wanted("", *(name == overlay_name for overlay_name in OVERLAYS))
    found = laid(game, asked.state, legend, [asked.seat], wanted)
    assert found is not None
    over = found.overlay
    drawn = reaching(legend, over.figures, over.meaning)
    return Aside(drawn, list(over.figures), [safe(line) for line in over.lines])
