"""The games this computer has seen: for each the longest log that passed verification (FORMAT section 6).

    home/games/<id of entry 0>/game.yaml                         the longest log
    home/games/<id of entry 0>/evidence/<id of last entry>.yaml  older or forked files that were shown
    home/games/<id of entry 0>/file                              where the player's own file of it lies
    home/players.json                                            the keys that each player's name came with
    home/lock                                                    held while one of these is written

The shelf knows ids and bytes. What a log says is the business of its callers, who verify before they keep.

`Shelf.keep` compares and records in one step under the lock. So of two programs that sign different entries
with one number, one is refused before its entry has left the computer, and none holds a lock while it signs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from enum import Enum
from itertools import chain
from pathlib import Path

from msgspec import Struct

from pbem.desk.standing import forked, newer, older
from pbem.errors import ForkedFile, OlderFile, PbemError, ShelfError, UnknownGame
from pbem.files import Store, locked, make_folder, read_if_there, write_atomically, write_note
from pbem.journal.shapes import kind_called
from pbem.names import folded
from pbem.texts import Texts

tr = Texts("pbem")

_GAME_ID = re.compile(r"[0-9a-f]{64}")


class LogLine(Struct, frozen=True):
    """What the shelf sees of an entry: its id (64 hex digits), the seat that signed it, its kind."""

    id: str
    by: str
    kind: str

    def __str__(self) -> str:
        return tr("{seat} {kind} {entry}", seat=self.by, kind=kind_called(self.kind), entry=self.id[:8])


class Log(Struct, frozen=True):
    """A file that passed verification: its bytes, and a line for each entry (at least entry 0)."""

    data: bytes
    lines: tuple[LogLine, ...]

    @property
    def game(self) -> str:
        """The id of entry 0, by which a game is known."""
        return self.lines[0].id


_ENTRY = b"\n  - "


class Kept(Struct, frozen=True):
    """A game on the shelf: its id, where its file is, and the bytes of that file."""

    game: str
    path: Path
    data: bytes


class Relation(Enum):
    """How a log stands to the one on the shelf, by ids alone."""

    NEW = "the shelf does not hold the game"
    EQUAL = "the same entries"
    EXTENDS = "all entries of the shelf's log, and more"
    OLDER = "a shorter beginning of the shelf's log"
    FORKED = "another entry where the shelf's log goes on"


class Shelf:
    """The shelf in the folder `home`; `lines_of` reads a kept file, and is asked only if its bytes differ."""

    def __init__(self, home: Path, lines_of: Callable[[bytes], tuple[LogLine, ...]]) -> None:
        self._home = home
        self._players = Store(
            home / "players.json",
            dict[str, tuple[str, ...]],
            hint=tr("mend or remove it: it only remembers which keys each name came with"),
        )
        self._lines_of = lines_of
        self._newest: Log | None = None  # what this program last saw there, not to read it again

    def standing(self, log: Log) -> tuple[Relation, str]:
        """How `log` stands to the shelf, and in a player's words (empty: nothing differs); writes nothing.

        Raises ShelfError where the shelf cannot be read.
        """
        kept = self._kept(log.game)
        if kept is None:
            return Relation.NEW, ""
        if kept.data == log.data:
            return Relation.EQUAL, ""
        begun = _begun(kept.data, log)
        lines = self._lines(kept) if begun is None else log.lines[:begun]
        relation = _compare(lines, log.lines)
        return relation, _told(relation, lines, log.lines)

    def relation(self, log: Log) -> Relation:
        """How `log` stands to the shelf; writes nothing."""
        return self.standing(log)[0]

    def keep(self, log: Log, *, new: bool = False) -> None:
        """Record `log` if it extends what is on the shelf, and raise if nothing may be signed on it.

        `new` says that a game not on the shelf may be put there: the player has just begun it, or confirmed
        that he knows no newer state. Raises UnknownGame where he has not; OlderFile or ForkedFile, with both
        files kept as evidence; ShelfError where the shelf cannot be read or written.
        """
        kept = self._kept(log.game)
        if kept is None and not new:
            raise UnknownGame(
                tr(
                    "game {game} is new to this computer; the file ends with entry {last}, by {seat}",
                    game=log.game[:8],
                    last=len(log.lines) - 1,
                    seat=log.lines[-1].by,
                ),
                hint=tr(
                    "go on only if you know none newer: an answer to an old file gives coming draws away"
                ),
            )
        if kept is not None and kept.data == log.data:
            self._newest = log
            return
        make_folder(self._path(log.game).parent)
        with locked(self._home):
            self._record(log)

    def retract(self, longer: Log, shorter: Log) -> Path:
        """Put a beginning of a log in place of the log itself, which is kept as evidence; return where.

        Only for entries that nobody else has seen: what was signed once may come back (FORMAT 6). Raises
        `ShelfError` where the shelf does not hold the longer log.
        """
        with locked(self._home):
            kept = self._kept(longer.game)
            if kept is None or _compare(self._lines(kept), longer.lines) is not Relation.EQUAL:
                raise ShelfError(tr("the shelf holds another state of this game: nothing was undone"))
            evidence = self._set_aside(longer)
            write_atomically(kept.path, shorter.data, private=True)
            self._newest = shorter
        return evidence

    def games(self) -> Iterator[Kept]:
        """Every game on the shelf, in the order of their ids."""
        for game in self.ids():
            if kept := self._kept(game):
                yield kept

    def look_up(self, game: str) -> Kept | None:
        """The game with this id, if it is here."""
        return self._kept(game) if _GAME_ID.fullmatch(game) else None

    def ids(self, prefix: str = "") -> list[str]:
        """The ids of all games that begin so, in order; no file is read."""
        folder = self._home / "games"
        try:
            names = os.listdir(folder)
        except FileNotFoundError:
            return []
        except OSError as error:
            reason = error.strerror or error
            raise ShelfError(tr("cannot read {file}: {reason}", file=folder, reason=reason)) from error
        return sorted(name for name in names if _GAME_ID.fullmatch(name) and name.startswith(prefix))

    def find(self, prefix: str) -> Kept:
        """The game whose id begins with `prefix`; raises ShelfError if there is none, or more than one."""
        found = [kept for game in self.ids(prefix.lower()) if (kept := self._kept(game))]
        if not found:
            raise ShelfError(tr("no game on the shelf begins with {prefix}", prefix=repr(prefix)))
        if len(found) > 1:
            ids = ", ".join(kept.game[:16] for kept in found)
            problem = tr(
                "{number} games begin with {prefix}: {ids}", number=len(found), prefix=repr(prefix), ids=ids
            )
            raise ShelfError(problem, hint=tr("write more of the id"))
        return found[0]

    def file_of(self, game: str) -> Path | None:
        """Where the player's own file of a game was last written or played on, if that is known."""
        noted = read_if_there(self._path(game).with_name("file"))
        return Path(os.fsdecode(noted)) if noted else None

    def note_file(self, game: str, file: Path) -> None:
        """Remember where the player's own file of a game lies, and that no other game's lies there any more.

        A convenience: what fails is forgotten.
        """
        place = Path(os.path.abspath(file))
        with suppress(OSError, ShelfError):
            if self.file_of(game) == place:
                return
            for other in self.ids():
                if self.file_of(other) == place:
                    self._path(other).with_name("file").unlink()
            write_note(self._path(game).with_name("file"), os.fsencode(place))

    def keys_of(self, name: str) -> tuple[str, ...]:
        """The keys that a player's name has come with, in any spelling, oldest first (FORMAT section 4)."""
        spelt = [keys for other, keys in self._players.read().items() if folded(other) == folded(name)]
        return tuple(dict.fromkeys(chain.from_iterable(spelt)))

    def remember(self, name: str, key: str) -> None:
        """Note that the player's name came with `key`; a pair already known is not written again."""
        if key in self.keys_of(name):
            return
        make_folder(self._home)
        with locked(self._home):
            players = self._players.read()
            spelt = next((other for other in players if folded(other) == folded(name)), name)
            self._players.put(spelt, (*players.get(spelt, ()), key))

    def _path(self, game: str) -> Path:
        return self._home / "games" / game / "game.yaml"

    def _kept(self, game: str) -> Kept | None:
        path = self._path(game)
        data = read_if_there(path)
        return None if data is None else Kept(game, path, data)

    def _lines(self, kept: Kept) -> tuple[LogLine, ...]:
        """The lines of a kept file; raises ShelfError if it is not the log of that game any more."""
        if self._newest and self._newest.data == kept.data:
            return self._newest.lines
        try:
            lines = self._lines_of(kept.data)
        except PbemError as error:
            problem = tr("the shelf's copy {file} is damaged: {reason}", file=kept.path, reason=error)
            raise ShelfError(problem) from error
        if not lines or lines[0].id != kept.game:
            raise ShelfError(tr("the shelf's copy {file} is not of the game it is named for", file=kept.path))
        return lines

    def _record(self, log: Log) -> None:
        """Carry out `keep`, with the lock held: another program may have written since we looked."""
        kept = self._kept(log.game)
        if kept is None:
            write_atomically(self._path(log.game), log.data, private=True)
            self._newest = log
            return
        lines = self._lines(kept)
        relation = _compare(lines, log.lines)
        if relation is Relation.EXTENDS:
            write_atomically(kept.path, log.data, private=True)
            self._newest = log
        elif relation is not Relation.EQUAL:
            told = _told(relation, lines, log.lines)
            self._set_aside(log)
            if relation is Relation.OLDER:
                raise OlderFile(told)
            raise ForkedFile(
                told, hint=tr("both are kept, as proof, in {folder}", folder=self._home / "games")
            )

    def _set_aside(self, log: Log) -> Path:
        """Keep a log as evidence beside the one on the shelf."""
        evidence = self._path(log.game).parent / "evidence" / f"{log.lines[-1].id}.yaml"
        make_folder(evidence.parent)
        write_atomically(evidence, log.data, private=True)
        return evidence


