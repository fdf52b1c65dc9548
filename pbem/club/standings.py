"""The standings of a club: results, ratings, the advantage of each seat, and the games still open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext

from msgspec import Struct, field

from pbem.club.glicko import RatedGame, Rating, rate_period
from pbem.club.people import ClubPlayer, People
from pbem.club.results import FORFEIT, ClubGame
from pbem.club.season import ScheduledGame

_PRIOR_WINS = 5
"""Fictitious wins added to each side before a seat's advantage is computed: few games say little."""

_SCORES = {"won": Decimal(1), "drawn": Decimal("0.5"), "lost": Decimal(0)}
_EXACT = Context(prec=34, rounding=ROUND_HALF_EVEN)


class WinLossDraw(Struct):
    """Games won, lost and drawn."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def games(self) -> int:
        """The number of all games."""
        return self.won + self.lost + self.drawn

    def add(self, score: str) -> None:
        """Count one more game, `won`, `lost` or `drawn`."""
        setattr(self, score, getattr(self, score) + 1)


class StandingsRow(Struct):
    """A player's row.

    `forfeits` of the losses are for signing two entries with the same number; `adjudged` of the games were
    ended by silence or the director.
    """

    person: ClubPlayer
    rating: Rating
    all: WinLossDraw = field(default_factory=WinLossDraw)
    forfeits: int = 0
    adjudged: int = 0
    seats: dict[tuple[str, str], WinLossDraw] = field(default_factory=dict)
    editions: dict[tuple[str, str], WinLossDraw] = field(default_factory=dict)
    opponents: dict[str, WinLossDraw] = field(default_factory=dict)


class SeatResults(Struct, frozen=True):
    """The results of a seat in a scenario and edition; `edge` is its advantage in rating points."""

    game: str
    scenario: str
    edition: str
    seat: str
    tally: WinLossDraw
    edge: Decimal


class Standings(Struct, frozen=True):
    """The standings. `games` has all games, even excluded ones; `open` the unfinished, by urgency."""

    rows: list[StandingsRow]
    seats: list[SeatResults]
    games: list[ClubGame]
    open: list[ClubGame]
    pairings: list[ScheduledGame]

    @property
    def adjudged(self) -> list[ClubGame]:
        """The games decided by silence or the director, and those the director keeps open."""
        return [game for game in self.games if game.is_adjudged or game.reason]


def compute_standings(
    games: list[ClubGame], people: People, pairings: Sequence[ScheduledGame] | None
) -> Standings:
    """The standings from all games; in a season, only its games count, period by period."""
    counting = [one for one in games if not one.exclusion]
    if pairings is None:
        periods = [[one for one in counting if one.is_over]]
        open_now = [one for one in counting if not one.is_over]
    else:
        periods = _games_by_period(pairings)
        open_now = [one.game for one in pairings if one.game and not one.game.is_over]
    done = [one for games_of_period in periods for one in games_of_period]
    seats = _seat_results(done)
    ratings = _rate_players(periods, seats)
    rows = [
        StandingsRow(person, ratings[person.display_name])
        for person in people.all
        if person.display_name in ratings
    ]
    by_name = {row.person.display_name: row for row in rows}
    for game in done:
        for seat, person in game.seats.items():
            _count_game(by_name[person.display_name], game, seat)
    return Standings(
        sorted(rows, key=lambda row: (-row.rating.rating, row.person.display_name)),
        [one for pair in seats.values() for one in pair],
        games,
        sorted(open_now, key=_urgency),
        list(pairings or ()),
    )


def _games_by_period(pairings: Iterable[ScheduledGame]) -> list[list[ClubGame]]:
    """The finished games by period, up to the last period that has any."""
    by_period: dict[int, list[ClubGame]] = {}
    for scheduled in pairings:
        if scheduled.game and scheduled.game.is_over:
            by_period.setdefault(scheduled.pairing.period, []).append(scheduled.game)
    return [by_period.get(number, []) for number in range(1, max(by_period, default=0) + 1)]


def _urgency(game: ClubGame) -> tuple[bool, str, str, str]:
    """The sort key by urgency: the earliest deadline first, then the games that have waited longest."""
    return not game.log.until, game.log.until, game.log.since, game.game


def _kind(game: ClubGame) -> tuple[str, str, str]:
    return game.log.name, game.log.scenario, game.log.edition


def _seat_results(games: list[ClubGame]) -> dict[tuple[str, str, str], tuple[SeatResults, SeatResults]]:
    """The results of both seats, by game, scenario and edition."""
    tallies: dict[tuple[str, str, str], dict[str, WinLossDraw]] = {}
    for game in games:
        pair = tallies.setdefault(_kind(game), {seat: WinLossDraw() for seat in game.seats})
        for seat, tally in pair.items():
            tally.add(game.score(seat))
    results: dict[tuple[str, str, str], tuple[SeatResults, SeatResults]] = {}
    for kind, pair in sorted(tallies.items()):
        first, second = pair
        edge = advantage(pair[first])
        results[kind] = (
            SeatResults(*kind, first, pair[first], edge),
            SeatResults(*kind, second, pair[second], -edge),
        )
    return results


def advantage(tally: WinLossDraw) -> Decimal:
    """The advantage of a seat with these results, in rating points.

    A player of the other seat must be this much stronger for even chances, assuming that the players of both
    seats were equally strong on average.
    """
    with localcontext(_EXACT):
        half = Decimal(tally.drawn) / 2
        return 400 * ((tally.won + half + _PRIOR_WINS) / (tally.lost + half + _PRIOR_WINS)).log10()


def _rate_players(
    periods: list[list[ClubGame]], seats: dict[tuple[str, str, str], tuple[SeatResults, SeatResults]]
) -> dict[str, Rating]:
    """The rating of every player after all periods."""
    ratings: dict[str, Rating] = {}
    for games in periods:
        matches = []
        for game in sorted(games, key=lambda one: one.head):
            (seat, one), (_, other) = game.seats.items()
            edge = next(each.edge for each in seats[_kind(game)] if each.seat == seat)
            matches.append(RatedGame(one.display_name, other.display_name, _SCORES[game.score(seat)], edge))
        ratings = rate_period(ratings, matches)
    return ratings


def _count_game(row: StandingsRow, game: ClubGame, seat: str) -> None:
    """Add a game to the row of this seat's player."""
    score = game.score(seat)
    opponent = next(person.display_name for other, person in game.seats.items() if other != seat)
    row.all.add(score)
    row.forfeits += game.way == FORFEIT and score == "lost"
    row.adjudged += game.is_adjudged
    for tallies, key in (
        (row.seats, (game.log.name, seat)),
        (row.editions, (game.log.name, game.log.edition)),
    ):
        tallies.setdefault(key, WinLossDraw()).add(score)
    row.opponents.setdefault(opponent, WinLossDraw()).add(score)
