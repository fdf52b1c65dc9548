"""Orders and shares as actions: the answer to a question, and what follows from the log."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pbem.core.requests import Orders as Given
from pbem.core.requests import Plain
from pbem.errors import OrderError
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.preconditions import check_possible
from pbem.player.orders.try_orders import Effect, effect_of
from pbem.player.pending.pending_message import PendingMessages
from pbem.render.story import describe_next_duty, explain_departure
from pbem.render.words import safe_text
from pbem.texts import Texts
from pbem.umpire import permissions, write
from pbem.umpire.game import Game
from pbem.umpire.write import Claim

tr = Texts("pbem")


class GiveOrders(Action):
    """Orders that answer the question of the rules, as plain data.

    `parts` are the parts that commanders have signed, `signed` says so in lines (FORMAT 11). The orders are
    judged when they are described or written, whichever comes first. Raises `NotYourMove`.
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
        """The orders as one would type them."""
        return tuple(safe_text(line) for line in self.context.game.rules.view.write_words(self.orders))

    @property
    def description(self) -> str:
        """The orders, the parts that commanders have signed, and their effect. Raises `OrderError`."""
        orders = [f"  {line}" for line in self.words]
        what = [tr("What they do:"), *self.effect.unwrapped_lines]
        return "\n".join([tr("Your orders:"), *orders, *self.signed, *what])

    def check_legal(self) -> GiveOrders:
        """Return the action itself, if the rules allow its orders. Raises `OrderError`."""
        _ = self.effect
        return self

    @cached_property
    def effect(self) -> Effect:
        """Their effect. Raises `OrderError`, which says of an eliminated unit when that happened."""
        game, table = self.context.game, permissions.unlock_state(self.context.game, self.context.player.key)
        try:
            return effect_of(game, table, self.orders)
        except OrderError as error:
            raise explain_departure(game, table.run.told, error) from None

    def write(self, said: Claim | None = None) -> Game:
        """Sign the orders: the game with the entry. Raises `OrderError`."""
        desk, game, _ = self.context
        try:
            return write.play(game, desk.key, self.orders, claim=self.claim(said), parts=self.parts)
        except OrderError as error:
            told = permissions.unlock_state(game, desk.key).run.told
            raise explain_departure(game, told, error) from None


class GiveShare(Action):
    """The share that is due, or a seal that is opened: nothing is decided, so it has no words or clock.

    Words that are given with it wait for the next orders (FORMAT 6).
    """

    kind = "share"
    confirmation = "never"

    def __init__(self, hand: ActionContext, say: str = "") -> None:
        super().__init__(hand, say)
        check_possible(hand, "share")

    @property
    def words(self) -> tuple[str, ...]:
        """The duty that the share fulfils."""
        return (tr("Do what is due: {owed}", owed=describe_next_duty(self.context.game.state)),)

    def write(self, said: Claim | None = None) -> Game:
        """Save the words, then sign the share: the game with the entry."""
        desk, game, _ = self.context
        if self.say:
            PendingMessages(desk.home).save(game, desk.key, self.say)
        return write.play(game, desk.key)
