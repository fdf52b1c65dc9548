"""The text a player reads about a game on each surface, with all white space reduced to single spaces."""

from __future__ import annotations

import contextlib
import html
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from pbem.cli.app import run
from pbem.correspondence.letter import letter
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.question_letters import question_letter
from pbem.correspondence.question_record import PendingLetter
from pbem.errors import StorageError
from pbem.format.key_file import change_passphrase
from pbem.mail.settings import MailSettings
from pbem.player.local_player import LocalPlayer
from pbem.player.store.delivery import Fate
from pbem.player.store.game_file import game_file_bytes
from pbem.player.store.record_store import ReadMarker
from pbem.umpire import permissions
from pbem.umpire.game_state import Game
from pbem.web.board_session import BoardSession
from pbem.web.game_page import game_page
from support.status_cases import TODAY, StatusCase, cut_to
from support.terminal import ENTER, Screen

FILE = "game.yaml"


class SituatedHome:
    """A player's home in a folder, in a situation; her file is beside it."""

    def __init__(self, folder: Path, found: StatusCase) -> None:
        self.folder, self.found = folder, found
        self.local_player = LocalPlayer(folder / "home")
        (folder / "home").mkdir()
        change_passphrase(self.local_player.key_path, found.key, "")
        self.file = folder / FILE
        if found.looked:
            self.local_player.record(found.looked, game_file_bytes(found.looked), new=True)
            ReadMarker(self.local_player.home).save_mark(found.looked)
        for game in (found.game, *found.also):
            with contextlib.suppress(StorageError):  # its report is tested
                self.local_player.record(game, game_file_bytes(game), new=True)
        self.file.write_bytes(game_file_bytes(found.game))
        self.local_player.store.note_file(found.game.ids[0], self.file)
        if found.refused:
            note_refused_mail(self.local_player, found.game)
        if found.doubted:
            self.local_player.store.unconfirmed.note(found.game.ids[0])

    @property
    def environment(self) -> dict[str, str]:
        return {"PBEM_HOME": str(self.local_player.home), "SOURCE_DATE_EPOCH": str(int(TODAY.timestamp()))}

    def type(self, *words: str) -> str:
        """pbem's output."""
        out = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            run(list(words))
        return out.getvalue()

    def stored_game(self) -> Game:
        kept = self.local_player.store.look_up(self.found.game.ids[0])
        assert kept
        return self.local_player.open(kept.data)


def note_refused_mail(player: LocalPlayer, game: Game) -> None:
    """Note that a server refuses the mail with the newest entries."""
    outbox, names = Outbox(player.home), (game.ids[0], game.ids[-1])
    outbox.save(*names, b"Subject: pbem\n\n")
    outbox.save_fate(*names, Fate.REFUSED, "552 too large")


Surface: TypeAlias = Callable[[SituatedHome], str]


def read_start(home: SituatedHome) -> str:
    return home.type()


def read_games(home: SituatedHome) -> str:
    return home.type("games")


def read_show(home: SituatedHome) -> str:
    return home.type("show", FILE, "--whole")


def read_json(home: SituatedHome) -> str:
    return " ".join(flatten(json.loads(home.type("show", FILE, "--json").partition("\nwarning")[0])))


def read_move(home: SituatedHome) -> str:
    """Orders, or nothing if only her share is due."""
    game = home.found.game
    asked = permissions.unlock_state(game, home.found.key).pending_question
    writes = game.state.writer in permissions.held_seats(game, home.found.key)
    if asked and writes and not permissions.has_forced_entry(game, home.found.key):
        return home.type("move", FILE, *game.rules.view.write_words(next(game.rules.offers(asked))))
    return home.type("move", FILE, *([] if writes and not game.state.proposal else ["pass"]))


def read_terminal(home: SituatedHome) -> str:
    """`move` at a terminal: the prompt, or its message if there is nothing to decide."""
    screen = Screen(home.folder, 80, 24, "move", FILE, **home.environment)
    try:
        if screen.wait_for_start_or_end("Order"):
            screen.type("quit" + ENTER)
            screen.wait_for_end()
        return screen.printed
    finally:
        screen.close()


def read_board(home: SituatedHome) -> str:
    return " ".join(flatten(BoardSession(home.local_player, home.found.game, home.file).current_data()))


def read_letter(home: SituatedHome) -> str:
    """The letter with the opponent's newest entries."""
    game = home.found.game
    own = permissions.held_seats(game, home.found.key)
    last = max(one.body.n for one in game.entries if one.body.by not in own)
    return letter(cut_to(game, last + 1))


def read_question_letter(home: SituatedHome) -> str:
    """The letter that asks her for orders by reply."""
    settings = MailSettings(address="gerda@example.org")
    return question_letter(home.local_player, settings, home.found.game, PendingLetter(), TODAY).body


def read_page(home: SituatedHome) -> str:
    """The page."""
    return html.unescape(game_page(home.found.game).decode())


SURFACES: dict[str, Surface] = {
    "pbem": read_start,
    "games": read_games,
    "show": read_show,
    "json": read_json,
    "move": read_move,
    "terminal": read_terminal,
    "board": read_board,
    "letter": read_letter,
    "to herself": read_question_letter,
    "page": read_page,
}


def flatten(value: Any) -> Iterator[str]:
    """Everything in some data, each value after its key."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield str(key)
            yield from flatten(one)
    elif isinstance(value, list):
        for one in value:
            yield from flatten(one)
    else:
        yield json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else value


def read_surface(home: SituatedHome, surface: str) -> str:
    """The text on a surface, as one line."""
    return " ".join(SURFACES[surface](home).split())
