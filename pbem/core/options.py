"""The options of a game: plain data against the struct that declares them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from pbem.core.requests import Plain
from pbem.errors import FileError

T = TypeVar("T", bound=msgspec.Struct)

_MOST_SHOWN = 60


def read(data: Plain, kind: type[T], expected: Callable[[str], str]) -> T:
    """Turn plain options into typed ones; `expected` says in words what an option may be.

    Raises `FileError` with the path of what is wrong. That is found by looking at the data, since a key of
    theirs stands in msgspec's sentence as it is, and may look like a part of it.
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        if not isinstance(data, dict):
            raise FileError(str(error).lower(), where="options") from None
    fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
    for key in data:
        if key not in fields:
            raise FileError(f"object contains unknown field `{shown(key)[1:-1]}`", where="options")
    for name in fields:
        if name not in data:
            raise FileError(f"object missing required field `{name}`", where="options")
    name = next(name for name, type_ in fields.items() if not _fits(data[name], type_))
    raise FileError(f"found {shown(data[name])}, expected {expected(name)}", where=f"options.{name}")


def _fits(value: Plain, kind: object) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def shown(value: Plain) -> str:
    """A value in a message: on one line, in ASCII, and short."""
    text = ascii(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 4]}...{text[-1]}"
