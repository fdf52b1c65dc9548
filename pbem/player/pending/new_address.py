"""The player's own new mail address, which his next decision in each game announces to the opponent.

home/address.json    {"mail": "anna@example.net"}

Nothing has to be removed when an entry announces it: what the game says already is not said again.
"""

from __future__ import annotations

from pathlib import Path

from pbem.base.files import Store, locked, make_folder
from pbem.format.keys import PrivateKey
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.addresses import KEY, address_of
from pbem.umpire.game import Game
from pbem.umpire.next_duty import next_duty

tr = Texts("pbem")

FILE = "address.json"


def keep(home: Path, address: str) -> None:
    """Save the address at which the player gets his mail from now on. Raises `ShelfError`."""
    make_folder(home)
    with locked(home):
        _store(home).put(KEY, address)


def untold(home: Path, game: Game, key: PrivateKey) -> str:
    """The new address of this key's holder, unless the game states it already, or is over: then empty."""
    if not (home / FILE).exists():
        return ""
    address, seats = _store(home).read().get(KEY, ""), permissions.held_seats(game, key)
    running = len(game.seats) > 1 and next_duty(game.table).what != "nothing"
    return address if running and any(address_of(game, seat) != address for seat in seats) else ""


def _store(home: Path) -> Store[str]:
    return Store(home / FILE, dict[str, str], hint=tr("remove it: then no new address is told any more"))
