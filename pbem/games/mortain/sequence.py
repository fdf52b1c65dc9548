"""The sequence of play (M2, M3, M7), and what it tells.

Every event of the story, with its facts. Units, hexes, cards and seats are strings, `unit`s are
single names, `units`, `firers`, `targets` and `why` lists; what may be null says so.

    event         rule    facts
    placed        M2.1    units: {name: hex}
    turn_begins   M3.1    turn, turns
    card          M3.2    card, seat, colour (black, red), allowance (units; null for a face card), asked
                          (false: the seat can only pass, and nobody was asked)
    passes        M3.2    seat, card
    moves         M4.1    seat, unit, from, to
    enters        M4.4    seat, unit, at
    exits         M4.5    seat, unit, from, exits (so far, with this one), needed
    suppresses    M6.4    seat, at (the hex in the middle of the seven)
    attack        M5.1    by, way (fire, artillery, air), firers ([] for support), targets, at (their hex),
                          factor (AT, AI; null for support), strength, modifier (the sum of why),
                          why ([word, number] each, none of them 0: `[[city, 2], [all adjacent, -1]]`;
                          the words: a terrain, `all adjacent`, `Tiger 102`, `suppressed`)
    attack_card   M5.5    card, result (card and modifiers; null for a face card or the joker), strength
    face          M5.7    card, choice (redraw, miss)
    hit           M5.6    unit, at: it flips to its reduced face
    eliminated    M1.2    unit, at
    misses        M5.6    targets, reason: card (M5.6), face (M5.7), joker (M5.8), deck (no card left, M7.3)
    joker_aside   M7.2    during (activation, combat)
    joker_ends    M7.1    during (activation, combat)
    deck_out      M7.3    turn
    turn_ends     M7.4    turn, turns, exits, needed
    victory       M8.x    winner, reason (a clause: `five German units have exited`)

The rule of `misses` is the one in brackets, the rule of an `attack` by support M6.3. The rule of `victory`
is that of the outcome: M8.1, M8.2, or M8.3 where the game ends before its time.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Literal

from msgspec.structs import replace

from pbem.core.requests import Ask, Draw, Tell
from pbem.core.rules import OVER, Outcome, Step
from pbem.games.mortain import activation, cards, combat, setup, support, victory
from pbem.games.mortain.movement import move
from pbem.games.mortain.offers import can_act
from pbem.games.mortain.orders import Activation, Move, Suppress
from pbem.games.mortain.setting import US, Setting
from pbem.games.mortain.state import CARD, END_OF_TURN, SET_UP, SHUFFLE, UNPLACED, WAITING, State, Unit


def first_state(setting: Setting) -> State:
    """M1.2, M2: every unit on its full face, five of the US to be placed, all others waiting."""
    units = {
        name: Unit(UNPLACED if counter.starts == "map" else WAITING)
        for name, counter in setting.counters.items()
    }
    return State(
        setting=setting,
        step=SET_UP,
        turn=1,
        deck=cards.DECK,
        aside=(),
        card=None,
        support="available",
        suppressed=None,
        units=units,
        activated=(),
        colours=(),
        attack=None,
        outcome=None,
    )


async def set_up(state: State) -> State:
    """M2.1: the US player places his units."""
    place = await Ask(state, "M2.1", US, "place", partial(setup.read, state))
    state = setup.placed(state, place)
    await Tell(state, "M2.1", "placed", {"units": {name: state.at(name) for name in place.hexes}})
    return replace(state, step=SHUFFLE)


async def shuffle(state: State) -> State:
    """M3.1, M7.4: a turn begins with all 53 cards, support available and nobody suppressed."""
    state = replace(
        state,
        step=CARD,
        deck=cards.DECK,
        aside=(),
        support="available",
        suppressed=None,
        activated=(),
        colours=(),
    )
    await Tell(state, "M3.1", "turn_begins", {"turn": state.turn, "turns": state.setting.options.turns})
    return state


async def play_card(state: State) -> State:
    """M3.2, M7.1 to M7.3: draw one activation card, and let its player act or pass."""
    if not state.deck:
        await Tell(state, "M7.3", "deck_out", {"turn": state.turn})
        return replace(state, step=END_OF_TURN)
    card = await Draw(state, "M3.2", state.deck)
    state = cards.take(state, card)
    if card == cards.JOKER:
        return await cards.play_joker(state, "activation")
    state = replace(state, card=card, colours=_with(state.colours, cards.colour(card)))
    asked = can_act(state)
    await Tell(state, "M3.2", "card", _card_facts(state, card, asked))
    if asked:
        rule = "M3.4" if cards.is_face(card) else "M3.3"
        read = partial(activation.read, state)
        state = await carry_out(state, await Ask(state, rule, cards.seat(card), "activate", read))
    return replace(state, card=None)


def _card_facts(state: State, card: str, asked: bool) -> dict[str, str | int | bool | None]:
    allowance = cards.allowance(card, state.setting.options.activation_rounding)
    seat, colour = cards.seat(card), cards.colour(card)
    return {"card": card, "seat": seat, "colour": colour, "allowance": allowance, "asked": asked}


async def carry_out(state: State, orders: Activation) -> State:
    """M3.8: all movement in the order written, then suppression, then at most one attack."""
    assert state.card is not None
    seat = cards.seat(state.card)
    if not orders.orders:
        await Tell(state, "M3.2", "passes", {"seat": seat, "card": state.card})
        return state
    support_left: Literal["available", "used"] = "used" if orders.supports else state.support
    state = replace(state, activated=_with(state.activated, seat), support=support_left)
    for movement in orders.movements:
        state = await move(state, movement)
    for order in orders.supports:
        if isinstance(order, Suppress):
            state = await support.suppress(state, order)
    if not {Move}.issuperset(map(type, orders.movements)):
        state = await _end_if_decided(state)  # a move decides nothing, an entry or exit may
    for attack in orders.attacks:
        if state.step != OVER:
            state = await _end_if_decided(await combat.resolve(state, attack))
    return state


async def end_turn(state: State) -> State:
    """M7.4: the next turn, or after the last one the end."""
    options = state.setting.options
    facts = {
        "turn": state.turn,
        "turns": options.turns,
        "exits": state.exits,
        "needed": options.exits_to_win,
    }
    await Tell(state, "M7.4", "turn_ends", facts)
    if state.turn == options.turns:
        return await _end(state, victory.final(state))
    return replace(state, turn=state.turn + 1, step=SHUFFLE)


async def _end_if_decided(state: State) -> State:
    """M8.3: the end of the game, where nothing can change the outcome any more."""
    outcome = victory.decided(state)
    return state if outcome is None else await _end(state, outcome)


async def _end(state: State, outcome: Outcome) -> State:
    state = replace(state, step=OVER, card=None, outcome=outcome)
    await Tell(state, outcome.rule, "victory", {"winner": outcome.winner, "reason": outcome.reason})
    return state


def _with(members: tuple[str, ...], new: str) -> tuple[str, ...]:
    """The members and a new one, which may be among them."""
    return members if new in members else (*members, new)


SEQUENCE: Mapping[str, Step] = {
    SET_UP: set_up,  # M2
    SHUFFLE: shuffle,  # M3.1
    CARD: play_card,  # M3.2 to M6
    END_OF_TURN: end_turn,  # M7.4, M8
}
