"""An action: one thing a player can do in a game. It is checked when made, then described, then signed.

The commands, the prompt, the board, replies by mail, plans and computer players all make actions, and
`player.sign.sign` is the only way to sign one. The entries that open a game, an offer and the other seat's
accept (FORMAT 4), are written here too. Only the modules of this package call `umpire.write`, except for
entries that decide nothing.
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
    """Sign an offer with `bound` and `retract` (FORMAT 12). Returns the new game, not saved yet.

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
    """Sign an accept and the entries that follow from it. Returns the game, not saved yet.

    Raises as `write.accept`.
    """
    joined = write.accept(game, person, secrets.token_bytes, claim=claim() if said is None else said)
    return write.play_computed(joined, person.key)


ActionKind: TypeAlias = Literal[
    "orders", "share", "draw", "takeback", "yes", "no", "resign", "say", "draft", "plan"
]
"""A kind of action, by the key that `preconditions` and the web pages use."""

Confirmation: TypeAlias = Literal["always", "first", "never"]
"""Whether a reply by mail is confirmed before it is signed; "first": unless it begins with `now:`."""


class ActionContext(NamedTuple):
    """What an action needs: the player, the game, and the file the game is saved to."""

    player: LocalPlayer
    game: Game
    file: Path = Path()


class Action(ABC):
    """One thing a player does. Constructing one checks that it is possible now.

    `say` is a message to the opponent, which follows the pending one (FORMAT 6).
    """

    kind: ActionKind
    confirmation: ClassVar[Confirmation] = "first"
    signed: Sequence[str] = ()
    """A line for each part of the orders that a commander has signed (FORMAT 11)."""

    def __init__(self, hand: ActionContext, say: str = "") -> None:
        self.context = hand
        self.say = say

    @property
    @abstractmethod
    def words(self) -> tuple[str, ...]:
        """The entry as a person reads it, one item per line."""

    @property
    def effect(self) -> Effect:
        """The effect of the action, with every chance and warning. Raises `OrderError`."""
        return Effect()

    @property
    def description(self) -> str:
        """The action as a letter shows it before it is signed: the entry and its effect, unwrapped."""
        return "\n".join([*self.words, *self.effect.unwrapped_lines])

    @abstractmethod
    def write(self, said: Claim | None = None) -> Game | None:
        """Sign the action. Returns the game, not saved yet; None if the action adds no entry.

        `said` replaces the player's present time and message. Raises `PbemError`.
        """

    @cached_property
    def message(self) -> str:
        """The message to the opponent: the pending one, then `say`. Raises `PbemError` if it is too long."""
        player, game, _ = self.context
        words = PendingMessages(player.home)
        if words.is_empty(game.ids[0]):
            return self.say
        return words.join(game, player.key, self.say) if words.pending_for(game, player.key) else self.say

    def claim(self, said: Claim | None) -> Claim:
        """The time, message and new address of an entry that decides something. Raises as `message`."""
        if said is not None:
            return said
        player, game, _ = self.context
        return claim(self.message, address_to_announce(player.home, game, player.key))
