"""Paragraphs of a letter, as plain text in 76 columns and as HTML for narrow screens."""

from __future__ import annotations

import html
from collections.abc import Iterable
from itertools import groupby

from msgspec import Struct

from pbem.mail.outgoing import content_id
from pbem.render.words import safe_text, wrap

COLUMNS = 76
"""The greatest width of a letter: mail programs do not wrap it, even quoted once."""

_HEAD = '<html style="color-scheme:light dark">'
"""Mail programs with a dark mode apply it to a page that declares this."""

_BLOCK_ENDS = "</div>", "</pre>"
"""The ends of block elements: what follows them starts on a new line anyway."""


class LetterLine(Struct, frozen=True):
    """A line that may be wrapped: its indentation, and that of the lines which continue it.

    In HTML a square of the `colour` stands before it, such as `#c8d8a8`, where there is one.
    """

    text: str
    first: int = 0
    indent: int = 0
    colour: str = ""


class Picture(Struct, frozen=True):
    """A PNG, how many pixels wide it is shown, and its description in words."""

    data: bytes
    width: int
    words: str


class Paragraph(Struct, frozen=True):
    """Lines that belong together; those of a `fixed` one are not wrapped in HTML.

    HTML has the picture in their place, or else the lines `in_html`, if there are any.
    """

    lines: tuple[LetterLine, ...]
    fixed: bool = False
    picture: Picture | None = None
    in_html: tuple[LetterLine, ...] = ()


def text_paragraph(*lines: str) -> Paragraph:
    """A paragraph of plain lines."""
    return Paragraph(tuple(map(LetterLine, lines)))


def as_plain_text(paragraphs: Iterable[Paragraph]) -> str:
    """Plain text: every line has an end, and none is wider than COLUMNS."""
    return "\n\n".join("\n".join(map(_wrap_line, paragraph.lines)) for paragraph in paragraphs) + "\n"


def as_html(paragraphs: Iterable[Paragraph]) -> str:
    """Paragraphs as HTML, which a narrow screen wraps as needed; the first is bold.

    Text, and pictures that the mail brings along; no links. Few tags, to keep the mail small.
    """
    first, *others = map(_paragraph_as_html, paragraphs)
    body = "".join(part + ("<br>\n" if part.endswith(_BLOCK_ENDS) else "<br><br>\n") for part in others)
    return f"<!DOCTYPE html>\n{_HEAD}<body>\n<b>{first}</b><br><br>\n{body}</body></html>\n"


def picture_of(paragraphs: Iterable[Paragraph]) -> bytes:
    """The PNG that the HTML refers to; empty if there is none."""
    return next((paragraph.picture.data for paragraph in paragraphs if paragraph.picture), b"")


def _wrap_line(line: LetterLine) -> str:
    return wrap(" " * line.first + safe_text(line.text), COLUMNS, line.indent)


def _paragraph_as_html(paragraph: Paragraph) -> str:
    if paragraph.picture:
        source, wide, words = (
            content_id(paragraph.picture.data),
            paragraph.picture.width,
            html.escape(paragraph.picture.words),
        )
        return f'<img src="cid:{source}" width="{wide}" style="max-width:100%" alt="{words}">'
    if paragraph.fixed and not paragraph.in_html:
        return "\n".join(['<pre style="overflow:auto">', *map(_escape, paragraph.lines), "</pre>"])
    steps = groupby(paragraph.in_html or paragraph.lines, lambda line: min(line.first // 2, 2))
    return "".join(_indent_html(step, lines) for step, lines in steps)


def _indent_html(step: int, lines: Iterable[LetterLine]) -> str:
    """Lines of the same indentation, which a narrow screen keeps where it wraps them."""
    text = "<br>".join(_square(line.colour) + _escape(line) for line in lines)
    return f'<div style="margin-left:{step}em">{text}</div>' if step else text


def _square(colour: str) -> str:
    return f'<span style="background:{colour}">&emsp;</span> ' if colour else ""


def _escape(line: LetterLine) -> str:
    return html.escape(safe_text(line.text), quote=False)
