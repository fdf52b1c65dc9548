"""A screenful: what happened, the map and what is next, fitted into a terminal or into forty lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbem.cli.terminal import colour, put, put_board, put_lines, room
from pbem.core.legend import Legend
from pbem.render.screen import Drawn, screen
from pbem.render.words import fitted
from pbem.texts import Texts

tr = Texts("pbem")

MAP, FEWEST = 14, 3
"""The lines that the map keeps where there is much to tell, and those that are told where it needs more."""


LOW = 30
"""A screen with fewer lines has the short head."""


class Screenful(NamedTuple):
    """Texts of one line or more: what stands first, what has been told; the position; what stands last.

    What has been told is parted by entries, each with a title as its first text. `focus` are the hexes that
    the map is to show, `short` is what stands first where there is little room. `all_of_it` is the command
    that leaves nothing out, if there is one; else `--whole` does. `first` are hexes wanted before the focus.
    """

    head: list[str]
    told: list[list[str]]
    legend: Legend
    focus: list[str]
    below: list[str]
    short: list[str]
    all_of_it: str = ""
    first: Sequence[str] = ()


def put_screenful(screenful: Screenful, *, whole: bool, no_color: bool) -> None:
    """Print a screenful: whole, or cut to the room there is, which is said."""
    if whole:
        for text in (*screenful.head, *(text for entry in screenful.told for text in entry)):
            put(text)
        put_board(screenful.legend, no_color)
        for text in screenful.below:
            put(text)
        return
    width, height = room()
    lines, left_out = _fitted(screenful, width, height, colour(no_color))
    if left_out and screenful.all_of_it:
        more = fitted(tr("For the full view: {command}", command=screenful.all_of_it), width)
        lines = [*_fitted(screenful, width, height - len(more), colour(no_color))[0], *more]
    put_lines(lines)


def _fitted(screenful: Screenful, width: int, height: int, coloured: bool) -> tuple[list[str], bool]:
    """A screenful in so many lines at most, and whether anything but a part of the key is left out."""
    texts = screenful.head if height >= LOW else screenful.short
    head, below = (_joined(fitted(text, width) for text in some) for some in (texts, screenful.below))
    told = [[fitted(text, width) for text in entry] for entry in screenful.told]
    length = sum(len(_joined(entry)) for entry in told)
    height -= len(head)
    last = _first(below, max(height // 2, height - MAP - length))
    height -= len(last)

    def drawn_below(news: list[str]) -> Drawn:
        left = max(height - len(news), 1)
        return screen(screenful.legend, width, left, screenful.focus, screenful.first, colour=coloured)

    news = _last(told, max(height - MAP, height // 3))
    picture = drawn_below(news)
    shorter = _last(told, FEWEST)
    if not picture.whole_map and (higher := drawn_below(shorter)).whole_map:
        news, picture = shorter, higher
    left_out = len(last) < len(below) or len(news) < length or not picture.whole
    return [*head, *news, *picture.lines, *last], left_out


def _first(lines: list[str], most: int) -> list[str]:
    """The first lines, and how many are left out."""
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], _more(len(lines) - most + 1)]


def _more(number: int) -> str:
    return f"    {tr.plural('({number} line more: --whole)', '({number} lines more: --whole)', number)}"


def _before(number: int) -> str:
    return f"    {tr.plural('({number} line before: --whole)', '({number} lines before: --whole)', number)}"


def _last(entries: list[list[list[str]]], most: int) -> list[str]:
    """The last texts, as many as have room, under the first line of their entry; how many lines are not."""
    lines = _joined(text for entry in entries for text in entry)
    if len(lines) <= most:
        return lines
    kept: list[str] = []
    for number, (title, *texts) in enumerate(entries):
        later = _joined(text for entry in entries[number + 1 :] for text in entry)
        for first in range(max(len(texts), 1)):
            kept = [*title[:1], *_joined(texts[first:]), *later]
            if len(kept) < most:
                return [_before(len(lines) - len(kept)), *kept]
    return [*kept[: most - 1], _more(len(lines) - most + 1)]


def _joined(texts: Iterable[list[str]]) -> list[str]:
    return [line for text in texts for line in text]
