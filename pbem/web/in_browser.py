"""The program in a browser: what the worker of the browser edition calls (browser/worker.js, decision 50).

Each function takes plain values or bytes of JavaScript, and returns JSON as text: `found`, or `refused` with
the error and the hint that a person is to read. Nothing here prints, and nothing that a file holds raises.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol

from pbem.base import language
from pbem.base.limits import FILE_BYTES
from pbem.errors import FileError, PbemError
from pbem.render.safe_text import safe_text
from pbem.render.story import summary
from pbem.texts import Texts, spoken
from pbem.umpire.verify import open_game
from pbem.version import __version__
from pbem.web.game_page import game_page

tr = Texts("pbem")


class BrowserBytes(Protocol):
    """Bytes of JavaScript, a `Uint8Array`."""

    def to_bytes(self) -> bytes:
        """The same as Python's."""


def _answer(function: Callable[..., dict[str, Any]]) -> Callable[..., str]:
    """What a function finds, as JSON; where it refuses, why."""

    @wraps(function)
    def answer_as_json(*arguments: Any) -> str:
        try:
            return json.dumps({"found": function(*arguments)}, ensure_ascii=False)
        except PbemError as error:
            refused = {"error": safe_text(str(error)), "hint": safe_text(error.hint)}
            return json.dumps({"refused": refused}, ensure_ascii=False)

    return answer_as_json


@_answer
def begin() -> dict[str, Any]:
    """Start in the language that the environment names; the version and the words of the page."""
    language.settle()
    return {
        "version": __version__,
        "language": spoken(),
        "open": tr("Open a game file"),
        "drop": tr("Drop a game file here. It is checked on this computer, and nothing is sent."),
        "holds": tr("Every signature, draw and move is verified."),
    }


@_answer
def open_file(data: BrowserBytes) -> dict[str, Any]:
    """Verify a game file: its summary, and its page with map, story and proof."""
    read = data.to_bytes()
    if len(read) > FILE_BYTES:
        raise FileError(tr("has more than {most} bytes, the most that a game file may have", most=FILE_BYTES))
    game = open_game(read)
    return {"summary": summary(game, None), "page": game_page(game).decode("utf-8")}
