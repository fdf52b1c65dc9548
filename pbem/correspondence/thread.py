"""The thread of a game: which mails it consists of, and the message ids that tie them together.

All of it follows from the log, so nothing has to be remembered, both players' programs agree, and a mail
program that knows threads keeps a game in one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from msgspec import Struct

from pbem.umpire.game import Game, ReplayedEntry

_HEAD_DIGITS, _GAME_DIGITS = 32, 16
_ID = re.compile(
    rf"<([0-9a-f]{{{_HEAD_DIGITS}}})\.([0-9a-f]{{{_GAME_DIGITS}}})(?:\.([1-9][0-9]{{0,3}}))?@pbem\.invalid>"
)
_MAX_LATEST = 2
"""The latest mails that References names, besides the first."""


class Thread(Struct, frozen=True):
    """The place of the mail with a game's newest entries: its number, from 1, and its message ids."""

    number: int
    message_id: str
    in_reply_to: str
    references: tuple[str, ...]


def thread(game: Game) -> Thread:
    """The thread of a game up to its newest mail."""
    ids = [message_id(game.ids[0], run[-1].entry.id) for run in entries_by_mail(game)]
    *earlier, newest = ids
    named = earlier[:1] + earlier[1:][-_MAX_LATEST:]
    return Thread(len(ids), newest, named[-1] if named else "", tuple(named))


def entries_by_mail(game: Game) -> list[Sequence[ReplayedEntry]]:
    """The entries of each mail: what one seat wrote before the other wrote again."""
    return [tuple(run) for _, run in groupby(game.replayed_entries, lambda replayed: replayed.entry.body.by)]


def last_known_entry(game: Game) -> int | None:
    """The last entry of the writer's mail before the newest: the other has signed after it, so he has it.

    A mail with everything after it brings the reader's own last entries as well. So it also serves another
    computer of his that sees only what comes to him, and one that has lost his last move. None where there is
    no such entry yet.
    """
    mails = entries_by_mail(game)
    return mails[-3][-1].entry.body.n if len(mails) > 2 else None


def message_id(game: str, head: str, copy: int = 1) -> str:
    """The message id of the mail of game `game` (the id of its entry 0) whose last entry is `head`.

    Each `copy` of a mail that is resent has its own: servers drop a mail whose id they know.
    """
    again = f".{copy}" if copy > 1 else ""
    return f"<{head[:_HEAD_DIGITS]}.{game[:_GAME_DIGITS]}{again}@pbem.invalid>"


def parse_message_id(message_id: str) -> tuple[str, str, int] | None:
    """The beginnings of the ids of game and last entry in a message id of ours, and the copy's number."""
    match = _ID.fullmatch(message_id)
    return match and (match[2], match[1], int(match[3] or 1))


def games_in_headers(headers: str) -> list[str]:
    """The beginnings of games' ids in the message ids of ours in these headers, each once."""
    return list(dict.fromkeys(match[2] for match in _ID.finditer(headers)))
