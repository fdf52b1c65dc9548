"""The bombs, dogfights, shots and combats that may be ordered, with their chances (R4.4, R4.5, R6, R7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from pbem.core.requests import Orders, accepts
from pbem.core.rules import Odds
from pbem.core.sentences import joined
from pbem.games.rommel.rules import combat, fire
from pbem.games.rommel.rules.air import bombing, flights
from pbem.games.rommel.rules.chances import hit_chance, survival_chance, win_chance
from pbem.games.rommel.rules.orders import Question
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import other_side
from pbem.games.rommel.view import words
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")


def attack_odds(ask: Question) -> list[Odds]:
    """The bombs, dogfights, shots and combats that may be ordered, each with its exact chance."""
    state = ask.state
    found = (each for some in ATTACK_FINDERS.get(ask.question, ()) for each in some(state))
    return [each for each in found if accepts(ask.read, each.orders)]


def _bomb_odds(state: State) -> Iterator[Odds]:
    """Each bomber on each enemy land unit in reach, where it is or by the best flight."""
    for name in state.air_force(state.active):
        if state.kind(name) == "bomber":
            for at, flight, guns in _flight_options(state, name):
                target = state.ground.get(at)
                if target is not None and state.side(target) != state.active:
                    faces = bombing.bombing_faces(state, target)
                    chance = survival_chance(guns) * hit_chance(faces)
                    why = tr("{throw} on {target}", throw=describe_throw(faces), target=target)
                    yield _make_odds([*flight, {"bomb": name}], chance, _add_guns(guns, why))


def _dogfight_odds(state: State) -> Iterator[Odds]:
    """Each aircraft on each enemy aircraft in reach, from the hex with the fewest guns."""
    grid = state.setting.grid
    for name in state.air_force(state.active):
        ways = list(_flight_options(state, name))
        for target in state.air_force(other_side(state.active)):
            near = grid.adjacent(state.at(target))
            beside = [way for way in ways if way[0] in near]
            if beside:
                _, flight, guns = min(beside, key=lambda way: way[2])
                attack, defence = state.combat(name), state.combat(target)
                orders = [*flight, {"dogfight": [name], "on": [target]}]
                why = _add_guns(guns, describe_factors(attack, defence))
                yield _make_odds(orders, survival_chance(guns) * win_chance(attack, defence), why)


def _flight_options(state: State, name: str) -> Iterator[tuple[str, Orders, int]]:
    """The hexes where an aircraft may be, with the order for the flight, and the number of guns."""
    at = state.at(name)
    yield at, [], len(flights.guns_on_path(state, name, (at,)))
    for to, path in flights.reach(state, name).items():
        if to != at:
            yield to, [{"fly": name, "path": list(path)}], len(flights.guns_on_path(state, name, path))


def _shot_odds(state: State) -> Iterator[Odds]:
    """Each unit on each enemy land unit that it can hit."""
    for name in state.army(state.active):
        for target in state.army(other_side(state.active)):
            faces = fire.hitting_faces(state, name, target)
            if faces:
                yield _make_odds([{"fire": name, "at": target}], hit_chance(faces), describe_throw(faces))


def _combat_odds(state: State) -> Iterator[Odds]:
    """Each unit on each adjacent enemy, and all together, with the attacks that others must make (R5.5)."""
    grid = state.setting.grid
    for target in state.army(other_side(state.active)):
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
                for name, owed in combat.attacks_due(state).items()
                if name not in units
            )
            yield _make_odds(orders, win_chance(attack, defence), describe_factors(attack, defence))


def _make_odds(orders: Orders, chance: Fraction, why: str) -> Odds:
    return Odds(orders, "; ".join(words.write(orders)), chance, why)


def describe_factors(attack: int, defence: int) -> str:
    """R6.2: the factors of both sides."""
    return tr("{attack} against {defence}", attack=attack, defence=defence)


def describe_throw(faces: tuple[int, ...]) -> str:
    """The faces with which a throw hits."""
    return tr("a throw of {faces}", faces=joined(faces, "or"))


def _add_guns(guns: int, sum_: str) -> str:
    """R4.4: the sum of an attack by aircraft, with the number of guns that fire first."""
    return (
        tr.plural("{sum}, under {number} gun", "{sum}, under {number} guns", guns, sum=sum_) if guns else sum_
    )


ATTACK_FINDERS: Mapping[str, tuple[Callable[[State], Iterator[Odds]], ...]] = {
    Phase.AIR: (_bomb_odds, _dogfight_odds),
    Phase.FIRE: (_shot_odds,),
    Phase.COMBAT: (_combat_odds,),
}
"""By question: the attacks that it allows."""
