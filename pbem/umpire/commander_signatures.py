"""The commanders of a seat, and the parts of its orders they have signed (FORMAT 11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from pbem.core.requests import Ask, Orders, Plain, Question
from pbem.core.rules import Rules
from pbem.core.sealing import HEX, Open, Seal
from pbem.core.sentences import joined, numeral
from pbem.errors import FileError, PbemError, VerificationError
from pbem.format.canonical import canonical_form
from pbem.format.encrypted_boxes import seal_digest
from pbem.format.entries import Accept, Commander, Entry, Move, Offer, Play, Seat
from pbem.format.keys import PublicKey, verify_signature
from pbem.messages import Messages, Said, row
from pbem.umpire.game_state import EntryRefused, Game, GameState, ReplayedEntry

tr = Messages("pbem")

_LABEL = b"pbem/1 part\n"


def part_message(game: str, prev: str, seat: str, by: int, orders: Orders) -> bytes:
    """The bytes under a part's signature; `game` is the id of entry 0, `prev` that of the entry before."""
    part: dict[str, Plain] = {"game": game, "prev": prev, "seat": seat, "by": by, "orders": orders}
    return _LABEL + canonical_form(part)


class CommanderSignatures:
    """Checks a log's commanders and the signatures of their parts (FORMAT 9, steps 4 and 5)."""

    def __init__(self, entries: Sequence[Entry], rules: Rules, seats: Mapping[str, PublicKey]) -> None:
        """Raises `VerificationError` for too many commanders, an unknown group, or a key used twice."""
        self._entries = entries
        self._rules = rules
        self._keys: dict[str, list[PublicKey]] = {}
        known = list(seats.values())
        for entry in entries[:2]:
            body = entry.body
            assert isinstance(body, (Offer, Accept))
            commanders = body.seat.commanders or ()
            try:
                own = [PublicKey.parse(one.key) for one in commanders]
            except FileError as error:
                bad = tr("this is not a valid Ed25519 key: {reason}", reason=error.message)
                raise VerificationError(4, body.n, expected="", found=bad) from None
            if problem := _count_fault(rules, sum(map(len, self._keys.values()), len(own))):
                raise VerificationError(4, body.n, expected="", found=problem)
            for fault in _commander_faults(rules, body.by, commanders, own, known):
                raise VerificationError(4, body.n, expected="", found=fault)
            self._keys[body.by] = own
            known += own

    def check_signatures(self, entry: Entry) -> None:
        """Check the signatures of an entry's parts (step 5). Raises `VerificationError`."""
        body = entry.body
        for part in (body.parts or ()) if isinstance(body, Move) else ():
            keys = self._keys[body.by]
            if part.by >= len(keys):
                raise VerificationError(
                    5,
                    body.n,
                    expected="",
                    found=tr(
                        "a part is signed by commander {number} of {side}, who does not exist",
                        number=part.by,
                        side=self._rules.side(body.by),
                    ),
                )
            prev = self._entry_before_parts(entry)
            signed = part_message(self._entries[0].id, prev, body.by, part.by, part.orders) if prev else b""
            if not (prev and verify_signature(keys[part.by], signed, part.sig)):
                problem = tr(
                    "the signature of the part by commander {number} of {side} does not match",
                    number=part.by,
                    side=self._rules.side(body.by),
                )
                raise VerificationError(5, body.n, expected="", found=problem)

    def _entry_before_parts(self, entry: Entry) -> str | None:
        """The id of the entry the parts continue: `prev`, or for an opening, that of the entry with its seal.

        None if no entry has the seal opened by this one.
        """
        body = entry.body
        match body.orders if isinstance(body, Move) else None:
            case [{"open": {"salt": str(salt), "orders": list(orders)}}] if HEX.fullmatch(salt):
                offer = self._entries[0].body
                assert isinstance(offer, Offer)
                seal = seal_digest(offer.game, body.by, bytes.fromhex(salt), canonical_form(orders))
            case _:
                return body.prev
        for before in reversed(self._entries[: body.n]):
            match before.body:
                case Play(orders=[{"seal": found}]) | Accept(orders=[{"seal": found}]):
                    if found == seal and before.body.by == body.by:
                        return before.body.prev
        return None


