"""Paragraphs of a letter, as plain text in 76 columns and as HTML for narrow screens."""

from __future__ import annotations

import html
from collections.abc import Iterable
from operator import add

from msgspec import Struct

from pbem.mail.outgoing import content_id
from pbem.render.words import safe, wrap

COLUMNS = 76
"""How wide a letter is at most: what mail programs neither wrap nor make wider by quoting it once."""

_HEAD = '<html style="color-scheme:light dark">'
"""A program that knows how dark its screen is shows words so."""


class Line(Struct, frozen=True):
    """A line that may be wrapped: how many blanks stand before it, and before what goes on below it."""

    text: str
    first: int = 0
    indent: int = 0


class Picture(Struct, frozen=True):
    """A PNG, how many pixels wide it is shown, and what it is in words."""

    data: bytes
    width: int
    words: str


class Paragraph(Struct, frozen=True):
    """Lines that belong together; those of a `fixed` one stay as they are.

    HTML has the picture in their place, if there is one.
    """

    lines: tuple[Line, ...]
    fixed: bool = False
    picture: Picture | None = None


def said(*lines: str) -> Paragraph:
    """A paragraph of plain lines."""
    return Paragraph(tuple(map(Line, lines)))


def plain(paragraphs: Iterable[Paragraph]) -> str:
    """Plain text: every line has an end, and none is wider than COLUMNS."""
    return "\n\n".join("\n".join(map(_wrapped, one.lines)) for one in paragraphs) + "\n"


def as_html(paragraphs: Iterable[Paragraph]) -> str:
    """Paragraphs as HTML, which a narrow screen wraps as it likes; the first is bold.

    Text, and pictures that the mail brings; no link.
    """
    first, *others = map(_as_html, paragraphs)
    return f"<!DOCTYPE html>\n{_HEAD}<body>\n<b>{first}</b>{''.join(others)}</body></html>\n"


def picture(paragraphs: Iterable[Paragraph]) -> bytes:
    """The picture that goes along with the HTML; empty if there is none."""
    return next((one.picture.data for one in paragraphs if one.picture), b"")


def _wrapped(line: Line) -> str:
    return wrap(" " * line.first + safe(line.text), COLUMNS, line.indent)


def _as_html(one: Paragraph) -> str:
    if one.picture:
        source, wide, words = content_id(one.picture.data), one.picture.width, html.escape(one.picture.words)
        return f'<img src="cid:{source}" width="{wide}" style="max-width:100%" alt="{words}">\n'
    texts = [html.escape(safe(line.text), quote=False) for line in one.lines]
    if one.fixed:
        return "\n".join(['<pre style="overflow:auto">', *texts, "</pre>\n"])
    blanks = ("&emsp;" * min(line.first // 2, 2) for line in one.lines)
    return f"<p>{'<br>'.join(map(add, blanks, texts))}</p>\n"
