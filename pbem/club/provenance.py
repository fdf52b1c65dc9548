"""A club's table, made from its files, and the record of what it was made from."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from pbem import __version__
from pbem.base.files import read_regular
from pbem.club.cache import Cache
from pbem.club.collect import Brief, Problem, Told, collect_games, files_in
from pbem.club.people import Members, People, read_members
from pbem.club.results import Wanted, games_of
from pbem.club.season import matched, read_season
from pbem.club.standings import Table, table
from pbem.errors import FileError
from pbem.format.canonical import canonical
from pbem.render.words import safe
from pbem.study.worker_pool import WorkerPool
from pbem.texts import Texts

tr = Texts("pbem")

T = TypeVar("T")

GAMES, STANDINGS, DATA, PROBLEMS, PAGE = (
    "games.csv",
    "standings.csv",
    "standings.json",
    "problems.csv",
    "club.html",
)
"""The files of a club's table."""

PAGES = "pages"
"""The folder of the games' pages, beside those files."""

MEMBERS = "members.yaml"
"""The default name of the members' file."""


class Request(Struct, frozen=True, kw_only=True):
    """The sources and the scope of a table.

    `places` are folders, mailboxes and files, `out` is the folder of the tables, which are not searched for
    games. `as_of` is the time, in the format of files, against which moves are overdue; empty: none is.
    """

    places: tuple[Path, ...]
    out: Path
    members: Path | None = None
    season: Path | None = None
    wanted: Wanted = Wanted()
    as_of: str = ""


class Made(Struct, frozen=True):
    """The standings, the players, the problems, and as data the source that all this was made from."""

    table: Table
    people: People
    problems: list[Problem]
    source: dict[str, Any]
    language: str
    title: str
    as_of: str

    @property
    def digest(self) -> str:
        """The digest of `source`."""
        return sha256(canonical(self.source)).hexdigest()


def make_table(request: Request, cache: Cache, pool: WorkerPool, listener: Told, program: str = "") -> Made:
    """Collect the games and make the table. Raises `FileError` for a bad place, members' or season file."""
    members_file, members, members_digest = _members(request)
    season, season_digest = None, ""
    if request.season:
        season, season_digest = read(request.season, read_season)
    without = [request.out / name for name in (GAMES, STANDINGS, DATA, PROBLEMS, PAGE)]
    without += [path for path in (members_file, request.season) if path]
    files = files_in(request.places, [*without, request.out / PAGES])
    collected, problems = collect_games(files, cache, pool, listener, program)
    people = People([log.log for log in collected], members, members_file.name if members_file else MEMBERS)
    games = games_of(collected, cache, people, request.wanted)
    pairings = None
    if season and request.season:
        pairings, wrong = matched(season, games, people, request.season.name)
        problems = problems + wrong
    source = {
        "program": __version__,
        "rules": sorted({log.log.rules for log in collected}),
        "members": members_digest,
        "season": season_digest,
        "game": request.wanted.game,
        "edition": request.wanted.edition,
        "since": request.wanted.since,
        "as_of": request.as_of,
        "logs": _logs(collected),
    }
    return Made(
        table(games, people, pairings),
        people,
        sorted({*problems, *people.problems}),
        source,
        members.language,
        season.season if season else "",
        request.as_of,
    )


def _logs(collected: list[Brief]) -> list[list[str]]:
    """The game and the newest entry of every log."""
    return sorted([log.game, log.head] for log in collected)


def _members(request: Request) -> tuple[Path | None, Members, str]:
    """The members' file (the one given, or the first in a folder, or None), its content and digest."""
    present = [path for place in request.places if (path := place / MEMBERS).is_file()]
    file = request.members or (present[0] if present else None)
    if file is None:
        return None, Members(), ""
    return file, *read(file, read_members)


def read(file: Path, reader: Callable[[bytes], T]) -> tuple[T, str]:
    """Read a file of the club: its parsed content, and the digest of its bytes. Raises `FileError`."""
    try:
        data = read_regular(file)
        return reader(data), sha256(data).hexdigest()
    except OSError as error:
        raise FileError(tr("cannot be read: {why}", why=error.strerror), where=safe(str(file))) from None
    except FileError as error:
        place = f"{safe(str(file))}: {error.where}" if error.where else safe(str(file))
        raise FileError(error.problem, where=place, hint=error.hint) from None
