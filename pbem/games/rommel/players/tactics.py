"""The sensible player on the ground: targets of fire and attack (R6, R7), and moves (R5).

It moves for strikes at good odds, then moves the other units to better places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations

from msgspec import Struct

from pbem.core.requests import Orders
from pbem.games.rommel.players.outlook import (
    LEAST_FORCED_CHANCE,
    Manner,
    Outlook,
    by_turn,
    combat_chance,
    holds_out,
    loss,
    prize,
)
from pbem.games.rommel.rules import combat, fire, movement
from pbem.games.rommel.rules.combat import hit_chance
from pbem.games.rommel.rules.orders import Move
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.rules.weather import gun_range
from pbem.games.rommel.terms.setting import AXIS, MAY_FIRE, other_side


class Gunnery:
    """The enemies as targets, in today's weather and where they are now."""

    def __init__(self, state: State, seat: str) -> None:
        self._state = state
        self._targets = state.army(other_side(seat))
        self._best: dict[str, dict[str, float]] = {}

    def worth(self, name: str, at: str) -> float:
        """The value of a unit's best shot from a hex."""
        if self._state.kind(name) not in MAY_FIRE:
            return 0.0
        row = fire.row(self._state, name)
        if row not in self._best:
            self._best[row] = self._best_shots(row)
        return self._best[row].get(at, 0.0)

    def _best_shots(self, row: str) -> dict[str, float]:
        """The value of the best shot, by hex, for the units of a row of the fire table."""
        state, within = self._state, self._state.setting.grid.within
        table, best = state.setting.fire[row], dict[str, float]()
        most = gun_range(table.reach, state.weather)
        for target in self._targets if most > 0 else ():
            faces = table.hits.get(fire.column(state, target), ())
            worth = float(hit_chance(faces)) * prize(state, target)
            for at in within(state.at(target), most) if worth else ():
                if worth > best.get(at, 0.0):
                    best[at] = worth
        return best


LEAST_CHANCE = 0.2
"""The least chance of winning for a voluntary attack before the last turn."""
LEAST_SHOT_WORTH = 0.2
"""The least value of a shot worth firing."""


class Assault(Struct, frozen=True):
    """An attack on one enemy, with its value and the chance to win it."""

    units: tuple[str, ...]
    target: str
    worth: float = 0.0
    won: float = 0.0


def fire_orders(state: State, seat: str, manner: Manner) -> Orders:
    """The sensible player's fire, the best shots first; empty if nobody fires.

    An enemy that will be attacked at good odds needs no shot; its loss would not free its attackers (R5.5).
    If the manner keeps guns for fire, those that have a target do not count as attackers.
    """
    guns = [name for name in state.army(seat) if manner.shot and fire.fires_or_fights(state, name)]
    kept = [name for name in guns if fire.targets(state, name)]
    spared = {each.target: 1 - each.won for each in _worthwhile_assaults(state, seat, manner, kept)}
    wanted = [
        (float(hit_chance(faces)) * prize(state, target) * spared.get(target, 1.0), name, target)
        for name in state.army(seat)
        for target in fire.targets(state, name)
        if (faces := fire.hitting_faces(state, name, target))
    ]
    wanted.sort(key=lambda shot: -shot[0])
    standing: dict[str, float] = {}
    orders: Orders = []
    fired: set[str] = set()
    while wanted:
        worth, name, target = max(wanted, key=lambda shot: shot[0] * standing.get(shot[2], 1.0))
        left = standing.get(target, 1.0)
        if worth * left < LEAST_SHOT_WORTH:
            break
        fired.add(name)
        orders.append({"fire": name, "at": target})
        standing[target] = left * (1 - worth / prize(state, target))
        wanted = [shot for shot in wanted if shot[1] not in fired]
    return orders


def attack_orders(state: State, seat: str, manner: Manner) -> Orders:
    """The sensible player's combats: the worthwhile ones, and the compulsory ones (R5.5)."""
    assaults = _add_obligations(state, _worthwhile_assaults(state, seat, manner))
    while better := _with_support_moved(state, assaults, manner):
        assaults = better
    return assault_orders(state, assaults)


