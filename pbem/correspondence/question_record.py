"""The record of question letters: which letter of a game counts, its code, and orders that need a yes.

    home/mail/asked.json      by the id of the game
    home/mail/letters.json    when letters to oneself were sent in the last hour

    0f3a9c12.57.2.k7qd93mdx2fa8wvnk7qd93md    a code: game, last entry, number of the letter about it, proof

A code shows that a reply to the player's computer is the player's own. The proof is an HMAC under a key
derived from the player's key (HKDF), over the purpose, the full ids of game and entry, and the letter's
number: 120 bits. So it fits no other decision, and one code reveals nothing about the next.

A code works once: the next letter's number is saved here before a reply has any effect. Numbers increase
through the whole game, so that a decision that returns because its entry was undone has new codes. So nothing
is done twice, whenever pbem is killed.
"""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import JsonStore, make_folder
from pbem.format.keys import PrivateKey
from pbem.format.primitives import hkdf
from pbem.texts import ENGLISH, Texts
from pbem.umpire import permissions
from pbem.umpire.game_state import Game

tr = Texts("pbem")


_PURPOSE = b"pbem/1 orders by reply"
_GAME_DIGITS = 8
_PROOF_BYTES = 15
_CODE = re.compile(
    rf"(?<![0-9a-z.])([0-9a-f]{{{_GAME_DIGITS}}})\.([0-9]{{1,5}})\.([1-9][0-9]{{0,3}})\.([a-z2-7]{{24}})(?![0-9a-z])",
    re.IGNORECASE,
)
MAX_CODES = 20
"""The most codes of one mail that are checked: a long thread quotes several."""


class ReplyCode(Struct, frozen=True):
    """A code: the beginning of the game's id, the numbers of its last entry and of the letter, the proof."""

    game: str
    entry: int
    letter: int
    proof: str

    def __str__(self) -> str:
        return f"{self.game}.{self.entry}.{self.letter}.{self.proof}"


def make_code(game: Game, key: PrivateKey, entry: int, letter: int) -> ReplyCode:
    """The code of a letter, by its number, about the decision after an entry."""
    message = f"{game.ids[0]}\n{game.ids[entry]}\n{letter}".encode("ascii")
    proof = hmac.digest(_derive_secret(key), _PURPOSE + b"\n" + message, "sha256")[:_PROOF_BYTES]
    return ReplyCode(game.ids[0][:_GAME_DIGITS], entry, letter, b32encode(proof).decode("ascii").lower())


def is_genuine(found: ReplyCode, game: Game, key: PrivateKey) -> bool:
    """Whether the code was made with this key, for any decision in this game."""
    if found.entry >= len(game.entries):
        return False
    return hmac.compare_digest(str(found), str(make_code(game, key, found.entry, found.letter)))


def codes_in(text: str) -> list[ReplyCode]:
    """Everything in a text that looks like a code, in order, each once."""
    codes = (ReplyCode(m[1].lower(), int(m[2]), int(m[3]), m[4].lower()) for m in _CODE.finditer(text))
    return list(dict.fromkeys(codes))[:MAX_CODES]


def without_codes(text: str) -> str:
    """The text without its codes, and without lines that have at most one word beside a code."""
    lines = ((line, _CODE.sub("", line)) for line in text.split("\n"))
    return "\n".join(rest for line, rest in lines if rest == line or len(rest.split()) > 1)


def _derive_secret(key: PrivateKey) -> bytes:
    return hkdf(key.seed, b"", _PURPOSE)


_SKIPPED, _LAST = 500, 9_000
"""How many letters a copy of this home may have written, which are skipped; and the last number."""

MAX_NOTES = 12
"""The most notes saved for the next letter; further ones are not reported by mail."""


class PendingLetter(Struct, frozen=True, forbid_unknown_fields=True):
    """The state of a game: the decision, by the id of the last entry, and the letter about it that counts.

    `shown` are the words of a reply that need a yes, typed in the language `lang`; `preview` is their effect.
    `sent`: the letter was sent. `notes` go into the next one. The entries made by a reply come after entry
    `done`. `answered`: the letter reports the result of a reply. `refused` is the last refused reply.
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
        hint = tr("delete it; pbem then asks you again about each game that is waiting for you")
        self._games = JsonStore(self._folder / "asked.json", dict[str, PendingLetter], hint)
        self._letters = JsonStore(self._folder / "letters.json", dict[str, list[float]], hint)

    def stored_letter(self, game: str) -> PendingLetter:
        """The saved state of the game with this id. Raises `StorageError`."""
        return self._games.read().get(game, PendingLetter())

    def current_letter(self, game: Game) -> PendingLetter:
        """The state of a game, with its own letter for the pending decision. Raises `StorageError`."""
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
        """Stop mailing the result of a reply automatically: it was undone. Raises `StorageError`."""
        pending = self.stored_letter(game)
        if pending.done >= 0:
            self.save(game, replace(pending, done=-1))

    def invalidate_earlier_letters(self) -> None:
        """Invalidate every earlier letter, and any that another copy of this home has written.

        Raises `StorageError`.
        """
        for game, pending in self._games.read().items():
            if game:
                later = replace(pending, letter=min(pending.letter + _SKIPPED, _LAST), head="", done=-1)
                self.save(game, later)

    def save(self, game: str, pending: PendingLetter) -> None:
        """Save the state of a game. Raises `StorageError`."""
        make_folder(self._folder)
        self._games.save(game, pending)

    def save_note(self, game: str, *lines: str) -> None:
        """Save lines for the next letter. Raises `StorageError`."""
        pending = self.stored_letter(game)
        if len(pending.notes) < MAX_NOTES and "\n".join(lines) not in pending.notes:
            self.save(game, replace(pending, notes=(*pending.notes, "\n".join(lines))))

    def may_send(self, kind: str, most: int, now: datetime) -> bool:
        """Whether another letter of a kind is within the hourly limit. Raises `StorageError`."""
        return len(self._last_hour(kind, now)) < most

    def save_sent(self, kind: str, now: datetime) -> None:
        """Save that a letter of this kind is being sent. Raises `StorageError`."""
        make_folder(self._folder)
        self._letters.save(kind, [*self._last_hour(kind, now), now.timestamp()])

    def _last_hour(self, kind: str, now: datetime) -> list[float]:
        since = (now - timedelta(hours=1)).timestamp()
        return [time for time in self._letters.read().get(kind, []) if time > since]


def was_ordered_by_reply(home: Path, game: Game, key: PrivateKey) -> bool:
    """Whether the newest entries are the player's own, and a reply made the first of them."""
    done = QuestionRecord(home).stored_letter(game.ids[0]).done
    mine = permissions.held_seats(game, key)
    return 0 <= done < len(game.entries) - 1 and all(
        entry.body.by in mine for entry in game.entries[done + 1 :]
    )
