"""What the sensible player wants: moves and attacks with their worth, in steps forward.

The Germans walk west by the shortest way round the US units, and shoot their way open; where to walk is less
work than to shoot, they walk out. The US units hold a line of hexes from north to south, west of all Germans,
and shoot at what comes near. All that is seen here is public.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping
from functools import cache, cached_property, lru_cache
from typing import TypeVar

from msgspec import Struct

from pbem.core.hexes import Grid
from pbem.core.paths import ways
from pbem.core.requests import Plain
from pbem.games.mortain.rules import movement, support
from pbem.games.mortain.rules.combat import attack_of, highest
from pbem.games.mortain.rules.drafts import Draft
from pbem.games.mortain.rules.orders import Fire, Support
from pbem.games.mortain.rules.placing import line
from pbem.games.mortain.rules.state import EXITED, GONE, WAITING, Attack, State
from pbem.games.mortain.terms.setting import GERMAN, US, enemy
from pbem.games.mortain.view.odds import left

NEAR = 4
"""So many hexes from the nearest US unit the Germans gather before they go in."""
BLOCK = 4
"""What a German's way through a US hex costs, in steps: it has to be shot open first."""
CHOICES = 2
"""How many moves of one unit are weighed: the second may do where the first would stack three."""


class Aims(Struct, frozen=True):
    """What things are worth to a player, in steps of a unit towards where it wants to go."""

    exit: float = 20.0
    """A German unit exits."""
    enter: float = 3.0
    """A unit comes on the map."""
    flip: float = 4.0
    """A full unit is hit; beside it each factor that it loses."""
    kill: float = 8.0
    """A reduced unit is hit; beside it each factor that it has."""
    attack: float = 1.0
    """Every hit, times this."""
    suppress: float = 0.4
    """A German unit is suppressed."""
    exposure: float = 0.5
    """A certain hit is to be feared where a unit goes."""
    caution: float = 1.0
    """The same for a German unit that would go in before the others are there."""
    shot: float = 0.4
    """A hit is to be had from where a unit goes, for each step that it is worth."""
    mass: int = 7
    """So many Germans go in together."""
    late: int = 4
    """From this turn on they wait for nobody."""
    work: float = 1.0
    """How many steps a hit on a US unit is worth: with fewer to go, the Germans walk out."""
    hurry: float = 4.0
    """What a step is worth to Germans who walk out."""


SENSIBLE = Aims()


class Go(Struct, frozen=True):
    """A movement, `to` as in `Draft.goals_of`, and what it is worth."""

    worth: float
    unit: str
    to: str

    def join(self, draft: Draft) -> bool:
        """Add it to a draft, if it can be added."""
        fits = draft.may_act(self.unit) and self.to in draft.goals_of(self.unit)
        if fits:
            draft.go(self.unit, self.to)
        return fits


class Shot(Struct, frozen=True):
    """Fire of some units at an enemy, and what it is worth."""

    worth: float
    firers: tuple[str, ...]
    target: str

    def join(self, draft: Draft) -> bool:
        """Add it to a draft without an attack, if all of it can be added; else the draft is lost."""
        for name in self.firers:
            if not draft.may_act(name) or self.target not in draft.targets_of(name):
                return False
            draft.fire(name, self.target)
        return True


class Use(Struct, frozen=True):
    """A use of support, and what it is worth."""

    worth: float
    order: Plain

    def join(self, draft: Draft) -> bool:
        """Add it to a draft, if it can be added."""
        fits = self.order in (draft.suppressions() if "suppress" in self.order else draft.attacks())
        if fits:
            draft.use(self.order)
        return fits


W = TypeVar("W", Go, Shot | Use)


