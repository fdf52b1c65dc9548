"""What `pbem` alone prints: the games in which it is your move, since when, and what to type."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.cli.games import (
    describe_players,
    file_of,
    is_mail_refused,
    is_news,
    is_yours,
    mail_advice,
    mail_command,
    margins,
    needs_you,
    put_game,
    put_offers,
    put_pending,
)
from pbem.cli.session import local_player
from pbem.cli.terminal import put
from pbem.correspondence.locate_game import is_unmailed
from pbem.correspondence.outbox import Outbox
from pbem.player.clock import now
from pbem.player.local_player import LocalPlayer
from pbem.player.status.describe_status import describe_wait
from pbem.player.status.game_list import ListedGame, list_games
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS

tr = Texts("pbem")


def start() -> None:
    """Print the player's games, those that wait for him first; on a new computer, how to begin."""
    mine = local_player()
    games = sorted(list_games(mine), key=lambda game: not needs_you(mine, game))
    if not games:
        _put_first_commands()
    for game in games:
        if game.problem or is_yours(mine, game) or is_news(mine, game):
            put_game(mine, game)
        elif not game.is_over or is_mail_refused(mine, game):
            _put_other_game(mine, game)
            put_pending(mine, game)
        _, margin = margins(game)
        for line in _next_commands(mine, game):
            put(f"{margin}{line}")
    if over := sum(game.is_over and not (game.problem or is_news(mine, game)) for game in games):
        put(
            tr.plural(
                "{number} game is over; to list all: {command}",
                "{number} games are over; to list all: {command}",
                over,
                command="pbem games",
            )
        )
    put_offers(mine)


def _put_first_commands() -> None:
    """Print how to begin on a new computer."""
    put(tr("Nothing is played on this computer yet. Type one of these:"))
    for command, what in (
        ("pbem demo", tr("to watch a whole game, in a minute")),
        ("pbem new mortain --seat us --practice", tr("to play against the program, at once")),
        ("pbem join FILE", tr("to play the game that you were mailed")),
    ):
        put(f"  {command:<37}    {what}")


def _put_other_game(mine: LocalPlayer, game: ListedGame) -> None:
    """Print a game that waits for somebody else, in one line."""
    seats = game.facts["seats"]
    about, since = f"{game.title} ({describe_players(game)})", game.asked.since
    waiting = describe_wait(now() - since) if since and since <= now() else ""
    side = game.side(game.next_seat)
    match game.next_seat in seats, bool(waiting):
        case _ if is_mail_refused(mine, game):
            said = tr("{game}: your mail has not gone", game=about)
        case True, True:
            said = tr(
                "{game}: {side} {side:is|are} to move, {waiting}", game=about, side=side, waiting=waiting
            )
        case True, False:
            said = tr("{game}: {side} {side:is|are} to move", game=about, side=side)
        case _, True:
            said = tr("{game}: the seat of {side} is free, {waiting}", game=about, side=side, waiting=waiting)
        case _:
            said = tr("{game}: the seat of {side} is free", game=about, side=side)
    begin, margin = margins(game)
    put(f"{begin}{said}", indent=len(margin))


def _next_commands(mine: LocalPlayer, game: ListedGame) -> Iterator[str]:
    """Lines on the player's next command in a game, if any."""
    if game.problem:
        return
    name = file_of(mine, game.game) or game.game[:SHORT_ID_DIGITS]
    told_above = is_yours(mine, game) or is_news(mine, game)
    if not told_above and (lost := mail_advice(mine, game)):
        yield from lost
    elif told_above:
        yield tr("Type: {command}", command=f"pbem show {name}")
    elif mine.public_key and game.may_draft(str(mine.public_key)):
        yield tr("You are a commander there. Type: {command}", command=f"pbem orders {name}")
    elif not game.is_over and Outbox(mine.home).has_mails(game.game) and is_unmailed(mine, game):
        yield tr("Your last entry has not been mailed.")
        yield mail_command(mine, game)
