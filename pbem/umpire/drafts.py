"""Commanders' drafts: sign one, check it against the game, join drafts with the lead's own orders.

Nothing here decides whether orders are legal: the rules judge the joined list like any other list.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from pbem.core.requests import Orders, Plain, Question, may_come
from pbem.core.run import judged
from pbem.errors import DraftRefused, IllegalOrder, NotYourMove, OrderError, Unfinished
from pbem.format.canonical import canonical_form
from pbem.format.document import After, Draft, DraftPart
from pbem.format.entries import Commander
from pbem.format.keys import PrivateKey, PublicKey, verify_signature
from pbem.messages import Message, Messages, Said
from pbem.umpire.commander_signatures import (
    foreign_orders_fault,
    is_subsequence,
    merge_orders,
    part_fault,
    part_message,
    split_order,
)
from pbem.umpire.game_facts import SHORT_ID_DIGITS
from pbem.umpire.game_state import Game, GameState

tr = Messages("pbem")


class CommanderSeat(NamedTuple):
    """A commander's seat, and their number among its commanders, from 0."""

    seat: str
    by: int


def find_commander_seat(game: Game, key: PublicKey | None) -> CommanderSeat | None:
    """The seat and number of the commander with this key, or None. A key is in one place only (FORMAT 11)."""
    for seat, taken in game.seats.items():
        for by, commander in enumerate(taken.commanders or ()):
            if key is not None and PublicKey.parse(commander.key) == key:
                return CommanderSeat(seat, by)
    return None


def commander_at(game: Game, at: CommanderSeat) -> Commander:
    """The commander at a seat, by number."""
    return game.state.commanders[at.seat][at.by]


def commander_question(game: Game, at: CommanderSeat) -> Question:
    """The pending question, if this commander may give orders for it. Raises `NotYourMove` if not."""
    state = game.state
    if state.ending or state.proposal or state.writer != at.seat:
        raise NotYourMove(
            tr("{side} {side:is|are} not due to give orders now", side=state.rules.side(at.seat))
        )
    if state.open_beat or state.pending_question is None:
        raise NotYourMove(
            tr(
                "{side} must first add {side:its|their} half of the open draw",
                side=state.rules.side(at.seat),
            ),
            hint=tr("your lead must first add their half of the next draw and mail you the file"),
        )
    return state.pending_question


def orders_within_command(game: Game, at: CommanderSeat, orders: Orders) -> Orders:
    """The orders that command only this commander's units, such as their counters in a ready-made set-up."""
    ordered, state = game.rules.sharing.ordered, game.state.run.state
    groups = set(commander_at(game, at).of)
    shares = [share for order in orders for share in split_order(order)]
    return merge_orders([share for share in shares if frozenset() != ordered(state, share) <= groups])


def check_and_sign_draft(game: Game, key: PrivateKey, orders: Orders) -> Draft:
    """Judge and sign a commander's orders for the pending question; the list can be empty.

    Raises `NotYourMove`, or `OrderError` for units of others and for orders that no further ones could make
    legal.
    """
    at = find_commander_seat(game, key.public)
    if at is None:
        raise NotYourMove(tr("you do not command any units in this game"))
    asked = commander_question(game, at)
    orders = require_own_orders(game, asked, at, orders)
    if orders:
        with suppress(Unfinished):  # the other commanders' orders will complete them
            _judge(game, asked, orders)
    return sign_draft(game, key, at, orders)


def require_own_orders(game: Game, asked: Question, at: CommanderSeat, orders: Orders) -> Orders:
    """Orders in the form a commander signs. Raises `IllegalOrder` for units of others."""
    orders = merge_orders([share for order in orders for share in split_order(order)])
    if fault := foreign_orders_fault(game.rules, asked, commander_at(game, at), orders):
        raise IllegalOrder(game.rules.sharing.rule, fault)
    return orders


