"""What wins, how far each side is from it, and how long there is (M7, M8)."""

from __future__ import annotations

from pbem.core.sentences import counted
from pbem.games.mortain.rules.end_of_turn import joker_ends_turn
from pbem.games.mortain.rules.state import GONE, State, Step
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.setting import GERMAN, SEATS, US
from pbem.games.mortain.view.words import SIDES


def aim(state: State) -> list[str]:
    """A line for each side and one for the turn; none when the game is over."""
    if state.step == Step.OVER:
        return []
    return [_german(state), _us(state), _turn(state)]


def _german(state: State) -> str:
    """M8.1: the exits, or no US unit on the map at the end; M8.3: sooner if all of them are eliminated."""
    options = state.setting.options
    left, units = options.exits_to_win - state.exits, _left(state, GERMAN)
    so_far = f"{state.exits} of {options.exits_to_win} so far"
    if units < left:
        way = f"has too few units left for {options.exits_to_win} exits, {so_far}; it wins"
    else:
        way = f"wins with {counted(left, 'more exit')} off the west edge, {so_far}, or"
    on_map = len(state.field(US))
    coming = _left(state, US) - on_map
    to_come = f", {coming} to come" if coming else ""
    return (
        f"German {way} with no US unit on the map after turn {options.turns}: {on_map} there{to_come} (M8.1)"
    )


def _us(state: State) -> str:
    """M8.2, M8.3: all else, and at once when the German side has no unit left."""
    units = _left(state, GERMAN)
    return f"US wins otherwise (M8.2), or with no German unit left: {units} now (M8.3)"


def _left(state: State, side: str) -> int:
    """How many units of a side are on the map or may still come."""
    return sum(at not in GONE for at in state.places(side))


def _turn(state: State) -> str:
    """M7.1 to M7.3: what ends this turn."""
    deck = counted(len(state.deck), "card")
    turn = f"Turn {state.turn} of {state.setting.options.turns}"
    if cards.JOKER not in state.deck:
        return f"{turn} ends with the deck, {deck} left (M7.3)" if state.aside else f"{turn} is ending"
    if joker_ends_turn(state):
        return f"{turn} ends with the joker, in {deck} (M7.1)"
    return f"{turn} ends with the joker, in {deck}, once {_early(state)} (M7.2)"


def _early(state: State) -> str:
    """M7.2: what must have been before a joker counts."""
    if state.setting.options.early_joker == "until_both_activated":
        idle = [SIDES[seat] for seat in SEATS if seat not in state.activated]
        return f"{idle[0]} has acted" if len(idle) == 1 else "both have acted"
    colours = [colour for colour in (cards.BLACK, cards.RED) if colour not in state.colours]
    return f"a {colours[0]} card has come" if len(colours) == 1 else "both colours have come"
