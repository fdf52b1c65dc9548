"""Ed25519 keys in memory and as text, and signatures (FORMAT 2). A player is a key.

Base64 in the file is standard, padded, and equal to its own re-encoding.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from hashlib import sha256

from msgspec import Struct

from pbem.errors import FileError
from pbem.format import primitives
from pbem.messages import Messages

tr = Messages("pbem")


def encode_base64(data: bytes) -> str:
    """The only valid text for these bytes."""
    return b64encode(data).decode("ascii")


def decode_base64(text: str) -> bytes:
    """The bytes of a base64 text. Raises `ValueError` if it is not the only valid text for them."""
    data = b64decode(text)
    if encode_base64(data) != text:
        raise ValueError("the base64 is not its own re-encoding")
    return data


_KIND = "ssh-ed25519"
_WIRE_PREFIX = b"\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"
"""The beginning of a key's OpenSSH form, before its 32 bytes."""


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
                    "a key must begin with '{kind} …', not {beginning}",
                    beginning=beginning,
                    kind=_KIND,
                )
            )
        try:
            wire = decode_base64(body)
        except ValueError:
            raise FileError(tr("the key is not exact base64: comments and spaces are not allowed")) from None
        raw = wire[len(_WIRE_PREFIX) :]
        if not wire.startswith(_WIRE_PREFIX) or len(raw) != 32:
            raise FileError(tr("the key is not the OpenSSH form of 32 bytes"))
        if primitives.is_refused_key(raw):
            raise FileError(tr("the key is of small order, or its y is out of range: it proves nothing"))
        return cls(raw)

    def __str__(self) -> str:
        """The form used in the file, `ssh-ed25519 AAAA…`."""
        return f"{_KIND} {encode_base64(_WIRE_PREFIX + self.raw)}"

    @property
    def fingerprint(self) -> str:
        """The fingerprint that players compare: `SHA256:…`, as `ssh-keygen -l` prints it."""
        return "SHA256:" + encode_base64(sha256(_WIRE_PREFIX + self.raw).digest()).rstrip("=")


class PrivateKey(Struct, frozen=True):
    """A player's private key: the 32-byte seed of RFC 8032, which `repr` never shows."""

    seed: bytes

    def __repr__(self) -> str:
        return "PrivateKey()"

    @property
    def public(self) -> PublicKey:
        """The public key."""
        return PublicKey(primitives.public_key(self.seed))

    def sign(self, message: bytes) -> str:
        """The signature of a message, in base64 as in the file."""
        return encode_base64(primitives.sign(self.seed, message))


def verify_signature(public: PublicKey, message: bytes, sig: str) -> bool:
    """Whether `sig`, in base64 as in the file, is the key's signature of the message."""
    try:
        return primitives.verify(public.raw, message, decode_base64(sig))
    except ValueError:
        return False
