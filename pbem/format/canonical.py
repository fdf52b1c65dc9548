"""The canonical form C(v) of FORMAT 2: the bytes that are hashed and signed."""

from __future__ import annotations

import hashlib

import msgspec

from pbem.base.validation import describe_value
from pbem.errors import FileError
from pbem.format.yaml_text import MAX_INTEGER, Plain, cite_section
from pbem.messages import Messages, Said

tr = Messages("pbem")


def canonical_form(value: Plain, *, is_plain: bool = False) -> bytes:
    """C(value) by RFC 8785 (JSON Canonicalization Scheme). Raises `FileError` for anything but plain data.

    `is_plain` skips that check, for a value just made by a reader or by our own rules. For plain data
    msgspec's JSON is canonical: without floats every number is its digits, ASCII keys sort the same by bytes
    as by UTF-16 units, and only characters that must be escaped are escaped.
    """
    if not is_plain:
        _check_plain(value)
    try:
        return msgspec.json.encode(value, order="sorted")
    except UnicodeEncodeError:
        raise _fault(tr("contains half a character (a surrogate)")) from None


def digest(value: Plain, label: bytes = b"", *, is_plain: bool = False) -> str:
    """H(label || C(value)) as 64 hex digits; `is_plain` as in `canonical_form`."""
    return hashlib.sha256(label + canonical_form(value, is_plain=is_plain)).hexdigest()


def _check_plain(value: object) -> None:
    """Refuse values that msgspec would encode differently from RFC 8785. Strings need no check."""
    if type(value) is dict:
        for key, item in value.items():
            if type(key) is not str or not key.isascii():
                raise _fault(tr("the key {key} must be ASCII text", key=describe_value(key)))
            if type(item) is not str:
                _check_plain(item)
    elif type(value) is list:
        for item in value:
            if type(item) is not str:
                _check_plain(item)
    elif type(value) is int:
        if abs(value) > MAX_INTEGER:
            numbers = {"found": str(value), "most": str(MAX_INTEGER)}
            problem = tr("{found} is too large: at most {most}, without its sign", **numbers)
            raise _fault(problem)
    elif value is not None and type(value) not in (str, bool):
        raise _fault(tr("a {kind} is not plain data", kind=type(value).__name__))


def _fault(problem: Said) -> FileError:
    return FileError(cite_section(problem, 1))