def check_new_commanders(
    rules: Rules,
    seat: str,
    own: PublicKey,
    commanders: Sequence[Commander],
    seats: Mapping[str, Seat],
    *,
    shared: bool,
) -> None:
    """Raise `PbemError` if a seat may not be taken with these commanders; `seats` are those already taken."""
    if not rules.sharing.groups:
        problem = tr("the sides of {title} cannot be shared", title=rules.title)
        raise PbemError(row((rules.sharing.rule or rules.name, problem), ": "))
    if not shared:
        raise PbemError(
            tr("this game was offered without commanders"),
            hint=tr(
                "the player who offers the game types: {command}", command=f"pbem new {rules.name} --shared"
            ),
        )
    staff = [one for taken in seats.values() for one in taken.commanders or ()]
    if too_many := _count_fault(rules, len(staff) + len(commanders)):
        raise PbemError(too_many)
    others = [*(taken.key for taken in seats.values()), *(one.key for one in staff)]
    known = [own, *map(PublicKey.parse, others)]
    keys = [PublicKey.parse(one.key) for one in commanders]
    for fault in _commander_faults(rules, seat, commanders, keys, known):
        raise PbemError(fault)


def check_parts(state: GameState, asked: Question | None, body: Accept | Play) -> None:
    """Refuse (step 7) a part that is not in the orders, or commands units other than its signer's."""
    assert asked is not None
    assert body.orders is not None
    if isinstance(asked, Seal):
        problem = tr("parts of sealed orders belong in the entry that opens them, not in this one")
        raise EntryRefused(7, expected="", found=problem)
    orders = asked.opening(body.orders).orders if isinstance(asked, Open) else body.orders
    for part in body.parts or ():
        commander = state.commanders[body.by][part.by]
        if fault := part_fault(state.rules, asked, commander, part.orders, orders):
            raise EntryRefused(7, expected="", found=fault)


def part_fault(
    rules: Rules,
    asked: Ask[object, object],
    commander: Commander,
    orders: Orders,
    whole: Orders | None = None,
) -> Said:
    """The fault of a commander's part, or an empty text.

    `whole` is the list of orders that must contain the part, if there is one already.
    """
    if fault := foreign_orders_fault(rules, asked, commander, orders):
        return row((fault, f"({rules.sharing.rule})"), " ")
    if whole is not None and not is_subsequence(orders, whole):
        return tr("the orders of a part must be among the entry's own orders, in the same sequence")
    return ""


def foreign_orders_fault(
    rules: Rules, asked: Ask[object, object], commander: Commander, orders: Orders
) -> Said:
    """The fault of orders that command units of others, or an empty text."""
    own = ", ".join(commander.of)
    for order in orders:
        groups = rules.sharing.ordered(asked.state, order)
        if not groups:
            return tr("a commander of {groups} units may not give an order that names no unit", groups=own)
        if others := groups - set(commander.of):
            theirs = ", ".join(sorted(others))
            return tr("a commander of {groups} units may not order {others} units", groups=own, others=theirs)
    return ""


class CommanderOrders(Struct, frozen=True):
    """A commander's signed part of an entry's orders, or None, and the lead's orders for their units."""

    commander: Commander
    signed: Orders | None
    in_place: Orders


def orders_by_commander(game: Game, one: ReplayedEntry) -> Iterator[CommanderOrders]:
    """The orders of each commander of the writer's seat in an entry, unless they are sealed."""
    body = one.entry.body
    if not isinstance(body, Move) or body.orders is None:
        return
    match body.orders:
        case [{"seal": _}]:
            return
        case [{"open": {"orders": list(opened)}}]:
            orders = opened
        case orders:
            pass
    parts = {part.by: part.orders for part in body.parts or ()}
    for by, commander in enumerate(game.state.commanders[body.by]):
        ordered = partial(_commands_units_of, game.rules, one.state, commander)
        own = [order for each in orders for order in split_order(each) if ordered(order)]
        signed = parts.get(by)
        known = [canonical_form(order) for each in signed or () for order in split_order(each)]
        yield CommanderOrders(
            commander, signed, merge_orders([order for order in own if canonical_form(order) not in known])
        )


