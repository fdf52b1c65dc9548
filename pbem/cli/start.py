"""What `pbem` alone says: in which games it is your move, since when, and what to type."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.cli.games import file_of, is_yours, length, margins, players, put_game
from pbem.cli.session import desk
from pbem.cli.terminal import put
from pbem.correspondence.finding import is_unsent
from pbem.correspondence.outbox import Fate, Outbox
from pbem.desk import Desk
from pbem.desk.clock import now
from pbem.desk.listing import Listed, listed
from pbem.umpire.facts import BRIEF

_BEGIN = """\
Nothing is played on this computer yet. Type one of these:
  pbem demo                                to watch a whole game, in a minute
  pbem new mortain --seat us --practice    to play against the program, at once
  pbem join FILE                           to play the game that you were mailed"""


def start() -> None:
    """Tell the player where he is wanted; on a new computer, how to begin."""
    mine = desk()
    games = sorted(listed(mine), key=lambda game: not is_yours(mine, game))
    if not games:
        put(_BEGIN)
    for game in games:
        if game.problem or is_yours(mine, game):
            put_game(mine, game)
        elif not game.over:
            _put_waiting(game)
        _, margin = margins(game)
        for line in _to_type(mine, game):
            put(f"{margin}{line}")
    if over := sum(game.over and not game.problem for game in games):
        put(f"{over} {'game is' if over == 1 else 'games are'} over; to list all: pbem games")


def _put_waiting(game: Listed) -> None:
    """Print a game that waits for somebody else, in short."""
    seats = game.facts["seats"]
    due = f"{game.owing} to move" if game.owing in seats else f"the seat {game.owing} is free"
    since = f", for {length(now() - game.since)}" if game.since and game.since <= now() else ""
    begin, margin = margins(game)
    put(f"{begin}{game.title} ({players(game)}): {due}{since}", indent=len(margin))


def _to_type(mine: Desk, game: Listed) -> Iterator[str]:
    """What the player types next in a game, if anything."""
    if game.problem:
        return
    name = file_of(mine, game.game) or game.game[:BRIEF]
    fate = Outbox(mine.home).fate(game.game, game.facts["head"])
    if fate in (Fate.RETURNED, Fate.REFUSED):
        what = "came back" if fate is Fate.RETURNED else "was refused"
        yield f"Your mail {what}. Type: pbem mail send {name}"
    elif is_yours(mine, game):
        yield f"Type: pbem show {name}"
    elif mine.public and game.drafted_by(str(mine.public)):
        yield f"You are a commander there. Type: pbem orders {name}"
    elif not game.over and Outbox(mine.home).has(game.game) and is_unsent(mine, game):
        yield f"Your last entry has not been mailed. Type: pbem mail send {name}"
