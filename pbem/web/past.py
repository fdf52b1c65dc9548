"""The game so far, for the board: what has happened since the player looked, and on asking all of it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from pbem.umpire import Game
from pbem.web.page import item
from pbem.web.scene import Cast, frames


class Looking(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request: the entries from `first` on, where it has those before, the last with the id `known`.

    Without an id the page has none yet; `whole` are those from the first entry on that shall have positions.
    `faces` is the number of counters' faces that it has.
    """

    first: int = 0
    known: str = ""
    whole: bool = False
    faces: int = 0


def past(game: Game, new: int, cast: Cast, wish: Looking) -> dict[str, Any]:
    """The frames of a game as `replay.js` has them, and its story as HTML.

    `new` is the first entry that the player has not seen. They begin with the entry `at`, and have positions
    from `first` on.
    """
    last = len(game.chapters) - 1
    follows = 0 < wish.first <= last + 1 and game.ids[wish.first - 1] == wish.known
    at = wish.first if follows else 0
    first = 0 if wish.whole else min(max(at, new - 1), last)
    found = frames(game, cast, min(first, last)) if at <= last else []
    return {
        "at": at,
        "first": first,
        "new": new,
        "known": game.ids[-1],
        "frames": found[at:],
        "story": "".join(item(game, chapter) for chapter in game.chapters[at:]),
        "faces": cast.told(wish.faces),
    }
