"""Ed25519 keys in memory and as text, and signatures (FORMAT section 2). A player is a key.

Base64 as the file uses it is standard, padded, and equal to its own re-encoding.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from functools import lru_cache
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from pbem.errors import FileError
from pbem.messages import Messages

tr = Messages("pbem")


def encode_base64(data: bytes) -> str:
    """The only valid text for these bytes."""
    return b64encode(data).decode("ascii")


def decode_base64(text: str) -> bytes:
    """The bytes of a text. Raises `ValueError` if it is not the only valid text for them."""
    data = b64decode(text)
    if encode_base64(data) != text:
        raise ValueError("the base64 is not its own re-encoding")
    return data


_KIND = "ssh-ed25519"
_WIRE_PREFIX = b"\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"
"""The beginning of a key's OpenSSH form, before its 32 bytes."""

_P = 2**255 - 19
_SIGN_BIT = 1 << 255
_Y8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER = frozenset({0, 1, _P - 1, _Y8, _P - _Y8})
"""The y of the points of small order. With either sign bit, and with y + p where that fits in 255 bits,
they make the 14 encodings that FORMAT refuses."""


def _is_refused(raw: bytes) -> bool:
    """Whether a key is of small order, or its y is not below p, which RFC 8032 forbids."""
    y = int.from_bytes(raw, "little") & ~_SIGN_BIT
    return y >= _P or y in _SMALL_ORDER


class PublicKey(Struct, frozen=True):
    """A player: 32 bytes, compared by value. `str(key)` is the OpenSSH form, without a comment."""

    raw: bytes

    @classmethod
    def parse(cls, text: str) -> PublicKey:
        """Parse the OpenSSH form. Raises `FileError` for anything else, and for a key of small order."""
        kind, _, body = text.partition(" ")
        if kind != _KIND:
            beginning = repr(kind[:20])
            raise FileError(
                tr(
                    "a key must begin '{kind} …', not {beginning}",
                    beginning=beginning,
                    kind=_KIND,
                )
            )
        try:
            wire = decode_base64(body)
        except ValueError:
            raise FileError(tr("the key is not exact base64: it may have no comment and no blanks")) from None
        raw = wire[len(_WIRE_PREFIX) :]
        if not wire.startswith(_WIRE_PREFIX) or len(raw) != 32:
            raise FileError(tr("the key is not the OpenSSH form of 32 bytes"))
        if _is_refused(raw):
            raise FileError(tr("the key is of small order, or its y is out of range: it proves nothing"))
        return cls(raw)

    def __str__(self) -> str:
        """The form that stands in the file, `ssh-ed25519 AAAA…`."""
        return f"{_KIND} {encode_base64(_WIRE_PREFIX + self.raw)}"

    @property
    def fingerprint(self) -> str:
        """The text that players compare: `SHA256:…`, as `ssh-keygen -l` prints it."""
        return "SHA256:" + encode_base64(sha256(_WIRE_PREFIX + self.raw).digest()).rstrip("=")


class PrivateKey(Struct, frozen=True):
    """A player's own key: the 32-byte private seed of RFC 8032, which `repr` never shows."""

    seed: bytes

    def __repr__(self) -> str:
        return "PrivateKey()"

    @property
    def public(self) -> PublicKey:
        """The public key."""
        return _public_key_of(self.seed)

    def sign(self, message: bytes) -> str:
        """The signature of a message, as it stands in the file (base64)."""
        return encode_base64(Ed25519PrivateKey.from_private_bytes(self.seed).sign(message))


@lru_cache(4)
def _public_key_of(seed: bytes) -> PublicKey:
    """The public key of a seed; a command asks for the player's own some fifteen times."""
    return PublicKey(Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw())


@lru_cache(16)
def _loaded_key(raw: bytes) -> Ed25519PublicKey:
    """The key as OpenSSL has it, parsed once for all signatures of a game. Raises `ValueError`."""
    return Ed25519PublicKey.from_public_bytes(raw)


def verify_signature(public: PublicKey, message: bytes, sig: str) -> bool:
    """Whether `sig`, as it stands in the file, is the key's signature of the message.

    RFC 8032, 5.1.7, without cofactor; S < L is checked below, in OpenSSL.
    """
    try:
        _loaded_key(public.raw).verify(decode_base64(sig), message)
    except (InvalidSignature, ValueError):
        return False
    return True
