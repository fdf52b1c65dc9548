"""The exact chances of combats, shots and guns (R4.4, R4.5, R6, R7)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from pbem.games.rommel.terms.setting import FACES, FLAK_HITS


@cache
def win_chance(attack: int, defence: int) -> Fraction:
    """R6.2, R6.3: the chance that the attacker wins with these factors; equal products are thrown again."""
    throws = [(ours * attack, theirs * defence) for ours in FACES for theirs in FACES]
    won = sum(ours > theirs for ours, theirs in throws)
    return Fraction(won, sum(ours != theirs for ours, theirs in throws))


@cache
def hit_chance(faces: tuple[int, ...]) -> Fraction:
    """The chance that the die shows one of these faces (R1.2)."""
    return Fraction(sum(face in faces for face in FACES), len(FACES))


@cache
def survival_chance(guns: int) -> Fraction:
    """R4.4: the chance that an aircraft survives the fire of so many guns."""
    return (1 - hit_chance((FLAK_HITS,))) ** guns
