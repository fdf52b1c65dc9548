"""A game between Anna, who has an installed pbem, and Bruno, who only has the browser edition.

Both decide as a computer player would. Anna types her orders as commands; Bruno's go to the worker as his
board sends them. Only the file goes from one to the other.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from pbem.core.sealing import Open
from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions
from pbem.umpire.game_state import Game
from support.board_player import run_pbem_at_home
from support.edition_player import EditionPlayer

ASK = """
const [what, request, done] = arguments;
transport.ask(what, JSON.parse(request)).then(done, ({message}) => done({fault: message}));
"""


def decide(game: Game, player: LocalPlayer, chooser: Random) -> Sequence[str] | None:
    """What the player to write next types; empty if there is nothing to decide.

    None if it is the other player's turn.
    """
    if game.state.writer not in permissions.held_seats(game, player.key):
        return None
    asked = permissions.unlock_state(game, player.key).pending_question
    if asked is None or asked.seat != game.state.writer or isinstance(asked, Open):
        return []
    return game.rules.view.write_words(game.rules.players["sensible"](asked, chooser))


class Anna:
    """The player who uses commands; her home and her file are in `folder`."""

    def __init__(self, folder: Path, chooser: Random) -> None:
        folder.mkdir()
        self.folder = folder
        self.player = LocalPlayer(folder / "home")
        self._chooser = chooser
        self.type("key")

    def type(self, *words: str) -> str:
        """Type a command, which must succeed. Returns its output."""
        done = run_pbem_at_home(self.folder, *words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def game(self) -> Game:
        """The game in her file."""
        return self.player.open((self.folder / "game.yaml").read_bytes())

    def receive(self, data: bytes) -> None:
        """Save a received file, replacing the previous one."""
        (self.folder / "game.yaml").write_bytes(data)

    def play(self) -> bytes:
        """Give her orders. Returns the file then."""
        while (words := decide(self.game(), self.player, self._chooser)) is not None:
            self.type("move", "game.yaml", *words)
        return (self.folder / "game.yaml").read_bytes()


class Bruno:
    """The player at the open lobby of the browser edition; `home` is a copy of his, to decide with."""

    def __init__(self, edition: EditionPlayer, home: LocalPlayer, chooser: Random) -> None:
        self.edition = edition
        self.home = home
        self._chooser = chooser

    def ask(self, what: str, **request: Any) -> Any:
        """The worker's answer to his page."""
        answer = self.edition.browser.wait(ASK, what, json.dumps(request))
        refused = {"fault", "refused", "unconfirmed"} & set(answer)
        assert not refused, (what, request, [answer[name] for name in refused])
        return answer

    def receive(self, data: bytes) -> str:
        """Open a received file, and continue it. Returns the id of the game."""
        opened = self.ask("open", name="game.yaml", data=b64encode(data).decode())
        self.ask("take", game=opened["game"], newest=False)
        return str(opened["game"])

    def play(self, game: str) -> bytes:
        """Give his orders. Returns the file then."""
        while (
            words := decide(self.home.open(data := self.file(game)), self.home, self._chooser)
        ) is not None:
            bound = self.ask(f"{game}/look", bound="")["bound"]
            request = (
                {"bound": bound, "act": "orders", "lines": words}
                if words
                else {"bound": bound, "act": "share"}
            )
            shown = self.ask(f"{game}/confirm", **request)
            self.ask(f"{game}/sign", bound=bound, digest=shown["digest"])
        return data

    def file(self, game: str) -> bytes:
        """The file of a game in its newest state."""
        return b64decode(self.ask("file", game=game)["data"])
