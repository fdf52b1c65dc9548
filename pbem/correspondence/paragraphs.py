"""Paragraphs of a letter, as plain text in 76 columns and as HTML for narrow screens."""

from __future__ import annotations

import html
from collections.abc import Iterable
from itertools import groupby

from msgspec import Struct

from pbem.mail.outgoing import content_id
from pbem.render.words import safe, wrap

COLUMNS = 76
"""The greatest width of a letter: mail programs neither wrap it nor make it too wide by quoting it once."""

_HEAD = '<html style="color-scheme:light dark">'
"""A program that knows how dark its screen is shows words so."""

_BLOCK_ENDS = "</div>", "</pre>"
"""The ends of what has lines of its own: what comes next begins on another."""


class Line(Struct, frozen=True):
    """A line that may be wrapped: how many blanks stand before it, and before what goes on below it.

    HTML has a square of the `colour` before it, such as `#c8d8a8`, where there is one.
    """

    text: str
    first: int = 0
    indent: int = 0
    colour: str = ""


class Picture(Struct, frozen=True):
    """A PNG, how many pixels wide it is shown, and what it is in words."""

    data: bytes
    width: int
    words: str


class Paragraph(Struct, frozen=True):
    """Lines that belong together; those of a `fixed` one stay as they are.

    HTML has the picture in their place, or else the lines `in_html`, if there are any.
    """

    lines: tuple[Line, ...]
    fixed: bool = False
    picture: Picture | None = None
    in_html: tuple[Line, ...] = ()


def said(*lines: str) -> Paragraph:
    """A paragraph of plain lines."""
    return Paragraph(tuple(map(Line, lines)))


def plain(paragraphs: Iterable[Paragraph]) -> str:
    """Plain text: every line has an end, and none is wider than COLUMNS."""
    return "\n\n".join("\n".join(map(_wrapped, one.lines)) for one in paragraphs) + "\n"


def as_html(paragraphs: Iterable[Paragraph]) -> str:
    """Paragraphs as HTML, which a narrow screen wraps as it likes; the first is bold.

    Text, and pictures that the mail brings; no link. Few tags, since a mail has little room.
    """
    first, *others = map(_as_html, paragraphs)
    told = "".join(one + ("<br>\n" if one.endswith(_BLOCK_ENDS) else "<br><br>\n") for one in others)
    return f"<!DOCTYPE html>\n{_HEAD}<body>\n<b>{first}</b><br><br>\n{told}</body></html>\n"


def picture(paragraphs: Iterable[Paragraph]) -> bytes:
    """The picture that goes along with the HTML; empty if there is none."""
    return next((one.picture.data for one in paragraphs if one.picture), b"")


def _wrapped(line: Line) -> str:
    return wrap(" " * line.first + safe(line.text), COLUMNS, line.indent)


def _as_html(one: Paragraph) -> str:
    if one.picture:
        source, wide, words = content_id(one.picture.data), one.picture.width, html.escape(one.picture.words)
        return f'<img src="cid:{source}" width="{wide}" style="max-width:100%" alt="{words}">'
    if one.fixed and not one.in_html:
        return "\n".join(['<pre style="overflow:auto">', *map(_escaped, one.lines), "</pre>"])
    steps = groupby(one.in_html or one.lines, lambda line: min(line.first // 2, 2))
    return "".join(_indented(step, lines) for step, lines in steps)


def _indented(step: int, lines: Iterable[Line]) -> str:
    """Lines that begin as far in as each other; what a narrow screen wraps of them does so too."""
    text = "<br>".join(_square(line.colour) + _escaped(line) for line in lines)
    return f'<div style="margin-left:{step}em">{text}</div>' if step else text


def _square(colour: str) -> str:
    return f'<span style="background:{colour}">&emsp;</span> ' if colour else ""


def _escaped(line: Line) -> str:
    return html.escape(safe(line.text), quote=False)