def sign_draft(game: Game, key: PrivateKey, at: CommanderSeat, orders: Orders) -> Draft:
    """Sign a draft with orders that have already been judged, for the next entry."""
    signed = part_message(game.ids[0], game.ids[-1], at.seat, at.by, orders)
    part = DraftPart(seat=at.seat, by=at.by, orders=orders, sig=key.sign(signed))
    return Draft(After(game.ids[0], len(game.entries) - 1, game.ids[-1]), part)


def verify_draft(game: Game, state: GameState, draft: Draft) -> Commander:
    """The signer of a draft, which must be for the pending question of this game. Raises `DraftRefused`."""
    after, part = draft.after, draft.part
    if misplaced := _place_fault(game, after):
        raise DraftRefused(misplaced)
    commanders = game.state.commanders.get(part.seat, ())
    if part.by >= len(commanders):
        raise DraftRefused(
            tr(
                "this draft is signed by commander {number} of {side}, who does not exist",
                number=part.by,
                side=game.rules.side(part.seat),
            )
        )
    if state.pending_question is None or state.pending_question.seat != part.seat:
        side = game.rules.side(part.seat)
        raise DraftRefused(
            tr("this draft is for {side}, and {side:it is|they are} not due to give orders now", side=side)
        )
    one = commanders[part.by]
    signed = part_message(after.game, after.id, part.seat, part.by, part.orders)
    if not verify_signature(PublicKey.parse(one.key), signed, part.sig):
        raise DraftRefused(
            tr("this draft was not signed with its commander's key, or has been altered since")
        )
    if fault := part_fault(game.rules, state.pending_question, one, part.orders):
        raise DraftRefused(fault)
    return one


def _place_fault(game: Game, after: After) -> Said:
    """The fault of a draft that does not continue the last entry of the game, or an empty text."""
    n, last = after.n, len(game.entries) - 1
    if after.game != game.ids[0]:
        return tr(
            "this draft is for game {game}, but this is game {own}",
            game=after.game[:SHORT_ID_DIGITS],
            own=game.ids[0][:SHORT_ID_DIGITS],
        )
    if n > last:
        return tr(
            "this draft continues from entry {entry}, but your file ends with entry {last}",
            entry=n,
            last=last,
        )
    if game.ids[n] != after.id:
        return tr(
            "this draft continues from another entry {entry}: {other}; here it is {own}",
            entry=n,
            other=after.id[:SHORT_ID_DIGITS],
            own=game.ids[n][:SHORT_ID_DIGITS],
        )
    if n < last:
        return tr(
            "this draft is late: it continues from entry {entry}, but the game has moved on to entry {last}",
            entry=n,
            last=last,
        )
    return ""


def fitting_orders(
    game: Game,
    asked: Question,
    orders: Orders,
    *,
    before: Sequence[Plain] = (),
    behind: Sequence[Plain] = (),
) -> Orders:
    """The orders that the rules accept, tried one after another, between the fixed `before` and `behind`."""
    accepted: Orders = []
    for share in [share for order in orders for share in split_order(order)]:
        whole = [single for order in (*before, *accepted, share, *behind) for single in split_order(order)]
        if may_come(asked.read, merge_orders(whole)):
            accepted.append(share)
    return merge_orders(accepted)


def missing_commanders(game: Game, state: GameState, drafts: Sequence[Draft]) -> list[Commander]:
    """The commanders of the seat to move who have not sent a draft."""
    present = {draft.part.by for draft in drafts}
    seat = state.pending_question.seat if state.pending_question else ""
    return [each for by, each in enumerate(game.state.commanders.get(seat, ())) if by not in present]


