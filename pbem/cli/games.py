"""All the player's games: `games`, and `pbem` alone, which prints whose move it is and what to type."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.base.files import write_atomically
from pbem.cli.arguments import Json, complete_with
from pbem.cli.command_groups import NameInContext, commands
from pbem.cli.session import local_player, status_if_pending
from pbem.cli.terminal import printable_size, put, put_json
from pbem.correspondence.open_named_game import is_unmailed
from pbem.correspondence.outbox import Outbox
from pbem.errors import PbemError
from pbem.player.clock import now
from pbem.player.game_list import (
    ListedGame,
    describe_players,
    is_mail_refused,
    is_news,
    is_yours,
    list_game,
    list_games,
    list_offers,
    needs_you,
    reminder,
    to_ics,
)
from pbem.player.local_player import LocalPlayer
from pbem.player.locate import relative_path
from pbem.player.status import (
    deferred_as_data,
    describe_clock,
    describe_forks,
    describe_pending,
    describe_question,
    describe_wait,
    is_overdue,
    timestamp,
)
from pbem.player.store.game_store import describe_unconfirmed
from pbem.player.store.log_relation import StoredGame
from pbem.render.safe_text import quote_path, safe_text
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS, SHOWN_ID_DIGITS, count_entries

tr = Texts("pbem")


app = commands()

NARROW = 60
"""On a terminal narrower than this many columns, the lines about a game are not aligned."""


@app.command()
def games(
    game: Annotated[
        str,
        typer.Argument(
            metavar=NameInContext("a game's id", "game"),
            help="The start of a game's id (default: all games).",
            autocompletion=complete_with("games"),
        ),
    ] = "",
    file: Annotated[
        Path | None, typer.Option("--write", help="Write the newest file of this game here.")
    ] = None,
    ics: Annotated[
        Path | None, typer.Option("--ics", help="Write the deadlines to this file, for your calendar.")
    ] = None,
    offers: Annotated[
        bool, typer.Option("--offers", help="List the games you were offered and have not joined.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List all your games, whose move it is and since when, and their files; or write the newest file of one.

    Example: pbem games
    """
    player = local_player()
    if offers:
        _list_offers(player, as_json)
        return
    kept = [_find_game(player, game)] if game else list(player.store.games())
    if file:
        if not game:
            problem = tr("say which game you mean: type the start of its id")
            raise typer.BadParameter(problem, param_hint=tr.sense("a game's id", "game"))
        write_atomically(file, kept[0].data)
        player.store.note_file(kept[0].game, file)
        put(tr("wrote {file}", file=safe_text(str(file))))
        return
    if ics:
        _write_calendar(player, kept, ics)
        return
    rows = [(stored, list_game(player, stored)) for stored in kept]
    rows.sort(key=lambda row: (not needs_you(player, row[1]), not is_news(player, row[1]), row[1].is_over))
    if as_json:
        put_json([_game_as_data(player, *row) for row in rows])
        return
    if not rows:
        put(tr("No games yet. Try: {command}", command="pbem new mortain --seat german"))
    for _, row in rows:
        put_game(player, row)
    put_offers(player)


def _find_game(player: LocalPlayer, game: str) -> StoredGame:
    """The stored game, or else the offer, whose id begins with `game`. Raises `StorageError`."""
    waits = not player.store.ids(game.lower()) and player.offers.ids(game.lower())
    return player.offers.find(game) if waits else player.store.find(game)


def put_offers(player: LocalPlayer) -> None:
    """Print the number of open offers, but not the offers: strangers can write anything in them."""
    if number := len(player.offers.ids()):
        put(
            tr.plural(
                "You have {number} offer; to list it: {command}",
                "You have {number} offers; to list them: {command}",
                number,
                command="pbem games --offers",
            )
        )


def _list_offers(player: LocalPlayer, as_json: bool) -> None:
    """Print each offer, and the command that accepts it."""
    rows = list(list_offers(player))
    if as_json:
        put_json([_offer_as_data(row) for row in rows])
        return
    if not rows:
        put(tr("You have no offers."))
    for row in rows:
        begin, margin = margins(row)
        told = _describe_damage(row.problem) if row.problem else _describe_game(player, row)
        put(f"{begin}{safe_text(told)}", indent=len(margin))
        if row.own_scenario:
            put(f"{margin}{tr('scenario: {name}', name=row.own_scenario)}", indent=len(margin))
        if not row.problem:
            put(f"{margin}{tr('Type: {command}', command=_take_up_command(row))}", indent=len(margin))


def _take_up_command(row: ListedGame) -> str:
    """The command that accepts an offer, or begins a commander's draft."""
    brief = row.game[:SHORT_ID_DIGITS]
    return f"pbem orders {brief}" if row.key else f"pbem join {brief}"


def _offer_as_data(row: ListedGame) -> dict[str, Any]:
    """An offer as JSON data."""
    if row.problem:
        return {"game": row.game, "problem": row.problem, "line": _describe_damage(row.problem)}
    return {**row.facts, "command": _take_up_command(row)}


