"""The deck: names, colours, values (M3.1 to M3.3), and what the joker does (M7.1, M7.2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from pbem.core.requests import Tell
from pbem.games.mortain import events
from pbem.games.mortain.setting import GERMAN, SEATS, US
from pbem.games.mortain.state import END_OF_TURN, State

Colour: TypeAlias = Literal["black", "red"]
BLACK: Final = "black"
RED: Final = "red"

COLOURS: Mapping[str, Colour] = {"C": BLACK, "D": RED, "H": RED, "S": BLACK}
"""The suits in their fixed order (M3.1): clubs, diamonds, hearts, spades."""

PLAYERS = {"C": GERMAN, "D": US, "H": US, "S": GERMAN}
"""M3.2: whose cards are those of a suit."""

NUMBERS = {"A": 1} | {str(value): value for value in range(2, 11)}
FACES = ("J", "Q", "K")
JOKER = "Joker"

DECK = (*(f"{rank}{suit}" for suit in COLOURS for rank in (*NUMBERS, *FACES)), JOKER)
"""All 53 cards in their fixed order (M3.1)."""


def colour(card: str) -> Colour:
    """`black` or `red`; not for the joker."""
    return COLOURS[card[-1]]


def seat(card: str) -> str:
    """M3.2: who may act on an activation card; not for the joker."""
    return PLAYERS[card[-1]]


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


def take(state: State, card: str) -> State:
    """A card has been drawn: it leaves the deck."""
    deck = state.deck
    place = deck.index(card)
    return replace(state, deck=deck[:place] + deck[place + 1 :])


def joker_ends_turn(state: State) -> bool:
    """M7.1, M7.2: whether a joker drawn now would end the turn; otherwise it is set aside."""
    match state.setting.options.early_joker:
        case "until_both_activated":
            return len(state.activated) == len(SEATS)
        case "until_both_could":
            return {BLACK, RED} <= set(state.colours)
        case _:
            return True


async def play_joker(state: State, during: events.During) -> State:
    """M7.1, M7.2: the joker ends the turn, or is set aside."""
    if joker_ends_turn(state):
        await Tell(state, "M7.1", events.JokerEnds(during))
        return replace(state, step=END_OF_TURN)
    state = replace(state, aside=(JOKER,))
    await Tell(state, "M7.2", events.JokerAside(during))
    return state
