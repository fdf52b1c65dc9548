"""The offers to a player: legal answers, the simple ones (M3.9)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.requests import Orders, accepts
from pbem.games.mortain.rules.orders import Question
from pbem.games.mortain.rules.partial import ActivationBuilder
from pbem.games.mortain.rules.placing import placements
from pbem.games.mortain.rules.state import Questions, State


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
