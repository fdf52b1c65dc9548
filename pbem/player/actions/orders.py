"""Orders, shares, a commander's draft and a message as actions.

`GiveOrders` answers the question the rules ask, and `GiveShare` writes what follows from the log. Two actions
add nothing to the game: `SignDraft` signs a commander's orders for the lead (FORMAT 11), and `LeaveMessage`
keeps a message to the opponent for the next entry that decides something (FORMAT 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from pbem.core.requests import Orders, Plain
from pbem.core.requests import Orders as Given
from pbem.errors import OrderError
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.preconditions import check_possible
from pbem.player.commanders import save_own_draft
from pbem.player.order_preview import Effect, effect_of
from pbem.player.pending import PendingMessages
from pbem.render.safe_text import safe_text
from pbem.render.story import describe_next_duty, explain_departure
from pbem.texts import Texts
from pbem.umpire import permissions, write
from pbem.umpire.drafts import CommanderSeat, check_and_sign_draft
from pbem.umpire.game_state import Game
from pbem.umpire.write import Claim

tr = Texts("pbem")


class GiveOrders(Action):
    """Orders, as plain data, that answer the question the rules ask.

    `parts` are the parts that commanders have signed, and `signed` describes them (FORMAT 11). The orders are
    judged when first described or written. Raises `NotYourMove`.
    """

    kind = "orders"

    def __init__(
        self,
        hand: ActionContext,
        orders: Given,
        say: str = "",
        parts: Sequence[dict[str, Plain]] = (),
        signed: Sequence[str] = (),
    ) -> None:
        super().__init__(hand, say)
        check_possible(hand, "orders")
        self.orders = orders
        self.parts = parts
        self.signed = signed

    @property
    def words(self) -> tuple[str, ...]:
        """The orders as a player would type them."""
        return tuple(safe_text(line) for line in self.context.game.rules.view.write_words(self.orders))

    @property
    def description(self) -> str:
        """The orders, the parts that commanders have signed, and the effect. Raises `OrderError`."""
        orders = [f"  {line}" for line in self.words]
        what = [tr("What they do:"), *self.effect.unwrapped_lines]
        return "\n".join([tr("Your orders:"), *orders, *self.signed, *what])

    def check_legal(self) -> GiveOrders:
        """Return this action if the rules allow its orders. Raises `OrderError`."""
        _ = self.effect
        return self

    @cached_property
    def effect(self) -> Effect:
        """The effect of the orders. Raises `OrderError`, which says when an eliminated unit was lost."""
        game, table = self.context.game, permissions.unlock_state(self.context.game, self.context.player.key)
        try:
            return effect_of(game, table, self.orders)
        except OrderError as error:
            raise explain_departure(game, table.run.told, error) from None

    def write(self, said: Claim | None = None) -> Game:
        """Sign the orders and the entries that follow from them. Returns the game. Raises `OrderError`."""
        player, game, _ = self.context
        try:
            after = write.play(game, player.key, self.orders, claim=self.claim(said), parts=self.parts)
            return write.play_computed(after, player.key)
        except OrderError as error:
            told = permissions.unlock_state(game, player.key).run.told
            raise explain_departure(game, told, error) from None


class GiveShare(Action):
    """Give the due share or open a seal. Nothing is decided, so the entry has no message and no time.

    A message given with it stays pending for the next orders (FORMAT 6).
    """

    kind = "share"
    confirmation = "never"

    def __init__(self, hand: ActionContext, say: str = "") -> None:
        super().__init__(hand, say)
        check_possible(hand, "share")

    @property
    def words(self) -> tuple[str, ...]:
        """The duty that the share fulfils, as a sentence."""
        return (tr("Continue: {owed}", owed=describe_next_duty(self.context.game.state)),)

    def write(self, said: Claim | None = None) -> Game:
        """Save the message as pending, then sign the share. Returns the game."""
        player, game, _ = self.context
        if self.say:
            PendingMessages(player.home).save(game, player.key, self.say)
        return write.play(game, player.key)


class SignDraft(Action):
    """Sign a commander's orders and save them beside the game file; the game itself gets no entry.

    `at` is the commander's seat and `place` the path of the draft once saved. Raises `OrderError`.
    """

    kind = "draft"

    def __init__(self, hand: ActionContext, at: CommanderSeat, orders: Orders) -> None:
        super().__init__(hand)
        self.at = at
        self.orders = orders
        self.draft = check_and_sign_draft(hand.game, hand.player.key, orders)
        self.place = Path()

    @property
    def words(self) -> tuple[str, ...]:
        """The orders as a player would type them."""
        return tuple(safe_text(line) for line in self.context.game.rules.view.write_words(self.orders))

    def write(self, said: Claim | None = None) -> None:
        """Save the draft beside the game file. Raises `FileNameTaken`."""
        player, game, file = self.context
        self.place = save_own_draft(player, game, self.draft, file.parent)


class LeaveMessage(Action):
    """Keep a message at home for the next entry that can carry it.

    Raises `NotYourMove` if no entry can; `PbemError` if it is too long.
    """

    kind = "say"
    confirmation = "never"

    def __init__(self, hand: ActionContext, say: str) -> None:
        super().__init__(hand, say)
        PendingMessages(hand.player.home).check(hand.game, hand.player.key, say)

    @property
    def words(self) -> tuple[str, ...]:
        """The statement that the message is pending."""
        return (tr("Your message goes with your next orders."),)

    def write(self, said: Claim | None = None) -> None:
        """Save the message at home. The game gets no entry."""
        player, game, _ = self.context
        PendingMessages(player.home).save(game, player.key, self.say)
