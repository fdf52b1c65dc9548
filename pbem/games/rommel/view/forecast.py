"""The forecast of orders before they are signed: chances, obligations, and where aircraft will land."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial, reduce

from pbem.core.requests import Orders
from pbem.core.rules import Advice, Forecast
from pbem.core.sentences import joined, listed
from pbem.games.rommel.rules import combat, fire, movement
from pbem.games.rommel.rules.air import landing
from pbem.games.rommel.rules.chances import hit_chance, win_chance
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
)
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.typed import order_words
from pbem.games.rommel.view import prospects
from pbem.games.rommel.view.facts import format_chance
from pbem.games.rommel.view.prospects import Prospects
from pbem.texts import Texts, number

tr = Texts("pbem.games.rommel")


def forecast_orders(ask: Question, orders: Orders) -> Forecast:
    """R4 to R7: chances and obligations that the orders themselves do not show. Raises `IllegalOrder`."""
    state = ask.state
    match ask.question:
        case Phase.AIR:
            answer = ask.read(orders)
            return Forecast(tuple(_sortie_lines(state, answer)), tuple(_landing_lines(state, answer)))
        case Phase.MOVE:
            return Forecast(tuple(_duty_lines(state, ask.read(orders))))
        case Phase.FIRE:
            shots = [order for order in ask.read(orders) if isinstance(order, Shot)]
            return Forecast(_shot_lines(prospects.shot_prospects(state, shots)))
        case Phase.COMBAT:
            attacks = [order for order in ask.read(orders) if isinstance(order, Attack)]
            return Forecast(_combat_lines(prospects.combat_prospects(state, attacks)))
    return Forecast()


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
            tr("victory points with Allied units then: {points}", points=number(figures["points"], ".1f"))
        )
    return lines


def _exact_chances(state: State, answer: Answer) -> Iterator[str]:
    """R6.2, R7.1: the chance of each combat and of each shot."""
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
        elif isinstance(order, Shot):
            hit = hit_chance(fire.hitting_faces(state, order.unit, order.at))
            yield tr(
                "{unit} at {target}: hits in {chance} of cases",
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
    """A chance in per cent; one that is uncertain is not rounded to 0% or 100%."""
    rounded = round(100 * exact)
    if rounded == 0 or (rounded == 100 and exact < 1):
        return tr("under 1%") if rounded == 0 else tr("over 99%")
    return f"{rounded}%"


def _duty_lines(state: State, answer: Answer) -> Iterator[str]:
    """R5.5: the attacks that moved units must make, with the chances of each unit and of all together."""
    after, owed = state, dict[str, tuple[str, ...]]()
    for order in answer:
        if isinstance(order, Move):
            after = movement.state_after(after, order)
            if zone := movement.entered_zone(after, after.side(order.unit), order.path[-1]):
                owed[order.unit] = zone
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
    """R5.5: a list of fights of which one is enough."""
    return tr("{fights}; or {fight}", fights=fights, fight=fight)


def _fight_clause(state: State, units: Sequence[str], target: str) -> str:
    """R6.2: the factors of a combat by these units, and their chance."""
    attack, defence = combat.strength(state, units, False), combat.strength(state, [target], True)
    return _odds_clause(attack, defence)


def _odds_clause(attack: int, defence: int) -> str:
    """R6.2: the factors of a combat, and the attacker's chance."""
    odds = format_chance(win_chance(attack, defence))
    return tr(
        "{attack} against {defence}, wins in {chance} of cases", attack=attack, defence=defence, chance=odds
    )


def _sortie_lines(state: State, answer: Answer) -> Iterator[str]:
    """R4.4, R4.5: the chances to survive anti-aircraft fire, of each bomb and dogfight, and of all."""
    found = prospects.sortie_prospects(state, answer)
    for name, lives in found.lives.items():
        yield tr(
            "{unit} comes through anti-aircraft fire in {chance} of cases (R4.4)",
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
                "{unit} hits {target} in {chance} of cases (R4.5)",
                unit=attack.unit,
                target=board.ground[board.at(attack.unit)],
                chance=format_chance(succeeds),
            )
        else:
            yield tr.plural(
                "{units} beats {targets} in {chance} of cases (R4.5)",
                "{units} beat {targets} in {chance} of cases (R4.5)",
                len(attack.units),
                units=joined(attack.units),
                targets=joined(attack.on),
                chance=format_chance(succeeds),
            )
    if numbers := _success_chances(found):
        yield tr("Bombs and dogfights that succeed: {numbers}", numbers=numbers)


def _landing_lines(state: State, answer: Answer) -> Iterator[str]:
    """R4.6: if all survive, where aircraft without landing orders will land, or that they are lost."""
    if not (landing.is_last_subturn(state) or any(isinstance(order, StandDown) for order in answer)):
        return
    for order in answer:
        if isinstance(order, Fly):
            state = state.with_unit_at(order.unit, order.path[-1])
        elif isinstance(order, Land):
            state = state.with_changes(landing={**state.landing, **order.places})
    for name, to in landing.landing_places(state, state.active).items():
        at = state.at(name)
        if to is None:
            yield tr(
                "{unit} in {at} finds no airfield with room and will be eliminated (R4.6)", unit=name, at=at
            )
        elif to != state.landing.get(name, at):
            away = partial(state.setting.grid.distance, at)
            others = [field for field in landing.open_airfields(state, state.active) if field != to]
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
