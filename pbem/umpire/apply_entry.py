"""The order of writing, and the duties of an entry: FORMAT section 6, one entry at a time."""

from __future__ import annotations

from pbem.format.shapes import Accept, Answer, Body, Offer, Play, Propose, Resign
from pbem.messages import Messages, Said
from pbem.umpire.game_state import EntryRefused, GameState

tr = Messages("pbem")


def apply_entry(table: GameState, body: Body) -> None:
    """Bring an entry to the table. Raises `EntryRefused` (steps 6 and 10), or `OrderError` for its orders."""
    if table.ending:
        told = tr(
            "the game is over ({reason}), and {entry} follows",
            entry=_named(table, body),
            reason=table.ending.reason,
        )
        raise EntryRefused(10, expected="", found=told)
    if table.writer != body.by and not isinstance(body, Offer):
        expected = tr("an entry of {side}", side=table.rules.side(table.writer or ""))
        raise EntryRefused(6, expected=expected, found=_named(table, body))
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
                raise EntryRefused(6, expected=tr("a proposal to answer"), found=_named(table, body))
            table.settle_proposal(body.accept)
        case Resign():
            table.resign(body.by)
    table.mark()


def _play(table: GameState, play: Play) -> None:
    """Take a share for the open beat, or orders, or both (FORMAT 6.1 to 6.3)."""
    if table.proposal:
        raise EntryRefused(6, expected=tr("an answer to the proposal"), found=_named(table, play))
    opened = table.open_beat
    if opened:
        beat, share = _share(play, expected=tr("the share of beat {beat}", beat=opened.number))
        table.complete(play.by, beat, share)
    elif play.orders is None:
        raise EntryRefused(
            6, expected="", found=tr("this is a play without orders, and the rules ask for some")
        )
    table.barred = None if table.barred == play.by else table.barred
    _answer(table, play, completed=opened.number if opened else None)


def _answer(table: GameState, body: Accept | Play, completed: int | None) -> None:
    """Take an entry's orders, and the share of the beat that they lead to, or that the game begins with.

    `completed` is the beat that this entry has completed, to which its share may belong instead.
    """
    if body.orders is not None:
        asked = table.asked
        table.answer(body.by, body.orders)
        if body.parts:
            from pbem.umpire.commander_signatures import check_orders  # here, because few sides are shared

            check_orders(table, asked, body)
    if table.at_chance:
        opens = tr("the share of beat {beat}, which this entry opens", beat=table.next_beat)
        beat, share = _share(body, expected=opens)
        table.open(body.by, beat, share)
    elif body.beat is not None and body.beat != completed:
        if completed is None:
            expected = tr("an entry without a share, since no beat is open")
        else:
            expected = tr("a share of beat {beat}", beat=completed)
        raise EntryRefused(6, expected=expected, found=tr("one of beat {beat}", beat=body.beat))


def _share(body: Accept | Play, expected: Said) -> tuple[int, bytes]:
    if body.beat is None or body.share is None:
        raise EntryRefused(6, expected=expected, found=tr("an entry without one"))
    return body.beat, bytes.fromhex(body.share)


def _must_be_free(table: GameState, body: Body) -> None:
    """Refuse a proposal while a beat is open or another proposal waits (FORMAT 6.6)."""
    if table.proposal:
        raise EntryRefused(6, expected=tr("an answer to the proposal"), found=_named(table, body))
    if table.open_beat:
        expected = tr("the share of beat {beat} first", beat=table.open_beat.number)
        raise EntryRefused(6, expected=expected, found=_named(table, body))


def _named(table: GameState, body: Body) -> Said:
    side = table.rules.side(body.by)
    match body:
        case Offer():
            return tr("an offer of {side}", side=side)
        case Accept():
            return tr("an accept of {side}", side=side)
        case Play():
            return tr("a play of {side}", side=side)
        case Propose():
            return tr("a proposal of {side}", side=side)
        case Answer():
            return tr("an answer of {side}", side=side)
        case Resign():
            return tr("a resignation of {side}", side=side)
