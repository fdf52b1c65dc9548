"""A backup: a player's whole home in one file protected by a passphrase, and restoring it (FORMAT 6).

The file is an age file (age-encryption.org/v1) that contains a tar archive, so `age -d FILE | tar -x` reads
it too. It leaves out only what is useless elsewhere, such as the identity of the home on this disk. Restoring
it forgets where game files were. Mail passwords are not in the home, and so not in the backup.

A backup might be older than the player's last signed entry. So every restored game is unconfirmed: the store
lets nothing be signed in it, not even shares, until the player confirms that they know no newer state.

Nor does it have to be this player's own: anybody who knows the passphrase could have made it. So every member
of the archive is checked before anything is written. Python's own reader accepts whatever any tar has ever
written: sparse files that unpack to any size, links, devices, headers nested without end. An archive made
here has two kinds of header, that of a file and that of its long name (pax). Folders, which `tar` adds when
somebody packs the archive again by hand, are ignored.
"""

from __future__ import annotations

import os
import re
import tarfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path, PurePosixPath
from pkgutil import get_data
from secrets import choice
from shutil import rmtree

from msgspec.structs import replace

from pbem.base.files import lock_folder, make_folder, open_regular, read_regular, write_atomically
from pbem.base.interrupts import raise_on_interrupt
from pbem.base.limits import BACKUP_BYTES, BACKUP_FILES
from pbem.errors import FileError, StorageError, system_reason
from pbem.format.key_file import read_public_key
from pbem.player.local_player import LocalPlayer, log_lines
from pbem.player.store.log_relation import Log, Relation
from pbem.player.store.record_store import GameRecords
from pbem.render.safe_text import quote_name
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS
from pbem.umpire.verify import parse_log

tr = Texts("pbem")


_BLOCK = 512

_MOST_LEVELS = 32
"""The deepest nesting of folders: a home has six levels, and a Maildir in it three more."""

_MOST_OF_A_NAME = 1_000
"""The most characters of a member's name; those of a home have about 150."""

_MOST_OF_A_PART = 255
"""The most characters between two slashes of a name, a limit of most file systems."""

_MOST_OF_A_HEADER = 8 * 1024
"""The most bytes of a pax header."""


