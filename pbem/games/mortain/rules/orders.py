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
    faces       {faces: redraw} or {faces: miss}                        Choice, the word

`faces` is `redraw` (the default), `miss` or `ask`. Orders are untrusted input: a value can be of any type,
and anything without one of these shapes is refused under M9.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import TypeAlias

from msgspec import Struct

from pbem.core.forms import Form, hexagon, name, names, places, read, read_one, true, word
from pbem.core.hexes import Grid
from pbem.core.requests import Ask, Plain
from pbem.errors import IllegalOrder
from pbem.games.mortain.rules.state import EXITED, Choice, Faces, State, Way
from pbem.messages import Messages

tr = Messages("pbem.games.mortain")

FORM = "M9.1"
"""The rule cited for an order of the wrong form."""


class Place(Struct, frozen=True):
    """M2.1: the hex of every unit, in the order written."""

    hexes: Mapping[str, str]


class Move(Struct, frozen=True):
    """M4.1: a unit goes to an adjacent hex."""

    unit: str
    to: str


class Enter(Struct, frozen=True):
    """M4.4: a waiting unit enters in a hex of its edge."""

    unit: str
    at: str

    @property
    def to(self) -> str:
        """The hex where the unit will be."""
        return self.at


class Exit(Struct, frozen=True):
    """M4.5: a German unit leaves the map in the west."""

    unit: str

    @property
    def to(self) -> str:
        """The place where the unit will be."""
        return EXITED


class Fire(Struct, frozen=True):
    """M5.1: units fire at one enemy unit."""

    firers: tuple[str, ...]
    at: str
    faces: Faces = "redraw"


class Support(Struct, frozen=True):
    """M6.3: an attack by artillery or from the air."""

    way: Way
    targets: tuple[str, ...]
    faces: Faces = "redraw"


class Suppress(Struct, frozen=True):
    """M6.4: air suppresses a hex and the six around it."""

    at: str

    @property
    def way(self) -> Way:
        """The kind of support: air."""
        return "air"


Movement: TypeAlias = Move | Enter | Exit
MOVEMENTS = (Move, Enter, Exit)
Order: TypeAlias = Movement | Fire | Support | Suppress


class Activation(Struct, frozen=True):
    """An answer to `activate` (M3.3, M3.4): the orders as written (a pass has none) and by kind; who acts.

    `movers` and `firers` repeat a unit that the orders repeat; `goals` maps the movers to their goals. A
    legal list has at most one of `attacks` (M3.8) and one of `supports` (M6.1).
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
        """M3.7: the units activated by the list."""
        return self.movers + self.firers


Question: TypeAlias = Ask[State, Place] | Ask[State, Activation] | Ask[State, Choice]
"""A question of these rules."""

ACTIVATE = ("pass", "move", "enter", "exit", "fire", "artillery", "air", "suppress")
"""The verbs that answer `activate`."""

VERBS = ("place", *ACTIVATE, "faces")
"""All verbs."""


@cache
def forms(grid: Grid) -> tuple[Form, ...]:
    """The form of every order of the game."""
    at = hexagon(grid)
    faces = {"faces": word("redraw", "miss", "ask")}
    return (
        Form("place", Place, places(grid, some=False)),
        Form("pass", bool, true),
        Form("move", Move, name, needed={"to": at}),
        Form("enter", Enter, name, needed={"at": at}),
        Form("exit", Exit, name),
        Form("fire", Fire, names, needed={"at": name}, optional=faces),
        Form("artillery", partial(Support, "artillery"), names, optional=faces),
        Form("air", partial(Support, "air"), names, optional=faces),
        Form("suppress", Suppress, at),
        Form("faces", str, word("redraw", "miss")),
    )


def read_placement(grid: Grid, orders: Plain) -> Place:
    """M9.1: parse the answer to `place`. Raises `IllegalOrder`."""
    place: Place = read_one(orders, forms(grid), "place", FORM, tr.own)
    return place


def read_activation(grid: Grid, orders: Plain) -> Activation:
    """M9.1: parse the answer to `activate`. Raises `IllegalOrder`."""
    found = read(orders, forms(grid), ACTIVATE, FORM, tr.own)
    if True not in found:
        return Activation.of(found)
    if len(found) > 1:
        raise IllegalOrder(FORM, tr("a pass cannot be combined with other orders"))
    return Activation.of(())


def read_faces(grid: Grid, orders: Plain) -> Choice:
    """M9.1: parse the answer to `faces`. Raises `IllegalOrder`."""
    choice: Choice = read_one(orders, forms(grid), "faces", FORM, tr.own)
    return choice
