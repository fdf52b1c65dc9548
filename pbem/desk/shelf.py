"""The games this computer has seen: for each the longest log that passed verification (FORMAT section 6).

    home/games/<id of entry 0>/game.yaml                         the longest log
    home/games/<id of entry 0>/evidence/<id of last entry>.yaml  older or forked logs that were shown
    home/games/<id of entry 0>/file                              where the player's own file of it lies
    home/players.json                                            the keys that each player's name came with
    home/lock                                                    held while one of these is written

The shelf knows ids and bytes. What a log says is the business of its callers, who verify before they keep.
How much evidence is kept stands in `budgets`: whoever forks a game may do so a thousand times.

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

from pbem.budgets import EVIDENCE_BYTES, GAME_EVIDENCE_BYTES
from pbem.errors import ForkedFile, OlderFile, OtherAccept, PbemError, ShelfError, UnknownGame
from pbem.files import Store, locked, make_folder, read_if_there, write_atomically
from pbem.journal.shapes import kind_called
from pbem.names import folded
from pbem.texts import Texts

tr = Texts("pbem")

_GAME_ID = re.compile(r"[0-9a-f]{64}")


class LogLine(Struct, frozen=True):
    """What the shelf sees of an entry: its id (64 hex digits), the seat that signed it, its kind.

    And the `key` of the seat, where the entry takes one.
    """

    id: str
    by: str
    kind: str
    key: str = ""

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

    def relation(self, log: Log) -> Relation:
        """How `log` stands to the shelf; writes nothing."""
        kept = self._kept(log.game)
        if kept is None:
            return Relation.NEW
        if kept.data == log.data:
            return Relation.EQUAL
        return _compare(self._lines(kept), log.lines)

    def keep(self, log: Log, *, new: bool = False) -> None:
        """Record `log` if it extends what is on the shelf, and raise if nothing may be signed on it.

        `new` says that a game not on the shelf may be put there: the player has just begun it, or confirmed
        that he knows no newer state. Raises UnknownGame where he has not; OlderFile, ForkedFile or, where
        nobody has forked, OtherAccept, with both logs kept as evidence if there is room; ShelfError where the
        shelf cannot be read or written.
        """
        kept = self._kept(log.game)
        if kept is None and not new:
            raise UnknownGame(
                tr(
                    "game {game} is new to this computer; the file ends with entry {last}",
                    game=log.game[:8],
                    last=_last(log.lines),
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
            evidence = self._evidence(longer)
            make_folder(evidence.parent)
            write_atomically(evidence, longer.data)
            write_atomically(kept.path, shorter.data)
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
        return only([kept for game in self.ids(prefix.lower()) if (kept := self._kept(game))], prefix)

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
            self._path(game).with_name("file").write_bytes(os.fsencode(place))

    def keys_of(self, name: str) -> tuple[str, ...]:
        """The keys that a player's name has come with, in any spelling, oldest first (FORMAT section 4)."""
        spelt = [keys for other, keys in self._players.read().items() if folded(other) == folded(name)]
        return tuple(dict.fromkeys(chain.from_iterable(spelt)))

    def knows(self, key: str) -> bool:
        """Whether any name has come with a key: whether it is one of somebody with whom the player plays."""
        return any(key in keys for keys in self._players.read().values())

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
            write_atomically(self._path(log.game), log.data)
            self._newest = log
            return
        lines = self._lines(kept)
        relation = _compare(lines, log.lines)
        if relation is Relation.EXTENDS:
            write_atomically(kept.path, log.data)
            self._newest = log
        elif relation is not Relation.EQUAL:
            refusal = _refusal(relation, lines, log.lines)
            refusal.hint = self._set_aside(kept, log, only=isinstance(refusal, OtherAccept))
            raise refusal

    def _set_aside(self, kept: Kept, log: Log, *, only: bool) -> str:
        """Keep a log as evidence beside the one on the shelf, if there is room, and say where both lie.

        With `only`, not beside other evidence: anybody can accept an offer, under as many keys as he likes.
        """
        evidence = self._evidence(log)
        if not evidence.exists():
            sizes = [path.stat().st_size for path in evidence.parent.glob("*.yaml")]
            of_all = sum(path.stat().st_size for path in self._home.glob("games/*/evidence/*.yaml"))
            size = len(log.data)
            if sum(sizes) + size > GAME_EVIDENCE_BYTES or of_all + size > EVIDENCE_BYTES or (only and sizes):
                folder = evidence.parent
                return tr("there is no room to keep it as well; what is kept is in {folder}", folder=folder)
            make_folder(evidence.parent)
            write_atomically(evidence, log.data)
        return tr("both are kept: {one} and {other}", one=kept.path, other=evidence)

    def _evidence(self, log: Log) -> Path:
        """Where a log is kept as evidence."""
        return self._path(log.game).parent / "evidence" / f"{log.lines[-1].id}.yaml"


