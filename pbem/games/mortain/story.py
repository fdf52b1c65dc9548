"""What has happened, in English: one line for each event of the table in `sequence`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from pbem.core.requests import Plain, Tell
from pbem.games.mortain.setting import GERMAN
from pbem.games.mortain.words import SIDES

Facts: TypeAlias = Mapping[str, Plain]

SIMPLE = {
    "turn_begins": "Turn {turn} of {turns}: all 53 cards are shuffled",
    "moves": "{unit} moves from {from} to {to}",
    "enters": "{unit} enters at {at}",
    "exits": "{unit} leaves the map from {from}: exit {exits} of {needed}",
    "suppresses": "Air suppresses the Germans in {at} and around it for the rest of the turn",
    "hit": "{unit} in {at} is hit and reduced",
    "eliminated": "{unit} in {at} is hit again and eliminated",
    "joker_aside": "The joker comes too early and is set aside: the turn goes on until the deck is empty",
    "joker_ends": "The joker ends the turn",
    "deck_out": "The deck is empty, and the turn ends",
    "turn_ends": "Turn {turn} of {turns} is over: {exits} of {needed} exits",
}
"""Events whose line only needs the facts filled in."""


def line(tell: Tell) -> str:
    """Tell one event in one line, without a full stop."""
    if tell.event in SIMPLE:
        return SIMPLE[tell.event].format_map(tell.facts)
    return TOLD[tell.event](tell.facts)


def _placed(facts: Facts) -> str:
    return f"The US sets up: {', '.join(f'{name} in {at}' for name, at in facts['units'].items())}"


def _card(facts: Facts) -> str:
    side = f"{facts['card']}: the {SIDES[facts['seat']]} side"
    if not facts["asked"]:
        return f"{side} can only pass"
    match facts["allowance"]:
        case None:
            return f"{side} may activate one unit, or units of one hex"
        case 0:
            only = "activate a free Tiger 102" if facts["seat"] == GERMAN else "use support"
            return f"{side} may only {only}"
        case 1:
            return f"{side} may activate one unit"
        case number:
            return f"{side} may activate up to {number} units"


def _passes(facts: Facts) -> str:
    return f"The {SIDES[facts['seat']]} side passes"


def _attack(facts: Facts) -> str:
    target = f"{_together(facts['targets'])} in {facts['at']}"
    if facts["way"] == "fire":
        verb = "fires" if len(facts["firers"]) == 1 else "fire"
        attack = f"{_together(facts['firers'])} {verb} at {target}: {facts['strength']} {facts['factor']}"
    else:
        attacker = {"artillery": "Artillery", "air": "Air"}[facts["way"]]
        attack = f"{attacker} attacks {target}: strength {facts['strength']}"
    return ", ".join([attack, *(f"{word} {number:+}" for word, number in facts["why"])])


def _attack_card(facts: Facts) -> str:
    if facts["result"] is None:
        return f"Card {facts['card']}: no number"
    return f"Card {facts['card']} makes {facts['result']}, against {facts['strength']}"


def _face(facts: Facts) -> str:
    return {"redraw": "Another card is drawn", "miss": "It is taken as a miss"}[facts["choice"]]


def _misses(facts: Facts) -> str:
    safe = f"{_together(facts['targets'])} {'is' if len(facts['targets']) == 1 else 'are'} not hit"
    if facts["reason"] == "joker":
        return f"The joker spoils the attack: {safe}"
    if facts["reason"] == "deck":
        return f"No card is left for the attack: {safe}"
    return safe


def _victory(facts: Facts) -> str:
    return f"The {SIDES[facts['winner']]} side wins: {facts['reason']}"


def _together(names: Sequence[str]) -> str:
    """Join names: `DF, D and 37SS`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


TOLD: dict[str, Callable[[Facts], str]] = {
    "placed": _placed,
    "card": _card,
    "passes": _passes,
    "attack": _attack,
    "attack_card": _attack_card,
    "face": _face,
    "misses": _misses,
    "victory": _victory,
}
"""Events whose line has to look at its facts."""
