"""A game as a series of scenes: the map once, each counter's face once, and the changes from entry to entry.

Each scene shows the position after its entry (FORMAT 7), so one that is signed. The effect of orders appears
with the card or the dice for which they wait; until then arrows show the orders.
`board.js` and `replay.js` read the data in the element `scene`; the type `Scene` in `board.js` names its
parts. Hexes, faces and marks are given by their indexes in lists, since a game refers to them thousands of
times.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.legend import Cell, Legend, Piece
from pbem.core.requests import Tell, texts
from pbem.core.run import public
from pbem.core.traces import Drawn, Lost, Settled, Shot, Struck, Trace, Turn, Way
from pbem.format.shapes import Accept, Play
from pbem.render.counters import Faces, words
from pbem.render.layout import PLACES, SHRUNK, extent, middle
from pbem.render.markup import escaped
from pbem.render.scenery import OUTLINE, ground, ground_id, grounds, lines, mark, mark_places
from pbem.render.story import awaited
from pbem.render.words import safe
from pbem.texts import Texts
from pbem.umpire.game import Game, ReplayedEntry

tr = Texts("pbem")


class Scene(Struct, frozen=True):
    """The map as SVG, and the data of everything that happens on it."""

    drawing: str
    data: dict[str, Any]


def scene(game: Game) -> Scene:
    """The scenes of a game."""
    cast = Cast()
    found = frames(game, cast)
    first = _legend(game, game.chapters[0])
    data = {**lasting(first), "faces": cast.words, "frames": found}
    return Scene(drawing(first, cast), data | ({"staff": own} if (own := _staff(game, cast)) else {}))


def frames(game: Game, cast: Cast, first: int = 0) -> list[dict[str, Any]]:
    """The frame of each entry: how it differs from the one before, its traces and its draws.

    Those before `first` have no positions, which take time to compute; that of `first` is complete.
    """
    legends = [_legend(game, replayed) for replayed in game.chapters[first:]]
    owed = [*(_owed(game, *both) for both in pairwise(game.chapters[first:])), awaited(game.table)]
    positions = _frames(shown(cast, *each) for each in zip(legends, owed, strict=True))
    changes = [*({} for _ in range(first)), *positions]
    telling = Telling(game, _legend(game, game.chapters[0]))
    return [
        frame | _events(replayed, telling) for frame, replayed in zip(changes, game.chapters, strict=True)
    ]


def unlocked(game: Game, since: Iterable[Tell]) -> list[Any]:
    """The traces of what a draw brings that the player has completed after the last entry."""
    telling = Telling(game, _legend(game, game.chapters[0]))
    for replayed in game.chapters:
        _events(replayed, telling)  # remembers the shot that waits for its card
    return [trace for tell in since for trace in telling.of(tell)]


def _events(replayed: ReplayedEntry, telling: Telling) -> dict[str, Any]:
    """The traces of an entry's events, and the cards or dice that were drawn."""
    data: dict[str, Any] = {}
    if any(done := [telling.of(tell) for tell in replayed.told]):
        data["done"] = done
    if replayed.beat is not None and replayed.beat.draws:
        data["drawn"] = [safe(str(draw.outcome)) for draw in replayed.beat.draws]
    return data


def _legend(game: Game, replayed: ReplayedEntry) -> Legend:
    """The legend after an entry, without counters off the map that are not in its public position."""
    if not replayed.rest:
        return game.rules.view.legend(replayed.state)
    legend = game.rules.view.legend(replayed.rest[0])
    known = set(texts(public(game.rules, *replayed.rest)))
    margins = [
        replace(margin, pieces=tuple(x for x in margin.pieces if x.name in known))
        for margin in legend.margins
    ]
    return replace(legend, margins=tuple(margin for margin in margins if margin.pieces))


def _staff(game: Game, cast: Cast) -> list[list[int]]:
    """The indexes of the faces of each commander's counters, seat by seat (FORMAT 11)."""
    commanders = [(seat, one.of) for seat, taken in game.seats.items() for one in taken.commanders or ()]
    return [
        [number for number, piece in enumerate(cast.pieces) if piece.side == seat and piece.group in groups]
        for seat, groups in commanders
    ]


def lasting(legend: Legend) -> dict[str, Any]:
    """The data that no event changes: hexes, meanings of terrain and marks, places of counters."""
    return {
        "size": extent(legend),
        "hexes": [_hex(legend, cell) for cell in legend.cells],
        "terrain": [safe(meaning or name) for name, (_, meaning) in legend.terrain.items()],
        "marks": [safe(meaning) for meaning in legend.marks.values()],
        "places": [[], *PLACES.values()],
        "shrunk": [1, *SHRUNK.values()],
    }


class Cast:
    """The faces of all counters of a game, drawn and in words, and the grounds that a page has already."""

    def __init__(self) -> None:
        self.ground: dict[int, int] = {}
        self.faces = Faces()
        self.words: list[str] = []
        self.pieces: list[Piece] = []

    def numbers(self, legend: Legend, pieces: Iterable[Piece]) -> list[int]:
        """The index of each counter's face, which is added if it is new."""
        numbers = []
        for piece in pieces:
            number = int(self.faces.id(legend, piece)[1:])
            if number == len(self.words):
                self.words.append(safe(words(legend, piece)))
                self.pieces.append(piece)
            numbers.append(number)
        return numbers

    def told(self, first: int) -> dict[str, Any]:
        """The faces from an index on: in words with the counter's name and side, and as drawings."""
        pairs = list(zip(self.words, self.pieces, strict=True))[first:]
        named = [[words, piece.name, piece.side] for words, piece in pairs]
        return {"first": first, "all": named, "drawn": self.faces.symbols(first)}


