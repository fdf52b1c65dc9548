"""All your games: `games`, and what `pbem` alone says."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.base.files import write_atomically
from pbem.cli.arguments import Json, offering
from pbem.cli.lazy import commands
from pbem.cli.session import desk, situated
from pbem.cli.terminal import put, put_json, room
from pbem.cli.usage import Sensed
from pbem.core.sentences import joined
from pbem.correspondence.locate_game import shown
from pbem.errors import PbemError
from pbem.player.clock import now
from pbem.player.known_forks import forks
from pbem.player.local_player import LocalPlayer
from pbem.player.status.describe_status import asks, clock, is_overdue, stamp, waiting, wishes_as_data
from pbem.player.status.game_list import ListedGame, at_a_glance, offered
from pbem.player.status.game_status import is_over_unseen
from pbem.player.store.delivery import was_refused
from pbem.player.store.stored_log import StoredGame
from pbem.player.store.unconfirmed import doubtful
from pbem.render.words import named, quoted, safe
from pbem.texts import Texts
from pbem.umpire.game_facts import BRIEF, SHORT, count_entries

app = commands()
tr = Texts("pbem")

NARROW = 60
"""On a terminal of fewer columns, the lines about a game are not aligned with the text of the first."""


@app.command()
def games(
    game: Annotated[
        str,
        typer.Argument(
            metavar=Sensed("a game's id", "game"),
            help="The start of a game's id; all games if you give none.",
            autocompletion=offering("games"),
        ),
    ] = "",
    file: Annotated[Path | None, typer.Option("--write", help="Write that game's newest file there.")] = None,
    ics: Annotated[
        Path | None, typer.Option("--ics", help="Write the deadlines there, for your calendar.")
    ] = None,
    offers: Annotated[
        bool, typer.Option("--offers", help="List what you were offered and have not taken up.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List all your games, whose move it is and since when, and their files; or write the newest file of one.

    Example: pbem games
    """
    mine = desk()
    if offers:
        _list_offers(mine, as_json)
        return
    kept = [_named(mine, game)] if game else list(mine.shelf.games())
    if file:
        if not game:
            problem = tr("say which game: by the start of its id")
            raise typer.BadParameter(problem, param_hint=tr.sense("a game's id", "game"))
        write_atomically(file, kept[0].data)
        mine.shelf.note_file(kept[0].game, file)
        put(tr("wrote {file}", file=safe(str(file))))
        return
    if ics:
        _write_calendar(mine, kept, ics)
        return
    rows = [(stored, at_a_glance(mine, stored)) for stored in kept]
    rows.sort(key=lambda row: (not wants_you(mine, row[1]), not is_news(mine, row[1]), row[1].over))
    if as_json:
        put_json([_as_data(mine, *row) for row in rows])
        return
    if not rows:
        put(tr("No games yet. Try: {command}", command="pbem new mortain --seat german"))
    for _, row in rows:
        put_game(mine, row)
    put_offers(mine)


def _named(mine: LocalPlayer, game: str) -> StoredGame:
    """The stored game, or else the offer, whose id begins so. Raises `ShelfError`."""
    waits = not mine.shelf.ids(game.lower()) and mine.offers.ids(game.lower())
    return mine.offers.find(game) if waits else mine.shelf.find(game)


def put_offers(mine: LocalPlayer) -> None:
    """Print how many offers wait, if any, but not the offers: strangers may have written anything in them."""
    if number := len(mine.offers.ids()):
        put(
            tr.plural(
                "{number} offer waits; to list it: {command}",
                "{number} offers wait; to list them: {command}",
                number,
                command="pbem games --offers",
            )
        )


def _list_offers(mine: LocalPlayer, as_json: bool) -> None:
    """Print each offer, and the command that accepts it."""
    rows = list(offered(mine))
    if as_json:
        put_json([_offer_as_data(row) for row in rows])
        return
    if not rows:
        put(tr("No offers wait."))
    for row in rows:
        begin, margin = margins(row)
        told = _damaged(row.problem) if row.problem else _line(mine, row)
        put(f"{begin}{safe(told)}", indent=len(margin))
        if row.own_scenario:
            put(f"{margin}{tr('scenario: {name}', name=row.own_scenario)}", indent=len(margin))
        if not row.problem:
            put(f"{margin}{tr('Type: {command}', command=_take_up(row))}", indent=len(margin))


