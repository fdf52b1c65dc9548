"""Options and editions: how they are parsed, and how many beats a game can need (FORMAT 4)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.base import validation
from pbem.core.requests import Plain
from pbem.core.rules import MOST_BEATS
from pbem.core.shipped import data_of
from pbem.errors import FileError
from pbem.games.mortain.terms.cards import DECK
from pbem.games.mortain.terms.setting import GERMAN, PACKAGE, Options, Setting
from pbem.messages import Messages

tr = Messages("pbem.games.mortain")

EDITIONS: Mapping[str, Mapping[str, Plain]] = data_of(PACKAGE, "editions")
"""Every edition with all its options; the first is the default."""


def read(data: Plain) -> Options:
    """Parse plain options into typed ones. Raises `FileError` with the path of the invalid value."""
    options = validation.convert(data, Options, "options")
    most = MOST_BEATS // (2 * len(DECK))
    if options.turns > most:
        problem = tr("{found} turns are too many: at most {most}", found=options.turns, most=most)
        raise FileError(problem, where="options.turns")
    return options


def check_exits(setting: Setting) -> None:
    """Check that there are at least as many German units as exits needed. Raises `FileError`."""
    needed, most = setting.options.exits_to_win, len(setting.armies[GERMAN])
    if needed > most:
        problem = tr("{found} is too many: there are only {most} German units", found=needed, most=most)
        raise FileError(problem, where="options.exits_to_win")


def beats(chosen: Mapping[str, Plain], data: Plain) -> int:
    """Twice the most beats a game can use: each draws at least one card, and a turn has 53 (FORMAT 4).

    Raises `FileError` for invalid options.
    """
    return 2 * len(DECK) * read(chosen).turns
