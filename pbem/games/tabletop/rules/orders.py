"""T4 to T9: what a side may order, and the effect of each order without chance."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, NoReturn

from msgspec.structs import replace

from pbem.core.forms import Form, Unexpected, read, true, word
from pbem.core.requests import Event, Plain
from pbem.errors import IllegalOrder
from pbem.games.tabletop.rules import events, hands
from pbem.games.tabletop.rules.state import Deck, State
from pbem.games.tabletop.terms.scenario import MOST_TEXT, Face, is_plain_text, other_seat
from pbem.messages import Messages, Said, row

tr = Messages("pbem.games.tabletop")

HANDING_OVER = ("ask", "end", "result")
"""T4: the orders after which nothing may follow."""

VERBS = ("roll", "draw", "play", "discard", "remove", "return", "shuffle", "note", "set", *HANDING_OVER)
ANSWERS = ("agree", "decline")

DRAW = "draw"
"""T8: the result that neither side wins."""

MOST_ORDERS = 100
"""T4: the most orders in an answer."""

MOST_BYTES = 5_000
MOST_BYTES_BEFORE_SEAL = 4_000
"""T4: the most bytes in an answer, and in one that shuffles an own deck: a turn with a seal takes 8 kB."""

MOST_DICE = 20
"""T5: the most dice in one roll."""

MOST_SIDES = 1000
"""T5: the most faces of a die, as in d1000."""

UNKNOWN = "\n"
"""A card still to be drawn; no card can have this name."""

_DICE = re.compile(r"([1-9][0-9]?)?([a-z][a-z0-9%-]*?)([+-][1-9][0-9]?)?")
_NUMBERED = re.compile(r"d([1-9][0-9]{0,3})")
_DIGEST = re.compile(r"[0-9a-f]{64}")


class Order(NamedTuple):
    """An order: its verb, its value, and its further keys."""

    verb: str
    value: Any
    more: Mapping[str, Any]

    @property
    def note(self) -> str:
        """What it is for, in the player's words."""
        return str(self.more.get("for", ""))

    @property
    def needs_chance(self) -> bool:
        """Whether it needs dice or cards."""
        return self.verb in ("roll", "draw")


class Dice(NamedTuple):
    """T5: how many dice with which faces, and a number to add to their sum."""

    number: int
    faces: tuple[Face, ...]
    added: int

    @property
    def have_numbers(self) -> bool:
        """Whether the faces can be added up."""
        return all(isinstance(face, int) for face in self.faces)


def parse_dice(state: State, words: str) -> Dice | None:
    """T5: parse dice as typed, `2d6`, `d10+1`, `d%`, or of the scenario's kinds; None for other words."""
    found = _DICE.fullmatch(words)
    if not found or int(found[1] or 1) > MOST_DICE:
        return None
    if found[2] in state.setting.dice:
        faces = state.setting.dice[found[2]]
    elif found[2] == "d%":
        faces = tuple(range(1, 101))
    elif (sides := _NUMBERED.fullmatch(found[2])) and 2 <= int(sides[1]) <= MOST_SIDES:
        faces = tuple(range(1, int(sides[1]) + 1))
    else:
        return None
    dice = Dice(int(found[1] or 1), faces, int(found[3] or 0))
    return dice if dice.have_numbers or not dice.added else None


def read_answer(state: State, orders: Plain) -> bool:
    """T8: whether the other side agrees to a result. Raises `IllegalOrder`."""
    given = read(orders, _forms(state), ANSWERS, "T8", tr.own)
    if len(given) > 1:
        _refuse("T8", tr("you gave {number} orders: give only one", number=len(given)))
    return bool(given[0].verb == "agree")


def read_orders(state: State, orders: Plain) -> tuple[Order, ...]:
    """T4: parse what a side does, in sequence. Raises `IllegalOrder`."""
    if isinstance(orders, list) and len(orders) > MOST_ORDERS:
        _refuse(
            "T4",
            tr("{number} orders are too many: give {most} at most", number=len(orders), most=MOST_ORDERS),
        )
    given: tuple[Order, ...] = read(orders, _forms(state), VERBS, "T4", tr.own)
    seals = any(order.verb == "shuffle" and state.owner(order.value) for order in given)
    most = MOST_BYTES_BEFORE_SEAL if seals else MOST_BYTES
    if (size := len(json.dumps(orders))) > most:
        _refuse(
            "T4",
            tr(
                "these orders take {size} bytes: at most {most}; give the rest in a second move",
                size=size,
                most=most,
            ),
        )
    if any(order.needs_chance for order in given) and state.used == state.setting.exchanges:
        _refuse("T9", tr("all {number} exchanges of dice and cards have been used up", number=state.used))
    foreseen(state, given)
    return given


