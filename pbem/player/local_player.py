"""A player on this computer: their key, their game store, and the game file that goes back and forth.

This module opens a file, compares it with the store, and saves it so that a crash at any point loses nothing:
it is checked first, then stored, then written where the player mails it from.

The computer as an opponent is a local player too, with a home inside the player's. Its strength and thinking
time are stored beside its key and are not in the game file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path

from msgspec import Struct

from pbem.base.files import JsonStore, open_regular, retry_while_busy, write_atomically
from pbem.base.limits import FILE_BYTES
from pbem.errors import (
    FileError,
    FileNameTaken,
    ForkedFile,
    KeyFileError,
    OlderFile,
    SegmentRefused,
    StorageError,
    VerificationError,
    unreadable_reason,
)
from pbem.format.document import Document, log_text
from pbem.format.entries import Accept, Entry, Offer
from pbem.format.key_file import (
    change_passphrase,
    create_key_file,
    read_key,
    read_public_key,
    read_unencrypted_key,
)
from pbem.format.keys import PrivateKey, PublicKey
from pbem.player.store.game_store import GameStore, Offers, damaged_game_error
from pbem.player.store.log_relation import Log, LogLine, Relation, StoredGame
from pbem.player.store.signed_entries import SendChannel
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_facts import SHOWN_ID_DIGITS, file_name
from pbem.umpire.game_state import Game
from pbem.umpire.log_segment import join_segment
from pbem.umpire.verify import open_game, parse_log

tr = Texts("pbem")


class LocalPlayer:
    """The player whose folder is `home`; `ask_passphrase` is called if the key is protected."""

    def __init__(self, home: Path, ask_passphrase: Callable[[], str] | None = None) -> None:
        self.home = home
        self.store = GameStore(home, lambda data: log_lines(self._parse_stored(data)))
        self.offers = Offers(home, self.store.knows_key)
        self._ask_passphrase = ask_passphrase
        self._read: tuple[bytes, tuple[Entry, ...]] = b"", ()

    @property
    def key_path(self) -> Path:
        """The path of the private key."""
        return self.home / "key"

    @cached_property
    def key(self) -> PrivateKey:
        """The player's key. Raises `KeyFileError`."""
        if not self.key_path.exists():
            problem = tr("there is no key in {file}", file=self.key_path)
            raise KeyFileError(problem, hint=tr("make one with: {command}", command="pbem key"))
        return read_key(self.key_path, self._ask_passphrase)

    @property
    def key_without_passphrase(self) -> PrivateKey | None:
        """The player's key, if there is one and it is not protected, or is already unlocked."""
        if "key" in vars(self):
            return self.key
        return read_unencrypted_key(self.key_path) if self.has_key else None

    def unlock(self, passphrase: str) -> None:
        """Read the key with its passphrase, so that nothing asks for it later. Raises `KeyFileError`."""
        self.key = read_key(self.key_path, lambda: passphrase)

    @property
    def has_key(self) -> bool:
        """Whether the player has a key."""
        return self.key_path.exists()

    @property
    def is_key_protected(self) -> bool:
        """Whether the player's key is protected by a passphrase. Raises `KeyFileError`."""
        return self.has_key and read_unencrypted_key(self.key_path) is None

    @property
    def public_key(self) -> PublicKey | None:
        """The public part of the player's key, which needs no passphrase; None if there is no key.

        Raises `KeyFileError`.
        """
        return read_public_key(self.key_path) if self.has_key else None

    def protect_key(self, passphrase: str) -> None:
        """Protect the player's key by a new passphrase. Raises `KeyFileError`."""
        change_passphrase(self.key_path, self.key, passphrase)

    def make_key(self, passphrase: str = "") -> PrivateKey:
        """Make the player's key; an existing one is never overwritten. Raises `KeyFileError`."""
        self.key = create_key_file(self.key_path, passphrase)
        return self.key

    def read(self, file: Path) -> bytes:
        """The bytes of a file. Raises `FileError` if it cannot be read, or is larger than any game."""
        try:
            with retry_while_busy(file, partial(open_regular, file)) as opened:
                data = opened.read(FILE_BYTES + 1)
        except OSError as error:
            problem = tr("cannot be read: {reason}", reason=unreadable_reason(file, error))
            raise FileError(problem, where=str(file)) from None
        if len(data) > FILE_BYTES:
            problem = tr("has more than {most} bytes, the most a game file can have", most=FILE_BYTES)
            raise FileError(problem, where=str(file))
        return data

    def open(self, data: bytes) -> Game:
        """Verify a file and replay its game. Raises `VerificationError`, `OverBudget`."""
        return open_game(data)

    def complete_log(self, part: Document) -> tuple[Entry, ...]:
        """The whole log: the stored one, and the part that continues it (FORMAT 10); not verified yet.

        Raises `SegmentRefused` if the part does not continue it, `StorageError` if the store cannot be read.
        """

        assert part.after is not None
        kept = self.look_up(part.after.game)
        try:
            return join_segment(part, self._stored_log(kept) if kept else ())
        except SegmentRefused:
            undone = self.store.undone_log(part.after.game, part.after.id)
            if undone is None:
                raise
            return join_segment(part, parse_log(undone))

    def look_up(self, game: str) -> StoredGame | None:
        """The stored game with this id, or else the offer. Raises `StorageError`."""
        return self.store.look_up(game) or self.offers.look_up(game)

    def begins_as_stored_game(self, ids: tuple[str, ...]) -> bool:
        """Whether a log with these ids begins like a stored game that has both players.

        Its entries must then be signed with the keys of that game. Raises `StorageError`.
        """
        kept = self.store.look_up(ids[0])
        own = self._stored_log(kept)[:2] if kept else ()
        return len(own) == 2 and tuple(entry.id for entry in own) == ids[:2]

    def relation(self, game: Game, data: bytes) -> Relation:
        """How a received game relates to the stored one. Raises `StorageError`."""
        return self.store.relation(Log(data, log_lines(game.entries)))

    def standing(self, game: Game, data: bytes) -> tuple[Relation, str]:
        """How a game relates to the stored one, and a description of it. Raises `StorageError`."""
        return self.store.standing(Log(data, log_lines(game.entries)))

    def refusal(self, game: Game, data: bytes) -> StorageError | None:
        """The reason not to continue a game: it is older than the stored one, or has another history.

        None if there is no such reason. Raises `StorageError`.
        """
        relation, told = self.standing(game, data)
        if relation.is_behind:
            return OlderFile(told, hint=_newest_game_hint(game))
        return ForkedFile(told) if relation is Relation.FORKED else None

    def record(
        self,
        game: Game,
        data: bytes,
        *,
        new: bool = False,
        doubted: bool = False,
        file: Path | None = None,
        ours: bool = False,
    ) -> None:
        """Record a received game in the store, and note its `file`, if it has one.

        The store gets its log in our own writing, without anything else the sender put into the file; `ours`:
        `data` is that already. Recording an offer that is now accepted makes it a game. Raises as
        `GameStore.record`.
        """
        kept = self.store.look_up(game.ids[0])
        if kept and kept.data != data and self._holds_same_log(kept, game, data):
            data = kept.data  # only the head of the file differs: nothing to rewrite
        elif not ours and (kept.data != data if kept else new or doubted):
            data = self.rewrite(game)
        self._record(game, data, new=new, doubted=doubted)
        if file:
            self.store.note_file(game.ids[0], file)

    def _holds_same_log(self, kept: StoredGame, game: Game, data: bytes) -> bool:
        """Whether a stored file has exactly the entries of a game that was read from `data`."""
        same_text = log_text(kept.data)  # the text first: parsing a log takes longer
        return bool(same_text and same_text == log_text(data)) or self.store.has_log(kept, game.ids)

    def rewrite(self, game: Game) -> bytes:
        """The file of a game in our own writing, read back. Raises `StorageError` if it lacks the game."""
        # 5 ms
        from pbem.player.store.game_file import (
            game_file_bytes,  # imported here, since reading a game needs no map
        )

        data = game_file_bytes(game)
        if tuple(entry.id for entry in parse_log(data)) != game.ids:
            raise StorageError(tr("the file just written does not contain the game: nothing was saved"))
        return data

    def _record(
        self, game: Game, data: bytes, *, new: bool, doubted: bool = False, own: Collection[str] = ()
    ) -> None:
        """Record a game in our own writing; its offer, if it has one, is then accepted.

        `doubted` and `own` are as in `GameStore.record`.
        """
        try:
            self.store.record(Log(data, log_lines(game.entries)), new=new, doubted=doubted, own=own)
            self.offers.drop(game.ids[0])
        except OlderFile as older:
            older.hint = _newest_game_hint(game)
            raise

    def save(self, game: Game, file: Path, *, new: bool = False) -> None:
        """Save the player's own entries (FORMAT 6): check the bytes, store them, then write the file.

        Raises `StorageError` if the store knows another continuation; nothing is written then.
        """
        # 5 ms
        from pbem.player.store.game_file import (
            game_file_bytes,  # imported here, since reading a game needs no map
        )

        data = game_file_bytes(game)
        checked = open_game(data)
        if checked.ids != game.ids:
            raise StorageError(tr("the file just written does not contain the game: nothing was saved"))
        self._record(checked, data, new=new, own=self.seats(game))
        try:
            write_atomically(file, data)
        except StorageError as error:
            error.hint = tr(
                "the move is among your saved games; write it elsewhere: {command}",
                command=_rewrite_command(game),
            )
            raise
        self.store.note_file(game.ids[0], file)

    def note_departure(self, game: Game, way: SendChannel) -> None:
        """Note that a game's newest entries are about to be sent.

        Raises `StorageError`; the entries must not be sent then.
        """
        self.store.note_departure(game.ids[0], game.ids, way)

    def seats(self, game: Game) -> tuple[str, ...]:
        """The seats that the player holds; no passphrase is needed. Raises `KeyFileError`."""
        return tuple(
            name for name, seat in game.seats.items() if PublicKey.parse(seat.key) == self.public_key
        )

    def note_players(self, game: Game) -> Iterator[str]:
        """Note each player's name and key; yield the names already known with another key (FORMAT 4).

        Raises `StorageError` if nothing can be written.
        """
        for seat in game.seats.values():
            known = self.store.keys_of(seat.name)
            self.store.note_key(seat.name, seat.key)
            if known and seat.key not in known:
                yield seat.name

    def game_path(self, game: Game, folder: Path) -> Path:
        """The path to write a game to: where the player has it, else its default name in `folder`."""
        noted = self.store.file_of(game.ids[0])
        if noted is None or not noted.is_file():
            return folder / file_name(game)
        try:
            return folder / noted.relative_to(folder.resolve())
        except ValueError:
            return noted

    def check_path_is_free(self, game: Game, file: Path) -> None:
        """Check that `file`, a name pbem chose for a game from a mail, is free for that game.

        Raises `FileNameTaken` if a link, a folder, or any file but this game's has that name.
        """
        if not (file.is_symlink() or file.exists()):
            return
        if file.is_symlink() or not self.file_holds_game(game, file):
            raise FileNameTaken(
                tr("{file} already exists and is not this game: nothing was written", file=file),
                hint=tr("move it away, or write elsewhere: {command}", command=_rewrite_command(game)),
            )

    def _stored_log(self, kept: StoredGame) -> tuple[Entry, ...]:
        """The entries of a stored game."""
        try:
            return self._parse_stored(kept.data)
        except VerificationError as error:
            raise damaged_game_error(kept, error) from None

    def _parse_stored(self, data: bytes) -> tuple[Entry, ...]:
        """The entries of a stored file, parsed only once however many parts a mail contains."""
        if data != self._read[0]:
            self._read = data, parse_log(data)
        return self._read[1]

    def file_holds_game(self, game: Game, file: Path) -> bool:
        """Whether a file exists and holds some state of the game."""
        try:
            return parse_log(self.read(file))[0].id == game.ids[0]
        except (FileError, VerificationError):
            return False


