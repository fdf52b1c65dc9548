"""The chances of possible attacks (R4.4, R4.5, R6, R7), and the forecast of orders before signing.

A forecast gives chances, obligations, and where aircraft will land. For several attacks in one answer it
gives the exact chance of each, and of each number of successes. Attacks are carried out in the order written,
as in the rules (R4.4 to R4.6, R6.5, R7.3), but without throws: after each attack all possibilities with the
same fate of the units that still matter count as one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from pbem.core.requests import Orders, accepts
from pbem.core.rules import Advice, Forecast, Odds
from pbem.core.sentences import joined, listed
from pbem.games.rommel.rules import air, combat, fire, flak, flights, movement
from pbem.games.rommel.rules.combat import hit_chance, survival_chance, win_chance
from pbem.games.rommel.rules.orders import (
    Answer,
    Attack,
    Bomb,
    Dogfight,
    Fly,
    Land,
    Move,
    Question,
    Shot,
    StandDown,
    StandingOrder,
)
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import ALLIED, FLAK_HITS, order_words, other_side
from pbem.games.rommel.view import typed_orders
from pbem.games.rommel.view.names import format_chance
from pbem.texts import Texts, number, percent

tr = Texts("pbem.games.rommel")


def attack_odds(ask: Question) -> list[Odds]:
    """The bombs, dogfights, shots and combats that may be ordered, each with its exact chance."""
    state = ask.state
    found = (each for some in ATTACK_FINDERS.get(ask.question, ()) for each in some(state))
    return [each for each in found if accepts(ask.read, each.orders)]


def _bomb_odds(state: State) -> Iterator[Odds]:
    """Each bomber on each enemy land unit in reach, from where it is or after the best flight."""
    for name in state.air_force(state.active):
        if state.kind(name) == "bomber":
            for at, flight, guns in _flight_options(state, name):
                target = state.ground.get(at)
                if target is not None and state.side(target) != state.active:
                    faces = air.bombing_faces(state, target)
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
    """Each unit on each enemy land unit it can hit."""
    for name in state.army(state.active):
        for target in state.army(other_side(state.active)):
            faces = fire.hitting_faces(state, name, target)
            if faces:
                yield _make_odds([{"fire": name, "at": target}], hit_chance(faces), describe_throw(faces))


def _combat_odds(state: State) -> Iterator[Odds]:
    """Each unit on each adjacent enemy, and all together, with the compulsory attacks of others (R5.5)."""
    for units, target in _combats(state, ()):
        attack = {"attack": units, "on": [target]}
        orders = [attack, *_attacks_of_others(state, units, target)]
        yield _combat_odds_of(state, orders, typed_orders.write([attack])[0] if len(orders) > 1 else "")


def further_odds(ask: Question, orders: Orders) -> list[Odds]:
    """The combats that may follow orders, with their chances, of units not named in these orders.

    A combat with a unit already named has a chance that depends on the result of the first (R6.5).
    """
    if ask.question != Phase.COMBAT:
        return []
    named = [name for order in orders for name in (*order.get("attack", ()), *order.get("on", ()))]
    attacks = ({"attack": units, "on": [target]} for units, target in _combats(ask.state, named))
    return [_combat_odds_of(ask.state, [attack], "") for attack in attacks]


def _combats(state: State, named: Collection[str]) -> Iterator[tuple[list[str], str]]:
    """R6.1: each unit with each adjacent enemy, and all those adjacent to one, without the units `named`."""
    for target in state.army(other_side(state.active)):
        near = (state.ground.get(at, "") for at in state.setting.grid.adjacent(state.at(target)))
        able = [
            name
            for name in near
            if name and state.side(name) == state.active and combat.may_attack(state, name)
        ]
        free = [name for name in able if name not in named]
        if target not in named:
            yield from (([name], target) for name in free)
            if len(free) > 1:
                yield free, target


def _attacks_of_others(state: State, units: Sequence[str], target: str) -> Orders:
    """R5.5, R6.1: the compulsory attacks of other units, those on the same enemy together."""
    attackers: dict[str, list[str]] = {}
    for name, owed in combat.attacks_due(state).items():
        if name not in units:
            free = [one for one in owed if one != target] or owed
            attackers.setdefault(next((one for one in free if one not in attackers), free[0]), []).append(
                name
            )
    return [{"attack": names, "on": [one]} for one, names in attackers.items()]


def _combat_odds_of(state: State, orders: Orders, alone: str) -> Odds:
    """R6.2: the chance of the first of these attacks."""
    units, on = orders[0]["attack"], orders[0]["on"]
    attack, defence = combat.strength(state, units, False), combat.strength(state, on, True)
    return _make_odds(orders, win_chance(attack, defence), describe_factors(attack, defence), alone)


def _make_odds(orders: Orders, chance: Fraction, why: str, alone: str = "") -> Odds:
    return Odds(orders, "; ".join(typed_orders.write(orders)), chance, why, alone)


def describe_factors(attack: int, defence: int) -> str:
    """R6.2: the factors of both sides in words."""
    return tr("{attack} against {defence}", attack=attack, defence=defence)


def describe_throw(faces: tuple[int, ...]) -> str:
    """The faces with which a throw hits, in words."""
    return tr("a roll of {faces}", faces=joined(faces, "or"))


def _add_guns(guns: int, sum_: str) -> str:
    """R4.4: the calculation of an attack by aircraft, with the number of guns that fire first."""
    return (
        tr.plural("{sum}, facing {number} gun", "{sum}, facing {number} guns", guns, sum=sum_)
        if guns
        else sum_
    )


ATTACK_FINDERS: Mapping[str, tuple[Callable[[State], Iterator[Odds]], ...]] = {
    Phase.AIR: (_bomb_odds, _dogfight_odds),
    Phase.FIRE: (_shot_odds,),
    Phase.COMBAT: (_combat_odds,),
}
"""By question: the attacks it allows."""


class Prospects(Struct, frozen=True):
    """The chance of each attack, in the order written, and of each number of successes, from none.

    `lives`: for each aircraft under fire, the chance that it survives (R4.4).
    """

    each: tuple[Fraction, ...]
    together: tuple[Fraction, ...]
    lives: dict[str, Fraction]


class Possibility(NamedTuple):
    """One possible course of events: its chance, the state, the guns spent, the successes so far."""

    chance: Fraction
    state: State
    spent: tuple[str, ...] = ()
    successes: int = 0


AttackStep: TypeAlias = Callable[[Possibility], Iterable[Possibility]]
"""An attack or a gun's fire: from one possibility to all that can follow it."""


