"""The sequence of play (M2, M3, M7). What it tells is in `events`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Literal

from msgspec.structs import replace

from pbem.core.requests import Ask, Draw, Tell
from pbem.core.rules import OVER, Outcome, Step
from pbem.games.mortain import activation, cards, combat, events, setup, support, victory
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
    await Tell(state, "M2.1", events.Placed(place.hexes))
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
    await Tell(state, "M3.1", events.TurnBegins(state.turn, state.setting.options.turns))
    return state


async def play_card(state: State) -> State:
    """M3.2, M7.1 to M7.3: draw one activation card, and let its player act or pass."""
    if not state.deck:
        await Tell(state, "M7.3", events.DeckOut(state.turn))
        return replace(state, step=END_OF_TURN)
    card = await Draw(state, "M3.2", state.deck)
    state = cards.take(state, card)
    if card == cards.JOKER:
        return await cards.play_joker(state, "activation")
    state = replace(state, card=card, colours=_with(state.colours, cards.colour(card)))
    asked = can_act(state)
    await Tell(state, "M3.2", _card(state, card, asked))
    if asked:
        rule = "M3.4" if cards.is_face(card) else "M3.3"
        read = partial(activation.read, state)
        state = await carry_out(state, await Ask(state, rule, cards.seat(card), "activate", read))
    return replace(state, card=None)


def _card(state: State, card: str, asked: bool) -> events.Card:
    allowance = cards.allowance(card, state.setting.options.activation_rounding)
    return events.Card(card, cards.seat(card), cards.colour(card), allowance, asked)


async def carry_out(state: State, orders: Activation) -> State:
    """M3.8: all movement in the order written, then suppression, then at most one attack."""
    assert state.card is not None
    seat = cards.seat(state.card)
    if not orders.orders:
        await Tell(state, "M3.2", events.Passes(seat, state.card))
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
    ends = events.TurnEnds(state.turn, options.turns, state.exits, options.exits_to_win)
    await Tell(state, "M7.4", ends)
    if state.turn == options.turns:
        return await _end(state, victory.final(state))
    return replace(state, turn=state.turn + 1, step=SHUFFLE)


async def _end_if_decided(state: State) -> State:
    """M8.3: the end of the game, where nothing can change the outcome any more."""
    outcome = victory.decided(state)
    return state if outcome is None else await _end(state, outcome)


async def _end(state: State, outcome: Outcome) -> State:
    state = replace(state, step=OVER, card=None, outcome=outcome)
    await Tell(state, outcome.rule, events.Victory(outcome.winner, outcome.reason))
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
