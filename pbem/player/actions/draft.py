"""A commander's draft as an action: orders for his own units, signed for his lead (FORMAT 11)."""

from __future__ import annotations

from pathlib import Path

from pbem.core.requests import Orders
from pbem.player.actions.action import Action, ActionContext
from pbem.player.commanders.received_drafts import keep_own
from pbem.render.words import safe
from pbem.umpire.drafts import Post, draft
from pbem.umpire.write import Claim


class SignDraft(Action):
    """Orders that a commander signs; they are saved beside the file, and nothing is written into the game.

    `at` is his post, `place` the path of the draft once it is saved. Raises `OrderError`.
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
        """Save the draft beside the file. Raises `PlaceTaken`."""
        desk, game, file = self.hand
        self.place = keep_own(desk, game, self.made, file.parent)
