"""Deferring as an action: an offer of a draw or a resignation that may not be written now waits at home."""

from __future__ import annotations

from pbem.errors import NotYourMove
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.orders import GiveShare
from pbem.player.actions.preconditions import check_holds_seat, check_possible, why_not_possible
from pbem.player.actions.proposals import MakeProposal, ResignGame
from pbem.player.orders.parse_proposal import is_draw, proposed_entry
from pbem.player.pending.deferred_actions import DeferredActions, DeferredKind, deferred_for
from pbem.player.pending.pending_message import PendingMessages
from pbem.texts import Texts
from pbem.umpire.write import Claim

tr = Texts("pbem")


class DeferProposal(Action):
    """A deferred action, written as soon as it may be; a resignation that is not `certain` is confirmed then.

    Raises `NotYourMove` for whoever holds no seat, and where nothing can be written any more.
    """

    confirmation = "always"

    def __init__(
        self, hand: ActionContext, what: DeferredKind, say: str = "", *, certain: bool = False
    ) -> None:
        super().__init__(hand, say)
        check_holds_seat(hand.player, hand.game, hand.file)
        if (why := why_not_possible(hand, what)) and _is_pointless(hand, what):
            raise why
        self.kind = what
        self._certain = certain

    @property
    def words(self) -> tuple[str, ...]:
        """The statement that it is deferred, and until when."""
        if self.kind == "draw":
            return (tr("You offer a draw as soon as you may; until then the offer waits here."),)
        if self._certain:
            return (tr("You give the game up as soon as you may; until then it waits here."),)
        return (tr("You give the game up as soon as you may; you are asked again then."),)

    def write(self, said: Claim | None = None) -> None:
        """Save it at home, and the words for its entry; nothing is written into the game."""
        desk, game, _ = self.context
        if self.say:
            PendingMessages(desk.home).save(game, desk.key, self.say)
        if self.kind == "draw":
            DeferredActions(desk.home).save_draw(game)
        else:
            DeferredActions(desk.home).save_resignation(game, certain=self._certain)


def _is_pointless(hand: ActionContext, what: DeferredKind) -> bool:
    """Whether it could never be written: the game is over, or a draw is proposed already."""
    game = hand.game
    if game.state.ending or len(game.seats) < 2:
        return True
    return what == "draw" and game.state.proposal is not None and game.state.proposal.entry is None


def may_be_deferred(hand: ActionContext, what: DeferredKind) -> bool:
    """Whether the action would be deferred if the player chose it now."""
    try:
        DeferProposal(hand, what)
    except NotYourMove:
        return False
    return why_not_possible(hand, what) is not None


def propose_or_defer_draw(hand: ActionContext, say: str = "") -> Action:
    """An offer of a draw, now or as soon as possible. Raises `NotYourMove`."""
    return (
        DeferProposal(hand, "draw", say) if why_not_possible(hand, "draw") else MakeProposal(hand, None, say)
    )


def parse_proposal(hand: ActionContext, what: str, say: str = "") -> Action:
    """The proposal that words mean: `draw`, `last`, a move as typed, or the number of an entry.

    Raises `PbemError` where they mean none, `NotYourMove` where it may not be proposed.
    """
    if is_draw(what):
        return propose_or_defer_draw(hand, say)
    check_possible(hand, "takeback")
    return MakeProposal(hand, proposed_entry(hand.game, hand.player.key, what), say)


def resign_or_defer(hand: ActionContext, say: str = "", *, certain: bool = False) -> Action:
    """A resignation, now or as soon as possible. Raises `NotYourMove`."""
    if why_not_possible(hand, "resign"):
        return DeferProposal(hand, "resign", say, certain=certain)
    return ResignGame(hand, say)


def due_deferred_action(hand: ActionContext, say: str = "") -> Action | None:
    """The deferred action that may be written now, including a resignation that the player must confirm.

    A due share comes before a resignation, since its card may end the game otherwise.
    """
    wish = deferred_for(hand.player, hand.game)
    if wish.resign and why_not_possible(hand, "resign") is None:
        return GiveShare(hand, say) if why_not_possible(hand, "share") is None else ResignGame(hand, say)
    if wish.draw and why_not_possible(hand, "draw") is None:
        return MakeProposal(hand, None, say)
    return None


def automatic_action(hand: ActionContext) -> Action | None:
    """The deferred action that the program signs now without asking: any but an uncertain resignation."""
    act = due_deferred_action(hand)
    asks = isinstance(act, ResignGame) and deferred_for(hand.player, hand.game).resign != "certain"
    return None if asks else act
