"""No value of a log is idle: whoever changes one, leaves one out or adds one is refused, or it is a claim.

All values of a game with every kind of entry and every optional key are tried, one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

import pytest

from pbem.core.requests import Plain
from pbem.errors import VerificationError
from pbem.umpire.verify import open_game
from support.attack_tables import refusal_of
from support.game_stages import game_with_every_kind
from support.simulator import Log, file_of, forge_file, log_of

pytestmark = pytest.mark.thorough

Where: TypeAlias = tuple[Any, ...]
"""The keys and indexes that lead to a value: the number of the entry first."""

CLAIMS = {"at", "say", "x", "x.mood", "seat.name", "seat.mail"}
"""What a writer says of himself and of the time (FORMAT 4)."""

SEALS = ("n", "prev", "sig")
"""What follows from all the rest of an entry and of the entry before."""


def walk(value: Plain, where: Where = ()) -> Iterator[tuple[Where, Plain]]:
    """Every value inside a value, lists and mappings too, with the way to it."""
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield (*where, key), value[key]
            yield from walk(value[key], (*where, key))


def another(value: Plain) -> Plain:
    """A value of the same type, as like as possible: of a text, its last digit or letter is another."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    at = max((found.start() for found in re.finditer(r"\d", value)), default=len(value) - 1)
    return f"{value[:at]}{'2' if value[at] == '1' else '1'}{value[at + 1 :]}"


def inside(log: Log, where: Where) -> Any:
    """The list or mapping of the log that holds the value."""
    place: Any = log
    for key in where[:-1]:
        place = place[key]
    return place


def changed() -> Iterator[tuple[Where, Log]]:
    """The log with one value changed."""
    for where, value in walk(log_of(game_with_every_kind())):
        if not isinstance(value, (dict, list)):
            log = log_of(game_with_every_kind())
            inside(log, where)[where[-1]] = another(value)
            yield where, log


def shortened() -> Iterator[tuple[Where, Log]]:
    """The log with one value left out."""
    for where, _ in walk(log_of(game_with_every_kind())):
        if len(where) > 1:
            log = log_of(game_with_every_kind())
            del inside(log, where)[where[-1]]
            yield where, log


def extended() -> Iterator[tuple[Where, Log]]:
    """The log with a key more in one mapping."""
    for where, value in walk(log_of(game_with_every_kind())):
        if isinstance(value, dict):
            log = log_of(game_with_every_kind())
            inside(log, where)[where[-1]]["more"] = 1
            yield where, log


def agreed_on(attempts: Iterator[tuple[Where, Log]]) -> set[str]:
    """What two players in league, who link and sign all anew, can do so without a refusal."""
    return {
        ".".join(map(str, where[1:]))
        for where, log in attempts
        if where[-1] not in SEALS and _is_good(forge_file(log))
    }


def _is_good(data: bytes) -> bool:
    try:
        open_game(data)
    except VerificationError:
        return False
    return True


def test_a_stranger_can_change_nothing() -> None:
    """The links and signatures refuse it, and name the entry or the one after it."""
    for where, log in changed():
        error = refusal_of(file_of(log))
        assert error.step <= 5, where
        assert error.entry in (None, where[0], where[0] + 1), where


def test_what_two_players_in_league_can_change() -> None:
    """Claims; the nonce, which binds nobody; and an option that is theirs to agree on."""
    assert agreed_on(changed()) == CLAIMS - {"x"} | {"seat.nonce", "options.exits_to_win"}


def test_what_two_players_in_league_can_leave_out() -> None:
    """What is optional: claims that are no seat's name, and the invitation."""
    assert agreed_on(shortened()) == CLAIMS - {"seat.name"} | {"to"}


def test_what_two_players_in_league_can_add() -> None:
    """Nothing but what is beside the game."""
    assert agreed_on(extended()) == {"x"}
