"""Ask, Draw, Throw, Tell: the requests through which rules communicate.

Rules are coroutines. They *await* a request and continue when it is answered, minutes or weeks later. Every
request carries the number of the rule that makes it, and the rules' current state, so that maps, digests and
odds work within a step.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from pbem.errors import IllegalOrder, Unfinished

Plain: TypeAlias = Any
"""Plain data, as in the file: str, int, bool, None, and lists and dicts (with str keys) of these."""

Orders: TypeAlias = list[Plain]
"""The answer to a question, as signed: a list of orders, each a mapping."""


def texts(value: Plain) -> Iterator[str]:
    """Every text in plain data, including keys, and thus all names and hexes in orders or facts."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, list | tuple):
            waiting.extend(reversed(part))
        elif isinstance(part, dict):
            waiting.extend(reversed([*part, *part.values()]))


S = TypeVar("S")
"""The state of a game's rules."""

A = TypeVar("A")
"""The answer to a request."""


class Request(msgspec.Struct, Generic[S, A], frozen=True):
    """Something the rules cannot do alone. `S` is the type of their state, `A` that of the answer.

    A msgspec Struct because a game makes many, and creating a frozen dataclass takes eight times as long.
    """

    state: S
    rule: str

    def __await__(self) -> Generator[Request[S, Any], A, A]:
        """Pause the rules here until they get the answer (see `pbem.core.run`)."""
        return (yield self)


class Ask(Request[S, A], frozen=True):
    """A decision of one seat.

    `read` turns orders, plain data, into the typed answer, or raises `OrderError`. It alone decides what is
    legal: every order offered to a player has passed it.
    """

    seat: str
    question: str
    read: Callable[[Orders], A]

    def take(self, orders: Orders) -> A:
        """The answer, from orders as in the file. Raises `OrderError`."""
        return self.read(orders)


Question: TypeAlias = Ask[Any, Any]
"""A question of any game."""


def accepts(read: Callable[[Orders], object], orders: Orders) -> bool:
    """Whether a question's `read` accepts these orders."""
    try:
        read(orders)
    except IllegalOrder:
        return False
    return True


def may_come(read: Callable[[Orders], object], orders: Orders) -> bool:
    """Whether `read` accepts these orders, or refuses them only because more are needed (`Unfinished`)."""
    try:
        read(orders)
    except Unfinished:
        return True
    except IllegalOrder:
        return False
    return True


class Chance(Request[S, A], frozen=True):
    """One of several equally likely outcomes, in the rules' fixed order (FORMAT 5)."""

    outcomes: tuple[A, ...]


class Draw(Chance[S, str], frozen=True):
    """A card; the outcomes are the cards left in the deck."""


class Throw(Chance[S, int], frozen=True):
    """A die; the outcomes are its faces."""


def _event_tag(cls: str) -> str:
    """`TurnBegins` as `turn_begins`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls).lower()


class Event(msgspec.Struct, frozen=True, tag_field="event", tag=_event_tag):
    """Something that happens: a subclass for each kind, with the facts as fields of plain data.

    A fact called `from` is a field `from_`, with `rename={"from_": "from"}`.
    """


class Tell(Request[Any, None], frozen=True):
    """Something has happened, for the story of the game."""

    what: Event

    @property
    def event(self) -> str:
        """The kind of event: `turn_begins`."""
        return str(self.what.__struct_config__.tag)

    @property
    def facts(self) -> Mapping[str, Plain]:
        """The event's facts as plain data, with messages in the reader's language."""
        facts: dict[str, Plain] = msgspec.json.decode(msgspec.json.encode(self.what, enc_hook=str))
        del facts["event"]
        return facts
