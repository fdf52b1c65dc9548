"""Who writes next, and what an entry must bring: FORMAT section 6, one entry at a time."""

from __future__ import annotations

from pbem.journal.shapes import Accept, Answer, Body, Offer, Play, Propose, Resign
from pbem.umpire.table import Refused, Table


def take(table: Table, body: Body) -> None:
    """Bring an entry to the table. Raises `Refused` (steps 6 and 10), or `OrderError` for its orders."""
    if table.ending:
        raise Refused(10, expected=f"nothing after the end ({table.ending.reason})", found=_named(body))
    if table.writer != body.by and not isinstance(body, Offer):
        raise Refused(6, expected=f"an entry by {table.writer}", found=_named(body))
    match body:
        case Offer():
            table.sit(body.by, bytes.fromhex(body.seat.anchor), body.seat.commanders or ())
        case Accept():
            table.sit(body.by, bytes.fromhex(body.seat.anchor), body.seat.commanders or ())
            _answer(table, body, completed=None)
        case Play():
            _play(table, body)
        case Propose():
            _must_be_free(table, body)
            takeback = body.what.takeback
            table.propose(body.by, None if takeback is None else takeback)
        case Answer():
            if table.proposal is None:
                raise Refused(6, expected="a proposal to answer", found=_named(body))
            table.settle_proposal(body.accept)
        case Resign():
            table.resign(body.by)
    table.mark()


def _play(table: Table, play: Play) -> None:
    """A share for the open beat, or orders, or both (FORMAT 6.1 to 6.3)."""
    if table.proposal:
        raise Refused(6, expected="an answer to the proposal", found=_named(play))
    opened = table.open_beat
    if opened:
        beat, share = _share(play, expected=f"the share of beat {opened.number}")
        table.complete(play.by, beat, share)
    elif play.orders is None:
        raise Refused(6, expected="orders for what the rules ask", found="a play without orders")
    table.barred = None if table.barred == play.by else table.barred
    _answer(table, play, completed=opened.number if opened else None)


def _answer(table: Table, body: Accept | Play, completed: int | None) -> None:
    """The orders of an entry, and the share of the beat that they lead to, or that the game begins with.

    `completed` is the beat that this entry has completed, to which its share may belong instead.
    """
    if body.orders is not None:
        asked = table.asked
        table.answer(body.by, body.orders)
        if body.parts:
            from pbem.umpire.parts import check_orders  # here, because few sides are shared

            check_orders(table, asked, body)
    if table.at_chance:
        beat, share = _share(body, expected=f"the share of beat {table.next_beat}, which this entry opens")
        table.open(body.by, beat, share)
    elif body.beat is not None and body.beat != completed:
        expected = "no share, as no beat is open" if completed is None else f"a share of beat {completed}"
        raise Refused(6, expected=expected, found=f"one of beat {body.beat}")


def _share(body: Accept | Play, expected: str) -> tuple[int, bytes]:
    if body.beat is None or body.share is None:
        raise Refused(6, expected=expected, found="no share")
    return body.beat, bytes.fromhex(body.share)


def _must_be_free(table: Table, body: Body) -> None:
    """A proposal comes neither while a beat is open nor while another proposal waits (FORMAT 6.6)."""
    if table.proposal:
        raise Refused(6, expected="an answer to the proposal", found=_named(body))
    if table.open_beat:
        raise Refused(6, expected=f"the share of beat {table.open_beat.number} first", found=_named(body))


def _named(body: Body) -> str:
    return f"{body.__struct_config__.tag} by {body.by}"
