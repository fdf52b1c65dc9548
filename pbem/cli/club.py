"""A club's standings, made from folders of games: `club`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from pbem.base.files import make_folder, read_regular, write_atomically
from pbem.cli.arguments import Json, Workers
from pbem.cli.club_games import MembersFile, Places, SeasonFile, gather_table
from pbem.cli.lazy import commands
from pbem.cli.progress import TimeLeft
from pbem.cli.study_options import Scheduler
from pbem.cli.terminal import put, put_json
from pbem.cli.usage import translate_command
from pbem.club import sheets
from pbem.club.classify import reopen_game
from pbem.club.log import format_timestamp
from pbem.club.provenance import (
    DATA_FILE,
    GAMES_FILE,
    PAGE_FILE,
    PAGES_FOLDER,
    PROBLEMS_FILE,
    STANDINGS_FILE,
    ClubTable,
    TableRequest,
)
from pbem.club.results import GameFilter
from pbem.player.clock import now
from pbem.render.words import quote_path, wrap
from pbem.texts import Texts, speaking
from pbem.umpire.game_facts import SHOWN_ID_DIGITS

tr = Texts("pbem")

OUT = Path("club")
"""The default folder of the tables."""

_SUBCOMMANDS = ("pair", "check")

_DAY = re.compile(r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d:\d\dZ)?)?)?")


class _Club(TyperCommand):
    """`pbem club FOLDER…`; and `pbem club pair` and `check`, which are commands of their own."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """The context of a call with these arguments."""
        if args[:1] and args[0] in _SUBCOMMANDS:
            from pbem.cli.club_commands import app as others  # here, because the standings need none of it

            command = translate_command(typer.main.get_group(others).commands[args[0]])
            return command.make_context(f"club {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


app = commands()


@app.command(cls=_Club)
def club(
    places: Places,
    out: Annotated[Path, typer.Option("--out", help="Folder of the tables.")] = OUT,
    members: MembersFile = None,
    season: SeasonFile = None,
    game: Annotated[str, typer.Option("--game", help="Only games of this name, such as mortain.")] = "",
    edition: Annotated[str, typer.Option("--edition", help="Only games of this edition.")] = "",
    since: Annotated[
        str,
        typer.Option("--since", metavar="DAY", help="Only games with an entry since that day: 2027-01-31."),
    ] = "",
    as_of: Annotated[
        str, typer.Option("--as-of", metavar="DAY", help="The day by which a move is overdue in the tables.")
    ] = "",
    pages: Annotated[bool, typer.Option("--pages", help="Write a page for each game that counts.")] = False,
    workers: Workers = 0,
    scheduler: Scheduler = "",
    as_json: Json = False,
) -> None:
    """Verify every game in some folders, and make the standings that every member can make again.

    The same files give the same tables on any computer and any day. Other commands are pbem club pair,
    which makes a season, and pbem club check, which compares a table with its games.

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
        put_json(sheets.table_data(found))
        return
    from pbem.club.summary import describe_table  # here, because --json needs none of it

    for line in describe_table(found, request.as_of or format_timestamp(now())):
        put(line)
    put()
    put(wrap(tr("wrote {files} in {folder}", files=", ".join(written), folder=quote_path(out))))


def checked_day(option: str, typed: str) -> str:
    """The typed day, month or year, or a time as in game files. Raises `typer.BadParameter`."""
    if typed and not _DAY.fullmatch(typed):
        problem = tr("'{found}' is not a day such as 2027-01-31", found=typed)
        raise typer.BadParameter(problem, param_hint=option)
    return typed


def describe_pages_done(done: str, number: str) -> str:
    """How many pages of how many are written, in words."""
    return tr("{done} of {number} pages", done=done, number=number)


def _write_tables(found: ClubTable, out: Path, pages: bool) -> list[str]:
    """Write the tables, and the pages of the games if asked for; returns the names of the tables."""
    from pbem.web.club import club_page  # here, because a usage error needs no page

    make_folder(out)
    linked = _write_pages(found, out) if pages else {}
    tables = {
        PAGE_FILE: club_page(found, linked),
        STANDINGS_FILE: sheets.standings_csv(found),
        DATA_FILE: sheets.standings_json(found),
        GAMES_FILE: sheets.games_csv(found),
        PROBLEMS_FILE: sheets.problems_csv(found.problems),
    }
    for name, data in tables.items():
        write_atomically(out / name, data)
    return list(tables)


def _write_pages(found: ClubTable, out: Path) -> dict[str, str]:
    """Write a page for each game that counts; returns the pages by the game's newest entry."""
    from pbem.web.page import game_page  # here, because most tables have no pages

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
