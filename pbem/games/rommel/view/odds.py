"""The bombs, dogfights, shots and combats that may be ordered, with their chances (R4.4, R4.5, R6, R7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from pbem.core.requests import Orders, accepts
from pbem.core.rules import Odds
from pbem.core.sentences import joined
from pbem.games.rommel.rules import combat, fire
from pbem.games.rommel.rules.air import bombing, flights
from pbem.games.rommel.rules.chances import hits, survives, wins
from pbem.games.rommel.rules.orders import Question
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import other
from pbem.games.rommel.view import words
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")


def odds(ask: Question) -> list[Odds]:
    """The bombs, dogfights, shots and combats that may be ordered, each with its exact chance."""
    state = ask.state
    found = (each for some in ATTACKS.get(ask.question, ()) for each in some(state))
    return [each for each in found if accepts(ask.read, each.orders)]


def _bombs(state: State) -> Iterator[Odds]:
    """Each bomber on each enemy land unit in reach, where it is or by the best flight."""
    for name in state.air_force(state.active):
        if state.kind(name) == "bomber":
            for at, flight, guns in _ways(state, name):
                target = state.ground.get(at)
                if target is not None and state.side(target) != state.active:
                    faces = bombing.hits(state, target)
                    chance = survives(guns) * hits(faces)
                    why = tr("{throw} on {target}", throw=throw(faces), target=target)
                    yield _odds([*flight, {"bomb": name}], chance, _under(guns, why))


def _dogfights(state: State) -> Iterator[Odds]:
    """Each aircraft on each enemy aircraft in reach, from the hex with the fewest guns."""
    grid = state.setting.grid
    for name in state.air_force(state.active):
        ways = list(_ways(state, name))
        for target in state.air_force(other(state.active)):
            near = grid.adjacent(state.at(target))
            beside = [way for way in ways if way[0] in near]
            if beside:
                _, flight, guns = min(beside, key=lambda way: way[2])
                attack, defence = state.combat(name), state.combat(target)
                orders = [*flight, {"dogfight": [name], "on": [target]}]
                why = _under(guns, against(attack, defence))
                yield _odds(orders, survives(guns) * wins(attack, defence), why)


def _ways(state: State, name: str) -> Iterator[tuple[str, Orders, int]]:
    """The hexes where an aircraft may be, with the order for the flight, and the number of guns."""
    at = state.at(name)
    yield at, [], len(flights.guns(state, name, (at,)))
    for to, path in flights.reach(state, name).items():
        if to != at:
            yield to, [{"fly": name, "path": list(path)}], len(flights.guns(state, name, path))


def _shots(state: State) -> Iterator[Odds]:
    """Each unit on each enemy land unit that it can hit."""
    for name in state.army(state.active):
        for target in state.army(other(state.active)):
            faces = fire.hits(state, name, target)
            if faces:
                yield _odds([{"fire": name, "at": target}], hits(faces), throw(faces))


def _combats(state: State) -> Iterator[Odds]:
    """Each unit on each adjacent enemy, and all together, with the attacks that others must make (R5.5)."""
    grid = state.setting.grid
    for target in state.army(other(state.active)):
        near = [
            state.ground[at]
            for at in grid.adjacent(state.at(target))
            if at in state.ground and state.side(state.ground[at]) == state.active
        ]
        able = [name for name in near if combat.may_attack(state, name)]
        groups = [[name] for name in able] + ([able] if len(able) > 1 else [])
        for units in groups:
            attack, defence = combat.strength(state, units, False), combat.strength(state, [target], True)
            orders = [{"attack": units, "on": [target]}]
            orders.extend(
                {"attack": [name], "on": [owed[0]]}
                for name, owed in combat.due(state).items()
                if name not in units
            )
            yield _odds(orders, wins(attack, defence), against(attack, defence))


def _odds(orders: Orders, chance: Fraction, why: str) -> Odds:
    return Odds(orders, "; ".join(words.write(orders)), chance, why)


def against(attack: int, defence: int) -> str:
    """R6.2: the factors of both sides."""
    return tr("{attack} against {defence}", attack=attack, defence=defence)


def throw(faces: tuple[int, ...]) -> str:
    """The faces with which a throw hits."""
    return tr("a throw of {faces}", faces=joined(faces, "or"))


def _under(guns: int, sum_: str) -> str:
    """R4.4: the sum of an attack by aircraft, with the number of guns that fire first."""
    return (
        tr.plural("{sum}, under {number} gun", "{sum}, under {number} guns", guns, sum=sum_) if guns else sum_
    )


ATTACKS: Mapping[str, tuple[Callable[[State], Iterator[Odds]], ...]] = {
    Phase.AIR: (_bombs, _dogfights),
    Phase.FIRE: (_shots,),
    Phase.COMBAT: (_combats,),
}
"""By question: the attacks that it allows."""
