"""The symbols of branches, as wargamers know them: infantry, armour, guns and aircraft.

The military symbols in use for a century, in drawings of our own: a frame 32 by 22 around 0, 0, and in it the
sign of the branch. Aircraft and fortifications have no frame.
"""

from __future__ import annotations

from typing import get_args

from pbem.core.legend import Branch

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
"""The strokes within the frame."""

BRANCH_SHAPES: dict[Branch, str] = {
    "artillery": "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "fighter": ("M0-16q3 3 3 9l14 7v4l-14-2-1 9 5 3v3l-7-2-7 2v-3l5-3-1-9-14 2v-4l14-7q0-6 3-9z"),
    "bomber": (
        "M0-16q4 3 4 10l5 1v-3h3v4l11 4v4l-19-1-1 8 7 3v3l-10-2-10 2v-3l7-3-1-8-19 1v-4l11-4v-4h3v3l5-1"
        "q0-7 4-10z"
    ),
    "fort": "M-16 11v-17h8v5h5v-5h6v5h5v-5h8v17z",
}
"""The filled shapes."""

UNFRAMED_BRANCHES = ("fighter", "bomber", "fort")


def branch_named(kind: str) -> Branch | None:
    """The branch with exactly this name, if there is one."""
    branch: Branch
    for branch in get_args(Branch):
        if branch == kind:
            return branch
    return None


def branch_symbol(branch: Branch, fill: str, ink: str) -> str:
    """The symbol around 0, 0; `fill` is the CSS class of the cardboard, `ink` that of the print on it."""
    framed = "" if branch in UNFRAMED_BRANCHES else _FRAME.format(fill=fill)
    lines = (
        f'<path class="{fill} thin" fill="none" d="{BRANCH_LINES[branch]}"/>'
        if branch in BRANCH_LINES
        else ""
    )
    solid = f'<path class="{ink}" d="{BRANCH_SHAPES[branch]}"/>' if branch in BRANCH_SHAPES else ""
    return framed + lines + solid


def letter_symbol(letter: str, fill: str, ink: str) -> str:
    """The symbol of a kind without a branch: its letter in the frame. `letter` is escaped already."""
    return f'{_FRAME.format(fill=fill)}<text class="{ink} name" font-size="14" y="5">{letter}</text>'
