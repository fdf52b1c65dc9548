"""All your games: `games`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.arguments import Json
from pbem.cli.lazy import commands
from pbem.cli.session import desk, waiting_words
from pbem.cli.terminal import put, put_json
from pbem.desk import Desk
from pbem.desk.calendar import reminder, to_ics
from pbem.desk.clock import now
from pbem.desk.shelf import Kept
from pbem.errors import PbemError
from pbem.files import write_atomically
from pbem.render.words import named, safe, said, wrap
from pbem.report import game_as_data
from pbem.umpire import Game, seated
from pbem.umpire.deadline import Due, due
from pbem.umpire.facts import SHORT, counted

app = commands()


@app.command()
def games(
    game: Annotated[
        str, typer.Argument(help="The beginning of a game's id; all games if you give none.")
    ] = "",
    file: Annotated[Path | None, typer.Option("--write", help="Write that game's newest file there.")] = None,
    ics: Annotated[
        Path | None, typer.Option("--ics", help="Write the deadlines there, for your calendar.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List all your games, whose move it is and since when; or write the newest file of one.

    Example: pbem games
    """
    mine = desk()
    kept = [mine.shelf.find(game)] if game else list(mine.shelf.games())
    if file:
        if not game:
            raise typer.BadParameter("found no game, expected the beginning of its id", param_hint="GAME")
        write_atomically(file, kept[0].data)
        put(f"wrote {safe(str(file))}")
        return
    if ics:
        _write_calendar(mine, kept, ics)
        return
    rows = [_row(mine, one) for one in kept]
    if as_json:
        put_json(rows)
        return
    if not rows:
        put("No games yet. Try: pbem new mortain --seat german")
    for row in rows:
        put(wrap(f"{row['game'][:SHORT]}  {safe(row['line'])}", indent=SHORT + 2))
        if row.get("scenario", {}).get("own"):
            put(wrap(f"{'':{SHORT + 2}}scenario: {row['scenario']['text']}", indent=SHORT + 2))
        if row.get("waiting"):
            put(wrap(f"{'':{SHORT + 2}}{row['waiting']}", indent=SHORT + 2))
        if row.get("words"):
            put(f"{'':{SHORT + 2}}your next orders take these words along:")
            put("\n".join(said(row["words"], indent=SHORT + 4)))


def _row(mine: Desk, kept: Kept) -> dict[str, Any]:
    """A game on the shelf, for people (`line`) and for programs."""
    try:
        game = mine.open(kept.data)
    except PbemError as error:
        return {"game": kept.game, "problem": str(error), "line": f"damaged: {error}"}
    data = game_as_data(game)
    seats = ", ".join(f"{name} {named(seat['name'])}" for name, seat in data["seats"].items())
    yours = bool(mine.has_key and data["owed"]["seat"] in seated.held(game, mine.key))
    mark = "YOUR MOVE  " if yours else ""
    line = f"{mark}{game.rules.title} ({seats}), {counted(data['entries'])}: {data['owed']['text']}"
    return {
        **data,
        "file": str(kept.path),
        "yours": yours,
        "line": line,
        **({"words": words} if (words := waiting_words(mine, game)) else {}),
        **(_due_as_data(waiting) if (waiting := due(game)) else {}),
    }


def _due_as_data(waiting: Due) -> dict[str, Any]:
    """Since when a move is owed and until when, for people (`waiting`) and for programs."""
    overdue = waiting.is_overdue(now())
    return {
        "owed_since": _stamp(waiting.since),
        "due": _stamp(waiting.until),
        "overdue": overdue,
        "waiting": _waiting(waiting, overdue),
    }


def _waiting(waiting: Due, overdue: bool) -> str:
    """Since when a move is owed, and until when. The opponent's clock is his claim, and may be wrong."""
    if waiting.since is None:
        return "owed since an entry that names no time"
    words = f"owed since {_time(waiting.since)} by {waiting.clock_of}'s clock"
    if waiting.since <= now():
        words += f" ({_length(now() - waiting.since)})"
    if waiting.until:
        words += f", due {_time(waiting.until)}"
    return f"{words}: OVERDUE" if overdue else words


def _stamp(moment: datetime | None) -> str | None:
    """A time as in the game file."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None


def _time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC")


def _length(span: timedelta) -> str:
    """A length of time in whole days; of the first two days in hours."""
    hours = int(span.total_seconds()) // 3600
    number, unit = (hours, "hour") if hours < 48 else (hours // 24, "day")
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def _write_calendar(mine: Desk, kept: list[Kept], file: Path) -> None:
    """Write the deadlines as a calendar file. A damaged game has none; `games` tells of it."""
    key = mine.key if mine.has_key else None
    found = [one for game in _sound(mine, kept) if (one := reminder(game, key))]
    if not found:
        put("no game waits for a move with a deadline: nothing was written")
        return
    write_atomically(file, to_ics(found, now()))
    put(f"wrote {safe(str(file))}: {len(found)} {'move' if len(found) == 1 else 'moves'} with a deadline")


def _sound(mine: Desk, kept: list[Kept]) -> Iterator[Game]:
    for one in kept:
        with suppress(PbemError):
            yield mine.open(one.data)