def _commands_units_of(rules: Rules, state: Any, commander: Commander, order: Plain) -> bool:
    """Whether an order commands any of a commander's units."""
    return not rules.sharing.ordered(state, order).isdisjoint(commander.of)


def split_order(order: Plain) -> Orders:
    """An order whose only value is a mapping, as an equivalent list with one order for each member."""
    (verb, members), *more = order.items()
    if more or not isinstance(members, dict):
        return [order]
    return [{verb: {name: value}} for name, value in members.items()]


def merge_orders(orders: Orders) -> Orders:
    """The inverse of `split_order`: one order for each verb, with all its members, after the other orders."""
    single: Orders = []
    mappings: dict[str, dict[str, Plain]] = {}
    for order in orders:
        (verb, members), *more = order.items()
        if more or not isinstance(members, dict):
            single.append(order)
        else:
            mappings.setdefault(verb, {}).update(members)
    return [*single, *({verb: members} for verb, members in mappings.items())]


def is_subsequence(part: Orders, whole: Orders) -> bool:
    """Whether a list of orders contains those of a part, in the same sequence (FORMAT 11)."""
    left = iter(whole)
    return all(any(_is_contained(order, candidate) for candidate in left) for order in part)


def _is_contained(order: Plain, other: Plain) -> bool:
    """Whether an order equals another, or has some members of another whose only value is a mapping."""
    if canonical_form(order) == canonical_form(other):
        return True
    if len(order) != 1 or order.keys() != other.keys():
        return False
    (some,), (more,) = order.values(), other.values()
    if not (isinstance(some, dict) and isinstance(more, dict) and some):
        return False
    return all(
        key in more and canonical_form(value) == canonical_form(more[key]) for key, value in some.items()
    )


def _commander_faults(
    rules: Rules,
    seat: str,
    commanders: Sequence[Commander],
    keys: Sequence[PublicKey],
    known: Sequence[PublicKey],
) -> Iterator[Said]:
    """The faults of a seat's commanders."""
    groups = rules.sharing.groups.get(seat, ())
    given: set[str] = set()
    seen = list(known)
    for one, key in zip(commanders, keys, strict=True):
        for group in one.of:
            if group not in groups:
                yield _group_fault(rules, seat, group)
            elif group in given:
                yield tr("{group} units have two commanders of {side}", group=group, side=rules.side(seat))
            given.add(group)
        if key in seen:
            own = ", ".join(one.of)
            yield tr("the commander of {groups} units has a key that is already in this game", groups=own)
        seen.append(key)


def _count_fault(rules: Rules, count: int) -> Said:
    """The fault of this number of commanders, on both sides together, or an empty text."""
    most, rule = rules.sharing.most or (count, "")
    if count <= most:
        return ""
    return tr.plural(
        "{rule}: besides the two leads, at most one commander is allowed, for both sides together; "
        "with these there are {count}",
        "{rule}: besides the two leads, at most {spelt} commanders are allowed, for both sides "
        "together; with these there are {count}",
        most,
        rule=rule,
        spelt=numeral(most),
        count=count,
    )


def _group_fault(rules: Rules, seat: str, found: str) -> Said:
    """The fault of a group that no commander of the seat may have, citing the rule."""
    side, rule = rules.side(seat), rules.sharing.rule or rules.name
    groups = rules.sharing.groups.get(seat, ())
    if not groups:
        return tr("{side} may have no commanders ({rule})", side=side, rule=rule)
    return tr(
        "{side} {side:has|have} no group '{found}' to command: choose {groups} ({rule})",
        side=side,
        found=found,
        groups=joined(groups, "or"),
        rule=rule,
    )