def _rewrite_command(game: Game) -> str:
    """The command that writes the newest file of a game again."""
    return f"pbem games {game.ids[0][:SHOWN_ID_DIGITS]} --write newest-{file_name(game)}"


def _newest_game_hint(game: Game) -> str:
    """The hint for a player who opens an older file: how to continue with the newest."""
    show = f"pbem show {game.ids[0][:SHOWN_ID_DIGITS]}"
    return tr(
        "to continue with yours: {show}; to write it to a file: {write}",
        show=show,
        write=_rewrite_command(game),
    )


def log_lines(entries: Iterable[Entry]) -> tuple[LogLine, ...]:
    """The store's lines for entries."""
    first, *others = entries
    rules = first.body.rules if isinstance(first.body, Offer) else ""
    return tuple(
        LogLine(entry.id, entry.body.by, entry.kind, _seat_key(entry), rules) for entry in (first, *others)
    )


def _seat_key(entry: Entry) -> str:
    """The key that takes a seat with an entry; empty if none does."""
    return entry.body.seat.key if isinstance(entry.body, (Offer, Accept)) else ""


SENSIBLE = "sensible"
THINK_SECONDS = 2.0
"""The default seconds per answer of a computer player that searches."""


class Opponent(Struct, frozen=True):
    """The computer player of a game, by name, and how many seconds it can think about an answer."""

    player: str = SENSIBLE
    think: float = THINK_SECONDS


