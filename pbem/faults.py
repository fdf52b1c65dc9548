"""What is wrong with plain data, in a player's words: where, what was found there, what was expected.

The data are compared with the msgspec type that they should have. msgspec's own sentence is not read: a key
of the data stands in it as it is, and may look like a part of it. A type says what it expects by its
`msgspec.Meta(description=…)`; the plain ones are described here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from pbem.errors import FileError

T = TypeVar("T")

MOST = 40
"""How many characters of a value are shown, and of an unknown key compared with ours."""

_PLAIN = {dict: "a mapping", list: "a list", str: "a text", bool: "true or false", int: "a whole number"}


def read(data: Any, kind: type[T], where: str) -> T:
    """Make plain data, which stand at `where`, into a value of this type.

    Raises `FileError` for the first fault. What a struct raises in `__post_init__` comes through as it is.
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError:
        pass  # and on below, since here the refusal would hold on to all that was read
    raise next(faults(data, kind, where), _misfit(data, kind, where))


def faults(value: Any, kind: Any, where: str) -> Iterator[FileError]:
    """Every fault of plain data, in the order of the data; then of each mapping what is missing there."""
    kind = _without_none(kind, value)
    origin, inner = get_origin(kind), get_args(kind)
    if _is_struct(kind) and isinstance(value, dict):
        yield from _fields(value, kind, where)
    elif origin is dict and isinstance(value, dict):
        for key, item in value.items():
            if not _fits(key, inner[0]):
                yield FileError(f"found the key {shown(key)}, expected {expected(inner[0])}", where=where)
            yield from faults(item, inner[1], inside(where, key))
    elif origin in (list, tuple) and isinstance(value, list) and _has_its_length(value, kind):
        for number, item in enumerate(value):
            one = inner[number] if origin is tuple and inner[-1] is not ... else inner[0]
            yield from faults(item, one, f"{where}[{number}]")
    elif not _fits(value, kind):
        yield _misfit(value, kind, where)


def unknown_key(key: str, known: Sequence[str], where: str = "") -> FileError:
    """The fault of a key that has no business in the mapping at `where`."""
    import difflib  # it costs some milliseconds, and only a refused file needs it

    close = difflib.get_close_matches(key[:MOST], known, n=1)
    hint = f"did you mean '{close[0]}'?" if close else f"known here are {', '.join(known)}"
    return FileError(f"found the unknown key {shown(key)}", where=where, hint=hint)


def expected(kind: Any) -> str:
    """What a value of this type looks like, in words."""
    kind = _without_none(kind, ...)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        meta: msgspec.Meta = kind.__metadata__[0]
        return meta.description or f"{expected(inner[0])}{_bounds(meta)}"
    if origin is Literal:
        return " or ".join(map(str, inner)) if len(inner) < 3 else f"one of {', '.join(map(str, inner))}"
    if origin is tuple and inner[-1] is not ...:
        return f"a list of {len(inner)}, each {expected(inner[0])}"
    if _is_struct(kind):
        return f"a mapping of {', '.join(_members(kind))}"
    return _PLAIN[list if origin is tuple else origin or kind]


def shown(value: Any) -> str:
    """A value in a message: short and on one line; of a mapping or a list only that it is one."""
    if isinstance(value, dict):
        return "a mapping" if value else "an empty mapping"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, str):
        return repr(value) if len(value) <= MOST else f"{value[:30]!r}… ({len(value)} characters)"
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)


def quoted(value: Any) -> str:
    """A value in full, as JSON in ASCII, cut where it is long; a text stands in quotation marks also then."""
    text = json.dumps(value)
    return text if len(text) <= MOST else f"{text[: MOST - 4]}...{text[-1]}"


def inside(where: str, key: str) -> str:
    """The path of a key of the mapping at `where`; one that is no plain word stands in quotation marks."""
    if not (key.isascii() and key.replace("-", "").replace("_", "").isalnum()):
        return f"{where}[{quoted(key)}]"
    return f"{where}.{key}" if where else key


def _fields(value: dict[str, Any], kind: Any, where: str) -> Iterator[FileError]:
    """Compare a mapping with a struct: each key and what it holds, then the keys that are missing."""
    members = _members(kind)
    for key, item in value.items():
        if key in members:
            yield from faults(item, members[key][0], inside(where, key))
        else:
            yield unknown_key(key, tuple(members), where)
    for key, (_, required) in members.items():
        if required and key not in value:
            yield FileError(f"found no key '{key}', expected one", where=where)


@cache
def _members(kind: Any) -> dict[str, tuple[Any, bool]]:
    """The keys of a struct, each with its type and whether it must be there; msgspec works them out anew."""
    tag = kind.__struct_config__
    told = {tag.tag_field: (Literal[tag.tag], True)} if tag.tag_field else {}
    return told | {field.encode_name: (field.type, field.required) for field in msgspec.structs.fields(kind)}


def _misfit(value: Any, kind: Any, where: str) -> FileError:
    """The fault of one value. Of a list in place of another list it is shown what is in it."""
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    alike = value and isinstance(value, list) and get_origin(bare) in (list, tuple)
    found = quoted(value) if alike else shown(value)
    return FileError(f"found {found}, expected {expected(kind)}", where=where)


def _fits(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _without_none(kind: Any, value: Any) -> Any:
    """The type of a value that may be absent, without the None that says so; None if that is the value."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    return NoneType if value is None else next(one for one in get_args(kind) if one is not NoneType)


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _has_its_length(value: list[Any], kind: Any) -> bool:
    """Whether a list has as many items as its type says, where it says so."""
    inner = get_args(kind)
    return get_origin(kind) is list or inner[-1] is ... or len(value) == len(inner)


def _bounds(meta: msgspec.Meta) -> str:
    """The least and the most that a number may be."""
    least = "" if meta.ge is None else f" from {meta.ge}"
    return least if meta.le is None else f"{least or ' '} to {meta.le}"