def _take_up(row: ListedGame) -> str:
    """The command that accepts an offer, or begins a commander's draft."""
    brief = row.game[:BRIEF]
    return f"pbem orders {brief}" if row.key else f"pbem join {brief}"


def _offer_as_data(row: ListedGame) -> dict[str, Any]:
    """An offer, for a program."""
    if row.problem:
        return {"game": row.game, "problem": row.problem, "line": _damaged(row.problem)}
    return {**row.facts, "command": _take_up(row)}


def put_game(mine: LocalPlayer, row: ListedGame) -> None:
    """Print a game of the list: who plays it, what it waits for and since when, and where its file is."""
    begin, margin = margins(row)
    if row.problem:
        put(f"{begin}{_damaged(safe(row.problem))}", indent=len(margin))
        return
    put(f"{begin}{safe(_line(mine, row))}", indent=len(margin))
    if row.own_scenario:
        put(f"{margin}{tr('scenario: {name}', name=row.own_scenario)}", indent=len(margin))
    for fork in _forks(mine, row):
        put(f"{margin}{tr('warning')}: {safe(fork)}", indent=len(margin))
    if row.owing and not has_not_gone(mine, row):
        put(f"{margin}{clock(row.asked, row.side(row.asked.clock_of))}", indent=len(margin))
    for line in of_the_mail(mine, row):
        put(f"{margin}{line}")
    if file := file_of(mine, row.game):
        place = tr("file: {file}", file=file)
    else:
        command = f"pbem games {row.game[:SHORT]} --write {row.file_name}"
        place = tr("file: gone; to have it again: {command}", command=command)
    put(f"{margin}{place}", indent=len(margin))
    put_waiting(mine, row)


def put_waiting(mine: LocalPlayer, row: ListedGame) -> None:
    """Print that a game is unconfirmed, if it is, and the messages and deferred actions that wait in it."""
    _, margin = margins(row)
    if mine.shelf.doubts.has(row.game):
        put(f"{margin}{tr('warning')}: {doubtful(row.game)}", indent=len(margin))
    if (now := situated(mine, row.game)) is None:
        return
    place = mine.shelf.file_of(row.game)
    name = shown(place) if place and place.exists() else row.game[:BRIEF]
    for line in waiting(now, name, room()[0] - len(margin)):
        put(f"{margin}{line}", indent=len(margin))


def _forks(mine: LocalPlayer, row: ListedGame) -> tuple[str, ...]:
    """Warnings of players who have signed two histories; the game is opened only if evidence is stored."""
    kept = mine.shelf.look_up(row.game) if mine.shelf.evidence(row.game) else None
    return forks(mine, mine.open(kept.data)) if kept else ()


def of_the_mail(mine: LocalPlayer, row: ListedGame) -> list[str]:
    """Lines about a problem with the mails of a game, and what to type; empty if there is none."""
    if not ((mine.home / "outbox" / row.game).is_dir() or (mine.home / "mail" / "lost.json").exists()):
        return []
    from pbem.correspondence.resend import about_mails
    from pbem.correspondence.settings import read_config
    from pbem.mail.config import MailSettings

    settings = read_config(mine.home).mail or MailSettings(address="")  # without settings, the defaults
    words, command = about_mails(mine, row, _as_typed(mine, row), settings.silence, now())
    return [words, tr("Type: {command}", command=command)] if words else []


def to_mail_it(mine: LocalPlayer, row: ListedGame) -> str:
    """The command that mails a game."""
    return tr("Type: {command}", command=f"pbem mail send {_as_typed(mine, row)}")


def _as_typed(mine: LocalPlayer, row: ListedGame) -> str:
    """The word by which the player names a game: its file, or the start of its id."""
    return file_of(mine, row.game) or row.game[:BRIEF]


