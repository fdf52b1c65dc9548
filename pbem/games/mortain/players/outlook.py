"""A position as one seat sees it: distances, posts, dangers, targets, values of hexes, the chance to win.

The Germans go west by the shortest route round the US units; if walking is less work than shooting, they walk
off the map. The US units hold a line of hexes from north to south, west of all Germans. `Aims` are the
weights of all this. Only public knowledge is used.

`win_chance` is a logistic regression on 97,000 positions from 9,000 games, in all editions, of the keen
player, sometimes with varied aims, against the sensible one. Each seat has its own weights, since the worth
of a position depends on who plays it well; see docs/decisions/0022-players.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from math import exp, log

from msgspec import Struct

from pbem.core.hexes import Grid
from pbem.core.paths import ways
from pbem.games.mortain.rules.setup import line_to_hold
from pbem.games.mortain.rules.state import ELIMINATED, GONE, WAITING, State
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.setting import GERMAN, US, enemy


class Aims(Struct, frozen=True):
    """The weights of a player's judgement; most are values in steps of a unit towards its goal."""

    exit: float = 20.0
    """The value of a German unit's exit."""
    enter: float = 3.0
    """The value of a unit's entry."""
    south: float = 0.0
    """The value of entering one row further south."""
    flip: float = 4.0
    """The value of a hit on a full unit, plus 1 for each factor it loses."""
    kill: float = 8.0
    """The value of a hit on a reduced unit, plus 1 for each of its factors."""
    attack: float = 1.0
    """A multiplier for the value of every hit."""
    suppress: float = 0.4
    """The value of suppressing a German unit."""
    exposure: float = 0.5
    """The cost of each expected hit on a unit in its hex."""
    caution: float = 1.0
    """The cost of each expected hit on a German unit that goes in before the others are there."""
    shot: float = 0.4
    """The share that counts of the value of a shot from a unit's hex."""
    mass: int = 7
    """The number of Germans that should go in together."""
    late: int = 4
    """The turn from which they no longer wait for each other."""
    work: float = 1.0
    """The value of a hit on a US unit, in steps: with fewer steps left, the Germans walk off the map."""
    step: float = 1.0
    """The value of a step; if it is low, units keep good places."""
    hurry: float = 4.0
    """The value of a step for Germans that walk off the map."""
    stack: float = 0.0
    """The value of another unit of the side in the hex."""
    company: float = 0.0
    """The value of another unit of the side in the hex or an adjacent one."""
    worn: float = 0.0
    """How much more a reduced unit has to fear, as a share."""
    price: float = 0.0
    """The cost of a shot, subtracted from its value."""
    hold: float = 0.0
    """The value of a hill to a US unit that holds it."""


SENSIBLE = Aims(hold=1)


NEAR = 4
"""The distance in hexes from the nearest US unit at which the Germans gather before they attack."""
COMPANY = 2
"""The distance in hexes within which other units of its side support one."""
SURVIVORS = 2
"""With at most this many US units left, the survival of one decides the game (M8.3)."""
BLOCK = 4
"""The extra cost in steps of a German's route through a US hex, which fire has to clear first."""


