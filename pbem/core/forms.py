"""The forms of a game's orders, from plain data to typed orders.

An order is a mapping: the key that makes it what it is, its *verb*, and what goes with it. Orders arrive
from anywhere, so what is read here may be of any type. A game declares a `Form` for each of its orders:

    Form("move", Move, name, needed={"path": hexes(grid)}, optional={"clear": hexes(grid)})

reads `{move: 125Inf, path: ['1605', '1706']}` as `Move("125Inf", path=("1605", "1706"))`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn, TypeAlias

from pbem.core.hexes import Grid
from pbem.core.requests import Plain
from pbem.errors import IllegalOrder

Reader: TypeAlias = Callable[[Plain], Any]
"""From plain data to a typed value. Raises `Unexpected`, which says what was expected."""


class Unexpected(ValueError):
    """A value is of another kind; the text says what was expected in its place."""


@dataclass(frozen=True)
class Form:
    """One order: its verb, what makes the typed order, and how the values are read.

    `make` is called with the value of the verb and, by name, those of the further keys that are there.
    """

    verb: str
    make: Callable[..., Any]
    value: Reader
    needed: Mapping[str, Reader] = field(default_factory=dict)
    optional: Mapping[str, Reader] = field(default_factory=dict)

    def read(self, order: Mapping[str, Plain], rule: str) -> Any:
        """The typed order. Raises `IllegalOrder` under `rule`."""
        readers = self._readers
        for key in self.needed:
            if key not in order:
                _refuse(rule, f"{self.verb} lacks '{key}'")
        for key in order:
            if key not in readers:
                _refuse(rule, f"{self.verb} does not go with {shown(key)}")
        values = {}
        for key, value in order.items():
            try:
                values[key] = readers[key](value)
            except Unexpected as expected:
                place = "after" if key == self.verb else f"as '{key}' of"
                _refuse(rule, f"found {shown(value)} {place} {self.verb}, expected {expected}")
        return self.make(values.pop(self.verb), **values)

    @cached_property
    def _readers(self) -> dict[str, Reader]:
        """What reads the value of each key."""
        return {self.verb: self.value, **self.needed, **self.optional}


def read(orders: Plain, forms: Sequence[Form], expected: Sequence[str], rule: str) -> tuple[Any, ...]:
    """The typed orders of a list, whose verbs must be among those expected. Raises `IllegalOrder`.

    `forms` are all of the game's, so that an order which answers another question is told from nonsense.
    """
    if not isinstance(orders, list) or not orders:
        _refuse(rule, f"found {shown(orders)}, expected a list of orders")
    return tuple(_form(order, forms, expected, rule).read(order, rule) for order in orders)


def _form(order: Plain, forms: Sequence[Form], expected: Sequence[str], rule: str) -> Form:
    if not isinstance(order, dict):
        _refuse(rule, f"found {shown(order)}, expected an order")
    found = next((form for form in forms if form.verb in order), None)
    if found is None:
        what = f"an order of {shown(next(iter(order)))}" if order else "an empty order"
        _refuse(rule, f"found {what}, expected one of {', '.join(expected)}")
    if found.verb not in expected:
        _refuse(rule, f"{found.verb} answers another question, expected {', '.join(expected)}")
    return found


def name(value: Plain) -> str:
    """Read a unit's name."""
    if not isinstance(value, str):
        raise Unexpected("a unit's name")
    return value


def names(value: Plain) -> tuple[str, ...]:
    """Read a list of different units."""
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        raise Unexpected("a list of units")
    if (twice := repeated(value)) is not None:
        raise Unexpected(f"each unit once, and {shown(twice)} stands twice")
    return tuple(value)


def true(value: Plain) -> bool:
    """Read the word true."""
    if value is not True:
        raise Unexpected("true")
    return True


def word(*words: str) -> Reader:
    """Read one of these words."""

    def reader(value: Plain) -> str:
        if not isinstance(value, str) or value not in words:
            raise Unexpected(" or ".join(words))
        return value

    return reader


def hexes(grid: Grid) -> Reader:
    """Read a list of hexes on the map, at least one."""

    def reader(value: Plain) -> tuple[str, ...]:
        if not isinstance(value, list) or not value:
            raise Unexpected("a list of hexes")
        for one in value:
            _check_hex(grid, one)
        return tuple(value)

    return reader


def places(grid: Grid) -> Reader:
    """Read units with their hexes, at least one."""

    def reader(value: Plain) -> dict[str, str]:
        if not isinstance(value, dict) or not value:
            raise Unexpected("units with their hexes")
        for one in value.values():
            _check_hex(grid, one)
        return dict(value)

    return reader


def repeated(values: Iterable[str]) -> str | None:
    """The first that comes a second time."""
    seen: set[str] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None


def shown(value: Plain) -> str:
    """What was found, short and harmless whatever it is."""
    match value:
        case str():
            return repr(value if len(value) <= 40 else f"{value[:40]}…")
        case []:
            return "an empty list"
        case list():
            return "a list"
        case dict():
            return "a mapping"
        case True | False | None:
            return {True: "true", False: "false", None: "null"}[value]
        case int():
            return "a number"
        case _:
            return "something else"


def _check_hex(grid: Grid, value: Plain) -> None:
    if not isinstance(value, str) or value not in grid:
        raise Unexpected(f"hexes on the map, and {shown(value)} is none")


def _refuse(rule: str, facts: str) -> NoReturn:
    raise IllegalOrder(rule, facts)
