"""A drawing converted to PNG by resvg, which the extra `picture` installs."""

from __future__ import annotations

from pbem.errors import PbemError
from pbem.render.colours import resolve_colours
from pbem.texts import Texts

tr = Texts("pbem")

FONT_FAMILIES = ("Arial", "Helvetica", "Liberation Sans", "DejaVu Sans", "Noto Sans", "Segoe UI")
"""Font families to try, by name: every usual computer has one of them."""

_FONT_PROBE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    '<text y="9" font-size="9" font-family="{}">{}</text></svg>'
)


def svg_to_png(svg: str, width: int) -> bytes:
    """The drawing in its light colours, `width` pixels wide.

    Raises `PbemError` if resvg is not installed, or finds no font: it would leave out every word.
    """
    try:
        from resvg_py import svg_to_bytes  # here, because it is an extra
    except ImportError:
        hint = tr(
            "in the folder of pbem: {pip} (or {pipx}); or write a .svg file",
            pip="pip install '.[picture]'",
            pipx="pipx inject pbem resvg-py",
        )
        raise PbemError(tr("a PNG needs the package resvg-py, which is not installed"), hint=hint) from None
    for family in FONT_FAMILIES:
        if svg_to_bytes(svg_string=_FONT_PROBE.format(family, "M")) != svg_to_bytes(
            svg_string=_FONT_PROBE.format(family, "")
        ):
            return bytes(svg_to_bytes(svg_string=resolve_colours(svg), width=width, sans_serif_family=family))
    fonts = ", ".join(FONT_FAMILIES)
    problem = tr("a PNG cannot show text here: none of the fonts {fonts} is installed", fonts=fonts)
    raise PbemError(problem, hint=tr("install one of them, or write a .svg file"))
