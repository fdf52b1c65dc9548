"""A game as a series of scenes: the map once, each counter's face once, and the changes between entries.

Each scene shows the position after its entry (FORMAT 7), which is signed. The effect of orders appears with
the card or dice they need; until then arrows show the orders. `board.js` and `replay.js` read the data in the
element `scene`; the type `Scene` in `board.js` names its parts. Hexes, faces and marks are given by their
indexes in lists, since a game refers to them thousands of times.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.core.legend import Cell, Legend, Piece
from pbem.core.requests import Orders, Question, Tell, texts
from pbem.core.rules import Rules
from pbem.core.run import public
from pbem.core.traces import Drawn, Lost, Rolled, Settled, Shot, Struck, Trace, Turn, Way
from pbem.format.entries import Accept, Play
from pbem.render.safe_text import safe_text
from pbem.render.story import describe_asked, describe_next_duty
from pbem.render.svg_counters import Faces, describe_counter
from pbem.render.svg_map import (
    COUNTER_PLACES,
    COUNTER_SCALES,
    HEX_OUTLINE,
    draw_mark,
    ground,
    ground_defs,
    ground_id,
    hex_centre,
    lines,
    map_size,
    mark_places,
)
from pbem.render.svg_style import escape
from pbem.texts import Texts
from pbem.umpire.game_state import Game, ReplayedEntry

tr = Texts("pbem")


class Scene(Struct, frozen=True):
    """The map as SVG, and the data of everything that happens on it."""

    drawing: str
    data: dict[str, Any]


def game_scene(game: Game) -> Scene:
    """The scenes of a game."""
    cast = FaceList()
    found = frames(game, cast)
    first = _legend_after(game, game.replayed_entries[0])
    data = {**fixed_data(first), "faces": cast.descriptions, "frames": found}
    return Scene(
        draw_map(first, cast), data | ({"staff": own} if (own := _commander_faces(game, cast)) else {})
    )


def frames(game: Game, cast: FaceList, first: int = 0) -> list[dict[str, Any]]:
    """The frame of each entry: how it differs from the one before, its traces and its draws.

    Frames before `first` have no positions, which take time to compute; that of `first` is complete.
    """
    legends = [_legend_after(game, replayed) for replayed in game.replayed_entries[first:]]
    owed = [
        *(_duty_after(game, *both) for both in pairwise(game.replayed_entries[first:])),
        describe_next_duty(game.state),
    ]
    tables = [table_data(game, replayed.state) for replayed in game.replayed_entries[first:]]
    positions = _differences(
        scene_data(cast, legend, duty) | table
        for legend, duty, table in zip(legends, owed, tables, strict=True)
    )
    changes = [*({} for _ in range(first)), *positions]
    telling = TraceWriter(game, _legend_after(game, game.replayed_entries[0]))
    return [
        frame | _event_data(replayed, telling)
        for frame, replayed in zip(changes, game.replayed_entries, strict=True)
    ]


def unlocked_traces(game: Game, since: Iterable[Tell]) -> list[Any]:
    """The traces of a draw that the player has completed after the last entry."""
    telling = TraceWriter(game, _legend_after(game, game.replayed_entries[0]))
    for replayed in game.replayed_entries:
        _event_data(replayed, telling)  # remembers the shot that needs its card
    return [trace for tell in since for trace in telling.traces_of(tell)]


def _event_data(replayed: ReplayedEntry, telling: TraceWriter) -> dict[str, Any]:
    """The traces of an entry's events, and the cards or dice that were drawn."""
    data: dict[str, Any] = {}
    if any(done := [telling.traces_of(tell) for tell in replayed.events]):
        data["done"] = done
    if replayed.beat is not None and replayed.beat.draws:
        data["drawn"] = [safe_text(str(draw.outcome)) for draw in replayed.beat.draws]
    return data


def _legend_after(game: Game, replayed: ReplayedEntry) -> Legend:
    """The legend after an entry, without off-map counters that are not in its public position."""
    if not replayed.rest:
        return game.rules.view.legend(replayed.state)
    return public_legend(game.rules, *replayed.rest)


