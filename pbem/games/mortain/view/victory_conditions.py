"""The victory conditions, each side's progress, and the time left (M7, M8)."""

from __future__ import annotations

from pbem.games.mortain.rules.end_of_turn import joker_ends_turn
from pbem.games.mortain.rules.state import GONE, State, Step
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.setting import GERMAN, SEATS, US
from pbem.texts import Texts

tr = Texts("pbem.games.mortain")


def describe_victory_conditions(state: State) -> list[str]:
    """One line for each side and one for the turn; none when the game is over."""
    if state.step == Step.OVER:
        return []
    return [_german_conditions(state), _us_conditions(state), _turn_end(state)]


def _german_conditions(state: State) -> str:
    """M8.1: the exits, or no US unit on the map at the end; M8.3: sooner if all US units are eliminated."""
    options, exits = state.setting.options, state.exits
    left, units = options.exits_to_win - exits, _units_left(state, GERMAN)
    if units < left:
        return tr(
            "The Germans have too few units left for {needed} exits ({exits} of {needed} so far); they "
            "win if no US unit is on the map after turn {turns} ({there}; M8.1)",
            needed=options.exits_to_win,
            exits=exits,
            turns=options.turns,
            there=_count_us_units(state),
        )
    return tr.plural(
        "The Germans win with {number} more exit off the west edge ({exits} of {needed} so far), "
        "or if no US unit is on the map after turn {turns} ({there}; M8.1)",
        "The Germans win with {number} more exits off the west edge ({exits} of {needed} so far),"
        " or if no US unit is on the map after turn {turns} ({there}; M8.1)",
        left,
        needed=options.exits_to_win,
        exits=exits,
        turns=options.turns,
        there=_count_us_units(state),
    )


def _count_us_units(state: State) -> str:
    """How many US units are on the map, and how many are still to come."""
    on_map = len(state.field(US))
    if coming := _units_left(state, US) - on_map:
        return tr.sense("US units", "{number} now, {coming} still to come", number=on_map, coming=coming)
    return tr.sense("US units", "now {number}", number=on_map)


def _us_conditions(state: State) -> str:
    """M8.2, M8.3: the US wins otherwise, and at once if the Germans have no unit left."""
    units = _units_left(state, GERMAN)
    return tr(
        "The Americans win otherwise (M8.2), or at once if no German unit is left (now {number}; M8.3)",
        number=units,
    )


def _units_left(state: State, side: str) -> int:
    """The number of a side's units on the map or still to come."""
    return sum(at not in GONE for at in state.places(side))


def _turn_end(state: State) -> str:
    """M7.1 to M7.3: what ends this turn."""
    turn, turns, deck = state.turn, state.setting.options.turns, len(state.deck)
    if cards.JOKER in state.deck:
        return _joker_end(state)
    if state.aside:
        return tr.plural(
            "Turn {turn} of {turns} ends when the deck is empty; {number} card left (M7.3)",
            "Turn {turn} of {turns} ends when the deck is empty; {number} cards left (M7.3)",
            deck,
            turn=turn,
            turns=turns,
        )
    return tr("Turn {turn} of {turns} is ending", turn=turn, turns=turns)


def _joker_end(state: State) -> str:
    """M7.1, M7.2: when the joker ends this turn."""
    turn, turns, deck = state.turn, state.setting.options.turns, len(state.deck)
    if joker_ends_turn(state):
        return tr.plural(
            "Turn {turn} of {turns} ends when the joker is drawn; {number} card left (M7.1)",
            "Turn {turn} of {turns} ends when the joker is drawn; {number} cards left (M7.1)",
            deck,
            turn=turn,
            turns=turns,
        )
    return tr.plural(
        "Turn {turn} of {turns} ends when the joker is drawn, once {early}; {number} card left (M7.2)",
        "Turn {turn} of {turns} ends when the joker is drawn, once {early}; {number} cards left (M7.2)",
        deck,
        turn=turn,
        turns=turns,
        early=_joker_condition(state),
    )


def _joker_condition(state: State) -> str:
    """M7.2: what must happen before the joker counts."""
    if state.setting.options.early_joker == "until_both_activated":
        match [seat for seat in SEATS if seat not in state.activated]:
            case [seat] if seat == GERMAN:
                return tr.sense("once …", "the Germans have acted")
            case [_]:
                return tr.sense("once …", "the Americans have acted")
        return tr.sense("once …", "both have acted")
    match [colour for colour in (cards.BLACK, cards.RED) if colour not in state.colours]:
        case [cards.BLACK]:
            return tr.sense("once …", "a black card has been drawn")
        case [cards.RED]:
            return tr.sense("once …", "a red card has been drawn")
    return tr.sense("once …", "both colours have been drawn")
