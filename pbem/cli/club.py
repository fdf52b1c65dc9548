"""A club's standings from folders of games: `club`, `club pair`, `club check`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from typer.core import TyperCommand

from pbem import games as known
from pbem.base.files import make_folder, read_regular, write_atomically
from pbem.base.home import home
from pbem.base.interrupts import raise_on_interrupt
from pbem.base.worker_pool import cores
from pbem.cli.arguments import Edition, GameName, Json, Workers, report_errors_at
from pbem.cli.command_groups import commands, translate_command
from pbem.cli.exit_codes import FAILED
from pbem.cli.progress import TimeLeft
from pbem.cli.study import Scheduler, pool_factory
from pbem.cli.terminal import put, put_json, put_stderr
from pbem.club import table_files
from pbem.club.classify import JUDGING_CODE, format_timestamp, reopen_game
from pbem.club.collect import BATCH_FILES, Cache, find_files, judging_pool
from pbem.club.people import read_members
from pbem.club.provenance import (
    DATA_FILE,
    GAMES_FILE,
    PAGE_FILE,
    PAGES_FOLDER,
    PROBLEMS_FILE,
    STANDINGS_FILE,
    ClubTable,
    TableRequest,
    make_table,
    read_club_file,
)
from pbem.club.results import GameFilter
from pbem.club.season import make_round_robin
from pbem.club.table_files import differences, parse_standings
from pbem.club.table_text import describe_table
from pbem.errors import FileError
from pbem.format.yaml_writer import dump_yaml
from pbem.lookalikes import fold_name
from pbem.player.clock import now
from pbem.render.safe_text import quote_path, safe_text, wrap
from pbem.texts import Texts, number, speaking
from pbem.umpire.code_fingerprint import code_fingerprint
from pbem.umpire.game_facts import SHOWN_ID_DIGITS
from pbem.web.club_page import club_page
from pbem.web.game_page import game_page

tr = Texts("pbem")
app = commands()


Places = Annotated[
    list[Path],
    typer.Argument(metavar="folders", help="Folders of games, mailboxes, Maildirs or single files."),
]
MembersFile = Annotated[
    Path | None,
    typer.Option(
        "--members",
        help="The file that says whose keys are whose (default: members.yaml in one of the folders).",
    ),
]
SeasonFile = Annotated[
    Path | None, typer.Option("--season", help="The season made by pbem club pair: who plays whom, and when.")
]


def describe_files_done(done: str, number: str) -> str:
    """How many files have been judged, as a phrase."""
    return tr("{done} of {number} files", done=done, number=number)


def gather_table(request: TableRequest, workers: int, scheduler: str) -> ClubTable:
    """Compute the table, with a progress bar. Raises `typer.Exit` if interrupted."""
    bar = TimeLeft(describe_files_done)
    if not workers and len(find_files(request.places)) <= 2 * BATCH_FILES:
        workers = 1  # one worker finishes before others have started
    crew_of = (
        pool_factory(workers, scheduler)(bar.show_waiting) if scheduler else judging_pool(workers or cores())
    )
    try:
        with raise_on_interrupt(), Cache(home()) as cache, crew_of as crew:
            return make_table(request, cache, crew, bar, code_fingerprint(JUDGING_CODE) if scheduler else "")
    except KeyboardInterrupt:
        bar.clear()
        put_stderr(
            tr(
                "stopped after reading {files} files. To continue, run the same command again",
                files=number(bar.done),
            )
        )
        raise typer.Exit(1) from None
    finally:
        bar.clear()


@app.command()
def pair(
    members: Annotated[
        Path, typer.Argument(metavar="members", help="The list of players, such as members.yaml.")
    ],
    game: GameName,
    out: Annotated[Path, typer.Option("--out", "-o", help="The season file to write.")],
    edition: Edition = "",
    twice: Annotated[bool, typer.Option("--twice", help="Let each pair play twice, changing sides.")] = False,
) -> None:
    """Make a season in which everyone plays everyone: balanced sides, and one round per rating period.

    Example: pbem club pair members.yaml mortain -o spring-2027.yaml
    """
    if out.exists():
        problem = tr("already exists; nothing was written")
        raise FileError(problem, where=quote_path(out), hint=tr("choose another name"))
    rules = known.load(game)
    with report_errors_at("--edition"):
        if edition and edition not in rules.editions:
            there = ", ".join(rules.editions)
            raise FileError(tr("must be one of {names}, not '{found}'", found=edition, names=there))
    names = list(
        {
            fold_name(member.name): member.name for member in read_club_file(members, read_members)[0].members
        }.values()
    )
    if len(names) < 2:
        raise FileError(tr("names fewer than two members"), where=quote_path(members))
    season = make_round_robin(out.stem, rules, edition, names, twice)
    write_atomically(out, dump_yaml(msgspec.to_builtins(season)).encode())
    wrote = tr.plural(
        "wrote {file}: {number} game",
        "wrote {file}: {number} games",
        len(season.pairings),
        file=safe_text(str(out)),
    )
    put(wrote)


@app.command()
def check(
    table: Annotated[Path, typer.Argument(metavar="standings.json", help="The table to compare.")],
    places: Places,
    members: MembersFile = None,
    season: SeasonFile = None,
    workers: Workers = 0,
    scheduler: Scheduler = "",
) -> None:
    """Rebuild a table from its games, using the settings it records, and explain any differences.

    Example: pbem club check club/standings.json games/
    """
    said, _ = read_club_file(table, parse_standings)
    source = said["made_from"]
    wanted = GameFilter(source["game"], source["edition"], source["since"])
    request = TableRequest(
        places=tuple(places),
        out=table.parent,
        members=members,
        season=season,
        game_filter=wanted,
        as_of=source["as_of"],
    )
    found = gather_table(request, workers, scheduler)
    lines = list(differences(said, found))
    for line in lines:
        put(wrap(safe_text(line), indent=2))
    if lines:
        raise typer.Exit(FAILED)
    put(tr("{file} matches these games: {digest}", file=safe_text(str(table)), digest=source["digest"]))


OUT = Path("club")
"""The default folder of the tables."""

_SUBCOMMANDS = ("pair", "check")

_DAY = re.compile(r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d:\d\dZ)?)?)?")


class _Club(TyperCommand):
    """`pbem club FOLDER…`, and its commands `pbem club pair` and `pbem club check`."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """The context of a call with these arguments; those of a command of the group go to it."""
        if args[:1] and args[0] in _SUBCOMMANDS:
            command = translate_command(typer.main.get_group(app).commands[args[0]])
            return command.make_context(f"club {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@app.command(cls=_Club)
def club(
    places: Places,
    out: Annotated[Path, typer.Option("--out", help="The folder for the tables.")] = OUT,
    members: MembersFile = None,
    season: SeasonFile = None,
    game: Annotated[str, typer.Option("--game", help="Count only games of this name, such as mortain.")] = "",
    edition: Annotated[str, typer.Option("--edition", help="Count only games that use this edition.")] = "",
    since: Annotated[
        str,
        typer.Option(
            "--since",
            metavar="DAY",
            help="Count only games with an entry since this day, such as 2027-01-31.",
        ),
    ] = "",
    as_of: Annotated[
        str,
        typer.Option(
            "--as-of",
            metavar="DAY",
            help="The day by which a move is overdue in the tables (default: the season's day).",
        ),
    ] = "",
    pages: Annotated[bool, typer.Option("--pages", help="Write a page for each game that counts.")] = False,
    workers: Workers = 0,
    scheduler: Scheduler = "",
    as_json: Json = False,
) -> None:
    """Verify every game in one or more folders, and work out standings that any member can reproduce.

    The same files give the same tables on any computer and any day. Other commands: pbem club pair
    makes a season, and pbem club check compares a table with its games.

    Example: pbem club games/ --season spring-2027.yaml
    """
    wanted = GameFilter(game, edition, checked_day("--since", since))
    request = TableRequest(
        places=tuple(places),
        out=out,
        members=members,
        season=season,
        game_filter=wanted,
        as_of=checked_day("--as-of", as_of),
    )
    found = gather_table(request, workers, scheduler)
    written = _write_tables(found, out, pages)
    if as_json:
        put_json(table_files.table_data(found))
        return

    for line in describe_table(found, found.as_of or format_timestamp(now())):
        put(line)
    put()
    put(wrap(tr("wrote {files} in {folder}", files=", ".join(written), folder=quote_path(out))))


def checked_day(option: str, typed: str) -> str:
    """A typed day, month or year, or a time as in game files. Raises `typer.BadParameter`."""
    if typed and not _DAY.fullmatch(typed):
        problem = tr("'{found}' is not a day such as 2027-01-31", found=typed)
        raise typer.BadParameter(problem, param_hint=option)
    return typed


def describe_pages_done(done: str, number: str) -> str:
    """How many pages have been written, as a phrase."""
    return tr("{done} of {number} pages", done=done, number=number)


def _write_tables(found: ClubTable, out: Path, pages: bool) -> list[str]:
    """Write the tables, and the pages of the games if wanted. Returns the names of the tables."""

    make_folder(out)
    linked = _write_pages(found, out) if pages else {}
    tables = {
        PAGE_FILE: club_page(found, linked),
        STANDINGS_FILE: table_files.standings_csv(found),
        DATA_FILE: table_files.standings_json(found),
        GAMES_FILE: table_files.games_csv(found),
        PROBLEMS_FILE: table_files.problems_csv(found.problems),
    }
    for name, data in tables.items():
        write_atomically(out / name, data)
    return list(tables)


def _write_pages(found: ClubTable, out: Path) -> dict[str, str]:
    """Write a page for each game that counts. Returns the pages by the game's newest entry."""

    folder, links = out / PAGES_FOLDER, {}
    make_folder(folder)
    bar = TimeLeft(describe_pages_done)
    games = [result for result in found.standings.games if result.file and not result.exclusion]
    for done, game in enumerate(games):
        bar(done, len(games))
        name = f"{game.log.name}-{game.head[:SHOWN_ID_DIGITS]}.html"
        data = read_regular(game.file) if game.file else b""
        with speaking(found.language):
            write_atomically(folder / name, game_page(reopen_game(data, game.head)))
        links[game.head] = f"{PAGES_FOLDER}/{name}"
    bar.clear()
    return links
