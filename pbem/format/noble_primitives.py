"""Ed25519, ChaCha20-Poly1305 and key file passphrases with npm packages; for `primitives` only.

The worker that starts this Python in a browser provides them as `pbemPrimitives` (browser/primitives.js).
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
    """Whether R equals S·B - k·A as bytes; `primitives.verify` has made its own checks before."""
    return bool(pbemPrimitives.verify(to_js(key), to_js(message), to_js(signature)))


def encrypt(key: bytes, nonce: bytes, content: bytes, also: bytes) -> bytes:
    """As `primitives.encrypt`."""
    return _bytes(pbemPrimitives.encrypt(to_js(key), to_js(nonce), to_js(content), to_js(also)))


def decrypt(key: bytes, nonce: bytes, data: bytes, also: bytes) -> bytes | None:
    """As `primitives.decrypt`, but returns None where that raises."""
    content = pbemPrimitives.decrypt(to_js(key), to_js(nonce), to_js(data), to_js(also))
    return None if content is None else _bytes(content)


_MAGIC = b"openssh-key-v1\0"
_CIPHER, _DERIVATION, _KIND = b"aes256-ctr", b"bcrypt", b"ssh-ed25519"
_ROUNDS, _MOST_ROUNDS = 24, 10_000
"""The bcrypt rounds used by `ssh-keygen`, and the most carried out, which take a minute."""


def protect_key(seed: bytes, passphrase: str) -> bytes:
    """As `primitives.protect_key`: AES-256-CTR with a key from bcrypt, as `ssh-keygen` writes it."""
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
    """As `primitives.unlock_key`, but refuses unencrypted keys: `key_file` reads valid ones itself.

    Raises `KeyFileError` for a key with a cipher other than the default of `ssh-keygen`.
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
    """Encrypt or decrypt data, which is the same operation, with a key derived from a passphrase."""
    return _bytes(pbemPrimitives.keyCipher(to_js(passphrase.encode()), to_js(salt), rounds, to_js(data)))


def _fields(*parts: bytes) -> bytes:
    """Fields of an OpenSSH key, each with its length in four bytes before it."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _read_field(data: BytesIO) -> bytes:
    return data.read(int.from_bytes(data.read(4), "big"))


def _bytes(found: Any) -> bytes:
    """The bytes of a JavaScript Uint8Array."""
    return bytes(found.to_bytes())
