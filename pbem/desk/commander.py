"""A game as one of a side's commanders has it: what is his stands first, and he orders that (FORMAT 11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from pbem.core.legend import Legend
from pbem.core.requests import Orders, Question
from pbem.errors import IllegalOrder, OrderError
from pbem.keys import PublicKey
from pbem.render.window import led
from pbem.umpire import Game
from pbem.umpire.drafts import Post, commander_at, own_share, post
from pbem.umpire.parts import part_fault, split, together

NOTHING = "pass"
"""How a commander says that he orders nothing."""


def own_first(game: Game, key: PublicKey | None, legend: Legend) -> tuple[Legend, list[str]]:
    """The position with the units of the key's holder before others, and their hexes; as it is for others."""
    at = post(game, key)
    if at is None:
        return legend, []
    groups = commander_at(game, at).of
    hexes = [
        cell.number
        for cell in legend.cells
        if any(piece.side == at.seat and piece.group in groups for piece in cell.pieces)
    ]
    return led(legend, at.seat, groups), hexes


def own_orders(game: Game, at: Post, lines: Sequence[str], orders: Orders) -> Orders:
    """What a commander signs of typed lines that were read as these orders: of a ready-made set-up his share.

    Raises `IllegalOrder` for an order of what is not his.
    """
    if [line.strip().lower() for line in lines] == [NOTHING]:
        return []
    if any(line.lower().startswith("setup ") for line in lines):
        return own_share(game, at, orders)
    asked = game.table.asked
    assert asked is not None
    orders = together([share for order in orders for share in split(order)])
    if fault := part_fault(game.rules, asked, commander_at(game, at), orders):
        raise IllegalOrder(game.rules.sharing.rule, f"expected {fault[0]}; found {fault[1]}")
    return orders


def own_phrases(game: Game, at: Post, asked: Question, phrases: Iterable[str]) -> list[str]:
    """Of orders as typed those that a commander may give; a ready-made set-up has a share of his."""
    found = []
    for phrase in phrases:
        with suppress(OrderError):
            orders = game.rules.view.read_words(asked, [phrase])
            if phrase == NOTHING or own_orders(game, at, [phrase], orders):
                found.append(phrase)
    return found
