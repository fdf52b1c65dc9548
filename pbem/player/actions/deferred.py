"""A wish as an act: an offer of a draw or a resignation that may not be written now waits at home."""

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
    """A wish, written as soon as it may be; a resignation that is not `certain` is asked about again then.

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
        """The statement that it waits, and for what."""
        if self.kind == "draw":
            return (tr("You offer a draw as soon as you may; until then the offer waits here."),)
        if self._certain:
            return (tr("You give the game up as soon as you may; until then it waits here."),)
        return (tr("You give the game up as soon as you may; you are asked again then."),)

    def write(self, said: Claim | None = None) -> None:
        """Write nothing into the game; words wait for the entry."""
        desk, game, _ = self.hand
        if self.say:
            Words(desk.home).keep(game, desk.key, self.say)
        if self.kind == "draw":
            DeferredActions(desk.home).draw(game)
        else:
            DeferredActions(desk.home).resign(game, certain=self._certain)


def _never(hand: ActionContext, what: What) -> bool:
    """Whether to wait is of no use: nothing will be written, or a draw is on the table already."""
    game = hand.game
    if game.table.ending or len(game.seats) < 2:
        return True
    return what == "draw" and game.table.proposal is not None and game.table.proposal.entry is None


def may_wait(hand: ActionContext, what: What) -> bool:
    """Whether it waits if the player wishes it now."""
    try:
        Later(hand, what)
    except NotYourMove:
        return False
    return closed(hand, what) is not None


def draw(hand: ActionContext, say: str = "") -> Action:
    """An offer of a draw, now or as soon as may be. Raises `NotYourMove`."""
    return Later(hand, "draw", say) if closed(hand, "draw") else Propose(hand, None, say)


def proposed(hand: ActionContext, what: str, say: str = "") -> Action:
    """The proposal that words name: `draw`, `last`, a move as typed, or the number of an entry.

    Raises `PbemError` where they name none, `NotYourMove` where it may not be proposed.
    """
    if is_draw(what):
        return draw(hand, say)
    check(hand, "takeback")
    return Propose(hand, proposed_entry(hand.game, hand.desk.key, what), say)


def resign(hand: ActionContext, say: str = "", *, certain: bool = False) -> Action:
    """Giving the game up, now or as soon as may be. Raises `NotYourMove`."""
    if closed(hand, "resign"):
        return Later(hand, "resign", say, certain=certain)
    return Resign(hand, say)


def due(hand: ActionContext, say: str = "") -> Action | None:
    """The waiting act that may be written now; also a resignation about which its giver is to be asked again.

    Before a resignation comes the share that is owed, whose card may end the game otherwise.
    """
    wish = wished(hand.desk, hand.game)
    if wish.resign and closed(hand, "resign") is None:
        return Share(hand, say) if closed(hand, "share") is None else Resign(hand, say)
    if wish.draw and closed(hand, "draw") is None:
        return Propose(hand, None, say)
    return None


def by_itself(hand: ActionContext) -> Action | None:
    """The part of it that the program signs without asking: all but a resignation that is not certain."""
    act = due(hand)
    asks = isinstance(act, Resign) and wished(hand.desk, hand.game).resign != "certain"
    return None if asks else act
