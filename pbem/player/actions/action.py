"""An action: one thing that a player may do in a game, checked when it is made, described, then signed.

Command, prompt, board, answers by mail, plans and practice all make actions, and `player.sign.sign` is the
one way to sign them. What opens a game, the offer and the accept of the other seat (FORMAT 4), is written
here too. Nothing but the modules of this package calls `umpire.write`.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from pbem.core.requests import Plain
from pbem.format.entries import BOUND, RETRACT
from pbem.player.clock import claim
from pbem.player.local_player import LocalPlayer
from pbem.player.order_preview import Effect
from pbem.player.pending import PendingMessages, address_to_announce
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Claim, Person, Terms


def sign_offer(
    person: Person,
    seat: str,
    terms: Terms,
    *,
    to: str = "",
    x: dict[str, Plain] | None = None,
    shared: bool = False,
    said: Claim | None = None,
) -> Game:
    """Sign an offer with `bound` and `retract` (FORMAT 12): a new game with that alone, not saved yet.

    Raises as `write.offer`.
    """
    return write.offer(
        person,
        seat,
        terms,
        secrets.token_bytes,
        to=to,
        x=x,
        shared=shared,
        extensions=(BOUND, RETRACT),
        claim=claim() if said is None else said,
    )


def sign_accept(game: Game, person: Person, said: Claim | None = None) -> Game:
    """Sign an accept, and what the program computes then: the game, not saved. Raises as `write.accept`."""
    joined = write.accept(game, person, secrets.token_bytes, claim=claim() if said is None else said)
    return write.play_computed(joined, person.key)


ActionKind: TypeAlias = Literal[
    "orders", "share", "draw", "takeback", "yes", "no", "resign", "say", "draft", "plan"
]
"""A kind of action."""

Confirmation: TypeAlias = Literal["always", "first", "never"]
"""Whether whoever answers by mail is asked before it is signed: always, unless he writes `now:`, never."""


class ActionContext(NamedTuple):
    """What an action is made from: the player, the game, and the file to which it is saved."""

    player: LocalPlayer
    game: Game
    file: Path = Path()


class Action(ABC):
    """One thing that the player does: that one could be made means that it is possible now.

    `say` are words to the opponent, which follow those that are pending (FORMAT 6).
    """

    kind: ActionKind
    confirmation: ClassVar[Confirmation] = "first"
    signed: Sequence[str] = ()
    """Lines about the parts of it that commanders have signed (FORMAT 11)."""

    def __init__(self, hand: ActionContext, say: str = "") -> None:
        self.context = hand
        self.say = say

    @property
    @abstractmethod
    def words(self) -> tuple[str, ...]:
        """The entry in words, a line each."""

    @property
    def effect(self) -> Effect:
        """Its effect, with every chance and warning. Raises `OrderError`."""
        return Effect()

    @property
    def description(self) -> str:
        """The action as a letter shows it before it is signed: the entry and its effect, unwrapped."""
        return "\n".join([*self.words, *self.effect.unwrapped_lines])

    @abstractmethod
    def write(self, said: Claim | None = None) -> Game | None:
        """Sign it: the game with its entry, not saved yet; None where nothing is written into the game.

        `said` are clock and words, if they are not the player's present ones.
        """

    @cached_property
    def message(self) -> str:
        """Its message to the opponent: the pending one and its own words. Raises `PbemError` for too many."""
        desk, game, _ = self.context
        words = PendingMessages(desk.home)
        if words.is_empty(game.ids[0]):
            return self.say
        return words.join(game, desk.key, self.say) if words.pending_for(game, desk.key) else self.say

    def claim(self, said: Claim | None) -> Claim:
        """The time, message and new address for an entry that decides something. Raises as `message`."""
        if said is not None:
            return said
        desk, game, _ = self.context
        return claim(self.message, address_to_announce(desk.home, game, desk.key))
