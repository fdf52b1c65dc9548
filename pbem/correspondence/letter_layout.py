"""The layout of a letter: paragraphs as plain text in 76 columns and as HTML, the map, the size budget.

The budget says what is left out first, and what last, so that a mail stays small. The map is drawn whole, or
where a mail has no room for that, the part where things happen.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.legend import Legend
from pbem.correspondence.outbox import entries_by_mail
from pbem.mail.outgoing import content_id
from pbem.render import ascii_map
from pbem.render.ascii_map import (
    RULER,
    SMALL_STRIDE,
    changed_hexes,
    crop_block,
    hexes_in_contact,
    shrink_block,
    small_map_lines,
)
from pbem.render.ascii_picture import (
    UNWRAPPED_WIDTH,
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

    HTML has the picture in their place, or else the rows of a table, or the lines `in_html`, if any.
    """

    lines: tuple[LetterLine, ...]
    fixed: bool = False
    picture: Picture | None = None
    in_html: tuple[LetterLine, ...] = ()
    rows: tuple[tuple[str, str, str], ...] = ()


def table_paragraph(title: str, rows: Sequence[tuple[str, str, str]]) -> Paragraph:
    """A table of three columns under a title: in plain text aligned; the last may be wrapped."""
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
    """Lines of the same indentation, which a narrow screen keeps where it wraps them."""
    text = "<br>".join(_square(line.colour) + _escape(line) for line in lines)
    return f'<div style="margin-left:{step}em">{text}</div>' if step else text


def _square(colour: str) -> str:
    return f'<span style="background:{colour}">&emsp;</span> ' if colour else ""


def _escape(line: LetterLine) -> str:
    return html.escape(safe_text(line.text), quote=False)


Window: TypeAlias = tuple[range, range]
"""The columns and rows of a map that are drawn, from 0."""

MANY, SOME, FEW, LEAST = 30, 12, 8, 3
"""Lines that describe an entry where there is no room for all.

`SOME` are left before the map is cut, `FEW` once no smaller part of it will do, and `LEAST` where nothing
else can be left out.
"""


class SizeBudget(Struct, frozen=True):
    """The extent of a letter: `terse` leaves out what every mail, the attachment or pbem says as well.

    `lines` are the most that describe an entry (None: all). A letter in two languages says everything `again`
    in the second, or else only what is to be decided. `window` is the part of the map that is drawn (None:
    all of it). HTML has a `picture` of that, or else the text.
    """

    terse: bool = False
    lines: int | None = None
    again: bool = True
    window: Window | None = None
    picture: bool = True


UNLIMITED = SizeBudget()
"""The budget without any limit."""


def shrinking_budgets(windows: Iterable[Window], *, picture: bool) -> list[SizeBudget]:
    """Smaller and smaller budgets: first without what every mail says, then with fewer lines for each entry.

    Then without the second language, then with smaller parts of the map, at last with fewer lines still.
    """
    parts = list(windows)
    least = FEW if picture and parts else LEAST
    budgets = [SizeBudget(terse=True, picture=picture)]
    budgets += [replace(budgets[0], lines=lines) for lines in range(MANY, SOME - 1, -1)]
    budgets += [replace(budgets[-1], again=False)]
    budgets += [replace(budgets[-1], window=window) for window in parts]
    return budgets + [replace(budgets[-1], lines=lines) for lines in range(SOME - 1, least - 1, -1)]


MAX_LIST = 800
"""Lists of counters that have more characters than this stay out of a letter with a part of the log."""

NARROW_COLUMNS = 17
"""Columns of small hexes on a telephone's screen of 40 characters, with their rulers."""

LEAST_WINDOW = 11, 8
"""Columns and rows that a part of a map has at least."""

_SCREEN_PIXELS = 400
"""Pixels of a telephone's screen, roughly: a picture is enlarged by the whole factor that fits into that."""


