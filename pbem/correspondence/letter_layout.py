"""The layout of a letter: paragraphs as plain text in 76 columns and as HTML, and the map.

A small map is drawn whole, and of a large one the part where things happen.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.legend import Legend
from pbem.correspondence.outbox import entries_by_mail
from pbem.mail.outgoing import content_id
from pbem.render import ascii_map
from pbem.render.ascii_map import (
    changed_hexes,
    crop_block,
    hexes_in_contact,
)
from pbem.render.ascii_picture import (
    UNWRAPPED_WIDTH,
    list_by_kind,
    list_by_side,
    list_tables,
    small_picture_parts,
    summarise_margins,
)
from pbem.render.png import map_png_key as key_of
from pbem.render.png import map_png_width, map_to_png
from pbem.render.safe_text import columns, safe_text, wrap
from pbem.render.screen import mentioned_hexes
from pbem.texts import Texts
from pbem.umpire.game_facts import file_name
from pbem.umpire.game_state import Game, GameState

tr = Texts("pbem")


COLUMNS = 76
"""The greatest width of a letter: mail programs do not wrap it, even quoted once."""

_HEAD = '<html style="color-scheme:light dark">'
"""Mail programs with a dark mode apply it to a page that declares this."""

_BLOCK_ENDS = "</div>", "</pre>", "</table>"
"""The ends of block elements, after which text starts on a new line anyway."""


class LetterLine(Struct, frozen=True):
    """A line that can be wrapped: its indentation, and that of its continuation lines.

    With a `colour`, such as `#c8d8a8`, a square of it comes before the line in HTML.
    """

    text: str
    first: int = 0
    indent: int = 0
    colour: str = ""


class Picture(Struct, frozen=True):
    """A PNG, its displayed width in pixels, and its description in words."""

    data: bytes
    width: int
    words: str


class Paragraph(Struct, frozen=True):
    """Lines that belong together; those of a `fixed` paragraph are not wrapped in HTML.

    In HTML the picture replaces the lines, or the rows of a table, or the lines `in_html`, if there are any.
    """

    lines: tuple[LetterLine, ...]
    fixed: bool = False
    picture: Picture | None = None
    in_html: tuple[LetterLine, ...] = ()
    rows: tuple[tuple[str, str, str], ...] = ()


def table_paragraph(title: str, rows: Sequence[tuple[str, str, str]]) -> Paragraph:
    """A table of three columns under a title, aligned in plain text; the last column can be wrapped."""
    first, second = (max(columns(row[n]) for row in rows) for n in range(2))
    lines = [
        f"{' ' * (first - columns(one))}{one}  {other}{' ' * (second - columns(other))}  {words}"
        for one, other, words in rows
    ]
    words = [LetterLine(line, 2, 6 + first + second) for line in lines]
    return Paragraph((LetterLine(title), *words), rows=tuple(rows))


def text_paragraph(*lines: str) -> Paragraph:
    """A paragraph of plain lines."""
    return Paragraph(tuple(map(LetterLine, lines)))


def as_plain_text(paragraphs: Iterable[Paragraph]) -> str:
    """Paragraphs as plain text: every line has an end, and none is wider than COLUMNS."""
    return "\n\n".join("\n".join(map(_wrap_line, paragraph.lines)) for paragraph in paragraphs) + "\n"


def as_html(paragraphs: Iterable[Paragraph]) -> str:
    """Paragraphs as HTML, which a narrow screen wraps as needed; the first is bold.

    It has text, and pictures that the mail contains; no links. It uses few tags, to keep the mail small.
    """
    first, *others = map(_paragraph_as_html, paragraphs)
    body = "".join(part + ("<br>\n" if part.endswith(_BLOCK_ENDS) else "<br><br>\n") for part in others)
    return f"<!DOCTYPE html>\n{_HEAD}<body>\n<b>{first}</b><br><br>\n{body}</body></html>\n"


def picture_of(paragraphs: Iterable[Paragraph]) -> bytes:
    """The PNG the HTML refers to; empty if there is none."""
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
    if paragraph.rows:
        return f"{_escape(paragraph.lines[0])}<table>{''.join(map(_row_as_html, paragraph.rows))}</table>"
    if paragraph.fixed and not paragraph.in_html:
        return "\n".join(['<pre style="overflow:auto">', *map(_escape, paragraph.lines), "</pre>"])
    steps = groupby(paragraph.in_html or paragraph.lines, lambda line: min(line.first // 2, 2))
    return "".join(_indent_html(step, lines) for step, lines in steps)


def _row_as_html(cells: tuple[str, ...]) -> str:
    """A row of a table, the first cell bold; a telephone wraps the others."""
    first, *others = (html.escape(safe_text(cell), quote=False) for cell in cells)
    rest = "".join(f"<td>{cell}</td>" for cell in others)
    return f'<tr valign="top"><td align="right"><b>{first}</b></td>{rest}</tr>'


def _indent_html(step: int, lines: Iterable[LetterLine]) -> str:
    """Lines of the same indentation, which a narrow screen keeps when it wraps them."""
    text = "<br>".join(_square(line.colour) + _escape(line) for line in lines)
    return f'<div style="margin-left:{step}em">{text}</div>' if step else text


def _square(colour: str) -> str:
    return f'<span style="background:{colour};border:1px solid #888">&emsp;</span> ' if colour else ""


def _escape(line: LetterLine) -> str:
    return html.escape(safe_text(line.text), quote=False)


LARGE_COLUMNS, LARGE_ROWS = 10, 8
"""The most columns and rows of a large map in a letter; a telephone has no room for more legible hexes."""

_SHARPNESS = 2
"""Pixels of the picture per pixel of the page: telephones have two or three."""


def map_paragraphs(game: Game, table: GameState) -> Iterator[Paragraph]:
    """The map in small hexes, in HTML as a picture, with its key and a list of all counters.

    Of a large map, the part where something happened, or where the reader can act.
    """
    legend, file = game.rules.view.legend(table.run.state), file_name(game)
    if not legend.cells:
        yield _flowing_paragraph(
            "\n".join([_figures_of(legend), *list_tables(legend, UNWRAPPED_WIDTH)]), " | "
        )
        return
    shown = legend
    if not ascii_map.large_map_fits(legend):
        worths = _hex_weights(game, table, legend)
        shown = crop_block(legend, *ascii_map.busiest_block(legend, worths, LARGE_COLUMNS, LARGE_ROWS))
    figures, chart, key, _ = small_picture_parts(shown)
    counters = "\n".join([*list_by_kind(legend).lines(False), *summarise_margins(legend)])
    yield _flowing_paragraph(figures, " | ")
    yield _fixed_paragraph(chart, _map_picture(shown))
    if shown is not legend:
        yield text_paragraph(tr("A part of the map. All of it: pbem show {file}", file=file))
    yield replace(_flowing_paragraph(key, "; "), in_html=_picture_key(shown))
    yield replace(_fixed_paragraph(counters), in_html=_counter_lines(legend))


def _hex_weights(game: Game, table: GameState, legend: Legend) -> Counter[str]:
    """The weight of each hex: highest where something happened since the reader's mail, or sides meet.

    It is lower where the reader can act: for movement, wherever their units can go.
    """
    *_, last, newest = [(), (), *entries_by_mail(game)]
    question, view = table.pending_question, game.rules.view
    happened: list[str] = [*changed_hexes(view.legend(last[-1].state), legend)] if last else []
    events = mentioned_hexes(legend, [tell.facts for replayed in newest for tell in replayed.events])
    prompt_words = re.findall(r"[\w*-]+", view.prompt(question)) if question else []
    acting = mentioned_hexes(legend, [prompt_words, list(game.rules.offers(question))]) if question else []
    return Counter([*3 * [*happened, *events, *hexes_in_contact(legend)], *acting])


def _figures_of(legend: Legend) -> str:
    return " | ".join(f"{name}: {value}" for name, value in legend.figures)


def _map_picture(legend: Legend) -> Picture:
    return Picture(map_to_png(legend), map_png_width(legend) // _SHARPNESS, tr("map"))


def _picture_key(legend: Legend) -> tuple[LetterLine, ...]:
    """The key of the picture."""
    return tuple(LetterLine(text, colour=colour) for colour, text in key_of(legend))


def _counter_lines(legend: Legend) -> tuple[LetterLine, ...]:
    """The counters on and off the map for a narrow screen: one side after the other, without columns."""
    lines = [
        line
        for word, kinds in list_by_side(legend)
        for line in (LetterLine(f"{word}:"), *_indent_lines(kinds))
    ]
    return (*lines, *map(LetterLine, summarise_margins(legend, UNWRAPPED_WIDTH)))


def _indent_lines(lines: list[str]) -> list[LetterLine]:
    return [LetterLine(line, 2, 4) for line in lines]


def _flowing_paragraph(text: str, between: str) -> Paragraph:
    """Lines to be wrapped again; continuation lines are indented."""
    return Paragraph(tuple(LetterLine(line, 0, 2) for line in text.replace("\n  ", between).split("\n")))


def _fixed_paragraph(text: str, picture: Picture | None = None) -> Paragraph:
    """Lines as they are, no wider than a letter: wide columns are moved together, or wrapped."""
    lines = (part for line in text.split("\n") for part in _fit_columns(line).split("\n"))
    return Paragraph(tuple(map(LetterLine, lines)), fixed=True, picture=picture)


def _fit_columns(line: str) -> str:
    surplus = len(line) - COLUMNS
    if surplus <= 0:
        return line
    gap = max(re.findall(" +", line), key=len, default="")
    return line.replace(gap, gap[surplus:], 1) if len(gap) > surplus + 1 else wrap(line, COLUMNS, 4)
