"""Three Fords as `pbem.core.rules.Rules` wants it. See rules.py for the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from importlib.resources import files
from typing import Any

import yaml

from fords import rules
from fords.rules import FACES, NORTH, SOUTH, State
from pbem.core.legend import Cell, Legend, Piece
from pbem.core.phrases import line
from pbem.core.requests import Ask, Orders, Plain, Tell
from pbem.core.rules import Chooser, Odds, Outcome, Player, Step
from pbem.errors import FileError, NotUnderstood

STORY = {
    "guards": "The guard stands at {at}",
    "rows": "A raft rows to {at}",
    "meets": "The guard meets it at {at}: {face} is thrown, {fate}",
    "victory": "{winner} wins: {reason}",
}


VERBS = {NORTH: "guard", SOUTH: "cross"}
"""What each side orders."""


def guess(ask: Ask[Any], chooser: Chooser) -> Orders:
    """Any ford."""
    return [{VERBS[ask.seat]: chooser.choice(list(ask.state.fords))}]


class Fords:
    """The whole game."""

    name = "fords"
    version = 1
    title = "Three Fords"
    seats = (NORTH, SOUTH)
    editions: Mapping[str, Mapping[str, Plain]] = {"standard": {"turns": 5, "rafts": 2}}
    scenarios = ("fords",)
    sequence: Mapping[str, Step] = rules.SEQUENCE
    players: Mapping[str, Player] = {"random": guess, "sensible": guess}

    def scenario(self, name: str) -> Plain:
        """The data of the scenario."""
        return yaml.safe_load(self.scenario_text(name))

    def scenario_text(self, name: str) -> str:
        """The scenario's file."""
        return (files("fords") / "fords.yaml").read_text("utf-8")

    def begin(self, options: Mapping[str, Plain], scenario: Plain) -> State:
        """The state before the first step."""
        if options.keys() != {"turns", "rafts"} or not all(
            isinstance(options[name], int) and 1 <= options[name] <= 99 for name in ("turns", "rafts")
        ):
            raise FileError("expected turns and rafts, each from 1 to 99", where="options")
        if faults := self.check_scenario(scenario):
            raise FileError(faults[0])
        fords, faces = scenario["fords"], tuple(scenario["repelled_by"])
        return State("choose", fords, faces, options["turns"], 1, options["rafts"])

    def check_scenario(self, scenario: Plain) -> list[str]:
        """Everything wrong with a scenario."""
        if not isinstance(scenario, dict) or scenario.keys() != {"name", "fords", "repelled_by"}:
            return ["scenario: expected name, fords and repelled_by"]
        faults = []
        fords, faces = scenario["fords"], scenario["repelled_by"]
        if not isinstance(fords, dict) or not fords or not {"0102", "0202", "0302"} >= fords.keys():
            faults.append("scenario.fords: expected some of 0102, 0202, 0302, each with its name")
        if not isinstance(faces, list) or not all(face in FACES for face in faces):
            faults.append("scenario.repelled_by: expected faces of the die")
        return faults

    def beats(self, options: Mapping[str, Plain], scenario: Plain) -> int:
        """Twice the most beats of one game: a throw a turn."""
        return int(2 * options["turns"])

    def public(self, state: State) -> dict[str, Plain]:
        """The public position."""
        return rules.public(state)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return state.outcome

    def offers(self, ask: Ask[Any]) -> Iterator[Orders]:
        """Every legal answer."""
        return ([{VERBS[ask.seat]: ford}] for ford in ask.state.fords)

    def odds(self, ask: Ask[Any]) -> list[Odds]:
        """Nobody attacks."""
        return []

    def chance(self, state: State) -> Fraction:
        """F3: the chance that the raft is lost."""
        return Fraction(len(state.repelled_by), len(FACES))

    def read_words(self, ask: Ask[Any], lines: Sequence[str]) -> Orders:
        """`cross 0102`, `guard 0202`."""
        orders: Orders = []
        for typed in lines:
            verb, _, ford = typed.partition(" ")
            if verb not in ("cross", "guard"):
                raise NotUnderstood("expected cross or guard, and a ford", typed, 0, len(verb))
            orders.append({verb: ford})
        return orders

    def write_words(self, orders: Orders) -> list[str]:
        """The inverse; a question mark for what nobody could type."""
        known = [order for order in orders if isinstance(order, dict)] if isinstance(orders, list) else []
        return [line(pair) or "?" for order in known for pair in order.items()]

    def prompt(self, ask: Ask[Any]) -> str:
        """What is asked."""
        fords = ", ".join(f"{at} {name}" for at, name in ask.state.fords.items())
        return f"turn {ask.state.turn}: {VERBS[ask.seat]} HEX, one of {fords}"

    def story(self, tell: Tell) -> str:
        """An event in one line."""
        fate = "the raft is lost" if tell.facts.get("lost") else "it turns back"
        return STORY[tell.event].format(**tell.facts, fate=fate)

    def legend(self, state: State) -> Legend:
        """Three fords across a river, with the guard."""
        guard = (Piece("Guard", NORTH, "guard", False, "1"),)
        return Legend(
            columns=3,
            rows=3,
            cells=tuple(
                Cell(
                    number=at,
                    column=column - 1,
                    row=row - 1,
                    terrain="river" if row == 2 else "bank",
                    label=state.fords.get(at, ""),
                    marks="",
                    pieces=guard if at == state.guard else (),
                )
                for column in (1, 2, 3)
                for row in (1, 2, 3)
                for at in [f"{column:02}{row:02}"]
            ),
            terrain={"river": ("river", "river"), "bank": ("", "bank")},
            marks={},
            sides={NORTH: "North", SOUTH: "South"},
            margins=(),
            figures=(("Turn", f"{state.turn} of {state.turns}"), ("Rafts", str(state.rafts))),
            textures={"river": "~"},
        )


RULES = Fords()
