"""Ask, Draw, Throw, Tell: all that rules may say to the world.

Rules are coroutines. They *await* a request and go on when it is answered, minutes or weeks later.
Every request carries the rules' current state, so that maps, digests and odds work in mid-step,
and the number of the rule that makes it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

Plain: TypeAlias = Any
"""Plain data, as it stands in the file: str, int, bool, None, list and dict with str keys of these."""

Orders: TypeAlias = list[Plain]
"""The answer to one question, as it is signed: a list of orders, each a mapping."""

A = TypeVar("A")


@dataclass(frozen=True)
class Request(Generic[A]):
    """Something the rules cannot do alone. `A` is the type of its answer."""

    state: Any
    rule: str

    def __await__(self) -> Generator[Request[Any], A, A]:
        """Pause the rules here until the answer comes (see `pbem.core.run`)."""
        return (yield self)


@dataclass(frozen=True)
class Ask(Request[A]):
    """A decision of one seat.

    `read` turns orders, plain data, into the typed answer, or raises `OrderError`. It is the only
    judge of legality: whatever is offered to a player has passed it.
    """

    seat: str
    question: str
    read: Callable[[Orders], A]

    def take(self, orders: Orders) -> A:
        """The answer that orders give, as they stand in the file. Raises `OrderError`."""
        return self.read(orders)


@dataclass(frozen=True)
class Chance(Request[A]):
    """One of several equally likely outcomes, in the rules' fixed order (FORMAT section 5)."""

    outcomes: tuple[A, ...]


@dataclass(frozen=True)
class Draw(Chance[str]):
    """A card; the outcomes are the cards left in the deck."""


@dataclass(frozen=True)
class Throw(Chance[int]):
    """A die; the outcomes are its faces."""


@dataclass(frozen=True)
class Tell(Request[None]):
    """Something has happened: an event's name and its facts, for the story of the game."""

    event: str
    facts: Mapping[str, Plain]
