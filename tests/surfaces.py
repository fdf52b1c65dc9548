"""What a player reads on each surface of a game as it stands, with all white space made one blank."""

from __future__ import annotations

import contextlib
import html
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from cli.screens import ENTER, Screen
from situations import TODAY, Found, cut

from pbem.cli.app import run
from pbem.correspondence.letter import letter
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.question_letters import question_letter
from pbem.correspondence.question_record import PendingLetter
from pbem.errors import StorageError
from pbem.format.key_file import change_passphrase
from pbem.mail.settings import MailSettings
from pbem.player.local_player import LocalPlayer
from pbem.player.store.game_file import game_file_bytes
from pbem.player.store.game_record import Fate, ReadMarker
from pbem.umpire import permissions
from pbem.umpire.game_state import Game
from pbem.web.board_session import BoardSession
from pbem.web.game_page import game_page

FILE = "game.yaml"


class Home:
    """A player's home in a folder, which has come to a situation; her file lies beside it."""

    def __init__(self, folder: Path, found: Found) -> None:
        self.folder, self.found = folder, found
        self.desk = LocalPlayer(folder / "home")
        (folder / "home").mkdir()
        change_passphrase(self.desk.key_path, found.key, "")
        self.file = folder / FILE
        if found.looked:
            self.desk.record(found.looked, game_file_bytes(found.looked), new=True)
            ReadMarker(self.desk.home).save_mark(found.looked)
        for game in (found.game, *found.also):
            with contextlib.suppress(StorageError):  # what is told of it is tried
                self.desk.record(game, game_file_bytes(game), new=True)
        self.file.write_bytes(game_file_bytes(found.game))
        self.desk.store.note_file(found.game.ids[0], self.file)
        if found.refused:
            refuse(self.desk, found.game)
        if found.doubted:
            self.desk.store.unconfirmed.note(found.game.ids[0])

    @property
    def environment(self) -> dict[str, str]:
        return {"PBEM_HOME": str(self.desk.home), "SOURCE_DATE_EPOCH": str(int(TODAY.timestamp()))}

    def types(self, *words: str) -> str:
        """What the program says."""
        out = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            run(list(words))
        return out.getvalue()

    def newest(self) -> Game:
        kept = self.desk.store.look_up(self.found.game.ids[0])
        assert kept
        return self.desk.open(kept.data)


def refuse(desk: LocalPlayer, game: Game) -> None:
    """A server refuses the mail with the newest entries."""
    outbox, names = Outbox(desk.home), (game.ids[0], game.ids[-1])
    outbox.save(*names, b"Subject: pbem\n\n")
    outbox.save_fate(*names, Fate.REFUSED, "552 too large")


Surface: TypeAlias = Callable[[Home], str]


def start(home: Home) -> str:
    return home.types()


def games(home: Home) -> str:
    return home.types("games")


def show(home: Home) -> str:
    return home.types("show", FILE, "--whole")


def as_json(home: Home) -> str:
    return " ".join(leaves(json.loads(home.types("show", FILE, "--json").partition("\nwarning")[0])))


def move(home: Home) -> str:
    """Orders, or nothing where she owes no more than a share."""
    game = home.found.game
    asked = permissions.unlock_state(game, home.found.key).pending_question
    writes = game.state.writer in permissions.held_seats(game, home.found.key)
    if asked and writes and not permissions.has_forced_entry(game, home.found.key):
        return home.types("move", FILE, *game.rules.view.write_words(next(game.rules.offers(asked))))
    return home.types("move", FILE, *([] if writes and not game.state.proposal else ["pass"]))


def prompt(home: Home) -> str:
    screen = Screen(home.folder, 80, 24, "move", FILE, **home.environment)
    try:
        screen.prompt()
        screen.type("quit" + ENTER)
        screen.end()
        return screen.printed
    finally:
        screen.close()


def board(home: Home) -> str:
    return " ".join(leaves(BoardSession(home.desk, home.found.game, home.file).current_data()))


def mail(home: Home) -> str:
    """The letter by which the opponent's newest entries came."""
    game = home.found.game
    own = permissions.held_seats(game, home.found.key)
    last = max(one.body.n for one in game.entries if one.body.by not in own)
    return letter(cut(game, last + 1))


def to_herself(home: Home) -> str:
    """The letter that asks her for orders by reply."""
    settings = MailSettings(address="gerda@example.org")
    return question_letter(home.desk, settings, home.found.game, PendingLetter(), TODAY).body


def reading(home: Home) -> str:
    """The page."""
    return html.unescape(game_page(home.found.game).decode())


SURFACES: dict[str, Surface] = {
    "pbem": start,
    "games": games,
    "show": show,
    "json": as_json,
    "move": move,
    "prompt": prompt,
    "board": board,
    "letter": mail,
    "to herself": to_herself,
    "page": reading,
}


def leaves(value: Any) -> Iterator[str]:
    """All that stands in data, each value behind its key."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield str(key)
            yield from leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one)
    else:
        yield json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else value


def read(home: Home, surface: str) -> str:
    """What stands on the surface, as one line."""
    return " ".join(SURFACES[surface](home).split())
