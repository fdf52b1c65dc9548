"""Signatures (FORMAT section 2)."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pbem.format import base64
from pbem.format.keys import PublicKey


def verify_signature(public: PublicKey, message: bytes, sig: str) -> bool:
    """Whether `sig`, as it stands in the file, is the key's signature of the message.

    RFC 8032, 5.1.7, without cofactor; S < L is checked below, in OpenSSL.
    """
    try:
        Ed25519PublicKey.from_public_bytes(public.raw).verify(base64.decode_base64(sig), message)
    except (InvalidSignature, ValueError):
        return False
    return True
