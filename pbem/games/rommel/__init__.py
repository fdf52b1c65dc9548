"""Rommel y Montgomery, a board wargame by NAC (1982): its rules, as `RULES`. See RULES.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.core.legend import Legend
from pbem.core.requests import Ask, Orders, Plain, Tell
from pbem.core.rules import Odds, Outcome, Player, Step
from pbem.games.rommel import (
    legend,
    odds,
    offers,
    options,
    players,
    position,
    reach,
    scenario,
    setup,
    story,
    words,
)
from pbem.games.rommel.sequence import SEQUENCE
from pbem.games.rommel.setting import SEATS
from pbem.games.rommel.state import State

__all__ = ["RULES", "Rommel"]


class Rommel:
    """The rules as `pbem.core.rules.Rules` wants them; each method hands on to the module that knows."""

    name = "rommel"
    version = 1
    title = "Rommel y Montgomery"
    seats = SEATS
    editions = options.EDITIONS
    scenarios = scenario.SHIPPED
    sequence: Mapping[str, Step] = SEQUENCE
    players: Mapping[str, Player] = players.PLAYERS

    def scenario(self, name: str) -> Plain:
        """The data of a shipped scenario. Raises `FileError` for another name."""
        return scenario.shipped(name)

    def scenario_text(self, name: str) -> str:
        """A shipped scenario as its file. Raises `FileError` for another name."""
        return scenario.text(name)

    def begin(self, chosen: Mapping[str, Plain], data: Plain) -> State:
        """The state before the set-up (R2). Raises `FileError` for options or a scenario that are wrong."""
        return setup.first_state(scenario.read(data, options.read(chosen)))

    def beats(self, chosen: Mapping[str, Plain], data: Plain) -> int:
        """FORMAT section 4: twice the most beats of one game. Raises `FileError` for wrong options."""
        return options.beats(options.read(chosen))

    def public(self, state: State) -> dict[str, Plain]:
        """FORMAT section 7: the public position; a sealed placement shows its seal alone (R2.2)."""
        return position.public(state)

    def outcome(self, state: State) -> Outcome | None:
        """R8: how the game ended; None while it goes on."""
        return state.outcome

    def offers(self, ask: Ask[Any]) -> Iterator[Orders]:
        """Legal answers, the simple ones."""
        return offers.offers(ask)

    def odds(self, ask: Ask[Any]) -> list[Odds]:
        """The combats, bombs and shots that the question allows, with their exact chances."""
        return odds.odds(ask)

    def chance(self, state: State) -> Fraction | None:
        """None: a list of orders has many chances; the story tells each before its dice."""
        return None

    def read_words(self, ask: Ask[Any], lines: Sequence[str]) -> Orders:
        """Orders as typed to plain orders. Raises `OrderError`."""
        return words.read(ask, lines)

    def write_words(self, orders: Orders) -> list[str]:
        """Plain orders as one would type them."""
        return words.write(orders)

    def prompt(self, ask: Ask[Any]) -> str:
        """What is asked, in one line."""
        return words.prompt(ask)

    def story(self, tell: Tell) -> str:
        """An event in one line."""
        return story.line(tell)

    def legend(self, state: State) -> Legend:
        """The position as data for the renderer."""
        return legend.legend(state)

    def reach(self, ask: Ask[Any], unit: str) -> Mapping[str, str]:
        """Where a unit may go now, with the number of steps."""
        return reach.reach(ask, unit)

    def check_scenario(self, data: Plain) -> list[str]:
        """Everything wrong with a scenario, each with its path."""
        return scenario.check(data)


RULES = Rommel()