def has_not_gone(mine: LocalPlayer, row: ListedGame) -> bool:
    """Whether a server has refused the player's newest mail: then it is not the opponent who is late."""
    if row.problem or row.last != str(mine.public) or is_yours(mine, row):
        return False
    return was_refused(mine.home, row.game, row.facts["head"])


def margins(row: ListedGame) -> tuple[str, str]:
    """The start of the first line about a game, its id; and the indent of the other lines."""
    begin = f"{row.game[:SHORT]}  "
    return begin, " " * (len(begin) if room()[0] >= NARROW else 4)


def file_of(mine: LocalPlayer, game: str) -> str:
    """The player's own file of a game, as typed from here; empty if it no longer exists."""
    place = mine.shelf.file_of(game)
    return quoted(shown(place)) if place and place.exists() else ""


def players(row: ListedGame) -> str:
    """The players of each side, with their commanders."""
    return ", ".join(f"{row.side(name):name}: {_player(seat)}" for name, seat in row.facts["seats"].items())


def _player(seat: dict[str, Any]) -> str:
    staff = [f"{named(who['name'])} ({', '.join(who['of'])})" for who in seat.get("commanders", ())]
    if not staff:
        return named(seat["name"])
    return tr("{name} with {commanders}", name=named(seat["name"]), commanders=joined(staff))


def is_yours(mine: LocalPlayer, row: ListedGame) -> bool:
    """Whether it is the player's move."""
    return mine.public is not None and row.waits_for(str(mine.public))


def wants_you(mine: LocalPlayer, row: ListedGame) -> bool:
    """Whether a game waits for the player: for his move, or for his mail, which was refused."""
    return is_yours(mine, row) or has_not_gone(mine, row)


def is_news(mine: LocalPlayer, row: ListedGame) -> bool:
    """Whether a game of the player's is over, and he has not seen it since."""
    if row.problem or not row.over:
        return False
    own = any(seat["key"] == str(mine.public) for seat in row.facts["seats"].values())
    return own and is_over_unseen(mine, row.game, row.facts["head"])


def _damaged(problem: str) -> str:
    return tr("damaged: {problem}", problem=problem)


def _line(mine: LocalPlayer, row: ListedGame) -> str:
    mark = f"{tr('YOUR MOVE')}  " if is_yours(mine, row) else f"{tr('NEW')}  " if is_news(mine, row) else ""
    waits = tr("your mail has not gone") if has_not_gone(mine, row) and not row.over else asks(row.asked)
    return f"{mark}{row.title} ({players(row)}), {count_entries(row.facts['entries'])}: {waits}"


def _as_data(mine: LocalPlayer, kept: StoredGame, row: ListedGame) -> dict[str, Any]:
    """A stored game, for a program: `file` is the store's, `yours_in` the player's own."""
    if row.problem:
        return {"game": row.game, "problem": row.problem, "line": _damaged(row.problem)}
    place = mine.shelf.file_of(row.game)
    at_home = situated(mine, row.game)
    owing = {
        "owed_since": stamp(row.asked.since),
        "due": stamp(row.asked.until),
        "overdue": is_overdue(row.asked),
        "waiting": clock(row.asked, row.side(row.asked.clock_of)),
    }
    return {
        **row.facts,
        "file": str(kept.path),
        "yours_in": str(place) if place else None,
        "yours": is_yours(mine, row),
        "decision": bool(row.owing) and not row.asked.is_formality,
        "line": _line(mine, row),
        **({"words": at_home.words} if at_home and at_home.words else {}),
        **(wishes_as_data(at_home.wish) if at_home else {}),
        **(owing if row.owing and not has_not_gone(mine, row) else {}),
    }


def _write_calendar(mine: LocalPlayer, kept: list[StoredGame], file: Path) -> None:
    """Write the deadlines as a calendar file. A damaged game is left out; `games` reports it."""
    from pbem.player.status.calendar import reminder, to_ics  # here, because a list needs none

    key = mine.key if mine.has_key else None
    found = []
    for stored in kept:
        with suppress(PbemError):
            found += [due] if (due := reminder(mine.open(stored.data), key)) else []
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