def foreseen(state: State, given: Sequence[Order]) -> State:
    """The state after orders, with cards still to be drawn as `UNKNOWN`. Raises `IllegalOrder`."""
    after = state
    for n, order in enumerate(given, 1):
        if n < len(given):
            _check_may_be_followed(state, order)
        if order.verb == "draw":
            after = _as_if_drawn(after, order)
        elif order.verb != "roll":
            after, _ = carry_out(after, order)
    return after


def _check_may_be_followed(state: State, order: Order) -> None:
    if order.verb in HANDING_OVER:
        _refuse("T4", tr("nothing may come after {verb}", verb=tr.own(order.verb)))
    if order.verb == "shuffle" and state.owner(order.value):
        _refuse("T6", tr("shuffle your own deck last: it is then sealed, and you continue"))


def carry_out(state: State, order: Order) -> tuple[State, Event | None]:
    """T5 to T8: the state after an order without chance, and the event. Raises `IllegalOrder`."""
    side = state.side(state.active)
    match order.verb:
        case "play" | "discard":
            return _show_card(state, order)
        case "remove" | "return":
            return _move_open_card(state, order)
        case "shuffle":
            return _shuffle(state, order.value)
        case "note":
            return state, events.Noted(side, order.value, order.more.get("sha256", ""))
        case "set":
            before, now = state.tracks[order.value], order.more["to"]
            tracks = {**state.tracks, order.value: now}
            return replace(state, tracks=tracks), events.TrackSet(side, order.value, before, now)
        case "ask" | "end":
            other, asked = other_seat(state.active), order.value if order.verb == "ask" else ""
            handed = events.HandedOver(side, state.side(other), asked)
            return replace(state, active=other, asked=asked), handed
    state = replace(state, step="answer", proposed=(order.value, order.note))
    return state, events.Proposed(side, "" if order.value == DRAW else order.value, order.note)


def draw_place(state: State, name: str, card: str) -> State:
    """T5, T6: the state after a card, or a place in an own deck, was drawn."""
    deck = state.decks[name]
    pile = list(deck.pile)
    pile.remove(card)
    if state.owner(name):
        return state.with_deck(name, replace(deck, pile=tuple(pile), claims=(*deck.claims, card)))
    return state.with_deck(name, replace(deck, pile=tuple(pile), out=(*deck.out, card)))


def _as_if_drawn(state: State, order: Order) -> State:
    """The state after a draw that has not been made yet."""
    name, number, deck = order.more["from"], order.value, state.decks[order.more["from"]]
    if state.owner(name) not in (None, state.active):
        _refuse("T6", tr("{deck} is the other side's deck", deck=name))
    if number > len(deck.pile):
        _refuse("T5", tr("only {number} cards are left in {deck}", number=len(deck.pile), deck=name))
    pile = deck.pile[number:]
    if state.owner(name):
        return state.with_deck(name, replace(deck, pile=pile, claims=(*deck.claims, *[hands.DRAWN] * number)))
    return state.with_deck(name, replace(deck, pile=pile, out=(*deck.out, *[UNKNOWN] * number)))


def _show_card(state: State, order: Order) -> tuple[State, Event]:
    """T6: play a card from the hidden hand: what both players know is checked now, the rest at the end."""
    card, own = order.value, state.setting.own_decks(state.active)
    named = order.more.get("from")
    fitting = [name for name in own if named in (None, name) and hands.may_hold(state, name, card)]
    held = [name for name in fitting if (hand := hands.hand_of(state, name)) is None or card in hand]
    if not fitting:
        _refuse("T6", tr('"{card}" cannot be in your hand', card=card))
    if not held:
        cards = [card for name in own for card in hands.hand_of(state, name) or ()]
        _refuse(
            "T6", tr('"{card}" is not in your hand; you hold: {cards}', card=card, cards=row(cards) or "-")
        )
    name = _only_deck(held, card)
    deck = state.decks[name]
    deck = replace(deck, claims=(*deck.claims, f"!{card}"), out=(*deck.out, card))
    shown = events.Moved(state.side(state.active), order.verb, card, name, True, order.note)
    return state.with_deck(name, deck), shown


