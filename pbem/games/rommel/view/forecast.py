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
from pbem.games.rommel.rules.chances import hits, wins
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
from pbem.games.rommel.terms.typed import typed
from pbem.games.rommel.view import prospects
from pbem.games.rommel.view.facts import chance
from pbem.games.rommel.view.prospects import Prospects
from pbem.texts import Texts, number

tr = Texts("pbem.games.rommel")


def forecast(ask: Question, orders: Orders) -> Forecast:
    """R4 to R7: chances and obligations that the orders themselves do not show. Raises `IllegalOrder`."""
    state = ask.state
    match ask.question:
        case Phase.AIR:
            answer = ask.read(orders)
            return Forecast(tuple(_sorties(state, answer)), tuple(_landings(state, answer)))
        case Phase.MOVE:
            return Forecast(tuple(_duties(state, ask.read(orders))))
        case Phase.FIRE:
            shots = [order for order in ask.read(orders) if isinstance(order, Shot)]
            return Forecast(_shots(prospects.of_shots(state, shots)))
        case Phase.COMBAT:
            attacks = [order for order in ask.read(orders) if isinstance(order, Attack)]
            return Forecast(_combats(prospects.of_combats(state, attacks)))
    return Forecast()


def why(ask: Question, advice: Advice) -> list[str]:
    """The reasons for orders: their exact chances, and the results of playouts up to the next movement."""
    lines = list(_exactly(ask.state, ask.read(advice.orders)))
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


def _exactly(state: State, answer: Answer) -> Iterator[str]:
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
                odds=_odds(attack, defence),
            )
        elif isinstance(order, Shot):
            hit = hits(fire.hits(state, order.unit, order.at))
            yield tr(
                "{unit} at {target}: hits in {chance} of cases",
                unit=order.unit,
                target=order.at,
                chance=chance(hit),
            )


def _shots(found: Prospects) -> tuple[str, ...]:
    """R7: how many of several shots hit."""
    numbers = _numbers(found)
    return (tr("Shots that hit: {numbers}", numbers=numbers),) if numbers else ()


def _combats(found: Prospects) -> tuple[str, ...]:
    """R6: how many of several combats are won."""
    numbers = _numbers(found)
    return (tr("Combats won: {numbers}", numbers=numbers),) if numbers else ()


def _numbers(found: Prospects) -> str:
    """The chance of each number of successes; empty for a single attack."""
    if len(found.each) < 2:
        return ""
    return listed(f"{_number(of)} {_per_cent(part)}" for of, part in enumerate(found.together) if part)


def _number(successes: int) -> str:
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


def _per_cent(exact: Fraction) -> str:
    """A chance in per cent; one that is uncertain is not rounded to 0% or 100%."""
    rounded = round(100 * exact)
    if rounded == 0 or (rounded == 100 and exact < 1):
        return tr("under 1%") if rounded == 0 else tr("over 99%")
    return f"{rounded}%"


def _duties(state: State, answer: Answer) -> Iterator[str]:
    """R5.5: the attacks that moved units must make, with the chances of each unit and of all together."""
    after, owed = state, dict[str, tuple[str, ...]]()
    for order in answer:
        if isinstance(order, Move):
            after = movement.after(after, order)
            if zone := movement.entered_zone(after, after.side(order.unit), order.path[-1]):
                owed[order.unit] = zone
    for name, targets in owed.items():
        frees = state.setting.options.fire_frees_from_combat and fire.fires_or_fights(state, name)
        fights = reduce(_either, (f"{target}: {_wins(after, [name], target)}" for target in targets))
        if frees:
            yield tr("{unit} must attack {fights}, or fire (R5.5)", unit=name, fights=fights)
        else:
            yield tr("{unit} must attack {fights} (R5.5)", unit=name, fights=fights)
    for target in dict.fromkeys(target for targets in owed.values() for target in targets):
        units = [name for name, targets in owed.items() if target in targets]
        if len(units) > 1:
            odds = _wins(after, units, target)
            yield tr(
                "{units} together against {target}: {odds}", units=joined(units), target=target, odds=odds
            )


def _either(fights: str, fight: str) -> str:
    """R5.5: a list of fights of which one is enough."""
    return tr("{fights}; or {fight}", fights=fights, fight=fight)


def _wins(state: State, units: Sequence[str], target: str) -> str:
    """R6.2: the factors of a combat by these units, and their chance."""
    attack, defence = combat.strength(state, units, False), combat.strength(state, [target], True)
    return _odds(attack, defence)


def _odds(attack: int, defence: int) -> str:
    """R6.2: the factors of a combat, and the attacker's chance."""
    odds = chance(wins(attack, defence))
    return tr(
        "{attack} against {defence}, wins in {chance} of cases", attack=attack, defence=defence, chance=odds
    )


def _sorties(state: State, answer: Answer) -> Iterator[str]:
    """R4.4, R4.5: the chances to survive anti-aircraft fire, of each bomb and dogfight, and of all."""
    found = prospects.of_sorties(state, answer)
    for name, lives in found.lives.items():
        yield tr(
            "{unit} comes through anti-aircraft fire in {chance} of cases (R4.4)",
            unit=name,
            chance=chance(lives),
        )
    attacks = [order for order in answer if isinstance(order, (Bomb, Dogfight))]
    board = state
    for order in answer:
        if isinstance(order, Fly):
            board = board.moved(order.unit, order.path[-1])
    for attack, succeeds in zip(attacks, found.each, strict=True):
        if isinstance(attack, Bomb):
            yield tr(
                "{unit} hits {target} in {chance} of cases (R4.5)",
                unit=attack.unit,
                target=board.ground[board.at(attack.unit)],
                chance=chance(succeeds),
            )
        else:
            yield tr.plural(
                "{units} beats {targets} in {chance} of cases (R4.5)",
                "{units} beat {targets} in {chance} of cases (R4.5)",
                len(attack.units),
                units=joined(attack.units),
                targets=joined(attack.on),
                chance=chance(succeeds),
            )
    if numbers := _numbers(found):
        yield tr("Bombs and dogfights that succeed: {numbers}", numbers=numbers)


def _landings(state: State, answer: Answer) -> Iterator[str]:
    """R4.6: if all survive, where aircraft without landing orders will land, or that they are lost."""
    if not (landing.now(state) or any(isinstance(order, StandDown) for order in answer)):
        return
    for order in answer:
        if isinstance(order, Fly):
            state = state.moved(order.unit, order.path[-1])
        elif isinstance(order, Land):
            state = state.changed(landing={**state.landing, **order.places})
    for name, to in landing.places(state, state.active).items():
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
                elsewhere = typed(f"land {name} {min(others, key=away)}")
                yield tr("{lands}; for another airfield: {order}", lands=lands, order=elsewhere)
            else:
                yield lands
