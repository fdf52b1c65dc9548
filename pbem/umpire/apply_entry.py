"""Apply an entry to the state of its game: who may write, and what the entry must contain (FORMAT 6)."""

from __future__ import annotations

from pbem.format.entries import Accept, Answer, Body, Offer, Play, ProposalTerms, Propose, Resign
from pbem.messages import Messages, Said
from pbem.umpire.commander_signatures import check_parts
from pbem.umpire.game_state import EntryRefused, GameState, ProposalKind

tr = Messages("pbem")


def apply_entry(state: GameState, body: Body) -> None:
    """Apply an entry to the state. Raises `EntryRefused`, or `OrderError` if the rules refuse its orders."""
    if state.ending:
        told = tr(
            "the game is over ({reason}), and {entry} follows",
            entry=_describe_entry(state, body),
            reason=state.ending.reason,
        )
        raise EntryRefused(10, expected="", found=told)
    if state.writer != body.by and not isinstance(body, Offer):
        expected = tr("an entry of {side}", side=state.rules.side(state.writer or ""))
        raise EntryRefused(6, expected=expected, found=_describe_entry(state, body))
    match body:
        case Offer():
            state.take_seat(body.by, bytes.fromhex(body.seat.anchor), body.seat.commanders or ())
        case Accept():
            state.take_seat(body.by, bytes.fromhex(body.seat.anchor), body.seat.commanders or ())
            _apply_orders(state, body, completed=None)
        case Play():
            _apply_play(state, body)
        case Propose():
            _check_may_propose(state, body)
            if body.what.draw and state.rules.settles_results:
                raise EntryRefused(
                    6,
                    expected="",
                    found=tr("a draw cannot be proposed: the rules settle the result (FORMAT 13)"),
                )
            state.propose(body.by, *_proposal(body.what))
        case Answer():
            if state.proposal is None:
                raise EntryRefused(6, expected=tr("a proposal to answer"), found=_describe_entry(state, body))
            state.settle_proposal(body.accept)
        case Resign():
            state.resign(body.by)
    state.record_entry_end()


def _apply_play(state: GameState, play: Play) -> None:
    """Apply a share for the open beat, or orders, or both (FORMAT 6.1 to 6.3)."""
    if state.proposal:
        raise EntryRefused(6, expected=tr("an answer to the proposal"), found=_describe_entry(state, play))
    opened = state.open_beat
    if state.is_beat_due:
        _open_due_beat(state, play)
        return
    if opened:
        beat, share = _require_share(play, expected=tr("the share of beat {beat}", beat=opened.number))
        state.complete_beat(play.by, beat, share)
    elif play.orders is None:
        raise EntryRefused(
            6, expected="", found=tr("this is a play without orders, but the rules require some")
        )
    state.barred = None if state.barred == play.by else state.barred
    _apply_orders(state, play, completed=opened.number if opened else None)


def _apply_orders(state: GameState, body: Accept | Play, completed: int | None) -> None:
    """Apply an entry's orders, and its share of the beat they lead to or the game begins with.

    `completed` is the beat that this entry has completed, if any; its share can belong to that beat instead.
    """
    if body.orders is not None:
        asked = state.pending_question
        state.apply_orders(body.by, body.orders)
        if body.parts:
            check_parts(state, asked, body)
    if state.opens_beat(body.by):
        opens = tr("the share of beat {beat}, which this entry opens", beat=state.next_beat)
        beat, share = _require_share(body, expected=opens)
        state.open_next_beat(body.by, beat, share)
    elif body.beat is not None and body.beat != completed:
        if state.is_beat_due:
            expected = tr("an entry without a share, since the other side opens the first beat (FORMAT 12)")
        elif completed is None:
            expected = tr("an entry without a share, since no beat is open")
        else:
            expected = tr("a share of beat {beat}", beat=completed)
        raise EntryRefused(6, expected=expected, found=tr("one of beat {beat}", beat=body.beat))


def _open_due_beat(state: GameState, play: Play) -> None:
    """Open beat 1 for the offering seat, with a share and no orders (FORMAT 12, `bound`)."""
    beat, share = _require_share(play, expected=tr("the share of beat {beat}", beat=state.next_beat))
    if play.orders is not None:
        expected = tr("only the share of beat {beat}", beat=state.next_beat)
        raise EntryRefused(6, expected=expected, found=tr("one with orders"))
    state.open_next_beat(play.by, beat, share)


def _proposal(terms: ProposalTerms) -> tuple[ProposalKind, int]:
    """The kind of a proposal, and the entry it names (0 for a draw)."""
    if terms.retract is not None:
        return "retract", terms.retract
    return ("draw", 0) if terms.takeback is None else ("takeback", terms.takeback)


def _require_share(body: Accept | Play, expected: Said) -> tuple[int, bytes]:
    if body.beat is None or body.share is None:
        raise EntryRefused(6, expected=expected, found=tr("an entry without one"))
    return body.beat, bytes.fromhex(body.share)


def _check_may_propose(state: GameState, body: Body) -> None:
    """Refuse a proposal while a beat is open or another proposal is pending (FORMAT 6.6)."""
    if state.proposal:
        raise EntryRefused(6, expected=tr("an answer to the proposal"), found=_describe_entry(state, body))
    if state.open_beat or state.is_beat_due:
        beat = state.open_beat.number if state.open_beat else state.next_beat
        expected = tr("the share of beat {beat} first", beat=beat)
        raise EntryRefused(6, expected=expected, found=_describe_entry(state, body))


def _describe_entry(state: GameState, body: Body) -> Said:
    side = state.rules.side(body.by)
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
