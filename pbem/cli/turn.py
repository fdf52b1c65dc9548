"""Whether it is for the player to write, and if not the true reason, with the command that helps."""

from __future__ import annotations

from pathlib import Path

from pbem.core.sentences import joined
from pbem.desk import Desk
from pbem.desk.acts.undo import command
from pbem.errors import NotYourMove
from pbem.render.words import named, quoted
from pbem.report import awaited, proposal_waiting
from pbem.texts import Texts
from pbem.umpire import Game, owed, seated

tr = Texts("pbem")


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
            tr("{seat} has nothing to decide: it only adds its half of the next card or dice", seat=seat),
            hint=tr("to do so: {command}", command=f"pbem move {quoted(file)}"),
        )


def held_a_seat(game: Game, mine: Desk, file: Path | str) -> None:
    """Raise `NotYourMove` if the player holds no seat in the game, and say how he can get one."""
    if mine.public and any(seat.key == str(mine.public) for seat in game.seats.values()):
        return
    if len(game.seats) < 2:
        raise NotYourMove(
            tr("you have not joined this game yet: {owed}", owed=owed(game.table).text),
            hint=tr("take the seat: {command}", command=f"pbem join {quoted(file)}"),
        )
    for seat, taken in game.seats.items():
        if mine.public and any(one.key == str(mine.public) for one in taken.commanders or ()):
            raise NotYourMove(
                tr(
                    "you are a commander of {seat}, for which {name} writes",
                    seat=seat,
                    name=named(taken.name),
                ),
                hint=tr("to draft your orders: {command}", command=f"pbem orders {quoted(file)}"),
            )
    players = joined([f"{name} {named(seat.name)}" for name, seat in game.seats.items()])
    raise NotYourMove(
        tr("your key holds no seat in this game, which {players} play", players=players),
        hint=tr("to watch it: {command}", command=f"pbem show {quoted(file)}"),
    )


def no_proposal(game: Game, file: Path | str) -> None:
    """Raise `NotYourMove` if the opponent's proposal waits for the player's answer."""
    if game.table.proposal:
        raise NotYourMove(
            tr("{proposal}: answer that first", proposal=proposal_waiting(game)),
            hint=tr(
                "to agree: {agree}; to refuse: {refuse}",
                agree=f"pbem answer {quoted(file)} yes",
                refuse=f"pbem answer {quoted(file)} no",
            ),
        )


def _not_yet(game: Game, mine: Desk, file: str) -> NotYourMove:
    """Why it is not for a player of this game to write."""
    due = owed(game.table)
    take_back = command(mine, game, file)
    if due.what == "nothing" and take_back:
        return NotYourMove(due.text, hint=_while_nobody_has_it(take_back))
    if due.what == "nothing":
        return NotYourMove(due.text, hint=tr("the whole story: {command}", command=f"pbem log {file}"))
    if due.what == "accept":
        return NotYourMove(
            tr("nobody has taken the seat {seat} yet", seat=due.seat),
            hint=tr(
                "mail {file} to your opponent, who types: {command}", file=file, command=f"pbem join {file}"
            ),
        )
    if take_back:
        send = tr("to mail it: {command}", command=f"pbem mail send {file}")
        hint = f"{_while_nobody_has_it(take_back)}; {send}"
    elif game.chapters[-1].entry.body.by in seated.held(game, mine.key):
        hint = tr("if you have not mailed your move yet: {command}", command=f"pbem mail send {file}")
    else:
        hint = tr("wait for your opponent's mail")
    return NotYourMove(tr("it is not your move: {awaited}", awaited=awaited(game.table)), hint=hint)


def _while_nobody_has_it(command: str) -> str:
    return tr("to undo your last entry, while nobody has it: {command}", command=command)
