"""Connects a session at the board with the server: which request calls which method."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from pbem.errors import PbemError
from pbem.player.local_player import LocalPlayer
from pbem.player.store.game_file import game_file_bytes
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.web.board_session import ActionRequest, BoardSession, EffectsRequest, SignRequest
from pbem.web.news import StoryRequest
from pbem.web.options import OptionsRequest
from pbem.web.ordering import board_page
from pbem.web.planning import PlanRequest
from pbem.web.post import MailRequest
from pbem.web.server import BoardServer
from pbem.web.undoing import UndoRequest

tr = Texts("pbem")

T = TypeVar("T", bound=Struct)


def open_board(player: LocalPlayer, game: Game, file: Path) -> BoardServer:
    """A server for the player's board, ready to start. Raises `OSError` if there is no free port."""
    sitting = BoardSession(player, game, file)
    return BoardServer(
        lambda: board_page(sitting),
        {
            "look": _answer_to(ActionRequest, sitting.look),
            "options": _answer_to(OptionsRequest, sitting.options),
            "past": _answer_to(StoryRequest, sitting.story),
            "weigh": _answer_to(EffectsRequest, sitting.weigh),
            "confirm": _answer_to(ActionRequest, sitting.confirm),
            "sign": _answer_to(SignRequest, sitting.sign),
            "mail": _answer_to(MailRequest, sitting.mail),
            "undo": _answer_to(UndoRequest, sitting.undo),
            "plan": _answer_to(PlanRequest, sitting.plan),
        },
        {"file": lambda: (f"{game.rules.name}.yaml", game_file_bytes(sitting.state.game))},
    )


def _answer_to(form: type[T], answer: Callable[[T], dict[str, Any]]) -> Callable[[bytes], dict[str, Any]]:
    """A function that decodes a JSON body as `form` and answers it, or raises `PbemError`."""

    def decode_and_answer(body: bytes) -> dict[str, Any]:
        try:
            request = msgspec.json.decode(body, type=form)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise PbemError(tr("the request is not what the page asks: {error}", error=error)) from None
        return answer(request)

    return decode_and_answer
