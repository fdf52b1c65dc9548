"""The table of a game without a map, as data for a page: decks, hands, tracks, dice, and orders by clicks.

A game's view fills a `CardTable`; the pages draw it and know no game. An order is given by a click on
something that lies there: the page puts what its giver fills in between the words, and the game reads it as
if it had been typed. All words are in the player's language.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

BlankKind: TypeAlias = Literal["text", "texts", "word", "number", "choice", "file"]
"""A text; several, one a line; a word; a number; one of several words; a file, by its SHA-256."""


class Blank(Struct, frozen=True):
    """A part of an order that its giver fills in, under a label.

    Texts go into quotation marks. `before` are words that precede what is filled in, and that are left out
    with an empty blank; one that is `needed` cannot stay empty. A number is from 1 to `most`; `choices` are
    words as typed, each with its label.
    """

    label: str
    kind: BlankKind = "text"
    before: str = ""
    needed: bool = False
    most: int = 0
    choices: tuple[tuple[str, str], ...] = ()


class OrderForm(Struct, frozen=True):
    """An order that a click gives: the words on its button, and its own as typed, with blanks among them.

    `note` says what its giver should know of it.
    """

    label: str
    parts: tuple[str | Blank, ...]
    note: str = ""


class Item(Struct, frozen=True):
    """Something that lies on the table, such as a card, with the orders that may be given by it."""

    name: str
    forms: tuple[OrderForm, ...] = ()


class CardRow(Struct, frozen=True):
    """Cards beside one another, under a title."""

    title: str
    cards: tuple[Item, ...]


class CardDeck(Struct, frozen=True):
    """A deck: how many cards lie face down, what else is to be said of it, and its rows of open cards."""

    title: str
    pile: int
    facts: tuple[str, ...]
    rows: tuple[CardRow, ...]
    forms: tuple[OrderForm, ...] = ()


class TrackValue(Struct, frozen=True):
    """A track with its value, and the value before the orders so far.

    `words` precede a new value in the order that sets it; empty where it cannot be set now.
    """

    name: str
    value: int
    was: int
    words: str = ""


class CardTable(Struct, frozen=True):
    """All that lies on the table. `hands` are those that the reader may see: his own, and open ones.

    `dice` are the kinds of dice that may be thrown, `orders` those that belong to nothing on the table. All
    forms are empty for whoever is not asked.
    """

    decks: tuple[CardDeck, ...]
    hands: tuple[CardRow, ...]
    tracks: tuple[TrackValue, ...]
    dice: tuple[Item, ...] = ()
    orders: tuple[OrderForm, ...] = ()
