"""Take a seat, or give it back: `join`."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer

from pbem.cli.arguments import Commanders, File, Mail, Name, Say
from pbem.cli.exchange import person_of, shared_with
from pbem.cli.lazy import commands
from pbem.cli.session import desk, file_to_write, meet, note_reader, open_file
from pbem.cli.terminal import be_sure, interactive, put
from pbem.correspondence.finding import offer_to_join
from pbem.correspondence.opening import Opened
from pbem.desk import Desk
from pbem.desk.clock import claim
from pbem.errors import PbemError
from pbem.render.words import quoted, safe
from pbem.report import summary
from pbem.texts import Texts
from pbem.umpire import Game, write
from pbem.umpire.scenario import own_scenario

tr = Texts("pbem")

app = commands()


@app.command()
def join(
    file: File = "",
    name: Name = "",
    mail: Mail = "",
    commander: Commanders = None,
    say: Say = "",
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask: not about the offerer's own scenario, nor with --undo.")
    ] = False,
    solitaire: Annotated[
        bool, typer.Option("--solitaire", help="The offer is yours: play both sides yourself.")
    ] = False,
    undo: Annotated[
        bool,
        typer.Option("--undo", help="You joined by mistake, and nobody has seen it: give the seat back."),
    ] = False,
) -> None:
    """Take the other seat of a game that was offered to you.

    Example: pbem join mortain.yaml --name Bruno
    """
    mine = desk()
    opened = open_file(mine, file or ("" if undo or solitaire else offer_to_join(mine)))
    if undo:
        _undo(mine, opened, yes)
        return
    offered, place = opened.game, file_to_write(mine, opened)
    if not (solitaire or _came_from_another(mine, opened)):
        be_sure(tr("You made this offer yourself. Do you want to play both sides?"))
    if not yes:
        _agree_to_scenario(offered, opened.typed)
    person = person_of(mine, name, mail, shared_with(mine, offered.rules, commander))
    joined = write.accept(offered, person, secrets.token_bytes, claim=claim(say))
    mine.keep(offered, opened.data, new=True)
    note_reader(mine, opened)
    meet(mine, joined)
    mine.save(joined, place)
    put(summary(joined, mine.key))
    put(tr("Now type: {command}", command=f"pbem show {quoted(place)}"))
    if solitaire:
        back = f"pbem join {quoted(place)} --undo"
        put(tr("To give the seat back, while nobody has seen it: {command}", command=back))


def _came_from_another(mine: Desk, opened: Opened) -> bool:
    """Whether the offer is not the player's own. Raises `PbemError` if it is and nobody can be asked."""
    game = opened.game
    if len(game.entries) > 1 or next(iter(game.seats.values())).key != str(mine.public):
        return True
    if not interactive():
        name = quoted(opened.typed)
        raise PbemError(
            tr("you made this offer yourself: it is for your opponent to join"),
            hint=tr("to play both sides yourself: {command}", command=f"pbem join {name} --solitaire"),
        )
    return False


def _undo(mine: Desk, opened: Opened, yes: bool) -> None:
    """Give back the seat that the player took by mistake, if he says that nobody has seen it."""
    from pbem.correspondence.outbox import Outbox  # here, and below, because it is rarely wanted
    from pbem.desk.undo import check_undo, undo_join

    game, file = opened.game, quoted(opened.typed)
    check_undo(game, mine)
    if Outbox(mine.home).copies(game.ids[0], game.ids[-1]):
        raise PbemError(
            tr("a mail that tells of your joining has been made: it may have been seen, and stays"),
            hint=tr("to give the game up: {command}", command=f"pbem resign {file}"),
        )
    if not (yes or interactive()):
        raise PbemError(
            tr("you can give the seat back only if nobody has seen that you joined"),
            hint=tr("if nobody has: {command}", command=f"pbem join {file} --undo --yes"),
        )
    if not yes:
        be_sure(tr("Are you sure that nobody has got this file since you joined?"))
    evidence = undo_join(mine, game, opened.file)
    seat = game.entries[1].body.by
    put(tr("The seat {seat} is free again in {file}.", seat=seat, file=safe(str(opened.file))))
    put(tr("What you signed is kept in {file}; show it to nobody.", file=safe(str(evidence))))


def _agree_to_scenario(game: Game, file: str) -> None:
    """Ask whether the player plays a scenario that is the offerer's own (FORMAT 4), if it is."""
    own = own_scenario(game)
    if own is None:
        return
    if not interactive():
        hint = tr(
            "all of it: {compare}; to play it: {join}",
            compare=f"pbem scenario compare {quoted(file)}",
            join=f"pbem join {quoted(file)} --yes",
        )
        raise PbemError(tr("the scenario is {scenario}", scenario=own.text), hint=hint)
    put(tr("The scenario is {scenario}", scenario=own.text), indent=2)
    be_sure(tr("Play it?"))
