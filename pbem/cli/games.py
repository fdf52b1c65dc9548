"""All your games: `games`, and what `pbem` alone says."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.arguments import Json, offering
from pbem.cli.lazy import commands
from pbem.cli.session import desk, words_in
from pbem.cli.terminal import put, put_json, put_lines, room
from pbem.cli.usage import Sensed
from pbem.core.sentences import joined
from pbem.correspondence.finding import shown
from pbem.desk import Desk
from pbem.desk.clock import now
from pbem.desk.listing import Listed, at_a_glance
from pbem.desk.shelf import Kept
from pbem.desk.situation import is_over_unseen
from pbem.errors import PbemError
from pbem.files import write_atomically
from pbem.render.words import named, quoted, safe, said
from pbem.texts import Texts
from pbem.umpire.deadline import has_passed
from pbem.umpire.facts import SHORT, counted

app = commands()
tr = Texts("pbem")

NARROW = 60
"""On a terminal of fewer columns, lines about a game are not put under the words of its first."""


@app.command()
def games(
    game: Annotated[
        str,
        typer.Argument(
            metavar=Sensed("a game's id", "game"),
            help="The beginning of a game's id; all games if you give none.",
            autocompletion=offering("games"),
        ),
    ] = "",
    file: Annotated[Path | None, typer.Option("--write", help="Write that game's newest file there.")] = None,
    ics: Annotated[
        Path | None, typer.Option("--ics", help="Write the deadlines there, for your calendar.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List all your games, whose move it is and since when, and their files; or write the newest file of one.

    Example: pbem games
    """
    mine = desk()
    kept = [mine.shelf.find(game)] if game else list(mine.shelf.games())
    if file:
        if not game:
            problem = tr("found no game, expected the beginning of its id")
            raise typer.BadParameter(problem, param_hint=tr.sense("a game's id", "game"))
        write_atomically(file, kept[0].data)
        mine.shelf.note_file(kept[0].game, file)
        put(tr("wrote {file}", file=safe(str(file))))
        return
    if ics:
        _write_calendar(mine, kept, ics)
        return
    rows = [(one, at_a_glance(mine, one)) for one in kept]
    rows.sort(key=lambda row: (not is_yours(mine, row[1]), not is_news(mine, row[1]), row[1].over))
    if as_json:
        put_json([_as_data(mine, *row) for row in rows])
        return
    if not rows:
        put(tr("No games yet. Try: {command}", command="pbem new mortain --seat german"))
    for _, row in rows:
        put_game(mine, row)


def put_game(mine: Desk, row: Listed) -> None:
    """Print a game in a list: who plays it, what it waits for, since when, and where its file lies."""
    begin, margin = margins(row)
    if row.problem:
        put(f"{begin}{_damaged(safe(row.problem))}", indent=len(margin))
        return
    put(f"{begin}{safe(_line(mine, row))}", indent=len(margin))
    if row.own_scenario:
        put(f"{margin}{tr('scenario: {name}', name=row.own_scenario)}", indent=len(margin))
    if row.owing:
        put(f"{margin}{_waiting(row)}", indent=len(margin))
    if file := file_of(mine, row.game):
        place = tr("file: {file}", file=file)
    else:
        command = f"pbem games {row.game[:SHORT]} --write {row.file_name}"
        place = tr("file: gone; to have it again: {command}", command=command)
    put(f"{margin}{place}", indent=len(margin))
    if words := words_in(mine, row.game):
        put(f"{margin}{tr('your next orders take these words along:')}", indent=len(margin))
        put_lines(said(words, room()[0], len(margin) + 2))


def margins(row: Listed) -> tuple[str, str]:
    """What begins the first line about a game, its id; and the others, which begin under its words."""
    begin = f"{row.game[:SHORT]}  "
    return begin, " " * (len(begin) if room()[0] >= NARROW else 4)


def file_of(mine: Desk, game: str) -> str:
    """The player's own file of a game as one types it here; empty where there is none any more."""
    place = mine.shelf.file_of(game)
    return quoted(shown(place)) if place and place.exists() else ""


def players(row: Listed) -> str:
    """Who plays which side, and with whom he shares it."""
    return ", ".join(f"{name} {_player(seat)}" for name, seat in row.facts["seats"].items())


