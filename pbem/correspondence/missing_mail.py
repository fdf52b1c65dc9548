"""Mails that are missing: those that opponents ask for, and opponents' mails that came cut or broken.

    home/mail/lost.json    by game: its last entry when such a mail came, and the mail's copy in set-aside

An opponent's broken mail stays recorded until the game goes on or comes whole; so he is asked for it once
more where the request is lost as well, or the program was stopped before it had sent one. A mail that only
came before another is read when that has come.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from pbem.base.files import JsonStore, make_folder
from pbem.correspondence.quarantine import quarantine_folder
from pbem.errors import VerificationError
from pbem.player.local_player import LocalPlayer
from pbem.texts import Texts
from pbem.umpire.verify import parse_log

tr = Texts("pbem")


class _BrokenMail(Struct, frozen=True, forbid_unknown_fields=True):
    """A mail that came broken: the last entry of its game then, and its copy; without them there is none."""

    head: str = ""
    copy: str = ""


class MissingMail:
    """The losses that a home knows of. `wanted` are the games that this fetch was asked to resend.

    `is_new`: a mail came broken in this fetch.
    """

    def __init__(self, desk: LocalPlayer) -> None:
        self._desk = desk
        hint = tr("remove it: then what may have been lost is mailed once more")
        self._store = JsonStore(desk.home / "mail" / "lost.json", dict[str, _BrokenMail], hint)
        self.wanted: set[str] = set()
        self.is_new = False

    def save_broken(self, game: str, copy: Path) -> None:
        """Save that a mail of a game came broken, with the copy of that mail. Raises `ShelfError`."""
        make_folder(self._store.path.parent)
        newest = parse_log(self._desk.store.find(game).data)[-1].id
        self._store.save(game, _BrokenMail(newest, copy.name))
        self.is_new = True

    def clear_broken(self, game: str) -> None:
        """Save that a game has come whole. Raises `ShelfError`."""
        if game in self._store.read():
            self._store.save(game, _BrokenMail())

    def broken_copy(self, game: str, head: str) -> Path | None:
        """The copy of the game's mail that came broken, if the game still ends with the same entry."""
        noted = self._store.read().get(game, _BrokenMail())
        return quarantine_folder(self._desk) / noted.copy if noted.head == head else None

    def incomplete_games(self) -> Iterator[tuple[str, Path]]:
        """Each game whose newest mail came broken, with the copy of that mail.

        A stored game that is damaged is skipped: it is reported when it is opened.
        """
        for game, noted in self._store.read().items():
            if not noted.copy or (stored := self._desk.store.look_up(game)) is None:
                continue
            try:
                head = parse_log(stored.data)[-1].id
            except VerificationError:
                continue
            if (copy := self.broken_copy(game, head)) and copy.exists():
                yield game, copy
