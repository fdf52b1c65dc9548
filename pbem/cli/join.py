"""Take a seat that is offered: `join`."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.arguments import Commanders, File, Mail, Name, Say
from pbem.cli.lazy import commands
from pbem.cli.new import person_of, shared_with
from pbem.cli.session import desk, file_to_write, meet, note_reader, open_file
from pbem.cli.terminal import be_sure, interactive, put
from pbem.correspondence.locate_game import offer_to_join
from pbem.correspondence.open_file import Opened
from pbem.errors import PbemError
from pbem.player.actions.take_seat import accept
from pbem.player.clock import claim
from pbem.player.local_player import LocalPlayer
from pbem.render.story import summary
from pbem.render.words import quoted
from pbem.texts import Texts
from pbem.umpire.game import Game
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
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask about the offerer's own scenario.")] = False,
    solitaire: Annotated[
        bool, typer.Option("--solitaire", help="The offer is yours: play both sides yourself.")
    ] = False,
) -> None:
    """Take the other seat of a game that was offered to you.

    Example: pbem join mortain.yaml --name Bruno
    """
    mine = desk()
    opened = open_file(mine, file or ("" if solitaire else offer_to_join(mine)))
    if mine.shelf.look_up(opened.game.ids[0]):
        mine.keep(opened.game, opened.data)
    offered, place = opened.game, file_to_write(mine, opened)
    if not (solitaire or _came_from_another(mine, opened)):
        be_sure(tr("You made this offer yourself. Do you want to play both sides?"))
    if not yes:
        _agree_to_scenario(offered, opened.typed)
    person = person_of(mine, name, mail, shared_with(mine, offered.rules, commander))
    joined = accept(offered, person, claim(say))
    mine.keep(offered, opened.data, new=True)
    note_reader(mine, opened)
    meet(mine, joined)
    mine.save(joined, place)
    put(summary(joined, mine.key))
    put(tr("Now type: {command}", command=f"pbem show {quoted(place)}"))
    if solitaire:
        back = f"pbem undo {quoted(place)}"
        put(tr("To give the seat back, while nobody has seen it: {command}", command=back))


def _came_from_another(mine: LocalPlayer, opened: Opened) -> bool:
    """Whether the offer is somebody else's. Raises `PbemError` if it is not and there is no terminal."""
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


def _agree_to_scenario(game: Game, file: str) -> None:
    """Ask whether to play a scenario of the offerer's own (FORMAT 4), if the game has one."""
    own = own_scenario(game)
    if own is None:
        return
    if not interactive():
        hint = tr(
            "the full list: {compare}; to play it: {join}",
            compare=f"pbem scenario compare {quoted(file)}",
            join=f"pbem join {quoted(file)} --yes",
        )
        raise PbemError(tr("the scenario is {scenario}", scenario=own.text), hint=hint)
    put(tr("The scenario is {scenario}", scenario=own.text), indent=2)
    be_sure(tr("Play it?"))