def join_drafts(
    game: Game, state: GameState, drafts: Sequence[Draft], own: Orders
) -> tuple[Orders, list[dict[str, Plain]]]:
    """All orders in one list, those of the drafts first, in their sequence; and the signed parts in it.

    Raises `DraftRefused`; `OrderError` if the rules refuse the list, naming the people whose orders clash.
    """
    asked = state.pending_question
    assert asked is not None
    known: dict[int, Draft] = {}
    named: list[tuple[Said, Plain]] = []
    for one in drafts:
        commander = verify_draft(game, state, one)
        if (before := known.get(one.part.by)) and before.part.orders == one.part.orders:
            continue
        if before:
            raise DraftRefused(tr("there are two drafts by {who}: give only one", who=commander.name))
        known[one.part.by] = one
        named += [(commander.name, share) for order in one.part.orders for share in split_order(order)]
    if not (named or own):
        problem = tr("the drafts contain no orders: add orders of your own")
        raise OrderError(problem, hint=tr("such as {order}", order="pass"))
    named += [
        (tr("the lead"), share)
        for order in own
        for share in split_order(order)
        if not _is_repeated(share, named)
    ]
    _check_members(named)
    orders = merge_orders([order for _, order in named])
    try:
        _judge(game, asked, orders)
    except Unfinished:
        raise
    except IllegalOrder as error:
        raise _clash(game, asked, named, error) from None
    parts: list[dict[str, Plain]] = []
    for by, one in sorted(known.items()):
        if not is_subsequence(one.part.orders, orders):
            raise DraftRefused(tr("the complete orders do not contain this draft's orders in their sequence"))
        parts.append({"by": by, "orders": list(one.part.orders), "sig": one.part.sig})
    return orders, parts


def _is_repeated(share: Plain, named: Sequence[tuple[Said, Plain]]) -> bool:
    """Whether the lead repeats a member of a mapping that is already there, which has no effect."""
    (_, value), *_ = share.items()
    return isinstance(value, dict) and any(
        canonical_form(share) == canonical_form(order) for _, order in named
    )


def _check_members(named: Sequence[tuple[Said, Plain]]) -> None:
    """Raise `OrderError` if two people place the same unit: a joined mapping would keep only the last."""
    seen: dict[tuple[str, str], Said] = {}
    for who, order in named:
        (verb, value), *_ = order.items()
        for unit in value if isinstance(value, dict) else ():
            first = seen.setdefault((verb, unit), who)
            if first != who:
                problem = tr(
                    "{order}: {first} ordered it first, and {second} ordered something else",
                    order=f"{verb} {unit}",
                    first=first,
                    second=who,
                )
                raise OrderError(problem)


class _OrderWords(Message):
    """An order in a refusal, as the reader would type it."""

    __slots__ = ("_game", "_order")

    def __init__(self, game: Game, order: Plain) -> None:
        super().__init__(game.rules.package, "", {})
        self._game = game
        self._order = order

    def __str__(self) -> str:
        return "; ".join(self._game.rules.view.write_words([self._order]))

    def _meaning(self) -> tuple[object, ...]:
        return self.package, self._order


def _clash(
    game: Game, asked: Question, named: Sequence[tuple[Said, Plain]], error: IllegalOrder
) -> IllegalOrder:
    """The refusal of a list: the first order that cannot be added, who gave it, and whose it contradicts."""

    def is_refused(some: Sequence[tuple[Said, Plain]]) -> bool:
        return not may_come(asked.read, merge_orders([order for _, order in some]))

    end = next((n for n in range(1, len(named)) if is_refused(named[:n])), len(named))
    who, order = named[end - 1]
    words = _OrderWords(game, order)
    against = next((n for n in range(end - 1) if not is_refused([*named[:n], *named[n + 1 : end]])), None)
    facts = tr("{reason}, so {who} may not order: {orders}", reason=error.facts, who=who, orders=words)
    if against is not None and named[against][0] != who:
        first, before = named[against]
        facts = tr(
            "{clash}; {who} ordered first: {orders}",
            clash=facts,
            who=first,
            orders=_OrderWords(game, before),
        )
    return IllegalOrder(error.rule, facts, hint=error.remedy, game=error.game)


def _judge(game: Game, asked: Question, orders: Orders) -> None:
    """Have the rules judge orders. Raises `IllegalOrder`."""
    judged(game.rules, asked.read, orders)
