"""A commander's draft as an action: orders for his own units, signed for his lead (FORMAT 11)."""

from __future__ import annotations

from pathlib import Path

from pbem.core.requests import Orders
from pbem.player.actions.action import Action, ActionContext
from pbem.player.commanders.received_drafts import save_own_draft
from pbem.render.words import safe_text
from pbem.umpire.drafts import CommanderSeat, check_and_sign_draft
from pbem.umpire.write import Claim


class SignDraft(Action):
    """Orders that a commander signs; they are saved beside the file, and nothing is written into the game.

    `at` is his post, `place` the path of the draft once it is saved. Raises `OrderError`.
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
        """The orders as one would type them."""
        return tuple(safe_text(line) for line in self.context.game.rules.view.write_words(self.orders))

    def write(self, said: Claim | None = None) -> None:
        """Save the draft beside the file. Raises `PlaceTaken`."""
        desk, game, file = self.context
        self.place = save_own_draft(desk, game, self.draft, file.parent)
