"""A commander's draft as an act: his orders for the units that are his, signed for his lead (FORMAT 11)."""

from __future__ import annotations

from pathlib import Path

from pbem.core.requests import Orders
from pbem.player.actions.action import Action, ActionContext
from pbem.player.commanders.received_drafts import keep_own
from pbem.render.words import safe
from pbem.umpire.drafts import Post, draft
from pbem.umpire.write import Claim


class SignDraft(Action):
    """Orders that a commander signs; they lie beside the file, and nothing is written into the game.

    `at` is where he commands, `place` where the draft lies once it is written. Raises `OrderError`.
    """

    kind = "draft"

    def __init__(self, hand: ActionContext, at: Post, orders: Orders) -> None:
        super().__init__(hand)
        self.at = at
        self.orders = orders
        self.made = draft(hand.game, hand.desk.key, orders)
        self.place = Path()

    @property
    def words(self) -> tuple[str, ...]:
        """The orders as one would type them."""
        return tuple(safe(line) for line in self.hand.game.rules.view.write_words(self.orders))

    def write(self, said: Claim | None = None) -> None:
        """The draft alone is kept. Raises `PlaceTaken`."""
        desk, game, file = self.hand
        self.place = keep_own(desk, game, self.made, file.parent)
