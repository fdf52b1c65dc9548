"""Ed25519 and ChaCha20-Poly1305 by @noble's packages, in a browser: for `primitives` alone.

The worker that starts this Python offers them as `pbemPrimitives` (browser/primitives.js).
"""

from __future__ import annotations

from base64 import b64decode
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


def protect_key(seed: bytes, passphrase: str) -> bytes:
    """Raises `KeyFileError`: passphrases are for the installed program."""
    raise _no_passphrases()


def unlock_key(text: bytes, passphrase: str | None) -> bytes | None:
    """Raises `KeyFileError`; `ValueError` for what has no passphrase: `key_file` reads sound ones itself."""
    if b"bcrypt" in b64decode(b"".join(text.split(b"-----")[2:3])):
        raise _no_passphrases()
    raise ValueError("not a sound OpenSSH key file")


def _no_passphrases() -> KeyFileError:
    return KeyFileError(
        tr("a key protected by a passphrase cannot be used in a browser"),
        hint=tr("make another key here, or play this game with the installed program"),
    )


def _bytes(found: Any) -> bytes:
    """What came back from JavaScript, a Uint8Array."""
    return bytes(found.to_bytes())