class Outlook(Struct, frozen=True, dict=True):
    """A position as one seat looks at it."""

    state: State
    seat: str
    aims: Aims = SENSIBLE

    @property
    def enemy(self) -> str:
        """The other seat."""
        return enemy(self.seat)

    @cached_property
    def moves(self) -> list[Go]:
        """The movements worth something, the best first, and of each unit but the best two."""
        wishes: list[Go] = []
        barred = movement.barred(self.state, self.seat)
        for name in self.state.army(self.seat):
            if self.state.at(name) not in GONE:
                goals = movement.goals(self.state, name, barred)
                wishes.extend(_worthy(list(self._moves_of(name, goals)))[:CHOICES])
        return _worthy(wishes)

    def _moves_of(self, name: str, goals: list[str]) -> Iterator[Go]:
        """What each goal is worth to a unit. A German never goes back: he would only have to come again."""
        at, ahead = self.state.at(name), self._ways(name)
        if at == WAITING:
            yield from (Go(self.aims.enter + self._standing(name, to, ahead) / 10, name, to) for to in goals)
            return
        here = self._standing(name, at, ahead)
        for to in goals:
            if to == EXITED:
                yield Go(self.aims.exit, name, to)
            elif self.seat == US or ahead[to] <= ahead[at]:
                yield Go(self._standing(name, to, ahead) - here, name, to)

    def _standing(self, name: str, at: str, ahead: Mapping[str, int]) -> float:
        """What it is worth that a unit stands in a hex."""
        step = self.aims.hurry if self.hurried else 1
        fear = self._dangers[self.state.counter(name).kind == "tank"].get(at, 0)
        return self.aims.shot * self._shot(name, at) - step * ahead[at] - fear

    def _ways(self, name: str) -> Mapping[str, int]:
        """How many steps a unit has from each hex to where it wants to go."""
        if self.seat == GERMAN:
            return self._to_exit
        return distances(self.state.setting.grid, self._posts[name])

    @cached_property
    def _to_exit(self) -> Mapping[str, int]:
        """From each hex the cheapest way off the map in the west."""
        setting = self.state.setting
        return exits(setting.grid, frozenset(self.state.places(US)))

    @cached_property
    def way_out(self) -> int:
        """How many steps the Germans have still to make for their exits; whom they lack takes long."""
        state, setting = self.state, self.state.setting
        whole = setting.east - setting.west + 2
        left = [state.at(name) for name in state.army(GERMAN) if state.at(name) not in GONE]
        steps = sorted([whole if at == WAITING else self._to_exit[at] for at in left])
        needed = setting.options.exits_to_win - state.exits
        return sum(steps[:needed]) + 2 * whole * max(needed - len(steps), 0)

    @cached_property
    def hurried(self) -> bool:
        """Whether the Germans walk out: the exits still needed are less work than what is left of the US."""
        if self.seat == US:
            return False
        units = [self.state.units[name] for name in self.state.army(US)]
        hits = sum([2 - unit.reduced for unit in units if unit.at not in GONE])
        return self.way_out < self.aims.work * hits

    @cached_property
    def exposed(self) -> float:
        """How many hits the units on the map have to fear, if every enemy fired at each."""
        state, setting = self.state, self.state.setting
        hits = 0.0
        for name in state.field(self.seat):
            at = state.at(name)
            threat = self._threats[state.counter(name).kind == "tank"].get(at, 0)
            hits += _tenths(threat - setting.modifiers[setting.terrain[at]])
        return hits

    @cached_property
    def _posts(self) -> dict[str, str]:
        """The hex of the line for each US unit: those near the Germans first; who holds one keeps it."""
        state, grid = self.state, self.state.setting.grid
        germans = [state.at(name) for name in state.field(GERMAN)]
        posts = sorted(
            line(state), key=lambda post: min((grid.distance(post, at) for at in germans), default=0)
        )
        free = [name for name in state.army(US) if state.on_map(name) or state.at(name) == WAITING]
        manned: dict[str, str] = {}
        while free:
            post = posts[len(manned) % len(posts)]
            best = min(
                free,
                key=lambda name: (state.at(name) in posts and state.at(name) != post, self._from(name, post)),
            )
            manned[best] = post
            free.remove(best)
        return manned

    def _from(self, name: str, post: str) -> int:
        """How far a US unit is from a hex; one that waits stands a step west of the map."""
        state, grid = self.state, self.state.setting.grid
        if state.on_map(name):
            return grid.distance(state.at(name), post)
        return grid.column(post) - grid.first_column + 1

    @cached_property
    def _dangers(self) -> Mapping[bool, dict[str, float]]:
        """For tanks and for others: what they have to fear in a hex that enemies could fire at."""
        setting, fear = self.state.setting, self._fear
        cover = {at: setting.modifiers[kind] for at, kind in setting.terrain.items()}
        return {
            tank: {at: fear * _tenths(threat - cover[at]) for at, threat in threats.items()}
            for tank, threats in self._threats.items()
        }

    @cached_property
    def _fear(self) -> float:
        """What a certain hit is to be feared: the Germans gather out of reach, and go in together."""
        state, grid = self.state, self.state.setting.grid
        if self.seat == US or state.turn >= self.aims.late or self.hurried:
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
        """For tanks and for others: the sum of the enemy's factors that reach a hex."""
        state, sight = self.state, self.state.setting.sight
        tanks: dict[str, int] = {}
        others: dict[str, int] = {}
        for name in state.field(self.enemy):
            factors = state.factors(name)
            for at in sight.field(state.at(name)):
                tanks[at] = tanks.get(at, 0) + factors.at
                others[at] = others.get(at, 0) + factors.ai
        return {True: tanks, False: others}

    def _shot(self, name: str, at: str) -> float:
        """What a unit alone could hit from a hex: the best chance times what the hit is worth."""
        best, factors, field = 0.0, self.state.factors(name), self.state.setting.sight.field(at)
        for place, tank, cover, prize in self._marks:
            if place in field:
                best = max(best, prize * _tenths((factors.at if tank else factors.ai) - cover))
        return best

    @cached_property
    def _marks(self) -> list[tuple[str, bool, int, float]]:
        """Of each enemy: where it stands, whether it is a tank, what covers it, what a hit is worth."""
        state, setting = self.state, self.state.setting
        return [
            (
                state.at(name),
                state.counter(name).kind == "tank",
                setting.modifiers[setting.terrain[state.at(name)]],
                self._prize(name),
            )
            for name in state.field(self.enemy)
        ]

    def attacks(self) -> list[Shot | Use]:
        """The attacks, the best first: on each enemy by one unit, two …, as many as the card may allow."""
        wishes: list[Shot | Use] = [
            wish for enemy in self.state.field(self.enemy) for wish in self._shots_at(enemy)
        ]
        if self.seat == US and self.state.support == "available":
            wishes.extend(map(self._attack, support.attacks(self.state)))
            wishes.extend(map(self._suppression, support.suppressions(self.state)))
        return _worthy(wishes)

    def _shots_at(self, enemy: str) -> Iterator[Shot]:
        state = self.state
        target, sight = state.at(enemy), state.setting.sight
        able = [name for name in state.field(self.seat) if target in sight.field(state.at(name))]
        anti_tank = state.counter(enemy).kind == "tank"
        able.sort(key=lambda name: -(state.factors(name).at if anti_tank else state.factors(name).ai))
        for group in self._groups(able):
            hit = self._chance(attack_of(state, Fire(group, enemy)))
            yield Shot(hit * self._prize(enemy), group, enemy)

    def _groups(self, able: list[str]) -> Iterator[tuple[str, ...]]:
        """The strongest so many of those able to fire: on a face card of each hex, else of all."""
        state = self.state
        most = state.allowance
        if most is not None:
            yield from (tuple(able[:number]) for number in range(1, min(most + 1, len(able)) + 1))
            return
        for at in dict.fromkeys(state.at(name) for name in able):
            stack = [name for name in able if state.at(name) == at]
            yield from (tuple(stack[:number]) for number in range(1, len(stack) + 1))

    def _attack(self, order: Plain) -> Use:
        [(way, targets)] = order.items()
        hit = self._chance(attack_of(self.state, Support(way, tuple(targets))))
        return Use(hit * sum(map(self._prize, targets)), order)

    def _suppression(self, order: Plain) -> Use:
        near = self.state.setting.grid.within(order["suppress"], 1)
        hindered = sum(self.state.at(name) in near for name in self.state.field(GERMAN))
        return Use(self.aims.suppress * hindered, order)

    def _chance(self, attack: Attack) -> float:
        """The chance of a hit, face cards drawn again."""
        numbers, ends = self._cards
        return bisect(numbers, highest(self.state, attack)) / ends

    @cached_property
    def _cards(self) -> tuple[list[int], int]:
        return left(self.state, self.seat, "redraw")

    def _prize(self, enemy: str) -> float:
        """What a hit on an enemy is worth: the factors that it takes away, and more for the last step."""
        counter, aims = self.state.counter(enemy), self.aims
        full, reduced = (each.at + each.ai for each in (counter.full, counter.reduced))
        last = self.state.units[enemy].reduced
        return aims.attack * (aims.kill + reduced if last else aims.flip + full - reduced)


@lru_cache(maxsize=4096)
def exits(grid: Grid, held: frozenset[str]) -> Mapping[str, int]:
    """From each hex the cheapest way off the map in the west, where the US units hold some."""
    edge = {at: 1 for at in grid.numbers if grid.column(at) == grid.first_column}
    return ways(edge, grid.adjacent, lambda at: 1 + BLOCK if at in held else 1)


@cache
def distances(grid: Grid, goal: str) -> Mapping[str, int]:
    """How far it is to a hex from each."""
    return {at: grid.distance(at, goal) for at in grid.numbers}


def _tenths(hits: int) -> float:
    """About the chance of a hit where so many numbers hit."""
    return min(max(hits, 0), 10) / 10


def _worthy(wishes: list[W]) -> list[W]:
    """What is worth something, the best first."""
    return sorted([wish for wish in wishes if wish.worth > 0], key=lambda wish: -wish.worth)