def put_game(player: LocalPlayer, row: ListedGame) -> None:
    """Print a game of the list: its players, whose move it is and since when, and where its file is."""
    begin, margin = margins(row)
    if row.problem:
        put(f"{begin}{_describe_damage(safe_text(row.problem))}", indent=len(margin))
        return
    put(f"{begin}{safe_text(_describe_game(player, row))}", indent=len(margin))
    if row.own_scenario:
        put(f"{margin}{tr('scenario: {name}', name=row.own_scenario)}", indent=len(margin))
    for fork in _describe_forks(player, row):
        put(f"{margin}{tr('warning')}: {safe_text(fork)}", indent=len(margin))
    if row.next_seat and not is_mail_refused(player, row):
        put(f"{margin}{describe_clock(row.asked, row.side(row.asked.clock_of))}", indent=len(margin))
    for line in mail_advice(player, row):
        put(f"{margin}{line}")
    if file := file_of(player, row.game):
        place = tr("file: {file}", file=file)
    else:
        command = f"pbem games {row.game[:SHOWN_ID_DIGITS]} --write {row.file_name}"
        place = tr("file: missing. To write it again: {command}", command=command)
    put(f"{margin}{place}", indent=len(margin))
    put_pending(player, row)


def put_pending(player: LocalPlayer, row: ListedGame) -> None:
    """Print that a game is unconfirmed, if it is, and its pending messages and deferred actions."""
    _, margin = margins(row)
    if player.store.unconfirmed.has(row.game):
        put(f"{margin}{tr('warning')}: {describe_unconfirmed(row.game)}", indent=len(margin))
    if (now := status_if_pending(player, row.game)) is None:
        return
    place = player.store.file_of(row.game)
    name = relative_path(place) if place and place.exists() else row.game[:SHORT_ID_DIGITS]
    for line in describe_pending(now, name, printable_size()[0] - len(margin)):
        put(f"{margin}{line}", indent=len(margin))


def _describe_forks(player: LocalPlayer, row: ListedGame) -> tuple[str, ...]:
    """Warnings about players who signed two histories; the game is opened only if evidence is stored."""
    kept = player.store.look_up(row.game) if player.store.evidence(row.game) else None
    return describe_forks(player, player.open(kept.data)) if kept else ()


def mail_advice(player: LocalPlayer, row: ListedGame) -> list[str]:
    """Lines about a problem with a game's mails, and what to type; empty if there is none."""
    if not ((player.home / "outbox" / row.game).is_dir() or (player.home / "mail" / "lost.json").exists()):
        return []
    from pbem.correspondence.resend import describe_mail_trouble  # 50 ms
    from pbem.mail.settings import MailSettings, read_config

    settings = read_config(player.home).mail or MailSettings(address="")  # settings only supply defaults here
    words, command = describe_mail_trouble(player, row, _game_word(player, row), settings.silence, now())
    lines = [words, tr("Type: {command}", command=command) if command else ""]
    return [line for line in lines if line]


def mail_command(player: LocalPlayer, row: ListedGame) -> str:
    """The command that mails a game."""
    return tr("Type: {command}", command=f"pbem mail send {_game_word(player, row)}")


def _game_word(player: LocalPlayer, row: ListedGame) -> str:
    """The word by which the player can name a game: its file, or the start of its id."""
    return file_of(player, row.game) or row.game[:SHORT_ID_DIGITS]


def margins(row: ListedGame) -> tuple[str, str]:
    """The start of the first line about a game, its id; and the indent of its other lines."""
    begin = f"{row.game[:SHOWN_ID_DIGITS]}  "
    return begin, " " * (len(begin) if printable_size()[0] >= NARROW else 4)


def file_of(player: LocalPlayer, game: str) -> str:
    """The player's own file of a game, as typed from here; empty if it no longer exists."""
    place = player.store.file_of(game)
    return quote_path(relative_path(place)) if place and place.exists() else ""


def _describe_damage(problem: str) -> str:
    return tr("damaged: {problem}", problem=problem)


def _describe_game(player: LocalPlayer, row: ListedGame) -> str:
    mark = (
        f"{tr('YOUR MOVE')}  " if is_yours(player, row) else f"{tr('NEW')}  " if is_news(player, row) else ""
    )
    waits = (
        tr("your mail has not been sent")
        if is_mail_refused(player, row) and not row.is_over
        else describe_question(row.asked)
    )
    return f"{mark}{row.title} ({describe_players(row)}), {count_entries(row.facts['entries'])}: {waits}"


