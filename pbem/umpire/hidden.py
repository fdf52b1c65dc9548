"""Sealed orders of one's own: seal them, and later take them out of the box in the file (FORMAT 8)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pbem.core.requests import Orders
from pbem.core.sealing import Open
from pbem.errors import FileError
from pbem.journal.canonical import canonical
from pbem.journal.shapes import Accept, Play
from pbem.seal import PrivateKey, box_key, close_box, open_box, seal_digest
from pbem.umpire.game import Game


def sealed(game: Game, key: PrivateKey, seat: str, orders: Orders, entropy: Callable[[int], bytes]) -> Orders:
    """The orders as they are signed: their seal, and the box that keeps them for their maker."""
    salt = entropy(32)
    seal = seal_digest(game.offer.game, seat, salt, canonical(orders))
    content = canonical({"salt": salt.hex(), "orders": orders})
    return [{"seal": seal, "box": close_box(_box_key(game, key, seat), seal, content, entropy)}]


def opened(game: Game, key: PrivateKey, asked: Open[Any]) -> Orders:
    """The opening of one's own seal. Raises `FileError` if its box is not in the file, or not this key's."""
    box = _box(game, asked)
    if box is None:
        raise FileError(
            f"the file has no box for the seal {asked.seal}, so its orders cannot be opened here",
            hint="they were sealed by another program, which may have kept them",
        )
    content = json.loads(open_box(_box_key(game, key, asked.seat), asked.seal, box))
    return [{"open": content}]


def _box(game: Game, asked: Open[Any]) -> str | None:
    """The box that was signed with a seal."""
    for entry in game.entries:
        body = entry.body
        if isinstance(body, (Accept, Play)) and body.by == asked.seat:
            for order in body.orders or ():
                if isinstance(order, dict) and order.get("seal") == asked.seal:
                    box: str | None = order.get("box")
                    return box
    return None


def _box_key(game: Game, key: PrivateKey, seat: str) -> bytes:
    return box_key(key, bytes.fromhex(game.seats[seat].nonce), game.offer.game, seat)
