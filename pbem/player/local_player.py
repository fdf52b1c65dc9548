"""A player on this computer: his key, his game store, and the game file that goes back and forth.

Here a file is opened, compared with the store, and saved so that a crash at any point loses nothing:
checked first, then stored, then written where the player mails it from.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path

from pbem.base.files import open_regular, patiently, write_atomically
from pbem.base.limits import FILE_BYTES
from pbem.errors import (
    FileError,
    ForkedFile,
    KeyFileError,
    OlderFile,
    PartRefused,
    PlaceTaken,
    ShelfError,
    VerificationError,
    why_unread,
)
from pbem.format.document import Document
from pbem.format.entries import Entry
from pbem.format.key_file import make_key, protect_key, read_key, read_open_key, read_public
from pbem.format.keys import PrivateKey, PublicKey
from pbem.format.shapes import Accept, Offer
from pbem.player.store.game_store import GameStore, damaged
from pbem.player.store.offers import Offers
from pbem.player.store.relation import Relation
from pbem.player.store.signed_entries import Way
from pbem.player.store.stored_log import Log, LogLine, StoredGame
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_facts import SHORT, file_name
from pbem.umpire.verify import open_game, read_log

tr = Texts("pbem")


class LocalPlayer:
    """The player with the folder `home`. `ask_passphrase` is called if the key is protected by one."""

    def __init__(self, home: Path, ask_passphrase: Callable[[], str] | None = None) -> None:
        self.home = home
        self.shelf = GameStore(home, lambda data: lines(read_log(data)))
        self.offers = Offers(home, self.shelf.knows)
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
    def key_at_hand(self) -> PrivateKey | None:
        """The player's key, if there is one and it needs no passphrase, or has been unlocked."""
        if "key" in vars(self):
            return self.key
        return read_open_key(self.key_path) if self.has_key else None

    @property
    def has_key(self) -> bool:
        """Whether the player has a key."""
        return self.key_path.exists()

    @property
    def public(self) -> PublicKey | None:
        """The public part of the player's key, which needs no passphrase; None if there is no key.

        Raises `KeyFileError`.
        """
        return read_public(self.key_path) if self.has_key else None

    def protect_key(self, passphrase: str) -> None:
        """Protect the player's key by another passphrase. Raises `KeyFileError`."""
        protect_key(self.key_path, self.key, passphrase)

    def make_key(self, passphrase: str = "") -> PrivateKey:
        """Make the player's key; another is never overwritten. Raises `KeyFileError`."""
        self.key = make_key(self.key_path, passphrase)
        return self.key

    def read(self, file: Path) -> bytes:
        """The bytes of a file. Raises `FileError` if it cannot be read, or is larger than a game can be."""
        try:
            with patiently(file, partial(open_regular, file)) as opened:
                data = opened.read(FILE_BYTES + 1)
        except OSError as error:
            problem = tr("cannot be read: {reason}", reason=why_unread(file, error))
            raise FileError(problem, where=str(file)) from None
        if len(data) > FILE_BYTES:
            problem = tr("has more than {most} bytes, the most that a game file may have", most=FILE_BYTES)
            raise FileError(problem, where=str(file))
        return data

    def open(self, data: bytes) -> Game:
        """Check a file and replay its game. Raises `VerificationError`, `OverBudget`."""
        return open_game(data)

    def completed(self, part: Document) -> tuple[Entry, ...]:
        """The whole log of a part that continues the stored one (FORMAT 10), still to be verified.

        Raises `PartRefused` where it does not continue that, `ShelfError` where the store cannot be read.
        """
        from pbem.umpire.log_segment import (
            join_segment,  # here, because a whole file does not need it
        )

        assert part.after is not None
        kept = self.look_up(part.after.game)
        try:
            return join_segment(part, self._log(kept) if kept else ())
        except PartRefused:
            undone = self.shelf.undone(part.after.game, part.after.id)
            if undone is None:
                raise
            return join_segment(part, read_log(undone))

    def look_up(self, game: str) -> StoredGame | None:
        """The stored game with this id, or else the offer. Raises `ShelfError`."""
        return self.shelf.look_up(game) or self.offers.look_up(game)

    def holds_the_seats(self, ids: tuple[str, ...]) -> bool:
        """Whether a log with these ids begins like a stored one whose seats are taken.

        Then whatever is signed in it is signed by the keys of that game. Raises `ShelfError`.
        """
        kept = self.shelf.look_up(ids[0])
        own = self._log(kept)[:2] if kept else ()
        return len(own) == 2 and tuple(entry.id for entry in own) == ids[:2]

    def relation(self, game: Game, data: bytes) -> Relation:
        """The relation of a received game to the stored one. Raises `ShelfError`."""
        return self.shelf.relation(Log(data, lines(game.entries)))

    def standing(self, game: Game, data: bytes) -> tuple[Relation, str]:
        """The relation of a game to the stored one, and its description. Raises `ShelfError`."""
        return self.shelf.standing(Log(data, lines(game.entries)))

    def refusal(self, game: Game, data: bytes) -> ShelfError | None:
        """The objection to playing on in a game: it is older, or another history. Raises `ShelfError`."""
        relation, told = self.standing(game, data)
        if relation.behind:
            return OlderFile(told, hint=_go_on(game))
        return ForkedFile(told) if relation is Relation.FORKED else None

    def keep(
        self,
        game: Game,
        data: bytes,
        *,
        new: bool = False,
        doubted: bool = False,
        file: Path | None = None,
        ours: bool = False,
    ) -> None:
        """Record a received game in the store, and note in which file it lies, if it does.

        What is stored is our own writing of its log, and nothing else that the sender has put into the file;
        `ours`: `data` is that already. An offer is accepted thereby. Raises as `GameStore.record`.
        """
        kept = self.shelf.look_up(game.ids[0])
        if not ours and (kept.data != data if kept else new or doubted):
            data = self.rewritten(game)
        self._keep(game, data, new=new, doubted=doubted)
        if file:
            self.shelf.note_file(game.ids[0], file)

    def rewritten(self, game: Game) -> bytes:
        """The file of a game in our own writing, read back. Raises `ShelfError` if it lacks the game."""
        from pbem.player.store.game_file import (
            write_game_file,  # here, because whoever only reads a game needs no map
        )

        data = write_game_file(game)
        if tuple(entry.id for entry in read_log(data)) != game.ids:
            raise ShelfError(tr("the file that was written does not hold the game: nothing was saved"))
        return data

    def _keep(
        self, game: Game, data: bytes, *, new: bool, doubted: bool = False, own: Collection[str] = ()
    ) -> None:
        """Record a game in our own writing; its offer, if there is one, is accepted thereby.

        `doubted` and `own` are as in `GameStore.record`.
        """
        try:
            self.shelf.keep(Log(data, lines(game.entries)), new=new, doubted=doubted, own=own)
            self.offers.drop(game.ids[0])
        except OlderFile as older:
            older.hint = _go_on(game)
            raise

    def save(self, game: Game, file: Path, *, new: bool = False) -> None:
        """Save the player's own entries (FORMAT 6): check the bytes, store them, only then write the file.

        Raises `ShelfError`, and writes nothing anywhere, if the store knows another continuation.
        """
        from pbem.player.store.game_file import (
            write_game_file,  # here, because whoever only reads a game needs no map
        )

        data = write_game_file(game)
        checked = open_game(data)
        if checked.ids != game.ids:
            raise ShelfError(tr("the file that was written does not hold the game: nothing was saved"))
        self._keep(checked, data, new=new, own=self.seats(game))
        try:
            write_atomically(file, data)
        except ShelfError as error:
            error.hint = tr(
                "the move is among your saved games; write it elsewhere: {command}", command=_anew(game)
            )
            raise
        self.shelf.note_file(game.ids[0], file)

    def let_go(self, game: Game, way: Way) -> None:
        """Note that a game leaves with its newest entries. Raises `ShelfError`, and then it must not."""
        self.shelf.let_go(game.ids[0], game.ids, way)

    def seats(self, game: Game) -> tuple[str, ...]:
        """The seats that the player holds; no passphrase is needed. Raises `KeyFileError`."""
        return tuple(name for name, seat in game.seats.items() if PublicKey.parse(seat.key) == self.public)

    def meet(self, game: Game) -> Iterator[str]:
        """Note each player's name and key; yield the names that are known with another key (FORMAT 4).

        Raises `ShelfError` where nothing can be written.
        """
        for seat in game.seats.values():
            known = self.shelf.keys_of(seat.name)
            self.shelf.remember(seat.name, seat.key)
            if known and seat.key not in known:
                yield seat.name

    def place(self, game: Game, folder: Path) -> Path:
        """The path to write a game to: where the player has it, else its default name in `folder`."""
        noted = self.shelf.file_of(game.ids[0])
        if noted is None or not noted.is_file():
            return folder / file_name(game)
        try:
            return folder / noted.relative_to(folder.resolve())
        except ValueError:
            return noted

    def check_place(self, game: Game, file: Path) -> None:
        """Check that `file`, which the program itself has named for a game from a mail, is free for it.

        Raises `PlaceTaken` where something else has that name: a link, a folder, any file but this game's.
        """
        if not (file.is_symlink() or file.exists()):
            return
        if file.is_symlink() or not self.holds(game, file):
            raise PlaceTaken(
                tr("{file} already exists and is not this game: nothing was written", file=file),
                hint=tr("move it away, or write elsewhere: {command}", command=_anew(game)),
            )

    def _log(self, kept: StoredGame) -> tuple[Entry, ...]:
        """The entries of a stored game; parsed once, however many parts a mail brings."""
        if kept.data != self._read[0]:
            try:
                self._read = kept.data, read_log(kept.data)
            except VerificationError as error:
                raise damaged(kept, error) from None
        return self._read[1]

    def holds(self, game: Game, file: Path) -> bool:
        """Whether a file exists and holds some state of the game."""
        try:
            return read_log(self.read(file))[0].id == game.ids[0]
        except (FileError, VerificationError):
            return False


def _anew(game: Game) -> str:
    """The command that writes the newest file of a game again."""
    return f"pbem games {game.ids[0][:SHORT]} --write newest-{file_name(game)}"


def _go_on(game: Game) -> str:
    """The hint for whoever opens an older file: how to go on with the newest."""
    show = f"pbem show {game.ids[0][:SHORT]}"
    return tr("go on with yours: {show}; to write it into a file: {write}", show=show, write=_anew(game))


def lines(entries: Iterable[Entry]) -> tuple[LogLine, ...]:
    """The store's lines for entries."""
    first, *others = entries
    rules = first.body.rules if isinstance(first.body, Offer) else ""
    return tuple(
        LogLine(entry.id, entry.body.by, entry.kind, _seated(entry), rules) for entry in (first, *others)
    )


def _seated(entry: Entry) -> str:
    """The key that takes a seat with an entry; empty where none does."""
    return entry.body.seat.key if isinstance(entry.body, (Offer, Accept)) else ""
