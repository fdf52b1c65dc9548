"""What has happened, in English: one line for each event of the table in `sequence`, with its rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from pbem.core.requests import Plain, Tell
from pbem.games.rommel import odds
from pbem.games.rommel.facts import SIDES, chance, counted, date, joined, listed
from pbem.games.rommel.state import AIR, COMBAT, FIRE, MOVE

Facts: TypeAlias = Mapping[str, Plain]

SIMPLE = {
    "no_bombs": "{unit} finds nothing to bomb in {at} any more",
    "struck": "{unit} in {at} is struck",
    "eliminated": "{unit} in {at} is eliminated",
    "lands": "{unit} flies from {from} to land on {to}",
    "no_airfield": "{unit} in {at} finds no airfield to land on",
    "lost_shot": "{unit} does not fire: {on} is gone",
}
"""Events whose line only needs the facts filled in."""

AIMS = {"hold": "hold their fire", "bombers": "fire at bombers alone", "all": "fire at all aircraft"}
PARTS = {AIR: "this air sub-turn", MOVE: "its movement", FIRE: "its fire", COMBAT: "its combats"}


def line(tell: Tell) -> str:
    """Tell one event in one line, without a full stop, the rule in brackets."""
    simple = tell.event in SIMPLE
    told = SIMPLE[tell.event].format_map(tell.facts) if simple else TOLD[tell.event](tell.facts)
    return f"{told} ({tell.rule})"


def _placed(facts: Facts) -> str:
    """How many; which and where, the orders say one line above."""
    return f"The {SIDES[facts['seat']]} side sets up {counted(len(facts['places']), 'counter')}"


def _sealed(facts: Facts) -> str:
    return f"The {SIDES[facts['seat']]} side seals its placement: {facts['seal']}"


def _standing(facts: Facts) -> str:
    guns = facts["units"]
    return f"The {SIDES[facts['seat']]} guns {AIMS[facts['fire']]}: {listed(guns) or 'there are none'}"


def _weather(facts: Facts) -> str:
    day = date(facts["turn"])
    turn = f"Turn {facts['turn']} of {facts['turns']}" + (f", {day}" if day else "")
    return f"{turn}: a throw of {facts['face']}, {facts['weather']}"


def _passes(facts: Facts) -> str:
    return f"The {SIDES[facts['seat']]} side passes {PARTS[facts['question']]}"


def _stands_down(facts: Facts) -> str:
    return f"The {SIDES[facts['seat']]} aircraft stand down for the rest of the air phase"


def _flies(facts: Facts) -> str:
    return _way("flies", facts)


def _moves(facts: Facts) -> str:
    return _way("moves", facts)


def _way(verb: str, facts: Facts) -> str:
    """A path with all its hexes, so that a player learns which one was chosen for him."""
    *via, to = facts["path"]
    over = f" over {listed(via)}" if via else ""
    return f"{facts['unit']} {verb} from {facts['from']}{over} to {to}"


def _flak(facts: Facts) -> str:
    return f"{facts['gun']} fires at {facts['at']} in {facts['hex']}: {_throw(facts)}"


def _bombs(facts: Facts) -> str:
    return f"{facts['unit']} bombs {facts['on']} in {facts['at']}: {_throw(facts)}"


def _shoots(facts: Facts) -> str:
    return f"{facts['unit']} fires at {facts['on']}: {_throw(facts)}"


def _throw(facts: Facts) -> str:
    return f"a throw of {facts['face']} {'hits' if facts['hit'] else 'misses'}"


def _aims(facts: Facts) -> str:
    faces = tuple(facts["hits"])
    return (
        f"{facts['unit']} aims at {facts['on']}, range {facts['range']}: "
        f"hits with {joined(faces, 'or')}, {chance(odds.hits(faces))}"
    )


def _declares(facts: Facts) -> str:
    doubled = f", {joined(facts['forts'])} doubled by fortification" if facts["forts"] else ""
    return (
        f"{_attack(facts)}: {_strengths(facts)}{doubled}, "
        f"wins with {chance(odds.wins(facts['attack'], facts['defence']))}"
    )


def _fights(facts: Facts) -> str:
    verb = "fights" if len(facts["units"]) == 1 else "fight"
    return f"{joined(facts['units'])} {verb} {joined(facts['on'])}: {_strengths(facts)}"


def _void(facts: Facts) -> str:
    return f"{_attack(facts)} no more: one side of the combat is gone"


def _attack(facts: Facts) -> str:
    verb = "attacks" if len(facts["units"]) == 1 else "attack"
    return f"{joined(facts['units'])} {verb} {joined(facts['on'])}"


def _strengths(facts: Facts) -> str:
    return f"{facts['attack']} against {facts['defence']}"


def _dice(facts: Facts) -> str:
    """Both throws with the products, and who has won."""
    attack, defence = facts["attack"], facts["defence"]
    if attack == defence:
        result = "equal, and both throw again"
    else:
        result = "the attacker wins" if attack > defence else "the defender wins"
    thrown = f"The attacker throws {facts['attack_face']}, the defender {facts['defence_face']}"
    return f"{thrown}: {attack} against {defence}, {result}"


def _clears(facts: Facts) -> str:
    return f"{facts['unit']} clears the mines of {joined(facts['hexes'])}"


def _obliged(facts: Facts) -> str:
    return f"{facts['unit']} must attack {joined(facts['on'], 'or')} in this turn"


def _turn_ends(facts: Facts) -> str:
    return (
        f"Turn {facts['turn']} of {facts['turns']} is over: "
        f"Allied victory points: {_those(facts['held'])}; Allied villages lost: {_those(facts['lost'])}"
    )


def _those(hexes: Sequence[str]) -> str:
    return f"{len(hexes)} ({listed(hexes)})" if hexes else "none"


def _victory(facts: Facts) -> str:
    if facts["winner"] is None:
        return f"The game is a draw: {facts['reason']}"
    return f"The {SIDES[facts['winner']]} side wins: {facts['reason']}"


TOLD: dict[str, Callable[[Facts], str]] = {
    "placed": _placed,
    "sealed": _sealed,
    "standing": _standing,
    "weather": _weather,
    "passes": _passes,
    "stands_down": _stands_down,
    "flies": _flies,
    "flak": _flak,
    "bombs": _bombs,
    "declares": _declares,
    "void": _void,
    "fights": _fights,
    "dice": _dice,
    "moves": _moves,
    "clears": _clears,
    "obliged": _obliged,
    "aims": _aims,
    "shoots": _shoots,
    "turn_ends": _turn_ends,
    "victory": _victory,
}
"""Events whose line has to look at its facts."""
