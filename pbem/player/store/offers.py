"""Requests that the player has not accepted: offers, and games whose lead names him as commander.

    home/offers/<id of entry 0>.yaml    the game, in our own writing
    home/offers/<id of entry 0>.json    facts from its mail

Anybody may send as many as he likes. So none is a game of the player's, nothing waits for one, and
`base.limits` says how many are stored. One by a key that he knows from another game makes no room for a
stranger's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from pbem.base.files import make_folder, read_if_there, read_regular, write_atomically
from pbem.base.limits import OFFER_BYTES, OFFERS
from pbem.errors import StorageError
from pbem.player.store.game_store import only_match
from pbem.player.store.stored_log import StoredGame
from pbem.texts import Texts

tr = Texts("pbem")

_OFFER_FILE = re.compile(r"([0-9a-f]{64})\.yaml")


class MailFacts(Struct, frozen=True):
    """Facts from the mail with an offer: the key, whether its program reads parts, its player's language."""

    key: str = ""
    reads_parts: bool = False
    language: str = ""


class Offers:
    """The offers in the folder `home`; `known` says whether the player knows a key."""

    def __init__(self, home: Path, known: Callable[[str], bool]) -> None:
        self._folder = home / "offers"
        self._known = known

    def ids(self, prefix: str = "") -> list[str]:
        """The ids of all offers that begin with `prefix`, in order; no file is read. Raises `ShelfError`."""
        return sorted(offer for offer in self._ids_by_age() if offer.startswith(prefix))

    def look_up(self, game: str) -> StoredGame | None:
        """The offer with this id, if it is here. Raises `ShelfError`."""
        data = read_if_there(path := self._path(game))
        return None if data is None else StoredGame(game, path, data)

    def find(self, prefix: str) -> StoredGame:
        """The offer whose id begins with `prefix`. Raises `ShelfError` if there is none, or more than one."""
        return only_match([kept for game in self.ids(prefix.lower()) if (kept := self.look_up(game))], prefix)

    def newest_first(self) -> Iterator[StoredGame]:
        """Every offer, the newest first. Raises `ShelfError`."""
        for game in reversed(self._ids_by_age()):
            if offer := self.look_up(game):
                yield offer

    def mail_facts(self, game: str) -> MailFacts:
        """The facts from the mail that brought an offer; empty where they can no longer be read."""
        with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return msgspec.json.decode(read_regular(self._path(game).with_suffix(".json")), type=MailFacts)
        return MailFacts()

    def save(
        self, game: str, written: Callable[[], bytes], shown: MailFacts, spared: Container[str] = ()
    ) -> bool:
        """Save an offer in our own writing, which `written` gives; whether there was or could be made room.

        Those that are `spared` make no room for a stranger's. Raises `ShelfError` where the folder cannot be
        read or written.
        """
        others = [offer for offer in self._ids_by_age() if offer != game]
        full = len(others) >= OFFERS
        leaving = self._offer_to_drop(others, shown, spared) if full else ""
        if (full and not leaving) or len(data := written()) > OFFER_BYTES:
            return False
        if leaving:
            self.drop(leaving)
        make_folder(self._folder)
        write_atomically(self._path(game).with_suffix(".json"), msgspec.json.encode(shown, enc_hook=str))
        write_atomically(self._path(game), data)
        return True

    def _offer_to_drop(self, others: list[str], shown: MailFacts, spared: Container[str]) -> str:
        """The id of the oldest offer that may make room; empty where none may."""
        strangers = [offer for offer in others if not self._known(self.mail_facts(offer).key)]
        may_go = [offer for offer in strangers if offer not in spared]
        if self._known(shown.key):
            may_go += strangers + [offer for offer in others if offer not in spared]
        return next(iter(may_go), "")

    def drop(self, game: str) -> None:
        """Delete an offer, if it is here: it has been accepted, or makes room. Raises `ShelfError`."""
        try:
            for path in (self._path(game), self._path(game).with_suffix(".json")):
                path.unlink(missing_ok=True)
        except OSError as error:
            reason = error.strerror or error
            raise StorageError(tr("cannot write {path}: {reason}", path=path, reason=reason)) from error

    def _ids_by_age(self) -> list[str]:
        """The ids of all offers, in the order of their arrival. Raises `ShelfError`."""
        try:
            with os.scandir(self._folder) as entries:
                files = sorted((file.stat().st_mtime_ns, file.name) for file in entries)
        except FileNotFoundError:
            return []
        except OSError as error:
            reason = error.strerror or error
            raise StorageError(
                tr("cannot read {file}: {reason}", file=self._folder, reason=reason)
            ) from error
        return [match[1] for _, name in files if (match := _OFFER_FILE.fullmatch(name))]

    def _path(self, game: str) -> Path:
        return self._folder / f"{game}.yaml"
