"""Acts: what a player may do in a game. Each is checked, told and signed here, whichever way he was met."""

from typing import TYPE_CHECKING

from pbem.doors import door

if TYPE_CHECKING:
    from pbem.desk.acts.act import Act as Act
    from pbem.desk.acts.act import Hand as Hand
    from pbem.desk.acts.act import Kind as Kind
    from pbem.desk.acts.answered import Wish as Wish
    from pbem.desk.acts.answered import read as read
    from pbem.desk.acts.answered import wish as wish
    from pbem.desk.acts.drafting import SignDraft as SignDraft
    from pbem.desk.acts.going_on import decides_by_itself as decides_by_itself
    from pbem.desk.acts.going_on import go_on as go_on
    from pbem.desk.acts.later import may_wait as may_wait
    from pbem.desk.acts.openness import check as check
    from pbem.desk.acts.openness import check_no_proposal as check_no_proposal
    from pbem.desk.acts.openness import held_a_seat as held_a_seat
    from pbem.desk.acts.openness import is_commander as is_commander
    from pbem.desk.acts.openness import my_turn as my_turn
    from pbem.desk.acts.openness import possible as possible
    from pbem.desk.acts.orders import Orders as Orders
    from pbem.desk.acts.orders import Share as Share
    from pbem.desk.acts.plans import arm as arm
    from pbem.desk.acts.proposals import Answer as Answer
    from pbem.desk.acts.proposals import Propose as Propose
    from pbem.desk.acts.proposals import Resign as Resign
    from pbem.desk.acts.say import Say as Say
    from pbem.desk.acts.seats import accept as accept
    from pbem.desk.acts.sifting import sifted as sifted
    from pbem.desk.acts.undoing import Undoable as Undoable
    from pbem.desk.acts.undoing import Undone as Undone
    from pbem.desk.acts.undoing import at_stake as at_stake
    from pbem.desk.acts.undoing import sure_of as sure_of
    from pbem.desk.acts.undoing import what_can_be_undone as what_can_be_undone
else:
    __getattr__ = door(__name__)
