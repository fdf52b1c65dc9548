"""The offers to a player: legal answers, made up and not guessed, the simple ones (R10).

Only `read` judges; the tests hold that everything made up here is just what it accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pbem.core.requests import Orders, accepts
from pbem.games.rommel.rules import combat, fire, movement, ready
from pbem.games.rommel.rules.air import sorties
from pbem.games.rommel.rules.orders import Question
from pbem.games.rommel.rules.state import Phase, State

ANSWERS: Mapping[str, Callable[[State], Iterator[Orders]]] = {
    Phase.AIR: sorties.answers,
    Phase.MOVE: movement.answers,
    Phase.FIRE: fire.answers,
    Phase.COMBAT: combat.answers,
}
"""By question: simple legal answers other than a pass; at least one if there is any."""


def offers(ask: Question) -> Iterator[Orders]:
    """Simple legal answers: ready-made set-ups, or a pass, where it is allowed, and every simple order."""
    state = ask.state
    if ask.question in ANSWERS:
        lists: Iterator[Orders] = iter([[{"pass": True}], *ANSWERS[ask.question](state)])
    else:
        lists = (ready.ready_placement(state, name) for name in ready.ready_names(state))
    return (orders for orders in lists if accepts(ask.read, orders))


def can_act(state: State) -> bool:
    """R10: whether any order other than a pass and standing orders is legal."""
    return next(ANSWERS[state.step](state), None) is not None
