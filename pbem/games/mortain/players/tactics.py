"""The moves and attacks that a player might want in a position, each with its worth in steps forward.

An option is added to a list of orders if it fits. Costly results are cached by position: half of the
positions in one answer's playouts are repeated.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from pbem.core.requests import Plain
from pbem.games.mortain.players.outlook import Outlook
from pbem.games.mortain.rules import movement, support
from pbem.games.mortain.rules.activation_builder import ActivationBuilder
from pbem.games.mortain.rules.fire import attack_of, deck_odds, highest_hit
from pbem.games.mortain.rules.orders import Fire, Support
from pbem.games.mortain.rules.state import EXITED, GONE, WAITING, State
from pbem.games.mortain.terms.setting import GERMAN, US, Setting

MOST_RESULTS = 4096
"""How many results are cached at a time."""

T = TypeVar("T")


class PositionCache(Generic[T]):
    """The results of a function of an outlook, by all it depends on: units, seat, aims, and `beside`."""

    def __init__(self, make: Callable[[Outlook], Sequence[T]]) -> None:
        self._make = make
        self._found: dict[tuple[object, ...], tuple[Setting, Sequence[T]]] = {}

    def get(self, outlook: Outlook, *beside: object) -> Sequence[T]:
        """The function's result for an outlook, computed now or earlier for an equal one."""
        setting = outlook.state.setting
        key = id(setting), outlook.seat, outlook.aims, beside, *outlook.state.units.values()
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= MOST_RESULTS:
                self._found.clear()
            # The setting is stored too, so that its `id` cannot be reused for another.
            found = self._found[key] = setting, self._make(outlook)
        return found[1]


class MoveOption(Struct, frozen=True):
    """A movement to one of `ActivationBuilder.goals_of`, and its value."""

    worth: float
    unit: str
    to: str

    def add_to(self, draft: ActivationBuilder) -> bool:
        """Add it to a list if possible. Returns whether it was added."""
        fits = draft.may_act(self.unit) and draft.may_go(self.unit, self.to)
        if fits:
            draft.add_movement(self.unit, self.to)
        return fits


class FireOption(Struct, frozen=True):
    """Fire of some units at an enemy, and its value."""

    worth: float
    firers: tuple[str, ...]
    target: str

    def add_to(self, draft: ActivationBuilder) -> bool:
        """Add it to a list without an attack. Returns whether all was added; if not, the list is spoilt."""
        for name in self.firers:
            if not draft.may_act(name) or self.target not in draft.targets_of(name):
                return False
            draft.add_firer(name, self.target)
        return True


class SupportOption(Struct, frozen=True):
    """A use of support, and its value."""

    worth: float
    order: Plain

    def add_to(self, draft: ActivationBuilder) -> bool:
        """Add it to a list if possible. Returns whether it was added."""
        fits = self.order in (draft.suppressions() if "suppress" in self.order else draft.attacks())
        if fits:
            draft.add_support(self.order)
        return fits


CHOICES = 2
"""How many moves of one unit are considered: the second can be legal when the first would overstack."""

FireTarget: TypeAlias = tuple[int, float, tuple[str, ...], str]
"""Possible fire: the highest card that hits, the value of a hit, the firers, the enemy."""

W = TypeVar("W", MoveOption, FireOption | SupportOption)


def moves(outlook: Outlook) -> Sequence[MoveOption]:
    """The valuable movements, best first, at most two for each unit."""
    return _MOVE_CACHE.get(outlook, outlook.state.turn)


def _weigh_moves(outlook: Outlook) -> list[MoveOption]:
    state, wishes = outlook.state, list[MoveOption]()
    barred = movement.barred_hexes(state, outlook.seat)
    for name in state.army(outlook.seat):
        if state.at(name) not in GONE:
            goals = movement.goals(state, name, barred)
            wishes.extend(_best_first(list(_weigh_moves_of(outlook, name, goals)))[:CHOICES])
    return _best_first(wishes)


