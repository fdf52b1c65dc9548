"""A season: who plays whom with which side, in which rating period; and which game belongs to which pairing.

Clocks in a game are claims, so the season says for which period a game counts. It also says what no file can:
after how long a silence a game is adjudicated, and what the director has decided (`club.adjudication`). A
season can be made from its players: everybody plays everybody, and each plays both sides as equally as
possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Annotated

from msgspec import Meta, Struct

from pbem import games
from pbem.base import validation
from pbem.club.collect import Problem
from pbem.club.people import People
from pbem.club.results import DRAWN, GOES_ON, VOID, ClubGame
from pbem.core.rules import Rules
from pbem.errors import FileError
from pbem.format.entries import Name, SeatName
from pbem.format.yaml_reader import parse_yaml
from pbem.lookalikes import fold_name
from pbem.texts import Texts
from pbem.umpire.deadline import Deadline

tr = Texts("pbem")

PLAYED, BEGUN, TO_PLAY = "played", "begun", "to play"
"""The stages of a pairing."""

_MIN_ID_DIGITS = 8


class Pairing(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who plays which seat in a period; `game`, the beginning of an id, can name the game."""

    period: Annotated[int, Meta(ge=1, le=1000)]
    seats: dict[SeatName, Name]
    game: str = ""


class Decision(Struct, frozen=True, forbid_unknown_fields=True):
    """The director's decision about a game, and why.

    `game` is the beginning of its id; `result` the seat that wins, `draw`, `open` (it continues, whatever the
    clocks say) or `void` (it counts for nobody).
    """

    game: Annotated[
        str,
        Meta(
            pattern=r"\A[0-9a-f]{8,64}\Z",
            description="at least 8 digits of a game's id, in quotation marks",
        ),
    ]
    result: str
    reason: Annotated[str, Meta(min_length=1, max_length=500, description="a reason of 1 to 500 characters")]


class Season(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The content of `season.yaml`.

    It has its name, the game's name, the edition (empty: any), the pairings, and the director's settings:
    after how long a `silence` a game is adjudicated (`30d`; empty: never), today's `day` (`2027-06-30`;
    empty: not stated), and the decisions.
    """

    season: Name
    game: str
    edition: str = ""
    silence: str = ""
    day: Annotated[
        str, Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}\Z", description="a day such as 2027-01-31")
    ] = ""
    pairings: list[Pairing] = []
    decisions: list[Decision] = []

    @property
    def longest_silence(self) -> timedelta | None:
        """The silence after which a game is adjudicated; None if none ever is. Raises `FileError`."""
        return Deadline.parse(self.silence).length if self.silence else None

    @property
    def morning(self) -> datetime | None:
        """The beginning of the director's day (UTC); None if it is not stated. Raises `FileError`."""
        if not self.day:
            return None
        try:
            return datetime.combine(date.fromisoformat(self.day), datetime.min.time(), UTC)
        except ValueError:
            raise FileError(tr("'{found}' is not a day such as 2027-01-31", found=self.day)) from None


class ScheduledGame(Struct, frozen=True):
    """A pairing of a season, with display names by seat, the name of its rules, and its game once begun."""

    pairing: Pairing
    seats: Mapping[str, str]
    game: ClubGame | None
    rules: str

    @property
    def stage(self) -> str:
        """`played`, `begun` or `to play`."""
        return TO_PLAY if self.game is None else PLAYED if self.game.is_over else BEGUN


def read_season(data: bytes) -> Season:
    """Parse and check `season.yaml`. Raises `FileError` if it is invalid, or its game is not installed."""
    season = validation.convert(parse_yaml(data), Season, "")
    try:
        seats = sorted(games.load(season.game).seats)
    except FileError as error:
        raise FileError(error.problem, where="game") from None
    for number, pairing in enumerate(season.pairings):
        if sorted(pairing.seats) != seats:
            found, expected = ", ".join(sorted(pairing.seats)[:5]), ", ".join(seats)
            problem = tr("must be {expected}, not {found}", found=found or "{}", expected=expected)
            raise FileError(problem, where=f"pairings[{number}].seats")
    for key in ("silence", "day"):
        _check_director_word(season, key)
    results = [*seats, DRAWN, GOES_ON, VOID]
    for number, decision in enumerate(season.decisions):
        if decision.result not in results:
            problem = tr(
                "must be one of {names}, not {found}",
                names=", ".join(results),
                found=validation.describe_value(decision.result),
            )
            raise FileError(problem, where=f"decisions[{number}].result")
        if not decision.reason.isprintable():
            raise FileError(tr("must be on one line"), where=f"decisions[{number}].reason")
    return season


