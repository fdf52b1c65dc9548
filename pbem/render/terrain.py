"""The drawings of a hex's ground and of its marks: flat shapes with a class of the style sheet.

All are drawn around 0, 0. A hex has its number at the top and its name at the bottom, and a counter covers
the middle: so the shapes that distinguish one ground from another stand at the sides too.
"""

from __future__ import annotations

from pbem.core.legend import Scenery, Sign
from pbem.render.layout import Point


def _discs(style: str, *discs: tuple[int, int, int]) -> str:
    return "".join(f'<circle class="{style}" cx="{x}" cy="{y}" r="{r}"/>' for x, y, r in discs)


def _blocks(*blocks: tuple[int, int, int, int]) -> str:
    d = "".join(f"M{x} {y}h{w}v{h}h-{w}z" for x, y, w, h in blocks)
    return f'<path class="house" d="{d}"/>'


def _mines(*places: Point) -> str:
    d = "".join(f"M{x - 6} {y}h12M{x} {y - 6}v12M{x - 4} {y - 4}l8 8M{x - 4} {y + 4}l8-8" for x, y in places)
    return f'<path class="mine" d="{d}"/>' + _discs("mine", *((x, y, 3) for x, y in places))


_TREES = (
    (-35, -8, 7), (-24, -24, 7), (22, -25, 7), (36, -9, 8), (-38, 6, 6), (37, 9, 7),
    (-28, 22, 8), (28, 22, 8), (-13, 30, 7), (13, 31, 7),
    (-9, -14, 8), (11, -9, 8), (-17, 4, 8), (2, 9, 8), (19, 8, 7),
)  # fmt: skip
_HAMLET = (
    (-36, -10, 10, 7), (-30, 12, 8, 9), (26, -14, 8, 9), (28, 12, 9, 7),
    (-6, -10, 9, 7), (4, 6, 8, 8),
)  # fmt: skip
_TOWN = (
    (-40, -8, 8, 14), (-30, -24, 12, 8), (-30, -12, 8, 10), (-31, 8, 10, 8), (-24, 24, 12, 8),
    (-14, -14, 12, 8), (-16, 0, 9, 12), (-4, -2, 10, 7), (-4, 10, 8, 8), (4, -16, 10, 9), (12, 0, 8, 12),
    (16, -26, 10, 8), (26, -14, 9, 10), (26, 2, 12, 7), (24, 14, 8, 10), (10, 26, 12, 7),
)  # fmt: skip

_SAND = ((-30, -14, 2), (-12, 26, 2), (18, -22, 2), (33, 8, 2), (4, 4, 2), (-24, 18, 1), (28, 24, 1))
_BELT = ((-36, 0), (36, 0), (-21, -20), (21, -20), (-21, 21), (21, 21), (0, -6), (0, 9))
_LANE = ((-36, 0), (36, 0))

_HEIGHTS = (
    "M-40-2Q-34-30-6-30T38-8Q40 26 6 31T-40-2z"
    "M-30-2Q-24-22-4-22T28-6Q28 18 4 22T-30-2z"
    "M-18-2Q-14-13-2-13T16-4Q16 9 2 12T-18-2z"
)
_WAVES = "M-30-16q5-6 10 0t10 0 10 0M8-2q5-6 10 0t10 0M-34 8q5-6 10 0t10 0M-8 26q5-6 10 0t10 0 10 0"
_SLOPES = "M-34-12l-4 10M-20-26l-4 10M-8-8l-4 10M18-26l-4 10M32-12l-4 10M8 6l-4 10M-24 10l-4 10M26 12l-4 10"
_ARROW = "M-14-34v68M14-34v68M0 26v-48l-7 9M0-22l7 9"

GROUND: dict[Scenery, tuple[str, str]] = {
    "plain": ("plain", ""),
    "field": ("field", ""),
    "desert": ("desert", _discs("dots", *_SAND)),
    "woods": ("woods", _discs("tree", *_TREES)),
    "village": ("built", _blocks(*_HAMLET)),
    "city": ("built", _blocks(*_TOWN)),
    "hill": ("hill", f'<path class="contour" d="{_HEIGHTS}"/>'),
    "water": ("water", f'<path class="wave" d="{_WAVES}"/>'),
    "depression": ("low", f'<path class="hatch" d="{_SLOPES}"/>'),
    "mines": ("desert", _mines(*_BELT)),
    "cleared": ("desert", f'{_mines(*_LANE)}<path class="hatch" d="{_ARROW}"/>'),
}
"""The colour of each kind of scenery, and the shapes on it."""

_STAR = "M0-10 2.9-3.1 10.4-2.6 4.6 2.2 6.5 9.4 0 5.4-6.5 9.4-4.6 2.2-10.4-2.6-2.9-3.1z"
_PLANE = "M0-8q2 1 1 5l6 3v2l-6-1v4l2 2h-6l2-2v-4l-6 1v-2l6-3q-1-4 1-5z"
_RAMPART = "M-36-15v-21h21M15-36h21v21M36 15v21h-21M-15 36h-21v-21"

SIGNS: dict[Sign, str] = {
    "star": f'<path class="sign star" d="{_STAR}"/>',
    "village": '<path class="sign" d="M-9 8v-10l9-8 9 8v10z"/><path class="signed" d="M-2 8v-7h4v7z"/>',
    "airfield": f'<circle class="sign" r="9"/><path class="signed" d="{_PLANE}"/>',
    "fort": f'<path class="rampart" d="{_RAMPART}"/>',
    "no supply": '<circle class="alarm" r="9"/><path class="crossed" d="M-4-4 4 4M4-4-4 4"/>',
    "under fire": '<path class="fire" d="M-8-8 8 8M8-8-8 8M0-11v22M-11 0h22"/>',
}
"""The shapes of marks, 20 wide; the ramparts of a fort surround the counter in it."""
