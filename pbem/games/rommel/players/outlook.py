"""A position as one side sees it: the worth and danger of units and hexes, routes, and who will win.

Worth is counted in combat factors. Only public knowledge is used. A `Manner` holds the weights by which a
commander judges risk, haste and places; of a pair of values the first is for the first turn, the second for
the last, with a steady change in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from math import exp, log

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.paths import Path
from pbem.games.rommel.rules import flak, movement, weather
from pbem.games.rommel.rules.combat import win_chance
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.rules.victory import POINTS_TO_WIN
from pbem.games.rommel.terms.setting import ALLIED, AXIS, FOOT, SEATS, other_side


class Manner(Struct, frozen=True):
    """One manner of fighting."""

    risk: tuple[float, float]
    """The weight of the side's losses in an attack."""
    caution: tuple[float, float]
    """The weight of the danger of a hex."""
    pace: tuple[float, float] = (0.6, 1.5)
    """The value of being one hex nearer to the goal."""
    take_point: tuple[float, float] = (3.0, 12.0)
    """The value of striking from a victory point."""
    hold_point: float = 12.0
    """The value of being on a victory point."""
    hold_fort: float = 3.0
    """The value to the Axis of being on a fortification."""
    far: float = 10.0
    """How many hexes farther a unit goes to a point without units than to one with all it needs."""
    shot: float = 0.0
    """The weight of the value of a shot from a hex; if above 0, guns are kept for fire and join no strike."""
    twice: bool = False
    """Whether to attack a tank on a victory point in two combats, since the first only strikes it (R1.3)."""
    aims: frozenset[str] = frozenset()
    """The victory points to aim at; empty for all."""
    fear: float = 1.0
    """In the air, the weight of what the enemy's fighters might shoot down in reply."""


FEAR = 0.5
"""The sensible player's fear of the reply: it takes risks that the strong player does not."""

SENSIBLE: Mapping[str, Manner] = {
    ALLIED: Manner(risk=(0.75, 0.3), caution=(0.15, 0.1), pace=(0.8, 1.8), far=15.0, fear=FEAR),
    AXIS: Manner(risk=(1.0, 1.0), caution=(5.0, 3.0), pace=(0.0, 0.3), hold_fort=30.0, fear=FEAR),
}
"""By seat: the sensible player's manner."""


STRONG: Mapping[str, Manner] = {
    ALLIED: Manner(risk=(0.1, 0.05), caution=(0.0, 0.0), pace=(2.0, 4.0), far=25.0, shot=4.0, twice=True),
    AXIS: replace(SENSIBLE[AXIS], caution=(2.0, 1.0), shot=1.0, twice=True, fear=1.0),
}
"""By seat: the manner that did best in matches, of those used for whole games."""

CANDIDATE_MANNERS: Mapping[str, tuple[Manner, ...]] = {
    ALLIED: (
        STRONG[ALLIED],
        replace(STRONG[ALLIED], far=8.0),
        replace(STRONG[ALLIED], risk=(0.5, 0.2), pace=(1.0, 2.0)),
        replace(STRONG[ALLIED], hold_point=30.0),
        replace(STRONG[ALLIED], shot=1.0),
    ),
    AXIS: (
        STRONG[AXIS],
        replace(STRONG[AXIS], caution=(1.2, 0.6)),
        replace(STRONG[AXIS], shot=2.5),
    ),
}
"""By seat: the manners that `hint` plays out, the strong player's own first.

In none do the Allies wait or the Axis leave its line: playouts of one turn do not show what that costs.
"""


HALF_WEIGHT_DISTANCE = 2
"""The distance from a victory point, in hexes, at which a unit counts as half."""


class Weights(Struct, frozen=True):
    """The weights in favour of the Allies, fitted to computer games (docs/decisions/0023-rommel-players.md).

    The log odds of an Allied win are `even` plus a weight for each combat factor of the Allies and of the
    Axis, for the balance of strength at the Allies' third-best point, for each turn left, and in each of
    these for the balance of the armies.
    """

    even: float
    allied: float
    axis: float
    third: float
    turn: float
    balance: float


WEIGHTS: Mapping[str, Weights] = {
    ALLIED: Weights(even=-0.12, allied=0.0017, axis=-0.0162, third=1.30, turn=0.40, balance=0.81),
    AXIS: Weights(even=-1.27, allied=0.0027, axis=-0.0056, third=1.24, turn=0.17, balance=0.79),
}
"""The weights, by the side that moves next on the ground."""


