"""The game so far, for the board: what happened since the player last looked, and all of it on request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from pbem.core.requests import Tell
from pbem.umpire.game import Game
from pbem.web.page import story_item, unlocked_item
from pbem.web.scene import FaceList, frames, unlocked_traces


class StoryRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request for entries from `first` on; it has those before, the last with the id `known`.

    A page without entries gives no id. With `whole`, all entries get positions. `faces` is the number of
    counters' faces that the page has.
    """

    first: int = 0
    known: str = ""
    whole: bool = False
    faces: int = 0


def story_data(
    game: Game, new: int, cast: FaceList, request: StoryRequest, since: Sequence[Tell] = ()
) -> dict[str, Any]:
    """The frames of a game for `replay.js`, and its story as HTML.

    `new` is the first entry that is new to the player, `since` the events of a draw that he has completed
    after the last entry. The frames begin with the entry `at` and have positions from `first` on; the story
    begins with the entry `told`.
    """
    last = len(game.replayed_entries) - 1
    follows = 0 < request.first <= last + 1 and game.ids[request.first - 1] == request.known
    told = request.first if follows else 0
    at = 0 if request.whole else told
    first = at if follows or request.whole else min(max(new - 1, 0), last)
    before = at - 1 if follows and not request.whole else first  # which the page has
    found = frames(game, cast, before) if at <= last else []
    return {
        "at": at,
        "told": told,
        "first": first,
        "new": new,
        "known": game.ids[-1],
        "frames": found[at:],
        "story": "".join(
            (
                *(story_item(game, replayed) for replayed in game.replayed_entries[told:]),
                unlocked_item(game, since),
            )
        ),
        "unlocked": unlocked_traces(game, since),
        "faces": cast.faces_from(request.faces),
    }
