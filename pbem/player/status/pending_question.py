"""The next step that a game waits for: whose decision or formality, since when and until when."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

from msgspec import Struct

from pbem.format.keys import PrivateKey
from pbem.render.story import awaited, proposal_waiting
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.deadline import due
from pbem.umpire.game import Game
from pbem.umpire.game_state import GameState
from pbem.umpire.next_duty import next_duty

tr = Texts("pbem")

What: TypeAlias = Literal["accept", "answer", "share", "orders", "opening", "nothing"]
"""What may be due (FORMAT 6); a share and an opening are formalities: the log decides them."""


class Asked(Struct, frozen=True, kw_only=True):
    """The question to a seat, in `words`; `seat` None: nothing is asked. `yours`: it is the player's.

    `then` is what comes after a formality of his, as his share reveals it.
    `what` and `words` include what his share unlocks. `since` and `until` are
    UTC, by the clock of the seat `clock_of`.
    """

    what: What
    seat: str | None = None
    words: str = ""
    then: str = ""
    yours: bool = False
    since: datetime | None = None
    until: datetime | None = None
    clock_of: str = ""

    @property
    def is_formality(self) -> bool:
        """Whether the answer follows from the log, so that nobody decides anything."""
        return self.what in ("share", "opening")


def waits_for(game: Game, key: PrivateKey | None) -> Asked:
    """The next step that the game waits for, as seen by this key's holder; None: by a spectator."""
    return asked(game, permissions.unlock_state(game, key) if key else game.table, key)


def asked(game: Game, seen: GameState, key: PrivateKey | None) -> Asked:
    """The next step that the game waits for; `seen` is the state with what this key's holder has unlocked."""
    now, waiting = next_duty(game.table), due(game)
    yours = key is not None and len(game.seats) > 1 and now.seat in permissions.held_seats(game, key)
    what, words, then = now.what, awaited(game.table), ""
    if yours and key and what in ("share", "opening"):
        if permissions.owes_no_decision(game, key):
            then = awaited(seen)
        else:
            what, words = "orders", awaited(seen)
    if what == "answer" and now.seat:
        words = tr(
            "{proposed}; {side} {side:answers|answer}",
            proposed=proposal_waiting(game),
            side=game.rules.side(now.seat),
        )
    if waiting is None:
        return Asked(what=what, words=words)
    return Asked(
        what=what,
        seat=now.seat,
        words=words,
        then=then,
        yours=yours,
        since=waiting.since,
        until=waiting.until,
        clock_of=waiting.clock_of,
    )
