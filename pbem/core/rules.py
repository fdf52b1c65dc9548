"""The Rules protocol: what a game gives to the program. See docs/decisions/0001-engine.md.

Another distribution's game is found through the entry-point group `pbem.games` (see `pbem.games`); the object
named there satisfies `Rules`.
Rules are pinned: `name/version` stands in every file, and a change that would alter any finished
game needs a new version.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeAlias, runtime_checkable

from pbem.core.legend import Legend
from pbem.core.requests import Ask, Orders, Plain, Request, Tell

OVER = "over"
"""The step of a state in which the game has ended."""

Step: TypeAlias = Callable[[Any], Coroutine[Request[Any], Any, Any]]
"""One step of the sequence of play: from frozen state to frozen state, pausing at requests."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended by its own rules: the winner's seat (None: a draw), why, and the rule."""

    winner: str | None
    reason: str
    rule: str


@dataclass(frozen=True)
class Odds:
    """The exact chance of one attack that may be ordered now.

    `orders` is the list as it would be signed, `words` how to type it; `hit` the chance of a hit with
    the cards or dice as they are, `why` the sum in short, such as `5 AT against card +1 -1`.
    """

    orders: Orders
    words: str
    hit: Fraction
    why: str


class Chooser(Protocol):
    """The random choices of a practice player; `random.Random` is one."""

    def random(self) -> float:
        """A number from 0 up to but not including 1."""

    def choice(self, seq: Sequence[Any], /) -> Any:
        """One member of a sequence."""

    def sample(self, population: Sequence[Any], k: int) -> list[Any]:
        """`k` different members of a sequence, in random order."""


Player: TypeAlias = Callable[[Ask[Any], Chooser], Orders]
"""A practice player: the question (its state is public) and a chooser, to a legal answer."""


class Rules(Protocol):
    """One version of the rules of one game. All methods are pure."""

    name: str
    version: int
    title: str
    seats: tuple[str, str]
    editions: Mapping[str, Mapping[str, Plain]]
    """Presets that state every option; the first is the default."""
    scenarios: tuple[str, ...]
    """Names of the scenarios that ship with the rules; the first is the default."""
    sequence: Mapping[str, Step]
    """The sequence of play: a state's attribute `step` names the step that comes next, or is `OVER`."""
    players: Mapping[str, Player]
    """The practice players: `random` (any legal orders) and `sensible`."""

    def scenario(self, name: str) -> Plain:
        """The data of a shipped scenario, as its digest covers them."""

    def scenario_text(self, name: str) -> str:
        """The same as its YAML file, with the comments for players who make their own."""

    def begin(self, options: Mapping[str, Plain], scenario: Plain) -> Any:
        """The state before the first step. Raises `FileError` for options or a scenario that are wrong."""

    def beats(self, options: Mapping[str, Plain], scenario: Plain) -> int:
        """FORMAT section 4: twice the most beats that one game can use."""

    def public(self, state: Any) -> dict[str, Plain]:
        """FORMAT section 7: the public state (without `asks`, which the run adds)."""

    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended; None while it goes on."""

    def offers(self, ask: Ask[Any]) -> Iterator[Orders]:
        """Legal answers to the question, the simple ones: each has passed `ask.read`, at least one comes."""

    def odds(self, ask: Ask[Any]) -> list[Odds]:
        """The attacks that this question allows, with their exact chances."""

    def chance(self, state: Any) -> Fraction | None:
        """The exact chance of the attack that waits for cards or dice; None if none does."""

    def read_words(self, ask: Ask[Any], lines: Sequence[str]) -> Orders:
        """Orders as typed (`move 2SS-A 1803`), one line each, to plain orders. Raises `OrderError`."""

    def write_words(self, orders: Orders) -> list[str]:
        """Plain orders as one would type them: the inverse of `read_words`. Never raises on plain data."""

    def prompt(self, ask: Ask[Any]) -> str:
        """One line for the player: what is asked, and what the answer may be."""

    def story(self, tell: Tell) -> str:
        """An event in one line of English."""

    def legend(self, state: Any) -> Legend:
        """The position as data for the renderer."""

    def check_scenario(self, scenario: Plain) -> list[str]:
        """Everything wrong with a player's own scenario, each with its path; empty if it is playable."""


@runtime_checkable
class Reaching(Protocol):
    """What the rules of a game may have besides: where a unit can go, for a map of it."""

    def reach(self, ask: Ask[Any], unit: str) -> Mapping[str, str]:
        """The hexes where a unit of the asked side may stop now, each with how far it is (`3`).

        Empty if it may not move in answer to this question. Raises `IllegalOrder` if it is not the side's.
        """
