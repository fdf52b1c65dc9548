"""Connects a session at the board with the server: which request calls which method."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from pbem.errors import PbemError
from pbem.player.local_player import LocalPlayer
from pbem.player.store.game_file import write_game_file
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.web.board_session import Signature, Sitting, Weighing, Wish
from pbem.web.news import Looking
from pbem.web.options import Asking
from pbem.web.ordering import ordering
from pbem.web.planning import Planning
from pbem.web.post import Letter
from pbem.web.server import Board
from pbem.web.undoing import Undoing

tr = Texts("pbem")

T = TypeVar("T", bound=Struct)


def board_of(player: LocalPlayer, game: Game, file: Path) -> Board:
    """A server for the player's board, ready to start. Raises `OSError` if there is no free port."""
    sitting = Sitting(player, game, file)
    return Board(
        lambda: ordering(sitting),
        {
            "look": _asked(Wish, sitting.look),
            "options": _asked(Asking, sitting.options),
            "past": _asked(Looking, sitting.past),
            "weigh": _asked(Weighing, sitting.weigh),
            "confirm": _asked(Wish, sitting.confirm),
            "sign": _asked(Signature, sitting.sign),
            "mail": _asked(Letter, sitting.mail),
            "undo": _asked(Undoing, sitting.undo),
            "plan": _asked(Planning, sitting.plan),
        },
        {"file": lambda: (f"{game.rules.name}.yaml", write_game_file(sitting.at.game))},
    )


def _asked(form: type[T], answer: Callable[[T], dict[str, Any]]) -> Callable[[bytes], dict[str, Any]]:
    """A function that decodes a JSON body as `form` and answers it, or raises `PbemError`."""

    def of(body: bytes) -> dict[str, Any]:
        try:
            request = msgspec.json.decode(body, type=form)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise PbemError(tr("the request is not what the page asks: {error}", error=error)) from None
        return answer(request)

    return of
