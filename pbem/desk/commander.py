"""A game as one of a side's commanders looks at it: what is his stands first (FORMAT 11)."""

from __future__ import annotations

from pbem.core.legend import Legend
from pbem.keys import PublicKey
from pbem.render.window import led
from pbem.umpire import Game
from pbem.umpire.drafts import commander_at, post


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