class Telling:
    """Turns the events of a game, in order, into traces on its map."""

    def __init__(self, game: Game, legend: Legend) -> None:
        self._traces = game.rules.view.traces
        self._at = {cell.number: index for index, cell in enumerate(legend.cells)}
        self._shot: list[Any] = []

    def of(self, tell: Tell) -> list[Any]:
        """The traces of an event; a card is shown with the shot for which it was drawn, if known."""
        traces = self._traces(tell) if self._traces else []
        return [plain for trace in traces if (plain := self._plain(trace))]

    def _plain(self, trace: Trace) -> list[Any]:
        match trace:
            case Turn(number):
                return ["turn", number]
            case Way(_, hexes):
                return ["way", self._places(hexes)]
            case Shot(_, out_of, at, chance, _):
                self._shot = [self._places(out_of), self._at[at]]
                return ["shot", *self._shot, f"{round(100 * chance)}%"]
            case Drawn(drawn):
                return ["shot", *self._shot, drawn] if self._shot else []
            case Settled(hit):
                return [] if hit or not self._shot else ["miss", self._shot[-1]]
            case Struck(at):
                return ["hit", self._at[at]]
            case Lost(at):
                return ["loss", self._at[at]]

    def _places(self, hexes: Iterable[str]) -> list[int]:
        return [self._at[at] for at in hexes]


def drawing(legend: Legend, cast: Cast) -> str:
    """The map without counters and marks, and the `<defs>` of everything that the scripts put on it."""
    width, height = extent(legend)
    how = tr("Map: the arrow keys walk over it, Enter opens a hex, plus and minus bring it nearer")
    marks = "\n".join(
        f'<g id="m{number}">{mark(legend, character)}</g>' for number, character in enumerate(legend.marks)
    )
    return (
        f'<svg id="map" viewBox="0 0 {width} {height}" role="group" aria-label="{escaped(how)}">\n'
        f"<defs>\n{grounds(legend)}\n{marks}\n{cast.faces.symbols()}\n"
        f'<path id="hex" d="{OUTLINE}"/></defs>\n'
        f'<g id="ground">\n{ground(legend)}\n</g><g>\n{lines(legend)}\n</g>'
        '<g id="marks"></g><g id="counters"></g><g id="cells"></g><g id="traces"></g>\n</svg>'
    )


def _owed(game: Game, then: ReplayedEntry, following: ReplayedEntry) -> str:
    """What was due after an entry: the rules' question if the next entry answered it, else who went on."""
    body = following.entry.body
    if then.asked and isinstance(body, (Accept, Play)) and body.orders is not None:
        return f"{game.rules.side(then.asked.seat)}: {game.rules.view.prompt(then.asked)}"
    side = game.rules.side(body.by)
    if isinstance(body, Play) and body.orders is None:
        return tr("{side} {side:adds its|add their} half of the next draw", side=side)
    return tr("{side} {side:goes|go} on", side=side)


def _hex(legend: Legend, cell: Cell) -> list[Any]:
    """The fixed data of a hex: number, centre, column, row, name."""
    return [cell.number, *middle(legend, cell), cell.column, cell.row, safe(cell.label)]


def shown(cast: Cast, legend: Legend, owed: str) -> dict[str, Any]:
    """The data of a scene, by the indexes of hexes; those without counters are left out."""
    signs = list(legend.marks)
    cells: dict[int, Any] = {}
    marks: dict[int, Any] = {}
    for index, cell in enumerate(legend.cells):
        if cell.pieces:
            cells[index] = cast.numbers(legend, cell.pieces)
        if cell.marks:
            places = mark_places(legend, cell)
            marks[index] = [[signs.index(sign), *at] for sign, at in places if sign in signs]
    return {
        "cells": cells,
        "marks": marks,
        "ground": base(legend),
        "off": [[safe(margin.title), cast.numbers(legend, margin.pieces)] for margin in legend.margins],
        "figures": [[safe(name), safe(value)] for name, value in (*legend.figures, *legend.known)],
        "owed": safe(owed),
    }


def base(legend: Legend) -> dict[int, int]:
    """For every hex the index of its ground in the `<defs>`."""
    return {index: int(ground_id(legend, cell)[1:]) for index, cell in enumerate(legend.cells)}


def _frames(shown: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The differences of each scene from the one before: hexes that differ; other changed values complete."""
    before: dict[str, Any] = {}
    for now in shown:
        changed = {
            name: _changed(before.get(name, {}), value) if isinstance(value, Mapping) else value
            for name, value in now.items()
            if value != before.get(name)
        }
        before = now
        yield changed


def _changed(before: Mapping[int, Any], now: Mapping[int, Any]) -> dict[int, Any]:
    """The hexes that differ; one that has become empty gets an empty list."""
    gone: dict[int, Any] = {index: [] for index in before if index not in now}
    return {**gone, **{index: value for index, value in now.items() if before.get(index) != value}}
