"""The games of a club: which log of each counts, who won, and which games are excluded.

If there are several logs of a game (FORMAT 6), and a key has signed two different entries with the same
number, the one after which the other seat has signed counts; if that settles nothing, the player who signed
twice forfeits. So nobody can void a defeat.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, groupby
from pathlib import Path

from msgspec import Struct

from pbem.club.classify import VerifiedLog
from pbem.club.collect import Cache, CollectedLog, log_with_ids
from pbem.club.people import ClubPlayer, People

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
    """The log of a game that counts, and its forks; after a forfeit, the longest log."""

    log: VerifiedLog
    forks: tuple[Fork, ...] = ()


def resolve_forks(logs: Sequence[VerifiedLog]) -> list[CountingLog]:
    """The logs of one game that count: one for each opponent the offerer has answered.

    If several players have accepted and the offerer has answered none, the first by its id stands for all. An
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


FORFEIT = "forfeit"
"""The `way` of a game whose loser has signed two different entries with the same number."""

SILENCE, DIRECTOR = "silence", "director"
"""The `way` of an adjudicated game: its loser has stopped writing, or the director has decided it."""

DRAWN, GOES_ON, VOID = "draw", "open", "void"
"""What the director can decide besides the victory of a seat: a void game counts for nobody."""


class ClubGame(Struct, frozen=True):
    """A game of the club.

    `file` contains the log (None: it was joined from parts), `heads` are the newest entries of all its logs;
    `way` and `winner` (a seat, empty for a draw) say how it ended; `exclusion` why it does not count, else
    empty; `reason` why the director decided it, if they did.
    """

    log: VerifiedLog
    game: str
    head: str
    file: Path | None
    heads: tuple[str, ...]
    way: str
    winner: str
    forks: tuple[Fork, ...]
    players: tuple[ClubPlayer, ...]
    exclusion: str = ""
    reason: str = ""

    @property
    def is_adjudged(self) -> bool:
        """Whether the season's rule on silence or the director ended it, rather than the game."""
        return self.way in (SILENCE, DIRECTOR)

    @property
    def adjudged_result(self) -> str:
        """The decision by silence or the director: a seat, `draw`, `open` or `void`."""
        if self.exclusion == VOID:
            return VOID
        return (self.winner or DRAWN) if self.is_over else GOES_ON

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return bool(self.way)

    @property
    def seats(self) -> dict[str, ClubPlayer]:
        """The players by seat, in the alphabetical order of the seats."""
        held = zip((player.seat for player in self.log.players), self.players, strict=True)
        return dict(sorted(held))

    def score(self, seat: str) -> str:
        """`won`, `lost` or `drawn`, for a seat of a finished game."""
        return "drawn" if not self.winner else "won" if self.winner == seat else "lost"


class GameFilter(Struct, frozen=True):
    """The games a table includes: of a game, of an edition, with an entry since a day. Empty: all."""

    game: str = ""
    edition: str = ""
    since: str = ""

    def exclusion(self, log: VerifiedLog) -> str:
        """The reason why a game is not included; empty if it is."""
        if self.game not in ("", log.name):
            return "another game"
        if self.edition not in ("", log.edition):
            return "another edition"
        return "before the day" if log.last[: len(self.since)] < self.since else ""


def assemble_games(
    collected: list[CollectedLog], cache: Cache, people: People, game_filter: GameFilter
) -> list[ClubGame]:
    """Every game once, in the order of their ids."""
    games = []
    for _, group in groupby(
        sorted(collected, key=lambda log: (log.game, log.head)), key=lambda log: log.game
    ):
        by_head = {log.head: log for log in group}
        games += [
            _make_game(brief, tuple(by_head), forks, people, game_filter)
            for brief, forks in _counting_logs(by_head, cache)
        ]
    return games


def _counting_logs(
    by_head: dict[str, CollectedLog], cache: Cache
) -> list[tuple[CollectedLog, tuple[Fork, ...]]]:
    """The logs of one game that count, and their forks; ids are needed only if there are several logs."""
    if len(by_head) == 1:
        return [(brief, ()) for brief in by_head.values()]
    return [
        (by_head[counting.log.head], counting.forks)
        for counting in resolve_forks([log_with_ids(log, cache) for log in by_head.values()])
    ]


def _make_game(
    collected: CollectedLog,
    heads: tuple[str, ...],
    forks: tuple[Fork, ...],
    people: People,
    game_filter: GameFilter,
) -> ClubGame:
    log = collected.log
    way, winner = log.way, log.winner
    if loser := next((fork.seat for fork in forks if fork.forfeits), ""):
        way, winner = FORFEIT, next(player.seat for player in log.players if player.seat != loser)
    players = tuple(people[player.key] for player in log.players)
    apart = _exclusion(log, players, people, game_filter)
    return ClubGame(
        log, collected.game, collected.head, collected.file, heads, way, winner, forks, players, apart
    )


def _exclusion(
    log: VerifiedLog, players: tuple[ClubPlayer, ...], people: People, game_filter: GameFilter
) -> str:
    """The reason why a game does not count; empty if it does."""
    if len(players) < 2:
        return "an offer"
    if players[0] == players[1]:
        return "solitaire"
    if people.is_practice(log):
        return "practice"
    if people.has_members and not all(player.member for player in players):
        return "not a member"
    return "own scenario" if log.own else game_filter.exclusion(log)
