"""A log as the game store knows it, and how another log relates to it (FORMAT section 6).

The relation (older, newer, another history, …) follows only from the ids of the entries, and is described in
words. "Yours" is the longest log of the game that this computer has seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from pbem.core.sides import Side
from pbem.errors import CompetingAccept, ForkedFile, OlderFile, StorageError, UndoneEntry
from pbem.format.entries import kind_name
from pbem.player.store.signed_entries import SignedEntries
from pbem.texts import Texts
from pbem.umpire.game_facts import load_side

tr = Texts("pbem")


class LogLine(Struct, frozen=True):
    """An entry as the store sees it: its id (64 hex digits), the seat that signed it, its kind.

    `key` is the seat's key if the entry takes a seat; `rules` are the game's, as `name/version`.
    """

    id: str
    by: str
    kind: str
    key: str = ""
    rules: str = ""

    @property
    def side(self) -> Side:
        """The names of the seat's side."""
        return load_side(self.rules, self.by)

    def __str__(self) -> str:
        return tr("{kind} {entry} of {side}", side=self.side, kind=kind_name(self.kind), entry=self.id[:8])


class Log(Struct, frozen=True):
    """A file that passed verification: its bytes, and a line for each entry (at least entry 0)."""

    data: bytes
    lines: tuple[LogLine, ...]

    @property
    def game(self) -> str:
        """The id of entry 0, which identifies the game."""
        return self.lines[0].id


class StoredGame(Struct, frozen=True):
    """A stored game: its id, the path of its file, and the bytes of that file."""

    game: str
    path: Path
    data: bytes


def ids_of(lines: Sequence[LogLine]) -> list[str]:
    """The ids of entries."""
    return [line.id for line in lines]


class Relation(Enum):
    """How a log relates to the stored one, by ids only."""

    NEW = "the game is not stored"
    EQUAL = "the same entries"
    EXTENDS = "all entries of the stored log, and more"
    OLDER = "a shorter beginning of the stored log"
    UNDONE = "it goes on with an entry that was undone here"
    ANSWERED = "it goes on with an entry that was undone here, and the other seat has signed on that"
    FORKED = "another entry where the stored log goes on"

    @property
    def is_behind(self) -> bool:
        """Whether the store has everything in it that counts, and more."""
        return self in (Relation.OLDER, Relation.UNDONE)


class LogEntry(Protocol):
    """An entry: its id, and the seat that signed it."""

    @property
    def id(self) -> str:
        """64 hex digits."""

    @property
    def by(self) -> str:
        """The seat's name."""

    @property
    def key(self) -> str:
        """The key that takes a seat in this entry; else empty."""


