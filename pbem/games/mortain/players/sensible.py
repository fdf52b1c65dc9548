"""The player with some sense: what it wants, as far as that goes together."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.requests import Orders
from pbem.core.rules import Chooser, Effort
from pbem.games.mortain.players.aims import SENSIBLE
from pbem.games.mortain.players.outlook import Outlook
from pbem.games.mortain.players.tactics import attacks, moves
from pbem.games.mortain.players.wishes import MoveOption
from pbem.games.mortain.rules.offers import offers
from pbem.games.mortain.rules.orders import Question
from pbem.games.mortain.rules.partial import ActivationBuilder
from pbem.games.mortain.rules.state import Questions

ATTACKS = 3
"""How many legal attacks are compared."""


def sensible_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """The most valuable list: one of the best attacks, or none, and the best moves beside it."""
    match ask.question:
        case Questions.PLACE:
            return _placement_on_line(ask, chooser)
        case Questions.FACES:
            return [{"faces": "redraw"}]
    return rank_lists(Outlook(ask.state, ask.seat, SENSIBLE))[0]


def _placement_on_line(ask: Question, chooser: Chooser) -> Orders:
    """The first placement offered, along the line, with the units in random order."""
    [order] = next(offers(ask))
    units, hexes = list(order["place"]), list(order["place"].values())
    return [{"place": dict(zip(units, chooser.sample(hexes, len(hexes)), strict=True))}]


def rank_lists(outlook: Outlook, most: int = ATTACKS) -> list[Orders]:
    """Lists of orders, the best first: each of the best legal attacks, or none, with the best moves."""
    found: list[tuple[float, Orders]] = []
    goes = moves(outlook)
    for attack in attacks(outlook):
        draft = ActivationBuilder(outlook.state)
        if attack.add_to(draft):
            found.append((attack.worth + _add_moves(goes, draft), draft.orders()))
            if len(found) == most:
                break
    draft = ActivationBuilder(outlook.state)
    found.append((_add_moves(goes, draft), draft.orders()))
    return [orders for _, orders in sorted(found, key=lambda one: -one[0])]


def _add_moves(goes: Sequence[MoveOption], draft: ActivationBuilder) -> float:
    """Add the best moves that fit to a list, and return their total value."""
    return sum(go.worth for go in goes if go.add_to(draft))
