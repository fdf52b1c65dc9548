"""The map in a letter: the whole one, or where a mail has no room for it the part where things happen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from pbem.core.legend import Legend
from pbem.correspondence.paragraphs import COLUMNS, LetterLine, Paragraph, Picture, text_paragraph
from pbem.correspondence.size_budget import UNLIMITED, SizeBudget, Window
from pbem.correspondence.thread import entries_by_mail
from pbem.render import hexmap
from pbem.render.picture import small_picture_parts
from pbem.render.pixels import map_png_key as key_of
from pbem.render.pixels import map_png_width, map_to_png
from pbem.render.roster import UNWRAPPED_WIDTH, list_by_side, summarise_margins
from pbem.render.screen import mentioned_hexes
from pbem.render.smallmap import RULER, SMALL_STRIDE, small_map_lines
from pbem.render.window import changed_hexes, crop_block, hexes_in_contact, shrink_block
from pbem.render.words import wrap
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_facts import file_name
from pbem.umpire.game_state import GameState

tr = Texts("pbem")

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
    if hexmap.large_map_fits(legend):
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
