"""The practice players: one that gives any legal orders, and one with some sense."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.requests import Ask, Orders
from pbem.core.rules import Chooser, Player
from pbem.games.rommel import landing, ready, tactics_air, tactics_combat, tactics_moves
from pbem.games.rommel.at_random import random_player, together
from pbem.games.rommel.offers import accepts, offers
from pbem.games.rommel.state import AIR, COMBAT, FIRE, MOVE, State


def sensible_player(ask: Ask[Any], chooser: Chooser) -> Orders:
    """What seems best: strikes at good odds, and else a place nearer to the victory points or safer."""
    state: State = ask.state
    match ask.question:
        case question if question == AIR:
            orders = _air(ask)
        case question if question == MOVE:
            orders = tactics_moves.moves(state, ask.seat)
        case question if question == FIRE:
            orders = tactics_combat.shots(state, ask.seat)
        case question if question == COMBAT:
            orders = tactics_combat.attacks(state, ask.seat)
        case _:
            *written, fallback = ready.names(state)
            return ready.placement(state, chooser.choice(written or [fallback]))
    orders = orders or [{"pass": True}]
    return orders if accepts(ask.read, orders) else next(offers(ask))


def _air(ask: Ask[Any]) -> Orders:
    """Sorties; or standing down, which spares a mail, where nothing is worth flying."""
    sorties = tactics_air.sorties(ask.state, ask.seat)
    orders = together(ask, sorties) if sorties else [{"stand_down": True}]
    if sorties and not landing.now(ask.state):
        return orders
    return [*orders, *tactics_air.landings(ask.state, ask.seat, orders)]


PLAYERS: Mapping[str, Player] = {"random": random_player, "sensible": sensible_player}
