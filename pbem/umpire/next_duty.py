"""The next thing that a game waits for, and from whom; `render.story` has words for what the rules ask."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.core.rules import Rules
from pbem.core.sealing import Open
from pbem.core.sides import Side
from pbem.messages import Messages, Said
from pbem.umpire.game_state import Ending, GameState, Proposal

tr = Messages("pbem")


class Duty(Struct, frozen=True):
    """The next thing owed, and by which seat (None: nothing, by nobody), in a line that needs no rules."""

    what: Literal["accept", "answer", "share", "orders", "opening", "nothing"]
    seat: str | None
    text: Said


def next_duty(table: GameState) -> Duty:
    """The next thing that the game waits for (FORMAT 6)."""
    if table.ending:
        return Duty("nothing", None, _over(table.rules, table.ending))
    seat = table.writer
    assert seat is not None
    side = table.rules.side(seat)
    if len(table.known) == 1:
        return Duty("accept", seat, tr("the seat of {side} is free", side=side))
    if table.proposal:
        return Duty("answer", seat, _proposed(table.proposal, table.rules.side(table.proposal.by), side))
    if table.open_beat:
        text = tr(
            "{side} {side:adds its|add their} half of draw {beat}", side=side, beat=table.open_beat.number
        )
        return Duty("share", seat, text)
    assert table.asked is not None
    if isinstance(table.asked, Open):
        return Duty("opening", seat, tr("{side} {side:opens its|open their} sealed orders", side=side))
    text = tr("{side} {side:gives|give} orders ({rule})", side=side, rule=table.asked.rule)
    return Duty("orders", seat, text)


def _over(rules: Rules, ending: Ending) -> Said:
    if ending.winner:
        return tr(
            "the game is over: {side} {side:wins|win} ({reason})",
            side=rules.side(ending.winner),
            reason=ending.reason,
        )
    return tr("the game is over: a draw ({reason})", reason=ending.reason)


def _proposed(proposal: Proposal, by: Side, side: Side) -> Said:
    if proposal.entry is None:
        return tr("{by} {by:proposes|propose} a draw; {side} {side:answers|answer}", by=by, side=side)
    return tr(
        "{by} {by:proposes|propose} to undo all after entry {entry}; {side} {side:answers|answer}",
        by=by,
        entry=proposal.entry,
        side=side,
    )
