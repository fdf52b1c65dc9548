"""The log of a game that counts, where there are several (FORMAT 6).

Where a key has signed two different entries of one number, the one on which the other seat has signed
counts; where that settles nothing, whoever signed twice forfeits. So nobody can void a defeat.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from msgspec import Struct

from pbem.club.log import VerifiedLog

OFFERER, ACCEPTER = "0", "1"
"""The signers of an entry, as in `VerifiedLog.signers`."""


class Fork(Struct, frozen=True):
    """A seat has signed different entries `n`, with these ids; `counts` is the id of the one that counts.

    If none does, it is empty, and the seat `forfeits`.
    """

    seat: str
    key: str
    n: int
    ids: tuple[str, ...]
    counts: str = ""

    @property
    def forfeits(self) -> bool:
        """Whether the seat loses the game for having signed twice."""
        return not self.counts


class CountingLog(Struct, frozen=True):
    """The log of a game that counts, and its forks; after a forfeit it is the longest log."""

    log: VerifiedLog
    forks: tuple[Fork, ...] = ()


def resolve_forks(logs: Sequence[VerifiedLog]) -> list[CountingLog]:
    """The logs of one game that count: one for each opponent whom the offerer has answered.

    Where several have accepted and the offerer has answered none, the first by its id stands for all. An
    offerer who has answered two has signed entry 2 twice, and forfeits to each.
    """
    taken = [log for log in logs if len(log.players) > 1]
    by_key: dict[str, list[VerifiedLog]] = {}
    for log in taken:
        by_key.setdefault(log.players[1].key, []).append(log)
    if not by_key:
        return [CountingLog(logs[0])]
    answered = {
        key: group for key, group in by_key.items() if any(OFFERER in log.signers[2:] for log in group)
    }
    if not answered:
        return [
            min(
                (_resolve_branches(group) for group in by_key.values()),
                key=lambda counting: counting.log.head,
            )
        ]
    if len(answered) == 1:
        return [_resolve_branches(group) for group in answered.values()]
    seconds = sorted(
        {log.id(_first_reply(log)) for group in answered.values() for log in group if _first_reply(log)}
    )
    return [_forfeit_by_offerer(group, tuple(seconds)) for _, group in sorted(answered.items())]


def _first_reply(log: VerifiedLog) -> int:
    """The number of the offerer's first entry after an accept; 0 if there is none."""
    return max(log.signers.find(OFFERER, 2), 0)


def _forfeit_by_offerer(logs: Sequence[VerifiedLog], ids: tuple[str, ...]) -> CountingLog:
    """The counting log, forfeited by an offerer who has answered more than one accept."""
    log = _longest_log(logs)
    offerer = log.players[0]
    return CountingLog(log, (Fork(offerer.seat, offerer.key, _first_reply(log), ids),))


def _resolve_branches(logs: Sequence[VerifiedLog]) -> CountingLog:
    """The counting log among those of one game between the same two keys."""
    forks: list[Fork] = []
    alive = [log for log in logs if not any(_is_continuation(other, log) for other in logs)]
    while len(alive) > 1:
        n = next(n for n in count() if len({log.id(n) for log in alive}) > 1)
        signer = alive[0].signers[n]
        branches: dict[str, list[VerifiedLog]] = {}
        for log in alive:
            branches.setdefault(log.id(n), []).append(log)
        other = OFFERER if signer == ACCEPTER else ACCEPTER
        signed_on = [
            entry_id
            for entry_id, branch in branches.items()
            if any(other in log.signers[n:] for log in branch)
        ]
        counts = signed_on[0] if len(signed_on) == 1 else ""
        player = alive[0].players[int(signer)]
        forks.append(Fork(player.seat, player.key, n, tuple(sorted(branches)), counts))
        if not counts:
            return CountingLog(_longest_log(alive), tuple(forks))
        alive = branches[counts]
    return CountingLog(alive[0], tuple(forks))


def _is_continuation(longer: VerifiedLog, log: VerifiedLog) -> bool:
    """Whether the first log continues the second."""
    return len(longer.ids) > len(log.ids) and longer.ids.startswith(log.ids)


def _longest_log(logs: Sequence[VerifiedLog]) -> VerifiedLog:
    return min(logs, key=lambda log: (-len(log.ids), log.head))
