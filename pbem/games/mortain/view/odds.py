"""The exact chance of an attack with the cards that are left (M5.5 to M5.8, M7.2)."""

from __future__ import annotations

from bisect import bisect
from fractions import Fraction
from itertools import combinations

from msgspec.structs import replace

from pbem.core.requests import Orders
from pbem.core.rules import Odds
from pbem.core.sentences import listed
from pbem.games.mortain.rules.allowance import fits
from pbem.games.mortain.rules.combat import attack_of, factor, highest, modifiers, strength
from pbem.games.mortain.rules.drafts import Draft
from pbem.games.mortain.rules.end_of_turn import joker_ends_turn
from pbem.games.mortain.rules.fire import targets_of
from pbem.games.mortain.rules.orders import Fire, Question, Support
from pbem.games.mortain.rules.state import Attack, Faces, Questions, State
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.setting import enemy
from pbem.games.mortain.view import names, words
from pbem.texts import Texts

tr = Texts("pbem.games.mortain")


def chance(state: State, attack: Attack) -> Fraction:
    """The chance of a hit; where the player is asked for face cards (M5.7), if he draws again."""
    numbers, ends = left(state, attack.by, attack.faces)
    return Fraction(bisect(numbers, highest(state, attack)), ends)


def left(state: State, by: str, faces: Faces) -> tuple[list[int], int]:
    """The numbers left in the deck, the lowest first; and how many cards can end a side's drawing, or 1.

    Of the cards that can end it, each is as likely as the next to come first: the numbers, the joker where it
    ends the turn, and faces that are to be a miss. Where there is none, the attack misses. By then the side
    has had a card of its colour, and has activated (M7.2).
    """
    numbers = sorted(number for number in map(cards.value, state.deck) if number is not None)
    acting = state.activated if by in state.activated else (*state.activated, by)
    colours = (*state.colours, cards.OWN[by])
    attacked = replace(state, activated=acting, colours=colours)
    joker = cards.JOKER in state.deck and joker_ends_turn(attacked)
    misses = sum(map(cards.is_face, state.deck)) if faces == "miss" else 0
    return numbers, max(len(numbers) + joker + misses, 1)


def odds(ask: Question) -> list[Odds]:
    """The attacks that may be ordered: on each enemy, and by support; or that of drawing again (M5.7)."""
    state = ask.state
    if ask.question == Questions.FACES and state.attack is not None:
        return [_odds(state, [{"faces": "redraw"}], state.attack)]
    if ask.question != Questions.ACTIVATE:
        return []
    found = [one for target in state.field(enemy(ask.seat)) for one in _fire(ask, target)]
    for order in Draft(state).attacks():
        [(way, targets)] = order.items()
        found.append(_odds(state, [order], attack_of(state, Support(way, tuple(targets)))))
    return found


def _fire(ask: Question, target: str) -> list[Odds]:
    """Each unit alone on one enemy, and the best group: the smallest such, if it beats them all."""
    state = ask.state
    able = [name for name in state.field(ask.seat) if target in targets_of(state, name)]
    groups = [
        _odds(state, [{"fire": list(firers), "at": target}], attack_of(state, Fire(firers, target)))
        for number in range(1, len(able) + 1)
        for firers in combinations(able, number)
        if fits(state, firers, {}, support=False)
    ]
    alone = [one for one in groups if len(one.orders[0]["fire"]) == 1]
    best = max(groups, key=lambda attack: attack.hit, default=None)
    return alone if best is None or best in alone else [*alone, best]


def reckoned(state: State, attack: Attack) -> str:
    """The sum of an attack in short: `5 AT against a card, village +1`."""
    reasons = [f"{names.modifier(reason)} {number:+}" for reason, number in modifiers(state, attack)]
    return listed([_against_a_card(state, attack), *reasons])


def _against_a_card(state: State, attack: Attack) -> str:
    power = strength(state, attack)
    match attack.way:
        case "fire":
            used = factor(state, attack)
            return tr("{strength} {factor} against a card", strength=power, factor=used)
        case "air":
            return tr("{strength} air against a card", strength=power)
    return tr("{strength} artillery against a card", strength=power)


def _odds(state: State, orders: Orders, attack: Attack) -> Odds:
    return Odds(orders, "; ".join(words.write(orders)), chance(state, attack), reckoned(state, attack))
