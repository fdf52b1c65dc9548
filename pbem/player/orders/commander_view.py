"""A game as one of a side's commanders sees it: his own units first, which he orders (FORMAT 11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.core.legend import Cell, Legend, Margin
from pbem.core.requests import Orders, Question
from pbem.format.keys import PublicKey
from pbem.render.window import put_groups_first
from pbem.texts import Texts
from pbem.umpire.commander_signatures import split_order
from pbem.umpire.drafts import (
    CommanderSeat,
    commander_at,
    find_commander_seat,
    orders_within_command,
    require_own_orders,
)
from pbem.umpire.game import Game

tr = Texts("pbem")

PASS = "pass"
"""A commander's word for ordering nothing; it and the next belong to a game, and are in its catalogue."""

_SETUP = "setup"
"""The first word of a line that means a ready-made set-up."""


def put_own_first(game: Game, key: PublicKey | None, legend: Legend) -> tuple[Legend, list[str]]:
    """The position with a commander's own units first, and their hexes; for anybody else unchanged."""
    at = find_commander_seat(game, key)
    if at is None:
        return legend, []
    groups = commander_at(game, at).of
    hexes = [
        cell.number
        for cell in legend.cells
        if any(piece.side == at.seat and piece.group in groups for piece in cell.pieces)
    ]
    return put_groups_first(legend, at.seat, groups), hexes


def own_orders(game: Game, at: CommanderSeat, lines: Sequence[str], orders: Orders) -> Orders:
    """A commander's own part of typed lines that mean these orders; of a ready-made set-up, his share.

    Raises `IllegalOrder` for an order of what is not his.
    """
    meant = Texts(game.rules.package).meant
    if [meant(line.strip(), (PASS,)) for line in lines] == [PASS]:
        return []
    if any(meant(word, (_SETUP,)) == _SETUP for line in lines for word in line.split()[:1]):
        return orders_within_command(game, at, orders)
    asked = game.state.pending_question
    assert asked is not None
    return require_own_orders(game, asked, at, orders)


def own_phrases(game: Game, at: CommanderSeat, phrases: Iterable[str]) -> list[str]:
    """The phrases, orders as typed, for a commander's units alone; and ready-made set-ups."""
    groups = commander_at(game, at).of
    legend = game.rules.view.legend(game.state.run.state)
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    side = [piece for place in places for piece in place.pieces if piece.side == at.seat]
    own = {piece.name for piece in side if piece.group in groups}
    others = {piece.name for piece in side} - own
    typed = Texts(game.rules.package).typed
    nothing, set_up = {PASS, *typed(PASS)}, {_SETUP, *typed(_SETUP)}
    own_found = []
    for phrase in phrases:
        words = set(phrase.replace(";", " ").split())
        if phrase in nothing or words & set_up or (words & own and not words & others):
            own_found.append(phrase)
    return own_found


def own_offers(game: Game, asked: Question, key: PublicKey) -> list[str]:
    """The possible orders for the units of a commander, by his key, as typed; of a set-up, his share."""
    at = find_commander_seat(game, key)
    if at is None or at.seat != asked.seat:
        return []
    phrases: dict[str, None] = {}
    for orders in game.rules.offers(asked):
        share = orders_within_command(game, at, orders)
        if share == orders or (share and any(len(split_order(order)) > 1 for order in orders)):
            phrases["; ".join(game.rules.view.write_words(share))] = None
    return list(phrases)
