"""The exact chance of an attack with the cards that are left (M5.5 to M5.8, M7.2)."""

from __future__ import annotations

from bisect import bisect
from fractions import Fraction

from msgspec.structs import replace

from pbem.games.mortain.rules.combat import highest_hit
from pbem.games.mortain.rules.end_of_turn import joker_ends_turn
from pbem.games.mortain.rules.state import Attack, Faces, State
from pbem.games.mortain.terms import cards


def hit_chance(state: State, attack: Attack) -> Fraction:
    """The chance of a hit; if the player will be asked about face cards (M5.7), that when he draws again."""
    numbers, ends = deck_odds(state, attack.by, attack.faces)
    return Fraction(bisect(numbers, highest_hit(state, attack)), ends)


def deck_odds(state: State, by: str, faces: Faces) -> tuple[list[int], int]:
    """The numbers left in the deck, the lowest first; how many cards can end a side's drawing, at least 1.

    The cards that can end it are equally likely to come first: the numbers, the joker if it ends the turn,
    and face cards that count as a miss. If there is none the attack misses. When a side attacks it has had a
    card of its colour, and has activated (M7.2).
    """
    numbers = sorted(number for number in map(cards.value, state.deck) if number is not None)
    acting = state.activated if by in state.activated else (*state.activated, by)
    colours = (*state.colours, cards.OWN[by])
    attacked = replace(state, activated=acting, colours=colours)
    joker = cards.JOKER in state.deck and joker_ends_turn(attacked)
    misses = sum(map(cards.is_face, state.deck)) if faces == "miss" else 0
    return numbers, max(len(numbers) + joker + misses, 1)
