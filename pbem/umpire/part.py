"""A part of a log (FORMAT 10): made, so that a mail is small; and put behind the log that the reader has."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import PartRefused
from pbem.journal.document import After, Document, write_part
from pbem.journal.entries import Entry
from pbem.umpire.facts import BRIEF
from pbem.umpire.game import Game

_ASK = "ask whoever sent it, who types: pbem mail send --whole"


def part(game: Game, n: int) -> bytes:
    """The entries of a game after entry `n`, of which there is at least one."""
    return write_part(After(game.ids[0], n, game.ids[n]), game.entries[n + 1 :])


def joined(document: Document, own: Sequence[Entry]) -> tuple[Entry, ...]:
    """A part behind the log that the reader has (none: empty): a whole log, which is still to be verified.

    What the own log has beyond the place where the part goes on is left out: the part's entries stand there.
    Raises `PartRefused`, which says what the reader lacks.
    """
    after = document.after
    assert after is not None
    which = f"this brings only what follows entry {after.n} of game {after.game[:BRIEF]}"
    if not own or own[0].id != after.game:
        raise PartRefused(f"{which}, which is not on this computer: the whole file is needed", hint=_ASK)
    if after.n >= len(own):
        raise PartRefused(
            f"{which}, and yours ends with entry {len(own) - 1}: the whole file is needed", hint=_ASK
        )
    if own[after.n].id != after.id:
        raise PartRefused(
            f"{which}, and yours has another entry {after.n}: {own[after.n].id[:BRIEF]}, "
            f"there {after.id[:BRIEF]}; the whole file is needed",
            hint=_ASK,
            forked=True,
        )
    return (*own[: after.n + 1], *document.entries)
