"""A position as data for a renderer: which pieces, words and figures go where.

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
"""How a drawing shows a hex's terrain."""

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
"""The colour of a counter."""


class Piece(Struct, frozen=True):
    """A counter. `kind` is a word such as `tank`; `reduced` means its weaker face is up.

    `factors` are those printed on the face that is up, such as `6-3`. `group` is a key of `Legend.groups` or
    `Legend.colours`, `layer` one of `Legend.layers`; `marks` are characters that `Legend.marks` explains.
    `size` is the unit's size as map symbols show it: `II` for a battalion, `III` for a regiment, `X` for a
    brigade; empty if unknown.
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

    `terrain` is a key of `Legend.terrain`; `marks` are single characters shown beside the number. `notes`
    describe whatever else is in the hex; so do `asides`, which alone do not earn the hex a line in a list.
    `reach` is the figure of a hex in reach, such as the number of steps; if it has two characters, a small
    hex shows the last. `zone` is the side that owns that part of the map, if any.
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
    """Pieces off the map, under a title such as `off the west edge`."""

    title: str
    pieces: tuple[Piece, ...]


class Track(Struct, frozen=True):
    """A track beside the map: the words in its boxes, and the index of the box with the marker (-1: none)."""

    name: str
    boxes: tuple[str, ...]
    at: int


class Legend(Struct, frozen=True):
    """A picture of flat-topped hexes; columns 1, 3, 5 … (from 0) are half a hex lower.

    `terrain` maps a terrain's key to its word on the map (at most 5 letters, or empty for no word) and its
    explanation, such as `village: +1 to the card`; `textures` maps it to the character that fills its hexes,
    and `small` to the one shown instead by small hexes, which have no room for the word. `marks` explains the
    mark characters; `sides` maps a side to its word; `figures` are track values, such as
    `("Turn", "3 of 6")`, and `turn` is the name of the one for the turn; `factors` says what `Piece.factors`
    mean.

    For most games: `kinds` maps each kind, in the order of a list, to its letter (default: its initial);
    `groups` maps the parts of a side to their words; `reduced` is the word for a reduced face, `briefly` a
    shorter one for where there is less room; `layers` are the names of the layers of pieces, lowest first;
    `links` are pairs of hexes joined by a `link`. `first_lower` says that columns 0, 2, 4 … are the lower
    ones instead.

    For drawings only: `scenery` says how to draw a terrain, `branches` a kind of counter, `signs` a mark,
    `colours` a side or group; a key missing there is drawn as the value of that name if there is one, else as
    its letter or texture. A figure with a track of the same name is drawn as that track. `known` is what else
    both players know, such as the cards left in the deck, shown if there is room. `roads` are pairs of hexes
    joined by a road that no rule mentions.

    `lists` are lists beside or instead of the map, each with its title, such as the open cards of a deck;
    `private` are lists that only the reader may see, such as their hand, in a state that their own seals have
    completed (`Rules.known`). A game without a map has no cells.

    `brief` has other words for a hex on a screen, for those that do not fit: at most 7 letters for a side or
    a group, 9 for each word of a label, 5 for a terrain. A file keeps the words of its first release.

    All words are in the player's language; kinds, groups and terrains are keys, the same in every language.
    `names` has the name of a kind if that is not its key; `amount` counts them in words: `8 tanks`.
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
    brief: dict[str, str] = {}
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
        """The character of a terrain in small hexes; empty for open ground."""
        return self.small.get(terrain) or self.textures.get(terrain, "")

    def lowered(self, column: int) -> bool:
        """Whether a column is half a hex lower."""
        return (column + self.first_lower) % 2 == 1

    def hex_of(self, cell: Cell) -> Hex:
        """A cell's hex in axial coordinates."""
        return Hex(cell.column, cell.row - (cell.column + self.first_lower) // 2)
