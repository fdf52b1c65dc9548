"""The outlook of one seat on a position: ways, posts, dangers and targets, the worth of a hex.

The Germans walk west by the shortest way round the US units; where walking is less work than shooting, they
walk out. The US units hold a line of hexes from north to south, west of all Germans. Everything seen here is
public.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache

from msgspec import Struct

from pbem.core.hexes import Grid
from pbem.core.paths import ways
from pbem.games.mortain.players.aims import SENSIBLE, Aims
from pbem.games.mortain.rules.placing import line_to_hold
from pbem.games.mortain.rules.state import GONE, WAITING, State
from pbem.games.mortain.terms.setting import GERMAN, US, enemy

NEAR = 4
"""The distance in hexes from the nearest US unit at which the Germans gather before they attack."""
BLOCK = 4
"""The extra cost of a German's way through a US hex, in steps: it has to be cleared by fire first."""


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
        """The value of each hex to a unit that stands there, including its distance to the goal."""
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
        return found

    def _company_worth(self, here: str, at: str) -> float:
        """The value of the company that a unit has when it goes from one hex to another."""
        stacked, near = self._company
        alone = here == at, here in self.state.setting.grid.within(at, 1)
        return self.aims.stack * (stacked[at] - alone[0]) + self.aims.company * (near[at] - alone[1])

    @cached_property
    def _company(self) -> tuple[Counter[str], Counter[str]]:
        """The number of the side's units in each hex, and in or beside each hex."""
        grid = self.state.setting.grid
        places = [self.state.at(name) for name in self.state.field(self.seat)]
        return Counter(places), Counter(near for at in places for near in grid.within(at, 1))

    def steps_to_goal(self, name: str) -> Mapping[str, int]:
        """The steps of a unit from each hex to its goal."""
        if self.seat == GERMAN:
            return self._steps_to_exit
        return distances(self.state.setting.grid, self._posts[name])

    @cached_property
    def _steps_to_exit(self) -> Mapping[str, int]:
        """The cost of the cheapest way from each hex to the exit in the west."""
        setting = self.state.setting
        return exit_distances(setting.grid, frozenset(self.state.places(US)))

    @cached_property
    def steps_to_win(self) -> int:
        """The steps that the Germans still need for their exits; a missing unit counts as a long way."""
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
        """The expected hits on the units on the map, if every enemy fired at each."""
        state, setting = self.state, self.state.setting
        hits = 0.0
        for name in state.field(self.seat):
            at = state.at(name)
            threat = self._threats[state.counter(name).kind == "tank"].get(at, 0)
            hits += _rough_chance(threat - setting.cover[at])
        return hits

    @cached_property
    def _posts(self) -> dict[str, str]:
        """The hex of the line for each US unit, those near the Germans first; a unit keeps one it holds."""
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
        """The distance of a US unit from a hex; a waiting unit counts as one step west of the map."""
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
        """The sum of the enemy's factors that reach each hex, against tanks (True) and against others."""
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
        """Each enemy's hex, and the value of a unit's shot at it alone: chance times the value of a hit."""
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
        """The value of a hit on an enemy: the factors that it destroys, and more for the last step."""
        counter, aims = self.state.counter(enemy), self.aims
        full, reduced = (each.at + each.ai for each in (counter.full, counter.reduced))
        last = self.state.units[enemy].reduced
        return aims.attack * (aims.kill + reduced if last else aims.flip + full - reduced)


@lru_cache(maxsize=4096)
def exit_distances(grid: Grid, held: frozenset[str]) -> Mapping[str, int]:
    """The cost of the cheapest way from each hex to the exit in the west; hexes held by the US cost more."""
    edge = {at: 1 for at in grid.numbers if grid.column(at) == grid.first_column}
    return ways(edge, grid.adjacent, lambda at: 1 + BLOCK if at in held else 1)


@cache
def distances(grid: Grid, goal: str) -> Mapping[str, int]:
    """The distance of every hex to a goal."""
    return {at: grid.distance(at, goal) for at in grid.numbers}


def _rough_chance(hits: int) -> float:
    """The rough chance of a hit if so many numbers hit."""
    return min(max(hits, 0), 10) / 10
