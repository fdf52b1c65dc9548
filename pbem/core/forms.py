"""The forms of a game's orders, from plain data to typed orders.

An order is a mapping: one key, its *verb*, says which order it is, and there can be further keys. Strangers
write orders, so values can be of any type. A game declares a `Form` for each of its orders:

    Form("move", Move, name, needed={"path": hexes(grid)}, optional={"clear": hexes(grid)})

reads `{move: 125Inf, path: ['1605', '1706']}` as `Move("125Inf", path=("1605", "1706"))`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NoReturn, TypeAlias

from msgspec import Struct

from pbem.base.validation import describe_value
from pbem.core.hexes import Grid
from pbem.core.requests import Plain
from pbem.core.sentences import joined
from pbem.errors import IllegalOrder
from pbem.messages import Messages, Said, row

tr = Messages("pbem")

Own: TypeAlias = Callable[[str], Said]
"""From the English words of an order to those the player types."""

Reader: TypeAlias = Callable[[Plain], Any]
"""From plain data to a typed value. Raises `Unexpected`."""


class Unexpected(ValueError):
    """A value is of the wrong kind. Holds the fault as a function of the order's verb."""

    def __init__(self, problem: Callable[[Said], Said]) -> None:
        super().__init__()
        self.problem = problem

    @classmethod
    def within(cls, value: Plain, expected: Said) -> Unexpected:
        """The order contains a value other than the one expected."""
        return cls(
            lambda verb: tr(
                "in {verb}, {found} is not {what}", found=describe_value(value), verb=verb, what=expected
            )
        )

    @classmethod
    def after(cls, value: Plain, expected: Said) -> Unexpected:
        """The verb is followed by a value other than the one expected."""
        return cls(
            lambda verb: tr(
                "after {verb}, {found} is not {what}", found=describe_value(value), verb=verb, what=expected
            )
        )


class Form(Struct, frozen=True, dict=True):
    """One kind of order: its verb, the class of the typed order, and the readers of its values.

    `make` is called with the value of the verb and, as keyword arguments, the values of the other keys
    present.
    """

    verb: str
    make: Callable[..., Any]
    value: Reader
    needed: Mapping[str, Reader] = {}
    optional: Mapping[str, Reader] = {}

    def read(self, order: Mapping[str, Plain], rule: str) -> Any:
        """The typed order. Raises `IllegalOrder`, citing `rule`, if its form is wrong."""
        readers = self._readers
        for key in self.needed:
            if key not in order:
                _refuse(rule, tr("'{key}' is missing in {verb}", verb=self.verb, key=key))
        values = {}
        try:
            for key, value in order.items():
                if key not in readers:
                    _refuse(rule, tr("{verb} does not take {key}", verb=self.verb, key=describe_value(key)))
                values[key] = readers[key](value)
        except Unexpected as unexpected:
            _refuse(rule, unexpected.problem(self.verb))
        return self.make(values.pop(self.verb), **values)

    @cached_property
    def _readers(self) -> dict[str, Reader]:
        """The reader of each key's value."""
        return {self.verb: self.value, **self.needed, **self.optional}


def read(
    orders: Plain, forms: Sequence[Form], expected: Sequence[str], rule: str, own: Own = str
) -> tuple[Any, ...]:
    """The typed orders of a list. Raises `IllegalOrder`, citing `rule`, for a wrong form or verb.

    `forms` are all those of the game, so that orders for another question are told apart from nonsense;
    `expected` are the verbs allowed now. `own` translates verbs for messages: the `own` of a game with its
    own words.
    """
    if not isinstance(orders, list) or not orders:
        _refuse(rule, tr("must be a list of orders, not {found}", found=describe_value(orders)))
    return tuple([_form_of(order, forms, expected, rule, own).read(order, rule) for order in orders])


def read_one(orders: Plain, forms: Sequence[Form], verb: str, rule: str, own: Own = str) -> Any:
    """The typed order of an answer that must be a single order with this verb. Raises `IllegalOrder`."""
    first, *more = read(orders, forms, (verb,), rule, own)
    if more:
        _refuse(rule, tr("you gave {number} orders: give only one", number=1 + len(more)))
    return first


def _form_of(order: Plain, forms: Sequence[Form], expected: Sequence[str], rule: str, own: Own) -> Form:
    if not isinstance(order, dict):
        _refuse(rule, tr("{found} is not an order", found=describe_value(order)))
    for form in forms:
        if form.verb in order:
            break
    else:
        verbs = _list_verbs(expected, own)
        if not order:
            _refuse(rule, tr("the order is empty; you can order: {verbs}", verbs=verbs))
        verb = describe_value(next(iter(order)))
        _refuse(rule, tr("{verb} is not an order; you can order: {verbs}", verb=verb, verbs=verbs))
    if form.verb not in expected:
        _refuse(
            rule,
            tr(
                "you cannot order {verb} now; you can order: {verbs}",
                verb=spoken(form.verb, own),
                verbs=_list_verbs(expected, own),
            ),
        )
    return form


def spoken(verb: str, own: Own) -> Said:
    """A verb as the player would type it: `stand down`, `fine voli`."""
    return own(verb.replace("_", " "))


def _list_verbs(verbs: Sequence[str], own: Own) -> Said:
    return row(spoken(verb, own) for verb in verbs)


def name(value: Plain) -> str:
    """Read a unit's name."""
    if not isinstance(value, str):
        raise Unexpected.within(value, tr("a unit's name"))
    return value


def names(value: Plain) -> tuple[str, ...]:
    """Read a list of unit names, all different."""
    found = tuple(map(name, _require_some(value, list, lambda: tr("a list of units"))))
    if len(found) > 1 and (twice := repeated(found)) is not None:
        raise Unexpected(
            lambda verb: tr("{unit} is named twice in {verb}", unit=describe_value(twice), verb=verb)
        )
    return found


def true(value: Plain) -> bool:
    """Read the word true."""
    if value is not True:
        raise Unexpected.after(value, "true")
    return True


def word(*words: str) -> Reader:
    """Read one of these words."""

    def reader(value: Plain) -> str:
        if not isinstance(value, str) or value not in words:
            raise Unexpected.within(value, joined(words, "or"))
        return value

    return reader


def hexagon(grid: Grid) -> Reader:
    """Read a hex on the map."""

    def reader(value: Plain) -> str:
        if not isinstance(value, str) or value not in grid:
            raise Unexpected.within(value, tr("a hex on the map"))
        return value

    return reader


def hexes(grid: Grid) -> Reader:
    """Read a list of hexes on the map, at least one."""
    read_hex = hexagon(grid)
    return lambda value: tuple(map(read_hex, _require_some(value, list, lambda: tr("a list of hexes"))))


def places(grid: Grid, some: bool = True) -> Reader:
    """Read units with their hexes; at least one if `some`."""
    read_hex = hexagon(grid)

    def reader(value: Plain) -> dict[str, str]:
        if value != {} or some:
            value = _require_some(value, dict, lambda: tr("units with their hexes"))
        return {name(unit): read_hex(at) for unit, at in value.items()}

    return reader


def _require_some(value: Plain, kind: type, expected: Callable[[], Said]) -> Plain:
    """The value, a list or mapping that is not empty. Raises `Unexpected`."""
    if not isinstance(value, kind) or not value:
        raise Unexpected.after(value, expected())
    return value


def repeated(values: Iterable[str]) -> str | None:
    """The first value that occurs twice, or None."""
    seen: set[str] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None


def _refuse(rule: str, facts: Said) -> NoReturn:
    raise IllegalOrder(rule, facts)