def practice_player(player: LocalPlayer) -> LocalPlayer:
    """The computer as an opponent, with a home inside the player's; its key is made on first use."""
    opponent = LocalPlayer(player.home / "practice")
    if not opponent.has_key:
        opponent.make_key()
    return opponent


def save_opponent(player: LocalPlayer, game: str, opponent: Opponent) -> None:
    """Save which computer player plays a game from now on.

    `player` is the computer as an opponent. Raises `StorageError`.
    """
    opponent_store(player).save(game, opponent)


def opponent_store(player: LocalPlayer) -> JsonStore[Opponent]:
    """The computer players of all games for which the player chose one."""
    hint = tr("delete it; all computer players are then sensible")
    return JsonStore(player.home / "opponents.json", dict[str, Opponent], hint=hint)


def is_practice(game: Game, player: LocalPlayer) -> bool:
    """Whether the computer plays a side of the game here."""
    return (player.home / "practice").exists() and bool(
        permissions.held_seats(game, practice_player(player).key)
    )


def may_be_reviewed(game: Game, player: LocalPlayer) -> bool:
    """Whether the computer may analyse a game for the player: never one in progress against a person."""
    alone = len(player.seats(game)) == len(game.rules.seats)
    harms_nobody = game.state.ending is not None or alone or is_practice(game, player)
    return harms_nobody and bool(game.rules.players)
