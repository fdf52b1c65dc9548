"""The faults of plain data, in a player's words: the place, what was found there, what was expected.

The data are compared with the msgspec type that they should have. msgspec's own sentence is not read: a key
of the data stands in it as it is, and may look like a part of it. A type says what it expects by its
`msgspec.Meta(description=…)`, in English; the plain ones are described here. What a game describes is said by
its own `Messages`, which stands beside it: `extra={"tr": tr}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from pbem.errors import FileError
from pbem.messages import Messages, Said

tr = Messages("pbem")

T = TypeVar("T")

MOST = 40
"""The characters of a value that are shown, and of an unknown key that are compared with ours."""


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
                problem = tr("the key {key} must be {what}", key=shown(key), what=expected(inner[0]))
                yield FileError(problem, where=where)
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
    hint = tr("did you mean '{name}'?", name=close[0]) if close else ""
    hint = hint or tr("it may be one of {names}", names=", ".join(known))
    return FileError(tr("there is no key {key}", key=shown(key)), where=where, hint=hint)


def expected(kind: Any) -> Said:
    """A value of this type, described in words."""
    kind = _without_none(kind, ...)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        meta: msgspec.Meta = kind.__metadata__[0]
        said: Messages = (meta.extra or {}).get("tr", tr)
        return said(meta.description) if meta.description else _bounded(expected(inner[0]), meta)
    if origin is Literal:
        return _one_of([str(value) for value in inner])
    if origin is tuple and inner[-1] is not ...:
        return tr("a list of {number}, each {what}", number=len(inner), what=expected(inner[0]))
    if _is_struct(kind):
        return tr("a mapping of {names}", names=", ".join(_members(kind)))
    return _plain(list if origin is tuple else origin or kind)


def shown(value: Any) -> Said:
    """A value in a message: short and on one line; of a mapping or a list only that it is one."""
    if isinstance(value, dict):
        return tr("a mapping") if value else tr("an empty mapping")
    if isinstance(value, list):
        return tr("a list") if value else tr("an empty list")
    if isinstance(value, str):
        if len(value) <= MOST:
            return repr(value)
        return tr("{beginning}… ({number} characters)", beginning=repr(value[:30]), number=len(value))
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)


def quoted(value: Any) -> str:
    """A value in full, as JSON in ASCII, cut where it is long; a text keeps its quotation marks even then."""
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
            yield FileError(tr("the key '{key}' is missing", key=key), where=where)


@cache
def _members(kind: Any) -> dict[str, tuple[Any, bool]]:
    """The keys of a struct, each with its type and whether it must be there; msgspec works them out anew."""
    tag = kind.__struct_config__
    told = {tag.tag_field: (Literal[tag.tag], True)} if tag.tag_field else {}
    return told | {field.encode_name: (field.type, field.required) for field in msgspec.structs.fields(kind)}


def _misfit(value: Any, kind: Any, where: str) -> FileError:
    """The fault of one value. For a list in place of another list, its content is shown."""
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    alike = value and isinstance(value, list) and get_origin(bare) in (list, tuple)
    found = quoted(value) if alike else shown(value)
    return FileError(tr("must be {what}, not {found}", found=found, what=expected(kind)), where=where)


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


def _plain(kind: Any) -> Said:
    """A value of a plain type."""
    if kind is dict:
        return tr("a mapping")
    if kind is list:
        return tr("a list")
    if kind is str:
        return tr("a text")
    return tr("true or false") if kind is bool else tr("a whole number")


def _one_of(names: Sequence[str]) -> Said:
    """One of some names."""
    if len(names) == 2:
        return tr("{names} or {last}", names=names[0], last=names[1])
    return tr("one of {names}", names=", ".join(names)) if len(names) > 2 else names[0]


def _bounded(what: Said, meta: msgspec.Meta) -> Said:
    """A number with the least and the most that it may be."""
    if meta.ge is None:
        return what if meta.le is None else tr("{what} up to {most}", what=what, most=meta.le)
    if meta.le is None:
        return tr("{what} from {least}", what=what, least=meta.ge)
    return tr("{what} from {least} to {most}", what=what, least=meta.ge, most=meta.le)
