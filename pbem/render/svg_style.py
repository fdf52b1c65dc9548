"""The elements and colours of a drawing: text as markup, and the style sheet for screens and paper.

Text becomes markup only here, through `escape`. All colours of the map are custom properties, so that one
drawing serves a light and a dark screen; counters are cardboard, the same on both.
"""

from __future__ import annotations

import re
from functools import cache

from pbem.core.legend import Colour, Legend
from pbem.render.safe_text import safe_text


def escape(words: str) -> str:
    """The text escaped for markup or for an attribute in double quotes, and safe to print."""
    plain = safe_text(words)
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        plain = plain.replace(character, entity)
    return plain


def svg_text(x: int, y: int, words: str, style: str = "", size: int = 0) -> str:
    """A `<text>` at a point, with a class of the style sheet and optionally a font size."""
    if not words:
        return ""
    at = (f' x="{x}"' if x else "") + (f' y="{y}"' if y else "")
    as_ = (f' class="{style}"' if style else "") + (f' font-size="{size}"' if size else "")
    return f"<text{at}{as_}>{escape(words)}</text>"


def svg_use(name: str, x: int, y: int, size: float = 1.0, words: str = "") -> str:
    """A `<use>` of a drawing in the `<defs>` at a point, optionally scaled and with a tooltip."""
    title = f"<title>{escape(words)}</title>" if words else ""
    place = f'x="{x}" y="{y}"' if size == 1.0 else f'transform="translate({x} {y})scale({size})"'
    return f'<use href="#{name}" {place}>{title}</use>' if title else f'<use href="#{name}" {place}/>'


LIGHT = {
    "paper": "#fbfaf5",
    "ink": "#1c1d1a",
    "faint": "#4f5149",
    "line": "#a39d88",
    "plain": "#f0ecdc",
    "field": "#e2e8c8",
    "desert": "#f3e3bb",
    "dots": "#d3bd86",
    "woods": "#c6d9a8",
    "tree": "#5b8a4b",
    "edge": "#3a5f31",
    "built": "#e6ddcb",
    "house": "#7a4b3a",
    "hill": "#e3cf9f",
    "contour": "#9c6b30",
    "water": "#bcd9ea",
    "wave": "#6fa3c4",
    "low": "#ddc9a9",
    "hatch": "#a08258",
    "mine": "#4a3a2a",
    "road": "#fffdf4",
    "kerb": "#8c4a2f",
    "lit": "#f5b800",
    "lit-edge": "#8a5200",
    "first-side": "#7a1fa2",
    "second-side": "#0b5cad",
    "alarm": "#b3261e",
    "rim": "#111111",
}
"""The colours on paper and on a light screen.

`lit` is for hexes and units with something to order; each side's colour is for what it did or would do;
`alarm` is for hits and losses.
"""

DARK = {
    "paper": "#16181a",
    "ink": "#ecebe4",
    "faint": "#b4b6ad",
    "line": "#5d5e57",
    "plain": "#2c2d29",
    "field": "#2b3426",
    "desert": "#463c27",
    "dots": "#6d5d3a",
    "woods": "#26391f",
    "tree": "#4f7f41",
    "edge": "#8fbf7a",
    "built": "#3b352d",
    "house": "#c08a72",
    "hill": "#4b3d22",
    "contour": "#c49a5c",
    "water": "#173447",
    "wave": "#3f7798",
    "low": "#38301f",
    "hatch": "#7d6a48",
    "mine": "#d9c7a8",
    "road": "#8f8a7a",
    "kerb": "#1b1a17",
    "lit": "#ffd24a",
    "lit-edge": "#ffd24a",
    "first-side": "#e0a3ff",
    "second-side": "#7fc4ff",
    "alarm": "#ff8a80",
    "rim": "#85877c",
}

CARDBOARD: dict[Colour, tuple[str, str]] = {
    "light green": ("#b4d391", "#14230b"),
    "dark green": ("#3d6a3f", "#ffffff"),
    "black": ("#2b2d31", "#ffffff"),
    "grey": ("#9aa39e", "#10130f"),
    "tan": ("#d3b385", "#2a1c0a"),
    "red": ("#a3392f", "#ffffff"),
    "blue": ("#27457f", "#ffffff"),
    "light blue": ("#abd3ee", "#0a2233"),
    "white": ("#f6f3e9", "#1c1d1a"),
}
"""For each colour of a counter, that of its cardboard and of the ink on it."""