def allied_hopes(state: State) -> float:
    """The expected result of the Allies when a movement begins, from 0 (lost) to 1 (won); a draw is 0.5."""
    if state.outcome is not None:
        return {ALLIED: 1.0, AXIS: 0.0}.get(state.outcome.winner or "", 0.5)
    weights = WEIGHTS[state.active]
    left = max(state.setting.options.turns - state.turn, 0)
    forces = {side: _force(state, side) for side in (ALLIED, AXIS)}
    allied, axis = (float(sum(forces[side].values())) for side in (ALLIED, AXIS))
    points = sorted(
        (_balance_at(state, forces, point) for point in state.setting.victory_points), reverse=True
    )
    told = (
        weights.even
        + weights.allied * allied
        + weights.axis * axis
        + weights.third * points[POINTS_TO_WIN - 1]
        + left * (weights.turn + weights.balance * log((allied + 3) / (axis + 3)))
    )
    return 1 / (1 + exp(-told))


def land_strength(state: State, side: str) -> int:
    """The sum of the combat factors of a side's land units, except supply."""
    return sum(_force(state, side).values())


def _force(state: State, side: str) -> dict[str, int]:
    """The combat factors of a side's land units, except supply, by hex."""
    return {state.at(name): state.combat(name) for name in state.army(side) if state.kind(name) != "supply"}


def _balance_at(state: State, forces: Mapping[str, Mapping[str, int]], point: str) -> float:
    """The balance of strength around a victory point, weighted by distance; above 0 if the Allies lead."""
    distance = state.setting.grid.distance
    allied, axis = (
        sum(
            factor * 0.5 ** (distance(at, point) / HALF_WEIGHT_DISTANCE)
            for at, factor in forces[side].items()
        )
        for side in (ALLIED, AXIS)
    )
    return log((allied + 0.5) / (axis + 0.5))


SUPPLY = 5.0
"""The value of a supply unit above its factor: without supply nothing moves."""
GUN = 2.0
"""The value, above its factor, of a unit that fires at a distance."""
AIRCRAFT = {"fighter": 5.0, "bomber": 6.0}
"""The value of aircraft, whatever their factor."""
ON_FORT = 1.5
"""The value of driving an enemy from a fortification."""
ON_POINT = (4.0, 12.0)
"""The value of driving one from a victory point, in the first and in the last turn."""
LEAST_FORCED_CHANCE = 0.35
"""The least chance of winning at which a unit goes to a hex where it would have to attack (R5.5)."""
BLOCKED, ENEMY, FRIEND = 8, 3, 1
"""The extra cost of a route, in hexes, through mines that others must clear, an enemy, or a friend."""
AROUND, LEAST = 4, 8.0
"""A point needs the factors the enemy has within `AROUND` hexes of it, and at least `LEAST`."""
REMOTE, WATCH = 10, 2.0
"""The distance within which an enemy matters, and the strength needed if none is that near."""
ENEMY_HELD = (10.0, 40.0)
"""The extra strength needed at a point that the enemy holds, in the first and in the last turn."""
SUPERIOR = 2.0
"""The ratio of strength at which the Allies aim at one more point: the last one takes longest."""
SLOTS = 3
"""The most enemies assumed to attack one unit."""


def loss(state: State, name: str) -> float:
    """The value destroyed by a hit on a unit (R1.3)."""
    counter = state.counter(name)
    if counter.flies:
        return AIRCRAFT[counter.kind]
    if counter.kind == "tank" and not state.units[name].struck:
        return counter.combat - counter.struck_combat
    extra = {"supply": SUPPLY, "field": GUN, "mixed": GUN, "tank": GUN, "anti_aircraft": GUN}
    return state.combat(name) + extra.get(counter.kind, 0.0)


def prize(state: State, name: str) -> float:
    """The value of a hit on an enemy: the loss, and the place the enemy might lose with it."""
    point = by_turn(state, ON_POINT) if state.at(name) in state.setting.victory_points else 0.0
    return point + loss(state, name) + (ON_FORT if state.in_fort(name) else 0.0)


def holds_out(state: State, name: str) -> bool:
    """R1.3: whether a unit would stay on its victory point after one hit."""
    tank = state.kind(name) == "tank" and not state.units[name].struck
    return tank and state.at(name) in state.setting.victory_points


def by_turn(state: State, values: tuple[float, float]) -> float:
    """The value for this turn, interpolated between those for the first and the last turn."""
    first, last = values
    return first + (last - first) * min(state.turn / state.setting.options.turns, 1.0)


def is_axis_last_turn(state: State) -> bool:
    """R8.3: whether this is the Axis's last turn, after whose combats the game is over."""
    return state.turn >= state.setting.options.final_turn and state.active == AXIS


@cache
def combat_chance(attack: int, defence: int) -> float:
    """R6.2, R6.3: the chance that the attacker wins."""
    return float(win_chance(attack, defence))


