"""pbem's pages, and the functions they can call: one list of typed functions for every way to serve them.

A page has a path: the lobby's is empty, a board's is the id of its game and `/`. A function has a name below
the path of its page: `begin`, `<id>/look`; those of the mail form are `mail/find` and so on, and only exist
if pbem has sockets and can run other programs. A function takes a request, a `Struct` decoded from the body,
and returns plain data. Nothing here knows about sockets, HTTP or browsers: `board_server.py` serves it, and
`transport.js` calls it.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from pbem.base.limits import MAIL_BYTES
from pbem.errors import PbemError, StorageError
from pbem.player.local_player import LocalPlayer
from pbem.render.safe_text import safe_text
from pbem.texts import Texts, spoken
from pbem.umpire.game_state import Game
from pbem.web.board_page import board_page
from pbem.web.board_session import ActionRequest, BoardSession, EffectsRequest, SignRequest, WithdrawRequest
from pbem.web.board_state import StoryRequest
from pbem.web.chances_panel import chances_panel
from pbem.web.departure import MailRequest, UndoRequest
from pbem.web.game_page import game_page
from pbem.web.lobby_data import (
    BeginRequest,
    GameRequest,
    JoinRequest,
    OpenRequest,
    PassphraseRequest,
    RestoreRequest,
    SaveScenarioRequest,
    ScenarioRequest,
    SendRequest,
    SettingsRequest,
    TakeRequest,
)
from pbem.web.lobby_page import lobby_page
from pbem.web.lobby_session import LobbySession
from pbem.web.order_options import OptionsRequest
from pbem.web.page_data import NoRequest, PageFunction, page_function
from pbem.web.plan_panel import PlanRequest
from pbem.web.review_panel import ReviewRequest, finished_report

if TYPE_CHECKING:
    from pbem.web.mail_form import MailForm

tr = Texts("pbem")

MAX_UPLOAD_BYTES = 4 * MAIL_BYTES // 3 + 1024
"""The most bytes of a request with a file in base64: as much as a mail can have."""


BOARD_FUNCTIONS = {
    "look": page_function(ActionRequest, BoardSession.look),
    "options": page_function(OptionsRequest, BoardSession.options),
    "past": page_function(StoryRequest, BoardSession.story),
    "weigh": page_function(EffectsRequest, BoardSession.weigh),
    "confirm": page_function(ActionRequest, BoardSession.confirm),
    "sign": page_function(SignRequest, BoardSession.sign),
    "withdraw": page_function(WithdrawRequest, BoardSession.withdraw),
    "file": page_function(NoRequest, BoardSession.game_file),
    "mail": page_function(MailRequest, BoardSession.mail),
    "departure": page_function(NoRequest, BoardSession.departure),
    "undo": page_function(UndoRequest, BoardSession.undo),
    "plan": page_function(PlanRequest, BoardSession.plan),
    "verify": page_function(NoRequest, BoardSession.verify),
    "review": page_function(ReviewRequest, BoardSession.review),
}
"""The functions that the page of a board can call."""


LOBBY_FUNCTIONS = {
    "state": page_function(NoRequest, LobbySession.state),
    "open": page_function(OpenRequest, LobbySession.open, MAX_UPLOAD_BYTES),
    "show": page_function(GameRequest, LobbySession.show),
    "take": page_function(TakeRequest, LobbySession.take),
    "join": page_function(JoinRequest, LobbySession.join),
    "scenario": page_function(ScenarioRequest, LobbySession.scenario_form),
    "save_scenario": page_function(SaveScenarioRequest, LobbySession.save_scenario),
    "begin": page_function(BeginRequest, LobbySession.begin),
    "departure": page_function(GameRequest, LobbySession.departure),
    "send": page_function(SendRequest, LobbySession.send),
    "file": page_function(GameRequest, LobbySession.file),
    "settings": page_function(SettingsRequest, LobbySession.save_settings),
    "unlock": page_function(PassphraseRequest, LobbySession.unlock),
    "protect": page_function(PassphraseRequest, LobbySession.protect),
    "backup": page_function(PassphraseRequest, LobbySession.back_up),
    "restore": page_function(RestoreRequest, LobbySession.restore, MAX_UPLOAD_BYTES),
}
"""The functions that the page of the lobby can call."""

MAIL = "mail"
"""The prefix of the mail form's function names."""

