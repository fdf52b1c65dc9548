"""The next thing that a game waits for, and from whom. `pbem.report` has words for what the rules ask."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.core.sealing import Open
from pbem.messages import Messages, Said
from pbem.umpire.table import Ending, Proposal, Table

tr = Messages("pbem")


class Owed(Struct, frozen=True):
    """The next thing owed, and by which seat (None: nothing, by nobody), in a line that needs no rules."""

    what: Literal["accept", "answer", "share", "orders", "opening", "nothing"]
    seat: str | None
    text: Said


def owed(table: Table) -> Owed:
    """The next thing that the game waits for (FORMAT 6)."""
    seat = table.writer
    if table.ending:
        return Owed("nothing", None, _over(table.ending))
    if len(table.known) == 1:
        return Owed("accept", seat, tr("the seat {seat} is free", seat=seat))
    if table.proposal:
        return Owed("answer", seat, _proposed(table.proposal, seat))
    if table.open_beat:
        text = tr("{seat} adds its half of draw {beat}", seat=seat, beat=table.open_beat.number)
        return Owed("share", seat, text)
    assert table.asked is not None
    if isinstance(table.asked, Open):
        return Owed("opening", seat, tr("{seat} opens its sealed orders", seat=seat))
    return Owed("orders", seat, tr("{seat} gives orders ({rule})", seat=seat, rule=table.asked.rule))


def _over(ending: Ending) -> Said:
    if ending.winner:
        return tr("the game is over: {seat} wins ({reason})", seat=ending.winner, reason=ending.reason)
    return tr("the game is over: a draw ({reason})", reason=ending.reason)


def _proposed(proposal: Proposal, seat: str | None) -> Said:
    if proposal.entry is None:
        return tr("{by} proposes a draw; {seat} answers", by=proposal.by, seat=seat)
    return tr(
        "{by} proposes to undo all after entry {entry}; {seat} answers",
        by=proposal.by,
        entry=proposal.entry,
        seat=seat,
    )