def assault_orders(state: State, assaults: list[Assault]) -> Orders:
    """The orders for these attacks, and for further compulsory ones (R5.5)."""
    return [{"attack": list(each.units), "on": [each.target]} for each in _add_obligations(state, assaults)]


def _with_support_moved(state: State, assaults: list[Assault], manner: Manner) -> list[Assault] | None:
    """The attacks with one unit moved from one to another, if they are then worth more together.

    Of two that came to attack together, one may join a better attack; the other must attack all the same
    (R5.5), at poor odds.
    """
    due, times = combat.attacks_due(state), Counter(each.target for each in assaults)
    alone = [each for each in assaults if times[each.target] == 1]  # not a tank attacked twice (R1.3)
    for weak, strong in permutations(alone, 2):
        for name in strong.units:
            if weak.target not in due.get(name, combat.enemies_within_reach(state, name)):
                continue
            rest = tuple(unit for unit in strong.units if unit != name)
            new = [Assault((*weak.units, name), weak.target)] + [Assault(rest, strong.target)] * bool(rest)
            if _total_worth(state, new, manner) > _total_worth(state, [weak, strong], manner):
                return [each for each in assaults if each not in (weak, strong)] + new
    return None


def _total_worth(state: State, assaults: Iterable[Assault], manner: Manner) -> float:
    return sum(_expected_gain(state, each.units, each.target, manner)[0] for each in assaults)


def _worthwhile_assaults(
    state: State, seat: str, manner: Manner, without: Iterable[str] = ()
) -> list[Assault]:
    """The attacks worth their risk, best first, with each unit in at most one."""
    assaults: list[Assault] = []
    busy = set(without)
    targets = list(state.army(other_side(seat)))
    while targets:
        found = [_best_assault(state, seat, target, busy, manner) for target in targets]
        best = max(found, key=lambda assault: assault.worth)
        if best.worth <= 0:
            break
        assaults.append(best)
        busy.update(best.units)
        again = manner.twice and holds_out(state, best.target)
        state = state.hit(best.target) if again else state
        targets = [each.target for each in found if each.units and (again or each.target != best.target)]
    return assaults


def _best_assault(state: State, seat: str, target: str, busy: set[str], manner: Manner) -> Assault:
    """The best attack on an enemy by the strongest adjacent unit, the two strongest, and so on."""
    able = [
        name
        for at in state.setting.grid.adjacent(state.at(target))
        if (name := state.ground.get(at)) is not None
        and state.side(name) == seat
        and name not in busy
        and state.kind(name) != "supply"
        and combat.may_attack(state, name)
    ]
    able.sort(key=lambda name: -state.combat(name))
    groups = [tuple(able[:number]) for number in range(1, len(able) + 1)]
    found = [_rate_assault(state, group, target, manner) for group in groups]
    return max(found, key=lambda assault: assault.worth, default=Assault((), target))


def _rate_assault(state: State, units: tuple[str, ...], target: str, manner: Manner) -> Assault:
    """An attack with its expected value; 0 at poor odds, as long as a later turn might offer better ones."""
    gain, won = _expected_gain(state, units, target, manner)
    hopeless = won < LEAST_CHANCE and state.turn < state.setting.options.final_turn
    return Assault(units, target, 0.0 if hopeless else gain, won)


def _expected_gain(state: State, units: tuple[str, ...], target: str, manner: Manner) -> tuple[float, float]:
    """The expected value of an attack, less that of its own losses, and the chance to win it."""
    won = combat_chance(combat.strength(state, units, False), combat.strength(state, [target], True))
    cost = (1 - won) * by_turn(state, manner.risk) * sum(loss(state, name) for name in units)
    return won * prize(state, target) - cost, won


