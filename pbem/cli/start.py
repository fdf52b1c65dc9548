"""What `pbem` alone prints: the games in which it is your move, since when, and what to type."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.cli.games import (
    file_of,
    has_not_gone,
    is_news,
    is_yours,
    margins,
    of_the_mail,
    players,
    put_game,
    put_offers,
    put_waiting,
    to_mail_it,
    wants_you,
)
from pbem.cli.session import desk
from pbem.cli.terminal import put
from pbem.correspondence.locate_game import is_unsent
from pbem.correspondence.outbox import Outbox
from pbem.player.clock import now
from pbem.player.local_player import LocalPlayer
from pbem.player.status.describe_status import waited
from pbem.player.status.game_list import ListedGame, list_games
from pbem.texts import Texts
from pbem.umpire.game_facts import BRIEF

tr = Texts("pbem")


def start() -> None:
    """Print the player's games, those that wait for him first; on a new computer, how to begin."""
    mine = desk()
    games = sorted(list_games(mine), key=lambda game: not wants_you(mine, game))
    if not games:
        _put_first_commands()
    for game in games:
        if game.problem or is_yours(mine, game) or is_news(mine, game):
            put_game(mine, game)
        elif not game.over or has_not_gone(mine, game):
            _put_waiting(mine, game)
            put_waiting(mine, game)
        _, margin = margins(game)
        for line in _to_type(mine, game):
            put(f"{margin}{line}")
    if over := sum(game.over and not (game.problem or is_news(mine, game)) for game in games):
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


def _put_waiting(mine: LocalPlayer, game: ListedGame) -> None:
    """Print a game that waits for somebody else, in one line."""
    seats = game.facts["seats"]
    about, since = f"{game.title} ({players(game)})", game.asked.since
    waiting = waited(now() - since) if since and since <= now() else ""
    side = game.side(game.owing)
    match game.owing in seats, bool(waiting):
        case _ if has_not_gone(mine, game):
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


def _to_type(mine: LocalPlayer, game: ListedGame) -> Iterator[str]:
    """Lines on the player's next command in a game, if any."""
    if game.problem:
        return
    name = file_of(mine, game.game) or game.game[:BRIEF]
    told_above = is_yours(mine, game) or is_news(mine, game)
    if not told_above and (lost := of_the_mail(mine, game)):
        yield from lost
    elif told_above:
        yield tr("Type: {command}", command=f"pbem show {name}")
    elif mine.public and game.drafted_by(str(mine.public)):
        yield tr("You are a commander there. Type: {command}", command=f"pbem orders {name}")
    elif not game.over and Outbox(mine.home).has(game.game) and is_unsent(mine, game):
        yield tr("Your last entry has not been mailed.")
        yield to_mail_it(mine, game)