def _check_director_word(season: Season, key: str) -> None:
    """Raise `FileError` for a silence or a day that is not valid, with its place."""
    try:
        _ = season.longest_silence if key == "silence" else season.morning
    except FileError as error:
        raise FileError(error.problem, where=key) from None


def match_pairings(
    season: Season, played: Sequence[ClubGame], people: People, file: str
) -> tuple[list[ScheduledGame], list[Problem]]:
    """Each pairing with its game, and the problems of the season. No game counts for two pairings."""
    problems = [] if season.pairings else [Problem(file, "the season names nobody")]
    missing = sorted({name for pairing in season.pairings for name in pairing.seats.values()})
    for name in missing:
        player = people.find(name)
        if player is None:
            problems.append(Problem(file, f"the season names {name!r}, who has no key here"))
        elif people.has_members and not player.member:
            problems.append(Problem(file, f"the season names {name!r}, who is not a member"))
    free = {game.head: game for game in played if _is_season_game(season, game)}
    scheduled: dict[int, ScheduledGame] = {}
    order = sorted(range(len(season.pairings)), key=lambda n: (not season.pairings[n].game, n))
    for number in order:  # pairings that name their game come first
        pairing = season.pairings[number]
        fitting = [game for game in free.values() if _is_game_of(pairing, game)]
        if pairing.game and not fitting:
            problems.append(
                Problem(
                    file, f"no game {pairing.game[:16]!r} is between those of {_describe_pairing(pairing)}"
                )
            )
        if len(fitting) > 1:
            ids = ", ".join(game.game[:_MIN_ID_DIGITS] for game in fitting)
            problem = (
                f"{len(fitting)} games fit {_describe_pairing(pairing)}: {ids}; 'game' says which counts"
            )
            problems.append(Problem(file, problem))
        chosen = min(fitting, key=lambda game: (game.log.begun, game.game), default=None)
        if chosen:
            del free[chosen.head]
        seats = {seat: _known_name(people, name) for seat, name in pairing.seats.items()}
        scheduled[number] = ScheduledGame(pairing, dict(sorted(seats.items())), chosen, season.game)
    return [scheduled[number] for number in sorted(scheduled)], problems


def _is_season_game(season: Season, game: ClubGame) -> bool:
    """Whether a game can belong to the season."""
    right = game.log.name == season.game and season.edition in ("", game.log.edition)
    return right and not game.exclusion


def _is_game_of(pairing: Pairing, game: ClubGame) -> bool:
    """Whether a game is between the players of this pairing, in the same seats."""
    players = {seat: fold_name(person.display_name) for seat, person in game.seats.items()}
    wanted = {seat: fold_name(name) for seat, name in pairing.seats.items()}
    return players == wanted and game.game.startswith(pairing.game)


def _known_name(people: People, name: str) -> str:
    person = people.find(name)
    return person.display_name if person else name


def _describe_pairing(pairing: Pairing) -> str:
    players = ", ".join(f"{seat} {name!r}" for seat, name in pairing.seats.items())
    return f"the pairing of {players} in period {pairing.period}"


def make_round_robin(name: str, rules: Rules, edition: str, players: Sequence[str], twice: bool) -> Season:
    """A season as a round robin of the players in this order, one round per period.

    A player has one side at most once more than the other; with `twice` each pair meets again with sides
    changed.
    """
    first_seat, second_seat = sorted(rules.seats)
    pairings = []
    rounds = list(_rounds(len(players)))
    for leg in range(2 if twice else 1):
        for number, pairs in enumerate(rounds, 1 + leg * len(rounds)):
            for pair in pairs:
                first, second = reversed(pair) if leg else pair
                pairings.append(Pairing(number, {first_seat: players[first], second_seat: players[second]}))
    return Season(name, rules.name, edition, pairings=pairings)


def _rounds(number: int) -> Iterator[list[tuple[int, int]]]:
    """The rounds by the circle method: all but the last rotate; with an odd number one has a bye."""
    places = number + number % 2
    for turn in range(places - 1):
        circle = [*((turn + at) % (places - 1) for at in range(places - 1)), places - 1]
        pairs = (sorted((circle[at], circle[places - 1 - at])) for at in range(places // 2))
        yield sorted(_assign_sides(low, high) for low, high in pairs if high < number)


def _assign_sides(low: int, high: int) -> tuple[int, int]:
    """The two players, first the one with the first side; each has it equally often, give or take one."""
    return (low, high) if (low + high) % 2 else (high, low)
