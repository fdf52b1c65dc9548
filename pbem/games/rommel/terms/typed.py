"""The words of typed orders (R10), in English and in the player's own language."""

from __future__ import annotations

from pbem.messages import Message, Messages

tr = Messages("pbem.games.rommel")

VERBS = ("setup", "place", "fly", "bomb", "dogfight", "land", "stand", "move", "fire", "attack", "aa", "pass")

AT, BOMB, CLEAR, DOGFIGHT, DOWN, ON, TO = RESERVED = ("at", "bomb", "clear", "dogfight", "down", "on", "to")
"""Prepositions and keywords of orders: no unit may have such a name."""

AIMS = ("hold", "bombers", "all")
"""R4.4: what a gun fires at."""

# fmt: off
TYPED = (
    "setup", "place", "fly", "bomb", "dogfight", "land", "stand", "move", "fire", "attack", "aa", "pass",
    "at", "clear", "down", "on", "to",
    "hold", "bombers", "all",
    "historical", "deep", "north", "spread",
)
# fmt: on
"""All words of orders that may be typed, and the names of ready-made set-ups (R2)."""


def order_words(words: str) -> Message:
    """Words of orders in the player's own language; names and hexes stay as they are."""
    return tr.own(words)
