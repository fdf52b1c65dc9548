"""The overlays that the prompt shows: zones, supply and threats, as `show` does."""

from __future__ import annotations

from typing import NamedTuple

from pbem.cli.overlays import OverlayChoice, chosen_overlay, describe_missing_overlay
from pbem.core.legend import Legend
from pbem.core.requests import Question
from pbem.render.window import mark_reach
from pbem.render.words import safe_text
from pbem.umpire.game import Game

OVERLAYS = ("zones", "supply", "threats")


class PromptOverlay(NamedTuple):
    """A map with the figures of an overlay, the hexes that have one, and the lines below the map."""

    legend: Legend
    marked: list[str]
    lines: list[str]


def overlay_commands(game: Game) -> tuple[str, ...]:
    """The overlays that the game has, and `hint` where it has an adviser."""
    view = game.rules.view
    found = tuple(name for name in OVERLAYS if getattr(view, name))
    return (*found, "hint") if game.rules.adviser else found


def prompt_overlay(game: Game, asked: Question, legend: Legend, name: str) -> PromptOverlay:
    """An overlay over the position of the pending question; without a map where the game has none."""
    if name not in overlay_commands(game):
        return PromptOverlay(legend, [], [describe_missing_overlay(game.rules.title, name)])
    wanted = OverlayChoice("", *(name == overlay_name for overlay_name in OVERLAYS))
    found = chosen_overlay(game, asked.state, legend, [asked.seat], wanted)
    assert found is not None
    over = found.overlay
    drawn = mark_reach(legend, over.figures, over.meaning)
    return PromptOverlay(drawn, list(over.figures), [safe_text(line) for line in over.lines])