def _move_open_card(state: State, order: Order) -> tuple[State, Event]:
    """T5: remove an open card from the game, or return it to the pile of an open deck."""
    card, back, named = order.value, order.verb == "return", order.more.get("from")
    lying = [name for name, deck in state.decks.items() if card in deck.out and named in (None, name)]
    if back and lying and all(map(state.owner, lying)):
        _refuse("T6", tr("a card returns to your own deck only when you shuffle it"))
    fitting = [name for name in lying if not (back and state.owner(name))]
    if not fitting:
        _refuse("T5", tr('no open card is "{card}"', card=card))
    name = _only_deck(fitting, card)
    deck = state.decks[name]
    out = list(deck.out)
    out.remove(card)
    place = {"pile": (*deck.pile, card)} if back else {"gone": (*deck.gone, card)}
    moved = events.Moved(state.side(state.active), order.verb, card, name, False, order.note)
    return state.with_deck(name, replace(deck, out=tuple(out), **place)), moved


def _only_deck(names: list[str], card: str) -> str:
    if len(names) > 1:
        _refuse("T5", tr('"{card}" is in several decks: say which, {decks}', card=card, decks=row(names)))
    return names[0]


def _shuffle(state: State, name: str) -> tuple[State, Event | None]:
    """T5, T6: return all open cards; the order of an own deck is sealed in a separate step."""
    if state.owner(name) not in (None, state.active):
        _refuse("T6", tr("{deck} is the other side's deck", deck=name))
    if state.owner(name):
        if not hands.sources(state, name):
            _refuse("T6", tr("{deck} has no cards to shuffle: all are in hand or out of the game", deck=name))
        return replace(state, step="seal", shuffling=name), None
    deck = state.decks[name]
    deck = Deck((*deck.pile, *deck.out), (), deck.gone)
    return state.with_deck(name, deck), events.Shuffled(name, len(deck.pile), False)


# The forms of orders


def _forms(state: State) -> list[Form]:
    """T4 to T8: every order with the kinds of its values."""
    number, deck, named = partial(_number, -9999, 9999), partial(_deck, state), {"for": _text}
    card = {"for": _text, "from": deck}
    forms: Iterator[tuple[str, Any, dict[str, Any], dict[str, Any]]] = iter(
        [
            ("roll", partial(_dice, state), {}, named),
            ("draw", partial(_number, 1, 99), {"from": deck}, named),
            *((verb, _text, {}, card) for verb in ("play", "discard", "remove", "return")),
            ("shuffle", deck, {}, {}),
            ("note", _text, {}, {"sha256": _digest}),
            ("set", partial(_track, state), {"to": number}, {}),
            ("ask", _text, {}, {}),
            ("end", true, {}, {}),
            ("result", word(*state.setting.sides, DRAW), {}, named),
            *((verb, true, {}, {}) for verb in ANSWERS),
        ]
    )
    return [Form(verb, _maker(verb), value, needed, more) for verb, value, needed, more in forms]


def _maker(verb: str) -> Any:
    return lambda value, **more: Order(verb, value, more)


def _text(value: Plain) -> str:
    if not is_plain_text(value):
        expected = tr(
            "a text of one line, at most {most} characters, without quotation marks", most=MOST_TEXT
        )
        raise Unexpected.within(value, expected)
    return str(value)


def _digest(value: Plain) -> str:
    if not isinstance(value, str) or not _DIGEST.fullmatch(value):
        raise Unexpected.within(value, tr("a SHA-256 of 64 digits 0-9 a-f"))
    return value


def _deck(state: State, value: Plain) -> str:
    if not isinstance(value, str) or value not in state.decks:
        raise Unexpected.within(value, tr("a deck of this game: {names}", names=row(state.decks) or "-"))
    return value


def _track(state: State, value: Plain) -> str:
    if not isinstance(value, str) or value not in state.tracks:
        raise Unexpected.within(value, tr("a track of this game: {names}", names=row(state.tracks) or "-"))
    return value


def _number(least: int, most: int, value: Plain) -> int:
    if type(value) is not int or not least <= value <= most:
        raise Unexpected.within(value, tr("a number from {least} to {most}", least=least, most=most))
    return value


def _dice(state: State, value: Plain) -> str:
    if not isinstance(value, str) or parse_dice(state, value) is None:
        own = list(state.setting.dice)
        raise Unexpected.within(value, tr("dice such as {kinds}", kinds=row(["2d6", "d10+1", "d%", *own])))
    return value


def _refuse(rule: str, facts: Said) -> NoReturn:
    raise IllegalOrder(rule, facts)