class Outlook(Struct, frozen=True, dict=True):
    """A position as one seat sees it."""

    state: State
    seat: str
    aims: Aims = SENSIBLE

    @property
    def enemy(self) -> str:
        """The other seat."""
        return enemy(self.seat)

    def standings(self, name: str, hexes: Iterable[str]) -> dict[str, float]:
        """The value of each hex for a unit there, including the distance to its goal."""
        aims, unit, ahead = self.aims, self.state.units[name], self.steps_to_goal(name)
        threats = self._threats[self.state.counter(name).kind == "tank"]
        worn = 1 + aims.worn if unit.reduced else 1
        step = aims.hurry if self.is_walking_out else aims.step
        shots, sight, cover = self._shots(name), self.state.setting.sight, self.state.setting.cover
        found: dict[str, float] = {}
        for at in hexes:
            field = sight.field(at)
            shot = max([worth for place, worth in shots if place in field], default=0.0)
            fear = worn * (self._fear * _rough_chance(threats[at] - cover[at])) if at in threats else 0
            found[at] = aims.shot * shot - step * ahead[at] - fear
            if aims.stack or aims.company:
                found[at] += self._company_worth(unit.at, at)
            if at == unit.at and name in self._holders:
                found[at] += aims.hold
        return found

    def _company_worth(self, here: str, at: str) -> float:
        """The value of the company a unit gains by going from one hex to another."""
        stacked, near = self._company
        alone = here == at, here in self.state.setting.grid.within(at, 1)
        return self.aims.stack * (stacked[at] - alone[0]) + self.aims.company * (near[at] - alone[1])

    @cached_property
    def _company(self) -> tuple[Counter[str], Counter[str]]:
        """The number of the side's units in each hex, and in each hex with its neighbours."""
        grid = self.state.setting.grid
        places = [self.state.at(name) for name in self.state.field(self.seat)]
        return Counter(places), Counter(near for at in places for near in grid.within(at, 1))

    @cached_property
    def _holders(self) -> frozenset[str]:
        """The US units that hold a hill, one each, from the middle of the map on.

        It has to be full, with another near it, and none of the last: the enemy pays for the hill with time
        and hits, but no unit is left there to die alone.
        """
        state, setting = self.state, self.state.setting
        if self.seat == GERMAN or self.us_left <= SURVIVORS:
            return frozenset()
        middle = (setting.west + setting.east) // 2
        holders = {
            at: name
            for name in state.field(US)
            for at in [state.at(name)]
            if setting.terrain[at] == "hill" and setting.grid.column(at) >= middle
            if not state.units[name].reduced and has_company(state, name)
        }
        return frozenset(holders.values())

    @property
    def us_left(self) -> int:
        """The number of US units that are on the map or still to come."""
        return sum([self.state.at(name) not in GONE for name in self.state.army(US)])

    def steps_to_goal(self, name: str) -> Mapping[str, int]:
        """The steps of a unit from each hex to its goal."""
        if self.seat == GERMAN:
            return self._steps_to_exit
        return distances(self.state.setting.grid, self._posts[name])

    @cached_property
    def _steps_to_exit(self) -> Mapping[str, int]:
        """The cost of the cheapest route from each hex to the exit in the west."""
        setting = self.state.setting
        return exit_distances(setting.grid, frozenset(self.state.places(US)))

    @cached_property
    def steps_to_win(self) -> int:
        """The steps the Germans still need for their exits; a missing unit counts as a long route."""
        state, setting = self.state, self.state.setting
        whole = setting.east - setting.west + 2
        left = [state.at(name) for name in state.army(GERMAN) if state.at(name) not in GONE]
        steps = sorted([whole if at == WAITING else self._steps_to_exit[at] for at in left])
        needed = setting.options.exits_to_win - state.exits
        return sum(steps[:needed]) + 2 * whole * max(needed - len(steps), 0)

    @cached_property
    def is_walking_out(self) -> bool:
        """Whether the Germans walk off the map: the exits needed are less work than destroying the US."""
        if self.seat == US:
            return False
        units = [self.state.units[name] for name in self.state.army(US)]
        hits = sum([2 - unit.reduced for unit in units if unit.at not in GONE])
        return self.steps_to_win < self.aims.work * hits

    @cached_property
    def exposure(self) -> float:
        """The expected hits on the units on the map if every enemy fired at each of them."""
        state, setting = self.state, self.state.setting
        hits = 0.0
        for name in state.field(self.seat):
            at = state.at(name)
            threat = self._threats[state.counter(name).kind == "tank"].get(at, 0)
            hits += _rough_chance(threat - setting.cover[at])
        return hits

    @cached_property
    def _posts(self) -> dict[str, str]:
        """The hex of the line for each US unit, hexes near the Germans first; a unit keeps one it holds."""
        state, grid = self.state, self.state.setting.grid
        germans = [state.at(name) for name in state.field(GERMAN)]
        posts = sorted(
            line_to_hold(state), key=lambda post: min((grid.distance(post, at) for at in germans), default=0)
        )
        free = [name for name in state.army(US) if state.on_map(name) or state.at(name) == WAITING]
        manned: dict[str, str] = {}
        while free:
            post = posts[len(manned) % len(posts)]
            best = min(
                free,
                key=lambda name: (
                    state.at(name) in posts and state.at(name) != post,
                    self._distance_to_post(name, post),
                ),
            )
            manned[best] = post
            free.remove(best)
        return manned

    def _distance_to_post(self, name: str, post: str) -> int:
        """The distance of a US unit from its post; a waiting unit counts as one step west of the map."""
        state, grid = self.state, self.state.setting.grid
        if state.on_map(name):
            return grid.distance(state.at(name), post)
        return grid.column(post) - grid.first_column + 1

    @cached_property
    def _fear(self) -> float:
        """The weight of an expected hit. It makes the Germans gather out of reach, and attack together."""
        state, grid = self.state, self.state.setting.grid
        if self.seat == US or state.turn >= self.aims.late or self.is_walking_out:
            return self.aims.exposure
        foes = [state.at(name) for name in state.field(US)]
        left = [name for name in state.army(GERMAN) if state.on_map(name) or state.at(name) == WAITING]
        near = [
            name
            for name in left
            if state.on_map(name) and any(grid.distance(state.at(name), foe) <= NEAR for foe in foes)
        ]
        return self.aims.exposure if len(near) >= min(self.aims.mass, len(left)) else self.aims.caution

    @cached_property
    def _threats(self) -> Mapping[bool, dict[str, int]]:
        """The sum of the enemy's factors that reach each hex, against tanks (True) and others (False)."""
        state, sight = self.state, self.state.setting.sight
        tanks: dict[str, int] = {}
        others: dict[str, int] = {}
        for name in state.field(self.enemy):
            factors = state.factors(name)
            for at in sight.field(state.at(name)):
                tanks[at] = tanks.get(at, 0) + factors.at
                others[at] = others.get(at, 0) + factors.ai
        return {True: tanks, False: others}

    def _shots(self, name: str) -> list[tuple[str, float]]:
        """Each enemy's hex, and the value of a unit's shot at it: its chance times the value of a hit."""
        factors = self.state.factors(name)
        return [
            (place, prize * _rough_chance((factors.at if tank else factors.ai) - cover))
            for place, tank, cover, prize in self._enemy_targets
        ]

    @cached_property
    def _enemy_targets(self) -> list[tuple[str, bool, int, float]]:
        """Each enemy as a target: its hex, whether it is a tank, its cover, the value of a hit."""
        state, setting = self.state, self.state.setting
        return [
            (
                state.at(name),
                state.counter(name).kind == "tank",
                setting.cover[state.at(name)],
                self.prize(name),
            )
            for name in state.field(self.enemy)
        ]

    def prize(self, enemy: str) -> float:
        """The value of a hit on an enemy: the factors it destroys, and more if it eliminates the unit."""
        counter, aims = self.state.counter(enemy), self.aims
        full, reduced = (each.at + each.ai for each in (counter.full, counter.reduced))
        last = self.state.units[enemy].reduced
        return aims.attack * (aims.kill + reduced if last else aims.flip + full - reduced)