def public_legend(rules: Rules, state: Any, question: Question | None) -> Legend:
    """The legend of a game at rest, without off-map counters that are not in its public position."""
    legend = rules.view.legend(state)
    known = set(texts(public(rules, state, question)))
    margins = [
        replace(margin, pieces=tuple(x for x in margin.pieces if x.name in known))
        for margin in legend.margins
    ]
    return replace(legend, margins=tuple(margin for margin in margins if margin.pieces))


def _commander_faces(game: Game, cast: FaceList) -> list[list[int]]:
    """The indexes of the faces of each commander's counters, seat by seat (FORMAT 11)."""
    commanders = [(seat, one.of) for seat, taken in game.seats.items() for one in taken.commanders or ()]
    return [
        [number for number, piece in enumerate(cast.pieces) if piece.side == seat and piece.group in groups]
        for seat, groups in commanders
    ]


def fixed_data(legend: Legend) -> dict[str, Any]:
    """The data that no event changes: hexes, meanings of terrain and marks, places of counters."""
    return {
        "size": map_size(legend),
        "hexes": [_hex_data(legend, cell) for cell in legend.cells],
        "terrain": [safe_text(meaning or name) for name, (_, meaning) in legend.terrain.items()],
        "marks": [safe_text(meaning) for meaning in legend.marks.values()],
        "places": [[], *COUNTER_PLACES.values()],
        "shrunk": [1, *COUNTER_SCALES.values()],
        "seats": list(legend.sides),
    }


class FaceList:
    """The faces of all counters of a game, drawn and in words, and the grounds the page already has."""

    def __init__(self) -> None:
        self.ground: dict[int, int] = {}
        self.faces = Faces()
        self.descriptions: list[str] = []
        self.pieces: list[Piece] = []

    def numbers(self, legend: Legend, pieces: Iterable[Piece]) -> list[int]:
        """The index of each counter's face, which is added if it is new."""
        numbers = []
        for piece in pieces:
            number = int(self.faces.face_id(legend, piece)[1:])
            if number == len(self.descriptions):
                self.descriptions.append(safe_text(describe_counter(legend, piece)))
                self.pieces.append(piece)
            numbers.append(number)
        return numbers

    def faces_from(self, first: int) -> dict[str, Any]:
        """The faces from an index on: in words with the counter's name and side, and as drawings."""
        pairs = list(zip(self.descriptions, self.pieces, strict=True))[first:]
        named = [[words, piece.name, piece.side] for words, piece in pairs]
        return {"first": first, "all": named, "drawn": self.faces.symbols(first)}


class TraceWriter:
    """Turns the events of a game, in order, into traces on its map."""

    def __init__(self, game: Game, legend: Legend) -> None:
        self._traces = game.rules.view.traces
        self._seats = list(legend.sides)
        self._at = {cell.number: index for index, cell in enumerate(legend.cells)}
        self._shot: list[Any] = []

    def traces_of(self, tell: Tell) -> list[Any]:
        """The traces of an event; a card is shown with the shot it was drawn for, if known."""
        traces = self._traces(tell) if self._traces else []
        return [plain for trace in traces if (plain := self._trace_data(trace))]

    def _trace_data(self, trace: Trace) -> list[Any]:
        match trace:
            case Turn(number):
                return ["turn", number]
            case Way(side, hexes, unit):
                return ["way", self._hex_indexes(hexes), self._seats.index(side), unit]
            case Shot(side, out_of, at, chance, _):
                self._shot = [self._hex_indexes(out_of), self._at[at], self._seats.index(side)]
                return ["shot", *self._shot, f"{round(100 * chance)}%"]
            case Drawn(drawn):
                return ["shot", *self._shot, drawn] if self._shot else []
            case Settled(hit):
                return [] if hit or not self._shot else ["miss", self._shot[1]]
            case Struck(at, unit):
                return ["hit", self._at[at], unit]
            case Lost(at, unit):
                return ["loss", self._at[at], unit]
            case Rolled(side, dice, faces, total, purpose):
                return ["dice", *map(safe_text, (side, dice, total, purpose)), list(map(safe_text, faces))]

    def _hex_indexes(self, hexes: Iterable[str]) -> list[int]:
        return [self._at[at] for at in hexes]


