"""The sensible practice player: it goes by the odds, and by the value of places and units."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.core.requests import Orders, accepts
from pbem.core.rules import Chooser, Effort
from pbem.games.rommel.players import last_turn, tactics_air, tactics_combat, tactics_moves
from pbem.games.rommel.players.manners import SENSIBLE, Manner
from pbem.games.rommel.players.tactics import Outlook, is_axis_last_turn
from pbem.games.rommel.rules import ready
from pbem.games.rommel.rules.air import landing
from pbem.games.rommel.rules.offers import offers
from pbem.games.rommel.rules.orders import Question
from pbem.games.rommel.rules.state import Phase


def sensible_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """The orders that seem best: strikes at good odds, otherwise places nearer to the points, or safer."""
    if ask.question not in PLANNERS:
        name = chooser.choice(ready.complete_names(ask.state) or ready.ready_names(ask.state)[-1:])
        return ready.ready_placement(ask.state, name)
    return orders_in_manner(ask, SENSIBLE[ask.seat])


def orders_in_manner(ask: Question, manner: Manner) -> Orders:
    """The orders that seem best in that manner of fighting; not for the set-up."""
    plans = LAST_TURN_PLANNERS if is_axis_last_turn(ask.state) else PLANNERS
    orders = plans[ask.question](ask, manner) or [{"pass": True}]
    return orders if accepts(ask.read, orders) else next(offers(ask))


def combine_orders(ask: Question, wanted: list[Orders]) -> Orders:
    """Combine orders, in order, as long as the answer stays legal; a pass if nothing can be added."""
    orders: Orders = []
    for each in wanted:
        if accepts(ask.read, [*orders, *each]):
            orders = [*orders, *each]
    return orders or [{"pass": True}]


def _air_orders(ask: Question, manner: Manner) -> Orders:
    """Sorties; or standing down, which saves a mail, if nothing is worth flying."""
    state = ask.state
    sorties = tactics_air.sortie_orders(state, ask.seat)
    orders = combine_orders(ask, sorties) if sorties else [{"stand_down": True}]
    if sorties and not landing.is_last_subturn(state):
        return orders
    return [*orders, *tactics_air.landing_orders(state, ask.seat, orders)]


PLANNERS: Mapping[str, Callable[[Question, Manner], Orders]] = {
    Phase.AIR: _air_orders,
    Phase.MOVE: lambda ask, manner: tactics_moves.movement_orders(ask.state, ask.seat, manner),
    Phase.FIRE: lambda ask, manner: tactics_combat.fire_orders(ask.state, ask.seat, manner),
    Phase.COMBAT: lambda ask, manner: tactics_combat.attack_orders(ask.state, ask.seat, manner),
}
"""By question: the sensible player's orders; empty for a pass."""

LAST_TURN_PLANNERS: Mapping[str, Callable[[Question, Manner], Orders]] = {
    **PLANNERS,
    Phase.MOVE: lambda ask, manner: last_turn.moves(Outlook(ask.state, ask.seat, manner)),
    Phase.FIRE: lambda ask, _: last_turn.shots(ask.state),
    Phase.COMBAT: lambda ask, _: last_turn.attacks(ask.state),
}
"""By question: the same in the Axis's last turn."""
