"""Base64 as the file uses it: standard, padded, and equal to its own re-encoding."""

from __future__ import annotations

from base64 import b64decode, b64encode


def encode_base64(data: bytes) -> str:
    """The only valid text for these bytes."""
    return b64encode(data).decode("ascii")


def decode_base64(text: str) -> bytes:
    """The bytes of a text. Raises `ValueError` if it is not the only valid text for them."""
    data = b64decode(text)
    if encode_base64(data) != text:
        raise ValueError("the base64 is not its own re-encoding")
    return data