SPARE_COLOURS: tuple[Colour, ...] = ("light blue", "tan", "light green", "grey")
"""The colours of sides without one in the legend."""

_CSS_RULES = """
text{font-family:Arial,Helvetica,"Liberation Sans","DejaVu Sans",sans-serif;text-anchor:middle}
text{fill:var(--ink)}
.hex{stroke:var(--line);stroke-width:1}
.number{font-size:11px;fill:var(--faint)}
.label{font-size:11px;font-weight:bold;paint-order:stroke;stroke:var(--paper);stroke-width:3px;
stroke-linejoin:round;stroke-opacity:.75}
.tree{fill:var(--tree);stroke:var(--edge);stroke-width:1}
.house{fill:var(--house)}
.contour{fill:none;stroke:var(--contour);stroke-width:1.5}
.hatch{fill:none;stroke:var(--hatch);stroke-width:1.5}
.wave{fill:none;stroke:var(--wave);stroke-width:1.5}
.dots{fill:var(--dots)}
.mine{fill:var(--mine);stroke:var(--mine);stroke-width:1.5}
.texture{font-size:16px;fill:var(--faint)}
.kerb{fill:none;stroke:var(--kerb);stroke-width:9;stroke-linecap:round}
.road{fill:none;stroke:var(--road);stroke-width:5;stroke-linecap:round}
.border{fill:none;stroke:var(--ink);stroke-width:4;stroke-dasharray:14 8;stroke-opacity:.55}
.sign{fill:var(--paper);stroke:var(--ink);stroke-width:2;stroke-linejoin:round}
.star{fill:var(--lit)}
.crossed{fill:none;stroke:#fff;stroke-width:3}
.signed{fill:var(--ink);stroke:none}
.rampart{fill:none;stroke:var(--ink);stroke-width:4}
.alarm{fill:var(--alarm);stroke:none}
.fire{fill:none;stroke:var(--alarm);stroke-width:2.5}
.reach{fill:var(--lit);stroke:var(--ink);stroke-width:1}
.reached{font-weight:bold;fill:#1c1d1a}
.box{fill:none;stroke:var(--faint);stroke-width:1.5}
.here{fill:var(--ink);stroke:var(--ink);stroke-width:1.5}
.within{fill:var(--paper)}
.title{font-size:26px;font-weight:bold;text-anchor:start}
.head{font-size:17px;font-weight:bold;text-anchor:start}
.words{font-size:17px;text-anchor:start}
.small{font-size:14px}
.name{font-weight:bold}
.factors{font-weight:bold}
.frame{stroke-width:2}
.thin{stroke-width:2;fill:none}
.rim{fill:none;stroke:var(--rim);stroke-width:2}
.stripe{fill-opacity:.3;stroke-opacity:.7}
""".replace("\nstroke-linejoin", "stroke-linejoin")


@cache
def style_sheet() -> str:
    """The style sheet of all drawings, which loads nothing."""
    dark = f"{{svg{{{_properties(DARK)}}}}}"
    cards = "".join(
        f".{css_class(name)}{{fill:{fill};stroke:{ink}}}.{css_class(name)}-ink{{fill:{ink};stroke:{ink}}}"
        f"text.{css_class(name)}-ink{{stroke:none}}text.{css_class(name)}{{fill:{fill};stroke:none}}"
        for name, (fill, ink) in CARDBOARD.items()
    )
    light = f"svg{{{_properties(LIGHT)}}}"
    return f"{light}\n@media screen and (prefers-color-scheme:dark){dark}\n{cards}{_CSS_RULES}"


def css_class(colour: Colour) -> str:
    """The CSS class for a counter's colour; with `-ink` appended, that for the print on it."""
    return "c-" + colour.replace(" ", "-")


def counter_colour(legend: Legend, side: str, group: str = "") -> Colour:
    """The colour of a group's counters, or else of its side's."""
    spare = SPARE_COLOURS[list(legend.sides).index(side) % len(SPARE_COLOURS)]
    return legend.colours.get(group) or legend.colours.get(side) or spare


def resolve_colours(svg: str) -> str:
    """The drawing with the light colours filled in, for programs without support for custom properties."""
    plain = re.sub(r"svg\{--[^}]*\}\n@media screen[^{]*\{svg\{[^}]*\}\}", "", svg, count=1)
    return re.sub(r"var\(--([\w-]+)\)", lambda variable: LIGHT[variable[1]], plain)


def _properties(colours: dict[str, str]) -> str:
    return ";".join(f"--{name}:{value}" for name, value in colours.items())
