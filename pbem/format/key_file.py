"""The private key on disk: an OpenSSH Ed25519 file that `ssh-keygen` can also read and write."""

from __future__ import annotations

import io
import os
import shlex
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path

from pbem.base.files import open_regular
from pbem.base.interrupts import raise_on_interrupt
from pbem.base.system import link_file
from pbem.errors import FileError, KeyFileError, system_reason
from pbem.format import primitives
from pbem.format.keys import PrivateKey, PublicKey
from pbem.messages import Messages

tr = Messages("pbem")

_MAGIC = b"openssh-key-v1\0"
_FRAME = (b"BEGIN OPENSSH PRIVATE KEY", b"END OPENSSH PRIVATE KEY")
_MAX_BYTES = 64 * 1024
"""The most bytes read. A key file has about 400; this is for wrong files."""


def create_key_file(path: Path, passphrase: str = "") -> PrivateKey:
    """Make a key and write it to a new file (mode 0600), encrypted if there is a passphrase.

    Missing folders are created. Raises `KeyFileError` if the file exists, and leaves it unchanged, or if it
    cannot be written.
    """
    key = PrivateKey(os.urandom(32))
    text = _openssh_text(key, passphrase)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_new(path, text)
    except OSError as error:
        raise _write_failure(path, error) from None
    return key


def read_key(path: Path, ask_passphrase: Callable[[], str] | None = None) -> PrivateKey:
    """Read the key in `path`; `ask_passphrase` is called only if it is encrypted.

    Raises `KeyFileError` if the file is missing, readable by others, damaged, not an Ed25519 key, or
    protected by a passphrase other than the one given.
    """
    text = _read_private(path)
    key = _parse_unencrypted(text) or _load(path, text, passphrase=None)
    if key is None and ask_passphrase is not None:
        key = _load(path, text, ask_passphrase())
    if key is None:
        raise KeyFileError(tr("the key in {path} is encrypted", path=path), hint=tr("give its passphrase"))
    return key


def read_public_key(path: Path) -> PublicKey:
    """The public key in a private key's file; it needs no passphrase, since this part is never encrypted.

    Raises `KeyFileError` if the file is missing, damaged, or contains another kind of key.
    """
    text = _read_private(path)
    try:
        _, public, _ = _parse_parts(text)
        return public
    except (IndexError, ValueError, FileError):
        raise KeyFileError(tr("there is no OpenSSH Ed25519 key in {path}", path=path)) from None


def read_unencrypted_key(path: Path) -> PrivateKey | None:
    """The key in `path`, or None if it is encrypted or damaged. Raises `KeyFileError`, as `read_key` does."""
    return _parse_unencrypted(_read_private(path))


def _parse_unencrypted(text: bytes) -> PrivateKey | None:
    """The key in the text of a valid, unencrypted file, or None: then `_load` finds out why.

    Every command reads the player's key, and the imports of `_load` take 10 ms.
    """
    try:
        _, begins, _, ends, _ = text.split(b"-----")
        cipher, public, secret = _parse_parts(text)
    except (ValueError, FileError):
        return None
    checks, kind, raw, pair, _ = (
        secret.read(8),
        *(_read_field(secret) for _ in range(4)),
    )  # the last one is a comment
    padding = secret.read()
    framed = cipher == b"none" and (begins, ends) == _FRAME
    padded = checks[:4] == checks[4:] and padding == bytes(range(1, len(padding) + 1))
    fits = kind == b"ssh-ed25519" and raw == public.raw and pair[32:] == raw
    if not (framed and padded and fits):
        return None
    key = PrivateKey(pair[:32])
    return key if key.public == public else None


def _parse_parts(text: bytes) -> tuple[bytes, PublicKey, io.BytesIO]:
    """The parts of a key file: the cipher's name, the public key, and the private part, still encrypted.

    Raises IndexError, ValueError or `FileError` for a text without an Ed25519 key.
    """
    fields = io.BytesIO(b64decode(text.split(b"-----")[2]).removeprefix(_MAGIC))
    cipher, _, _ = (_read_field(fields) for _ in range(3))  # the others: the key derivation and its options
    fields.read(4)  # the number of keys, which is 1
    public = PublicKey.parse(f"ssh-ed25519 {b64encode(_read_field(fields)).decode()}")
    return cipher, public, io.BytesIO(_read_field(fields))


def _read_field(data: io.BytesIO) -> bytes:
    """The next field of an OpenSSH key, after its length in four bytes; cut to what is left.

    In a key encrypted by a passphrase the length can be any four bytes, and a 32-bit Python, as in a browser,
    refuses to read 2**31 bytes or more.
    """
    return data.read(min(int.from_bytes(data.read(4), "big"), data.getbuffer().nbytes))


