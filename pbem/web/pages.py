"""The pages of the program, and what they may ask of it: one list of typed functions, whoever carries them.

A page has a path: that of a board is the id of its game, and `/`. A function has a name, below the path of
its page: `<id>/look`. It takes a request, a `Struct` that the body is decoded to, and returns plain data.
Nothing here knows of sockets, HTTP or browsers: `board_server.py` carries it, and `transport.js` asks.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from pbem.errors import PbemError
from pbem.player.local_player import LocalPlayer
from pbem.render.safe_text import safe_text
from pbem.texts import Texts
from pbem.umpire.game_state import Game
from pbem.web.board_page import board_page
from pbem.web.board_session import (
    ActionRequest,
    BoardSession,
    EffectsRequest,
    MailRequest,
    NoRequest,
    PlanRequest,
    SignRequest,
    UndoRequest,
)
from pbem.web.board_state import StoryRequest
from pbem.web.order_options import OptionsRequest

tr = Texts("pbem")

MAX_REQUEST_BYTES = 1 << 16
"""The most bytes of most requests; a set-up of every counter takes two thousand."""

S = TypeVar("S")
R = TypeVar("R", bound=Struct)


class PageFunction(Struct, frozen=True):
    """A function that a page may call: the form of its request, what answers it, and its most bytes."""

    request: type[Struct]
    answer: Callable[[Any, Any], Any]
    most_bytes: int


def _function(
    request: type[R], answer: Callable[[S, R], Any], most_bytes: int = MAX_REQUEST_BYTES
) -> PageFunction:
    return PageFunction(request, answer, most_bytes)


BOARD_FUNCTIONS = {
    "look": _function(ActionRequest, BoardSession.look),
    "options": _function(OptionsRequest, BoardSession.options),
    "past": _function(StoryRequest, BoardSession.story),
    "weigh": _function(EffectsRequest, BoardSession.weigh),
    "confirm": _function(ActionRequest, BoardSession.confirm),
    "sign": _function(SignRequest, BoardSession.sign),
    "file": _function(NoRequest, BoardSession.game_file),
    "mail": _function(MailRequest, BoardSession.mail),
    "undo": _function(UndoRequest, BoardSession.undo),
    "plan": _function(PlanRequest, BoardSession.plan),
}
"""What the page of a board may ask."""


class Pages:
    """The pages of one player. Not thread-safe."""

    def __init__(self, player: LocalPlayer) -> None:
        self.player = player
        self._boards: dict[str, BoardSession] = {}  # by the ids of their games

    def add_board(self, game: Game, file: Path) -> str:
        """Add a board, where the player writes to `file`; its path."""
        self._boards[game.ids[0]] = BoardSession(self.player, game, file)
        return f"{game.ids[0]}/"

    def has(self, path: str) -> bool:
        """Whether there is such a page."""
        return path.endswith("/") and path[:-1] in self._boards

    def html(self, path: str) -> bytes:
        """The page with this path, which there is. Raises `PbemError`."""
        return board_page(self._boards[path[:-1]])

    def function(self, path: str) -> PageFunction | None:
        """The function with this path; None if there is none."""
        page, _, name = path.rpartition("/")
        return BOARD_FUNCTIONS.get(name) if page in self._boards else None

    def answer(self, path: str, body: bytes) -> dict[str, Any]:
        """What the function with this path, which there is, answers to a request in JSON, as plain data.

        Where it refuses the request, that is the answer, under `refused`.
        """
        page, _, name = path.rpartition("/")
        try:
            function = BOARD_FUNCTIONS[name]
            plain = function.answer(self._boards[page], _decode(body, function.request))
        except PbemError as error:
            refused = {
                "error": safe_text(str(error)),
                "hint": safe_text(error.hint),
                "number": "",
                "rule": "",
            }
            return {"refused": refused}
        answered: dict[str, Any] = msgspec.to_builtins(plain, enc_hook=str)
        return answered


def _decode(body: bytes, request: type[Struct]) -> Struct:
    """A request out of its JSON. Raises `PbemError` for what no page asks."""
    try:
        return msgspec.json.decode(body, type=request)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise PbemError(tr("the request is not what the page asks: {error}", error=error)) from None
