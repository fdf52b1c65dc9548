"""Take a seat that is offered: `join`."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.arguments import CommanderOption, File, Mail, Name, SayOption
from pbem.cli.lazy import commands
from pbem.cli.new import commanders_from_option, person_from_options
from pbem.cli.session import file_to_write, local_player, note_peer_program, open_file, remember_players
from pbem.cli.terminal import confirm_or_exit, is_interactive, put
from pbem.correspondence.locate_game import offer_to_join
from pbem.correspondence.open_file import OpenedGame
from pbem.errors import PbemError
from pbem.player.actions.take_seat import sign_accept
from pbem.player.clock import claim
from pbem.player.local_player import LocalPlayer
from pbem.render.story import summary
from pbem.render.words import quote_path
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
    commander: CommanderOption = None,
    say: SayOption = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask about the offerer's own scenario.")] = False,
    solitaire: Annotated[
        bool, typer.Option("--solitaire", help="The offer is yours: play both sides yourself.")
    ] = False,
) -> None:
    """Take the other seat of a game that was offered to you.

    Example: pbem join mortain.yaml --name Bruno
    """
    mine = local_player()
    opened = open_file(mine, file or ("" if solitaire else offer_to_join(mine)))
    if mine.store.look_up(opened.game.ids[0]):
        mine.record(opened.game, opened.data)
    offered, place = opened.game, file_to_write(mine, opened)
    if not (solitaire or _is_from_another(mine, opened)):
        confirm_or_exit(tr("You made this offer yourself. Do you want to play both sides?"))
    if not yes:
        _confirm_scenario(offered, opened.typed)
    person = person_from_options(mine, name, mail, commanders_from_option(mine, offered.rules, commander))
    joined = sign_accept(offered, person, claim(say))
    mine.record(offered, opened.data, new=True)
    note_peer_program(mine, opened)
    remember_players(mine, joined)
    mine.save(joined, place)
    put(summary(joined, mine.key))
    put(tr("Now type: {command}", command=f"pbem show {quote_path(place)}"))
    if solitaire:
        back = f"pbem undo {quote_path(place)}"
        put(tr("To give the seat back, while nobody has seen it: {command}", command=back))


def _is_from_another(mine: LocalPlayer, opened: OpenedGame) -> bool:
    """Whether the offer is somebody else's. Raises `PbemError` if it is not and there is no terminal."""
    game = opened.game
    if len(game.entries) > 1 or next(iter(game.seats.values())).key != str(mine.public_key):
        return True
    if not is_interactive():
        name = quote_path(opened.typed)
        raise PbemError(
            tr("you made this offer yourself: it is for your opponent to join"),
            hint=tr("to play both sides yourself: {command}", command=f"pbem join {name} --solitaire"),
        )
    return False


def _confirm_scenario(game: Game, file: str) -> None:
    """Ask whether to play a scenario of the offerer's own (FORMAT 4), if the game has one."""
    own = own_scenario(game)
    if own is None:
        return
    if not is_interactive():
        hint = tr(
            "the full list: {compare}; to play it: {join}",
            compare=f"pbem scenario compare {quote_path(file)}",
            join=f"pbem join {quote_path(file)} --yes",
        )
        raise PbemError(tr("the scenario is {scenario}", scenario=own.text), hint=hint)
    put(tr("The scenario is {scenario}", scenario=own.text), indent=2)
    confirm_or_exit(tr("Play it?"))
