"""Taking a seat: the offer that opens a game, and the accept of the other side (FORMAT 4)."""

from __future__ import annotations

import secrets

from pbem.core.requests import Plain
from pbem.player.clock import claim
from pbem.umpire import write
from pbem.umpire.game import Game
from pbem.umpire.write import Claim, Person, Terms


def sign_offer(
    person: Person,
    seat: str,
    terms: Terms,
    *,
    to: str = "",
    x: dict[str, Plain] | None = None,
    shared: bool = False,
    said: Claim | None = None,
) -> Game:
    """Sign an offer: a new game with that alone, not saved yet. Raises as `write.offer`."""
    clock = claim() if said is None else said
    return write.offer(person, seat, terms, secrets.token_bytes, to=to, x=x, shared=shared, claim=clock)


def sign_accept(game: Game, person: Person, said: Claim | None = None) -> Game:
    """Sign an accept: the game with the other seat taken, not saved yet. Raises as `write.accept`."""
    return write.accept(game, person, secrets.token_bytes, claim=claim() if said is None else said)
