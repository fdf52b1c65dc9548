"""The table as data for pages: what is on it, the orders it offers to clicks, and what comes next."""

from __future__ import annotations

from pbem.core.card_table import Blank, CardDeck, CardRow, CardTable, Item, OrderForm, TrackValue
from pbem.core.phrases import quote
from pbem.core.requests import Orders, Question
from pbem.core.rules import Instruction
from pbem.core.sentences import capitalized
from pbem.games.tabletop.rules.hands import hand_of
from pbem.games.tabletop.rules.orders import ANSWERS, HANDING_OVER, UNKNOWN, foreseen, read_orders
from pbem.games.tabletop.rules.state import Deck, State
from pbem.games.tabletop.terms.scenario import other_seat
from pbem.games.tabletop.view.story import deck_title
from pbem.games.tabletop.view.typed_orders import DIGEST, TIE, prompt, typed_name
from pbem.texts import Texts

tr = Texts("pbem.games.tabletop")

DICE = ("d6", "2d6", "3d6", "d10", "2d10", "d20", "d%")
"""The dice that are always on the table; others can be typed."""


def card_table(state: State, asked: Question | None, orders: Orders) -> CardTable:
    """The table after these orders, with the orders that may follow."""
    was = state.tracks
    acts = asked is not None and asked.question == "act"
    if acts and orders:
        state = foreseen(state, read_orders(state, orders))
    open_to_orders = acts and not (orders and orders[-1].keys() & set(HANDING_OVER))
    mover = state.active if open_to_orders else None
    return CardTable(
        decks=tuple(_deck(state, name, deck, mover) for name, deck in state.decks.items()),
        hands=tuple(_hands(state, mover)),
        tracks=tuple(
            TrackValue(
                name,
                value,
                was[name],
                f"{tr.own('set')} {typed_name(name)} {tr.own('to')}" if open_to_orders else "",
            )
            for name, value in state.tracks.items()
        ),
        dice=tuple(_dice(state)) if open_to_orders else (),
        orders=_further_orders(state) if open_to_orders else _answers(asked, orders),
    )


def instruct(asked: Question, orders: Orders) -> Instruction:
    """What the side with the table does next, in a sentence."""
    state: State = asked.state
    if asked.question != "act":
        return Instruction(prompt(asked))
    if orders and orders[-1].keys() & set(HANDING_OVER):
        return Instruction(tr("You hand over to {side}", side=state.side(other_seat(state.active))))
    if state.asked and not orders:
        return Instruction(
            tr("{side} asks you: {text}", side=state.side(other_seat(state.active)), text=quote(state.asked))
        )
    return Instruction(tr("It is your turn until you hand over"))


# Cards


def _deck(state: State, name: str, deck: Deck, mover: str | None) -> CardDeck:
    owner = state.owner(name)
    ordered = mover if owner in (None, mover) else None
    facts = [tr("{number} in hand", number=deck.held)] if owner else []
    rows = [CardRow(tr("Open"), tuple(_open_card(state, name, card, ordered) for card in deck.out))]
    rows.append(CardRow(tr("Out of the game"), tuple(map(Item, deck.gone))))
    return CardDeck(
        deck_title(state, name),
        len(deck.pile),
        tuple(facts),
        tuple(row for row in rows if row.cards),
        _deck_forms(name, deck) if ordered else (),
    )


def _deck_forms(name: str, deck: Deck) -> tuple[OrderForm, ...]:
    """The orders to draw from a deck, and to shuffle it."""
    number = Blank(tr("Cards"), "number", most=len(deck.pile))
    draw = OrderForm(_verb("draw"), (tr.own("draw"), number, tr.own("from"), name, _purpose()))
    shuffle = OrderForm(_verb("shuffle"), (tr.own("shuffle"), name))
    return (draw, shuffle) if deck.pile else (shuffle,)


def _open_card(state: State, deck: str, card: str, mover: str | None) -> Item:
    """An open card, with the orders to remove it, or to return it to an open deck."""
    if card == UNKNOWN:
        return Item("?")
    verbs = () if mover is None else ("remove",) if state.owner(deck) else ("return", "remove")
    is_elsewhere = any(card in other.out for name, other in state.decks.items() if name != deck)
    return Item(card, tuple(_card_form(verb, card, deck if is_elsewhere else "") for verb in verbs))