def only(found: Sequence[Kept], prefix: str) -> Kept:
    """The one game that was found; raises ShelfError if none was, or more than one, whose ids begin so."""
    if not found:
        raise ShelfError(tr("no game on the shelf begins with {prefix}", prefix=repr(prefix)))
    if len(found) > 1:
        ids = ", ".join(kept.game[:16] for kept in found)
        problem = tr(
            "{number} games begin with {prefix}: {ids}", number=len(found), prefix=repr(prefix), ids=ids
        )
        raise ShelfError(problem, hint=tr("write more of the id"))
    return found[0]


def parting(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """The number of the first entry in which two logs differ, by the ids of their entries.

    Where one log is the beginning of the other, it is the number of the first entry that only one has.
    """
    pairs = enumerate(zip(ours, theirs, strict=False))
    return next((n for n, (one, other) in pairs if one != other), min(len(ours), len(theirs)))


def _compare(kept: Sequence[LogLine], shown: Sequence[LogLine]) -> Relation:
    if parting(_ids(kept), _ids(shown)) < min(len(kept), len(shown)):
        return Relation.FORKED
    if len(shown) < len(kept):
        return Relation.OLDER
    return Relation.EXTENDS if len(shown) > len(kept) else Relation.EQUAL


def _ids(lines: Sequence[LogLine]) -> list[str]:
    return [line.id for line in lines]


def _refusal(relation: Relation, kept: Sequence[LogLine], shown: Sequence[LogLine]) -> ShelfError:
    """The error that tells how an older or forked log stands to the one on the shelf."""
    if relation is Relation.OLDER:
        problem = tr(
            "the file ends with entry {shown}, the shelf's log with entry {kept}",
            shown=_last(shown),
            kept=_last(kept),
        )
        return OlderFile(problem)
    n, twice = parting(_ids(kept), _ids(shown)), _signed_twice(kept, shown)
    if twice is None:
        problem = tr(
            "somebody else has accepted this offer too: {shown}; "
            "the first that was recorded counts, and that is the shelf's: {kept}",
            shown=shown[n],
            kept=kept[n],
        )
        return OtherAccept(problem)
    return ForkedFile(
        tr(
            "the file and the shelf part at entry {n}: on the shelf {kept}, in the file {shown}; {verdict}; "
            "the shelf's log ends with entry {last}, the file with entry {shown_last}",
            n=n,
            kept=kept[n],
            shown=shown[n],
            verdict=_verdict(kept, shown, n, twice),
            last=_last(kept),
            shown_last=_last(shown),
        )
    )


def _signed_twice(kept: Sequence[LogLine], shown: Sequence[LogLine]) -> int | None:
    """The first number for which one key has signed an entry in each of two logs that part; None without.

    The log decides which seat writes next, so that is the entry at which they part. But entry 1 may be by two
    people, who take one seat: then only the offerer's entries are by one key.
    """
    n = parting(_ids(kept), _ids(shown))
    if n > 1 or kept[n].key == shown[n].key:
        return n
    pairs = enumerate(zip(kept, shown, strict=False))
    return next((m for m, (one, other) in pairs if m > 1 and one.by == other.by == kept[0].by), None)


def _last(lines: Sequence[LogLine]) -> str:
    return f"{len(lines) - 1} ({lines[-1]})"


def _verdict(kept: Sequence[LogLine], shown: Sequence[LogLine], n: int, twice: int) -> str:
    """Who forked, and which of two logs that part at entry `n` counts (FORMAT 6).

    `twice` is the entry that one seat has signed in both.
    """
    forker = kept[twice].by
    if twice > n:
        first = tr("an offer answers one accept, the first recorded, which is the shelf's")
        also = tr("{seat} signed entry {n} on both, so {seat} has forked", seat=forker, n=twice)
        return f"{first}; {also}"
    other = next(line.by for line in kept if line.by != forker)
    on_shelf = any(line.by == other for line in kept[n:])
    in_file = any(line.by == other for line in shown[n:])
    match on_shelf, in_file:
        case True, False:
            counts = tr("the shelf's counts, for {seat} has signed on it", seat=other)
        case False, True:
            counts = tr("the file's counts, for {seat} has signed on it", seat=other)
        case True, True:
            counts = tr("{seat} has signed on both", seat=other)
        case _:
            counts = tr("{seat} has signed on neither yet", seat=other)
    return tr("{seat} signed both, so {seat} has forked; {counts}", seat=forker, counts=counts)
