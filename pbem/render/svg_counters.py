"""Counters as SVG, as wargamers expect them: name, branch, factors, on cardboard in the nation's colour.

    +-----------+
    |  115PzG   |   name; the second side's corners are cut, and its name is on a band
    |GE [ X ] A |   initials of the nation where a side has several; the branch; a tank's letter
    |    5-6    |   factors; a stripe across a reduced face
    +-----------+

Each face is drawn once, in the `<defs>`, and used for every such counter. The symbols of branches are our own
drawings of the signs that military maps have used for a century: a frame 32 by 22 around 0, 0, with the sign
of the branch inside. Aircraft and fortifications have no frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args

from pbem.core.legend import Branch, Legend, Piece
from pbem.render.ascii_map import kind_letter
from pbem.render.svg_map import draw_mark
from pbem.render.svg_style import counter_colour, css_class, escape, svg_text
from pbem.texts import Texts

tr = Texts("pbem")


_FRAME = '<path class="{fill} frame" d="M-16-11h32v22h-32z"/>'
_CROSS = "M-16-11 16 11M16-11-16 11"
_OVAL = "M-6-6h12a6 6 0 0 1 0 12h-12a6 6 0 0 1 0-12z"
_DOME = "M-16 11Q0-9 16 11"
_PEAK = "M-16 11 0-11 16 11"

BRANCH_LINES: dict[Branch, str] = {
    "infantry": _CROSS,
    "motorised": _CROSS + "M-9 15a3 3 0 1 0 0 .1M9 15a3 3 0 1 0 0 .1",
    "mechanised": _CROSS + _OVAL,
    "parachute": _CROSS + "M-8 8q4-6 8 0q4-6 8 0",
    "armour": _OVAL,
    "recon": "M-16 11 16-11",
    "engineer": "M-9 6v-11h18v11M0-5v8",
    "anti-tank": _PEAK,
    "anti-air": _DOME,
    "anti-air and anti-tank": _DOME + _PEAK,
    "supply": "M-16 5h32",
    "headquarters": "M-16 11v7M-16-5h32",
}
"""The strokes inside the frame, as SVG paths."""

BRANCH_SHAPES: dict[Branch, str] = {
    "artillery": "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "fighter": ("M0-16q3 3 3 9l14 7v4l-14-2-1 9 5 3v3l-7-2-7 2v-3l5-3-1-9-14 2v-4l14-7q0-6 3-9z"),
    "bomber": (
        "M0-16q4 3 4 10l5 1v-3h3v4l11 4v4l-19-1-1 8 7 3v3l-10-2-10 2v-3l7-3-1-8-19 1v-4l11-4v-4h3v3l5-1"
        "q0-7 4-10z"
    ),
    "fort": "M-16 11v-17h8v5h5v-5h6v5h5v-5h8v17z",
}
"""The filled shapes, as SVG paths."""

UNFRAMED_BRANCHES = ("fighter", "bomber", "fort")


def branch_named(kind: str) -> Branch | None:
    """The branch with exactly this name, or None."""
    branch: Branch
    for branch in get_args(Branch):
        if branch == kind:
            return branch
    return None


def branch_symbol(branch: Branch, fill: str, ink: str) -> str:
    """A branch's symbol around 0, 0; `fill` is the CSS class of the cardboard, `ink` that of the print."""
    framed = "" if branch in UNFRAMED_BRANCHES else _FRAME.format(fill=fill)
    lines = (
        f'<path class="{fill} thin" fill="none" d="{BRANCH_LINES[branch]}"/>'
        if branch in BRANCH_LINES
        else ""
    )
    solid = f'<path class="{ink}" d="{BRANCH_SHAPES[branch]}"/>' if branch in BRANCH_SHAPES else ""
    return framed + lines + solid


def letter_symbol(letter: str, fill: str, ink: str) -> str:
    """The symbol of a kind without a branch: its letter, already escaped, in the frame."""
    return f'{_FRAME.format(fill=fill)}<text class="{ink} name" font-size="14" y="5">{letter}</text>'


_SQUARE = "M-27-29h54q2 0 2 2v54q0 2-2 2h-54q-2 0-2-2v-54q0-2 2-2z"
_CUT_CORNERS = "M-21-29h42l8 8v42l-8 8h-42l-8-8v-42z"
_BAND = "M-21-29h42l8 8v5h-58v-5z"
_STRIPE = '<path class="{ink} stripe" d="{clip}"/>'
_SQUARE_STRIPE, _CUT_CORNERS_STRIPE = (
    "M-29 12v-14L14-29h15v6L-22 29h-7z",
    "M-29 12v-14L14-29h7l6 6L-22 28l-7-7z",
)