def _player(seat: dict[str, Any]) -> str:
    staff = [f"{named(one['name'])} ({', '.join(one['of'])})" for one in seat.get("commanders", ())]
    if not staff:
        return named(seat["name"])
    return tr("{name} with {commanders}", name=named(seat["name"]), commanders=joined(staff))


def is_yours(mine: Desk, row: Listed) -> bool:
    """Whether a game waits for the player."""
    return mine.public is not None and row.waits_for(str(mine.public))


def is_news(mine: Desk, row: Listed) -> bool:
    """Whether a game of the player's is over, and he has not looked at it since."""
    if row.problem or not row.over:
        return False
    own = any(seat["key"] == str(mine.public) for seat in row.facts["seats"].values())
    return own and is_over_unseen(mine, row.game, row.facts["head"])


def _damaged(problem: str) -> str:
    return tr("damaged: {problem}", problem=problem)


def _line(mine: Desk, row: Listed) -> str:
    mark = f"{tr('YOUR MOVE')}  " if is_yours(mine, row) else f"{tr('NEW')}  " if is_news(mine, row) else ""
    asked = row.asks or row.facts["owed"]["text"]
    return f"{mark}{row.title} ({players(row)}), {counted(row.facts['entries'])}: {asked}"


def _as_data(mine: Desk, kept: Kept, row: Listed) -> dict[str, Any]:
    """A game on the shelf for a program: `file` is the shelf's own, `yours_in` where the player has it."""
    if row.problem:
        return {"game": row.game, "problem": row.problem, "line": _damaged(row.problem)}
    place = mine.shelf.file_of(row.game)
    waiting = {
        "owed_since": _stamp(row.since),
        "due": _stamp(row.until),
        "overdue": has_passed(row.until, now()),
        "waiting": _waiting(row),
    }
    return {
        **row.facts,
        "file": str(kept.path),
        "yours_in": str(place) if place else None,
        "yours": is_yours(mine, row),
        "line": _line(mine, row),
        **({"words": words} if (words := words_in(mine, row.game)) else {}),
        **(waiting if row.owing else {}),
    }


def _waiting(row: Listed) -> str:
    """Since when a move is owed, and until when. The opponent's clock is his claim, and may be wrong."""
    if row.since is None:
        return tr("owed since an entry that names no time")
    words = tr("owed since {time} by {seat}'s clock", time=_time(row.since), seat=row.clock_of)
    if row.since <= now():
        words = tr("{owed} ({time})", owed=words, time=_length(now() - row.since))
    if row.until:
        words = tr("{owed}, due {time}", owed=words, time=_time(row.until))
    return tr("{owed}: OVERDUE", owed=words) if has_passed(row.until, now()) else words


def _stamp(moment: datetime | None) -> str | None:
    """A time as in the game file."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None


def _time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC")


def waited(span: timedelta) -> str:
    """How long a move has been waited for, in whole days; of the first two days in hours."""
    hours = int(span.total_seconds()) // 3600
    if hours < 48:
        return tr.plural("for {number} hour", "for {number} hours", hours)
    return tr.plural("for {number} day", "for {number} days", hours // 24)


def _length(span: timedelta) -> str:
    """The same length of time, alone."""
    hours = int(span.total_seconds()) // 3600
    if hours < 48:
        return tr.plural("{number} hour", "{number} hours", hours)
    return tr.plural("{number} day", "{number} days", hours // 24)


def _write_calendar(mine: Desk, kept: list[Kept], file: Path) -> None:
    """Write the deadlines as a calendar file. A damaged game has none; `games` tells of it."""
    from pbem.desk.calendar import reminder, to_ics  # here, because a list needs none

    key = mine.key if mine.has_key else None
    found = []
    for one in kept:
        with suppress(PbemError):
            found += [due] if (due := reminder(mine.open(one.data), key)) else []
    if not found:
        put(tr("no game waits for a move with a deadline: nothing was written"))
        return
    write_atomically(file, to_ics(found, now()))
    put(
        tr.plural(
            "wrote {file}: {number} move with a deadline",
            "wrote {file}: {number} moves with a deadline",
            len(found),
            file=safe(str(file)),
        )
    )