def read_members(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """The files of an archive, each with its name. Raises `FileError`, `ValueError`, `tarfile.TarError`."""
    long_name = None
    files = total = 0
    for header, data in _tar_headers(archive):
        if header.type == tarfile.XHDTYPE:
            long_name = _pax_name(data)
            continue
        name, long_name = long_name or header.name, None
        if header.type not in (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.DIRTYPE):
            problem = tr("{name} is neither a file nor a folder: nothing was restored", name=quote_name(name))
            raise FileError(problem)
        if header.type == tarfile.DIRTYPE:
            continue
        path = PurePosixPath(name)
        if not _is_plain(name, path):
            problem = tr(
                "the name {name} is not allowed in a backup: nothing was restored", name=quote_name(name)
            )
            raise FileError(problem)
        files, total = files + 1, total + len(data)
        if files > BACKUP_FILES or total > BACKUP_BYTES:
            problem = tr(
                "has more than {files} files or {most} bytes, the most a backup can have: nothing "
                "was restored",
                files=BACKUP_FILES,
                most=BACKUP_BYTES,
            )
            raise FileError(problem)
        yield str(path), data


def _tar_headers(archive: bytes) -> Iterator[tuple[tarfile.TarInfo, bytes]]:
    """The headers of an archive up to its end, each with its data. Raises `tarfile.TarError`."""
    at = 0
    while any(block := archive[at : at + _BLOCK]):
        header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        at += _BLOCK
        if not 0 <= header.size <= len(archive) - at:
            raise tarfile.ReadError
        yield header, archive[at : at + header.size]
        at += -(-header.size // _BLOCK) * _BLOCK


def _pax_name(data: bytes) -> str | None:
    """The file name in a pax header, if it has one. Raises `ValueError` if it is invalid or too long.

    A header consists of records such as `20 path=games/a.yaml`, each with a newline that its length includes.
    """
    if len(data) > _MOST_OF_A_HEADER:
        raise ValueError
    name = None
    while data:
        digits = data[: data.index(b" ")]
        length = int(digits)
        if not len(digits) < length <= len(data):
            raise ValueError
        key, _, value = data[len(digits) + 1 : length - 1].partition(b"=")
        if key == b"size" or key.startswith(b"GNU.sparse"):
            raise ValueError
        if key == b"path":
            name = value.decode("utf-8", "surrogateescape")
        data = data[length:]
    return name


def _is_plain(name: str, path: PurePosixPath) -> bool:
    """Whether a name stays within the home and is possible on every file system."""
    bounded = len(name) <= _MOST_OF_A_NAME and 1 <= len(path.parts) <= _MOST_LEVELS
    bounded = bounded and all(len(part) <= _MOST_OF_A_PART for part in path.parts)
    return bounded and not path.is_absolute() and ".." not in path.parts and "\0" not in name


PASSPHRASE_WORDS = 6
"""The number of words in a proposed passphrase: 77 bits, from a list of 7,776."""

LEAST_PASSPHRASE_CHARACTERS = 12
"""The fewest characters of a passphrase that the player chooses."""


def propose_passphrase() -> str:
    """A new passphrase of random words joined by hyphens, as `age -p` proposes one."""

    listed = word_list()
    return "-".join(choice(listed) for _ in range(PASSPHRASE_WORDS))


def word_list() -> list[str]:
    """The large word list of the Electronic Frontier Foundation; its file states source and licence."""
    data = get_data(__package__, "eff_large_wordlist.txt")
    assert data is not None
    return [line for line in data.decode("ascii").splitlines() if not line.startswith("#")]


def check_passphrase(passphrase: str, where: str = "") -> None:
    """Raise `FileError` for a passphrase that is too short."""
    if len(passphrase.strip()) < LEAST_PASSPHRASE_CHARACTERS:
        problem = tr("a passphrase needs at least {least} characters", least=LEAST_PASSPHRASE_CHARACTERS)
        hint = tr("several words chosen at random are strong, and easier to type than many symbols")
        raise FileError(problem, where=where, hint=hint)


AGE_HEADER = b"age-encryption.org/v1\n"
"""The first bytes of an age file."""

_TOO_LONG = "Excessive work"
"""How the library's error begins if it expects decryption to take too long."""

_DECRYPTIONS = 20

LEAST_WORK = 18
"""The least scrypt work factor of a new backup: a second on a slow computer, 256 MB of memory."""

_ENCRYPTIONS = 5

_SCRYPT = re.compile(re.escape(AGE_HEADER) + rb"-> scrypt \S+ ([0-9]{1,2})\n")

_MOST_BYTES = BACKUP_BYTES + 2**20
"""The most bytes of a backup: an encrypted archive whose last member ends beyond `BACKUP_BYTES`."""

_LEFT_OUT = (
    "lock",
    "games/*/stay",
    "games/*/file",
    "games/*/doubted",
    "mail/set-aside/*",
    "mail/secrets.json",
    ".pbem-*.tmp",
)


def encrypt(archive: bytes, passphrase: str) -> bytes:
    """Encrypt an archive with a passphrase, which deliberately takes a second or two. Raises `StorageError`.

    The library measures how fast the computer is now, sets scrypt's work factor accordingly, and has no
    argument for it. On a busy computer it sets far too low a factor; so the factor is read back, and if it is
    too low the archive is encrypted again.
    """
    from pyrage import passphrase as age  # type: ignore[import-untyped]  # a browser has none

    for _ in range(_ENCRYPTIONS):
        data: bytes = age.encrypt(archive, passphrase)
        if work_factor(data) >= LEAST_WORK:
            return data
    problem = tr("this computer is too busy or too slow to protect a backup well: nothing was written")
    raise StorageError(problem, hint=tr("close other programs, and try again"))


def work_factor(data: bytes) -> int:
    """The scrypt work factor in the header of an age file: N is 2 to this power. 0 if there is none."""
    header = _SCRYPT.match(data)
    return int(header[1]) if header else 0


def decrypt(data: bytes, passphrase: str, where: str) -> bytes:
    """Decrypt a backup to its archive. Raises `FileError`.

    The library first measures, for a millisecond or two, how long decryption will take, and refuses what
    takes long. On a busy computer it overestimates that; so it is called again. A low work factor is
    accepted, since earlier releases wrote some.
    """
    from pyrage import DecryptError
    from pyrage import passphrase as age

    if not data.startswith(AGE_HEADER):
        raise _not_a_backup(where)
    for _ in range(_DECRYPTIONS):
        try:
            archive: bytes = age.decrypt(data, passphrase)
        except DecryptError as error:
            if _TOO_LONG not in str(error):
                problem = tr("the passphrase does not open it, or the file is damaged")
                raise FileError(problem, where=where) from None
        else:
            return archive
    problem = tr("this computer is too slow, or too busy at the moment, to open it")
    raise FileError(problem, where=where, hint=tr("try again when nothing else is running"))


def pack(home: Path) -> bytes:
    """Pack the home folder into an archive. Raises `StorageError` if it cannot be read or is too big."""
    archive = BytesIO()
    try:
        with lock_folder(home), tarfile.open(fileobj=archive, mode="w") as tar:
            for name, file in _files(home):
                data = read_regular(file)
                if archive.tell() + len(data) > BACKUP_BYTES:
                    raise StorageError(
                        tr("your folder {home} has more than {most} bytes", home=home, most=BACKUP_BYTES)
                    )
                member = tarfile.TarInfo(name)
                member.size, member.mode = len(data), 0o600
                tar.addfile(member, BytesIO(data))
    except OSError as error:
        reason = system_reason(error)
        raise StorageError(tr("cannot read {file}: {reason}", file=home, reason=reason)) from None
    return archive.getvalue()


def read_backup(file: Path) -> bytes:
    """The bytes of a backup. Raises `FileError` if it cannot be read, or is larger than any backup."""
    try:
        with open_regular(file) as opened:
            data = opened.read(_MOST_BYTES + 1)
    except OSError as error:
        raise FileError(
            tr("cannot be read: {reason}", reason=system_reason(error)), where=str(file)
        ) from None
    if len(data) > _MOST_BYTES:
        problem = tr("has more than {most} bytes, the most a backup can have", most=_MOST_BYTES)
        raise FileError(problem, where=str(file))
    return data


def unpack(archive: bytes, where: str) -> dict[str, bytes]:
    """The files in an archive, by their names in the home.

    Colons and backslashes have a meaning in Windows names: members with such names are left out. Raises
    `FileError` for anything `pack` never writes.
    """
    files: dict[str, bytes] = {}
    try:
        folders: set[str] = set()
        for name, data in read_members(archive):
            above = {str(folder) for folder in PurePosixPath(name).parents}
            folders |= above
            if name in files or name in folders or any(folder in files for folder in above):
                raise FileError(tr("it contains {name} twice: nothing was restored", name=quote_name(name)))
            if ":" not in name and "\\" not in name:
                files[name] = data
    except FileError as error:
        raise FileError(error.problem, where=where) from None
    except (tarfile.TarError, ValueError):
        files = {}
    if "key" not in files:
        raise _not_a_backup(where)
    return files


@raise_on_interrupt()
def restore_home(
    files: dict[str, bytes], home: Path, settle: Callable[[Path], None]
) -> tuple[list[str], Path | None]:
    """Replace the home with a restored one. Returns the ids of its games, and the path of the previous home.

    `settle` receives the restored folder before it replaces the home, and may change it. Raises
    `StorageError` if the present home belongs to another player, has a newer state of a game, or cannot be
    written; it is then unchanged.
    """
    made = _free_path(home, "restored")
    paths = [PurePosixPath(name).parts for name in files]
    games = sorted({path[1] for path in paths if path[0] == "games" and path[2:] == ("game.yaml",)})
    try:
        make_folder(made)
        for name, data in files.items():
            make_folder((made / name).parent)
            write_atomically(made / name, data, private=True)
        for game in games:
            _make_unconfirmed(GameRecords(made), game)
        settle(made)
        before = _exchange_homes(home, made)
    except OSError as error:
        reason = system_reason(error)
        raise StorageError(tr("cannot write {path}: {reason}", path=made, reason=reason)) from None
    finally:
        _remove(made)
    return games, before


def _make_unconfirmed(records: GameRecords, game: str) -> None:
    """Note that a restored game is unconfirmed. Raises `StorageError`."""
    try:
        records.read(game)
    except StorageError:
        return  # the record is damaged, so nothing can be signed in that game anyway
    # no lock: no other process knows this folder yet
    records.change_locked(game, lambda record: replace(record, unconfirmed=True, file=""))


def _not_a_backup(where: str) -> FileError:
    return FileError(tr("this is not a backup made by pbem"), where=where)


def _files(home: Path) -> Iterator[tuple[str, Path]]:
    """The files of a home that a backup includes, with their names in it."""
    for folder, _, names in os.walk(home):
        for name in sorted(names):
            file = Path(folder) / name
            inside = PurePosixPath(file.relative_to(home).as_posix())
            if file.is_file() and not any(inside.match(pattern) for pattern in _LEFT_OUT):
                yield str(inside), file


def _exchange_homes(home: Path, made: Path) -> Path | None:
    """Put a folder in place of the home, after all checks. Returns the path of the previous home."""
    if not home.exists():
        made.rename(home)
        return None
    with lock_folder(home):
        _check_replaceable(LocalPlayer(home), made)
    before = _free_path(home, "before")
    home.rename(before)
    made.rename(home)
    return before


def _check_replaceable(old: LocalPlayer, made: Path) -> None:
    """Raise `StorageError` if the present home is another player's, or has a newer state of a game."""
    if old.has_key and old.public_key != read_public_key(made / "key"):
        problem = tr("{home} has a different key from the backup: nothing was restored", home=old.home)
        raise StorageError(problem, hint=tr("to keep both, restore with PBEM_HOME set to another folder"))
    new = LocalPlayer(made)
    for kept in old.store.games():
        there = new.store.look_up(kept.game)
        relation = (
            new.store.relation(Log(kept.data, log_lines(parse_log(kept.data)))) if there else Relation.EXTENDS
        )
        if relation not in (Relation.EQUAL, Relation.OLDER):
            game = kept.game[:SHORT_ID_DIGITS]
            raise StorageError(
                tr(
                    "{home} has more of game {game} than the backup: nothing was restored",
                    home=old.home,
                    game=game,
                ),
                hint=tr("to look at the backup, restore with PBEM_HOME set to another folder"),
            )


def _free_path(home: Path, word: str) -> Path:
    """An unused path beside the home."""
    names = (home.with_name(f"{home.name}.{word}-{number}") for number in range(1, 1000))
    return next(name for name in names if not name.exists())


def _remove(folder: Path) -> None:

    rmtree(folder, ignore_errors=True)


def is_backup(file: Path) -> bool:
    """Whether a file begins like a backup; False if it does not exist. Raises `StorageError`."""
    try:
        with open_regular(file) as opened:
            return opened.read(len(AGE_HEADER)) == AGE_HEADER
    except FileNotFoundError:
        return False
    except OSError as error:
        problem = tr("cannot read {path}: {reason}", path=file, reason=system_reason(error))
        raise StorageError(problem) from None
