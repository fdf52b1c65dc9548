"""The small picture of a map for mails: read back by a few lines that know the format and not our code."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.core.legend import Cell, Legend
from pbem.render.png import HEX_PIXELS, glyph, map_png_key, map_png_width, map_to_png
from pbem.render.svg_style import CARDBOARD, LIGHT
from pbem.umpire.verify import open_game
from render.test_ascii_map_small import foot_piece, tank_piece, wide_map

EXAMPLES = Path(__file__).parents[2] / "examples"


def read(data: bytes) -> list[list[str]]:
    """The colours of a PNG with a palette and without filters, row by row."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = {}, 8
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        kind, inside = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size : at + 12 + size]) == (zlib.crc32(kind + inside),)
        chunks[kind] = inside
        at += 12 + size
    assert list(chunks) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    wide, high, depth, palette, *others = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (palette, others) == (3, [0, 0, 0])
    colours = [f"#{chunks[b'PLTE'][at : at + 3].hex()}" for at in range(0, len(chunks[b"PLTE"]), 3)]
    lines = zlib.decompress(chunks[b"IDAT"])
    stride = 1 + (wide * depth + 7) // 8
    assert len(lines) == stride * high
    rows = []
    for begin in range(0, len(lines), stride):
        assert lines[begin] == 0
        packed = lines[begin + 1 : begin + stride]
        inks = [ink for byte in packed for ink in ((byte >> 4, byte & 15) if depth == 4 else (byte,))]
        rows.append([colours[ink] for ink in inks[:wide]])
    return rows


