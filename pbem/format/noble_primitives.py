"""Ed25519, ChaCha20-Poly1305 and passphrases of key files by packages of npm: for `primitives` alone.

The worker that starts this Python in a browser offers them as `pbemPrimitives` (browser/primitives.js).
"""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from io import BytesIO
from typing import Any

from js import pbemPrimitives  # type: ignore[import-not-found]
from pyodide.ffi import to_js  # type: ignore[import-not-found]

from pbem.errors import KeyFileError
from pbem.messages import Messages

tr = Messages("pbem")


def public_key(seed: bytes) -> bytes:
    """As `primitives.public_key`."""
    return _bytes(pbemPrimitives.publicKey(to_js(seed)))


def sign(seed: bytes, message: bytes) -> bytes:
    """As `primitives.sign`."""
    return _bytes(pbemPrimitives.sign(to_js(seed), to_js(message)))


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether R equals S·B - k·A as bytes; as `primitives.verify` for what that has let through."""
    return bool(pbemPrimitives.verify(to_js(key), to_js(message), to_js(signature)))


def encrypt(key: bytes, nonce: bytes, content: bytes, also: bytes) -> bytes:
    """As `primitives.encrypt`."""
    return _bytes(pbemPrimitives.encrypt(to_js(key), to_js(nonce), to_js(content), to_js(also)))


def decrypt(key: bytes, nonce: bytes, data: bytes, also: bytes) -> bytes | None:
    """As `primitives.decrypt`; None where that raises."""
    content = pbemPrimitives.decrypt(to_js(key), to_js(nonce), to_js(data), to_js(also))
    return None if content is None else _bytes(content)


_MAGIC = b"openssh-key-v1\0"
_CIPHER, _DERIVATION, _KIND = b"aes256-ctr", b"bcrypt", b"ssh-ed25519"
_ROUNDS, _MOST_ROUNDS = 24, 10_000
"""The rounds of bcrypt that `ssh-keygen` takes, and the most that are carried out: a minute."""


def protect_key(seed: bytes, passphrase: str) -> bytes:
    """As `primitives.protect_key`: what `ssh-keygen` writes, AES-256-CTR under bcrypt."""
    public, check, salt = public_key(seed), os.urandom(4), os.urandom(16)
    secret = check + check + _fields(_KIND, public, seed + public, b"")
    secret += bytes(range(1, 1 + -len(secret) % 16))
    options = _fields(salt) + _ROUNDS.to_bytes(4, "big")
    head = _MAGIC + _fields(_CIPHER, _DERIVATION, options) + (1).to_bytes(4, "big")
    encrypted = _key_cipher(passphrase, salt, _ROUNDS, secret)
    body = b64encode(head + _fields(_fields(_KIND, public), encrypted))
    lines = [body[at : at + 70] for at in range(0, len(body), 70)]
    begins, ends = (b"-----%s OPENSSH PRIVATE KEY-----" % word for word in (b"BEGIN", b"END"))
    return b"\n".join([begins, *lines, ends, b""])


def unlock_key(text: bytes, passphrase: str | None) -> bytes | None:
    """As `primitives.unlock_key`; but what has no passphrase is refused: `key_file` reads sound ones itself.

    Raises `KeyFileError` for a key under another cipher than `ssh-keygen` takes by itself.
    """
    parts = BytesIO(b64decode(b"".join(text.split(b"-----")[2:3])))
    if parts.read(len(_MAGIC)) != _MAGIC:
        raise ValueError("not an OpenSSH key file")
    cipher, derivation, options = _read_field(parts), _read_field(parts), BytesIO(_read_field(parts))
    salt, rounds = _read_field(options), int.from_bytes(options.read(4), "big")
    if derivation != _DERIVATION or not 1 <= rounds <= _MOST_ROUNDS or not salt:
        raise ValueError("not a sound OpenSSH key file")
    if passphrase is None:
        raise TypeError("it is under a passphrase")
    if cipher != _CIPHER:
        raise KeyFileError(
            tr(
                "this browser cannot open a key protected by {cipher}",
                cipher=cipher.decode("ascii", "replace"),
            ),
            hint=tr("change its passphrase with: {command}", command="ssh-keygen -p -Z aes256-ctr"),
        )
    parts.read(4)  # the number of keys, which is 1
    _read_field(parts)  # the public key
    secret = BytesIO(_key_cipher(passphrase, salt, rounds, _read_field(parts)))
    if secret.read(4) != secret.read(4):
        raise ValueError("another passphrase")
    kind, _, pair = (_read_field(secret) for _ in range(3))
    return pair[:32] if kind == _KIND else None


def _key_cipher(passphrase: str, salt: bytes, rounds: int, data: bytes) -> bytes:
    """Data encrypted, or decrypted, under a key derived from a passphrase: the two are the same."""
    return _bytes(pbemPrimitives.keyCipher(to_js(passphrase.encode()), to_js(salt), rounds, to_js(data)))


def _fields(*parts: bytes) -> bytes:
    """Fields of an OpenSSH key, each after its length in four bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _read_field(data: BytesIO) -> bytes:
    return data.read(int.from_bytes(data.read(4), "big"))


def _bytes(found: Any) -> bytes:
    """What came back from JavaScript, a Uint8Array."""
    return bytes(found.to_bytes())