class Faces:
    """The distinct faces of the counters in a drawing, each with an id."""

    def __init__(self) -> None:
        self._ids: dict[Piece, str] = {}
        self._symbols: list[str] = []

    def face_id(self, legend: Legend, piece: Piece) -> str:
        """The id of a face, which is drawn on first use."""
        if piece not in self._ids:
            self._ids[piece] = f"f{len(self._ids)}"
            body = "".join(_draw_face(legend, piece))
            self._symbols.append(f'<g id="{self._ids[piece]}">{body}</g>')
        return self._ids[piece]

    def symbols(self, first: int = 0) -> str:
        """The faces from number `first` on, for the `<defs>` of the drawing."""
        return "\n".join(self._symbols[first:])


def describe_counter(legend: Legend, piece: Piece) -> str:
    """A counter in words, for screen readers, such as `PzIII-1, German tank, 7-7 A**, struck`."""
    whose = legend.groups.get(piece.group) or legend.sides[piece.side]
    parts = [piece.name, tr("{whose} {kind}", whose=whose, kind=legend.called(piece.kind)), piece.factors]
    parts += [legend.reduced] if piece.reduced else []
    parts += [legend.marks[sign] for sign in piece.marks if sign in legend.marks]
    return ", ".join(part for part in parts if part)


def kind_symbol(legend: Legend, kind: str, fill: str, ink: str) -> str:
    """The symbol of a kind: its branch in the legend, else the branch with its name, else its letter."""
    branch = legend.branches.get(kind) or branch_named(kind)
    if branch:
        return branch_symbol(branch, fill, ink)
    return letter_symbol(escape(kind_letter(legend, kind)), fill, ink)


def _draw_face(legend: Legend, piece: Piece) -> Iterator[str]:
    """The markup of one face."""
    fill = css_class(counter_colour(legend, piece.side, piece.group))
    ink = f"{fill}-ink"
    second = _is_second_side(legend, piece.side)
    stripe = (
        _STRIPE.format(ink=ink, clip=_CUT_CORNERS_STRIPE if second else _SQUARE_STRIPE)
        if piece.reduced
        else ""
    )
    yield blank_counter(legend, piece.side, fill, stripe)
    size = min(12, 80 // max(len(piece.name), 6))
    yield svg_text(0, -18, piece.name, f"{fill if second else ink} name", size=size)
    yield f'<g class="symbol">{kind_symbol(legend, piece.kind, fill, ink)}{_size_sign(piece.size, fill)}</g>'
    yield from _draw_labels(legend, piece, ink)
    yield from _draw_counter_marks(legend, piece.marks)


def _size_sign(size: str, fill: str) -> str:
    """The size of a unit as strokes above its symbol; nothing for a size without strokes."""
    strokes = "".join(
        f"M{x} -16v4" if sign == "I" else f"M{x - 2} -16l4 4m0-4l-4 4"
        for sign, x in zip(size, range(3 - 3 * len(size), 3 * len(size), 6), strict=True)
        if sign in "IX"
    )
    return f'<path class="{fill} thin" fill="none" d="{strokes}"/>' if strokes else ""


def blank_counter(legend: Legend, side: str, fill: str, stripe: str = "") -> str:
    """A side's counter without print; corners and band distinguish the sides even without colour."""
    outline = _CUT_CORNERS if _is_second_side(legend, side) else _SQUARE
    band = f'<path class="{fill}-ink" d="{_BAND}"/>' if _is_second_side(legend, side) else ""
    return f'<path class="{fill}" d="{outline}"/>{stripe}{band}<path class="rim" d="{outline}"/>'


def _is_second_side(legend: Legend, side: str) -> bool:
    return side != next(iter(legend.sides))


def _draw_labels(legend: Legend, piece: Piece, ink: str) -> Iterator[str]:
    """The nation's initials to the left of the symbol, the factors below it, their suffix to its right."""
    if len(legend.groups) > 1 and piece.group in legend.groups:
        name = _initials(legend.groups[piece.group])
        yield f'<g transform="translate(-19-2)rotate(-90)">{svg_text(0, 0, name, f"{ink} name", size=9)}</g>'
    figures, _, suffix = piece.factors.partition(" ")
    yield svg_text(0, 25, figures, f"{ink} factors", size=min(17, 85 // max(len(figures), 1)))
    capital, stars = suffix[:1], suffix[1:]
    if suffix:
        yield svg_text(22, -1, capital, f"{ink} name", size=10)
        yield svg_text(22, 10, stars, f"{ink} name", size=10 if len(stars) < 3 else 8)


def _initials(word: str) -> str:
    """`GE` for German, `FF` for Free French."""
    parts = word.split()
    return ("".join(part[0] for part in parts) if len(parts) > 1 else word[:2]).upper()


def _draw_counter_marks(legend: Legend, marks: Iterable[str]) -> Iterator[str]:
    """The marks at a counter's corners, clockwise from the north-east."""
    for (x, y), sign in zip(((24, -24), (24, 24), (-24, 24)), marks, strict=False):
        yield f'<g transform="translate({x} {y})">{draw_mark(legend, sign)}</g>'
