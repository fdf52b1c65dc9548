"""R10: the answers that the program makes up are just those that the judge of each question accepts.

Every order of a small space is tried: each unit at each neighbour, each firer at each target, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.core.requests import Ask, Orders, Plain, accepts
from pbem.games.rommel import RULES
from pbem.games.rommel.rules import air, combat, fire, flights, movement
from pbem.games.rommel.rules.sequence import ANSWERS, can_act
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import ALLIED, SEATS, other_side
from pbem.games.rommel.view.suggestions import additional_orders
from support.playout import play, set_up
from support.rommel_contract import OPTIONS, scatter
from support.rommel_positions import position, question_of

READ: dict[str, Callable[[State, Plain], Any]] = {
    Phase.AIR: air.read,
    Phase.MOVE: movement.read,
    Phase.FIRE: fire.read,
    Phase.COMBAT: combat.read,
}
SEEDS = range(12)
FAR = 3
"""How many steps of all paths are tried, for a few units."""


@cache
def positions(seed: int) -> tuple[State, ...]:
    """A position at each question, whether it would be asked or not, and some out of a game from there on."""
    chooser = Random(seed)
    options = {option: chooser.choice(values) for option, values in OPTIONS.items()}
    start = scatter(RULES.begin(options, RULES.scenarios.data("alamein")), chooser)
    weathers = {
        step: chooser.choice(("clear", "dust", "storm")) for step in (Phase.MOVE, Phase.FIRE, Phase.COMBAT)
    }
    found = [
        replace(start, step=step, active=chooser.choice(SEATS), weather=weather)
        for step, weather in weathers.items()
    ]
    subturn = chooser.randint(1, start.setting.options.air_subturns)
    weather = chooser.choice(("clear", "dust"))
    found.append(
        replace(start, step=Phase.AIR, active=chooser.choice(SEATS), weather=weather, subturn=subturn)
    )
    asked = [move.ask.state for move in play(set_up("rommel", chooser), chooser)]
    return (*found, *(state for state in asked[:40:5] if state.step in READ))


def legal(state: State, tried: Iterator[Orders]) -> list[Orders]:
    """Those of the answers tried that the judge accepts."""
    return [orders for orders in tried if accepts(partial(READ[state.step], state), orders)]


def single_flights(state: State) -> Iterator[Orders]:
    """Each aircraft in each hex beside it, or where it is, with each bomb or dogfight; each landing."""
    grid, enemies = state.setting.grid, state.air_force(other_side(state.active))
    for name in state.air_force(state.active):
        attacks: list[Orders] = [[], [{"bomb": name}]]
        attacks += ([{"dogfight": [name], "on": [enemy]}] for enemy in enemies)
        flown: list[Orders] = [[]]
        flown += ([{"fly": name, "path": [at]}] for at in grid.adjacent(state.at(name)))
        yield from ([*flight, *attack] for flight, attack in product(flown, attacks) if flight or attack)
        airfields = [at for side in SEATS for at in state.setting.airfields[side]]
        yield from ([{"land": {name: at}}] for at in airfields)


def single_moves(state: State) -> Iterator[Orders]:
    """Each land unit to each hex beside it."""
    for name in state.army(state.active):
        adjacent = state.setting.grid.adjacent(state.at(name))
        yield from ([{"move": name, "path": [at]}] for at in adjacent)


def single_shots(state: State) -> Iterator[Orders]:
    """Each land unit at each enemy."""
    for name in state.army(state.active):
        targets = (*state.army(other_side(state.active)), *state.air_force(other_side(state.active)))
        yield from ([{"fire": name, "at": target}] for target in targets)


def single_attacks(state: State) -> Iterator[Orders]:
    """Each land unit on each enemy, with the others that must attack (R5.5) on each of theirs."""
    due = combat.attacks_due(state)
    for name, enemy in product(state.army(state.active), state.army(other_side(state.active))):
        owing = [one for one in due if one != name]
        for targets in product(*(due[one][:2] for one in owing[:6]), *(due[one][:1] for one in owing[6:])):
            joined = {enemy: [name]}
            for one, target in zip(owing, targets, strict=True):
                joined.setdefault(target, []).append(one)
            yield [{"attack": units, "on": [target]} for target, units in joined.items()]


SINGLE = {
    Phase.AIR: single_flights,
    Phase.MOVE: single_moves,
    Phase.FIRE: single_shots,
    Phase.COMBAT: single_attacks,
}


def beginnings(state: State, answers: list[Orders]) -> list[Orders]:
    """The answers; of combats the first alone, the others being owed."""
    return (
        [[{**orders[0], "attack": orders[0]["attack"][:1]}] for orders in answers]
        if (state.step == Phase.COMBAT)
        else answers
    )


def paths(state: State, name: str) -> Iterator[list[str]]:
    """Every path of up to `FAR` steps, the shortest first."""
    ahead: list[list[str]] = [[]]
    for _ in range(FAR):
        ahead = [
            [*path, to]
            for path in ahead
            for to in state.setting.grid.adjacent(path[-1] if path else state.at(name))
        ]
        yield from ahead


@pytest.mark.thorough
@pytest.mark.parametrize("seed", SEEDS)
class TestAnswers:
    """Nothing is made up that is refused, and nothing is left out."""

    def test_all_are_accepted(self, seed: int) -> None:
        for state in positions(seed):
            answers = list(ANSWERS[state.step](state))
            assert legal(state, iter(answers)) == answers
            assert len({str(orders) for orders in answers}) == len(answers)

    def test_none_is_left_out(self, seed: int) -> None:
        """And a question is asked where there is one."""
        for state in positions(seed):
            made = beginnings(state, list(ANSWERS[state.step](state)))
            found = beginnings(state, legal(state, SINGLE[state.step](state)))
            assert [orders for orders in found if orders not in made] == []
            over_forts = state.step == Phase.MOVE and any(
                movement.reach(state, name) for name in state.army(state.active)
            )
            assert can_act(state) == (found != [] or over_forts)

    def test_any_legal_orders_are_drawn(self, seed: int) -> None:
        for number, state in enumerate(positions(seed)):
            reader = partial(READ[state.step], state)
            ask = Ask(state, "R10", state.active, state.step, reader)
            for again in range(4):
                reader(RULES.players["random"](ask, Random(f"{seed} {number} {again}")))

    def test_where_a_unit_may_go(self, seed: int) -> None:
        chooser = Random(seed)
        for state in positions(seed):
            army = state.army(state.active) if state.step == Phase.MOVE else ()
            for name in chooser.sample(army, min(len(army), 1)):
                tried = ([{"move": name, "path": path}] for path in paths(state, name))
                ends = {orders[0]["path"][-1] for orders in legal(state, tried)}
                reach = movement.reach(state, name)
                assert ends - {state.at(name)} == {at for at, path in reach.items() if len(path) <= FAR}

    def test_where_an_aircraft_may_fly(self, seed: int) -> None:
        """The best way may be longer than the shortest; in a zone the flight wants a dogfight (R4.3)."""
        chooser = Random(seed)
        for state in positions(seed):
            air_force = state.air_force(state.active) if state.step == Phase.AIR else ()
            for name in chooser.sample(air_force, min(len(air_force), 1)):
                tried = ([{"fly": name, "path": path}] for path in paths(state, name))
                ends = {orders[0]["path"][-1] for orders in legal(state, tried)}
                reach = flights.reach(state, name)
                free = {at for at in reach if not flights.zone(state, state.active, at)}
                assert ends - {state.at(name)} <= free
                assert {at for at in free if len(reach[at]) <= FAR} <= ends


def test_who_must_attack_one_enemy_attacks_no_other() -> None:
    """R5.5: two enemies are beside the unit, and one of them is owed an attack."""
    units = {"20-Aus": "2006", "61-Tre": "1907", "62-Tre": "1906"}
    state = position(Phase.COMBAT, units, obliged={"20-Aus": ("61-Tre",)})
    assert list(combat.answers(state)) == [[{"attack": ["20-Aus"], "on": ["61-Tre"]}]]


@pytest.mark.parametrize("again", [False, True])
def test_a_second_dogfight_with_one_enemy_is_offered_where_he_may_defend_again(again: bool) -> None:
    """R6.1: so no click on the board gives an order that is refused."""
    units = {"Spit-1": "2508", "Hurri-1": "2508", "Ju88-1": "2208", "125Inf": "0503"}
    ask = question_of(position(Phase.AIR, units, active=ALLIED, options={"defend_again": again}))
    [first, *_] = [
        line for line in additional_orders(ask, []) if line.startswith("fly Spit-1") and "dogfight" in line
    ]
    second = [
        line
        for line in additional_orders(ask, RULES.view.read_words(ask, [first]))
        if line.startswith("fly Hurri-1")
    ]
    assert second
    assert any("dogfight" in line for line in second) == again
