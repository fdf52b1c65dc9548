"""An invitation: the one file of the browser edition with an offered game in it (decision 50).

A player who opens it sees the offer, types a name, and has joined. The file has a place for the offer, an
inert element, so that nothing else in it changes; `browser/page.js` fills it in the same way.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from pathlib import Path

from pbem.errors import FileError, system_reason
from pbem.player.store.game_file import game_file_bytes
from pbem.texts import Texts
from pbem.umpire.game_facts import file_name
from pbem.umpire.game_state import Game
from pbem.umpire.next_duty import next_duty

tr = Texts("pbem")

MAX_PAGE_BYTES = 1 << 25
"""The most bytes of the file that are read; it has about 13 MB."""

_PLACE = re.compile(rb'(<script type="text/plain" id="offer">)[^<]*(</script>)')


def is_open_offer(game: Game) -> bool:
    """Whether a game is an offer that nobody has accepted."""
    return next_duty(game.state).what == "accept"


def invitation(page: Path, game: Game) -> bytes:
    """The bytes of `page`, the browser edition, with an offer in it replacing any other.

    Raises `FileError` for any other file, and for a game that is no longer an offer.
    """
    if not is_open_offer(game):
        raise FileError(
            tr("the game has already begun: an invitation contains an offer that nobody has accepted")
        )
    try:
        with page.open("rb") as file:
            data = file.read(MAX_PAGE_BYTES + 1)
    except OSError as error:
        raise FileError(
            tr("cannot be read: {reason}", reason=system_reason(error)), where=str(page)
        ) from None
    if len(data) > MAX_PAGE_BYTES or not (place := _PLACE.search(data)):
        problem = tr("this is not pbem.html, the browser edition of pbem")
        raise FileError(problem, where=str(page), hint=tr("every release includes it beside the program"))
    encoded = b64encode(game_file_bytes(game)).decode()
    offer = {"name": file_name(game), "game": game.ids[0], "data": encoded}
    filled = place[1] + json.dumps(offer, separators=(",", ":")).encode() + place[2]
    return data[: place.start()] + filled + data[place.end() :]
