"""Sealed orders of one's own: seal them, and later take them out of the box in the file (FORMAT 8)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from pbem.core.requests import Orders
from pbem.core.run import public
from pbem.core.sealing import Open
from pbem.errors import FileError
from pbem.journal.canonical import canonical
from pbem.journal.shapes import Accept, Play
from pbem.keys import PrivateKey, PublicKey, box_key, close_box, open_box, seal_digest
from pbem.umpire.game import Game


def sealed(game: Game, key: PrivateKey, seat: str, orders: Orders, entropy: Callable[[int], bytes]) -> Orders:
    """The orders as they are signed: their seal, and the box that keeps them for their maker."""
    salt = entropy(32)
    seal = seal_digest(game.offer.game, seat, salt, canonical(orders))
    content = canonical({"salt": salt.hex(), "orders": orders})
    return [{"seal": seal, "box": close_box(_box_key(game, key, seat), seal, content, entropy)}]


def opened(game: Game, key: PrivateKey, asked: Open[Any]) -> Orders:
    """The opening of one's own seal. Raises `FileError` if its box is not in the file, or not this key's."""
    box = next((box for seat, seal, box in _boxes(game) if (seat, seal) == (asked.seat, asked.seal)), None)
    if box is None:
        raise FileError(
            f"the file has no box for the seal {asked.seal}, so its orders cannot be opened here",
            hint="they were sealed by another program, which may have kept them",
        )
    content = json.loads(open_box(_box_key(game, key, asked.seat), asked.seal, box))
    return [{"open": content}]


def kept(game: Game, key: PrivateKey) -> list[Orders]:
    """The orders that this key's holder has sealed and not yet opened, for his own eyes."""
    own = [name for name, seat in game.seats.items() if PublicKey.parse(seat.key) == key.public]
    position = canonical(public(game.rules, game.table.run.state, game.table.asked)).decode()
    found = []
    for seat, seal, box in _boxes(game):
        if seat in own and seal in position:
            found.append(json.loads(open_box(_box_key(game, key, seat), seal, box))["orders"])
    return found


def _boxes(game: Game) -> Iterator[tuple[str, str, str]]:
    """Every box in the log: the seat, the seal, the box."""
    for entry in game.entries:
        body = entry.body
        if isinstance(body, (Accept, Play)):
            match body.orders:
                case [{"seal": str(seal), "box": str(box)}]:
                    yield body.by, seal, box


def _box_key(game: Game, key: PrivateKey, seat: str) -> bytes:
    return box_key(key, bytes.fromhex(game.seats[seat].nonce), game.offer.game, seat)
