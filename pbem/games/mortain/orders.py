"""Orders: their plain form in the file (M9), their typed form in the rules, and M9.1 between the two.

One list answers one question. The plain orders, as they are signed:

    question    order                                                   typed
    place       {place: {117Inf: '1503', 119Inf: '1402', …}}            Place
    activate    {pass: true}, alone in its list                         (an Activation without orders)
                {move: 2SS-A, to: '1803'}                               Move
                {enter: D, at: '1902'}                                  Enter
                {exit: DF}                                              Exit
                {fire: [117Inf, 823TD], at: 2SS-A, faces: redraw}       Fire; `faces` may be absent
                {artillery: [DF], faces: miss}                          Support; `faces` may be absent
                {air: [DF, D]}                                          Support
                {suppress: '1604'}                                      Suppress
    faces       {faces: redraw} or {faces: miss}                        the word

`faces` is `redraw` (and so where it is absent), `miss` or `ask`. Orders arrive from anywhere: what
is read here may be of any type, and whatever is not one of these shapes is refused under M9.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Literal, NoReturn, TypeAlias, cast

import msgspec

from pbem.core.hexes import Grid
from pbem.core.requests import Plain
from pbem.errors import IllegalOrder
from pbem.games.mortain.state import EXITED

Choice: TypeAlias = Literal["redraw", "miss"]
"""M5.7: what a face card is to be."""

Faces: TypeAlias = Choice | Literal["ask"]
"""M5.7: the same, ordered in advance, or that one wants to be asked."""


class Place(msgspec.Struct, frozen=True):
    """M2.1: the hex of every unit, in the order written."""

    hexes: Mapping[str, str]


class Move(msgspec.Struct, frozen=True):
    """M4.1: a unit goes to an adjacent hex."""

    unit: str
    to: str


class Enter(msgspec.Struct, frozen=True):
    """M4.4: a waiting unit enters on a hex of its edge."""

    unit: str
    to: str


class Exit(msgspec.Struct, frozen=True):
    """M4.5: a German unit leaves the map in the west."""

    unit: str

    @property
    def to(self) -> str:
        """Where it goes."""
        return EXITED


class Fire(msgspec.Struct, frozen=True):
    """M5.1: units fire at one enemy unit."""

    firers: tuple[str, ...]
    at: str
    faces: Faces = "redraw"


class Support(msgspec.Struct, frozen=True):
    """M6.3: an attack by artillery or from the air."""

    way: Literal["artillery", "air"]
    targets: tuple[str, ...]
    faces: Faces = "redraw"


class Suppress(msgspec.Struct, frozen=True):
    """M6.4: air suppresses a hex and the six around it."""

    at: str


Movement: TypeAlias = Move | Enter | Exit
MOVEMENTS = (Move, Enter, Exit)
Order: TypeAlias = Movement | Fire | Support | Suppress


class Activation(msgspec.Struct, frozen=True):
    """The answer to M3.3 and M3.4: orders as written, none for a pass; the same by kind; and who acts.

    `movers` and `firers` name a unit as often as the orders do, `goals` say where the movers go. A legal
    list has at most one of `attacks` (M3.8) and one of `supports` (M6.1).
    """

    orders: tuple[Order, ...]
    movements: tuple[Movement, ...]
    fires: tuple[Fire, ...]
    attacks: tuple[Fire | Support, ...]
    supports: tuple[Support | Suppress, ...]
    movers: tuple[str, ...]
    firers: tuple[str, ...]
    goals: Mapping[str, str]

    @classmethod
    def of(cls, orders: tuple[Order, ...]) -> Activation:
        """Sort the orders by kind."""
        movements: list[Movement] = []
        fires: list[Fire] = []
        supports: list[Support | Suppress] = []
        for order in orders:
            if isinstance(order, MOVEMENTS):
                movements.append(order)
            elif isinstance(order, Fire):
                fires.append(order)
            else:
                supports.append(order)
        return cls(
            orders=orders,
            movements=tuple(movements),
            fires=tuple(fires),
            attacks=(*fires, *[order for order in supports if isinstance(order, Support)]),
            supports=tuple(supports),
            movers=tuple([order.unit for order in movements]),
            firers=tuple([name for order in fires for name in order.firers]),
            goals={order.unit: order.to for order in movements},
        )

    @property
    def acting(self) -> tuple[str, ...]:
        """M3.7: the units that the list activates."""
        return self.movers + self.firers


VERBS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "place": ((), ()),
    "pass": ((), ()),
    "move": (("to",), ()),
    "enter": (("at",), ()),
    "exit": ((), ()),
    "fire": (("at",), ("faces",)),
    "artillery": ((), ("faces",)),
    "air": ((), ("faces",)),
    "suppress": ((), ()),
    "faces": ((), ()),
}
"""The key that makes an order, the further keys that it needs, and those that it may have."""


def read_placement(grid: Grid, orders: Plain) -> Place:
    """M9.1: read the answer to `place`; raises `IllegalOrder`."""
    [verb] = _verbs(orders, ("place",), most=1)
    hexes = orders[0][verb]
    if not isinstance(hexes, dict):
        _refuse(f"found {_shown(hexes)} after place, expected units with their hexes")
    return Place({_name(name, verb): _hex(grid, at, verb) for name, at in hexes.items()})


def read_activation(grid: Grid, orders: Plain) -> Activation:
    """M9.1: read the answer to `activate`; raises `IllegalOrder`."""
    verbs = _verbs(orders, ("pass", "move", "enter", "exit", "fire", "artillery", "air", "suppress"))
    if "pass" not in verbs:
        return Activation.of(tuple(map(partial(_order, grid), verbs, orders)))
    if len(verbs) > 1:
        _refuse("a pass stands beside another order; it must be alone")
    if orders[0]["pass"] is not True:
        _refuse(f"found {_shown(orders[0]['pass'])} after pass, expected true")
    return Activation.of(())


def read_faces(orders: Plain) -> Choice:
    """M9.1: read the answer to `faces`; raises `IllegalOrder`."""
    [verb] = _verbs(orders, ("faces",), most=1)
    return cast(Choice, _word(orders[0][verb], verb, ("redraw", "miss")))


def _verbs(orders: Plain, expected: tuple[str, ...], most: int | None = None) -> list[str]:
    """The verb of every order, each of those expected, with the keys that go with it."""
    if not isinstance(orders, list) or not orders:
        _refuse(f"found {_shown(orders)}, expected a list of orders")
    verbs = [_verb(order, expected) for order in orders]
    if most and len(verbs) > most:
        _refuse(f"found {len(verbs)} orders, expected one")
    return verbs


def _verb(order: Plain, expected: tuple[str, ...]) -> str:
    """The verb of one order, whose keys are then known to be in order."""
    if not isinstance(order, dict):
        _refuse(f"found {_shown(order)}, expected an order")
    for verb in VERBS:
        if verb in order:
            break
    else:
        found = f"an order of {_shown(next(iter(order)))}" if order else "an empty order"
        _refuse(f"found {found}, expected one of {', '.join(expected)}")
    if verb not in expected:
        _refuse(f"{verb} answers another question, expected {', '.join(expected)}")
    needed, optional = VERBS[verb]
    for key in needed:
        if key not in order:
            _refuse(f"{verb} lacks '{key}'")
    if len(order) > 1 + len(needed):
        for key in order:
            if key not in (verb, *needed, *optional):
                _refuse(f"{verb} does not go with {_shown(key)}")
    return verb


def _order(grid: Grid, verb: str, order: dict[str, Plain]) -> Order:
    """One order of an activation in its typed form."""
    value = order[verb]
    match verb:
        case "move":
            return Move(_name(value, verb), _hex(grid, order["to"], verb))
        case "enter":
            return Enter(_name(value, verb), _hex(grid, order["at"], verb))
        case "exit":
            return Exit(_name(value, verb))
        case "fire":
            return Fire(_names(value, verb), _name(order["at"], verb), _faces(order, verb))
        case "artillery" | "air":
            way: Literal["artillery", "air"] = "air" if verb == "air" else "artillery"
            return Support(way, _names(value, verb), _faces(order, verb))
        case _:
            return Suppress(_hex(grid, value, verb))


def _name(value: Plain, verb: str) -> str:
    if not isinstance(value, str):
        _refuse(f"found {_shown(value)} in {verb}, expected a unit's name")
    return value


def _names(value: Plain, verb: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        _refuse(f"found {_shown(value)} after {verb}, expected a list of units")
    names = tuple([_name(name, verb) for name in value])
    twice = repeated(names)
    if twice is not None:
        _refuse(f"{_shown(twice)} stands twice in {verb}")
    return names


def repeated(names: Iterable[str]) -> str | None:
    """The first name that comes a second time."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _hex(grid: Grid, value: Plain, verb: str) -> str:
    if not isinstance(value, str) or value not in grid:
        _refuse(f"found {_shown(value)} in {verb}, expected a hex on the map")
    return value


def _faces(order: dict[str, Plain], verb: str) -> Faces:
    return cast(Faces, _word(order.get("faces", "redraw"), verb, ("redraw", "miss", "ask")))


def _word(value: Plain, verb: str, words: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in words:
        _refuse(f"found {_shown(value)} in {verb}, expected {' or '.join(words)}")
    return value


def _shown(value: Plain) -> str:
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


def _refuse(facts: str) -> NoReturn:
    raise IllegalOrder("M9.1", facts)
