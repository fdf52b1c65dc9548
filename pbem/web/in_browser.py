"""The program in a browser: what the worker of the browser edition calls (browser/worker.js, decision 50).

It carries what `pages.py` answers, as `board_server.py` does for the installed program. Each function takes
plain values of JavaScript, and returns JSON as text. Nothing here prints; what a file holds raises nothing.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from pbem.base import language
from pbem.base.home import home
from pbem.errors import PbemError
from pbem.player.local_player import LocalPlayer
from pbem.render.safe_text import safe_text
from pbem.render.svg_style import style_sheet
from pbem.texts import LANGUAGES, Texts, speaking, spoken
from pbem.version import __version__
from pbem.web import board_page, game_page, lobby_page
from pbem.web.html_file import policy_sources
from pbem.web.pages import Pages

tr = Texts("pbem")

FILES = Path("/pbem/games")
"""The folder in which the player's game files lie; the browser stores it, and his home, as `/pbem`."""

_opened: list[Pages] = []


def begin() -> str:
    """Open the player's pages, in the language of his settings or the browser's; the words around them."""
    language.settle()
    FILES.mkdir(parents=True, exist_ok=True)
    os.chdir(FILES)
    _opened[:] = [Pages(LocalPlayer(home()), FILES)]
    return json.dumps({"version": __version__, **words()})


def words() -> dict[str, Any]:
    """What the page around the pages says, in the current language."""
    return {
        "language": spoken(),
        "back": tr("Back"),
        "ended": tr("pbem had to start anew. Nothing is lost but what you did last: do it again."),
    }


def html(path: str) -> str:
    """The page with this path; where there is none, or it cannot be shown, why."""
    [pages] = _opened
    with speaking(pages.language):
        try:
            if not pages.has(path):
                raise PbemError(tr("there is nothing here"))
            return json.dumps({"html": pages.html(path).decode(), **words()})
        except PbemError as error:
            return json.dumps({"refused": safe_text(str(error)), **words()})


def answer(path: str, body: str) -> str:
    """What the function with this path answers to a request in JSON."""
    [pages] = _opened
    with speaking(pages.language):
        data = body.encode()
        function = pages.function(path)
        if function is None or len(data) > function.most_bytes:
            return json.dumps({"refused": {"error": tr("there is nothing here"), "hint": ""}})
        return json.dumps(pages.answer(path, data))


def policy() -> str:
    """The source expressions of the scripts and styles of all pages in all languages.

    A page in a frame is bound by the policy of the page around it too, which browser/build.py makes of these.
    """
    drawing = style_sheet()
    kinds = (
        (lobby_page.SCRIPTS, lobby_page.STYLES, ""),
        (board_page.SCRIPTS, board_page.STYLES, drawing),
        (game_page.PAGE_SCRIPTS, game_page.PAGE_STYLES, drawing),
    )
    found_scripts, found_styles = set(), set()
    for spoken_there in LANGUAGES:
        with speaking(spoken_there):
            for kind in kinds:
                scripts, style = policy_sources(*kind)
                found_scripts |= set(scripts)
                found_styles.add(style)
    return json.dumps({"scripts": sorted(found_scripts), "styles": sorted(found_styles)})
