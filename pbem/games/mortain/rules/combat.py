"""Combat: strength, modifiers, and the cards of one attack by fire or support (M5.4 to M5.8, M6.3)."""

from __future__ import annotations

from functools import partial
from typing import Literal

from msgspec.structs import replace

from pbem.core.requests import Ask, Draw, Tell
from pbem.games.mortain.rules import end_of_turn, events
from pbem.games.mortain.rules.orders import Fire, Support, read_faces
from pbem.games.mortain.rules.state import Attack, Choice, Questions, State
from pbem.games.mortain.rules.support import SUPPRESSION, is_suppressed
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.setting import US


def attack_of(state: State, order: Fire | Support) -> Attack:
    """The attack that an order declares."""
    if isinstance(order, Fire):
        seat = state.side(order.firers[0])
        return Attack(seat, "fire", order.firers, (order.at,), order.faces)
    return Attack(US, order.way, (), order.targets, order.faces)


def factor(state: State, attack: Attack) -> Literal["AT", "AI"] | None:
    """M5.4: the factor that the firers use, `AT` or `AI`; None for support, which has its own strength."""
    if attack.way != "fire":
        return None
    return "AT" if state.counter(attack.targets[0]).kind == "tank" else "AI"


def strength(state: State, attack: Attack) -> int:
    """M5.4: the sum of the firers' factors; M6.3: the strength of support."""
    match attack.way:
        case "artillery":
            return state.setting.artillery
        case "air":
            return state.setting.air
        case "fire":
            factors = [state.factors(name) for name in attack.firers]
            anti_tank = factor(state, attack) == "AT"
            return sum([each.at if anti_tank else each.ai for each in factors])


def modifiers(state: State, attack: Attack) -> list[tuple[str, int]]:
    """M5.5: the modifiers of the card, each with its reason; M6.3: for support the terrain alone."""
    setting = state.setting
    target = state.at(attack.targets[0])
    terrain = setting.terrain[target]
    found = [(terrain, setting.modifiers[terrain])]
    if attack.way == "fire":
        near = setting.grid.adjacent(target)
        if all(state.at(name) in near for name in attack.firers):
            found.append(("all adjacent", -1))
        if factor(state, attack) == "AT" and setting.tiger in attack.firers:
            found.append(("Tiger 102", -1))
        if any(is_suppressed(state, name) for name in attack.firers):
            found.append(("suppressed", SUPPRESSION))
    return [(reason, number) for reason, number in found if number]


def modifier_total(parts: list[tuple[str, int]]) -> int:
    """M5.5: the sum of modifiers."""
    return sum([number for _, number in parts])


def highest_hit(state: State, attack: Attack) -> int:
    """M5.5, M5.6: the highest card that hits; it may be less than 1."""
    return strength(state, attack) - modifier_total(modifiers(state, attack))


async def resolve(state: State, order: Fire | Support) -> State:
    """M5.5 to M5.8, M6.3: declare one attack, and draw cards until it is resolved."""
    attack = attack_of(state, order)
    state = replace(state, attack=attack)
    power, parts = strength(state, attack), modifiers(state, attack)
    await _declare(state, attack, power, parts)
    while state.deck:
        card = await Draw(state, "M5.5", state.deck)
        state = state.without_card(card)
        number = cards.value(card)
        result = None if number is None else number + modifier_total(parts)
        await Tell(state, "M5.5", events.AttackCard(card, result, power))
        if result is not None:
            return await (
                _hit_targets(state, attack) if result <= power else _miss(state, attack, "M5.6", "card")
            )
        if card != cards.JOKER:
            if await _choose_face(state, attack, card) == "miss":
                return await _miss(state, attack, "M5.7", "face")
        elif end_of_turn.joker_ends_turn(state):
            state = await _miss(state, attack, "M5.8", "joker")
            return await end_of_turn.play_joker(state, "combat")
        else:
            state = await end_of_turn.play_joker(state, "combat")
    return await _miss(state, attack, "M7.3", "deck")


async def _declare(state: State, attack: Attack, power: int, parts: list[tuple[str, int]]) -> None:
    declared = events.Attack(
        by=attack.by,
        way=attack.way,
        firers=attack.firers,
        targets=attack.targets,
        at=state.at(attack.targets[0]),
        factor=factor(state, attack),
        strength=power,
        modifier=modifier_total(parts),
        why=tuple(parts),
    )
    await Tell(state, "M5.1" if attack.way == "fire" else "M6.3", declared)


async def _choose_face(state: State, attack: Attack, card: str) -> Choice:
    """M5.7: the firing player draws again or accepts a miss, as ordered in advance or as he answers now."""
    choice = attack.faces
    if choice == "ask":
        read = partial(read_faces, state.setting.grid)
        choice = await Ask(state, "M5.7", attack.by, Questions.FACES, read)
    await Tell(state, "M5.7", events.Face(card, choice))
    return choice


async def _hit_targets(state: State, attack: Attack) -> State:
    """M5.6: hit every target."""
    for name in attack.targets:
        state = await _hit_unit(state, name)
    return replace(state, attack=None)


async def _hit_unit(state: State, name: str) -> State:
    """M1.2: a full unit flips, a reduced one is eliminated."""
    at, eliminated = state.at(name), state.units[name].reduced
    state = state.hit(name)
    if eliminated:
        await Tell(state, "M1.2", events.Eliminated(name, at))
    else:
        await Tell(state, "M5.6", events.Hit(name, at))
    return state


async def _miss(state: State, attack: Attack, rule: str, reason: events.Reason) -> State:
    state = replace(state, attack=None)
    await Tell(state, rule, events.Misses(attack.targets, reason))
    return state
