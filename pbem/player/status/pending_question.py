"""The next step that a game waits for: whose decision or formality, since when and until when."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

from msgspec import Struct

from pbem.format.keys import PrivateKey
from pbem.render.story import describe_next_duty, describe_proposal
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.deadline import due_time
from pbem.umpire.game import Game
from pbem.umpire.game_state import GameState
from pbem.umpire.next_duty import next_duty

tr = Texts("pbem")

DutyKind: TypeAlias = Literal["accept", "answer", "share", "orders", "opening", "nothing"]
"""What may be due (FORMAT 6); a share and an opening are formalities: the log decides them."""


class PendingQuestion(Struct, frozen=True, kw_only=True):
    """The question to a seat, in `words`; `seat` None: nothing is asked. `yours`: it is the player's.

    `then` is what comes after a formality of his, as his share reveals it.
    `what` and `words` include what his share unlocks. `since` and `until` are
    UTC, by the clock of the seat `clock_of`.
    """

    what: DutyKind
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


def pending_question(game: Game, key: PrivateKey | None) -> PendingQuestion:
    """The next step that the game waits for, as seen by this key's holder; None: by a spectator."""
    return pending_question_in(game, permissions.unlock_state(game, key) if key else game.state, key)


def pending_question_in(game: Game, seen: GameState, key: PrivateKey | None) -> PendingQuestion:
    """The next step that the game waits for; `seen` is the state with what this key's holder has unlocked."""
    now, waiting = next_duty(game.state), due_time(game)
    yours = key is not None and len(game.seats) > 1 and now.seat in permissions.held_seats(game, key)
    what, words, then = now.what, describe_next_duty(game.state), ""
    if yours and key and what in ("share", "opening"):
        if permissions.has_forced_entry(game, key):
            then = describe_next_duty(seen)
        else:
            what, words = "orders", describe_next_duty(seen)
    if what == "answer" and now.seat:
        words = tr(
            "{proposed}; {side} {side:answers|answer}",
            proposed=describe_proposal(game),
            side=game.rules.side(now.seat),
        )
    if waiting is None:
        return PendingQuestion(what=what, words=words)
    return PendingQuestion(
        what=what,
        seat=now.seat,
        words=words,
        then=then,
        yours=yours,
        since=waiting.since,
        until=waiting.until,
        clock_of=waiting.clock_of,
    )
