"""A message to the opponent as an action: it waits for the next entry that decides something (FORMAT 6)."""

from __future__ import annotations

from pbem.player.actions.action import Action, ActionContext
from pbem.player.pending.pending_message import PendingMessages
from pbem.texts import Texts
from pbem.umpire.write import Claim

tr = Texts("pbem")


class LeaveMessage(Action):
    """Words that wait at home. Raises `NotYourMove` where no entry can say them; `PbemError` for too many."""

    kind = "say"
    confirmation = "never"

    def __init__(self, hand: ActionContext, say: str) -> None:
        super().__init__(hand, say)
        PendingMessages(hand.player.home).check(hand.game, hand.player.key, say)

    @property
    def words(self) -> tuple[str, ...]:
        """The statement that they wait."""
        return (tr("Your words wait for your next orders."),)

    def write(self, said: Claim | None = None) -> None:
        """Save the words at home; nothing is written into the game."""
        desk, game, _ = self.context
        PendingMessages(desk.home).save(game, desk.key, self.say)
