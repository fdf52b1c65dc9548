"""The words of typed orders (R10), in English and in the player's own language."""

from __future__ import annotations

from pbem.messages import Message, Messages

tr = Messages("pbem.games.rommel")

VERBS = ("setup", "place", "fly", "bomb", "dogfight", "land", "stand", "move", "fire", "attack", "aa", "pass")

AT, BOMB, CLEAR, DOGFIGHT, DOWN, ON, TO = RESERVED = ("at", "bomb", "clear", "dogfight", "down", "on", "to")
"""The small words of the orders: no unit may have such a name."""

AIMS = ("hold", "bombers", "all")
"""R4.4: at what a gun fires."""

# fmt: off
TYPED = (
    "setup", "place", "fly", "bomb", "dogfight", "land", "stand", "move", "fire", "attack", "aa", "pass",
    "at", "clear", "down", "on", "to",
    "hold", "bombers", "all",
    "historical", "deep", "north", "spread",
)
# fmt: on
"""The words that may be typed, all of these, and the names of ready-made set-ups (R2)."""


def typed(words: str) -> Message:
    """Words of orders as the player would type them; names and hexes stay as they are."""
    return tr.own(words)