class Outlook(Struct, frozen=True, dict=True):
    """The ground as one side sees it."""

    state: State
    seat: str
    manner: Manner

    @property
    def enemy(self) -> str:
        """The other side."""
        return other_side(self.seat)

    @cached_property
    def guards(self) -> dict[str, str]:
        """The units that should hold Allied villages, near and weak ones, each with its village."""
        if self.seat == AXIS:
            return {}
        state, grid = self.state, self.state.setting.grid
        free = [name for name in state.army(ALLIED) if state.kind(name) != "supply"]
        guards: dict[str, str] = {}
        for village in state.setting.villages[ALLIED]:
            if free:
                best = min(
                    free, key=lambda name: 2 * grid.distance(state.at(name), village) + state.combat(name)
                )
                guards[best] = village
                free.remove(best)
        return guards

    @cached_property
    def goals(self) -> dict[str, str]:
        """The victory point each unit should take or hold, by distance and by what the point needs."""
        grid, state = self.state.setting.grid, self.state
        army = [name for name in state.army(self.seat) if name not in self.guards]
        load = dict.fromkeys(self._needs, 0)
        goals: dict[str, str] = {}
        army.sort(key=lambda name: (state.at(name) not in load, -state.combat(name)))
        for name in army:  # a unit on a point should hold it
            far = {
                at: grid.distance(state.at(name), at) + self.manner.far * load[at] / self._needs[at]
                for at in load
            }
            goals[name] = state.at(name) if state.at(name) in load else min(far, key=far.__getitem__)
            load[goals[name]] += state.combat(name)
        return {**goals, **self.guards}

    @cached_property
    def _needs(self) -> dict[str, float]:
        """The strength needed at each victory point: the Allies count those they hold, then the nearest."""
        state, grid = self.state, self.state.setting.grid
        army = [state.at(name) for name in state.army(self.seat)]
        points = [
            at
            for at in state.setting.victory_points
            if at in (self.manner.aims or state.setting.victory_points)
        ]
        if self.seat == ALLIED:
            way = {point: sum(grid.distance(at, point) for at in army) for point in points}
            points.sort(key=lambda point: (self._holder(point) != ALLIED, way[point]))
            del points[POINTS_TO_WIN + self._is_superior :]
        return {point: self._need(point) for point in points}

    @property
    def _is_superior(self) -> bool:
        """Whether the side is strong enough to aim at one more point than it needs."""
        return land_strength(self.state, self.seat) >= SUPERIOR * land_strength(self.state, self.enemy)

    def _need(self, point: str) -> float:
        state, distance = self.state, self.state.setting.grid.distance
        foes = [(distance(state.at(name), point), state.combat(name)) for name in state.army(self.enemy)]
        near = sum(strength for away, strength in foes if away <= AROUND)
        guard = LEAST if any(away <= REMOTE for away, _ in foes) else WATCH
        return guard + near + (by_turn(state, ENEMY_HELD) if self._holder(point) == self.enemy else 0)

    def distance_to_goal(self, name: str, at: str) -> int:
        """The cost of a unit's route from a hex to its goal."""
        foot, goal = self.state.kind(name) in FOOT, self.goals[name]
        if (foot, goal) not in self._cost_cache:
            self._cost_cache[foot, goal] = self._costs_to(goal, self._step_costs[foot])
        return self._cost_cache[foot, goal].get(at, 99)

    def _costs_to(self, goal: str, steps: Mapping[str, int]) -> dict[str, int]:
        """The cost of the cheapest route to a goal from every hex: `core.paths.ways`, but faster."""
        nearby = self.state.setting.nearby
        found: dict[str, int] = {}
        ahead: dict[int, list[str]] = {0: [goal]}
        cost = 0
        while ahead:
            for at in ahead.pop(cost, ()):
                if at not in found:
                    found[at] = cost
                    ahead.setdefault(cost + steps[at], []).extend(nearby[at])
            cost += 1
        return found

    @cached_property
    def _cost_cache(self) -> dict[tuple[bool, str], dict[str, int]]:
        """The costs to each goal computed so far, for units on foot (True) and others."""
        return {}

    @cached_property
    def _step_costs(self) -> dict[bool, dict[str, int]]:
        """The cost to enter each land hex, in hexes, for units on foot (True) and others."""
        numbers = [at for at in self.state.setting.grid.numbers if at in self.state.setting.land]
        return {foot: {at: self._step_cost(at, foot) for at in numbers} for foot in (True, False)}

    def _step_cost(self, at: str, foot: bool) -> int:
        mines = (1 if foot else BLOCKED) if at in self._mined_hexes else 0
        there = self.state.ground.get(at)
        return 1 + mines + (0 if there is None else FRIEND if self.state.side(there) == self.seat else ENEMY)

    def _holder(self, at: str) -> str | None:
        there = self.state.ground.get(at)
        return None if there is None else self.state.side(there)

    def danger(self, name: str, at: str, gone: Sequence[str] = ()) -> float:
        """The danger to a unit in a hex from the enemies that could attack it there, except those `gone`.

        It is less where the unit's side could strike back in strength.
        """
        left = [strength for foe, strength in self._threats[self.enemy].get(at, ()) if foe not in gone]
        if not left:
            return 0.0
        lost = self._defeat_chance(name, at, left) * loss(self.state, name)
        ours = sum(strength for _, strength in self._threats[self.seat].get(at, ()))
        return lost * 2 * sum(left) / (sum(left) + ours)

    def peril(self, name: str, at: str) -> float:
        """The greatest chance that a unit is driven from a victory point, a tank only by two hits."""
        beaten = self._defeat_chance(
            name, at, [strength for _, strength in self._threats[self.enemy].get(at, ())]
        )
        tank = self.state.kind(name) == "tank" and not self.state.units[name].struck
        return beaten * beaten / 2 if tank else beaten

    def _defeat_chance(self, name: str, at: str, foes: Sequence[int]) -> float:
        """The chance that a unit in a hex loses a combat against these factors, the strongest first."""
        doubled = at in self.state.forts and self.state.may_stand_on_a_fort(name)
        defence = self.state.combat(name) * (2 if doubled else 1)
        return combat_chance(sum(foes[: self._attack_hexes(at)]), defence) if foes else 0.0

    def _attack_hexes(self, at: str) -> int:
        """The number of hexes from which a hex can be attacked, at most `SLOTS`."""
        found = self._attack_hex_cache.get(at)
        if found is None:
            open_hexes = [near for near in self.state.setting.nearby[at] if self._holder(near) != self.seat]
            found = self._attack_hex_cache[at] = min(len(open_hexes), SLOTS)
        return found

    @cached_property
    def _attack_hex_cache(self) -> dict[str, int]:
        """The results of `_attack_hexes` so far."""
        return {}

    @cached_property
    def _threats(self) -> dict[str, dict[str, list[tuple[str, int]]]]:
        """The units that could attack each hex after the next move, by side, strongest first."""
        return {side: self._threats_of(side) for side in SEATS}

    def _threats_of(self, side: str) -> dict[str, list[tuple[str, int]]]:
        state, grid = self.state, self.state.setting.grid
        threats: dict[str, list[tuple[str, int]]] = {}
        for name in sorted(state.army(side), key=lambda name: -state.combat(name)):
            if state.kind(name) != "supply" and not self._rests(name):
                reached = (state.at(name), *self.initial_reach[name])
                for at in dict.fromkeys(near for hex_ in reached for near in grid.adjacent(hex_)):
                    threats.setdefault(at, []).append((name, state.combat(name)))
        return threats

    def _rests(self, name: str) -> bool:
        """R7.2: whether a unit of the Axis may not attack in the rest of this turn."""
        return self.seat == ALLIED and self.state.side(name) == AXIS and flak.forgoes_attack(self.state, name)

    @cached_property
    def initial_reach(self) -> dict[str, dict[str, Path]]:
        """The reach of each land unit at the start of the movement."""
        return {name: self.reach(self.state, name) for side in SEATS for name in self.state.army(side)}

    def reach(self, state: State, name: str) -> dict[str, Path]:
        """The hexes where a unit may stop, each with a legal path, as long as no enemy has moved.

        For speed, a subset of `movement.reach`: roads are ignored, and a unit that enters mines stops.
        """
        nearby, ground, mined = state.setting.nearby, state.ground, self._mined_hexes
        zone = self.zones[other_side(state.side(name))]
        clears, no_forts = movement.may_enter_mines(state, name), not state.may_stand_on_a_fort(name)
        most = weather.march_range(state, name, state.weather)
        slowed = 1 if state.side(name) == AXIS else 0
        start = state.at(name)
        found: dict[str, Path] = {start: ()}
        ahead = [start]
        for length in range(1, most + 1):
            beyond = []
            for at in ahead:
                for near in nearby[at]:
                    if near in found or near in ground:
                        continue
                    if near in mined and state.is_mined(near):
                        if clears and length + slowed <= most:
                            found[near] = (*found[at], near)
                        continue
                    found[near] = (*found[at], near)
                    if near not in zone:
                        beyond.append(near)
            ahead = beyond
        del found[start]
        return {at: path for at, path in found.items() if at not in state.forts} if no_forts else found

    @cached_property
    def _mined_hexes(self) -> frozenset[str]:
        return self.state.setting.mines.difference(self.state.cleared)

    @cached_property
    def zones(self) -> dict[str, frozenset[str]]:
        """The hexes next to each side's land units."""
        adjacent = self.state.setting.grid.adjacent
        return {
            side: frozenset(near for name in self.state.army(side) for near in adjacent(self.state.at(name)))
            for side in SEATS
        }