def _weigh_moves_of(outlook: Outlook, name: str, goals: list[str]) -> Iterator[MoveOption]:
    """The moves of a unit to `goals`, with their value. Germans do not move away from the exit."""
    at, aims, grid = outlook.state.at(name), outlook.aims, outlook.state.setting.grid
    hexes = [to for to in goals if to != EXITED]
    if at == WAITING:
        for to, worth in outlook.standings(name, hexes).items():
            yield MoveOption(aims.enter + (worth + aims.south * grid.row(to)) / 10, name, to)
        return
    ahead, standings = outlook.steps_to_goal(name), outlook.standings(name, [at, *hexes])
    for to in goals:
        if to == EXITED:
            yield MoveOption(aims.exit, name, to)
        elif outlook.seat == US or ahead[to] <= ahead[at]:
            yield MoveOption(standings[to] - standings[at], name, to)


def attacks(outlook: Outlook) -> list[FireOption | SupportOption]:
    """The attacks, best first: on each enemy by one unit, by two, and so on, as the card allows."""
    aim, state = _AttackOdds(outlook), outlook.state
    wishes: list[FireOption | SupportOption] = [
        FireOption(aim.chance(most) * prize - outlook.aims.price, firers, enemy)
        for most, prize, firers, enemy in _FIRE_CACHE.get(outlook, state.allowance, state.suppressed)
    ]
    if outlook.seat == US and state.support == "available":
        wishes.extend(map(aim.attack, support.attacks(state)))
        wishes.extend(map(aim.suppression, support.suppressions(state)))
    return _best_first(wishes)


def _find_fire_targets(outlook: Outlook) -> list[FireTarget]:
    """The possible fire at each enemy by one unit, by two, and so on, as the card allows."""
    state, found = outlook.state, list[FireTarget]()
    for enemy in state.field(outlook.enemy):
        target, sight = state.at(enemy), state.setting.sight
        able = [name for name in state.field(outlook.seat) if target in sight.field(state.at(name))]
        anti_tank = state.counter(enemy).kind == "tank"
        able.sort(key=lambda name: -(state.factors(name).at if anti_tank else state.factors(name).ai))
        for group in _firing_groups(state, able):
            most = highest_hit(state, attack_of(state, Fire(group, enemy)))
            found.append((most, outlook.prize(enemy), group, enemy))
    return found


def _firing_groups(state: State, able: list[str]) -> Iterator[tuple[str, ...]]:
    """Groups of the strongest units able to fire: for a face card those in each hex, otherwise of all."""
    most = state.allowance
    if most is not None:
        yield from (tuple(able[:number]) for number in range(1, min(most + 1, len(able)) + 1))
        return
    for at in dict.fromkeys(state.at(name) for name in able):
        stack = [name for name in able if state.at(name) == at]
        yield from (tuple(stack[:number]) for number in range(1, len(stack) + 1))


class _AttackOdds:
    """The value of attacks with the remaining cards; face cards are drawn again."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook, self.state = outlook, outlook.state
        self._numbers, self._ends = deck_odds(self.state, outlook.seat, "redraw")

    def attack(self, order: Plain) -> SupportOption:
        """An attack by support, as an option."""
        [(way, targets)] = order.items()
        hit = self.chance(highest_hit(self.state, attack_of(self.state, Support(way, tuple(targets)))))
        return SupportOption(hit * sum(map(self.outlook.prize, targets)), order)

    def suppression(self, order: Plain) -> SupportOption:
        """A suppression, as an option."""
        near = self.state.setting.grid.within(order["suppress"], 1)
        hindered = sum(self.state.at(name) in near for name in self.state.field(GERMAN))
        return SupportOption(self.outlook.aims.suppress * hindered, order)

    def chance(self, most: int) -> float:
        """The chance of a hit, given the highest card that hits."""
        return bisect(self._numbers, most) / self._ends


def _best_first(wishes: list[W]) -> list[W]:
    """The options with a positive value, best first."""
    return sorted([wish for wish in wishes if wish.worth > 0], key=lambda wish: -wish.worth)


_MOVE_CACHE, _FIRE_CACHE = PositionCache(_weigh_moves), PositionCache(_find_fire_targets)