def has_company(state: State, name: str) -> bool:
    """Whether another unit of its side is near a unit on the map."""
    near, side = state.setting.grid.within(state.at(name), COMPANY), state.counter(name).side
    return any(state.at(other) in near for other in state.field(side) if other != name)


@lru_cache(maxsize=4096)
def exit_distances(grid: Grid, held: frozenset[str]) -> Mapping[str, int]:
    """The cost of the cheapest route from each hex to the exit in the west; hexes the US holds cost more."""
    edge = {at: 1 for at in grid.numbers if grid.column(at) == grid.first_column}
    return ways(edge, grid.adjacent, lambda at: 1 + BLOCK if at in held else 1)


@cache
def distances(grid: Grid, goal: str) -> Mapping[str, int]:
    """The distance of every hex to a goal."""
    return {at: grid.distance(at, goal) for at in grid.numbers}


def _rough_chance(hits: int) -> float:
    """The rough chance of a hit if this many card values hit."""
    return min(max(hits, 0), 10) / 10


WEIGHTS: Mapping[str, tuple[float, ...]] = {
    GERMAN: (
        *(1.264, 2.241, 0.016, -0.914, 1.083, 0.0740, -0.0549),
        *(0.036, -0.123, 0.089, 1.412, -0.892, 0.038, -0.324, -0.066),
    ),
    US: (
        *(0.278, 2.818, -0.264, -0.560, 0.772, 0.1232, -0.0540),
        *(0.054, -0.287, 0.076, 1.169, -0.500, 0.043, -0.081, -0.100),
    ),
}
"""The weights of `_features`, by the better player's seat."""


def win_chance(state: State, seat: str) -> float:
    """The Germans' chance to win, from 0 to 1, if a keen player has the seat, a sensible one the other."""
    if state.outcome is not None:
        return float(state.outcome.winner == GERMAN)
    odds = sum([weight * feature for weight, feature in zip(WEIGHTS[seat], _features(state), strict=True)])
    return 1 / (1 + exp(-odds))


def _features(state: State) -> tuple[float, ...]:
    """The features of a position that predict who wins: 1, hits left, time, factors, dangers, cards."""
    time = state.setting.options.turns - state.turn + len(state.deck) / len(cards.DECK)
    own, foes = hits_left(state, GERMAN), hits_left(state, US)
    germans = state.field(GERMAN)
    return (
        1,
        log((own + 1) / (foes + 1)),
        own,
        foes / (time + 0.3),
        (foes - own) / (time + 1),
        _factors_left(state, GERMAN),
        _factors_left(state, US),
        len(germans),
        sum([state.units[name].reduced for name in germans]),
        sum([state.setting.cover[state.at(name)] for name in germans]),
        _mean_exposure(state, US),
        _mean_exposure(state, GERMAN),
        sum([1 if cards.owner(card) == GERMAN else -1 for card in state.deck if card != cards.JOKER]),
        cards.JOKER in state.deck,
        state.support == "available",
    )


def _mean_exposure(state: State, side: str) -> float:
    """The expected hits per unit of a side on the map."""
    return Outlook(state, side).exposure / max(len(state.field(side)), 1)


def hits_left(state: State, side: str) -> int:
    """The hits a side's units can take before all are eliminated, including exited units."""
    units = [state.units[name] for name in state.army(side)]
    return sum([2 - unit.reduced for unit in units if unit.at != ELIMINATED])


def _factors_left(state: State, side: str) -> int:
    """The sum of all factors of a side's remaining units."""
    factors = [state.factors(name) for name in state.army(side) if state.units[name].at not in GONE]
    return sum([each.at + each.ai for each in factors])
