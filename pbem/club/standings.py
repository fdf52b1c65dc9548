"""The standings of a club: results, ratings, the advantage of each seat, and the games still open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext

from msgspec import Struct, field

from pbem.club.glicko import Match, Rating, period
from pbem.club.people import People, Person
from pbem.club.results import FORFEIT, Game
from pbem.club.season import Played

_EVEN = 5
"""Fictitious wins added to each side before a seat's advantage is computed: few games say little."""

_SCORES = {"won": Decimal(1), "drawn": Decimal("0.5"), "lost": Decimal(0)}
_EXACT = Context(prec=34, rounding=ROUND_HALF_EVEN)


class Tally(Struct):
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


class Row(Struct):
    """A player's row; `forfeits` of his losses are for having signed two entries of one number."""

    person: Person
    rating: Rating
    all: Tally = field(default_factory=Tally)
    forfeits: int = 0
    seats: dict[tuple[str, str], Tally] = field(default_factory=dict)
    editions: dict[tuple[str, str], Tally] = field(default_factory=dict)
    opponents: dict[str, Tally] = field(default_factory=dict)


class Seat(Struct, frozen=True):
    """The results of a seat in a scenario and edition; `edge` is its advantage in rating points."""

    game: str
    scenario: str
    edition: str
    seat: str
    tally: Tally
    edge: Decimal


class Table(Struct, frozen=True):
    """The standings. `games` are all, the excluded too; `open` those unfinished, the most urgent first."""

    rows: list[Row]
    seats: list[Seat]
    games: list[Game]
    open: list[Game]
    pairings: list[Played]


def table(games: list[Game], people: People, pairings: Sequence[Played] | None) -> Table:
    """The standings from all games; with a season only its games count, period by period."""
    counting = [one for one in games if not one.apart]
    if pairings is None:
        periods = [[one for one in counting if one.over]]
        open_now = [one for one in counting if not one.over]
    else:
        periods = _periods(pairings)
        open_now = [one.game for one in pairings if one.game and not one.game.over]
    done = [one for games_of_period in periods for one in games_of_period]
    seats = _seats(done)
    ratings = _rated(periods, seats)
    rows = [Row(person, ratings[person.called]) for person in people.all if person.called in ratings]
    by_name = {row.person.called: row for row in rows}
    for game in done:
        for seat, person in game.seats.items():
            _count(by_name[person.called], game, seat)
    return Table(
        sorted(rows, key=lambda row: (-row.rating.rating, row.person.called)),
        [one for pair in seats.values() for one in pair],
        games,
        sorted(open_now, key=_urgency),
        list(pairings or ()),
    )


def _periods(pairings: Iterable[Played]) -> list[list[Game]]:
    """The finished games by period, up to the last period that has any."""
    by_period: dict[int, list[Game]] = {}
    for scheduled in pairings:
        if scheduled.game and scheduled.game.over:
            by_period.setdefault(scheduled.pairing.period, []).append(scheduled.game)
    return [by_period.get(number, []) for number in range(1, max(by_period, default=0) + 1)]


def _urgency(game: Game) -> tuple[bool, str, str, str]:
    """The sort key by urgency: the earliest deadline first, then games that have waited longest."""
    return not game.log.until, game.log.until, game.log.since, game.game


def _kind(game: Game) -> tuple[str, str, str]:
    return game.log.name, game.log.scenario, game.log.edition


def _seats(games: list[Game]) -> dict[tuple[str, str, str], tuple[Seat, Seat]]:
    """The results of both seats, by game, scenario and edition."""
    tallies: dict[tuple[str, str, str], dict[str, Tally]] = {}
    for game in games:
        pair = tallies.setdefault(_kind(game), {seat: Tally() for seat in game.seats})
        for seat, tally in pair.items():
            tally.add(game.score(seat))
    results: dict[tuple[str, str, str], tuple[Seat, Seat]] = {}
    for kind, pair in sorted(tallies.items()):
        first, second = pair
        edge = advantage(pair[first])
        results[kind] = (Seat(*kind, first, pair[first], edge), Seat(*kind, second, pair[second], -edge))
    return results


def advantage(tally: Tally) -> Decimal:
    """The advantage of a seat with these results, in rating points.

    By so much a player of the other seat must be stronger for even chances, if on average the players of both
    seats were equally strong.
    """
    with localcontext(_EXACT):
        half = Decimal(tally.drawn) / 2
        return 400 * ((tally.won + half + _EVEN) / (tally.lost + half + _EVEN)).log10()


def _rated(
    periods: list[list[Game]], seats: dict[tuple[str, str, str], tuple[Seat, Seat]]
) -> dict[str, Rating]:
    """The rating of every player after all periods."""
    ratings: dict[str, Rating] = {}
    for games in periods:
        matches = []
        for game in sorted(games, key=lambda one: one.head):
            (seat, one), (_, other) = game.seats.items()
            edge = next(each.edge for each in seats[_kind(game)] if each.seat == seat)
            matches.append(Match(one.called, other.called, _SCORES[game.score(seat)], edge))
        ratings = period(ratings, matches)
    return ratings


def _count(row: Row, game: Game, seat: str) -> None:
    """Add a game to the row of the player of this seat."""
    score = game.score(seat)
    opponent = next(person.called for other, person in game.seats.items() if other != seat)
    row.all.add(score)
    row.forfeits += game.way == FORFEIT and score == "lost"
    for tallies, key in (
        (row.seats, (game.log.name, seat)),
        (row.editions, (game.log.name, game.log.edition)),
    ):
        tallies.setdefault(key, Tally()).add(score)
    row.opponents.setdefault(opponent, Tally()).add(score)