def parting(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """The number of the first entry in which two logs differ, by the ids of their entries.

    Where one log is the beginning of the other, it is the number of the first entry that only one has.
    """
    pairs = enumerate(zip(ours, theirs, strict=False))
    return next((n for n, (one, other) in pairs if one != other), min(len(ours), len(theirs)))


def _begun(kept: bytes, log: Log) -> int | None:
    """How many of the entries of `log` a kept file has, where the text of its log goes on as that; else None.

    As two states of a file stand to each other that this program wrote: then nothing need be parsed. Each
    line that begins with `_ENTRY` begins an entry, since what is within one stands further in.
    """
    ours, theirs = (data.partition(b"\nlog:")[2].rstrip() for data in (kept, log.data))
    further = theirs[len(ours) :]
    begun, more = ours.count(_ENTRY), further.count(_ENTRY)
    same = begun and theirs.startswith(ours) and (not further or further.startswith(_ENTRY))
    return begun if same and begun + more == len(log.lines) else None


def _compare(kept: Sequence[LogLine], shown: Sequence[LogLine]) -> Relation:
    if parting(_ids(kept), _ids(shown)) < min(len(kept), len(shown)):
        return Relation.FORKED
    if len(shown) < len(kept):
        return Relation.OLDER
    return Relation.EXTENDS if len(shown) > len(kept) else Relation.EQUAL


def _ids(lines: Sequence[LogLine]) -> list[str]:
    return [line.id for line in lines]


def _told(relation: Relation, kept: Sequence[LogLine], shown: Sequence[LogLine]) -> str:
    """How a log stands to the one on the shelf, in words; empty where nothing differs."""
    match relation:
        case Relation.OLDER:
            return older(kept, shown)
        case Relation.EXTENDS:
            return newer(kept, shown)
        case Relation.FORKED:
            return forked(kept, shown, parting(_ids(kept), _ids(shown)))
    return ""
