"""The player's own new mail address, which his next decision in each game announces to the opponent.

home/address.json    {"mail": "anna@example.net"}

Nothing has to be removed when an entry announces it: what the game says already is not said again.
"""

from __future__ import annotations

from pathlib import Path

from pbem.base.files import JsonStore, lock_folder, make_folder
from pbem.format.keys import PrivateKey
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.addresses import ADDRESS_KEY, address_of
from pbem.umpire.game import Game
from pbem.umpire.next_duty import next_duty

tr = Texts("pbem")

ADDRESS_FILE = "address.json"


def save_address(home: Path, address: str) -> None:
    """Save the address at which the player gets his mail from now on. Raises `ShelfError`."""
    make_folder(home)
    with lock_folder(home):
        _address_store(home).save(ADDRESS_KEY, address)


def address_to_announce(home: Path, game: Game, key: PrivateKey) -> str:
    """The new address of this key's holder, unless the game states it already, or is over: then empty."""
    if not (home / ADDRESS_FILE).exists():
        return ""
    address, seats = _address_store(home).read().get(ADDRESS_KEY, ""), permissions.held_seats(game, key)
    running = len(game.seats) > 1 and next_duty(game.state).what != "nothing"
    return address if running and any(address_of(game, seat) != address for seat in seats) else ""


def _address_store(home: Path) -> JsonStore[str]:
    return JsonStore(
        home / ADDRESS_FILE, dict[str, str], hint=tr("remove it: then no new address is told any more")
    )
