"""The games this computer has seen: for each, the longest log that passed verification (FORMAT section 6).

    home/games/<id of entry 0>/game.yaml                         the longest log
    home/games/<id of entry 0>/evidence/<id of last entry>.yaml  older, forked and undone files
    home/games/<id of entry 0>/record.json                       what else is known of it (`record_store.py`)
    home/offers/<id of entry 0>.yaml                             an open offer, in our own writing
    home/offers/<id of entry 0>.json                             facts from its mail
    home/players.json                                            the keys that each player's name came with
    home/lock                                                    held while one of these is written

The store knows ids and bytes. The meaning of a log is left to its callers, who verify before they store.
`base.limits` says how much evidence is stored, since a forger can fork a game a thousand times.

`GameStore.record` compares and records in one step under the lock. So if two programs sign different entries
with the same number, one is refused before its entry is sent, and neither holds a lock while it signs.

An unconfirmed game came from a backup, or by mail to a new computer: the player might have signed more than
the store knows. It can be read, and continues with what arrives; but nothing is signed in it, not even
shares, and nothing of it is sent, until the player says that they know no newer state.

Anybody can send offers (and games whose lead names the player as commander), as many as they like. So an
offer is not a game of the player's and never needs them, and `base.limits` says how many are stored. A
stranger's offer never displaces one by a key that the player knows from another game.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import (
    JsonStore,
    lock_folder,
    make_folder,
    read_if_there,
    read_regular,
    write_atomically,
)
from pbem.base.limits import EVIDENCE_BYTES, GAME_EVIDENCE_BYTES, OFFER_BYTES, OFFERS
from pbem.errors import (
    CompetingAccept,
    ForkedFile,
    PbemError,
    StorageError,
    UndoneEntry,
    UnknownGame,
    system_reason,
)
from pbem.lookalikes import fold_name
from pbem.player.store.game_record import GameRecord, Ledger, OrderDraft
from pbem.player.store.log_relation import (
    Log,
    LogLine,
    Relation,
    StoredGame,
    compare_logs,
    describe_relation,
    first_difference,
    ids_of,
    relation_error,
)
from pbem.player.store.record_store import GameRecords, lost_game_hint
from pbem.player.store.signed_entries import (
    SendChannel,
    SignedEntries,
    add_departure,
    add_signed,
    add_undone,
    read_ledger,
)
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS

tr = Texts("pbem")


class UnconfirmedGames:
    """The unconfirmed games, according to their records."""

    def __init__(self, records: GameRecords) -> None:
        self._records = records

    def has(self, game: str) -> bool:
        """Whether a game is unconfirmed. Raises `StorageError`."""
        return self._records.read(game).unconfirmed

    def check(self, game: str) -> None:
        """Raise `UnknownGame` for an unconfirmed game."""
        if self.has(game):
            raise UnknownGame(describe_unconfirmed(game), hint=newest_only_hint())

    def note(self, game: str) -> None:
        """Note that a game is unconfirmed from now on. Raises `StorageError`."""
        self._records.change(game, lambda record: replace(record, unconfirmed=True))

    def confirm(self, game: str) -> None:
        """Note that the player knows no newer state. Raises `StorageError`."""
        if self.has(game):
            self._records.change(game, lambda record: replace(record, unconfirmed=False))


def describe_unconfirmed(game: str) -> str:
    """The statement that a game might have been continued elsewhere."""
    return tr(
        "game {game} came from a backup or by mail, and may be older than your last signed move",
        game=game[:SHORT_ID_DIGITS],
    )


def newest_only_hint() -> str:
    """Why the player has to say whether they know a newer state."""
    return tr("continue only if you know of nothing newer: answering an old file gives away future draws")


_GAME_ID = re.compile(r"[0-9a-f]{64}")


_ENTRY = b"\n  - "


class GameStore:
    """The store in the folder `home`; `lines_of` parses a stored file, only if its bytes differ."""

    def __init__(self, home: Path, lines_of: Callable[[bytes], tuple[LogLine, ...]]) -> None:
        self._home = home
        self.records = GameRecords(home)
        self.unconfirmed = UnconfirmedGames(self.records)
        self._players = JsonStore(
            home / "players.json",
            dict[str, tuple[str, ...]],
            hint=tr("repair or delete it: it only remembers which keys each name came with"),
        )
        self._lines_of = lines_of
        self._newest: Log | None = None  # what this process last read there, so as not to parse it again

    def standing(self, log: Log) -> tuple[Relation, str]:
        """How `log` relates to the stored one, and a description of that (empty: the same). Writes nothing.

        Raises `StorageError` if the store cannot be read.
        """
        kept = self._stored_game(log.game)
        if kept is None:
            return Relation.NEW, ""
        if kept.data == log.data:
            return Relation.EQUAL, ""
        begun = _count_shared_entries(kept.data, log)
        lines = self._stored_lines(kept) if begun is None else log.lines[:begun]
        relation = compare_logs(lines, log.lines, self.signed_entries(log.game))
        return relation, describe_relation(relation, lines, log.lines)

    def relation(self, log: Log) -> Relation:
        """How `log` relates to the stored one. Writes nothing."""
        return self.standing(log)[0]

    def record(
        self, log: Log, *, new: bool = False, doubted: bool = False, own: Collection[str] = ()
    ) -> None:
        """Record `log` if it extends the stored log, and raise if nothing may be signed in it.

        `new`: a game that is not stored may be added, since the player has just begun it, or has confirmed
        that they know no newer state; `doubted` adds it as unconfirmed. `own` are the seats whose entries, if
        the store lacks them, were signed here just now. If the other seat signed after an entry that was
        undone here, its log replaces one in which it has signed nothing since.

        Raises `UnknownGame` for a new game without either, and for `own` entries of an unconfirmed game;
        `OlderFile`, `ForkedFile` or, if nobody has forked, `CompetingAccept`, with both logs stored as
        evidence if there is room; `StorageError` if the store cannot be read or written.
        """
        kept = self._stored_game(log.game)
        if kept is None and not (new or doubted):
            raise UnknownGame(
                tr(
                    "game {game} is new to this computer; the file ends with entry {last}, by {side}",
                    game=log.game[:8],
                    last=len(log.lines) - 1,
                    side=log.lines[-1].side,
                ),
                hint=newest_only_hint(),
            )
        if own:
            self.unconfirmed.check(log.game)
        if kept is not None and kept.data == log.data:
            self._newest = log
            return
        make_folder(self._path(log.game).parent)
        with lock_folder(self._home):
            self._record_locked(log, own, doubted=doubted)

    def note_departure(self, game: str, ids: Sequence[str], way: SendChannel) -> None:
        """Note that a log with these entries is being sent, so that this home can no longer undo them.

        Raises `UnknownGame` for an unconfirmed game; `UndoneEntry` if one of them was undone, perhaps by
        another process a moment ago; `StorageError` if the note cannot be written. If it raises, nothing may
        be sent.
        """
        self.unconfirmed.check(game)
        if self.records.read(game).ledger == Ledger():
            return
        with lock_folder(self._home):
            handed, kept = self.signed_entries(game), self._stored_game(game)
            gone = handed.undone.intersection(ids)
            gone -= set(ids_of(self._stored_lines(kept))) if kept and gone else set()
            if gone:
                n = min(map(ids.index, gone))
                raise UndoneEntry(tr("entry {n} was undone, so pbem no longer sends it", n=n))
            leaving = [entry for entry in ids if handed.signed.get(entry) == ""]
            self._change_ledger(game, lambda ledger: add_departure(ledger, self._folder(game), leaving, way))

    def signed_entries(self, game: str) -> SignedEntries:
        """The entries of a game signed here, and those sent. Raises `StorageError`."""
        return read_ledger(self.records.read(game).ledger, self._folder(game))

    def undone_log(self, game: str, entry: str) -> bytes | None:
        """The log that ends with the entry of this id and was undone here; None if there is none."""
        return (
            read_if_there(self._evidence_path(game, entry))
            if entry in self.signed_entries(game).undone
            else None
        )

    def retract(self, longer: Log, shorter: Log) -> Path:
        """Replace a stored log with a beginning of it. Returns the path of the longer one as evidence.

        Raises `StorageError` if the store does not hold the longer log, or if an entry to be removed was not
        signed here, or might have been sent (FORMAT 6).
        """
        gone = ids_of(longer.lines[len(shorter.lines) :])
        with lock_folder(self._home):
            kept = self._stored_game(longer.game)
            if kept is None or ids_of(self._stored_lines(kept)) != ids_of(longer.lines):
                raise StorageError(tr("your saved game has continued differently: nothing was undone"))
            if why := self.signed_entries(longer.game).why_not_undoable(len(shorter.lines), gone):
                raise StorageError(tr("{why}: nothing was undone", why=why))
            evidence = self._evidence_path(longer.game, longer.lines[-1].id)
            make_folder(evidence.parent)
            write_atomically(evidence, longer.data, private=True)
            # first, so that a removed entry is recognised wherever it returns
            self._change_ledger(longer.game, lambda ledger: add_undone(ledger, gone))
            write_atomically(kept.path, shorter.data, private=True)
            self._newest = shorter
        return evidence

    def evidence(self, game: str) -> tuple[Path, ...]:
        """The other logs of this game stored as evidence, whatever they prove."""
        return tuple(sorted(self._evidence_path(game, "").parent.glob("*.yaml")))

    def games(self) -> Iterator[StoredGame]:
        """Every stored game, in the order of their ids."""
        for game in self.ids():
            if kept := self._stored_game(game):
                yield kept

    def look_up(self, game: str) -> StoredGame | None:
        """The game with this id, if it is stored."""
        return self._stored_game(game) if _GAME_ID.fullmatch(game) else None

    def ids(self, prefix: str = "") -> list[str]:
        """The ids of all games that begin with `prefix`, in order. Reads no file."""
        folder = self._home / "games"
        try:
            names = os.listdir(folder)
        except FileNotFoundError:
            return []
        except OSError as error:
            reason = system_reason(error)
            raise StorageError(tr("cannot read {file}: {reason}", file=folder, reason=reason)) from error
        ids = (name for name in names if _GAME_ID.fullmatch(name) and name.startswith(prefix))
        return sorted(game for game in ids if self._path(game).exists())  # without a log it only has a record

    def find(self, prefix: str) -> StoredGame:
        """The game whose id begins with `prefix`. Raises `StorageError` if there is none, or several."""
        return only_match(
            [kept for game in self.ids(prefix.lower()) if (kept := self._stored_game(game))], prefix
        )

    def file_of(self, game: str) -> Path | None:
        """The path where the player's own file of a game was last written or opened, if known."""
        noted = self.records.read(game).file
        return Path(noted) if noted else None

    def note_file(self, game: str, file: Path) -> None:
        """Note where the player's own file of a game is, and that no other game's is there any more.

        Only a convenience: failures are ignored.
        """
        place = Path(os.path.abspath(file))
        with suppress(OSError, StorageError):
            if self.file_of(game) == place:
                return
            for other in self.ids():
                if self.file_of(other) == place:
                    self.records.change(other, lambda record: replace(record, file=""))
            self.records.change(game, lambda record: replace(record, file=str(place)))

    def keys_of(self, name: str) -> tuple[str, ...]:
        """The keys a player's name was seen with, in any spelling, oldest first (FORMAT section 4)."""
        spelt = [keys for other, keys in self._players.read().items() if fold_name(other) == fold_name(name)]
        return tuple(dict.fromkeys(chain.from_iterable(spelt)))

    def knows_key(self, key: str) -> bool:
        """Whether a key was seen with any name, and so belongs to somebody the player has played."""
        return any(key in keys for keys in self._players.read().values())

    def note_key(self, name: str, key: str) -> None:
        """Note that a player's name was seen with `key`; a known pair is not written again."""
        if key in self.keys_of(name):
            return
        make_folder(self._home)
        with lock_folder(self._home):
            players = self._players.read()
            spelt = next((other for other in players if fold_name(other) == fold_name(name)), name)
            self._players.save(spelt, (*players.get(spelt, ()), key))

    def _path(self, game: str) -> Path:
        return self._folder(game) / "game.yaml"

    def _stored_game(self, game: str) -> StoredGame | None:
        path = self._path(game)
        data = read_if_there(path)
        return None if data is None else StoredGame(game, path, data)

    def has_log(self, kept: StoredGame, ids: Sequence[str]) -> bool:
        """Whether a stored file has exactly these entries. Raises `StorageError` if it is damaged."""
        return ids_of(self._stored_lines(kept)) == list(ids)

    def _stored_lines(self, kept: StoredGame) -> tuple[LogLine, ...]:
        """The lines of a stored file. Raises `StorageError` if it is no longer the log of that game."""
        if self._newest and self._newest.data == kept.data:
            return self._newest.lines
        try:
            lines = self._lines_of(kept.data)
        except PbemError as error:
            raise damaged_game_error(kept, error) from error
        if not lines or lines[0].id != kept.game:
            raise StorageError(tr("your saved game {file} is not the game it is named after", file=kept.path))
        return lines

    def _record_locked(self, log: Log, own: Collection[str], *, doubted: bool) -> None:
        """Carry out `record` with the lock held: another process may have written since the comparison."""
        kept = self._stored_game(log.game)
        lines = self._stored_lines(kept) if kept else ()
        relation = compare_logs(lines, log.lines, self.signed_entries(log.game)) if kept else Relation.EXTENDS
        if relation in (Relation.EXTENDS, Relation.ANSWERED):
            n = first_difference(ids_of(lines), ids_of(log.lines))
            if kept and n < len(lines):  # signed in place of an entry that counts after all
                self._save_evidence(Log(kept.data, lines))
            signed = [line.id for line in log.lines[n:] if line.by in own]

            def go_on(record: GameRecord) -> GameRecord:
                ledger = add_undone(record.ledger, ids_of(lines[n:]))
                return replace(
                    record,
                    ledger=add_signed(ledger, self._folder(log.game), signed),
                    unconfirmed=record.unconfirmed or (doubted and kept is None),
                )

            self.records.change_locked(log.game, go_on)
            write_atomically(self._path(log.game), log.data, private=True)
            self._newest = log
            # last: if pbem is killed before the log is written, the player still has the orders
            self.records.change_locked(log.game, lambda record: replace(record, draft=OrderDraft()))
        elif kept and relation is not Relation.EQUAL:
            refusal = relation_error(relation, lines, log.lines)
            hint = self._save_evidence(log, only=isinstance(refusal, CompetingAccept))
            refusal.hint = hint if isinstance(refusal, ForkedFile) else ""
            raise refusal

    def _change_ledger(self, game: str, change: Callable[[Ledger], Ledger]) -> None:
        """Change the ledger of a game, with the lock held. Raises `StorageError`."""
        self.records.change_locked(game, lambda record: replace(record, ledger=change(record.ledger)))

    def _folder(self, game: str) -> Path:
        return self._home / "games" / game

    def _save_evidence(self, log: Log, *, only: bool = False) -> str:
        """Save a log as evidence beside the stored one, if there is room. Returns where both are, in words.

        With `only`, not beside other evidence: anybody can accept an offer under any number of keys.
        """
        evidence = self._evidence_path(log.game, log.lines[-1].id)
        if not evidence.exists():
            sizes = [path.stat().st_size for path in evidence.parent.glob("*.yaml")]
            of_all = sum(path.stat().st_size for path in self._home.glob("games/*/evidence/*.yaml"))
            size = len(log.data)
            if sum(sizes) + size > GAME_EVIDENCE_BYTES or of_all + size > EVIDENCE_BYTES or (only and sizes):
                folder = evidence.parent
                return tr(
                    "there is no room to keep this one as well; those already kept are in {folder}",
                    folder=folder,
                )
            make_folder(evidence.parent)
            write_atomically(evidence, log.data, private=True)
        return tr("both are kept as proof in {folder}", folder=self._home / "games")

    def _evidence_path(self, game: str, last: str) -> Path:
        """The path at which the log with this last entry is stored as evidence."""
        return self._path(game).parent / "evidence" / f"{last}.yaml"


