"""Text in a drawing: the only place where words become markup."""

from __future__ import annotations

from pbem.render.words import safe_text


def escape(words: str) -> str:
    """The text escaped for markup and for an attribute in double quotes, safe to print."""
    plain = safe_text(words)
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        plain = plain.replace(character, entity)
    return plain


def svg_text(x: int, y: int, words: str, style: str = "", size: int = 0) -> str:
    """A `<text>` at a point, with a class of the style sheet and, if wanted, its own font size."""
    if not words:
        return ""
    at = (f' x="{x}"' if x else "") + (f' y="{y}"' if y else "")
    as_ = (f' class="{style}"' if style else "") + (f' font-size="{size}"' if size else "")
    return f"<text{at}{as_}>{escape(words)}</text>"


def svg_use(name: str, x: int, y: int, size: float = 1.0, words: str = "") -> str:
    """A `<use>` of a drawing in the `<defs>` at a point, scaled if wanted, with a tooltip."""
    title = f"<title>{escape(words)}</title>" if words else ""
    place = f'x="{x}" y="{y}"' if size == 1.0 else f'transform="translate({x} {y})scale({size})"'
    return f'<use href="#{name}" {place}>{title}</use>' if title else f'<use href="#{name}" {place}/>'