def square(legend: Legend, number: str) -> list[str]:
    """The rows of a hex's pixels, each as its colours."""
    (cell,) = (cell for cell in legend.cells if cell.number == number)
    x = HEX_PIXELS * cell.column
    y = HEX_PIXELS * cell.row + (HEX_PIXELS // 2 if legend.lowered(cell.column) else 0)
    return [" ".join(row[x : x + HEX_PIXELS]) for row in read(map_to_png(legend))[y : y + HEX_PIXELS]]


def letters(rows: list[list[str]], x: int, y: int, size: int, ink: str) -> str:
    """The characters written at a place, four dots apart, read back by the shapes of all."""
    shapes = {glyph(character): character for character in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-+*"}
    found = ""
    while x + 3 * size <= len(rows[0]):
        dots = [[rows[y + size * row][x + size * column] == ink for column in range(3)] for row in range(5)]
        bits = tuple(sum(4 >> column for column in range(3) if row[column]) for row in dots)
        if bits not in shapes:
            break
        found += shapes[bits]
        x += 4 * size
    return found


def test_a_counter_has_the_colour_of_its_side_and_its_name() -> None:
    """Below the number of its hex; a long name in smaller letters."""
    stack = (tank_piece("7-MOT"), tank_piece("TIGER10"), tank_piece("CRUSADER-2"))
    legend = wide_map(h0101=Cell("0101", 0, 0, "open", "", "", stack))
    own = replace(legend, colours={"us": "black"})
    rows = [row.split() for row in square(own, "0101")]
    card, ink = CARDBOARD["black"]
    assert rows[1][1] == LIGHT["plain"]
    assert letters(rows, 4, 4, 2, LIGHT["ink"]) == "0101"
    for place, (size, name) in enumerate([(4, "7-MOT"), (3, "TIGER10"), (2, "CRUSADER-2")]):
        top = 17 + 26 * place
        assert {*rows[top][2:94], *rows[top + 23][2:94]} == {LIGHT["ink"]}, "a frame"
        assert {*rows[top + 1][3:93], *rows[top + 22][3:93]} == {card}
        assert letters(rows, 4, top + (24 - 5 * size) // 2, size, ink) == name


def test_a_reduced_counter_has_a_line_below_its_name() -> None:
    whole, reduced = tank_piece("A"), replace(tank_piece("B"), reduced=True)
    legend = wide_map(h0101=Cell("0101", 0, 0, "open", "", "", (whole, reduced)))
    rows = [row.split() for row in square(legend, "0101")]
    assert LIGHT["alarm"] not in rows[17 + 23]
    assert set(rows[17 + 26 + 23][2:94]) == {LIGHT["alarm"]}


def test_sides_without_a_colour_differ() -> None:
    one, two = (
        Cell("0101", 0, 0, "open", "", "", (tank_piece("A"),)),
        Cell("0201", 1, 0, "open", "", "", (foot_piece("B", "german"),)),
    )
    legend = wide_map(h0101=one, h0201=two)
    first, second = (square(legend, number)[18].split()[3] for number in ("0101", "0201"))
    assert {first, second} == {CARDBOARD["red"][0], CARDBOARD["blue"][0]}


def test_how_many_more_and_which_marks() -> None:
    legend = wide_map(h0101=Cell("0101", 0, 0, "open", "", "*", tuple(map(tank_piece, "ABCDE"))))
    rows = [row.split() for row in square(legend, "0101")]
    assert letters(rows, HEX_PIXELS - 20, 3, 2, LIGHT["alarm"]) == "*"
    assert letters(rows, 6, 17 + 2 * 26 + 4, 3, LIGHT["ink"]) == "+3"


def test_a_high_stack_at_the_edge_stays_on_the_sheet() -> None:
    stack = tuple(tank_piece(f"A{n}") for n in range(12))
    rows = read(map_to_png(wide_map(2, h0201=Cell("0201", 1, 0, "open", "", "", stack))))
    assert {len(row) for row in rows} == {2 * HEX_PIXELS}


def test_ground_that_looks_alike_has_its_sign() -> None:
    sea, mines = Cell("0101", 0, 0, "sea", "", "", ()), Cell("0301", 2, 0, "mines", "", "", ())
    legend = replace(
        wide_map(h0101=sea, h0301=mines), textures={"sea": "~", "mines": "#"}, scenery={"sea": "water"}
    )
    assert {row.split()[50] for row in square(legend, "0101")[1:]} == {LIGHT["water"]}
    alike = [row.split() for row in square(replace(legend, scenery={"sea": "plain"}), "0101")]
    assert any(LIGHT["ink"] in row[80:] for row in alike[70:])


@pytest.mark.parametrize("name", ["mortain-it-exits", "rommel-axis-wins"])
def test_every_counter_of_a_game(name: str) -> None:
    """In each hex with a counter there is some cardboard, and in no other; few bytes; the key tells all."""
    game = open_game((EXAMPLES / f"{name}.yaml").read_bytes())
    legend = game.rules.view.legend(game.replayed_entries[len(game.replayed_entries) // 2].state)
    data = map_to_png(legend)
    rows = read(data)
    assert len(rows[0]) == map_png_width(legend)
    assert len(data) < 30_000
    cards = {CARDBOARD[colour][0] for colour in (*legend.colours.values(), "red", "blue")}
    told = {colour for colour, _ in map_png_key(legend) if colour}
    assert all(
        " ".join(word for _, word in map_png_key(legend)).count(side) for side in legend.sides.values()
    )
    for cell in legend.cells:
        x = HEX_PIXELS * cell.column + 3
        y = HEX_PIXELS * cell.row + (HEX_PIXELS // 2 if legend.lowered(cell.column) else 0) + 18
        assert (rows[y][x] in cards) == bool(cell.pieces), cell.number
        assert rows[y][x] in told


def test_many_colours_take_a_byte_each() -> None:
    """A game may have more grounds and counters than the sixteen that fit into half a byte."""
    scenery = ("plain", "field", "desert", "woods", "village", "hill", "water", "depression")
    sides = ("black", "light green", "grey", "tan", "red", "blue")
    cells = tuple(
        Cell(f"{n + 1:02}01", n, 0, ground, "", "", (tank_piece(ground, side),) if side else ())
        for n, (ground, side) in enumerate(
            [*((one, "") for one in scenery), *(("plain", one) for one in sides)]
        )
    )
    legend = replace(
        wide_map(14),
        cells=cells,
        terrain={ground: ("", ground) for ground in scenery},
        sides={side: side for side in sides},
        colours={side: side for side in sides},
    )
    rows = read(map_to_png(legend))
    assert len({colour for row in rows for colour in row}) > 16
