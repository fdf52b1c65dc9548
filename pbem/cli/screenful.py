"""A screenful: what happened, the map and what is next, fitted into a terminal or into forty lines."""

from __future__ import annotations

from typing import NamedTuple

from pbem.cli.terminal import colour, put, put_board, put_lines, room
from pbem.core.legend import Legend
from pbem.render.screen import screen
from pbem.render.words import fitted

MAP = 14
"""The lines that the map keeps where there is much to tell."""


LOW = 30
"""A screen with fewer lines has the short head."""


class Screenful(NamedTuple):
    """Texts of one line or more: what stands first, what has been told; the position; what stands last.

    `focus` are the hexes that the map is to show, `short` is what stands first where there is little room.
    """

    head: list[str]
    told: list[str]
    legend: Legend
    focus: list[str]
    below: list[str]
    short: list[str]


def put_screenful(screenful: Screenful, *, whole: bool, no_color: bool) -> None:
    """Print a screenful: whole, or cut to the room there is, which is said."""
    if whole:
        for text in (*screenful.head, *screenful.told):
            put(text)
        put_board(screenful.legend, no_color)
        for text in screenful.below:
            put(text)
        return
    width, height = room()
    head, told, below = (
        [line for text in texts for line in fitted(text, width)]
        for texts in (screenful.head if height >= LOW else screenful.short, screenful.told, screenful.below)
    )
    height -= len(head)
    below = _first(below, max(height // 2, height - MAP - len(told)))
    height -= len(below)
    told = _last(told, max(height - MAP, height // 3))
    picture = screen(
        screenful.legend, width, max(height - len(told), 1), screenful.focus, colour=colour(no_color)
    )
    put_lines([*head, *told, *picture, *below])


def _first(lines: list[str], most: int) -> list[str]:
    """The first lines, and how many are left out."""
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], f"    ({len(lines) - most + 1} lines more: --whole)"]


def _last(lines: list[str], most: int) -> list[str]:
    """The last lines, after how many that are left out."""
    if len(lines) <= most:
        return lines
    return [f"    ({len(lines) - most + 1} lines before: --whole)", *lines[len(lines) - most + 1 :]]
