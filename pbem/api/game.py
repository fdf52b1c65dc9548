"""A verified game file: its players, entries and positions."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any

from msgspec import Struct

from pbem.api.position import Position, Result, Rules
from pbem.base.files import open_regular
from pbem.base.limits import FILE_BYTES
from pbem.core.run import Position as Place
from pbem.format.entries import Accept, Play
from pbem.format.keys import PublicKey
from pbem.render.safe_text import safe_text
from pbem.render.story import nearest_edition
from pbem.umpire.game_state import Game as Verified
from pbem.umpire.game_state import ReplayedEntry
from pbem.umpire.verify import open_game


class Player(Struct, frozen=True):
    """The player of a seat. The name is a claim; the key, in OpenSSH form, identifies the player."""

    seat: str
    name: str
    key: str

    @property
    def fingerprint(self) -> str:
        """The fingerprint that players compare: `SHA256:…`, as `ssh-keygen -l` prints it."""
        return PublicKey.parse(self.key).fingerprint


class Draw(Struct, frozen=True):
    """A card drawn or die rolled: its beat, the rule, the equally likely outcomes, and the actual one."""

    beat: int
    rule: str
    outcomes: tuple[Any, ...]
    outcome: Any


class Entry(Struct, frozen=True):
    """An entry of the log.

    `kind` is `offer`, `accept`, `play`, `propose`, `answer` or `resign`; `at` is the writer's clock, a claim
    (UTC, `YYYY-MM-DDThh:mm:ssZ`). `orders` are as signed, None if there are none, and `typed` has them as
    typed; `words` is the message to the opponent; `draws` are the cards and dice it led to, `story`
    everything that happened, one event per line.
    """

    n: int
    seat: str
    kind: str
    id: str
    at: str | None
    orders: list[Any] | None
    typed: tuple[str, ...]
    words: str
    draws: tuple[Draw, ...]
    story: tuple[str, ...]


class Game:
    """A game whose file has passed all ten steps of FORMAT 9. Get one from `pbem.read`."""

    def __init__(self, game: Verified) -> None:
        """Not to be called: use `pbem.read`."""
        self._game = game
        self._rules = Rules(game.rules)

    def __repr__(self) -> str:
        who = " against ".join(f"{player.name!r} ({seat})" for seat, player in self.players.items())
        return f"<Game {self.id[:8]} of {self._rules.pin}, {who}, {len(self)} entries>"

    def __len__(self) -> int:
        """The number of entries."""
        return len(self._game.replayed_entries)

    @property
    def id(self) -> str:
        """The id of the game, which is that of its first entry: 64 hexadecimal digits."""
        return self._game.ids[0]

    @property
    def head(self) -> str:
        """The id of the newest entry: 64 hexadecimal digits."""
        return self._game.ids[-1]

    @property
    def rules(self) -> Rules:
        """The version of the rules that the game uses."""
        return self._rules

    @property
    def options(self) -> dict[str, Any]:
        """The value of every option."""
        return dict(self._game.offer.options)

    @property
    def edition(self) -> str:
        """The name of the edition whose options are nearest to the game's."""
        return nearest_edition(self._game)[0]

    @property
    def scenario(self) -> str:
        """The name of the scenario, which can be the offerer's own."""
        return self._game.offer.scenario.name

    @property
    def players(self) -> dict[str, Player]:
        """The players by seat, the offerer first; a free seat is missing."""
        return {name: Player(name, seat.name, seat.key) for name, seat in self._game.seats.items()}

    @property
    def result(self) -> Result | None:
        """The result; None while the game is in progress."""
        ending = self._game.state.ending
        return Result(ending.winner, ending.way, str(ending.reason)) if ending else None

    @property
    def writer(self) -> str | None:
        """The seat that writes next; None when the game is over."""
        return self._game.state.writer

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry, in order."""
        return tuple(self._entry(chapter) for chapter in self._game.replayed_entries)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.at(len(self) - 1)

    def positions(self) -> Iterator[Position]:
        """The position after each entry, in order."""
        return (self.at(n) for n in range(len(self)))

    def at(self, n: int) -> Position:
        """The position after entry `n`, counted from 0. Raises `IndexError` if there is no such entry."""
        if not 0 <= n < len(self):
            raise IndexError(f"the game has entries 0 to {len(self) - 1}, and no {n}")
        chapter, result = self._game.replayed_entries[n], self.result if n == len(self) - 1 else None
        pending = None if result else chapter.question
        return Position(self._rules, chapter.state, pending, self._place(n), result, chapter.events)

    def _place(self, n: int) -> Place | None:
        """The place of the rules after an entry; a proposal does not change it."""
        chapters, table = self._game.replayed_entries, self._game.state
        while n and table.position_after(n) is None and chapters[n].question is chapters[n - 1].question:
            n -= 1
        return table.position_after(n)

    def _repr_svg_(self) -> str:
        """The current position as a picture, for notebooks."""
        return self.position.svg()

    def _entry(self, chapter: ReplayedEntry) -> Entry:
        body, view = chapter.entry.body, self._game.rules.view
        orders = body.orders if isinstance(body, (Accept, Play)) else None
        beat = chapter.beat
        drawn = (
            [Draw(beat.number, draw.rule, draw.outcomes, draw.outcome) for draw in beat.draws] if beat else []
        )
        return Entry(
            body.n,
            body.by,
            chapter.entry.kind,
            chapter.entry.id,
            body.at,
            orders,
            tuple(view.write_words(orders)) if orders else (),
            body.say or "",
            tuple(drawn),
            tuple(safe_text(view.story(tell)) for tell in chapter.events),
        )


def read(file: str | PathLike[str] | bytes) -> Game:
    """Verify a game file, given as its path or its bytes, and return the game.

    Raises `VerificationError`, with the failing one of the ten steps and the entry; `OverBudget` for a file
    that takes more than ten seconds of processor time; `OSError` if the file cannot be read.
    """
    if isinstance(file, bytes):
        return Game(open_game(file))
    with open_regular(file) as opened:
        return Game(open_game(opened.read(FILE_BYTES + 1)))  # a longer file is refused in any case