def _game_as_data(player: LocalPlayer, kept: StoredGame, row: ListedGame) -> dict[str, Any]:
    """A stored game as JSON data: `file` is the store's, `yours_in` the player's own."""
    if row.problem:
        return {"game": row.game, "problem": row.problem, "line": _describe_damage(row.problem)}
    place = player.store.file_of(row.game)
    at_home = status_if_pending(player, row.game)
    owing = {
        "owed_since": timestamp(row.asked.since),
        "due": timestamp(row.asked.until),
        "overdue": is_overdue(row.asked),
        "waiting": describe_clock(row.asked, row.side(row.asked.clock_of)),
    }
    return {
        **row.facts,
        "file": str(kept.path),
        "yours_in": str(place) if place else None,
        "yours": is_yours(player, row),
        "decision": bool(row.next_seat) and not row.asked.is_formality,
        "line": _describe_game(player, row),
        **({"words": at_home.pending_message} if at_home and at_home.pending_message else {}),
        **(deferred_as_data(at_home.deferred) if at_home else {}),
        **(owing if row.next_seat and not is_mail_refused(player, row) else {}),
    }


def _write_calendar(player: LocalPlayer, kept: list[StoredGame], file: Path) -> None:
    """Write the deadlines as a calendar file. A damaged game is left out; `games` reports it."""

    key = player.key if player.has_key else None
    found = []
    for stored in kept:
        with suppress(PbemError):
            found += [due] if (due := reminder(player.open(stored.data), key)) else []
    if not found:
        put(tr("no game has a move with a deadline: nothing was written"))
        return
    write_atomically(file, to_ics(found, now()))
    put(
        tr.plural(
            "wrote {file}: {number} move with a deadline",
            "wrote {file}: {number} moves with a deadline",
            len(found),
            file=safe_text(str(file)),
        )
    )


def start() -> None:
    """Print the player's games, those where it is their turn first; on a new computer, how to begin."""
    player = local_player()
    games = sorted(list_games(player), key=lambda game: not needs_you(player, game))
    if not games:
        _put_first_commands(player)
    for game in games:
        if game.problem or is_yours(player, game) or is_news(player, game):
            put_game(player, game)
        elif not game.is_over or is_mail_refused(player, game):
            _put_other_game(player, game)
            put_pending(player, game)
        _, margin = margins(game)
        for line in _next_commands(player, game):
            put(f"{margin}{line}")
    if over := sum(game.is_over and not (game.problem or is_news(player, game)) for game in games):
        put(
            tr.plural(
                "{number} game is over; to list all: {command}",
                "{number} games are over; to list all: {command}",
                over,
                command="pbem games",
            )
        )
    put_offers(player)
    if (player.home / "mail" / "watch.json").exists():
        from pbem.cli.mail_background import describe_background  # 50 ms, and only if mail was watched

        put(describe_background(player.home))


def _put_first_commands(player: LocalPlayer) -> None:
    """Print how to begin on a new computer; offers that arrived by mail, by their ids."""
    offer = next(player.offers.newest_first(), None)
    mailed = offer.game[:SHORT_ID_DIGITS] if offer else tr.sense("placeholder", "FILE")
    put(tr("You have no games on this computer yet. To begin, type one of these:"))
    for command, what in (
        ("pbem play", tr("to do everything in your browser")),
        ("pbem demo", tr("to watch a whole game, in a minute")),
        ("pbem new mortain --seat us --practice", tr("to play against the computer now")),
        (f"pbem join {mailed}", tr("to join a game someone has mailed you")),
    ):
        put(f"  {command:<37}    {what}")


def _put_other_game(player: LocalPlayer, game: ListedGame) -> None:
    """Print a game where it is somebody else's turn, in one line."""
    seats = game.facts["seats"]
    about, since = f"{game.title} ({describe_players(game)})", game.asked.since
    waiting = describe_wait(now() - since) if since and since <= now() else ""
    side = game.side(game.next_seat)
    match game.next_seat in seats, bool(waiting):
        case _ if is_mail_refused(player, game):
            said = tr("{game}: your mail has not been sent", game=about)
        case True, True:
            said = tr(
                "{game}: {side} {side:is|are} to move, {waiting}", game=about, side=side, waiting=waiting
            )
        case True, False:
            said = tr("{game}: {side} {side:is|are} to move", game=about, side=side)
        case _, True:
            said = tr(
                "{game}: nobody is playing {side} yet, {waiting}", game=about, side=side, waiting=waiting
            )
        case _:
            said = tr("{game}: nobody is playing {side} yet", game=about, side=side)
    begin, margin = margins(game)
    put(f"{begin}{said}", indent=len(margin))


def _next_commands(player: LocalPlayer, game: ListedGame) -> Iterator[str]:
    """Lines about the player's next command in a game, if any."""
    if game.problem:
        return
    name = file_of(player, game.game) or game.game[:SHORT_ID_DIGITS]
    told_above = is_yours(player, game) or is_news(player, game)
    if not told_above and (lost := mail_advice(player, game)):
        yield from lost
    elif told_above:
        yield tr("Type: {command}", command=f"pbem show {name}")
    elif player.public_key and game.may_draft(str(player.public_key)):
        yield tr("You are a commander in this game. Type: {command}", command=f"pbem orders {name}")
    elif not game.is_over and Outbox(player.home).has_mails(game.game) and is_unmailed(player, game):
        yield tr("Your last entry has not been mailed.")
        yield mail_command(player, game)
