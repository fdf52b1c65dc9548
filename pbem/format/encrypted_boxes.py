"""Sealed orders (FORMAT section 8): a commitment that all can check, and a box that its maker can open.

Orders are passed in their canonical form C(orders). The cipher is imported where it is used: every command
imports this module and few need a box, and the import would take a tenth of their time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256

from cryptography.exceptions import InvalidTag

from pbem.errors import FileError
from pbem.format import keys
from pbem.format.keys import PrivateKey
from pbem.messages import Messages

tr = Messages("pbem")

_NONCE = 12
"""Bytes of the cipher's nonce, which precede the ciphertext."""


def seal_digest(game: str, seat: str, salt: bytes, orders: bytes) -> str:
    """The seal, in hex, of canonical orders under a salt of 32 random bytes."""
    return sha256(f"pbem/1 seal\n{game}\n{seat}\n".encode("ascii") + salt + orders).hexdigest()


def box_key(private: PrivateKey, nonce: bytes, game: str, seat: str) -> bytes:
    """The key of a seat's boxes in one game; `nonce` is the seat's 32 bytes from the log."""
    from cryptography.hazmat.primitives.hashes import SHA256  # under 1 ms
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    info = f"pbem/1 box\n{game}\n{seat}".encode("ascii")
    return HKDF(algorithm=SHA256(), length=32, salt=nonce, info=info).derive(private.seed)


def close_box(key: bytes, seal: str, content: bytes, entropy: Callable[[int], bytes] = os.urandom) -> str:
    """The box beside a seal; `content` is C({salt, orders}). `entropy` gives fresh random bytes."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # 2 ms

    nonce = entropy(_NONCE)
    return keys.encode_base64(nonce + ChaCha20Poly1305(key).encrypt(nonce, content, bytes.fromhex(seal)))


def open_box(key: bytes, seal: str, box: str) -> bytes:
    """The content of one's own box. Raises `FileError` if it was made under another key or seal."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # 2 ms

    try:
        data = keys.decode_base64(box)
        return ChaCha20Poly1305(key).decrypt(data[:_NONCE], data[_NONCE:], bytes.fromhex(seal))
    except (ValueError, InvalidTag):
        raise FileError(tr("the sealed message does not open with this key")) from None
