"""The sensible practice player: it goes by the odds, and by the value of places and units."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.core.requests import Orders, accepts
from pbem.core.rules import Chooser, Effort
from pbem.games.rommel.players import last_turn, tactics_air, tactics_combat, tactics_moves
from pbem.games.rommel.players.manners import SENSIBLE, Manner
from pbem.games.rommel.players.tactics import Outlook, no_answer
from pbem.games.rommel.rules import ready
from pbem.games.rommel.rules.air import landing
from pbem.games.rommel.rules.offers import offers
from pbem.games.rommel.rules.orders import Question
from pbem.games.rommel.rules.state import Phase


def sensible_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """The orders that seem best: strikes at good odds, otherwise places nearer to the points, or safer."""
    if ask.question not in PLANS:
        name = chooser.choice(ready.whole(ask.state) or ready.names(ask.state)[-1:])
        return ready.placement(ask.state, name)
    return in_manner(ask, SENSIBLE[ask.seat])


def in_manner(ask: Question, manner: Manner) -> Orders:
    """The orders that seem best in that manner of fighting; not for the set-up."""
    plans = LAST if no_answer(ask.state) else PLANS
    orders = plans[ask.question](ask, manner) or [{"pass": True}]
    return orders if accepts(ask.read, orders) else next(offers(ask))


def together(ask: Question, wanted: list[Orders]) -> Orders:
    """Combine orders, in order, as long as the answer stays legal; a pass if nothing can be added."""
    orders: Orders = []
    for each in wanted:
        if accepts(ask.read, [*orders, *each]):
            orders = [*orders, *each]
    return orders or [{"pass": True}]


def _air(ask: Question, manner: Manner) -> Orders:
    """Sorties; or standing down, which saves a mail, if nothing is worth flying."""
    state = ask.state
    sorties = tactics_air.sorties(state, ask.seat)
    orders = together(ask, sorties) if sorties else [{"stand_down": True}]
    if sorties and not landing.now(state):
        return orders
    return [*orders, *tactics_air.landings(state, ask.seat, orders)]


PLANS: Mapping[str, Callable[[Question, Manner], Orders]] = {
    Phase.AIR: _air,
    Phase.MOVE: lambda ask, manner: tactics_moves.moves(ask.state, ask.seat, manner),
    Phase.FIRE: lambda ask, manner: tactics_combat.shots(ask.state, ask.seat, manner),
    Phase.COMBAT: lambda ask, manner: tactics_combat.attacks(ask.state, ask.seat, manner),
}
"""By question: the sensible player's orders; empty for a pass."""

LAST: Mapping[str, Callable[[Question, Manner], Orders]] = {
    **PLANS,
    Phase.MOVE: lambda ask, manner: last_turn.moves(Outlook(ask.state, ask.seat, manner)),
    Phase.FIRE: lambda ask, _: last_turn.shots(ask.state),
    Phase.COMBAT: lambda ask, _: last_turn.attacks(ask.state),
}
"""By question: the same in the Axis's last turn."""
