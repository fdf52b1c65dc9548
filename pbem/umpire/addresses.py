"""A player's mail address as he has signed it: in his seat, later in `x: {mail: …}` (FORMAT 4).

It is a claim, as all addresses are, but signed: a reader who has confirmed an earlier one may believe it.
"""

from __future__ import annotations

from pbem.umpire.game import Game

KEY = "mail"
"""The key of a new address in an entry's `x`."""

MOST = 254
"""Characters of an address (RFC 5321, 4.5.3.1.3)."""


def moved_to(game: Game, seat: str) -> str:
    """The newest address that a seat's holder has signed since he took it; empty if he has signed none."""
    for replayed in reversed(game.chapters):
        body = replayed.entry.body
        address = (body.x or {}).get(KEY) if body.by == seat and replayed.entry.kind != "offer" else None
        if isinstance(address, str) and 0 < len(address) <= MOST:
            return address
    return ""


def address_of(game: Game, seat: str) -> str:
    """The newest address that a seat's holder has signed, also with his seat; empty if he has signed none."""
    return moved_to(game, seat) or game.seats[seat].mail or ""
