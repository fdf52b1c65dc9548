"""M5, fire: who may fire at whom, strength, modifiers and cards of an attack, and its exact chance.

An attack by support (M6.3) is resolved here too. The chance is that with the remaining cards (M5.5 to M5.8,
M7.2).
"""

from __future__ import annotations

from bisect import bisect
from functools import partial
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from pbem.core.requests import Ask, Draw, Tell
from pbem.core.sentences import listed
from pbem.errors import IllegalOrder
from pbem.games.mortain.rules import end_of_turn, events
from pbem.games.mortain.rules.end_of_turn import joker_ends_turn
from pbem.games.mortain.rules.orders import Activation, Fire, Support, read_faces
from pbem.games.mortain.rules.state import Attack, Choice, Faces, Questions, State
from pbem.games.mortain.rules.support import SUPPRESSION, is_suppressed
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.setting import US, enemy
from pbem.messages import Messages

if TYPE_CHECKING:
    from fractions import Fraction

tr = Messages("pbem.games.mortain")


def check_target(state: State, activation: Activation) -> None:
    """M5.1: check that units on the map fire at one enemy unit on the map."""
    for fire in activation.fires:
        if state.side(fire.at) == state.side(fire.firers[0]):
            raise IllegalOrder(
                "M5.1", tr("{target} is not an enemy of {unit}", target=fire.at, unit=fire.firers[0])
            )
        if not state.on_map(fire.at):
            raise IllegalOrder("M5.1", tr("{unit} is off the map and cannot be attacked", unit=fire.at))
        for name in fire.firers:
            if not state.on_map(name):
                raise IllegalOrder("M5.1", tr("{unit} is off the map and cannot fire", unit=name))


def check_range(state: State, activation: Activation) -> None:
    """M5.2: check that the target is 1 or 2 hexes away, or from a hill 1 to 3."""
    for fire in activation.fires:
        target = state.at(fire.at)
        for firer in fire.firers:
            at = state.at(firer)
            away, reach = state.setting.grid.distance(at, target), state.setting.sight.reach(at)
            if away > reach:
                facts = tr(
                    "{target} in {there} is {number} hexes from {unit} in {here}, whose range is {range}",
                    target=fire.at,
                    there=target,
                    number=away,
                    unit=firer,
                    here=at,
                    range=reach,
                )
                raise IllegalOrder("M5.2", facts)


def check_sight(state: State, activation: Activation) -> None:
    """M5.3: check that there is only clear terrain between each firer and the target."""
    for fire in activation.fires:
        target = state.at(fire.at)
        for firer in fire.firers:
            at = state.at(firer)
            blocking = state.setting.sight.blocking_hexes(at, target)
            if blocking:
                facts = tr(
                    "{unit} in {here} does not see {target} in {there}: blocked by {hexes}",
                    unit=firer,
                    here=at,
                    target=fire.at,
                    there=target,
                    hexes=listed(blocking),
                )
                raise IllegalOrder("M5.3", facts)


def targets_of(state: State, name: str) -> list[str]:
    """M5.1 to M5.3: the enemy units in range and in sight of a unit."""
    if not state.on_map(name):
        return []
    units, field = state.units, state.setting.sight.field(state.at(name))
    return [target for target in state.army(enemy(state.side(name))) if units[target].at in field]


def attack_of(state: State, order: Fire | Support) -> Attack:
    """The attack declared by an order."""
    if isinstance(order, Fire):
        seat = state.side(order.firers[0])
        return Attack(seat, "fire", order.firers, (order.at,), order.faces)
    return Attack(US, order.way, (), order.targets, order.faces)


def factor(state: State, attack: Attack) -> Literal["AT", "AI"] | None:
    """M5.4: the factor used by the firers, `AT` or `AI`; None for support, which has its own strength."""
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
    """M5.5: the modifiers of the card, each with its reason; M6.3: for support only the terrain."""
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
    """M5.5, M5.6: the highest card that hits, which can be less than 1."""
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
    """M5.7: the firing player draws again or accepts a miss, as ordered in advance or decided now."""
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


def hit_chance(state: State, attack: Attack) -> Fraction:
    """The chance of a hit, assuming that a player who is asked about face cards (M5.7) draws again."""
    from fractions import Fraction  # under 1 ms: judging a game needs no chances

    numbers, ends = deck_odds(state, attack.by, attack.faces)
    return Fraction(bisect(numbers, highest_hit(state, attack)), ends)


def deck_odds(state: State, by: str, faces: Faces) -> tuple[list[int], int]:
    """The number cards left in the deck, lowest first, and how many cards can end a side's draws, at least 1.

    The cards that can end them are equally likely to come first: the numbers, the joker if it ends the turn,
    and face cards that count as a miss. If there is none, the attack misses. A side that attacks has already
    had a card of its colour, and has activated units (M7.2).
    """
    numbers = sorted(number for number in map(cards.value, state.deck) if number is not None)
    acting = state.activated if by in state.activated else (*state.activated, by)
    colours = (*state.colours, cards.OWN[by])
    attacked = replace(state, activated=acting, colours=colours)
    joker = cards.JOKER in state.deck and joker_ends_turn(attacked)
    misses = sum(map(cards.is_face, state.deck)) if faces == "miss" else 0
    return numbers, max(len(numbers) + joker + misses, 1)
