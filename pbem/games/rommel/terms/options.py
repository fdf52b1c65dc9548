"""Options and editions: how they are parsed, and how many beats a game can need (FORMAT 4)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.base import validation
from pbem.core.requests import Plain
from pbem.core.rules import MOST_BEATS
from pbem.core.shipped import data_of
from pbem.errors import FileError
from pbem.games.rommel.terms.setting import FACES, PACKAGE, Options
from pbem.messages import Messages

tr = Messages("pbem.games.rommel")

EDITIONS: Mapping[str, Mapping[str, Plain]] = data_of(PACKAGE, "editions")
"""Every edition with all its options; the first is the default."""


def read(data: Plain) -> Options:
    """Parse plain options into typed ones. Raises `FileError` with the path of the invalid value."""
    options = validation.convert(data, Options, "options")
    _check_faces(options)
    _check_turns(options)
    return options


def beats(chosen: Mapping[str, Plain], data: Plain) -> int:
    """Twice the most beats a game can use (FORMAT 4). Raises `FileError` for invalid options."""
    return _beats(read(chosen))


def _beats(options: Options) -> int:
    """Twice the most beats a game can use.

    A turn begins with a throw for weather. After it each of these answers can cause one more beat: two to
    `air` in each sub-turn, and those of both sides to `ground_fire` and `ground_combat`.
    """
    return 2 * ((2 * options.air_subturns + 4) * options.final_turn + 1)


def _check_faces(options: Options) -> None:
    """R4.5: check the faces with which a bomb hits. Raises `FileError`."""
    faces = list(options.bomb_hits)
    if not faces or len(set(faces)) < len(faces) or not set(faces) <= set(FACES):
        problem = tr(
            "must be one or more different faces from 2 to 5, not {found}",
            found=validation.quote_value(faces),
        )
        raise FileError(problem, where="options.bomb_hits")


def _check_turns(options: Options) -> None:
    """R8.3: check that a game that continues after its last turn has a final one. Raises `FileError`."""
    if options.last_turn < options.turns:
        problem = tr(
            "{found} is less than {option}, which is {turns}",
            found=options.last_turn,
            option="turns",
            turns=options.turns,
        )
        raise FileError(problem, where="options.last_turn")
    if _beats(options) > MOST_BEATS:
        most = (MOST_BEATS // 2 - 1) // (2 * options.air_subturns + 4)
        name = "turns" if options.after_last_turn == "draw" else "last_turn"
        problem = tr("must be at most {most}, not {found}", found=getattr(options, name), most=most)
        raise FileError(problem, where=f"options.{name}")
