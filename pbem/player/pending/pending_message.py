"""A message to the opponent that waits for the player's next entry that decides something (FORMAT 6).

    home/words.json    by the id of the game

It never leaves by itself. Nothing has to be removed when an entry includes it: a message that a later entry
of his says is no longer pending, whenever the program was killed. One whose entry was undone is suspended:
it goes with no other before the player says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from pbem.base.files import Store, locked, make_folder
from pbem.errors import NotYourMove, PbemError
from pbem.format.document import MAX_SAY_OF_A_SEAT
from pbem.format.keys import PrivateKey
from pbem.format.plain import SURROGATE
from pbem.format.shapes import MAX_SAY
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game

tr = Texts("pbem")


class _Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """The message, the number of entries the game had then, and whether it waits for the player's consent."""

    words: str
    entries: int
    suspended: bool = False


class Words:
    """The pending messages in the folder `home`."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._store = Store(
            home / "words.json", dict[str, _Kept], hint=tr("mend or remove it: only words that wait are lost")
        )

    def waiting(self, game: Game, key: PrivateKey) -> str:
        """The message that goes with the next decision of this key's holder; empty if there is none."""
        kept = self._kept(game)
        return "" if kept.suspended or _said(kept, game, permissions.held_seats(game, key)) else kept.words

    def suspended(self, game: Game) -> str:
        """The message that waits until the player says that it may go; empty if there is none."""
        kept = self._kept(game)
        return kept.words if kept.suspended else ""

    def suspend(self, game: Game, entries: int, seats: Sequence[str]) -> str:
        """Suspend the message that is pending once the game has only so many entries; return it, or empty."""
        kept = self._kept(game)
        if not kept.words or _said(kept, game, seats, entries):
            return ""
        self._put(game, _Kept(kept.words, min(kept.entries, entries), suspended=True))
        return kept.words

    def joined(self, game: Game, key: PrivateKey, words: str) -> str:
        """The pending message with these words below it. Raises `PbemError` if an entry cannot hold it."""
        said = "\n".join(one for one in (self.waiting(game, key), words) if one)
        if SURROGATE.search(said):
            raise PbemError(tr("your words are not UTF-8 text"))
        if (size := len(said.encode())) > MAX_SAY:
            problem = tr(
                "your words have {found} bytes, and {most} are allowed (FORMAT 4)", found=size, most=MAX_SAY
            )
            hint = tr("to take back what waits: {command}", command="pbem say --remove")
            raise PbemError(problem, hint=hint)
        seats = permissions.held_seats(game, key)
        spoken = sum(len((one.body.say or "").encode()) for one in game.entries if one.body.by in seats)
        if spoken + size > MAX_SAY_OF_A_SEAT:
            problem = tr(
                "you have said {found} bytes in this game, and may say {most} (FORMAT 4)",
                found=spoken,
                most=MAX_SAY_OF_A_SEAT,
            )
            raise PbemError(problem)
        return said

    def check(self, game: Game, key: PrivateKey, words: str) -> str:
        """The pending or suspended message with these words, checked. Raises as `join`; `NotYourMove`."""
        if not permissions.held_seats(game, key):
            raise NotYourMove(tr("you play no side in this game"))
        if game.table.ending:
            raise NotYourMove(tr("the game is over: nothing will take your words along"))
        before = self.suspended(game)
        return self.joined(game, key, "\n".join(one for one in (before, words) if one))

    def keep(self, game: Game, key: PrivateKey, words: str) -> str:
        """Save the words with what is pending already; the whole message. Raises as `check`."""
        said = self.check(game, key, words)
        self._put(game, _Kept(said, len(game.entries)))
        return said

    def of_none(self, game: str) -> bool:
        """Whether there has never been a message in the game with this id. Raises `ShelfError`."""
        return game not in self._store.read()

    def remove(self, game: Game) -> None:
        """Remove the pending message."""
        self._put(game, _Kept("", len(game.entries)))

    def _kept(self, game: Game) -> _Kept:
        return self._store.read().get(game.ids[0], _Kept("", 0))

    def _put(self, game: Game, kept: _Kept) -> None:
        make_folder(self._home)
        with locked(self._home):
            self._store.put(game.ids[0], kept)


def _said(kept: _Kept, game: Game, seats: Sequence[str], before: int | None = None) -> bool:
    """Whether an entry of these seats (among the first `before`, if given) has said the message."""
    since = [entry.body for entry in game.entries[kept.entries : before] if entry.body.by in seats]
    return any(kept.words in (body.say or "") for body in since)