def _add_obligations(state: State, assaults: list[Assault]) -> list[Assault]:
    """The attacks, changed so that every unit that must attack (R5.5) takes part in one."""
    for name, left in combat.attacks_due(state).items():
        mine = next((each for each in assaults if name in each.units), None)
        if mine is not None and mine.target in left:
            continue
        if mine is not None:
            assaults.remove(mine)
            rest = tuple(unit for unit in mine.units if unit != name)
            if rest:
                assaults.append(Assault(rest, mine.target))
        joined = next((each for each in assaults if each.target in left), None)
        if joined is not None:
            assaults.remove(joined)
            assaults.append(Assault((*joined.units, name), joined.target))
        else:
            weakest = min(left, key=lambda target: combat.strength(state, [target], True))
            assaults.append(Assault((name,), weakest))
    return assaults


CONFIDENT = 0.9
"""The chance of winning at which a strike needs no more units."""
HOLD_VILLAGE = 20.0
"""The value of being in the village to guard."""
WORTH_A_SHOT = 1.0
"""The least value of the best shot within reach for which a gun is kept back."""
SUPPLY_DISTANCE = 4
"""How many hexes supply stays behind the units it supplies."""


class Strike(Struct, frozen=True):
    """An attack on one enemy: the moves for it, the units already adjacent, and its value."""

    target: str
    moves: tuple[tuple[str, str], ...]
    standing: tuple[str, ...]
    worth: float


