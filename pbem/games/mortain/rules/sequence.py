"""M3, the sequence of play: a turn is a series of cards; on each, one side acts or passes.

Players are only asked if they can do more than pass; `offers` are their simple legal answers (M3.9).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from pbem.core import rules
from pbem.core.requests import Ask, Draw, Orders, Tell, accepts
from pbem.games.mortain.rules import activation, end_of_turn, events, fire, setup, support, victory
from pbem.games.mortain.rules.activation_builder import ActivationBuilder
from pbem.games.mortain.rules.movement import move
from pbem.games.mortain.rules.orders import Activation, Move, Question, Suppress
from pbem.games.mortain.rules.setup import placements
from pbem.games.mortain.rules.state import Questions, State, Step
from pbem.games.mortain.terms import cards


def offers(ask: Question) -> Iterator[Orders]:
    """Simple legal answers: some placements; a pass, all one-unit and support lists; both face choices."""
    match ask.question:
        case Questions.PLACE:
            yield from (orders for orders in placements(ask.state) if accepts(ask.read, orders))
        case Questions.ACTIVATE:
            yield [{"pass": True}]
            yield from ([order] for order in ActivationBuilder(ask.state).additions())
        case _:
            yield from ([{"faces": choice}] for choice in ("redraw", "miss"))


def can_act(state: State) -> bool:
    """M3.9: whether any one-unit list or support order is legal."""
    return ActivationBuilder(state).can_grow()


async def shuffle(state: State) -> State:
    """M3.1, M7.4: a turn begins with all 53 cards, support available and nobody suppressed."""
    state = replace(
        state,
        step=Step.CARD,
        deck=cards.DECK,
        aside=(),
        support="available",
        supported=None,
        suppressed=None,
        activated=(),
        colours=(),
    )
    await Tell(state, "M3.1", events.TurnBegins(state.turn, state.setting.options.turns))
    return state


async def play_card(state: State) -> State:
    """M3.2, M7.1 to M7.3: draw one activation card, and let its player act or pass."""
    if not state.deck:
        return await end_of_turn.run_out_of_cards(state)
    card = await Draw(state, "M3.2", state.deck)
    state = state.without_card(card)
    if card == cards.JOKER:
        return await end_of_turn.play_joker(state, "activation")
    state = replace(state, card=card, colours=_add_once(state.colours, cards.colour(card)))
    asked, seat, allowance = can_act(state), cards.owner(card), state.allowance
    await Tell(state, "M3.2", events.Card(card, seat, cards.colour(card), allowance, asked))
    if asked:
        rule = "M3.4" if allowance is None else "M3.3"
        read = partial(activation.read, state)
        state = await carry_out(state, await Ask(state, rule, seat, Questions.ACTIVATE, read))
    return replace(state, card=None)


async def carry_out(state: State, orders: Activation) -> State:
    """M3.8: carry out all movement in the order written, then suppression, then at most one attack."""
    assert state.card is not None
    seat = cards.owner(state.card)
    if not orders.orders:
        await Tell(state, "M3.2", events.Passes(seat, state.card))
        return state
    state = replace(state, activated=_add_once(state.activated, seat))
    if orders.supports:
        state = replace(state, support="used", supported=orders.supports[0].way)
    for movement in orders.movements:
        state = await move(state, movement)
    for order in orders.supports:
        if isinstance(order, Suppress):
            state = await support.suppress(state, order)
    if not {Move}.issuperset(map(type, orders.movements)):
        state = await victory.end_if_decided(state)  # an entry or an exit can decide the game, a move cannot
    for attack in orders.attacks:
        if state.step != Step.OVER:
            state = await victory.end_if_decided(await fire.resolve(state, attack))
    return state


def _add_once(members: tuple[str, ...], new: str) -> tuple[str, ...]:
    """The members, with a new one unless it is already among them."""
    return members if new in members else (*members, new)


SEQUENCE: Mapping[str, rules.Step] = {
    Step.SET_UP: setup.set_up,  # M2
    Step.SHUFFLE: shuffle,  # M3.1
    Step.CARD: play_card,  # M3.2 to M6
    Step.END_OF_TURN: end_of_turn.end_turn,  # M7.4, M8
}