def combat_prospects(state: State, attacks: Sequence[Attack]) -> Prospects:
    """R6.5: the prospects of combats on the ground."""
    return _ground_prospects(state, [(_combat_step(one), (*one.units, *one.on)) for one in attacks])


def shot_prospects(state: State, shots: Sequence[Shot]) -> Prospects:
    """R7.3: the prospects of fire; each shot keeps the faces it was declared with."""
    acts = [(_shot_step(one, fire.hitting_faces(state, one.unit, one.at)), (one.at,)) for one in shots]
    return _ground_prospects(state, acts)


def sortie_prospects(state: State, answer: Answer) -> Prospects:
    """R4.4, R4.5: the prospects of flights under fire, then bombs and dogfights."""
    flown = {order.unit: order.path for order in answer if isinstance(order, Fly)}
    attacks = [order for order in answer if isinstance(order, (Bomb, Dogfight))]
    attackers = [name for order in attacks for name in _attacking_aircraft(order)]
    paths = {**flown, **{name: (state.at(name),) for name in attackers if name not in flown}}
    ways = [Possibility(Fraction(1), state)]
    for name, path in paths.items():
        ways = _merge_equivalent(
            (after for way in ways for after in _flight_possibilities(way, name, path)), tuple(paths)
        )
    lives = {name: sum((way.chance for way in ways if way.state.on_map(name)), Fraction(0)) for name in paths}
    acts = [
        (_bomb_step(one), (one.unit, *_target_below(state, one, paths)))
        if isinstance(one, Bomb)
        else (_combat_step(one), (*one.units, *one.on))
        for one in attacks
    ]
    found = _prospects([way._replace(spent=()) for way in ways], acts)
    return Prospects(found.each, found.together, {name: p for name, p in lives.items() if p < 1})


