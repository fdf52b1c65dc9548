"""The table of a game without a map, as data for a page: decks, hands, tracks, dice, and orders to click.

A game's view fills a `CardTable`; the pages draw it and know no game. The player clicks on something there
and fills in the blanks; the page puts their content between the words, and the game reads the result as if it
had been typed. All words are in the player's language.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

BlankKind: TypeAlias = Literal["text", "texts", "word", "number", "choice", "file"]
"""A text; several texts, one per line; a word; a number; one of several words; a file, as its SHA-256."""


class Blank(Struct, frozen=True):
    """A part of an order for the player to fill in, under a label.

    Texts are put in quotation marks. `before` holds words that precede the content and are left out with an
    empty blank; a `needed` blank cannot stay empty. A number is from 1 to `most`; `choices` are words as
    typed, each with its label.
    """

    label: str
    kind: BlankKind = "text"
    before: str = ""
    needed: bool = False
    most: int = 0
    choices: tuple[tuple[str, str], ...] = ()


class OrderForm(Struct, frozen=True):
    """An order given with a click: the label of its button, and its words as typed, with blanks among them.

    `note` is what the player should know about it.
    """

    label: str
    parts: tuple[str | Blank, ...]
    note: str = ""


class Item(Struct, frozen=True):
    """Something on the table, such as a card, with the orders it offers."""

    name: str
    forms: tuple[OrderForm, ...] = ()


class CardRow(Struct, frozen=True):
    """A row of cards under a title."""

    title: str
    cards: tuple[Item, ...]


class CardDeck(Struct, frozen=True):
    """A deck: the number of cards face down, further facts, and its rows of open cards."""

    title: str
    pile: int
    facts: tuple[str, ...]
    rows: tuple[CardRow, ...]
    forms: tuple[OrderForm, ...] = ()


class TrackValue(Struct, frozen=True):
    """A track with its value, and its value before the orders so far.

    `words` precede the new value in the order that sets it; empty if it cannot be set now.
    """

    name: str
    value: int
    was: int
    words: str = ""


class CardTable(Struct, frozen=True):
    """Everything on the table. `hands` are those the reader may see: their own, and open ones.

    `dice` are the kinds of dice that may be rolled, `orders` those tied to nothing on the table. There are no
    forms for a reader who has no decision to make.
    """

    decks: tuple[CardDeck, ...]
    hands: tuple[CardRow, ...]
    tracks: tuple[TrackValue, ...]
    dice: tuple[Item, ...] = ()
    orders: tuple[OrderForm, ...] = ()