def damaged_game_error(kept: StoredGame, error: PbemError) -> StorageError:
    """The error for a stored file that cannot be read; without its folder the game is new to this home."""
    return StorageError(
        tr("your saved game {file} is damaged ({reason})", file=kept.path, reason=error),
        hint=lost_game_hint(),
    )


def only_match(found: Sequence[StoredGame], prefix: str) -> StoredGame:
    """The only game in `found`, whose ids begin with `prefix`. Raises `StorageError` for none or several."""
    if not found:
        raise StorageError(tr("none of your saved games begins with {prefix}", prefix=repr(prefix)))
    if len(found) > 1:
        ids = ", ".join(kept.game[:16] for kept in found)
        problem = tr(
            "{number} games begin with {prefix}: {ids}", number=len(found), prefix=repr(prefix), ids=ids
        )
        raise StorageError(problem, hint=tr("type more of the id"))
    return found[0]


def _count_shared_entries(kept: bytes, log: Log) -> int | None:
    """The number of entries in a stored file, if the text of its log begins that of `log`; else None.

    Two states of a file that pbem wrote are related in this way, and then nothing need be parsed. A line that
    begins with `_ENTRY` always begins an entry, since everything inside one is indented further.
    """
    ours, theirs = (data.partition(b"\nlog:")[2].rstrip() for data in (kept, log.data))
    further = theirs[len(ours) :]
    begun, more = ours.count(_ENTRY), further.count(_ENTRY)
    same = begun and theirs.startswith(ours) and (not further or further.startswith(_ENTRY))
    return begun if same and begun + more == len(log.lines) else None