def _hands(state: State, mover: str | None) -> list[CardRow]:
    """The hands that the reader knows: their own, and those that have been opened."""
    proof = tr(
        "Both players see at once that you play a card. The end of the game proves that it was in your hand."
    )
    rows = []
    for name, deck in state.decks.items():
        owner = state.owner(name)
        if owner is None or (cards := hand_of(state, name)) is None:
            continue
        verbs = ("play", "discard") if mover == owner else ()
        origin = name if len(state.setting.own_decks(owner)) > 1 else ""
        items = [Item(card, tuple(_card_form(verb, card, origin, proof) for verb in verbs)) for card in cards]
        is_open = all(shuffle.order is not None for shuffle in deck.shuffles)
        rows.append(CardRow(_hand_title(name, len(cards), is_open=is_open), tuple(items)))
    return rows


def _hand_title(deck: str, number: int, *, is_open: bool) -> str:
    if is_open:
        return tr.plural(
            "Hand of {deck}, opened: {number} card",
            "Hand of {deck}, opened: {number} cards",
            number,
            deck=deck,
        )
    return tr.plural(
        "Your hand of {deck}, {number} card", "Your hand of {deck}, {number} cards", number, deck=deck
    )


def _card_form(verb: str, card: str, deck: str, note: str = "") -> OrderForm:
    """An order that names a card, and its deck if more than one has such a card."""
    origin = (tr.own("from"), deck) if deck else ()
    return OrderForm(_verb(verb), (tr.own(verb), quote(card), *origin, _purpose()), note)


# Dice, words, and the end


def _dice(state: State) -> list[Item]:
    """The scenario's dice, the usual ones, and others that are typed."""
    kinds = [
        Item(dice, (OrderForm(_verb("roll"), (tr.own("roll"), dice, _purposes())),))
        for dice in (*state.setting.dice, *DICE)
    ]
    return [*kinds, Item(tr("Other dice"), (_other_dice(),))]


def _other_dice() -> OrderForm:
    """The form for other dice, to be typed."""
    dice = Blank(tr("Dice, such as 4d6+1"), "word", needed=True)
    return OrderForm(_verb("roll"), (tr.own("roll"), dice, _purposes()))


def _purposes() -> Blank:
    return Blank(tr("What it is for, one roll per line"), "texts")


def _further_orders(state: State) -> tuple[OrderForm, ...]:
    """The orders tied to nothing on the table: the end of the turn, notes, a question, a result."""
    other = state.side(other_seat(state.active))
    file = Blank(tr("A file to name by its digest"), "file", before=DIGEST)
    sides = (*((quote(side), side) for side in state.setting.sides), (tr.own(TIE), capitalized(tr.own(TIE))))
    return (
        OrderForm(tr("{end}: hand over to {side}", end=_verb("end"), side=other), (tr.own("end"),)),
        OrderForm(_verb("ask"), (tr.own("ask"), Blank(capitalized(tr("a question")), needed=True))),
        OrderForm(_verb("note"), (tr.own("note"), Blank(capitalized(tr("a text")), needed=True), file)),
        OrderForm(
            _verb("result"),
            (tr.own("result"), Blank(tr("Who has won?"), "choice", choices=sides, needed=True), _purpose()),
            tr("It counts once the other side agrees and all hands have been opened."),
        ),
    )


def _answers(asked: Question | None, orders: Orders) -> tuple[OrderForm, ...]:
    """The orders to agree to a result, or to decline it."""
    if asked is None or asked.question != "answer" or orders:
        return ()
    return tuple(OrderForm(_verb(verb), (tr.own(verb),)) for verb in ANSWERS)


def _purpose() -> Blank:
    return Blank(capitalized(tr("what it is for")), before=tr.own("for"))


def _verb(verb: str) -> str:
    """A typed word as a button's label."""
    return capitalized(tr.own(verb))