def map_paragraphs(
    game: Game, table: GameState, *, brief: bool = False, room: SizeBudget = UNLIMITED
) -> Iterator[Paragraph]:
    """The map of small hexes, in HTML a picture of it, with key and lists; or the command that shows it.

    A `brief` one leaves out the key and long lists, which would make up most of each mail.
    """
    legend, file = game.rules.view.legend(table.run.state), file_name(game)
    if not legend.cells:
        yield _flowing_paragraph(
            "\n".join([_figures_of(legend), *list_tables(legend, UNWRAPPED_WIDTH)]), " | "
        )
        return
    if SMALL_STRIDE * legend.columns + 2 * RULER > COLUMNS:
        yield text_paragraph(tr("The map is too wide for a mail. To see it: pbem show {file}", file=file))
        return
    figures, chart, key, counters = small_picture_parts(legend)
    yield _flowing_paragraph(figures, " | ")
    if room.window:
        legend = crop_block(legend, *room.window)
        chart = "\n".join(small_map_lines(legend))
    yield _fixed_paragraph(chart, _map_picture(legend) if room.picture else None)
    if room.window:
        yield text_paragraph(
            tr("Only a part of the map. All of it, and what stands where: pbem show {file}", file=file)
        )
        return
    if not brief:
        yield replace(_flowing_paragraph(key, "; "), in_html=_picture_key(legend) if room.picture else ())
    if not brief or len(counters) <= MAX_LIST:
        yield replace(_fixed_paragraph(counters), in_html=_counter_lines(legend))
    else:
        yield text_paragraph(tr("What stands where: pbem show {file}", file=file))


def shrinking_windows(game: Game) -> Iterator[Window]:
    """Smaller and smaller parts of the map around the action; none of a map that is small anyway."""
    legend = game.rules.view.legend(game.state.run.state)
    if ascii_map.large_map_fits(legend):
        return iter(())
    return shrink_block(legend, _hex_weights(game, legend), [(NARROW_COLUMNS, legend.rows), LEAST_WINDOW])


def _hex_weights(game: Game, legend: Legend) -> Counter[str]:
    """The weight of each hex: highest where something has happened since the reader's mail, or sides meet.

    Lower where he may act: in movement that is wherever his units may go.
    """
    *_, last, newest = entries_by_mail(game)
    question, view = game.state.pending_question, game.rules.view
    happened = [*changed_hexes(view.legend(last[-1].state), legend)]
    events = mentioned_hexes(legend, [tell.facts for replayed in newest for tell in replayed.events])
    prompt_words = re.findall(r"[\w*-]+", view.prompt(question)) if question else []
    acting = mentioned_hexes(legend, [prompt_words, list(game.rules.offers(question))]) if question else []
    return Counter([*3 * [*happened, *events, *hexes_in_contact(legend)], *acting])


def _figures_of(legend: Legend) -> str:
    return " | ".join(f"{name}: {value}" for name, value in legend.figures)


def _map_picture(legend: Legend) -> Picture:
    wide = map_png_width(legend)
    return Picture(map_to_png(legend), wide * max(1, _SCREEN_PIXELS // wide), tr("map"))


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
    """Lines to be wrapped anew; what continues a line is indented."""
    return Paragraph(tuple(LetterLine(line, 0, 2) for line in text.replace("\n  ", between).split("\n")))


def _fixed_paragraph(text: str, picture: Picture | None = None) -> Paragraph:
    """Lines as they are, no wider than a letter: columns of lists are moved together, or wrapped."""
    lines = (part for line in text.split("\n") for part in _fit_columns(line).split("\n"))
    return Paragraph(tuple(map(LetterLine, lines)), fixed=True, picture=picture)


def _fit_columns(line: str) -> str:
    surplus = len(line) - COLUMNS
    if surplus <= 0:
        return line
    gap = max(re.findall(" +", line), key=len, default="")
    return line.replace(gap, gap[surplus:], 1) if len(gap) > surplus + 1 else wrap(line, COLUMNS, 4)
