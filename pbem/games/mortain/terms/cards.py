"""The deck: names, colours, values, and how many units a card activates (M3.1 to M3.4)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, TypeAlias

from pbem.games.mortain.terms.setting import GERMAN, US
from pbem.messages import Message, Messages, Said

tr = Messages("pbem.games.mortain")

Colour: TypeAlias = Literal["black", "red"]
BLACK: Final = "black"
RED: Final = "red"

COLOURS: Mapping[str, Colour] = {"C": BLACK, "D": RED, "H": RED, "S": BLACK}
"""The suits in their fixed order (M3.1): clubs, diamonds, hearts, spades."""

OWNERS = {"C": GERMAN, "D": US, "H": US, "S": GERMAN}
"""M3.2: the seat that a suit belongs to."""

OWN: Mapping[str, Colour] = {OWNERS[suit]: of for suit, of in COLOURS.items()}
"""M3.2: the colour of a seat's cards."""

NUMBERS = {"A": 1} | {str(value): value for value in range(2, 11)}
FACES = ("J", "Q", "K")
JOKER = "Joker"

DECK = (*(f"{rank}{suit}" for suit in COLOURS for rank in (*NUMBERS, *FACES)), JOKER)
"""All 53 cards in their fixed order (M3.1)."""


def colour(card: str) -> Colour:
    """The card's colour; the joker has none."""
    return COLOURS[card[-1]]


def owner(card: str) -> str:
    """M3.2: the seat that may act on an activation card. The joker has none."""
    return OWNERS[card[-1]]


def value(card: str) -> int | None:
    """M3.3: the value of a number card; None for a face card and the joker."""
    return NUMBERS.get(card[:-1])


def is_face(card: str) -> bool:
    """M3.4: whether a card is a jack, queen or king."""
    return card[:-1] in FACES


@cache
def allowance(card: str, rounding: str) -> int | None:
    """M3.3: how many units a number card activates; None for a face card (M3.4)."""
    number = value(card)
    if number is None:
        return None
    if rounding == "up":
        return (number + 1) // 2
    return max(number // 2, 1 if rounding == "down_at_least_one" else 0)


def card_name(card: str) -> Message:
    """The name of a card: `queen of clubs`. The code `QC` could be read as hearts in Spanish and Italian."""
    if card == JOKER:
        return tr("joker")
    return name_of_suit(rank_name(card[:-1]), card[-1])


def name_of_suit(ranks: object, letter: str) -> Message:
    """A rank, or a list of ranks, with the name of a suit (M3.1)."""
    return tr("{rank} of {suit}", rank=ranks, suit=suit_name(letter))


def suit_name(letter: str) -> Message:
    """The name of a suit, by its letter (M3.1)."""
    match letter:
        case "C":
            return tr("clubs")
        case "D":
            return tr("diamonds")
        case "H":
            return tr("hearts")
    return tr("spades")


def rank_name(code: str) -> Said:
    """The name of a rank, by its code."""
    match code:
        case "A":
            return tr("ace")
        case "J":
            return tr("jack")
        case "Q":
            return tr("queen")
        case "K":
            return tr("king")
    return code
