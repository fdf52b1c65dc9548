"""The overlays that `show` and the prompt draw over the map: sight, zones of control, supply, threats."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import typer

from pbem.core.legend import Legend
from pbem.core.requests import Question
from pbem.core.rules import Overlay, Threat
from pbem.core.sentences import joined
from pbem.render.ascii_map import mark_reach
from pbem.render.safe_text import safe_text
from pbem.texts import Texts, percent
from pbem.umpire.game_state import Game

tr = Texts("pbem")


class OverlayChoice(NamedTuple):
    """The overlays requested, as on the command line."""

    los: str
    zones: bool
    supply: bool
    threats: bool


class ChosenOverlay(NamedTuple):
    """An overlay, and the same as JSON data."""

    overlay: Overlay
    data: Any


def chosen_overlay(
    game: Game, state: Any, legend: Legend, seats: Sequence[str], wanted: OverlayChoice
) -> ChosenOverlay | None:
    """The requested overlay of a state, for the players of these seats; None if none is requested.

    Raises `typer.BadParameter` for two at once, and for one the game does not have.
    """
    asked = [name for name, value in wanted._asdict().items() if value]
    if not asked:
        return None
    if len(asked) > 1:
        options = joined([f"--{name}" for name in asked])
        problem = tr("the map has room for only one of {options}", options=options)
        raise typer.BadParameter(problem)
    view, title = game.rules.view, game.rules.title
    if wanted.threats and view.threats:
        found = [threat for seat in seats for threat in view.threats(state, seat)]
        return ChosenOverlay(
            _threat_overlay(found, view.threatening()),
            {"threats": [_threat_as_data(threat) for threat in found]},
        )
    if wanted.los and view.sight:
        return _with_data(view.sight(state, checked_hex(legend, wanted.los, "--los")), "los")
    if wanted.zones and view.zones:
        return _with_data(view.zones(state), "zones")
    if wanted.supply and view.supply:
        return _with_data(view.supply(state), "supply")
    raise typer.BadParameter(describe_missing_overlay(title, asked[0]), param_hint=f"--{asked[0]}")


def describe_missing_overlay(title: str, wanted: str) -> str:
    """The message that a game has no such overlay."""
    match wanted:
        case "los":
            return tr("{game} has no lines of sight", game=title)
        case "zones":
            return tr("{game} has no zones of control", game=title)
        case "supply":
            return tr("{game} has no supply", game=title)
        case _:
            return tr("{game} has no attacks", game=title)


def checked_hex(legend: Legend, number: str, option: str) -> str:
    """The number, if it is a hex of the map. Raises `typer.BadParameter`."""
    numbers = [cell.number for cell in legend.cells]
    if not numbers:
        raise typer.BadParameter(tr("this game has no map"), param_hint=option)
    if number not in numbers:
        problem = tr(
            "'{found}' is not a hex of the map, {first} to {last}",
            found=number,
            first=numbers[0],
            last=numbers[-1],
        )
        raise typer.BadParameter(problem, param_hint=option)
    return number


def _with_data(overlay: Overlay, name: str) -> ChosenOverlay:
    found = {"figures": dict(overlay.figures), "meaning": overlay.meaning, "lines": list(overlay.lines)}
    return ChosenOverlay(overlay, {name: found})


def _threat_overlay(threats: Sequence[Threat], covers: str) -> Overlay:
    """The overlay of threats: the greatest in each hex, in tenths, and a line per unit, worst first."""
    by_unit = [list(some) for _, some in groupby(threats, lambda threat: threat.unit)]
    by_unit.sort(key=lambda some: -max(threat.hit for threat in some))
    figures: dict[str, str] = {}
    for some in by_unit:
        figures.setdefault(some[0].at, str(min(int(10 * max(threat.hit for threat in some)), 9)))
    lines = [_describe_threats(some) for some in by_unit] or [tr("no unit can be attacked")]
    meaning = tr(
        "the greatest chance of a hit on a unit there, in tenths: 3 is 30 to {chance}", chance=percent(0.39)
    )
    return Overlay(figures, meaning, (*lines, f"({covers}.)"))


def _describe_threats(threats: Sequence[Threat]) -> str:
    """A unit with the most likely attack on it, and the most likely by a single unit, if different."""
    best = max(threats, key=lambda threat: threat.hit)
    alone = max(
        (threat for threat in threats if len(threat.by) < 2), key=lambda threat: threat.hit, default=best
    )
    parts = [best] if alone.hit == best.hit else [best, alone]
    attacks = "; ".join(map(_describe_attack, parts))
    return tr("{unit} in {hex}: {attacks}", unit=best.unit, hex=best.at, attacks=attacks)


def _describe_attack(threat: Threat) -> str:
    chance = percent(float(threat.hit))
    if not threat.by:
        return tr("{chance} by support ({why})", chance=chance, why=threat.why)
    who = ", ".join(tr("{unit} from {hex}", unit=name, hex=at) for name, at in threat.by.items())
    return tr("{chance} by {who} ({why})", chance=chance, who=who, why=threat.why)


def _threat_as_data(threat: Threat) -> dict[str, Any]:
    return {
        "unit": threat.unit,
        "at": threat.at,
        "by": dict(threat.by),
        "chance": str(threat.hit),
        "why": threat.why,
    }


OVERLAYS = ("zones", "supply", "threats")


class PromptOverlay(NamedTuple):
    """A map with the figures of an overlay, the hexes that have one, and the lines below the map."""

    legend: Legend
    marked: list[str]
    lines: list[str]


def overlay_commands(game: Game) -> tuple[str, ...]:
    """The overlays the game has, and `hint` if it has an adviser."""
    view = game.rules.view
    found = tuple(name for name in OVERLAYS if getattr(view, name))
    return (*found, "hint") if game.rules.adviser else found


def prompt_overlay(game: Game, asked: Question, legend: Legend, name: str) -> PromptOverlay:
    """An overlay over the position of the pending question; without a map if the game has none."""
    if name not in overlay_commands(game):
        return PromptOverlay(legend, [], [describe_missing_overlay(game.rules.title, name)])
    wanted = OverlayChoice("", *(name == overlay_name for overlay_name in OVERLAYS))
    found = chosen_overlay(game, asked.state, legend, [asked.seat], wanted)
    assert found is not None
    over = found.overlay
    drawn = mark_reach(legend, over.figures, over.meaning)
    return PromptOverlay(drawn, list(over.figures), [safe_text(line) for line in over.lines])
