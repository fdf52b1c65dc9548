"""The games of a club: which log of each counts, who has won it, and which games stand apart."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from msgspec import Struct

from pbem.club.cache import Cache
from pbem.club.collect import Brief, whole
from pbem.club.forks import Fork, settled
from pbem.club.log import Log
from pbem.club.people import People, Person

FORFEIT = "forfeit"
"""The `way` of a game whose loser has signed two different entries of one number."""


class Game(Struct, frozen=True):
    """A game of the club.

    `file` contains the log (None: it was joined from parts), `heads` are the newest entries of all its logs;
    `way` and `winner` (a seat, empty for a draw) say how it ended; `exclusion` why it does not count, else
    empty.
    """

    log: Log
    game: str
    head: str
    file: Path | None
    heads: tuple[str, ...]
    way: str
    winner: str
    forks: tuple[Fork, ...]
    players: tuple[Person, ...]
    apart: str = ""

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return bool(self.way)

    @property
    def seats(self) -> dict[str, Person]:
        """The players by seat, in the alphabetical order of the seats."""
        held = zip((player.seat for player in self.log.players), self.players, strict=True)
        return dict(sorted(held))

    def score(self, seat: str) -> str:
        """`won`, `lost` or `drawn`, for a seat of a finished game."""
        return "drawn" if not self.winner else "won" if self.winner == seat else "lost"


class Wanted(Struct, frozen=True):
    """The games that a table includes: of a game, of an edition, with an entry since a day. Empty: all."""

    game: str = ""
    edition: str = ""
    since: str = ""

    def refuses(self, log: Log) -> str:
        """The reason why a game is not included; empty if it is."""
        if self.game not in ("", log.name):
            return "another game"
        if self.edition not in ("", log.edition):
            return "another edition"
        return "before the day" if log.last[: len(self.since)] < self.since else ""


def games_of(collected: list[Brief], cache: Cache, people: People, game_filter: Wanted) -> list[Game]:
    """Every game once, in the order of their ids."""
    games = []
    for _, group in groupby(
        sorted(collected, key=lambda log: (log.game, log.head)), key=lambda log: log.game
    ):
        by_head = {log.head: log for log in group}
        games += [
            _game(brief, tuple(by_head), forks, people, game_filter)
            for brief, forks in _counting(by_head, cache)
        ]
    return games


def _counting(by_head: dict[str, Brief], cache: Cache) -> list[tuple[Brief, tuple[Fork, ...]]]:
    """The logs of one game that count, and their forks; ids are needed only where there are several logs."""
    if len(by_head) == 1:
        return [(brief, ()) for brief in by_head.values()]
    return [
        (by_head[counting.log.head], counting.forks)
        for counting in settled([whole(log, cache) for log in by_head.values()])
    ]


def _game(
    collected: Brief, heads: tuple[str, ...], forks: tuple[Fork, ...], people: People, game_filter: Wanted
) -> Game:
    log = collected.log
    way, winner = log.way, log.winner
    if loser := next((fork.seat for fork in forks if fork.forfeits), ""):
        way, winner = FORFEIT, next(player.seat for player in log.players if player.seat != loser)
    players = tuple(people[player.key] for player in log.players)
    apart = _apart(log, players, people, game_filter)
    return Game(
        log, collected.game, collected.head, collected.file, heads, way, winner, forks, players, apart
    )


def _apart(log: Log, players: tuple[Person, ...], people: People, game_filter: Wanted) -> str:
    """The reason why a game does not count; empty if it does."""
    if len(players) < 2:
        return "an offer"
    if players[0] == players[1]:
        return "solitaire"
    if people.is_practice(log):
        return "practice"
    return "own scenario" if log.own else game_filter.refuses(log)
