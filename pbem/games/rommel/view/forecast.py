"""What orders come to before they are signed: chances, obligations, and where aircraft will land."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

from pbem.core.requests import Orders
from pbem.core.rules import Advice, Forecast
from pbem.core.sentences import SPELT, counted, joined
from pbem.games.rommel.rules import combat, fire, movement
from pbem.games.rommel.rules.air import landing
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
from pbem.games.rommel.view import prospects
from pbem.games.rommel.view.facts import chance
from pbem.games.rommel.view.odds import hits, wins
from pbem.games.rommel.view.prospects import Prospects


def forecast(ask: Question, orders: Orders) -> Forecast:
    """R4 to R7: what the story of the orders does not tell before the dice. Raises `IllegalOrder`."""
    state = ask.state
    match ask.question:
        case Phase.AIR:
            answer = ask.read(orders)
            return Forecast(tuple(_sorties(state, answer)), tuple(_landings(state, answer)))
        case Phase.MOVE:
            return Forecast(tuple(_duties(state, ask.read(orders))))
        case Phase.FIRE:
            shots = [order for order in ask.read(orders) if isinstance(order, Shot)]
            return Forecast(tuple(_together("Shots that hit", prospects.of_shots(state, shots))))
        case Phase.COMBAT:
            attacks = [order for order in ask.read(orders) if isinstance(order, Attack)]
            return Forecast(tuple(_together("Combats won", prospects.of_combats(state, attacks))))
    return Forecast()


def why(ask: Question, advice: Advice) -> list[str]:
    """What speaks for orders: their exact chances, and what the playouts up to the next movement led to."""
    lines = list(_exactly(ask.state, ask.read(advice.orders)))
    figures = advice.figures
    if figures:
        lost = f"{figures['allied lost']:.1f} by the Allied, {figures['axis lost']:.1f} by the Axis"
        lines.append(f"combat factors lost before its next movement: {lost}")
        lines.append(f"victory points with Allied units then: {figures['points']:.1f}")
    return lines


def _exactly(state: State, answer: Answer) -> Iterator[str]:
    """R6.2, R7.1: the chance of each combat and of each shot."""
    for order in answer:
        if isinstance(order, Attack):
            attack, defence = (
                combat.strength(state, order.units, False),
                combat.strength(state, order.on, True),
            )
            odds = f"{attack} against {defence}, wins with {chance(wins(attack, defence))}"
            yield f"{joined(order.units)} on {joined(order.on)}: {odds}"
        elif isinstance(order, Shot):
            hit = hits(fire.hits(state, order.unit, order.at))
            yield f"{order.unit} at {order.at}: hits with {chance(hit)}"


def _together(what: str, found: Prospects) -> Iterator[str]:
    """The chance of each number of successes, where there is more than one attack."""
    if len(found.each) > 1:
        words = dict(enumerate(("none", *SPELT[1:])))
        numbers = [
            f"{words.get(number, number)} {_per_cent(part)}"
            for number, part in enumerate(found.together)
            if part
        ]
        yield f"{what}: {', '.join(numbers)}"


def _per_cent(exact: Fraction) -> str:
    """A chance in per cent; what is not certain is not said to be."""
    rounded = round(100 * exact)
    if rounded == 0 or (rounded == 100 and exact < 1):
        return "under 1%" if rounded == 0 else "over 99%"
    return f"{rounded}%"


def _duties(state: State, answer: Answer) -> Iterator[str]:
    """R5.5: whom units that have moved must attack, and each one's chance alone; those that may join."""
    after, owed = state, dict[str, tuple[str, ...]]()
    for order in answer:
        if isinstance(order, Move):
            after = movement.after(after, order)
            if zone := movement.entered_zone(after, after.side(order.unit), order.path[-1]):
                owed[order.unit] = zone
    for name, targets in owed.items():
        frees = state.setting.options.fire_frees_from_combat and fire.fires_or_fights(state, name)
        unless = ", or fire" if frees else ""
        fights = [f"{target}: {_wins(after, [name], target)}" for target in targets]
        yield f"{name} must attack {'; or '.join(fights)}{unless} (R5.5)"
    for target in dict.fromkeys(target for targets in owed.values() for target in targets):
        units = [name for name, targets in owed.items() if target in targets]
        if len(units) > 1:
            yield f"{joined(units)} together on {target}: {_wins(after, units, target)}"


def _wins(state: State, units: Sequence[str], target: str) -> str:
    """R6.2: both sides' factors, and the attacker's chance."""
    attack, defence = combat.strength(state, units, False), combat.strength(state, [target], True)
    return f"{attack} against {defence}, wins with {chance(wins(attack, defence))}"


def _sorties(state: State, answer: Answer) -> Iterator[str]:
    """R4.4, R4.5: who comes through the fire, each bomb and dogfight, and all of them."""
    found = prospects.of_sorties(state, answer)
    for name, lives in found.lives.items():
        yield f"{name} comes through anti-aircraft fire with {chance(lives)} (R4.4)"
    attacks = [order for order in answer if isinstance(order, (Bomb, Dogfight))]
    board = state
    for order in answer:
        if isinstance(order, Fly):
            board = board.moved(order.unit, order.path[-1])
    for attack, succeeds in zip(attacks, found.each, strict=True):
        if isinstance(attack, Bomb):
            yield f"{attack.unit} hits {board.ground[board.at(attack.unit)]} with {chance(succeeds)} (R4.5)"
        else:
            beat = "beats" if len(attack.units) == 1 else "beat"
            yield f"{joined(attack.units)} {beat} {joined(attack.on)} with {chance(succeeds)} (R4.5)"
    yield from _together("Bombs and dogfights that succeed", found)


def _landings(state: State, answer: Answer) -> Iterator[str]:
    """R4.6: if all live, where aircraft go that nobody has told where to land, or that they are lost."""
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
            yield f"{name} in {at} finds no airfield with room and will be eliminated (R4.6)"
        elif to != state.landing.get(name, at):
            away = partial(state.setting.grid.distance, at)
            others = [field for field in landing.open_airfields(state, state.active) if field != to]
            choose = f"; for another airfield: land {name} {min(others, key=away)}" if others else ""
            yield f"{name} in {at} will land on {to}, {counted(away(to), 'hex')} away (R4.6){choose}"
