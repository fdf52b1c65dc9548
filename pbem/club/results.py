"""The games of a club: which log of each counts, who has won it, and which games stand apart."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from msgspec import Struct

from pbem.club.cache import Cache
from pbem.club.collect import CollectedLog, log_with_ids
from pbem.club.forks import Fork, resolve_forks
from pbem.club.log import VerifiedLog
from pbem.club.people import ClubPlayer, People

FORFEIT = "forfeit"
"""The `way` of a game whose loser has signed two different entries of one number."""


class ClubGame(Struct, frozen=True):
    """A game of the club.

    `file` contains the log (None: it was joined from parts), `heads` are the newest entries of all its logs;
    `way` and `winner` (a seat, empty for a draw) say how it ended; `exclusion` why it does not count, else
    empty.
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
    """The games that a table includes: of a game, of an edition, with an entry since a day. Empty: all."""

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
    """The logs of one game that count, and their forks; ids are needed only where there are several logs."""
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
    return "own scenario" if log.own else game_filter.exclusion(log)