@raise_on_interrupt()
def change_passphrase(path: Path, key: PrivateKey, passphrase: str) -> None:
    """Write the key to `path` with another passphrase, atomically.

    Raises `KeyFileError` if it cannot be written, and leaves the old file unchanged.
    """
    target = Path(os.path.realpath(path))
    try:
        draft = _write_temporary(target, _openssh_text(key, passphrase))
        try:
            draft.replace(target)
        except OSError:
            draft.unlink()
            raise
    except OSError as error:
        raise _write_failure(path, error) from None


def _write_failure(path: Path, error: OSError) -> KeyFileError:
    return KeyFileError(
        tr("the key cannot be written to {path}: {reason}", path=path, reason=system_reason(error))
    )


def _openssh_text(key: PrivateKey, passphrase: str) -> bytes:
    """The text of a key file."""
    if passphrase:
        return primitives.protect_key(key.seed, passphrase)
    kind, public, check = _field(b"ssh-ed25519"), key.public.raw, os.urandom(4)
    secret = check + check + kind + _field(public) + _field(key.seed + public) + _field(b"")
    secret += bytes(range(1, 1 + -len(secret) % 8))
    head = _MAGIC + _field(b"none") + _field(b"none") + _field(b"") + (1).to_bytes(4, "big")
    body = b64encode(head + _field(kind + _field(public)) + _field(secret))
    begins, ends = (b"-----" + words + b"-----" for words in _FRAME)
    return b"\n".join([begins, *(body[at : at + 70] for at in range(0, len(body), 70)), ends, b""])


def _field(data: bytes) -> bytes:
    """A field of an OpenSSH key, with its length in four bytes before it."""
    return len(data).to_bytes(4, "big") + data


def _load(path: Path, text: bytes, passphrase: str | None) -> PrivateKey | None:
    """The key in the text of a key file; None if it is encrypted and no passphrase is given."""
    try:
        seed = primitives.unlock_key(text, passphrase)
    except TypeError:
        return None
    except ValueError:
        if passphrase is not None:
            raise KeyFileError(tr("the passphrase does not open the key in {path}", path=path)) from None
        raise KeyFileError(tr("there is no OpenSSH private key in {path}", path=path)) from None
    if seed is None:
        raise KeyFileError(
            tr("the key in {path} is not an Ed25519 key", path=path),
            hint=tr("make one with: pbem key"),
        )
    key = PrivateKey(seed)
    _, public, _ = _parse_parts(text)
    if key.public != public:
        raise KeyFileError(
            tr("the key in {path} is damaged: its private part does not match its public part", path=path)
        )
    return key


def _read_private(path: Path) -> bytes:
    """The bytes of a key file. Raises `KeyFileError`, also if anybody but its owner can read it."""
    try:
        with open_regular(path) as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
                raise KeyFileError(
                    tr("other people can read the key in {path}", path=path), hint=_chmod_command(path)
                )
            return file.read(_MAX_BYTES)
    except FileNotFoundError:
        problem = tr("there is no key in {path}", path=path)
        raise KeyFileError(problem, hint=tr("make one with: pbem key")) from None
    except OSError as error:
        problem = tr("the key in {path} cannot be read: {reason}", path=path, reason=system_reason(error))
        raise KeyFileError(problem) from None


def _chmod_command(path: Path) -> str:
    """The shell command that makes a file readable by its owner only."""
    return f"chmod 600 {shlex.quote(str(path))}"


@raise_on_interrupt()
def _write_new(path: Path, text: bytes) -> None:
    """Write a new file readable by its owner only, atomically, and never over another file."""
    draft = _write_temporary(path, text)
    try:
        _rename_to_new(draft, path)
    except FileExistsError:
        problem = tr("there is already a key in {path}, and pbem never overwrites it", path=path)
        raise KeyFileError(problem) from None
    finally:
        draft.unlink(missing_ok=True)


def _write_temporary(path: Path, text: bytes) -> Path:
    """Write a temporary file beside `path`, readable by its owner only, and sync it to disk."""
    import tempfile  # 4 ms

    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:  # including an interrupt
        os.unlink(draft)
        raise
    return Path(draft)


def _rename_to_new(draft: Path, path: Path) -> None:
    """Rename a file to `path`. Raises FileExistsError if `path` exists; a plain rename would replace it."""
    try:
        link_file(draft, path)
    except FileExistsError:
        raise
    except OSError:  # USB sticks, shares and phones have no hard links: create the name, then replace it
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        os.replace(draft, path)
