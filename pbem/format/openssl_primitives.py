"""Ed25519, ChaCha20-Poly1305 and key file passphrases with `cryptography`; for `primitives` only."""

from __future__ import annotations

from functools import lru_cache

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


def public_key(seed: bytes) -> bytes:
    """As `primitives.public_key`."""
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def sign(seed: bytes, message: bytes) -> bytes:
    """As `primitives.sign`."""
    return Ed25519PrivateKey.from_private_bytes(seed).sign(message)


@lru_cache(16)
def _loaded_key(key: bytes) -> Ed25519PublicKey:
    """The key as an OpenSSL object, parsed once for all signatures of a game. Raises `ValueError`."""
    return Ed25519PublicKey.from_public_bytes(key)


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether R equals S·B - k·A as bytes; `primitives.verify` has made its own checks before."""
    try:
        _loaded_key(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def encrypt(key: bytes, nonce: bytes, content: bytes, also: bytes) -> bytes:
    """As `primitives.encrypt`."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # 2 ms: few commands need a box

    return ChaCha20Poly1305(key).encrypt(nonce, content, also)


def decrypt(key: bytes, nonce: bytes, data: bytes, also: bytes) -> bytes | None:
    """As `primitives.decrypt`, but returns None where that raises."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # 2 ms: few commands need a box

    try:
        return ChaCha20Poly1305(key).decrypt(nonce, data, also)
    except InvalidTag:
        return None


def protect_key(seed: bytes, passphrase: str) -> bytes:
    """As `primitives.protect_key`."""
    from cryptography.hazmat.primitives import serialization  # under 1 ms

    encryption = serialization.BestAvailableEncryption(passphrase.encode())
    form = serialization.PrivateFormat.OpenSSH
    key = Ed25519PrivateKey.from_private_bytes(seed)
    return key.private_bytes(serialization.Encoding.PEM, form, encryption)


def unlock_key(text: bytes, passphrase: str | None) -> bytes | None:
    """As `primitives.unlock_key`."""
    from cryptography.exceptions import UnsupportedAlgorithm  # 9 ms
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    try:
        key = load_ssh_private_key(text, None if passphrase is None else passphrase.encode())
    except UnsupportedAlgorithm as error:
        raise ValueError(str(error)) from None
    return key.private_bytes_raw() if isinstance(key, Ed25519PrivateKey) else None
