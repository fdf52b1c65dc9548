"""Stand at Mortain, a postcard wargame by Paul Rohrbaugh (2006): its rules, as `RULES`. See RULES.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.core.legend import Legend
from pbem.core.requests import Ask, Orders, Plain, Tell
from pbem.core.rules import Odds, Outcome, Player, Step
from pbem.games.mortain import legend, odds, offers, options, players, position, scenario, story, words
from pbem.games.mortain.sequence import SEQUENCE, first_state
from pbem.games.mortain.setting import SEATS
from pbem.games.mortain.state import State

__all__ = ["RULES", "Mortain"]


class Mortain:
    """The rules as `pbem.core.rules.Rules` wants them; each method hands on to the module that knows."""

    name = "mortain"
    version = 1
    title = "Stand at Mortain"
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
        """The state before the set-up (M2). Raises `FileError` for options or a scenario that are wrong."""
        setting = scenario.read(data, options.read(chosen))
        options.check_exits(setting)
        return first_state(setting)

    def beats(self, chosen: Mapping[str, Plain], data: Plain) -> int:
        """FORMAT section 4: twice the most beats of one game. Raises `FileError` for wrong options."""
        return options.beats(options.read(chosen))

    def public(self, state: State) -> dict[str, Plain]:
        """FORMAT section 7: the public position (M9.4)."""
        return position.public(state)

    def outcome(self, state: State) -> Outcome | None:
        """M8: how the game ended; None while it goes on."""
        return state.outcome

    def offers(self, ask: Ask[Any]) -> Iterator[Orders]:
        """Legal answers, the simple ones."""
        return offers.offers(ask)

    def odds(self, ask: Ask[Any]) -> list[Odds]:
        """The attacks that the question allows, with their exact chances."""
        return odds.odds(ask)

    def chance(self, state: State) -> Fraction | None:
        """The exact chance of the attack that waits for a card."""
        return None if state.attack is None else odds.chance(state, state.attack)

    def read_words(self, ask: Ask[Any], lines: Sequence[str]) -> Orders:
        """Orders as typed to plain orders. Raises `NotUnderstood` or `Ambiguous`."""
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

    def check_scenario(self, data: Plain) -> list[str]:
        """Everything wrong with a scenario, each with its path."""
        return scenario.check(data)


RULES = Mortain()
