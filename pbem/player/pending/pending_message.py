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

from pbem.base.files import JsonStore, lock_folder, make_folder
from pbem.errors import NotYourMove, PbemError
from pbem.format.document import MAX_SAY_OF_A_SEAT
from pbem.format.keys import PrivateKey
from pbem.format.plain import SURROGATE
from pbem.format.shapes import MAX_SAY
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game

tr = Texts("pbem")


class _StoredMessage(Struct, frozen=True, forbid_unknown_fields=True):
    """The message, the number of entries the game had then, and whether it waits for the player's consent."""

    words: str
    entries: int
    suspended: bool = False


class PendingMessages:
    """The pending messages in the folder `home`."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._store = JsonStore(
            home / "words.json",
            dict[str, _StoredMessage],
            hint=tr("mend or remove it: only words that wait are lost"),
        )

    def pending_for(self, game: Game, key: PrivateKey) -> str:
        """The message that goes with the next decision of this key's holder; empty if there is none."""
        kept = self._stored(game)
        return (
            ""
            if kept.suspended or _has_been_sent(kept, game, permissions.held_seats(game, key))
            else kept.words
        )

    def suspended_message(self, game: Game) -> str:
        """The message that waits until the player says that it may go; empty if there is none."""
        kept = self._stored(game)
        return kept.words if kept.suspended else ""

    def suspend(self, game: Game, entries: int, seats: Sequence[str]) -> str:
        """Suspend the message that is pending once the game has only so many entries; return it, or empty."""
        kept = self._stored(game)
        if not kept.words or _has_been_sent(kept, game, seats, entries):
            return ""
        self._put(game, _StoredMessage(kept.words, min(kept.entries, entries), suspended=True))
        return kept.words

    def join(self, game: Game, key: PrivateKey, words: str) -> str:
        """The pending message with these words below it. Raises `PbemError` if an entry cannot hold it."""
        said = "\n".join(one for one in (self.pending_for(game, key), words) if one)
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
        if game.state.ending:
            raise NotYourMove(tr("the game is over: nothing will take your words along"))
        before = self.suspended_message(game)
        return self.join(game, key, "\n".join(one for one in (before, words) if one))

    def save(self, game: Game, key: PrivateKey, words: str) -> str:
        """Save the words with what is pending already; the whole message. Raises as `check`."""
        said = self.check(game, key, words)
        self._put(game, _StoredMessage(said, len(game.entries)))
        return said

    def is_empty(self, game: str) -> bool:
        """Whether there has never been a message in the game with this id. Raises `ShelfError`."""
        return game not in self._store.read()

    def remove(self, game: Game) -> None:
        """Remove the pending message."""
        self._put(game, _StoredMessage("", len(game.entries)))

    def _stored(self, game: Game) -> _StoredMessage:
        return self._store.read().get(game.ids[0], _StoredMessage("", 0))

    def _put(self, game: Game, kept: _StoredMessage) -> None:
        make_folder(self._home)
        with lock_folder(self._home):
            self._store.save(game.ids[0], kept)


def _has_been_sent(kept: _StoredMessage, game: Game, seats: Sequence[str], before: int | None = None) -> bool:
    """Whether an entry of these seats (among the first `before`, if given) has said the message."""
    since = [entry.body for entry in game.entries[kept.entries : before] if entry.body.by in seats]
    return any(kept.words in (body.say or "") for body in since)