def draw_map(legend: Legend, cast: FaceList) -> str:
    """The map without counters and marks, and the `<defs>` of everything the scripts draw on it."""
    width, height = map_size(legend)
    how = tr("Map: the arrow keys move around it, Enter opens a hex, plus and minus zoom")
    marks = "\n".join(
        f'<g id="m{number}">{draw_mark(legend, character)}</g>'
        for number, character in enumerate(legend.marks)
    )
    return (
        f'<svg id="map" viewBox="0 0 {width} {height}" role="group" aria-label="{escape(how)}">\n'
        f"<defs>\n{ground_defs(legend)}\n{marks}\n{cast.faces.symbols()}\n"
        f'<path id="hex" d="{HEX_OUTLINE}"/></defs>\n'
        f'<g id="ground">\n{ground(legend)}\n</g><g>\n{lines(legend)}\n</g>'
        '<g id="marks"></g><g id="counters"></g><g id="cells"></g><g id="traces"></g>\n</svg>'
    )


def _duty_after(game: Game, then: ReplayedEntry, following: ReplayedEntry) -> str:
    """What was due after an entry: the rules' question if the next entry answered it, else who wrote next."""
    body = following.entry.body
    if then.question and isinstance(body, (Accept, Play)) and body.orders is not None:
        return describe_asked(game.rules, then.question)
    side = game.rules.side(body.by)
    if isinstance(body, Play) and body.orders is None:
        return tr("{side} {side:adds its|add their} half of the next draw", side=side)
    return tr("{side} {side:continues|continue}", side=side)


def _hex_data(legend: Legend, cell: Cell) -> list[Any]:
    """The fixed data of a hex: number, centre, column, row, name."""
    return [cell.number, *hex_centre(legend, cell), cell.column, cell.row, safe_text(cell.label)]


def scene_data(cast: FaceList, legend: Legend, owed: str) -> dict[str, Any]:
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
        "ground": hex_grounds(legend),
        "off": [[safe_text(margin.title), cast.numbers(legend, margin.pieces)] for margin in legend.margins],
        "figures": figures_data(legend),
        "owed": safe_text(owed),
    }


def table_data(
    game: Game, state: Any, asked: Question | None = None, orders: Orders | None = None
) -> dict[str, Any]:
    """The data of the table drawn instead of a map, and of its figures; empty for a game with a map.

    `asked` is the question the reader can answer, `orders` are their orders so far.
    """
    if game.rules.view.card_table is None:
        return {}
    plain = msgspec.to_builtins(game.rules.view.card_table(state, asked, orders or []), enc_hook=str)
    return {"table": _safe(plain), "figures": []}


def _safe(plain: Any) -> Any:
    """Plain data with every text made safe to show, except the words of orders, which nobody reads."""
    match plain:
        case str():
            return safe_text(plain)
        case list():
            return list(map(_safe, plain))
        case dict():
            return {key: value if key == "parts" else _safe(value) for key, value in plain.items()}
    return plain


def figures_data(legend: Legend) -> list[list[str]]:
    """The figures beside the map, and the lists shown instead of one, each with its name."""
    listed = [(title, "; ".join(items) or "-") for title, items in (*legend.private, *legend.lists)]
    shown = (*legend.figures, *legend.known, *listed)
    return [[safe_text(name), safe_text(value)] for name, value in shown]


def hex_grounds(legend: Legend) -> dict[int, int]:
    """For every hex, the index of its ground in the `<defs>`."""
    return {index: int(ground_id(legend, cell)[1:]) for index, cell in enumerate(legend.cells)}


def _differences(shown: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """How each scene differs from the one before: hexes that differ; other changed values in full."""
    before: dict[str, Any] = {}
    for now in shown:
        changed = {
            name: _changed_hexes(before.get(name, {}), value) if isinstance(value, Mapping) else value
            for name, value in now.items()
            if value != before.get(name)
        }
        before = now
        yield changed


def _changed_hexes(before: Mapping[int, Any], now: Mapping[int, Any]) -> dict[int, Any]:
    """The hexes that differ; one that has become empty gets an empty list."""
    gone: dict[int, Any] = {index: [] for index in before if index not in now}
    return {**gone, **{index: value for index, value in now.items() if before.get(index) != value}}