class March:
    """The plan of one side's ground movement: the orders so far, and the board after them."""

    def __init__(self, state: State, seat: str, manner: Manner) -> None:
        self.state = state
        self.seat = seat
        self.manner = manner
        self.outlook = Outlook(state, seat, manner)
        self.gunnery = Gunnery(state, seat)
        self.pace = by_turn(state, manner.pace)
        self.caution = by_turn(state, manner.caution)
        self.risk = by_turn(state, manner.risk)
        self.orders: Orders = []
        self.busy: set[str] = set()
        self.struck: list[str] = []
        self._shots: dict[str, float] = {}

    def claim_points(self) -> None:
        """R8: the Allies occupy empty points, with the units hardest to drive off."""
        state, points = self.state, self.state.setting.victory_points
        if self.seat == AXIS or all(at in state.ground for at in points):
            return
        army = [name for name in state.army(self.seat) if state.at(name) not in points]
        near = {name: self.outlook.reach(state, name) for name in army}
        open_to_us = [
            at for at in points if at not in state.ground and any(at in spread for spread in near.values())
        ]
        for at in sorted(open_to_us, key=lambda at: sum(at in spread for spread in near.values())):
            able = [name for name in army if at in near[name] and name not in self.busy]
            able = [name for name in able if self._prospect(name, at) >= LEAST_FORCED_CHANCE]
            able.sort(key=lambda name: self.outlook.peril(name, at) - self._prospect(name, at))
            for name in able:
                path = self.outlook.reach(self.state, name).get(at)
                if path is not None and movement.in_supply(self.state, name):
                    self._move_unit(name, at, path)
                    self.busy.add(name)
                    break

    def strike(self) -> None:
        """Move for every worthwhile strike, best first."""
        reach = {name: frozenset(self.outlook.initial_reach[name]) for name in self._strikers()}
        strikes = [self._plan_strike(target, reach) for target in self.state.army(self.outlook.enemy)]
        for strike in sorted(strikes, key=lambda strike: -strike.worth):
            if strike.worth > 0:
                self._carry_out(self._plan_strike(strike.target, reach))

    def _strikers(self) -> list[str]:
        """The units that can leave their places for a strike."""
        state = self.state
        kept = (*state.setting.victory_points, *self.outlook.guards.values())
        return [
            name
            for name in state.army(self.seat)
            if state.kind(name) != "supply"
            and state.at(name) not in kept
            and combat.may_attack(state, name)
            and not self._is_kept_for_fire(name)
        ]

    def _is_kept_for_fire(self, name: str) -> bool:
        """R7.2: whether a unit is kept out of strikes because it will have a worthwhile shot."""
        if not self.manner.shot or not fire.fires_or_fights(self.state, name):
            return False
        if name not in self._shots:
            places = (self.state.at(name), *self.outlook.initial_reach[name])
            self._shots[name] = max(self.gunnery.worth(name, at) for at in places)
        return self._shots[name] >= WORTH_A_SHOT

    def _plan_strike(self, target: str, reach: dict[str, frozenset[str]]) -> Strike:
        """The best strike at one enemy possible now."""
        state, near = self.state, self.state.setting.grid.adjacent(self.state.at(target))
        standing = [
            state.ground[at]
            for at in near
            if at in state.ground
            and state.side(state.ground[at]) == self.seat
            and state.ground[at] not in self.busy
        ]
        force = [
            name
            for name in standing
            if state.kind(name) != "supply"
            and combat.may_attack(state, name)
            and not self._is_kept_for_fire(name)
        ]
        spots = [at for at in near if at in state.setting.land and at not in state.ground]
        defence = combat.strength(state, [target], True)
        defence *= 2 if self.manner.twice and holds_out(state, target) else 1
        moves: list[tuple[str, str]] = []
        free = [name for name in reach if name not in self.busy and name not in standing]
        for name in sorted(free, key=lambda name: -state.combat(name)):
            if self._chance(force, defence) >= CONFIDENT or not spots:
                break
            open_to_it = [
                at for at in spots if at in reach[name] and movement.halt_refusal(state, name, at) is None
            ]
            if open_to_it:
                best = max(open_to_it, key=lambda at: self._gain(name, at, (target,), 1.0))
                moves.append((name, best))
                spots.remove(best)
                force.append(name)
        return Strike(target, tuple(moves), tuple(standing), self._worth(target, force, defence, moves))

    def _chance(self, force: list[str], defence: int) -> float:
        return combat_chance(sum(map(self.state.combat, force)), defence) if force else 0.0

    def _worth(self, target: str, force: list[str], defence: int, moves: Iterable[tuple[str, str]]) -> float:
        """The value of a strike minus its cost if it fails, with the gain or loss from the new places."""
        state, won = self.state, self._chance(force, defence)
        failure = (1 - won) * self.risk * sum(loss(state, name) for name in force)
        gone = (*self.struck, target)
        gained = sum(
            self._gain(name, at, gone, won) - self._gain(name, state.at(name), gone, won)
            for name, at in moves
        )
        return won * prize(state, target) - failure + gained if won >= LEAST_FORCED_CHANCE else 0.0

    def _gain(self, name: str, at: str, gone: Sequence[str], won: float) -> float:
        """The value of the hex itself for a unit that strikes from there: its point minus its danger."""
        point = (
            by_turn(self.state, self.manner.take_point) if at in self.state.setting.victory_points else 0.0
        )
        return won * point - self.caution * self.outlook.danger(name, at, gone)

    def _carry_out(self, strike: Strike) -> None:
        """Make the moves for a strike, if all of them are possible as planned."""
        if strike.worth <= 0:
            return
        state, orders = self.state, []
        for name, to in strike.moves:
            path = self.outlook.reach(state, name).get(to)
            if path is None or not movement.in_supply(state, name):
                return
            orders.append({"move": name, "path": list(path)})
            state = movement.state_after(state, Move(name, path))
        self.state = state
        self.orders.extend(orders)
        self.struck.append(strike.target)
        self.busy.update(name for name, _ in strike.moves)
        self.busy.update(strike.standing)

    def improve_places(self) -> None:
        """Move the other units to better places, those in front first; then let supply follow."""
        state = self.state
        army = [name for name in state.army(self.seat) if name not in self.busy]
        army.sort(key=lambda name: self.outlook.distance_to_goal(name, state.at(name)))
        for name in army:
            if state.kind(name) != "supply":
                self._move_to_better_place(name)
        supplies = [name for name in army if state.kind(name) == "supply"]
        front = [name for name in state.army(self.seat) if state.kind(name) != "supply"]
        front.sort(key=lambda name: self.outlook.distance_to_goal(name, self.state.at(name)))
        for number, name in enumerate(supplies):
            self._follow(name, front[number * len(front) // len(supplies) // 2] if front else name)

    def _move_to_better_place(self, name: str) -> None:
        """Move to the best hex outside enemy zones, or to a victory point with a fair chance (R5.5)."""
        here, points = self.state.at(name), self.state.setting.victory_points
        stay = self._value(name, here)
        held = here in points or here in self.outlook.guards.values()
        if (held and stay >= self.manner.hold_fort) or not movement.in_supply(self.state, name):
            return
        reached = self.outlook.reach(self.state, name)
        zone = self.outlook.zones[self.outlook.enemy]
        values = {
            at: self._value(name, at)
            for at in reached
            if at not in zone or (at in points and self._prospect(name, at) >= LEAST_FORCED_CHANCE)
        }
        best = max(values, key=values.__getitem__, default=here)
        if best != here and values[best] > stay:
            self._move_unit(name, best, reached[best])

    def _value(self, name: str, at: str) -> float:
        """The value of a hex to a unit there."""
        state, outlook = self.state, self.outlook
        value = -self.pace * outlook.distance_to_goal(name, at) - self.caution * outlook.danger(
            name, at, tuple(self.struck)
        )
        if self.manner.shot:
            value += self.manner.shot * self.gunnery.worth(name, at)
        if at in state.setting.victory_points:
            won = self._prospect(name, at)
            value += won * self.manner.hold_point - (1 - won) * loss(state, name)
        if at in state.forts and self.seat == AXIS:
            value += self.manner.hold_fort
        if outlook.guards.get(name) == at:
            value += HOLD_VILLAGE
        return value

    def _prospect(self, name: str, at: str) -> float:
        """R5.5: a unit's chance to win the attack it must make if it enters a hex.

        Idle units adjacent to the same enemy attack with it.
        """
        state = self.state
        targets = () if state.at(name) == at else movement.targets_to_attack(state, name, at)
        chances = [
            combat_chance(
                state.combat(name) + self._factors_beside(foe, name), combat.strength(state, [foe], True)
            )
            for foe in targets
        ]
        return max(chances, default=1.0)

    def _factors_beside(self, foe: str, name: str) -> int:
        """The factors of units that can join an attack on an enemy."""
        state = self.state
        near = [state.ground.get(at) for at in state.setting.grid.adjacent(state.at(foe))]
        return sum(
            state.combat(each)
            for each in near
            if each is not None
            and each != name
            and state.side(each) == self.seat
            and each not in self.busy
            and state.kind(each) != "supply"
            and combat.may_attack(state, each)
            and not self._is_kept_for_fire(each)
        )

    def _follow(self, name: str, served: str) -> None:
        """Keep a supply unit behind the unit it supplies, out of danger."""
        grid, centre = self.state.setting.grid, self.state.at(served)
        room = self.state.setting.supply_radius - SUPPLY_DISTANCE

        def value(at: str) -> float:
            far = abs(grid.distance(at, centre) - SUPPLY_DISTANCE)
            return -far - 2 * self.outlook.danger(name, at, tuple(self.struck)) - (far > room)

        here = self.state.at(name)
        zone = self.outlook.zones[self.outlook.enemy]
        reached = self.outlook.reach(self.state, name)
        places = {at: path for at, path in reached.items() if at not in zone}
        best = max(places, key=value, default=here)
        if best != here and value(best) > value(here):
            self._move_unit(name, best, places[best])

    def _move_unit(self, name: str, to: str, path: tuple[str, ...]) -> None:
        self.orders.append({"move": name, "path": list(path)})
        self.state = movement.state_after(self.state, Move(name, path))


def movement_orders(state: State, seat: str, manner: Manner) -> Orders:
    """The sensible player's movement; empty if all units stay."""
    march = March(state, seat, manner)
    march.claim_points()
    march.strike()
    march.improve_places()
    return march.orders
