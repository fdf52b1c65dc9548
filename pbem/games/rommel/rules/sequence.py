"""The sequence of play (R2 to R8), and the simple legal answers offered to a player (R10).

Offers are constructed, not guessed. Only `read` judges; tests check that it accepts exactly these.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias

from pbem.core.requests import Ask, Orders, Plain, Request, Tell, accepts
from pbem.core.rules import Step
from pbem.core.sealing import Open, Seal
from pbem.games.rommel.rules import air, combat, fire, flak, movement, setup, victory, weather
from pbem.games.rommel.rules.events import Passes, Placed, Sealed, TurnEnds
from pbem.games.rommel.rules.orders import FORM, Answer, Pass, Place, Question
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import ALLIED, AXIS

ANSWERS: Mapping[str, Callable[[State], Iterator[Orders]]] = {
    Phase.AIR: air.answers,
    Phase.MOVE: movement.answers,
    Phase.FIRE: fire.answers,
    Phase.COMBAT: combat.answers,
}
"""By question: simple legal answers other than a pass; at least one if there is any."""


def offers(ask: Question) -> Iterator[Orders]:
    """Simple legal answers: ready-made set-ups, or every simple order, and a pass if it is allowed."""
    state = ask.state
    if ask.question in ANSWERS:
        lists: Iterator[Orders] = iter([[{"pass": True}], *ANSWERS[ask.question](state)])
    else:
        lists = (setup.ready_placement(state, name) for name in setup.ready_names(state))
    return (orders for orders in lists if accepts(ask.read, orders))


def can_act(state: State) -> bool:
    """R10: whether any order other than a pass and standing orders is legal."""
    return next(ANSWERS[state.step](state), None) is not None


Reader: TypeAlias = Callable[[State, Plain], Answer]
CarryOut: TypeAlias = Callable[[State, Answer], Coroutine[Request[State, Any], Any, State]]


async def set_up_in_view(state: State, then: Phase) -> State:
    """R2.1, R2.2 (the Allies'), R2.3: a placement that both sides see."""
    seat, rule = setup.placing_side(state), setup.RULE[state.step]
    answer = await Ask(state, rule, seat, state.step, partial(setup.read, state))
    return (await _carry_out_placement(state, rule, seat, answer)).with_changes(step=then)


async def seal_axis_placement(state: State) -> State:
    """R2.2: the Axis places everything else, under a seal."""
    reader, foresee = partial(setup.read, state), partial(setup.state_with_placement, state)
    seal = await Seal(state, "R2.2", AXIS, state.step, reader, FORM, foresee)
    state = state.with_changes(seal=seal)
    await Tell(state, "R2.2", Sealed(AXIS, seal))
    return state.with_changes(step=Phase.ALLIED_SCREEN_SETUP)


async def open_axis_placement(state: State) -> State:
    """R2.2: the screen is removed, and the Axis opens its seal."""
    assert state.seal is not None
    answer = await Open(state, "R2.2", AXIS, state.step, partial(setup.read, state), state.seal, FORM)
    state = state.with_changes(seal=None)
    return (await _carry_out_placement(state, "R2.2", AXIS, answer)).with_changes(
        step=Phase.ALLIED_LAST_SETUP
    )


async def _carry_out_placement(state: State, rule: str, seat: str, answer: Answer) -> State:
    state = await flak.take_standing_orders(setup.state_with_placement(state, answer), seat, answer)
    places = {name: at for order in answer if isinstance(order, Place) for name, at in order.hexes.items()}
    await Tell(state, rule, Placed(seat, places))
    return state


async def begin_turn(state: State) -> State:
    """R3.1: weather first; R4.1: in a storm the air phase is skipped."""
    state = await weather.throw_for_weather(state)
    if state.weather == "storm":
        return state.with_changes(step=Phase.MOVE)
    return state.with_changes(step=Phase.AIR, subturn=1)


async def air_subturn(state: State) -> State:
    """R4.1: one side's part of an air sub-turn; the Allies fly first."""
    if state.active not in state.stood_down:
        state = await _ask_and_carry_out(state, "R4.1", air.read, air.carry_out)
    if state.active == ALLIED:
        return _unless_over(state, active=AXIS)
    if state.subturn < state.setting.options.air_subturns:
        return _unless_over(state, active=ALLIED, subturn=state.subturn + 1)
    return _unless_over(state, active=ALLIED, step=Phase.LANDING)


async def land_all(state: State) -> State:
    """R4.6: after the last sub-turn the surviving aircraft land."""
    for side in (ALLIED, AXIS):
        state = await air.land_aircraft(state, side)
    return state.with_changes(step=Phase.MOVE, subturn=0, stood_down=(), landing={})


async def ground_move(state: State) -> State:
    """R5.1: all of a side's movement."""
    return _unless_over(
        await _ask_and_carry_out(state, "R5.1", movement.read, movement.carry_out), step=Phase.FIRE
    )


async def ground_fire(state: State) -> State:
    """R5.1, R7: all of a side's fire, after its movement."""
    return _unless_over(await _ask_and_carry_out(state, "R7.1", fire.read, fire.carry_out), step=Phase.COMBAT)


async def ground_combat(state: State) -> State:
    """R5.1, R6: all of a side's combats, after its fire; then the Axis moves, fires and fights."""
    state = _unless_over(
        await _ask_and_carry_out(state, "R6.1", combat.read, combat.carry_out), obliged={}, fired=()
    )
    if state.active == ALLIED:
        return _unless_over(state, active=AXIS, step=Phase.MOVE)
    return _unless_over(state, step=Phase.END_OF_TURN)


async def end_of_turn(state: State) -> State:
    """R8: end the game if a side has won; otherwise start the next turn, with the Allies first (R2.5)."""
    turns = state.setting.options.final_turn
    held, lost = list(victory.held_points(state)), list(victory.lost_villages(state))
    await Tell(state, "R8.1", TurnEnds(state.turn, turns, held, lost))
    outcome = victory.outcome_at_end_of_turn(state)
    if outcome is not None:
        return await victory.end_game(state, outcome)
    return state.with_changes(
        step=Phase.WEATHER, turn=state.turn + 1, active=ALLIED, weather=None, fired_at_aircraft=()
    )


async def _ask_and_carry_out(state: State, rule: str, read: Reader, carry_out: CarryOut) -> State:
    """R10: if the active side can do more than pass, ask for its orders and carry them out."""
    if not can_act(state):
        return state
    seat = state.active
    answer = await Ask(state, rule, seat, state.step, partial(read, state))
    state = await flak.take_standing_orders(state, seat, answer)
    if any(isinstance(order, Pass) for order in answer):
        await Tell(state, rule, Passes(seat, state.step))
        return state
    return await carry_out(state, answer)


def _unless_over(state: State, **changes: Any) -> State:
    """The state with changes, unless the game has ended (R8.3)."""
    return state if state.step == Phase.OVER else state.with_changes(**changes)


SEQUENCE: Mapping[str, Step] = {
    Phase.AXIS_FIRST_SETUP: partial(set_up_in_view, then=Phase.AXIS_SCREEN_SETUP),  # R2.1
    Phase.AXIS_SCREEN_SETUP: seal_axis_placement,  # R2.2
    Phase.ALLIED_SCREEN_SETUP: partial(set_up_in_view, then=Phase.AXIS_OPEN),  # R2.2
    Phase.AXIS_OPEN: open_axis_placement,  # R2.2
    Phase.ALLIED_LAST_SETUP: partial(set_up_in_view, then=Phase.WEATHER),  # R2.3
    Phase.WEATHER: begin_turn,  # R3
    Phase.AIR: air_subturn,  # R4.1 to R4.5
    Phase.LANDING: land_all,  # R4.6
    Phase.MOVE: ground_move,  # R5
    Phase.FIRE: ground_fire,  # R7
    Phase.COMBAT: ground_combat,  # R6
    Phase.END_OF_TURN: end_of_turn,  # R8
}
