"""A drawing as a PNG, by resvg, which the extra `picture` brings."""

from __future__ import annotations

from pbem.errors import PbemError
from pbem.render.colours import resolved

FAMILIES = ("Arial", "Helvetica", "Liberation Sans", "DejaVu Sans", "Noto Sans", "Segoe UI")
"""Fonts of which a computer has one at least; resvg takes them by name."""

HINT = "in the folder of pbem: pip install '.[picture]' (or pipx inject pbem resvg-py); or write a .svg file"

_LETTER = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    '<text y="9" font-size="9" font-family="{}">{}</text></svg>'
)


def png(svg: str, width: int) -> bytes:
    """The drawing in the colours of paper, so many pixels wide.

    Raises `PbemError` where resvg is not there, or finds no font: it would leave out every word.
    """
    try:
        from resvg_py import svg_to_bytes  # here, because it is an extra
    except ImportError:
        problem = "a PNG needs the package resvg-py, which is not installed"
        raise PbemError(problem, hint=HINT) from None
    for family in FAMILIES:
        if svg_to_bytes(svg_string=_LETTER.format(family, "M")) != svg_to_bytes(
            svg_string=_LETTER.format(family, "")
        ):
            return bytes(svg_to_bytes(svg_string=resolved(svg), width=width, sans_serif_family=family))
    problem = f"found none of the fonts {', '.join(FAMILIES)}, without which a PNG has no words"
    raise PbemError(problem, hint="install one of them, or write a .svg file")
