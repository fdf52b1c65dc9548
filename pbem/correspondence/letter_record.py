"""The record of games played by answering mails: the letter that counts, the orders that wait for a yes.

    home/mail/asked.json    by the id of the game
    home/mail/letters.json  when letters to oneself went out in the last hour

A code counts once: the next letter's number stands here before anything is done by an answer. The
numbers go on through the whole game, so that a decision which comes back, because its entry was undone, has
other codes than before. So the program may be killed anywhere, and nothing is done twice.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import JsonStore, make_folder
from pbem.format.keys import PrivateKey
from pbem.texts import ENGLISH, Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game

tr = Texts("pbem")

_SKIPPED, _LAST = 500, 9_000
"""Letters that a home may have written since it was copied, and the highest number that is skipped to."""

MAX_NOTES = 12
"""Notes that are saved for the next letter; further ones are not reported by mail."""


class PendingLetter(Struct, frozen=True, forbid_unknown_fields=True):
    """The state of a game: the decision, by the id of the last entry, and the letter about it that counts.

    `shown` are the words of a reply that wait for a yes, typed in the language `lang`, `preview` is their
    effect. `sent`: the letter has gone out. `notes` go into the next one. The entries made by a reply come
    after entry `done`. `answered`: the letter reports the result of a reply. `refused` is the reply that was
    last refused.
    """

    head: str = ""
    letter: int = 0
    shown: str = ""
    lang: str = ENGLISH
    preview: str = ""
    sent: bool = False
    notes: tuple[str, ...] = ()
    done: int = -1
    answered: bool = False
    refused: str | None = None


class QuestionRecord:
    """The pending letters of all games, in the home folder `home`; the key "" is for those about no game."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "mail"
        hint = tr("remove it: then each game that waits for you is asked about anew")
        self._games = JsonStore(self._folder / "asked.json", dict[str, PendingLetter], hint)
        self._letters = JsonStore(self._folder / "letters.json", dict[str, list[float]], hint)

    def stored_letter(self, game: str) -> PendingLetter:
        """The saved state of the game whose entry 0 has this id. Raises `ShelfError`."""
        return self._games.read().get(game, PendingLetter())

    def current_letter(self, game: Game) -> PendingLetter:
        """The state of a game, with a letter of its own for the pending decision. Raises `ShelfError`."""
        pending = self.stored_letter(game.ids[0])
        if pending.head == game.ids[-1]:
            return pending
        return replace(
            pending,
            head=game.ids[-1],
            letter=pending.letter + 1,
            shown="",
            preview="",
            sent=False,
            answered=False,
            refused=None,
        )

    def clear_done(self, game: str) -> None:
        """No longer mail automatically what a reply has brought: it is undone. Raises `ShelfError`."""
        pending = self.stored_letter(game)
        if pending.done >= 0:
            self.save(game, replace(pending, done=-1))

    def invalidate_earlier_letters(self) -> None:
        """Invalidate every letter written before, and any that another copy of this home has written.

        Raises `ShelfError`.
        """
        for game, pending in self._games.read().items():
            if game:
                later = replace(pending, letter=min(pending.letter + _SKIPPED, _LAST), head="", done=-1)
                self.save(game, later)

    def save(self, game: str, pending: PendingLetter) -> None:
        """Save the state of a game. Raises `ShelfError`."""
        make_folder(self._folder)
        self._games.save(game, pending)

    def save_note(self, game: str, *lines: str) -> None:
        """Save lines for the next letter. Raises `ShelfError`."""
        pending = self.stored_letter(game)
        if len(pending.notes) < MAX_NOTES and "\n".join(lines) not in pending.notes:
            self.save(game, replace(pending, notes=(*pending.notes, "\n".join(lines))))

    def may_send(self, kind: str, most: int, now: datetime) -> bool:
        """Whether one more letter of a kind is within the limit for an hour. Raises `ShelfError`."""
        return len(self._last_hour(kind, now)) < most

    def save_sent(self, kind: str, now: datetime) -> None:
        """Save that a letter of that kind goes out now. Raises `ShelfError`."""
        make_folder(self._folder)
        self._letters.save(kind, [*self._last_hour(kind, now), now.timestamp()])

    def _last_hour(self, kind: str, now: datetime) -> list[float]:
        since = (now - timedelta(hours=1)).timestamp()
        return [time for time in self._letters.read().get(kind, []) if time > since]


def was_ordered_by_reply(home: Path, game: Game, key: PrivateKey) -> bool:
    """Whether the newest entries are the player's own, and a reply of his made the first of them."""
    done = QuestionRecord(home).stored_letter(game.ids[0]).done
    mine = permissions.held_seats(game, key)
    return 0 <= done < len(game.entries) - 1 and all(
        entry.body.by in mine for entry in game.entries[done + 1 :]
    )
