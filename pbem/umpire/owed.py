"""Who owes what: the next thing that a game waits for. `pbem.report` has the words for what the rules ask."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.core.sealing import Open
from pbem.umpire.table import Table


class Owed(Struct, frozen=True):
    """What is owed, by which seat (None: nothing, by nobody), in one line that needs no rules."""

    what: Literal["accept", "answer", "share", "orders", "opening", "nothing"]
    seat: str | None
    text: str


def owed(table: Table) -> Owed:
    """What the game waits for (FORMAT 6)."""
    seat = table.writer
    if table.ending:
        winner = f"{table.ending.winner} wins" if table.ending.winner else "a draw"
        return Owed("nothing", None, f"the game is over: {winner} ({table.ending.reason})")
    if len(table.known) == 1:
        return Owed("accept", seat, f"the seat {seat} is free")
    if table.proposal:
        return Owed("answer", seat, f"{table.proposal.by} proposes {table.proposal.words()}; {seat} answers")
    if table.open_beat:
        return Owed("share", seat, f"{seat} opens the cards or dice of beat {table.open_beat.number}")
    assert table.asked is not None
    if isinstance(table.asked, Open):
        return Owed("opening", seat, f"{seat} opens its sealed orders")
    return Owed("orders", seat, f"{seat} gives orders ({table.asked.rule})")
