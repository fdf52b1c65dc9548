"""What a game needs next, and from whom; `pbem.render.story` words the rules' questions."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.core.rules import Rules
from pbem.core.sealing import Open
from pbem.core.sides import Side
from pbem.messages import Messages, Said
from pbem.umpire.game_state import Ending, GameState, Proposal, is_computed

tr = Messages("pbem")


class Duty(Struct, frozen=True):
    """What must come next, from which seat (None: nothing, from nobody), and a line about it."""

    what: Literal["accept", "answer", "share", "orders", "opening", "sealing", "nothing"]
    seat: str | None
    text: Said


def next_duty(state: GameState) -> Duty:
    """What the game needs next (FORMAT 6)."""
    if state.ending:
        return Duty("nothing", None, _describe_ending(state.rules, state.ending))
    seat = state.writer
    assert seat is not None
    side = state.rules.side(seat)
    if len(state.known) == 1:
        return Duty("accept", seat, tr("nobody is playing {side} yet", side=side))
    if state.proposal:
        return Duty(
            "answer", seat, _describe_proposal(state.proposal, state.rules.side(state.proposal.by), side)
        )
    if state.open_beat:
        text = tr(
            "{side} {side:adds its|add their} half of draw {beat}", side=side, beat=state.open_beat.number
        )
        return Duty("share", seat, text)
    if state.is_beat_due:
        text = tr("{side} {side:starts|start} draw {beat}, a formality", side=side, beat=state.next_beat)
        return Duty("share", seat, text)
    assert state.pending_question is not None
    if isinstance(state.pending_question, Open):
        return Duty("opening", seat, tr("{side} {side:opens its|open their} sealed orders", side=side))
    if is_computed(state.rules, state.pending_question):
        text = tr("the program of {side} seals an order for {side:it|them}", side=side)
        return Duty("sealing", seat, text)
    text = tr("{side} {side:gives|give} orders ({rule})", side=side, rule=state.pending_question.rule)
    return Duty("orders", seat, text)


def _describe_ending(rules: Rules, ending: Ending) -> Said:
    if ending.winner:
        return tr(
            "the game is over: {side} {side:wins|win} ({reason})",
            side=rules.side(ending.winner),
            reason=ending.reason,
        )
    return tr("the game is over: a draw ({reason})", reason=ending.reason)


def _describe_proposal(proposal: Proposal, by: Side, side: Side) -> Said:
    if proposal.what == "draw":
        return tr("{by} {by:proposes|propose} a draw; {side} {side:answers|answer}", by=by, side=side)
    if proposal.what == "retract":
        return tr(
            "{by} {by:proposes|propose} to take back the orders of entry {entry}; "
            "{side} {side:answers|answer}",
            by=by,
            entry=proposal.entry,
            side=side,
        )
    return tr(
        "{by} {by:proposes|propose} to undo everything after entry {entry}; {side} {side:answers|answer}",
        by=by,
        entry=proposal.entry,
        side=side,
    )
