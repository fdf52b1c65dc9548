"""A screenful: what happened, the map, and the next step, cut to fit a terminal; and the pager for more."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import NamedTuple

from pbem.base.interrupts import raise_on_interrupt
from pbem.cli.terminal import is_interactive, may_use_colour, printable_size, put, put_board, put_lines
from pbem.core.legend import Legend
from pbem.render.safe_text import fit_lines
from pbem.render.screen import ScreenLayout, draw_layout, lay_out_screen
from pbem.texts import Texts

tr = Texts("pbem")


class _Collected(StringIO):
    """Output for a terminal, collected until it is known whether it fits."""

    def isatty(self) -> bool:
        """True: the output is for a terminal."""
        return True


@contextmanager
def paged() -> Iterator[None]:
    """At a terminal, print more than a screenful through the player's pager, as git does.

    The pager is `PAGER`, or else `less`, with `LESS` set so that it passes on what fits, keeps colours, and
    does not clear the screen. Without either, the output is printed directly.
    """
    pager = shlex.split(os.environ.get("PAGER") or ("" if os.name == "nt" else "less"))
    if not (pager and is_interactive() and shutil.which(pager[0])) or os.environ.get("TERM") == "dumb":
        yield
        return
    collected = _Collected()
    try:
        with redirect_stdout(collected):
            yield
    finally:
        text = collected.getvalue()
        if len(text.splitlines()) < shutil.get_terminal_size().lines:
            sys.stdout.write(text)
            sys.stdout.flush()
        else:
            _put_through(pager, text)


def _put_through(pager: Sequence[str], text: str) -> None:
    """Pass a text to the pager, and wait for it; Ctrl-C goes to the pager meanwhile."""
    environment = {"LESS": "FRX", "LESSCHARSET": "utf-8", **os.environ}
    process = subprocess.Popen(pager, stdin=subprocess.PIPE, env=environment)
    data: bytes | None = text.encode()
    with raise_on_interrupt():
        while True:
            try:
                process.communicate(data)
                return
            except KeyboardInterrupt:
                data = None  # less has received everything, or has ended


MAP, FEWEST = 14, 3
"""The least lines of the map beside long news, and the least lines of news beside a larger map."""


LOW = 30
"""A screen with fewer lines gets the short head."""


class Screenful(NamedTuple):
    """The parts of a screenful, each a text of one or more lines: head, news by entries, position, the rest.

    The first text of each of the `entries` is its title. `focus` are the hexes the map should show, `first`
    those that matter most; `short` replaces the head if there is little room, followed by `aim` if the whole
    map fits too. `all_of_it` is the command that shows everything, if it is not `--whole`.
    """

    head: list[str]
    entries: list[list[str]]
    legend: Legend
    focus: list[str]
    below: list[str]
    short: list[str]
    all_of_it: str = ""
    first: Sequence[str] = ()
    aim: Sequence[str] = ()


def put_screenful(screenful: Screenful, *, whole: bool, no_color: bool) -> None:
    """Print a screenful: whole, or cut to the terminal, with a note about what was cut."""
    if whole:
        with paged():
            _put_whole(screenful, no_color=no_color)
        return
    width, height = printable_size()
    note: list[str] = []
    if screenful.all_of_it:
        note = fit_lines(tr("For the full view: {command}", command=screenful.all_of_it), width)
    put_lines(_fit(screenful, width, height, note, may_use_colour(no_color)))


def _put_whole(screenful: Screenful, *, no_color: bool) -> None:
    """Print a screenful in full."""
    for text in (*screenful.head, *(text for entry in screenful.entries for text in entry)):
        put(text)
    put_board(screenful.legend, no_color)
    for text in screenful.below:
        put(text)


class _Excerpt(NamedTuple):
    """The lines above the map in a screenful, the place of the map's parts, and the lines below.

    `is_cut`: lines, or a part of the map, are left out.
    """

    above: list[str]
    layout: ScreenLayout
    below: list[str]
    is_cut: bool


def _fit(screenful: Screenful, width: int, height: int, note: list[str], coloured: bool) -> list[str]:
    """At most `height` lines of a screenful; with the note if more than the map's key is cut."""
    excerpt = _excerpt(screenful, width, height)
    if not (note and excerpt.is_cut):
        picture = draw_layout(excerpt.layout, colour=coloured)
        if picture.whole or not note:
            return [*excerpt.above, *picture.lines, *excerpt.below]
    return [*_fit(screenful, width, height - len(note), [], coloured), *note]


def _excerpt(screenful: Screenful, width: int, height: int) -> _Excerpt:
    """As much of a screenful as fits in this many lines; the map is laid out, but not drawn yet."""
    if height >= LOW:
        return _excerpt_under(screenful.head, screenful, width, height)
    with_aim = _excerpt_under([*screenful.short, *screenful.aim], screenful, width, height)
    if with_aim.layout.whole_map or not screenful.aim:
        return with_aim
    return _excerpt_under(screenful.short, screenful, width, height)


def _excerpt_under(texts: Sequence[str], screenful: Screenful, width: int, height: int) -> _Excerpt:
    """Like `_excerpt`, below these texts."""
    head, below = (_flatten(fit_lines(text, width) for text in some) for some in (texts, screenful.below))
    told = [[fit_lines(text, width) for text in entry] for entry in screenful.entries]
    length = sum(len(_flatten(entry)) for entry in told)
    height -= len(head)
    last = _first_lines(below, max(height // 2, height - MAP - length))
    height -= len(last)

    def layout_below(news: list[str]) -> ScreenLayout:
        left = max(height - len(news), 1)
        return lay_out_screen(screenful.legend, width, left, screenful.focus, screenful.first)

    news = _last_lines(told, max(height - MAP, height // 3))
    layout = layout_below(news)
    shorter = _last_lines(told, FEWEST)
    if not layout.whole_map and (higher := layout_below(shorter)).whole_map:
        news, layout = shorter, higher
    is_cut = len(last) < len(below) or len(news) < length or not layout.whole_map
    return _Excerpt([*head, *news], layout, last, is_cut)


def _first_lines(lines: list[str], most: int) -> list[str]:
    """The first lines, and a line that says how many are left out."""
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], _lines_more(len(lines) - most + 1)]


def _lines_more(number: int) -> str:
    return f"    {tr.plural('({number} more line: --whole)', '({number} more lines: --whole)', number)}"


def _lines_before(number: int) -> str:
    return f"    {tr.plural('({number} earlier line: --whole)', '({number} earlier lines: --whole)', number)}"


def _last_lines(entries: list[list[list[str]]], most: int) -> list[str]:
    """The last texts that fit, below their entry's title, after a line that says how many are left out."""
    lines = _flatten(text for entry in entries for text in entry)
    if len(lines) <= most:
        return lines
    kept: list[str] = []
    for number, (title, *texts) in enumerate(entries):
        later = _flatten(text for entry in entries[number + 1 :] for text in entry)
        for first in range(max(len(texts), 1)):
            kept = [*title[:1], *_flatten(texts[first:]), *later]
            if len(kept) < most:
                return [_lines_before(len(lines) - len(kept)), *kept]
    return [*kept[: most - 1], _lines_more(len(lines) - most + 1)]


def _flatten(texts: Iterable[list[str]]) -> list[str]:
    return [line for text in texts for line in text]
