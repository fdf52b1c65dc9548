"""A player's mail address as he has signed it: in his seat, later in `x: {mail: …}` (FORMAT 4).

It is a claim, as all addresses are, but signed: a reader who has confirmed an earlier one may believe it.
"""

from __future__ import annotations

from pbem.umpire.game import Game

ADDRESS_KEY = "mail"
"""The key of a new address in an entry's `x`."""

MAX_ADDRESS_LENGTH = 254
"""Characters of an address (RFC 5321, 4.5.3.1.3)."""


def changed_address(game: Game, seat: str) -> str:
    """The newest address that a seat's holder has signed since he took it; empty if he has signed none."""
    for replayed in reversed(game.replayed_entries):
        body = replayed.entry.body
        address = (
            (body.x or {}).get(ADDRESS_KEY) if body.by == seat and replayed.entry.kind != "offer" else None
        )
        if isinstance(address, str) and 0 < len(address) <= MAX_ADDRESS_LENGTH:
            return address
    return ""


def address_of(game: Game, seat: str) -> str:
    """The newest address that a seat's holder has signed, also with his seat; empty if he has signed none."""
    return changed_address(game, seat) or game.seats[seat].mail or ""
