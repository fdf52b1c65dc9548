"""M7, the end of a turn: the joker, the last card, and the next turn."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.core.requests import Tell
from pbem.games.mortain.rules import events, victory
from pbem.games.mortain.rules.state import State, Step
from pbem.games.mortain.terms.cards import BLACK, JOKER, RED
from pbem.games.mortain.terms.setting import SEATS


def joker_ends_turn(state: State) -> bool:
    """M7.1, M7.2: whether a joker drawn now would end the turn; otherwise it is set aside."""
    match state.setting.options.early_joker:
        case "until_both_activated":
            return len(state.activated) == len(SEATS)
        case "until_both_could":
            return {BLACK, RED} <= set(state.colours)
        case _:
            return True


async def play_joker(state: State, during: events.During) -> State:
    """M7.1, M7.2: the joker ends the turn, or is set aside."""
    if joker_ends_turn(state):
        await Tell(state, "M7.1", events.JokerEnds(during))
        return replace(state, step=Step.END_OF_TURN)
    state = replace(state, aside=(JOKER,))
    await Tell(state, "M7.2", events.JokerAside(during))
    return state


async def run_out_of_cards(state: State) -> State:
    """M7.3: end the turn when no card is left."""
    await Tell(state, "M7.3", events.DeckOut(state.turn))
    return replace(state, step=Step.END_OF_TURN)


async def end_turn(state: State) -> State:
    """M7.4: start the next turn, or end the game after the last one."""
    options = state.setting.options
    ends = events.TurnEnds(state.turn, options.turns, state.exits, options.exits_to_win)
    await Tell(state, "M7.4", ends)
    if state.turn == options.turns:
        return await victory.end_game(state, victory.final_outcome(state))
    return replace(state, turn=state.turn + 1, step=Step.SHUFFLE)
