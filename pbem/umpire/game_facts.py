"""Facts about a game: its file name, sides, addresses; its terms and progress as plain data.

They need nothing but the rules. A player's mail address is the one they have signed: in their seat, later in
`x: {mail: …}` (FORMAT 4). Like any address it is a claim, but made with the player's own key, so anyone who
has confirmed an earlier one can trust it.
"""

from __future__ import annotations

from typing import Any

from pbem.core.sides import Side, unnamed
from pbem.errors import FileError
from pbem.format.entries import Body, Play, Seat
from pbem.games import load
from pbem.messages import Messages, Said
from pbem.umpire.game_state import Game
from pbem.umpire.next_duty import next_duty
from pbem.umpire.offered_scenario import own_scenario

tr = Messages("pbem")


def load_side(rules: str, seat: str) -> Side:
    """The names of a seat's side in the rules `mortain` or `mortain/1`; if unknown, only its key."""
    try:
        return load(rules).side(seat)
    except FileError:
        return unnamed(seat)


ADDRESS_KEY = "mail"
"""The key of a new address in an entry's `x`."""

MAX_ADDRESS_LENGTH = 254
"""The most characters in an address (RFC 5321, 4.5.3.1.3)."""


def changed_address(game: Game, seat: str) -> str:
    """The newest address that a seat's holder has signed since taking the seat, or an empty text."""
    for replayed in reversed(game.replayed_entries):
        body = replayed.entry.body
        address = (
            (body.x or {}).get(ADDRESS_KEY) if body.by == seat and replayed.entry.kind != "offer" else None
        )
        if isinstance(address, str) and 0 < len(address) <= MAX_ADDRESS_LENGTH:
            return address
    return ""


def address_of(game: Game, seat: str) -> str:
    """The newest address that a seat's holder has signed, in an entry or the seat, or an empty text."""
    return changed_address(game, seat) or game.seats[seat].mail or ""


SHOWN_ID_DIGITS = 12
"""How many hexadecimal digits of an id are shown to people."""

SHORT_ID_DIGITS = 8
"""How many digits of an id are in mail subjects, file names and refusals."""

PRACTICE = "Practice"
"""The name with which computer players sign, in every language."""


INVITATION = "invitation.html"
"""The name of the file with an offer and the program in it."""


def file_name(game: Game) -> str:
    """The name of a game's file in its mails: safe to type in any shell."""
    return f"{game.rules.name}-{game.ids[0][:SHORT_ID_DIGITS]}.yaml"


def count_entries(entries: int) -> Said:
    """A number of entries in words: `1 entry`, `2 entries`."""
    return tr.plural("{number} entry", "{number} entries", entries)


def decides_nothing(game: Game, body: Body) -> bool:
    """Whether an entry is only a share, opens a seal (FORMAT 6 and 8), or was computed by pbem."""
    match body:
        case Play(orders=None | [{"open": _}]):
            return True
    return body.n in game.state.computed


def facts(game: Game) -> dict[str, Any]:
    """What the game is and how far it has come, as plain data."""
    due = next_duty(game.state)
    return {
        "game": game.ids[0],
        "rules": game.offer.rules,
        "options": game.offer.options,
        "scenario": scenario_as_data(game),
        "seats": {name: _seat_as_data(seat) for name, seat in game.seats.items()},
        "entries": len(game.entries),
        "head": game.ids[-1],
        "owed": {"what": due.what, "seat": due.seat, "text": due.text},
    }


def _seat_as_data(seat: Seat) -> dict[str, Any]:
    """The holder of a seat, and its commanders, if any (FORMAT 11), as plain data."""
    commanders = [{"name": each.name, "key": each.key, "of": each.of} for each in seat.commanders or ()]
    return {"name": seat.name, "key": seat.key, **({"commanders": commanders} if commanders else {})}


def scenario_as_data(game: Game) -> dict[str, Any]:
    """The scenario as plain data; a player's own also with its owner, its changes, and `text` for people.

    A change lacks `shipped` or `own` if that scenario has no such value.
    """
    name, own = game.offer.scenario.name, own_scenario(game)
    if own is None:
        return {"name": name, "own": False}
    changes = []
    for change in own.changes:
        values = {"shipped": change.shipped, "own": change.own}
        there = {which: value for which, value in values.items() if value is not None}
        changes.append({"path": change.place, **there})
    return {
        "name": name,
        "own": True,
        "by": own.by,
        **({"resembles": own.resembles, "changes": changes} if own.resembles else {}),
        "text": own.text,
    }