def first_difference(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """The number of the first entry in which two logs differ, given the ids of their entries.

    If one log is the beginning of the other, it is the number of the first entry that only one has.
    """
    pairs = enumerate(zip(ours, theirs, strict=False))
    return next((n for n, (our_id, their_id) in pairs if our_id != their_id), min(len(ours), len(theirs)))


def find_double_signature(kept: Sequence[LogEntry], shown: Sequence[LogEntry]) -> int | None:
    """The number of the first two different entries, one per log, by the same key; None if there are none.

    The log decides which seat writes next, so this is the entry at which they diverge. But entry 1 may be by
    two people who take the same seat; then only the offerer's entries are by the same key.
    """
    n = first_difference([entry.id for entry in kept], [entry.id for entry in shown])
    if n > 1 or kept[n].key == shown[n].key:
        return n
    pairs = enumerate(zip(kept, shown, strict=False))
    return next((m for m, (entry, other) in pairs if m > 1 and entry.by == other.by == kept[0].by), None)


def compare_logs(kept: Sequence[LogEntry], shown: Sequence[LogEntry], handed: SignedEntries) -> Relation:
    """How the log `shown` relates to the stored one, given what was signed and undone here.

    Of two entries with the same number, the one counts after which the other seat has signed.
    """
    n = first_difference([entry.id for entry in kept], [entry.id for entry in shown])
    if n == len(shown):
        return Relation.EQUAL if n == len(kept) else Relation.OLDER
    relation, seat = Relation.EXTENDS if n == len(kept) else Relation.FORKED, shown[n].by
    if shown[n].id not in handed.undone:
        return relation
    if all(entry.by == seat for entry in shown[n:]):
        return Relation.UNDONE
    alone = all(entry.by == seat and entry.id in handed.signed for entry in kept[n:])
    return Relation.ANSWERED if alone else relation


def describe_relation(relation: Relation, kept: Sequence[LogLine], shown: Sequence[LogLine]) -> str:
    """How a log relates to the stored one, in words; empty if nothing differs."""
    match relation:
        case Relation.OLDER:
            return _describe_older(kept, shown)
        case Relation.EXTENDS:
            return _describe_newer(kept, shown)
        case Relation.FORKED:
            return _describe_fork(kept, shown)
        case Relation.UNDONE:
            n = first_difference(ids_of(kept), ids_of(shown))
            return tr("the file continues with entry {n}, which you have undone", n=n)
    return ""


def relation_error(relation: Relation, kept: Sequence[LogLine], shown: Sequence[LogLine]) -> StorageError:
    """The error for a log in which nothing may be signed."""
    why = describe_relation(relation, kept, shown)
    match relation:
        case Relation.OLDER:
            return OlderFile(why)
        case Relation.UNDONE:
            return UndoneEntry(why)
    return ForkedFile(why) if find_double_signature(kept, shown) else CompetingAccept(why)


def _describe_older(kept: Sequence[LogLine], shown: Sequence[LogLine]) -> str:
    """The statement that a file has only the beginning of the player's own copy."""
    return tr(
        "this file is older than yours: it ends with entry {shown}, yours with entry {kept}",
        shown=len(shown) - 1,
        kept=len(kept) - 1,
    )


def _describe_newer(kept: Sequence[LogLine], shown: Sequence[LogLine]) -> str:
    """The statement that a file continues after the end of the player's own copy."""
    return tr(
        "this file is newer than yours: it ends with entry {shown}, yours with entry {kept}",
        shown=len(shown) - 1,
        kept=len(kept) - 1,
    )


def _describe_fork(kept: Sequence[LogLine], shown: Sequence[LogLine]) -> str:
    """The statement that a file and the player's own copy diverge, and where; and what that proves.

    Two entries with the same number, signed with the same key, prove that its holder forked the game. Entry 1
    takes a free seat, perhaps for two people, and so proves nothing by itself.
    """
    n = first_difference([line.id for line in kept], [line.id for line in shown])
    twice = find_double_signature(kept, shown)
    counts = _describe_which_counts(kept, shown, n)
    if twice and twice > n:
        return tr(
            "this file has a different accept of the offer from yours, and {side} {side:has|have} "
            "played with both: both versions of entry {n} are signed by {side}, and the two "
            "signatures prove it",
            side=kept[twice].side,
            n=twice,
        )
    if twice is None:
        return tr(
            "this file has a different accept of the offer from your saved game, and an offer can "
            "be accepted only once: {counts}",
            counts=counts,
        )
    return tr(
        "from entry {n} on, this file has a different history from yours: {side} {side:has|have} "
        "signed both versions of entry {n}, and the two signatures prove it; {counts}. This file "
        "ends with entry {shown}, yours with entry {kept}",
        side=kept[n].side,
        n=n,
        counts=counts,
        shown=len(shown) - 1,
        kept=len(kept) - 1,
    )


def _describe_which_counts(kept: Sequence[LogLine], shown: Sequence[LogLine], n: int) -> str:
    """Which of two histories that diverge at entry `n` counts: the one in which the other seat has signed."""
    first = next(line for line in kept if line.by != kept[n].by)
    other, side = first.by, first.side
    match any(line.by == other for line in kept[n:]), any(line.by == other for line in shown[n:]):
        case True, False:
            return tr("yours counts, because {side} {side:has|have} continued it", side=side)
        case False, True:
            return tr("the one in this file counts, because {side} {side:has|have} continued it", side=side)
        case True, True:
            return tr("{side} {side:has|have} continued both", side=side)
        case _ if n == 1:
            return tr("the one that {side} received first counts", side=side)
        case _:
            return tr("{side} {side:has|have} not continued either yet", side=side)
