"""The relation of a log to the stored one, by the ids of their entries alone (FORMAT 6)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Protocol

from pbem.player.store.signed_entries import SignedEntries


class Relation(Enum):
    """The relation of a log to the stored one, by ids alone."""

    NEW = "the shelf does not hold the game"
    EQUAL = "the same entries"
    EXTENDS = "all entries of the shelf's log, and more"
    OLDER = "a shorter beginning of the shelf's log"
    UNDONE = "it goes on with an entry that was undone here"
    ANSWERED = "it goes on with an entry that was undone here, and the other seat has signed on that"
    FORKED = "another entry where the shelf's log goes on"

    @property
    def is_behind(self) -> bool:
        """Whether the store has all of it that counts, and more."""
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
        """The key that takes a seat with it; else empty."""


def first_difference(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """The number of the first entry in which two logs differ, given the ids of their entries.

    Where one log is a beginning of the other, it is the number of the first entry that only one has.
    """
    pairs = enumerate(zip(ours, theirs, strict=False))
    return next((n for n, (our_id, their_id) in pairs if our_id != their_id), min(len(ours), len(theirs)))


def find_double_signature(kept: Sequence[LogEntry], shown: Sequence[LogEntry]) -> int | None:
    """The first number of two different entries, one in each log, that one key has signed; None without.

    The log decides which seat writes next, so that is the entry at which they diverge. But entry 1 may be by
    two people who take one seat: then only the offerer's entries are by one key.
    """
    n = first_difference([entry.id for entry in kept], [entry.id for entry in shown])
    if n > 1 or kept[n].key == shown[n].key:
        return n
    pairs = enumerate(zip(kept, shown, strict=False))
    return next((m for m, (entry, other) in pairs if m > 1 and entry.by == other.by == kept[0].by), None)


def compare_logs(kept: Sequence[LogEntry], shown: Sequence[LogEntry], handed: SignedEntries) -> Relation:
    """The relation of the log `shown` to the stored one, given what was signed and undone here.

    Of two entries with one number, that one counts after which the other seat has signed.
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