_OFFER_FILE = re.compile(r"([0-9a-f]{64})\.yaml")


class MailFacts(Struct, frozen=True):
    """Facts from the mail with an offer: its key, whether its program reads parts, its player's language."""

    key: str = ""
    reads_parts: bool = False
    language: str = ""


class Offers:
    """The offers in the folder `home`; `known` says whether the player knows a key."""

    def __init__(self, home: Path, known: Callable[[str], bool]) -> None:
        self._folder = home / "offers"
        self._known = known

    def ids(self, prefix: str = "") -> list[str]:
        """The ids of all offers that begin with `prefix`, in order. Reads no file. Raises `StorageError`."""
        return sorted(offer for offer in self._ids_by_age() if offer.startswith(prefix))

    def look_up(self, game: str) -> StoredGame | None:
        """The offer with this id, if it is stored. Raises `StorageError`."""
        data = read_if_there(path := self._path(game))
        return None if data is None else StoredGame(game, path, data)

    def find(self, prefix: str) -> StoredGame:
        """The offer whose id begins with `prefix`. Raises `StorageError` if there is none, or several."""
        return only_match([kept for game in self.ids(prefix.lower()) if (kept := self.look_up(game))], prefix)

    def newest_first(self) -> Iterator[StoredGame]:
        """Every offer, newest first. Raises `StorageError`."""
        for game in reversed(self._ids_by_age()):
            if offer := self.look_up(game):
                yield offer

    def mail_facts(self, game: str) -> MailFacts:
        """The facts from the mail that brought an offer; empty if they can no longer be read."""
        with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return msgspec.json.decode(read_regular(self._path(game).with_suffix(".json")), type=MailFacts)
        return MailFacts()

    def save(
        self, game: str, written: Callable[[], bytes], shown: MailFacts, spared: Container[str] = ()
    ) -> bool:
        """Save an offer in our own writing, which `written` returns, if there is or can be made room.

        Returns whether it was saved. A stranger's offer never displaces one in `spared`. Raises
        `StorageError` if the folder cannot be read or written.
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
        """The id of the oldest offer that can be dropped; empty if none can."""
        strangers = [offer for offer in others if not self._known(self.mail_facts(offer).key)]
        may_go = [offer for offer in strangers if offer not in spared]
        if self._known(shown.key):
            may_go += strangers + [offer for offer in others if offer not in spared]
        return next(iter(may_go), "")

    def drop(self, game: str) -> None:
        """Delete an offer, if it is stored: it was accepted, or has to make room. Raises `StorageError`."""
        try:
            for path in (self._path(game), self._path(game).with_suffix(".json")):
                path.unlink(missing_ok=True)
        except OSError as error:
            reason = system_reason(error)
            raise StorageError(tr("cannot write {path}: {reason}", path=path, reason=reason)) from error

    def _ids_by_age(self) -> list[str]:
        """The ids of all offers, in the order of their arrival. Raises `StorageError`."""
        try:
            with os.scandir(self._folder) as entries:
                files = sorted((file.stat().st_mtime_ns, file.name) for file in entries)
        except FileNotFoundError:
            return []
        except OSError as error:
            reason = system_reason(error)
            raise StorageError(
                tr("cannot read {file}: {reason}", file=self._folder, reason=reason)
            ) from error
        return [match[1] for _, name in files if (match := _OFFER_FILE.fullmatch(name))]

    def _path(self, game: str) -> Path:
        return self._folder / f"{game}.yaml"