LOOK = "page"
"""The name, below the id of a game, of the page that describes and proves it."""

REPORT = "report"
"""The name of the same page with what decided the game, if that was computed."""


class Pages:
    """The pages of one player, whose files go to `folder`. Not thread-safe.

    The lobby has the path "". A game has a board, `<id>/`, and pages to look at. `mail` is the form that sets
    up mail; None if there are neither sockets nor other programs.
    """

    def __init__(self, player: LocalPlayer, folder: Path, mail: MailForm | None = None) -> None:
        self.lobby = LobbySession(player, folder)
        self._mail = mail
        self._boards: dict[str, BoardSession] = {}  # by the ids of their games
        self._language = spoken()

    @property
    def language(self) -> str:
        """The language of the pages: the player's setting can change while they are open."""
        return self.lobby.language or self._language

    def add_board(self, game: Game, file: Path) -> str:
        """Add a board, where the player writes to `file`. Returns its path."""
        self._boards[game.ids[0]] = BoardSession(self.lobby.player, game, file)
        return f"{game.ids[0]}/"

    def has(self, path: str) -> bool:
        """Whether there is a page with this path."""
        game, slash, name = path.partition("/")
        if not path:
            return True
        return bool(slash) and name in ("", LOOK, REPORT) and (game in self._boards or self.lobby.has(game))

    def html(self, path: str) -> bytes:
        """The page with this path, which must exist. Raises `PbemError`."""
        game, _, name = path.partition("/")
        if not path:
            return lobby_page(self.lobby)
        if not name:
            return board_page(self._board(game))
        opened = self.lobby.find(game)
        report = finished_report(opened.game) if name == REPORT else None
        return game_page(opened.game, chances_panel(opened.game, report) if report else "")

    def stored_state(self, path: str) -> str:
        """A text that changes when the stored game of a page continues; empty for other pages."""
        game = path.partition("/")[0]
        with suppress(StorageError):
            if stored := self.lobby.player.store.look_up(game):
                return sha256(stored.data).hexdigest()
        return ""

    def _board(self, game: str) -> BoardSession:
        """The board of a game, which is set up when first opened. Raises `PbemError`."""
        if game not in self._boards:
            self.add_board(*self.lobby.board_game(game))
        return self._boards[game]

    def function(self, path: str) -> PageFunction | None:
        """The function with this path; None if there is none."""
        game, slash, name = path.rpartition("/")
        if not slash:
            return LOBBY_FUNCTIONS.get(name)
        if game == MAIL:
            return self._mail.functions.get(name) if self._mail else None
        return BOARD_FUNCTIONS.get(name) if game in self._boards or self.lobby.has(game) else None

    def answer(self, path: str, body: bytes) -> dict[str, Any]:
        """The answer of the function with this path, which must exist, to a request in JSON; as plain data.

        If it refuses the request, that is the answer, under `refused`.
        """
        game, slash, name = path.rpartition("/")
        try:
            if game == MAIL and self._mail:
                function = self._mail.functions[name]
                plain = function.answer(self._mail, _decode(body, function.request))
            elif slash:
                function = BOARD_FUNCTIONS[name]
                plain = function.answer(self._board(game), _decode(body, function.request))
            else:
                function = LOBBY_FUNCTIONS[name]
                plain = function.answer(self.lobby, _decode(body, function.request))
        except PbemError as error:
            words = {"error": safe_text(str(error)), "hint": safe_text(error.hint)}
            return {"refused": {**words, "number": "", "rule": ""}}
        if self._boards and name == "restore":
            self._boards.clear()  # they hold games of the home that was replaced
        answered: dict[str, Any] = msgspec.to_builtins(plain, enc_hook=str)
        return answered


def _decode(body: bytes, request: type[Struct]) -> Struct:
    """Decode a request from its JSON. Raises `PbemError` if it is not what a page sends."""
    try:
        return msgspec.json.decode(body, type=request)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise PbemError(tr("the request is not one the page makes: {error}", error=error)) from None
