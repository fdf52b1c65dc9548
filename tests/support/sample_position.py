"""A whole position as a game might return it: 9 by 5 hexes, twelve counters on the map, four off it."""

from __future__ import annotations

from pbem.core.legend import Cell, Legend, Margin, Piece

TERRAIN = (
    "..V.H....",
    "..H..ww..",
    ".wwC...w.",
    "...w..w..",
    ".....wH..",
)
"""Row by row; C city, V village, H hill, w woods."""

LABELS = {
    "1101": "Juvigny",
    "1301": "St-Barthelemy",
    "1302": "Hill 285",
    "1304": "Romagny",
    "1402": "Abbaye Blanche",
    "1403": "Mortain",
    "1501": "Hill 314",
    "1505": "Bion",
}

SUPPRESSED = ("1503", "1504", "1603", "1604", "1605", "1703", "1704")


def us(name: str, kind: str, factors: str, *, reduced: bool = False) -> Piece:
    return Piece(name, "us", kind, reduced, factors)


def german(name: str, kind: str, factors: str, *, reduced: bool = False) -> Piece:
    return Piece(name, "german", kind, reduced, factors)


PIECES = {
    "1103": (us("CCA", "tank", "4-4"), us("CCB", "tank", "4-4")),
    "1301": (us("117Inf", "infantry", "2-4"),),
    "1402": (us("SPTD", "tank", "4-2"),),
    "1403": (us("119Inf", "infantry", "1-2", reduced=True), us("823TD", "gun", "5-1")),
    "1501": (us("120Inf", "infantry", "2-4"),),
    "1503": (german("DF", "infantry", "2-2", reduced=True),),
    "1602": (german("37SS", "infantry", "2-3"), german("38SS", "infantry", "1-2", reduced=True)),
    "1604": (german("2SS-B", "tank", "6-3"),),
    "1704": (german("D", "infantry", "3-3"),),
    "1801": (
        german("2SS-A", "tank", "6-3"),
        german("17StuG", "tank", "3-2", reduced=True),
        german("Tiger102", "tank", "6-2"),
    ),
}


def _cell(column: int, row: int) -> Cell:
    number = f"{11 + column}{1 + row:02}"
    mark = "!" if number in SUPPRESSED else ""
    letter = TERRAIN[row][column]
    return Cell(number, column, row, letter, LABELS.get(number, ""), mark, PIECES.get(number, ()))


MORTAIN = Legend(
    columns=9,
    rows=5,
    cells=tuple(_cell(column, row) for column in range(9) for row in range(5)),
    terrain={
        ".": ("", "clear"),
        "w": ("woods", "woods: +1, blocks sight"),
        "V": ("vill", "village: +1, blocks sight"),
        "C": ("city", "city: +2, blocks sight"),
        "H": ("hill", "hill: +0, blocks sight, range 3"),
    },
    marks={"!": "suppressed: +1 on the card of an attack from here"},
    sides={"us": "US", "german": "German"},
    margins=(
        Margin("Wait off the west edge", (us("CCR", "tank", "3-3"),)),
        Margin("Wait off the east edge", ()),
    ),
    figures=(
        ("Turn", "3 of 6"),
        ("Cards left", "31"),
        ("Support", "used"),
        ("Exited", "0 of 5"),
        ("To move", "German, 8S: up to 4 units"),
    ),
    textures={"w": "^", "V": "#", "C": "#", "H": '"'},
    factors="against tanks - against infantry and guns",
    reduced="reduced face",
    briefly="reduced",
)
