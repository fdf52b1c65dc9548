"""A second writer of age files with a passphrase, with any work factor (age-encryption.org/v1)."""

from __future__ import annotations

import hmac
import os
from base64 import b64encode
from hashlib import scrypt, sha256

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305


def age_file(content: bytes, passphrase: str, log_n: int) -> bytes:
    """A file of one chunk: at most 64 KiB of content."""
    file_key, salt, nonce = os.urandom(16), os.urandom(16), os.urandom(16)
    wrapping = scrypt(
        passphrase.encode(),
        salt=b"age-encryption.org/v1/scrypt" + salt,
        n=2**log_n,
        r=8,
        p=1,
        maxmem=2**30,
        dklen=32,
    )
    body = ChaCha20Poly1305(wrapping).encrypt(bytes(12), file_key, None)
    stanza = f"age-encryption.org/v1\n-> scrypt {_base64(salt)} {log_n}\n{_base64(body)}\n---".encode()
    mac = hmac.digest(_derived(file_key, b"", b"header"), stanza, "sha256")
    payload = ChaCha20Poly1305(_derived(file_key, nonce, b"payload"))
    return stanza + f" {_base64(mac)}\n".encode() + nonce + payload.encrypt(bytes(11) + b"\1", content, None)


def _derived(secret: bytes, salt: bytes, info: bytes) -> bytes:
    """HKDF with SHA-256, 32 bytes (RFC 5869)."""
    extracted = hmac.digest(salt or bytes(sha256().digest_size), secret, "sha256")
    return hmac.digest(extracted, info + b"\1", "sha256")


def _base64(data: bytes) -> str:
    return b64encode(data).decode().rstrip("=")
