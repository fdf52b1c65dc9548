"""A verified log as a club keeps it: who plays what, how it ended, and its ids.

No text in it depends on a language, so that the same files give the same tables everywhere.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from pbem.render.story import nearest_edition
from pbem.umpire.deadline import due_time
from pbem.umpire.game import Game
from pbem.umpire.next_duty import next_duty

ID_BYTES = 32
"""Bytes of an entry's id."""


class SeatHolder(Struct, frozen=True):
    """The holder of a seat: the name is a claim, the key (OpenSSH form) is proven."""

    seat: str
    name: str
    key: str


class VerifiedLog(Struct, frozen=True, kw_only=True):
    """A log that has passed verification (FORMAT 9), without its entries.

    `ids` are the concatenated ids of its entries; `signers` has a digit for each: `0` the offerer, `1` the
    accepter. `own`: the scenario is none that ships. `way` is how the game ended (`rules`, `resignation`,
    `agreement`), empty while it goes on; an ended game without `winner` is a draw. The seat `asked` has the
    duty `what`, `since` and `until` by the clock of seat `clock`. All times are claims, in the file's format.
    """

    ids: bytes
    signers: str
    rules: str
    edition: str
    scenario: str
    own: bool
    players: tuple[SeatHolder, ...]
    winner: str = ""
    way: str = ""
    asked: str = ""
    what: str = ""
    since: str = ""
    until: str = ""
    clock: str = ""
    begun: str = ""
    last: str = ""

    @property
    def game(self) -> str:
        """The id of the game, that of entry 0."""
        return self.ids[:ID_BYTES].hex()

    @property
    def head(self) -> str:
        """The id of the newest entry."""
        return self.ids[-ID_BYTES:].hex()

    @property
    def entries(self) -> int:
        """The number of its entries."""
        return len(self.signers)

    @property
    def name(self) -> str:
        """The game's name, without its version."""
        return self.rules.partition("/")[0]

    def id(self, n: int) -> str:
        """The id of an entry."""
        return self.ids[n * ID_BYTES : (n + 1) * ID_BYTES].hex()


def verified_log(game: Game) -> VerifiedLog:
    """The log of a verified game, as a club stores it."""
    offer, ending = game.offer, game.state.ending
    nearest, differing = nearest_edition(game)
    waits = due_time(game)
    clocks = [entry.body.at for entry in game.entries if entry.body.at is not None]
    return VerifiedLog(
        ids=bytes.fromhex("".join(game.ids)),
        signers="".join("0" if entry.body.by == offer.by else "1" for entry in game.entries),
        rules=offer.rules,
        edition=f"{nearest} with {differing}" if differing else nearest,
        scenario=offer.scenario.name,
        own=offer.scenario.data is not None,
        players=tuple(SeatHolder(name, seat.name, seat.key) for name, seat in game.seats.items()),
        winner=(ending.winner or "") if ending else "",
        way=ending.way if ending else "",
        asked=waits.seat if waits else "",
        what=next_duty(game.state).what if waits else "",
        since=format_timestamp(waits.since) if waits else "",
        until=format_timestamp(waits.until) if waits else "",
        clock=waits.clock_of if waits else "",
        begun=offer.at or "",
        last=clocks[-1] if clocks else "",
    )


def format_timestamp(moment: datetime | None) -> str:
    """A time in the format of files; empty for none."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else ""
