"""Deferring as an action: an offer of a draw or a resignation that may not be written now waits at home."""

from __future__ import annotations

from pbem.errors import NotYourMove
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.orders import Share
from pbem.player.actions.preconditions import check, closed, held_a_seat
from pbem.player.actions.proposals import Propose, Resign
from pbem.player.orders.parse_proposal import is_draw, proposed_entry
from pbem.player.pending.deferred_actions import DeferredActions, What, wished
from pbem.player.pending.pending_message import Words
from pbem.texts import Texts
from pbem.umpire.write import Claim

tr = Texts("pbem")


class Later(Action):
    """A deferred action, written as soon as it may be; a resignation that is not `certain` is confirmed then.

    Raises `NotYourMove` for whoever holds no seat, and where nothing can be written any more.
    """

    asks = "always"

    def __init__(self, hand: ActionContext, what: What, say: str = "", *, certain: bool = False) -> None:
        super().__init__(hand, say)
        held_a_seat(hand.desk, hand.game, hand.file)
        if (why := closed(hand, what)) and _never(hand, what):
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
        desk, game, _ = self.hand
        if self.say:
            Words(desk.home).keep(game, desk.key, self.say)
        if self.kind == "draw":
            DeferredActions(desk.home).draw(game)
        else:
            DeferredActions(desk.home).resign(game, certain=self._certain)


def _never(hand: ActionContext, what: What) -> bool:
    """Whether it could never be written: the game is over, or a draw is proposed already."""
    game = hand.game
    if game.table.ending or len(game.seats) < 2:
        return True
    return what == "draw" and game.table.proposal is not None and game.table.proposal.entry is None


def may_wait(hand: ActionContext, what: What) -> bool:
    """Whether the action would be deferred if the player chose it now."""
    try:
        Later(hand, what)
    except NotYourMove:
        return False
    return closed(hand, what) is not None


def draw(hand: ActionContext, say: str = "") -> Action:
    """An offer of a draw, now or as soon as possible. Raises `NotYourMove`."""
    return Later(hand, "draw", say) if closed(hand, "draw") else Propose(hand, None, say)


def proposed(hand: ActionContext, what: str, say: str = "") -> Action:
    """The proposal that words mean: `draw`, `last`, a move as typed, or the number of an entry.

    Raises `PbemError` where they mean none, `NotYourMove` where it may not be proposed.
    """
    if is_draw(what):
        return draw(hand, say)
    check(hand, "takeback")
    return Propose(hand, proposed_entry(hand.game, hand.desk.key, what), say)


def resign(hand: ActionContext, say: str = "", *, certain: bool = False) -> Action:
    """A resignation, now or as soon as possible. Raises `NotYourMove`."""
    if closed(hand, "resign"):
        return Later(hand, "resign", say, certain=certain)
    return Resign(hand, say)


def due(hand: ActionContext, say: str = "") -> Action | None:
    """The deferred action that may be written now, including a resignation that the player must confirm.

    A due share comes before a resignation, since its card may end the game otherwise.
    """
    wish = wished(hand.desk, hand.game)
    if wish.resign and closed(hand, "resign") is None:
        return Share(hand, say) if closed(hand, "share") is None else Resign(hand, say)
    if wish.draw and closed(hand, "draw") is None:
        return Propose(hand, None, say)
    return None


def by_itself(hand: ActionContext) -> Action | None:
    """The deferred action that the program signs now without asking: any but an uncertain resignation."""
    act = due(hand)
    asks = isinstance(act, Resign) and wished(hand.desk, hand.game).resign != "certain"
    return None if asks else act
