"""Paragraphs of a letter, as plain text in 76 columns and as HTML for narrow screens."""

from __future__ import annotations

import html
from collections.abc import Iterable

from msgspec import Struct

from pbem.render.words import safe, wrap

COLUMNS = 76
"""How wide a letter is at most: what mail programs neither wrap nor make wider by quoting it once."""


class Line(Struct, frozen=True):
    """A line that may be wrapped: how many blanks stand before it, and before what goes on below it."""

    text: str
    first: int = 0
    indent: int = 0


class Paragraph(Struct, frozen=True):
    """Lines that belong together; those of a `fixed` one, a map, stay as they are."""

    lines: tuple[Line, ...]
    fixed: bool = False


def said(*lines: str) -> Paragraph:
    """A paragraph of plain lines."""
    return Paragraph(tuple(map(Line, lines)))


def plain(paragraphs: Iterable[Paragraph]) -> str:
    """Plain text: every line has an end, and none is wider than COLUMNS."""
    return "\n\n".join("\n".join(map(_wrapped, one.lines)) for one in paragraphs) + "\n"


def as_html(paragraphs: Iterable[Paragraph]) -> str:
    """The same as HTML, the first paragraph bold, with nothing in it but text: no link, picture or script."""
    first, *others = map(_as_html, paragraphs)
    stands_out = f'<div style="font-weight:bold">{first}</div>'
    return f"<!DOCTYPE html>\n<html><body>\n{stands_out}{''.join(others)}</body></html>\n"


def _wrapped(line: Line) -> str:
    return wrap(" " * line.first + safe(line.text), COLUMNS, line.indent)


def _as_html(one: Paragraph) -> str:
    if one.fixed:
        text = "\n".join(html.escape(safe(line.text), quote=False) for line in one.lines)
        return f'<pre style="line-height:1.1;overflow:auto">\n{text}\n</pre>\n'
    lines = ("&emsp;" * (line.first // 2) + html.escape(safe(line.text), quote=False) for line in one.lines)
    return f"<p>{'<br>'.join(lines)}</p>\n"
