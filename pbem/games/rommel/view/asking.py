"""The question in words: what is asked, and what may be typed."""

from __future__ import annotations

from pbem.core.sentences import joined
from pbem.games.rommel.rules import combat
from pbem.games.rommel.rules.orders import Question
from pbem.games.rommel.rules.state import Phase
from pbem.games.rommel.terms import names
from pbem.games.rommel.terms.setting import FIRST_COUNTERS
from pbem.games.rommel.terms.typed import AIMS
from pbem.games.rommel.view.facts import order_text
from pbem.games.rommel.view.words import SET_UP_QUESTIONS, setups
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")

SYNTAX = {
    Phase.AIR: ("fly UNIT to HEX", "bomb UNIT", "dogfight UNIT on ENEMY", "land UNIT HEX", "stand down"),
    Phase.MOVE: ("move UNIT to HEX",),
    Phase.FIRE: ("fire UNIT at ENEMY",),
    Phase.COMBAT: ("attack UNIT on ENEMY",),
}
"""The orders that may be typed, by question, besides a pass and standing orders."""


def prompt(ask: Question) -> str:
    """The question in one line, with what may be typed, and its rule."""
    if ask.question == Phase.AXIS_OPEN:
        return tr("your sealed placement is opened ({rule})", rule=ask.rule)
    if ask.question in SET_UP_QUESTIONS:
        return _set_up_prompt(ask)
    due = combat.attacks_due(ask.state) if ask.question == Phase.COMBAT else {}
    guns = tr(
        "for your guns you may add {aa} {hold}, {bombers} or {all} (R4.4)",
        **{word: order_text(word) for word in ("aa", *AIMS)},
    )
    return "; ".join(
        (
            _turn_prompt(ask),
            guns,
            *(
                tr("{unit} must attack {targets} (R5.5)", unit=unit, targets=joined(on, "or"))
                for unit, on in due.items()
            ),
        )
    )


def _set_up_prompt(ask: Question) -> str:
    """R2: the prompt for a placement."""
    task, order, made = _set_up_task(ask.state.step), _localize_syntax("place UNIT HEX"), setups(ask)
    if not made:
        return tr("{task}: {order} ({rule})", task=task, order=order, rule=ask.rule)
    return tr(
        "{task}: {order}, or {setup} {names} ({rule})",
        task=task,
        order=order,
        setup=order_text("setup"),
        names=joined(made, "or"),
        rule=ask.rule,
    )


def _set_up_task(question: Phase) -> str:
    """R2.1 to R2.3: what is to be set up."""
    match question:
        case Phase.AXIS_FIRST_SETUP:
            return tr(
                "place your aircraft on airfields, and {number} counters in your zone, neither supply"
                " nor fortification",
                number=FIRST_COUNTERS,
            )
        case Phase.AXIS_SCREEN_SETUP:
            return tr("place all that is left, fortifications too; your opponent does not see it")
        case Phase.ALLIED_SCREEN_SETUP:
            return tr(
                "place your aircraft on airfields, and all but {number} of your land counters in your zone",
                number=FIRST_COUNTERS,
            )
        case Phase.ALLIED_LAST_SETUP:
            return tr("place your last {number} counters in your zone", number=FIRST_COUNTERS)
    raise AssertionError(question)


def _turn_prompt(ask: Question) -> str:
    """The turn, its weather, and what may be typed."""
    state = ask.state
    assert state.weather is not None
    places = {
        "turn": state.turn,
        "weather": names.weather_name(state.weather),
        "orders": ", ".join(map(_localize_syntax, SYNTAX[state.step])),
        "nothing": order_text("pass"),
        "rule": ask.rule,
    }
    if ask.question != Phase.AIR:
        return tr("turn {turn}, {weather}: {orders}, or {nothing} ({rule})", **places)
    return tr(
        "turn {turn}, {weather}, air sub-turn {subturn}: {orders}, or {nothing} ({rule})",
        subturn=state.subturn,
        **places,
    )


def _localize_syntax(syntax: str) -> str:
    """The syntax of an order in the player's language, with capitals as placeholders for names."""
    places = {"UNIT": tr("UNIT"), "HEX": tr("HEX"), "ENEMY": tr("ENEMY")}
    return " ".join(places.get(word) or order_text(word) for word in syntax.split())
