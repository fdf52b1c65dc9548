"""A board to play on in a browser: `play`."""

from __future__ import annotations

import os
import webbrowser
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Annotated

import typer

from pbem.base.interrupts import raise_on_interrupt
from pbem.cli.arguments import File, Newest
from pbem.cli.command_groups import commands
from pbem.cli.session import local_player, open_to_play
from pbem.cli.terminal import put
from pbem.player.clock import claim
from pbem.player.local_player import LocalPlayer
from pbem.player.practice import play_to_next_decision
from pbem.render.safe_text import quote_path
from pbem.texts import Texts
from pbem.web.board_server import BoardServer, open_board, open_pages

tr = Texts("pbem")

app = commands()


@app.command()
def play(
    file: File = "",
    newest: Newest = False,
    no_open: Annotated[
        bool,
        typer.Option(
            "--no-open", help="Do not open a browser; print the address instead, which works only once."
        ),
    ] = False,
) -> None:
    """Play in your browser, with a board for each of your games, until you close its tab or press Ctrl-C.

    If you name a file or a game, it opens that board. Only this computer can reach it. If you are a
    commander, it lists your units first, and you sign a draft of your orders for your lead.

    Example: pbem play
    """
    board = _board_of(file, newest) if file else _lobby()
    again = f"pbem play {quote_path(file)}" if file else "pbem play"
    with raise_on_interrupt(), board, suppress(KeyboardInterrupt):
        if no_open or not _open_in_browser(board):
            words = tr("Open this address in a browser on this computer. It works only once:")
            put(f"{words}\n{board.address}")
        else:
            put(tr("pbem opens in your browser. Close its tab, or press Ctrl-C here, to end."))
            put(tr("If it does not open: {command}", command=f"{again} --no-open"))
        board.serve_forever(poll_interval=0.2)
    put(tr("The board is closed. To continue: {command}", command=again))


def _board_of(file: str, newest: bool) -> BoardServer:
    """The server of the player's pages, opening with the board of a game."""
    player = local_player()
    game, written = open_to_play(player, file, newest, commanders=True)
    caught_up = play_to_next_decision(game, player, claim=claim())
    if caught_up is not game:
        player.save(caught_up, written)
    return open_board(player, caught_up, written)


def _lobby() -> BoardServer:
    """The server of the player's pages, opening with the lobby. The page asks for a passphrase if needed."""
    return BoardServer(open_pages(LocalPlayer(local_player().home), Path()))


def _open_in_browser(board: BoardServer) -> bool:
    """Open the board in the player's browser, through a file that redirects to its address.

    The file is in the user's home folder, since a browser from a snap sees neither hidden folders nor `/tmp`.
    Returns whether it worked.
    """
    with suppress(OSError, RuntimeError, webbrowser.Error):
        if webbrowser.open(browser_argument(board.write_login_file(Path.home()))):
            return True
    board.remove_login_file()
    return False


def browser_argument(file: PurePath, *, windows: bool = os.name == "nt") -> str:
    """The argument with which a browser opens a file: its URI, or on Windows its path.

    Windows reads `%C3%A9` in a URI as two letters of a legacy code page, and then finds no file.
    """
    return str(file) if windows else file.as_uri()
