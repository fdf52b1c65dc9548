"""A club's table, made from its files, and the record of its sources."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from pbem import __version__
from pbem.base.files import read_regular
from pbem.base.worker_pool import WorkerPool
from pbem.club.adjudication import adjudge_silence, apply_decisions
from pbem.club.collect import Cache, CollectedLog, Problem, ProgressListener, collect_games, find_files
from pbem.club.people import Members, People, read_members
from pbem.club.results import ClubGame, GameFilter, assemble_games
from pbem.club.season import ScheduledGame, match_pairings, read_season
from pbem.club.standings import Standings, compute_standings
from pbem.errors import FileError, system_reason
from pbem.format.canonical import canonical_form
from pbem.render.safe_text import safe_text
from pbem.texts import Texts

tr = Texts("pbem")

T = TypeVar("T")

GAMES_FILE, STANDINGS_FILE, DATA_FILE, PROBLEMS_FILE, PAGE_FILE = (
    "games.csv",
    "standings.csv",
    "standings.json",
    "problems.csv",
    "club.html",
)
"""The files of a club's table."""

PAGES_FOLDER = "pages"
"""The folder of the games' pages, beside those files."""

MEMBERS_FILE = "members.yaml"
"""The default name of the members' file."""


class TableRequest(Struct, frozen=True, kw_only=True):
    """The sources and the scope of a table.

    `places` are folders, mailboxes and files; `out` is the folder of the tables, which is not searched for
    games. `as_of` is the time, in the format of files, by which moves are overdue; empty: the season's day,
    and if it names none, no move is overdue.
    """

    places: tuple[Path, ...]
    out: Path
    members: Path | None = None
    season: Path | None = None
    game_filter: GameFilter = GameFilter()
    as_of: str = ""


class ClubTable(Struct, frozen=True):
    """The standings, the players, the problems, and as data the `source` all this was made from."""

    standings: Standings
    people: People
    problems: list[Problem]
    source: dict[str, Any]
    language: str
    title: str
    as_of: str

    @property
    def digest(self) -> str:
        """The digest of `source`."""
        return sha256(canonical_form(self.source)).hexdigest()


def make_table(
    request: TableRequest, cache: Cache, pool: WorkerPool, listener: ProgressListener, program: str = ""
) -> ClubTable:
    """Collect the games and make the table. Raises `FileError` for a bad place, members' or season file."""
    members_file, members, members_digest = _read_members_file(request)
    season, season_digest = None, ""
    if request.season:
        season, season_digest = read_club_file(request.season, read_season)
    without = [
        request.out / name for name in (GAMES_FILE, STANDINGS_FILE, DATA_FILE, PROBLEMS_FILE, PAGE_FILE)
    ]
    without += [path for path in (members_file, request.season) if path]
    files = find_files(request.places, [*without, request.out / PAGES_FOLDER])
    collected, problems = collect_games(files, cache, pool, listener, program)
    people = People(
        [log.log for log in collected], members, members_file.name if members_file else MEMBERS_FILE
    )
    games = assemble_games(collected, cache, people, request.game_filter)
    pairings = None
    as_of = request.as_of
    if season and request.season:
        file, as_of = request.season.name, as_of or season.day
        games, undecided = apply_decisions(season, games, file)
        pairings, unmatched = match_pairings(season, games, people, file)
        pairings, uncounted = adjudge_silence(season, pairings, file)
        games = _with_scheduled(games, pairings)
        problems = [*problems, *undecided, *unmatched, *uncounted]
    source = {
        "program": __version__,
        "rules": sorted({log.log.rules for log in collected}),
        "members": members_digest,
        "season": season_digest,
        "game": request.game_filter.game,
        "edition": request.game_filter.edition,
        "since": request.game_filter.since,
        "as_of": as_of,
        "logs": _log_ids(collected),
    }
    return ClubTable(
        compute_standings(games, people, pairings),
        people,
        sorted({*problems, *people.problems}),
        source,
        members.language,
        season.season if season else "",
        as_of,
    )


def _with_scheduled(games: list[ClubGame], pairings: list[ScheduledGame]) -> list[ClubGame]:
    """All games, with those of the season as its pairings have them."""
    scheduled = {pairing.game.head: pairing.game for pairing in pairings if pairing.game}
    return [scheduled.get(game.head, game) for game in games]


def _log_ids(collected: list[CollectedLog]) -> list[list[str]]:
    """The ids of the game and the newest entry of every log."""
    return sorted([log.game, log.head] for log in collected)


def _read_members_file(request: TableRequest) -> tuple[Path | None, Members, str]:
    """The members' file (the one given, or the first in a folder, or None), its content and digest."""
    present = [path for place in request.places if (path := place / MEMBERS_FILE).is_file()]
    file = request.members or (present[0] if present else None)
    if file is None:
        return None, Members(), ""
    return file, *read_club_file(file, read_members)


def read_club_file(file: Path, reader: Callable[[bytes], T]) -> tuple[T, str]:
    """Read a file of the club. Returns its parsed content and its digest. Raises `FileError`."""
    try:
        data = read_regular(file)
        return reader(data), sha256(data).hexdigest()
    except OSError as error:
        raise FileError(
            tr("cannot be read: {why}", why=system_reason(error)), where=safe_text(str(file))
        ) from None
    except FileError as error:
        place = f"{safe_text(str(file))}: {error.where}" if error.where else safe_text(str(file))
        raise FileError(error.problem, where=place, hint=error.hint) from None
