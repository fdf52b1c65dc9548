"""What the sensible player wants: moves and attacks with their worth, in steps forward.

The Germans walk west by the shortest way round the US units, and shoot their way open. The US units hold
a line of hexes from north to south, west of all Germans, and shoot at what comes near. All that is
seen here is public.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct

from pbem.core.paths import ways
from pbem.core.requests import Plain
from pbem.games.mortain.rules.combat import attack_of
from pbem.games.mortain.rules.movement import entry_column
from pbem.games.mortain.rules.orders import Fire, Support
from pbem.games.mortain.rules.placing import line
from pbem.games.mortain.rules.state import WAITING, State
from pbem.games.mortain.rules.support import groups, suppressions, way_of
from pbem.games.mortain.terms.setting import GERMAN, US
from pbem.games.mortain.view.odds import chance

EXIT = 20.0
"""A German unit exits."""
ENTER = 1.5
"""A unit comes on the map."""
FLIP, KILL = 4.0, 8.0
"""A full unit is hit; a reduced one is."""
SUPPRESS = 0.4
"""A German unit is suppressed."""
EXPOSURE = 0.5
"""A certain hit is to be feared where a unit goes."""
CAUTION = 3.0
"""The same for a German unit that would go in before the others are there."""
NEAR = 4
"""So many hexes from the nearest US unit the Germans gather before they go in."""
MASS = 7
"""So many Germans go in together."""
LATE = 4
"""From this turn on they wait for nobody."""
BLOCK = 4
"""What a German's way through a US hex costs, in steps: it has to be shot open first."""
CHOICES = 2
"""How many moves of one unit are weighed: the second may do where the first would stack three."""


class Wish(Struct, frozen=True):
    """An order and what it is worth."""

    worth: float
    order: Plain


class Outlook(Struct, frozen=True, dict=True):
    """A position as one seat looks at it."""

    state: State
    seat: str

    @property
    def enemy(self) -> str:
        """The other seat."""
        return US if self.seat == GERMAN else GERMAN

    def moves(self) -> list[Wish]:
        """The movements worth something, the best first, and of each unit but the best two."""
        wishes: list[Wish] = []
        for name in self.state.army(self.seat):
            wishes.extend(_worthy(self._moves_of(name))[:CHOICES])
        return _worthy(wishes)

    def _moves_of(self, name: str) -> Iterator[Wish]:
        state, setting = self.state, self.state.setting
        at = state.at(name)
        if at == WAITING:
            column = entry_column(setting, name)
            for to in setting.grid.numbers:
                if setting.grid.column(to) == column:
                    yield Wish(
                        ENTER - self._danger(name, to) - self._way(name, to) / 10, {"enter": name, "at": to}
                    )
        elif state.on_map(name):
            here = self._way(name, at) + self._danger(name, at)
            for to in setting.grid.adjacent(at):
                worth = here - self._way(name, to) - self._danger(name, to)
                yield Wish(worth, {"move": name, "to": to})
            if self.seat == GERMAN and setting.grid.column(at) == setting.west:
                yield Wish(EXIT, {"exit": name})

    def _way(self, name: str, at: str) -> float:
        """How many steps a unit in a hex has to where it wants to go."""
        if self.seat == GERMAN:
            return self._to_exit[at]
        return self.state.setting.grid.distance(at, self._posts[name])

    @cached_property
    def _to_exit(self) -> dict[str, int]:
        """From each hex the cheapest way off the map in the west."""
        setting, held = self.state.setting, self.state.places(US)
        edge = dict.fromkeys(setting.columns[setting.west], 1)
        return ways(edge, setting.grid.adjacent, lambda at: 1 + BLOCK if at in held else 1)

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

    def _danger(self, name: str, at: str) -> float:
        """What a unit in a hex has to fear from the enemies that could fire at it there."""
        setting = self.state.setting
        threat = self._threats["tank" if self.state.counter(name).kind == "tank" else "other"].get(at, 0)
        hits = threat - setting.modifiers[setting.terrain[at]]
        return self._fear * min(max(hits, 0), 10) / 10

    @cached_property
    def _fear(self) -> float:
        """What a certain hit is to be feared: the Germans gather out of reach, and go in together."""
        state, grid = self.state, self.state.setting.grid
        if self.seat == US or state.turn >= LATE:
            return EXPOSURE
        foes = [state.at(name) for name in state.field(US)]
        left = [name for name in state.army(GERMAN) if state.on_map(name) or state.at(name) == WAITING]
        near = [
            name
            for name in left
            if state.on_map(name) and any(grid.distance(state.at(name), foe) <= NEAR for foe in foes)
        ]
        return EXPOSURE if len(near) >= min(MASS, len(left)) else CAUTION

    @cached_property
    def _threats(self) -> dict[str, dict[str, int]]:
        """For tanks and others: the sum of the enemy's factors that reach a hex."""
        threats: dict[str, dict[str, int]] = {"tank": {}, "other": {}}
        for name in self.state.field(self.enemy):
            factors = self.state.factors(name)
            for at in self.state.setting.sight.field(self.state.at(name)):
                threats["tank"][at] = threats["tank"].get(at, 0) + factors.at
                threats["other"][at] = threats["other"].get(at, 0) + factors.ai
        return threats

    def attacks(self) -> list[Wish]:
        """The attacks, the best first: on each enemy by one unit, two …, as many as the card may allow."""
        wishes = [wish for enemy in self.state.field(self.enemy) for wish in self._fire_at(enemy)]
        if self.seat == US and self.state.support == "available":
            assert self.state.card is not None
            way = way_of(self.state.card)
            wishes.extend(self._support({way: group}) for group in groups(self.state))
            wishes.extend(self._support(order) for order in suppressions(self.state))
        return _worthy(wishes)

    def _fire_at(self, enemy: str) -> Iterator[Wish]:
        state = self.state
        target = state.at(enemy)
        anti_tank = state.counter(enemy).kind == "tank"
        able = [
            name for name in state.field(self.seat) if target in state.setting.sight.field(state.at(name))
        ]
        able.sort(key=lambda name: -(state.factors(name).at if anti_tank else state.factors(name).ai))
        for group in self._groups(able):
            fire = Fire(group, enemy)
            hit = float(chance(state, attack_of(state, fire)))
            yield Wish(hit * self._prize(enemy), {"fire": list(group), "at": enemy})

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

    def _support(self, order: Plain) -> Wish:
        state = self.state
        if "suppress" in order:
            grid = state.setting.grid
            near = [
                name for name in state.field(GERMAN) if grid.distance(order["suppress"], state.at(name)) <= 1
            ]
            return Wish(SUPPRESS * len(near), order)
        [(way, targets)] = order.items()
        attack = attack_of(state, Support(way, tuple(targets)))
        return Wish(float(chance(state, attack)) * sum(self._prize(name) for name in targets), order)

    def _prize(self, enemy: str) -> float:
        """What a hit on an enemy is worth: the factors that it takes away, and more for the last step."""
        counter = self.state.counter(enemy)
        full, reduced = (each.at + each.ai for each in (counter.full, counter.reduced))
        return KILL + reduced if self.state.units[enemy].reduced else FLIP + full - reduced


def _worthy(wishes: Iterable[Wish]) -> list[Wish]:
    """What is worth something, the best first."""
    return sorted((wish for wish in wishes if wish.worth > 0), key=lambda wish: -wish.worth)
