"""Sealed orders (FORMAT 8): a commitment anyone can check, and a box only its author can open.

Orders are passed in their canonical form, C(orders).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256

from pbem.errors import FileError
from pbem.format import keys, primitives
from pbem.format.keys import PrivateKey
from pbem.messages import Messages

tr = Messages("pbem")

_NONCE = 12
"""The size in bytes of the cipher's nonce, which precedes the ciphertext."""


def seal_digest(game: str, seat: str, salt: bytes, orders: bytes) -> str:
    """The seal, in hex, of canonical orders with a salt of 32 random bytes."""
    return sha256(f"pbem/1 seal\n{game}\n{seat}\n".encode("ascii") + salt + orders).hexdigest()


def box_key(private: PrivateKey, nonce: bytes, game: str, seat: str) -> bytes:
    """The key of a seat's boxes in one game; `nonce` is the seat's 32-byte nonce in the log."""
    return primitives.hkdf(private.seed, nonce, f"pbem/1 box\n{game}\n{seat}".encode("ascii"))


def close_box(key: bytes, seal: str, content: bytes, entropy: Callable[[int], bytes] = os.urandom) -> str:
    """The box for a seal, in base64; `content` is C({salt, orders}). `entropy` returns fresh random bytes."""
    nonce = entropy(_NONCE)
    return keys.encode_base64(nonce + primitives.encrypt(key, nonce, content, bytes.fromhex(seal)))


def open_box(key: bytes, seal: str, box: str) -> bytes:
    """The content of a player's own box. Raises `FileError` if it was made with another key or seal."""
    try:
        data = keys.decode_base64(box)
        return primitives.decrypt(key, data[:_NONCE], data[_NONCE:], bytes.fromhex(seal))
    except ValueError:
        raise FileError(tr("this key does not open the sealed message")) from None
