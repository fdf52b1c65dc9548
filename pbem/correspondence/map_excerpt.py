"""The map in a letter: the whole one, or where a mail has no room for it the part where things happen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from pbem.core.legend import Legend
from pbem.correspondence.paragraphs import COLUMNS, Line, Paragraph, Picture, said
from pbem.correspondence.size_budget import PLENTY, Room, Window
from pbem.correspondence.thread import runs
from pbem.render import hexmap
from pbem.render.picture import small_parts
from pbem.render.pixels import key as key_of
from pbem.render.pixels import pixels, width
from pbem.render.roster import ENDLESS, by_side, short_margins
from pbem.render.screen import mentioned
from pbem.render.smallmap import RULER, STRIDE, above
from pbem.render.window import block, changes, in_contact, shrinking
from pbem.render.words import wrap
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_facts import file_name
from pbem.umpire.game_state import GameState

tr = Texts("pbem")

SHORT = 800
"""Lists of counters that have more characters than this stay out of a letter with a part of the log."""

NARROW = 17
"""Columns of small hexes on a telephone's screen of 40 characters, with their rulers."""

LEAST = 11, 8
"""Columns and rows that a part of a map has at least."""

_SHOWN = 400
"""Pixels of a telephone's screen, roughly: a picture is enlarged by the whole factor that fits into that."""


def drawn(game: Game, table: GameState, *, brief: bool = False, room: Room = PLENTY) -> Iterator[Paragraph]:
    """The map of small hexes, in HTML a picture of it, with key and lists; or the command that shows it.

    A `brief` one leaves out the key and long lists, which would make up most of each mail.
    """
    legend, file = game.rules.view.legend(table.run.state), file_name(game)
    if STRIDE * legend.columns + 2 * RULER > COLUMNS:
        yield said(tr("The map is too wide for a mail. To see it: pbem show {file}", file=file))
        return
    figures, chart, key, counters = small_parts(legend)
    yield _flowing(figures, " | ")
    if room.window:
        legend = block(legend, *room.window)
        chart = "\n".join(above(legend))
    yield _fixed(chart, _picture(legend) if room.picture else None)
    if room.window:
        yield said(
            tr("Only a part of the map. All of it, and what stands where: pbem show {file}", file=file)
        )
        return
    if not brief:
        yield replace(_flowing(key, "; "), in_html=_key(legend) if room.picture else ())
    if not brief or len(counters) <= SHORT:
        yield replace(_fixed(counters), in_html=_listed(legend))
    else:
        yield said(tr("What stands where: pbem show {file}", file=file))


def windows(game: Game) -> Iterator[Window]:
    """Smaller and smaller parts of the map around the action; none of a map that is small anyway."""
    legend = game.rules.view.legend(game.table.run.state)
    if hexmap.fits(legend):
        return iter(())
    return shrinking(legend, _wanted(game, legend), [(NARROW, legend.rows), LEAST])


def _wanted(game: Game, legend: Legend) -> Counter[str]:
    """The weight of each hex: highest where something has happened since the reader's mail, or sides meet.

    Lower where he may act: in movement that is wherever his units may go.
    """
    *_, last, newest = runs(game)
    question, view = game.table.asked, game.rules.view
    happened = [*changes(view.legend(last[-1].state), legend)]
    events = mentioned(legend, [tell.facts for replayed in newest for tell in replayed.told])
    prompt_words = re.findall(r"[\w*-]+", view.prompt(question)) if question else []
    acting = mentioned(legend, [prompt_words, list(game.rules.offers(question))]) if question else []
    return Counter([*3 * [*happened, *events, *in_contact(legend)], *acting])


def _picture(legend: Legend) -> Picture:
    wide = width(legend)
    return Picture(pixels(legend), wide * max(1, _SHOWN // wide), tr("map"))


def _key(legend: Legend) -> tuple[Line, ...]:
    """The key of the picture."""
    return tuple(Line(text, colour=colour) for colour, text in key_of(legend))


def _listed(legend: Legend) -> tuple[Line, ...]:
    """The counters on and off the map for a narrow screen: one side after the other, without columns."""
    lines = [line for word, kinds in by_side(legend) for line in (Line(f"{word}:"), *_further_in(kinds))]
    return (*lines, *map(Line, short_margins(legend, ENDLESS)))


def _further_in(lines: list[str]) -> list[Line]:
    return [Line(line, 2, 4) for line in lines]


def _flowing(text: str, between: str) -> Paragraph:
    """Lines to be wrapped anew; what continues a line is indented."""
    return Paragraph(tuple(Line(line, 0, 2) for line in text.replace("\n  ", between).split("\n")))


def _fixed(text: str, picture: Picture | None = None) -> Paragraph:
    """Lines as they are, no wider than a letter: columns of lists are moved together, or wrapped."""
    lines = (part for line in text.split("\n") for part in _in_columns(line).split("\n"))
    return Paragraph(tuple(map(Line, lines)), fixed=True, picture=picture)


def _in_columns(line: str) -> str:
    surplus = len(line) - COLUMNS
    if surplus <= 0:
        return line
    gap = max(re.findall(" +", line), key=len, default="")
    return line.replace(gap, gap[surplus:], 1) if len(gap) > surplus + 1 else wrap(line, COLUMNS, 4)
