"""Beside a club's standings: `club pair` makes a season, `club check` compares standings with their games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from pbem import games as known
from pbem.base.files import write_atomically
from pbem.cli.arguments import Edition, GameName, Workers, report_errors_at
from pbem.cli.club_games import MembersFile, Places, SeasonFile, gather_table
from pbem.cli.exit_codes import FAILED
from pbem.cli.lazy import commands
from pbem.cli.study_options import Scheduler
from pbem.cli.terminal import put
from pbem.club.check import differences, parse_standings
from pbem.club.pairing import make_round_robin
from pbem.club.people import read_members
from pbem.club.provenance import TableRequest, read_club_file
from pbem.club.results import GameFilter
from pbem.errors import FileError
from pbem.format.yaml_writer import dump_yaml
from pbem.lookalikes import fold_name
from pbem.render.words import quote_path, safe_text, wrap
from pbem.texts import Texts

app = commands()
tr = Texts("pbem")


@app.command()
def pair(
    members: Annotated[Path, typer.Argument(metavar="members", help="Who plays: members.yaml.")],
    game: GameName,
    out: Annotated[Path, typer.Option("--out", "-o", help="The season's file to write.")],
    edition: Edition = "",
    twice: Annotated[bool, typer.Option("--twice", help="Each pair plays twice, and changes sides.")] = False,
) -> None:
    """Make a season: each member against each, with sides that balance, a round a rating period.

    Example: pbem club pair members.yaml mortain -o spring-2027.yaml
    """
    if out.exists():
        problem = tr("already exists; nothing was written")
        raise FileError(problem, where=quote_path(out), hint=tr("give another name"))
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
    """Make a table again from its games, the way it says it was made, and tell what differs and why.

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
    put(tr("{file} is what these games make: {digest}", file=safe_text(str(table)), digest=found.digest))
