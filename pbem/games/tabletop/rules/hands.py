"""T6: own decks and hidden hands: what is sealed, what the owner knows and claims, and what is proven.

The owner's computer seals an order of the cards: then place `#n` has a card that only the owner knows and
nobody can change. A draw is a public draw among the remaining places. The owner plays by naming a card. When
the game ends, the seals are opened, every draw and play is replayed, and a player who named a card not in
their hand loses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256

from msgspec.structs import replace

from pbem.core.forms import Form, Unexpected, read_one
from pbem.core.requests import Orders, Plain, Question
from pbem.core.sealing import Open, Seal
from pbem.errors import IllegalOrder
from pbem.games.tabletop.rules.state import Deck, Shuffle, State
from pbem.messages import Messages

tr = Messages("pbem.games.tabletop")

DRAWN = "?"
"""A card to be drawn, not yet known while orders are read."""


class FreshSeal(Seal[State], frozen=True):
    """The seal of an order of cards, which must be new: one seal cannot be used for two orders."""

    def take(self, orders: Orders) -> str:
        """The seal, from the orders as signed. Raises `IllegalOrder`."""
        seal = super().take(orders)
        decks = self.state.decks.values()
        if any(shuffle.seal == seal for deck in decks for shuffle in deck.shuffles):
            raise IllegalOrder("T6", tr("this seal has been used before: each ordering of cards has its own"))
        return seal


def sources(state: State, name: str) -> tuple[str, ...]:
    """What to put in order: at first all cards, later the places left in the pile and the open cards."""
    deck = state.decks[name]
    return (*deck.pile, *deck.out) if deck.shuffles else state.setting.packs[name].cards


def read_order(number: int, orders: Plain) -> tuple[int, ...]:
    """Parse an order of this many cards. Raises `IllegalOrder`."""
    order: tuple[int, ...] = read_one(orders, [Form("shuffle", tuple, _numbers)], "shuffle", "T6")
    if sorted(order) != list(range(number)):
        raise IllegalOrder("T6", tr("a shuffle has each number from 0 to {last} once", last=number - 1))
    return order


def read_opened(number: int, orders: Plain) -> tuple[int, ...]:
    """The order of this many cards that was sealed; empty if it is not one, for which its owner loses."""
    try:
        return read_order(number, orders)
    except IllegalOrder:
        return ()


def _numbers(value: Plain) -> list[int]:
    if not isinstance(value, list) or not all(type(one) is int for one in value):
        raise Unexpected.after(value, tr("a list of numbers"))
    return value


def sealed(state: State, name: str, seal: str) -> State:
    """The state after a deck was put in order under a seal; its hidden hand stays as it is."""
    deck, given = state.decks[name], sources(state, name)
    first = sum(len(shuffle.sources) for shuffle in deck.shuffles)
    pile = tuple(f"#{first + n}" for n in range(len(given)))
    return state.with_deck(
        name, replace(deck, pile=pile, out=(), shuffles=(*deck.shuffles, Shuffle(seal, given)))
    )


def opened(state: State, name: str, number: int, order: tuple[int, ...]) -> State:
    """The state after a shuffle was opened."""
    deck = state.decks[name]
    shuffles = list(deck.shuffles)
    shuffles[number] = replace(shuffles[number], order=order)
    return state.with_deck(name, replace(deck, shuffles=tuple(shuffles)))


def computed(ask: Question, secret: bytes) -> Orders | None:
    """The order of cards that pbem computes from the player's secret; None for another question."""
    if not isinstance(ask, FreshSeal):
        return None
    number = len(sources(ask.state, ask.state.shuffling or ""))
    return [{"shuffle": sorted(range(number), key=lambda n: sha256(secret + n.to_bytes(4)).digest())}]


def known(state: State, own: Mapping[str, Orders]) -> State:
    """The state as the owner of seals knows it; a seal that contains no order of cards adds nothing."""
    orders = {seal: order for seal, sealed in own.items() if (order := _plain_order(sealed))}
    return replace(state, own=orders)


def _plain_order(orders: Orders) -> tuple[int, ...]:
    try:
        found: tuple[int, ...] = read_one(orders, [Form("shuffle", tuple, _numbers)], "shuffle", "T6")
    except IllegalOrder:
        return ()
    return found


def hand_of(state: State, name: str) -> list[str] | None:
    """The hidden hand of a deck, in the sequence of the draws; None if the viewer does not know it."""
    deck = state.decks[name]
    orders = [shuffle.order or state.own.get(shuffle.seal, ()) for shuffle in deck.shuffles]
    if not orders or not all(map(_is_order, orders, deck.shuffles)):
        return None
    held, lie = _replay(deck, orders)
    return None if lie else held


def fault(deck: Deck) -> tuple[str, str]:
    """How an owner cheated with a deck: `order`, or `card` with the card; else empty."""
    orders = [shuffle.order or () for shuffle in deck.shuffles]
    if not all(map(_is_order, orders, deck.shuffles)):
        return "order", ""
    _, lie = _replay(deck, orders)
    return ("card", lie) if lie else ("", "")


def may_hold(state: State, name: str, card: str) -> bool:
    """Whether the owner of a deck might hold a card, as far as both players know."""
    deck = state.decks[name]
    shown = (*deck.out, *deck.gone).count(card)
    return deck.held > 0 and shown < state.setting.packs[name].cards.count(card)


def _is_order(order: tuple[int, ...], shuffle: Shuffle) -> bool:
    return sorted(order) == list(range(len(shuffle.sources)))


def _replay(deck: Deck, orders: list[tuple[int, ...]]) -> tuple[list[str], str]:
    """The hand after all claims, and the first card named without being in it, if any."""
    at, held = _cards_at_places(deck, orders), list[str]()
    for claim in deck.claims:
        if claim[0] == "#":
            held.append(at[claim])
        elif claim[0] == "!":
            if claim[1:] not in held:
                return held, claim[1:]
            held.remove(claim[1:])
    return held, ""


def _cards_at_places(deck: Deck, orders: list[tuple[int, ...]]) -> dict[str, str]:
    """The card at each place of a deck, through all its shuffles."""
    found: dict[str, str] = {}
    first = 0
    for shuffle, order in zip(deck.shuffles, orders, strict=True):
        for n, number in enumerate(order):
            source = shuffle.sources[number]
            found[f"#{first + n}"] = found.get(source, source)
        first += len(shuffle.sources)
    return found


def ask_for_order(state: State, name: str) -> FreshSeal:
    """The question that pbem answers for an owner: an order of the deck, sealed."""
    owner = state.owner(name)
    assert owner is not None
    reader: Callable[[Orders], object] = partial(read_order, len(sources(state, name)))
    return FreshSeal(state, "T6", owner, "shuffle", reader, "T6")


def ask_to_open(state: State, name: str, number: int) -> Open[State, tuple[int, ...]]:
    """The question that opens a shuffle. The opening is never refused: a player who sealed nonsense loses."""
    owner, shuffle = state.owner(name), state.decks[name].shuffles[number]
    assert owner is not None
    reader = partial(read_opened, len(shuffle.sources))
    return Open(state, "T6", owner, "open", reader, shuffle.seal, "T6")