def _attacking_aircraft(order: Bomb | Dogfight) -> tuple[str, ...]:
    return (order.unit,) if isinstance(order, Bomb) else order.units


def _target_below(state: State, order: Bomb, paths: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The unit on the ground in the hex where a bomber will be."""
    at = paths[order.unit][-1]
    return (state.ground[at],) if at in state.ground else ()


def _ground_prospects(state: State, acts: Sequence[tuple[AttackStep, tuple[str, ...]]]) -> Prospects:
    """The prospects of attacks on the ground: independent groups are computed separately, then combined."""
    each = [Fraction(0)] * len(acts)
    together: tuple[Fraction, ...] = (Fraction(1),)
    for group in _groups([set(units) for _, units in acts]):
        found = _prospects([Possibility(Fraction(1), state)], [acts[index] for index in group])
        for index, chance in zip(group, found.each, strict=True):
            each[index] = chance
        together = _sum_distribution(together, found.together)
    return Prospects(tuple(each), together, {})


def _groups(involved: Sequence[set[str]]) -> list[list[int]]:
    """Group attacks that share units, directly or through others, as lists of their indices."""
    groups: list[tuple[set[str], list[int]]] = []
    for index, units in enumerate(involved):
        joined = [group for group in groups if group[0] & units]
        groups = [group for group in groups if not group[0] & units]
        numbers = sorted([index, *(one for _, some in joined for one in some)])
        groups.append((units.union(*(some for some, _ in joined)), numbers))
    return [numbers for _, numbers in groups]


def _sum_distribution(some: Sequence[Fraction], others: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The distribution of the sum of two independent numbers, given theirs."""
    found = [Fraction(0)] * (len(some) + len(others) - 1)
    for index, chance in enumerate(some):
        for more, other in enumerate(others):
            found[index + more] += chance * other
    return tuple(found)


def _prospects(ways: list[Possibility], acts: Sequence[tuple[AttackStep, tuple[str, ...]]]) -> Prospects:
    """The prospects of attacks, each given with the units on whose fate it depends."""
    each: list[Fraction] = []
    for index, (act, _) in enumerate(acts):
        later = [name for _, units in acts[index + 1 :] for name in units]
        before = _expected_successes(ways)
        ways = _merge_equivalent((after for way in ways for after in act(way)), later)
        each.append(_expected_successes(ways) - before)
    together = [Fraction(0)] * (len(acts) + 1)
    for way in ways:
        together[way.successes] += way.chance
    return Prospects(tuple(each), tuple(together), {})


def _expected_successes(ways: Iterable[Possibility]) -> Fraction:
    """The mean number of successes; an attack adds its chance to it."""
    return sum((way.chance * way.successes for way in ways), Fraction(0))


def _merge_equivalent(ways: Iterable[Possibility], units: Sequence[str]) -> list[Possibility]:
    """Merge possibilities that agree in what matters: the fate of `units`, guns spent, successes."""
    found: dict[object, Possibility] = {}
    for way in ways:
        fate = tuple([way.state.units[name] for name in units])
        key = fate, frozenset(way.spent), way.successes, bool(way.state.army(ALLIED))
        same = found.get(key)
        found[key] = way if same is None else same._replace(chance=same.chance + way.chance)
    return list(found.values())


def _split_by_chance(
    way: Possibility, chance: Fraction, hit: Iterable[str], missed: Iterable[str] = ()
) -> Iterator[Possibility]:
    """Split by chance: a success, which hits some units, and a failure, which hits others (R1.3)."""
    for part, units, success in ((chance, hit, 1), (1 - chance, missed, 0)):
        if part:
            state = way.state
            for name in units:
                state = state.hit(name)
            yield Possibility(way.chance * part, state, way.spent, way.successes + success)


def _combat_step(order: Attack | Dogfight) -> AttackStep:
    """R6.2 to R6.5: the remaining units fight, unless a side is gone or the game is over (R8.3)."""

    def act(way: Possibility) -> Iterable[Possibility]:
        state = way.state
        units = [name for name in order.units if state.on_map(name)]
        on = [name for name in order.on if state.on_map(name)]
        if not units or not on or not state.army(ALLIED):
            return [way]
        attack, defence = combat.strength(state, units, False), combat.strength(state, on, True)
        return _split_by_chance(way, win_chance(attack, defence), on, units)

    return act


def _shot_step(order: Shot, faces: tuple[int, ...]) -> AttackStep:
    """R7.3: a shot; it is lost if the target is gone."""

    def act(way: Possibility) -> Iterable[Possibility]:
        if not way.state.on_map(order.at) or not way.state.army(ALLIED):
            return [way]
        return _split_by_chance(way, hit_chance(faces), [order.at])

    return act


def _bomb_step(order: Bomb) -> AttackStep:
    """R4.5: a bomb, if the bomber and the enemy below it survive."""

    def act(way: Possibility) -> Iterable[Possibility]:
        state = way.state
        if not state.on_map(order.unit) or not state.army(ALLIED):
            return [way]
        target = air.bomb_target(state, order.unit, state.at(order.unit))
        return (
            [way]
            if target is None
            else _split_by_chance(way, hit_chance(air.bombing_faces(state, target)), [target])
        )

    return act


def _flight_possibilities(way: Possibility, name: str, path: tuple[str, ...]) -> Iterator[Possibility]:
    """R4.4: an aircraft flies along a path until a gun hits it; each gun fires once in a sub-turn."""
    state, aiming = way.state, flak.guns_against(way.state, name)
    for at in flak.exposed_hexes(state, name, path):
        for gun in flak.guns_in_range(state, aiming, at):
            if gun not in way.spent:
                way = way._replace(spent=(*way.spent, gun))
                shot_down = hit_chance((FLAK_HITS,))
                yield way._replace(chance=way.chance * shot_down, state=way.state.hit(name))
                way = way._replace(chance=way.chance * (1 - shot_down))
    yield way._replace(state=way.state.with_unit_at(name, path[-1]))


def forecast_orders(ask: Question, orders: Orders) -> Forecast:
    """R4 to R7: chances and obligations not visible in the orders themselves. Raises `IllegalOrder`."""
    if ask.question not in FORECAST_PHASES:
        return Forecast()
    state, answer = ask.state, ask.read(orders)
    standing = tuple(_standing_order_lines(answer))
    match ask.question:
        case Phase.AIR:
            lines = tuple(_sortie_lines(state, answer))
            return Forecast((*lines, *standing), tuple(_landing_lines(state, answer)))
        case Phase.MOVE:
            return Forecast((*_duty_lines(state, answer), *standing))
        case Phase.FIRE:
            shots = [order for order in answer if isinstance(order, Shot)]
            return Forecast((*_shot_lines(shot_prospects(state, shots)), *standing))
    attacks = [order for order in answer if isinstance(order, Attack)]
    return Forecast((*_combat_lines(combat_prospects(state, attacks)), *standing))


FORECAST_PHASES = (Phase.AIR, Phase.MOVE, Phase.FIRE, Phase.COMBAT)
"""The questions whose orders have a forecast."""


def _standing_order_lines(answer: Answer) -> Iterator[str]:
    """R4.4: what guns will fire at from now on."""
    for order in answer:
        if isinstance(order, StandingOrder):
            guns = joined(order.units) if order.units else tr("all your anti-aircraft guns")
            match order.fire:
                case "hold":
                    yield tr("From now on {guns} will not fire at aircraft (R4.4)", guns=guns)
                case "bombers":
                    yield tr("From now on {guns} will fire at bombers only (R4.4)", guns=guns)
                case _:
                    yield tr("From now on {guns} will fire at every enemy aircraft (R4.4)", guns=guns)


def explain_advice(ask: Question, advice: Advice) -> list[str]:
    """The reasons for orders: their exact chances, and the results of playouts up to the next movement."""
    lines = list(_exact_chances(ask.state, ask.read(advice.orders)))
    figures = advice.figures
    if figures:
        lines.append(
            tr(
                "combat factors lost before its next movement: {allied} by the Allies, {axis} by the Axis",
                allied=number(figures["allied lost"], ".1f"),
                axis=number(figures["axis lost"], ".1f"),
            )
        )
        lines.append(
            tr("victory points with Allied units by then: {points}", points=number(figures["points"], ".1f"))
        )
    return lines


def _exact_chances(state: State, answer: Answer) -> Iterator[str]:
    """R6.2, R7.1: the chance of each combat and shot, and who has to attack (R5.5)."""
    due = combat.attacks_due(state)
    for order in answer:
        if isinstance(order, Attack):
            attack, defence = (
                combat.strength(state, order.units, False),
                combat.strength(state, order.on, True),
            )
            yield tr(
                "{units} on {targets}: {odds}",
                units=joined(order.units),
                targets=joined(order.on),
                odds=_odds_clause(attack, defence),
            )
            for unit in filter(due.get, order.units):
                fights = reduce(_either_fight, due[unit])
                yield tr("{unit} must attack {fights} (R5.5)", unit=unit, fights=fights)
        elif isinstance(order, Shot):
            hit = hit_chance(fire.hitting_faces(state, order.unit, order.at))
            yield tr(
                "{unit} at {target}: hits {chance} of the time",
                unit=order.unit,
                target=order.at,
                chance=format_chance(hit),
            )


def _shot_lines(found: Prospects) -> tuple[str, ...]:
    """R7: how many of several shots hit."""
    numbers = _success_chances(found)
    return (tr("Shots that hit: {numbers}", numbers=numbers),) if numbers else ()


def _combat_lines(found: Prospects) -> tuple[str, ...]:
    """R6: how many of several combats are won."""
    numbers = _success_chances(found)
    return (tr("Combats won: {numbers}", numbers=numbers),) if numbers else ()


def _success_chances(found: Prospects) -> str:
    """The chance of each number of successes; empty for a single attack."""
    if len(found.each) < 2:
        return ""
    return listed(
        f"{_number_word(of)} {_format_per_cent(part)}" for of, part in enumerate(found.together) if part
    )


def _number_word(successes: int) -> str:
    """The number of successes, as a word if it is small."""
    words = (
        tr.sense("of attacks that succeed", "none"),
        tr.sense("of attacks that succeed", "one"),
        tr.sense("of attacks that succeed", "two"),
        tr.sense("of attacks that succeed", "three"),
        tr.sense("of attacks that succeed", "four"),
        tr.sense("of attacks that succeed", "five"),
        tr.sense("of attacks that succeed", "six"),
        tr.sense("of attacks that succeed", "seven"),
        tr.sense("of attacks that succeed", "eight"),
    )
    return words[successes] if successes < len(words) else str(successes)


def _format_per_cent(exact: Fraction) -> str:
    """A chance as a percentage; an uncertain one is never rounded to 0% or 100%."""
    rounded = round(100 * exact)
    if rounded == 0 or (rounded == 100 and exact < 1):
        if rounded == 0:
            return tr("under {chance}", chance=percent(0.01))
        return tr("over {chance}", chance=percent(0.99))
    return percent(float(exact))


def _duty_lines(state: State, answer: Answer) -> Iterator[str]:
    """R5.5: the compulsory attacks of moved units, with the chances of each unit and of all together."""
    after, owed = state, dict[str, tuple[str, ...]]()
    for order in answer:
        if isinstance(order, Move):
            after = movement.state_after(after, order)
            if targets := movement.targets_to_attack(after, order.unit, order.path[-1]):
                owed[order.unit] = targets
    for name, targets in owed.items():
        frees = state.setting.options.fire_frees_from_combat and fire.fires_or_fights(state, name)
        fights = reduce(
            _either_fight, (f"{target}: {_fight_clause(after, [name], target)}" for target in targets)
        )
        if frees:
            yield tr("{unit} must attack {fights}, or fire (R5.5)", unit=name, fights=fights)
        else:
            yield tr("{unit} must attack {fights} (R5.5)", unit=name, fights=fights)
    for target in dict.fromkeys(target for targets in owed.values() for target in targets):
        units = [name for name, targets in owed.items() if target in targets]
        if len(units) > 1:
            odds = _fight_clause(after, units, target)
            yield tr(
                "{units} together against {target}: {odds}", units=joined(units), target=target, odds=odds
            )


def _either_fight(fights: str, fight: str) -> str:
    """R5.5: a list of fights, one of which is enough."""
    return tr("{fights}; or {fight}", fights=fights, fight=fight)


def _fight_clause(state: State, units: Sequence[str], target: str) -> str:
    """R6.2: the factors of a combat by these units, and its chance."""
    attack, defence = combat.strength(state, units, False), combat.strength(state, [target], True)
    return _odds_clause(attack, defence)


def _odds_clause(attack: int, defence: int) -> str:
    """R6.2: the factors of a combat, and the attacker's chance."""
    odds = format_chance(win_chance(attack, defence))
    return tr(
        "{attack} against {defence}, wins {chance} of the time", attack=attack, defence=defence, chance=odds
    )


def _sortie_lines(state: State, answer: Answer) -> Iterator[str]:
    """R4.4, R4.5: the chances of surviving anti-aircraft fire, of each bomb and dogfight, and of all."""
    found = sortie_prospects(state, answer)
    for name, lives in found.lives.items():
        yield tr(
            "{unit} survives anti-aircraft fire {chance} of the time (R4.4)",
            unit=name,
            chance=format_chance(lives),
        )
    attacks = [order for order in answer if isinstance(order, (Bomb, Dogfight))]
    board = state
    for order in answer:
        if isinstance(order, Fly):
            board = board.with_unit_at(order.unit, order.path[-1])
    for attack, succeeds in zip(attacks, found.each, strict=True):
        if isinstance(attack, Bomb):
            yield tr(
                "{unit} hits {target} {chance} of the time (R4.5)",
                unit=attack.unit,
                target=board.ground[board.at(attack.unit)],
                chance=format_chance(succeeds),
            )
        else:
            yield tr.plural(
                "{units} beats {targets} {chance} of the time (R4.5)",
                "{units} beat {targets} {chance} of the time (R4.5)",
                len(attack.units),
                units=joined(attack.units),
                targets=joined(attack.on),
                chance=format_chance(succeeds),
            )
    if numbers := _success_chances(found):
        yield tr("Bombs and dogfights that succeed: {numbers}", numbers=numbers)


def _landing_lines(state: State, answer: Answer) -> Iterator[str]:
    """R4.6: if all survive, where aircraft without landing orders will land, or that they are lost."""
    if not (air.is_last_subturn(state) or any(isinstance(order, StandDown) for order in answer)):
        return
    for order in answer:
        if isinstance(order, Fly):
            state = state.with_unit_at(order.unit, order.path[-1])
        elif isinstance(order, Land):
            state = state.with_changes(landing={**state.landing, **order.places})
    for name, to in air.landing_places(state, state.active).items():
        at = state.at(name)
        if to is None:
            yield tr(
                "{unit} in {at} will find no airfield with room and be eliminated (R4.6)", unit=name, at=at
            )
        elif to != state.landing.get(name, at):
            away = partial(state.setting.grid.distance, at)
            others = [field for field in air.open_airfields(state, state.active) if field != to]
            lands = tr.plural(
                "{unit} in {at} will land on {to}, {number} hex away (R4.6)",
                "{unit} in {at} will land on {to}, {number} hexes away (R4.6)",
                away(to),
                unit=name,
                at=at,
                to=to,
            )
            if others:
                elsewhere = order_words(f"land {name} {min(others, key=away)}")
                yield tr("{lands}; for another airfield: {order}", lands=lands, order=elsewhere)
            else:
                yield lands
