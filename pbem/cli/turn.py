"""Whether it is for the player to write, and if not the true reason, with the command that helps."""

from __future__ import annotations

from pathlib import Path

from pbem.desk import Desk
from pbem.errors import NotYourMove
from pbem.render.words import named, quoted
from pbem.report import awaited, proposal_waiting
from pbem.umpire import Game, owed, seated


def my_turn(game: Game, mine: Desk, file: Path | str) -> str:
    """The player's seat, which writes next. Raises `NotYourMove` with the reason why it does not."""
    held_a_seat(game, mine, file)
    if game.table.writer in seated.held(game, mine.key):
        return seated.writing(game, mine.key)
    raise _not_yet(game, mine, quoted(file))


def is_commander(game: Game, mine: Desk) -> bool:
    """Whether the player is a commander, who has no secret that an old file could make him give away."""
    keys = [one.key for commanders in game.table.commanders.values() for one in commanders]
    return mine.public is not None and str(mine.public) in keys


def may_decide(game: Game, mine: Desk, file: Path | str) -> None:
    """Raise `NotYourMove` unless the player has something to decide, or does once his share is given."""
    seat = my_turn(game, mine, file)
    asked = seated.unlock(game, mine.key).asked
    opened = game.table.open_beat
    if opened and (asked is None or asked.seat != seat):
        raise NotYourMove(
            f"{seat} has nothing to decide: it only adds its half of the next card or dice",
            hint=f"to do so: pbem move {quoted(file)}",
        )


def held_a_seat(game: Game, mine: Desk, file: Path | str) -> None:
    """Raise `NotYourMove` if the player holds no seat in the game, and say how he can get one."""
    if mine.public and any(seat.key == str(mine.public) for seat in game.seats.values()):
        return
    if len(game.seats) < 2:
        raise NotYourMove(
            f"you have not joined this game yet: {owed(game.table).text}",
            hint=f"take the seat: pbem join {quoted(file)}",
        )
    for seat, taken in game.seats.items():
        if mine.public and any(one.key == str(mine.public) for one in taken.commanders or ()):
            raise NotYourMove(
                f"you are a commander of {seat}, for which {named(taken.name)} writes",
                hint=f"to draft your orders: pbem orders {quoted(file)}",
            )
    players = " and ".join(f"{name} {named(seat.name)}" for name, seat in game.seats.items())
    raise NotYourMove(
        f"your key holds no seat in this game, which {players} play",
        hint=f"to watch it: pbem show {quoted(file)}",
    )


def no_proposal(game: Game, file: Path | str) -> None:
    """Raise `NotYourMove` if the opponent's proposal waits for the player's answer."""
    if game.table.proposal:
        raise NotYourMove(
            f"{proposal_waiting(game)}: answer that first",
            hint=f"to agree: pbem answer {quoted(file)} yes; to refuse: pbem answer {quoted(file)} no",
        )


def _not_yet(game: Game, mine: Desk, file: str) -> NotYourMove:
    """Why it is not for a player of this game to write."""
    due = owed(game.table)
    if due.what == "nothing":
        return NotYourMove(due.text, hint=f"the whole story: pbem log {file}")
    if due.what == "accept":
        return NotYourMove(
            f"nobody has taken the seat {due.seat} yet",
            hint=f"mail {file} to your opponent, who types: pbem join {file}",
        )
    if game.chapters[-1].entry.body.by in seated.held(game, mine.key):
        hint = f"if you have not mailed your move yet: pbem mail send {file}"
    else:
        hint = "wait for your opponent's mail"
    return NotYourMove(f"it is not your move: {awaited(game.table)}", hint=hint)
