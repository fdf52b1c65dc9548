"""Parts of a log (FORMAT 10), which keep mails small: make one, or join one to the reader's log."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import SegmentRefused
from pbem.format.document import After, Document, segment_bytes
from pbem.format.entries import Entry
from pbem.messages import Messages
from pbem.umpire.game_facts import SHORT_ID_DIGITS
from pbem.umpire.game_state import Game

tr = Messages("pbem")


def segment_after(game: Game, n: int) -> bytes:
    """A part of a game's log as bytes: the entries after entry `n`, of which there must be at least one."""
    return segment_bytes(After(game.ids[0], n, game.ids[n]), game.entries[n + 1 :])


def join_segment(document: Document, own: Sequence[Entry]) -> tuple[Entry, ...]:
    """A whole log, still to be verified: the reader's log, which can be empty, up to the part, and the part.

    The part's entries replace those after the same place in the reader's log. Raises `SegmentRefused`, which
    says what the reader lacks.
    """
    after = document.after
    assert after is not None
    n, game = after.n, after.game[:SHORT_ID_DIGITS]
    ask = tr("ask the sender to type: pbem mail send --whole")
    if not own or own[0].id != after.game:
        problem = tr(
            "this contains only what follows entry {entry} of game {game}, which is not on this "
            "computer: you need the whole file",
            entry=n,
            game=game,
        )
        raise SegmentRefused(problem, hint=ask)
    if n >= len(own):
        problem = tr(
            "this contains only what follows entry {entry} of game {game}, but yours ends with "
            "entry {last}: you need the whole file",
            entry=n,
            game=game,
            last=len(own) - 1,
        )
        raise SegmentRefused(problem, hint=ask)
    if own[n].id != after.id:
        problem = tr(
            "this contains only what follows entry {entry} of game {game}, but your entry {entry} "
            "is {own} and the sender's is {other}; you need the whole file",
            entry=n,
            game=game,
            own=own[n].id[:SHORT_ID_DIGITS],
            other=after.id[:SHORT_ID_DIGITS],
        )
        raise SegmentRefused(problem, hint=ask, another=True)
    return (*own[: after.n + 1], *document.entries)
