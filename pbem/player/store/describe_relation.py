"""The relation of a file to the player's own copy of the game, in words: older, newer, another history.

"Yours" is the longest log of the game that this computer has seen (FORMAT section 6).
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import CompetingAccept, ForkedFile, OlderFile, StorageError, UndoneEntry
from pbem.player.store.relation import Relation, find_double_signature, first_difference
from pbem.player.store.stored_log import LogLine, ids_of
from pbem.texts import Texts

tr = Texts("pbem")


def describe_relation(relation: Relation, kept: Sequence[LogLine], shown: Sequence[LogLine]) -> str:
    """The relation of a log to the stored one, in words; empty where nothing differs."""
    match relation:
        case Relation.OLDER:
            return _describe_older(kept, shown)
        case Relation.EXTENDS:
            return _describe_newer(kept, shown)
        case Relation.FORKED:
            return _describe_fork(kept, shown)
        case Relation.UNDONE:
            n = first_difference(ids_of(kept), ids_of(shown))
            return tr("the file goes on with entry {n}, which you have undone", n=n)
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
    """The statement that a file holds only the beginning of the player's own copy."""
    return tr(
        "this file is older than yours: it ends with entry {shown}, yours with entry {kept}",
        shown=len(shown) - 1,
        kept=len(kept) - 1,
    )


def _describe_newer(kept: Sequence[LogLine], shown: Sequence[LogLine]) -> str:
    """The statement that a file continues where the player's own copy ends."""
    return tr(
        "this file is newer than yours: it ends with entry {shown}, yours with entry {kept}",
        shown=len(shown) - 1,
        kept=len(kept) - 1,
    )


def _describe_fork(kept: Sequence[LogLine], shown: Sequence[LogLine]) -> str:
    """The statement that a file and the player's own copy diverge, and where; what that proves about whom.

    Two entries of one number, signed by one key, prove that its holder forked the game. Entry 1 takes a free
    seat, perhaps for two people: that alone proves nothing.
    """
    n = first_difference([line.id for line in kept], [line.id for line in shown])
    twice = find_double_signature(kept, shown)
    counts = _describe_which_counts(kept, shown, n)
    if twice and twice > n:
        return tr(
            "this file has another accept of the offer than yours, and {side} {side:has|have} played with "
            "both: both entries {n} are signed by {side}, and the two signatures prove that",
            side=kept[twice].side,
            n=twice,
        )
    if twice is None:
        return tr(
            "this file has another accept of the offer than your saved game, and an offer is "
            "accepted only once: {counts}",
            counts=counts,
        )
    return tr(
        "from entry {n} on this file is another history than yours: {side} {side:has|have} signed both "
        "entries {n}, and the two signatures prove that; {counts}; this file ends with entry {shown}, yours "
        "with entry {kept}",
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
            return tr("yours counts, for {side} {side:has|have} signed on it", side=side)
        case False, True:
            return tr("that of this file counts, for {side} {side:has|have} signed on it", side=side)
        case True, True:
            return tr("{side} {side:has|have} signed on both", side=side)
        case _ if n == 1:
            return tr("the one counts that {side} got first", side=side)
        case _:
            return tr("{side} {side:has|have} signed on neither yet", side=side)
