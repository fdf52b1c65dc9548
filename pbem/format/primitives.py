"""The file's cryptographic primitives, on bytes (FORMAT 2, 5 and 8), the same on every system.

There are two backends: the package `cryptography`, which uses OpenSSL, and in a browser, which has none, the
noble packages of the page's worker. Refusals are decided here, so that both refuse the same input;
`tests/vectors/primitives.json` is run with both (decision 50).
"""

from __future__ import annotations

import hmac
import sys
from functools import lru_cache

if sys.platform == "emscripten":
    from pbem.format import noble_primitives as backend
else:
    from pbem.format import openssl_primitives as backend

_P = 2**255 - 19
_GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493
"""The order L of the base point (RFC 8032, 5.1)."""
_SIGN_BIT = 1 << 255
_Y8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER = frozenset({0, 1, _P - 1, _Y8, _P - _Y8})
"""The y coordinates of the points of small order.

With either sign bit, and with y + p if that fits in 255 bits, they make the 14 encodings that FORMAT 2
refuses.
"""

HASH_BYTES = 32


def is_refused_key(key: bytes) -> bool:
    """Whether a public key is of small order, or its y is not below p, which RFC 8032 forbids."""
    y = int.from_bytes(key, "little") & ~_SIGN_BIT
    return len(key) != 32 or y >= _P or y in _SMALL_ORDER


@lru_cache(4)
def public_key(seed: bytes) -> bytes:
    """The Ed25519 public key of a 32-byte private seed; cached, since a command needs the player's often."""
    return backend.public_key(seed)


def sign(seed: bytes, message: bytes) -> bytes:
    """The 64-byte Ed25519 signature of a message with a 32-byte private seed."""
    return backend.sign(seed, message)


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature is valid by RFC 8032, 5.1.7, without cofactor, R compared as bytes (FORMAT 2).

    A signature with S >= L, or under a key that `is_refused_key`, fails before any arithmetic.
    """
    if len(signature) != 64 or int.from_bytes(signature[32:], "little") >= _GROUP_ORDER:
        return False
    return not is_refused_key(key) and backend.verify(key, message, signature)


def encrypt(key: bytes, nonce: bytes, content: bytes, also: bytes) -> bytes:
    """ChaCha20-Poly1305 (RFC 8439): key 32 bytes, nonce 12; `also` is authenticated but not contained."""
    return backend.encrypt(key, nonce, content, also)


def decrypt(key: bytes, nonce: bytes, data: bytes, also: bytes) -> bytes:
    """The content that `encrypt` was given. Raises `ValueError` for any other key, nonce or bytes."""
    if len(nonce) != 12:
        raise ValueError("the nonce has not 12 bytes")
    content = backend.decrypt(key, nonce, data, also)
    if content is None:
        raise ValueError("the box was made under another key, or altered")
    return content


def protect_key(seed: bytes, passphrase: str) -> bytes:
    """The text of an OpenSSH key file encrypted with a passphrase."""
    return backend.protect_key(seed, passphrase)


def unlock_key(text: bytes, passphrase: str | None) -> bytes | None:
    """The seed in the text of any OpenSSH key file; None for another kind of key.

    Raises `TypeError` if it is encrypted and there is no passphrase, `ValueError` if it cannot be read or
    decrypted, and in a browser `KeyFileError` if its cipher is not the default of `ssh-keygen`.
    """
    return backend.unlock_key(text, passphrase)


def hkdf(secret: bytes, salt: bytes, info: bytes, length: int = HASH_BYTES) -> bytes:
    """HKDF-SHA256 (RFC 5869). An empty salt stands for zeros of the hash's length."""
    key = hmac.digest(salt or bytes(HASH_BYTES), secret, "sha256")
    block, found = b"", b""
    for n in range(1, 2 + (length - 1) // HASH_BYTES):
        block = hmac.digest(key, block + info + bytes([n]), "sha256")
        found += block
    return found[:length]
