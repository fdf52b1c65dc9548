"""A position as data for a renderer: which pieces, words and figures stand where.

A game fills a `Legend`; `pbem.render` draws it and knows no game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from msgspec import Struct

from pbem.core.hexes import Hex

Scenery: TypeAlias = Literal[
    "plain",
    "field",
    "desert",
    "woods",
    "village",
    "city",
    "hill",
    "water",
    "depression",
    "mines",
    "cleared",
]
"""How a drawing shows the ground of a hex."""

Branch: TypeAlias = Literal[
    "infantry",
    "motorised",
    "mechanised",
    "parachute",
    "armour",
    "recon",
    "engineer",
    "artillery",
    "anti-tank",
    "anti-air",
    "anti-air and anti-tank",
    "supply",
    "headquarters",
    "fighter",
    "bomber",
    "fort",
]
"""How a drawing shows a kind of counter."""

Sign: TypeAlias = Literal["star", "village", "airfield", "fort", "no supply", "under fire"]
"""How a drawing shows a mark."""

Colour: TypeAlias = Literal[
    "light green", "dark green", "black", "grey", "tan", "red", "blue", "light blue", "white"
]
"""The colour of a counter's cardboard."""


class Piece(Struct, frozen=True):
    """A counter. `kind` is a word such as `tank`; `reduced` means its weaker face is up.

    `factors` are those printed on the face that is up, such as `6-3`. `group` is a key of
    `Legend.groups` or `Legend.colours`, `layer` one of `Legend.layers`; `marks` are characters that
    `Legend.marks` explains. `size` is the unit's, as staffs draw it over its symbol: `II` for a battalion,
    `III` for a regiment, `X` for a brigade; empty where it is not known.
    """

    name: str
    side: str
    kind: str
    reduced: bool
    factors: str
    group: str = ""
    layer: str = ""
    marks: str = ""
    size: str = ""


class Cell(Struct, frozen=True):
    """A hex: its printed number, its place in the drawing (0, 0 is the top left), terrain, label, pieces.

    `terrain` is the key of `Legend.terrain`; `marks` are single characters that stand beside the number.
    `notes` describe whatever else is in the hex; so do `asides`, which alone do not make it worth a line.
    `reach` is a figure for a hex in reach, such as the number of steps; of two characters a small hex shows
    the last. `zone` is the side to whose part of the map the hex belongs, if any.
    """

    number: str
    column: int
    row: int
    terrain: str
    label: str
    marks: str
    pieces: tuple[Piece, ...]
    notes: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    reach: str = ""
    zone: str = ""


class Margin(Struct, frozen=True):
    """Pieces off the map, under a title such as `wait off the west edge`."""

    title: str
    pieces: tuple[Piece, ...]


class Track(Struct, frozen=True):
    """A track beside the map: the words in its boxes, and the box with the marker (-1: in none)."""

    name: str
    boxes: tuple[str, ...]
    at: int


class Legend(Struct, frozen=True):
    """A whole picture of flat-topped hexes; columns 1, 3, 5 … (from 0) sit half a hex lower.

    `terrain` maps a terrain's key to its word on the map (at most 5 letters; empty: nothing is written)
    and its explanation, such as `village: +1 to the card`, `textures` to the character that fills its hexes,
    and `small` to the one that small hexes show instead, since they have no room for the word;
    `marks` explains the mark characters; `sides` maps a side to its word; `figures` are track values, such
    as `("Turn", "3 of 6")`, and `turn` is the name of the one that shows the turn; `factors` says what
    `Piece.factors` mean.

    Needed by most counters and hexes: `kinds` maps each kind, in the order of a list, to
    its letter (else its initial); `groups` maps the parts of a side to their words; `reduced` is the word
    for a reduced face, `briefly` a shorter one where there is less room; `layers` are the names of the
    layers of pieces, the lowest first; `links` are pairs of hexes that are joined, and `link` says by
    what. `first_lower` says that columns 0, 2, 4 … are the lower ones.

    Needed only by a drawing: `scenery` says how a terrain is drawn, `branches` a kind of counter, `signs` a
    mark, `colours` a side or a group; a key missing there is drawn as the value of that name if there is one,
    else with its letter or texture. A figure that has a track of its name is drawn as that track.
    `known` is what else both players know, such as the cards left in the deck, shown where there is room.
    `roads` are pairs of hexes joined by a road that no rule mentions.

    `lists` are lists beside the map or in place of it, each with its title, such as the open cards of a deck;
    `private` are those that the reader alone may see, in a state that his own seals have made known to him
    (`Rules.known`): his hand. A game without a map has no cells.

    All words are in the player's language; kinds, groups and terrains are keys, which plans and drawings know
    in every language. `names` has the name of a kind, where that is not its key; `amount` says how many of a
    kind there are, as the language counts them: `8 tanks`.
    """

    columns: int
    rows: int
    cells: tuple[Cell, ...]
    terrain: dict[str, tuple[str, str]]
    marks: dict[str, str]
    sides: dict[str, str]
    margins: tuple[Margin, ...]
    figures: tuple[tuple[str, str], ...]
    turn: str = ""
    textures: dict[str, str] = {}
    small: dict[str, str] = {}
    factors: str = ""
    kinds: dict[str, str] = {}
    groups: dict[str, str] = {}
    reduced: str = ""
    briefly: str = ""
    layers: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    link: str = ""
    first_lower: bool = False
    scenery: dict[str, Scenery] = {}
    branches: dict[str, Branch] = {}
    signs: dict[str, Sign] = {}
    colours: dict[str, Colour] = {}
    tracks: tuple[Track, ...] = ()
    known: tuple[tuple[str, str], ...] = ()
    roads: tuple[tuple[str, str], ...] = ()
    names: dict[str, str] = {}
    amount: Callable[[str, int], str] | None = None
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
    private: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def called(self, kind: str) -> str:
        """The name of a kind of counter."""
        return self.names.get(kind, kind)

    def counted(self, kind: str, number: int) -> str:
        """How many of a kind there are: `8 tanks`; without `amount` number and name, `8 tank`."""
        return self.amount(kind, number) if self.amount else f"{number} {self.called(kind)}"

    def small_sign(self, terrain: str) -> str:
        """The sign of a terrain in small hexes; empty for open ground."""
        return self.small.get(terrain) or self.textures.get(terrain, "")

    def lowered(self, column: int) -> bool:
        """Whether a column sits half a hex lower."""
        return (column + self.first_lower) % 2 == 1

    def hex_of(self, cell: Cell) -> Hex:
        """A cell's hex in axial coordinates; the axis of `r` runs down to the east."""
        return Hex(cell.column, cell.row - (cell.column + self.first_lower) // 2)
