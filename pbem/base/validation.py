"""Convert plain data to typed values, and describe faults: the place, what was found, what was expected.

The data is compared with its msgspec type. msgspec's own message is not parsed: it quotes keys of the data
verbatim, and a key can imitate any message. A type describes what it expects in its
`msgspec.Meta(description=…)`, in English; plain types are described here. A game translates its descriptions
with its own `Messages`, given beside them: `extra={"tr": tr}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from pbem.errors import FileError
from pbem.messages import Messages, Said, quoted

tr = Messages("pbem")

T = TypeVar("T")

MAX_SHOWN = 40
"""How many characters are shown of a value, and compared of an unknown key with known ones."""


def convert(data: Any, kind: type[T], where: str) -> T:
    """Convert plain data, found at `where`, to a value of this type.

    Raises `FileError` for the first fault. Errors from a struct's `__post_init__` pass through unchanged.
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError:
        pass  # raise below: an error raised here would keep all the data in memory as its context
    raise next(faults(data, kind, where), _misfit(data, kind, where))


def faults(value: Any, kind: Any, where: str) -> Iterator[FileError]:
    """Every fault of plain data, in the order of the data; the missing keys of a mapping come after it."""
    kind = _strip_optional(kind, value)
    origin, inner = get_origin(kind), get_args(kind)
    if _is_struct(kind) and isinstance(value, dict):
        yield from _struct_faults(value, kind, where)
    elif origin is dict and isinstance(value, dict):
        for key, item in value.items():
            if not _is_of_type(key, inner[0]):
                problem = tr(
                    "the key {key} must be {what}", key=describe_value(key), what=describe_type(inner[0])
                )
                yield FileError(problem, where=where)
            yield from faults(item, inner[1], key_path(where, key))
    elif origin in (list, tuple) and isinstance(value, list) and _has_its_length(value, kind):
        for number, item in enumerate(value):
            item_kind = inner[number] if origin is tuple and inner[-1] is not ... else inner[0]
            yield from faults(item, item_kind, f"{where}[{number}]")
    elif not _is_of_type(value, kind):
        yield _misfit(value, kind, where)


def unknown_key(key: str, known: Sequence[str], where: str = "") -> FileError:
    """The fault of a key not allowed in the mapping at `where`."""
    import difflib  # 1 ms: only a refused file needs it

    close = difflib.get_close_matches(key[:MAX_SHOWN], known, n=1)
    hint = tr("did you mean '{name}'?", name=close[0]) if close else ""
    hint = hint or tr("it can be one of {names}", names=", ".join(known))
    return FileError(tr("there is no key {key}", key=describe_value(key)), where=where, hint=hint)


def describe_type(kind: Any) -> Said:
    """The values of a type in words: `a list of 2, each a whole number`."""
    kind = _strip_optional(kind, ...)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        meta: msgspec.Meta = kind.__metadata__[0]
        said: Messages = (meta.extra or {}).get("tr", tr)
        return said(meta.description) if meta.description else _describe_range(describe_type(inner[0]), meta)
    if origin is Literal:
        return _describe_choice([str(value) for value in inner])
    if origin is tuple and inner[-1] is not ...:
        return tr("a list of {number}, each {what}", number=len(inner), what=describe_type(inner[0]))
    if _is_struct(kind):
        return tr("a mapping of {names}", names=", ".join(_members(kind)))
    return _describe_plain_type(list if origin is tuple else origin or kind)


def describe_value(value: Any) -> Said:
    """A value for messages: short and on one line; a mapping or a list without its content."""
    if isinstance(value, dict):
        return tr("a mapping") if value else tr("an empty mapping")
    if isinstance(value, list):
        return tr("a list") if value else tr("an empty list")
    if isinstance(value, str):
        if len(value) <= MAX_SHOWN:
            return quoted(repr(value)[1:-1])
        return tr(
            "{beginning}… ({number} characters)", beginning=quoted(repr(value[:30])[1:-1]), number=len(value)
        )
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)


def quote_value(value: Any) -> str:
    """A value as JSON in ASCII, shortened if long; a shortened text keeps its quotation marks."""
    text = json.dumps(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 4]}...{text[-1]}"


def key_path(where: str, key: str) -> str:
    """The path of a key in the mapping at `where`; a key that is not a plain word is in quotation marks."""
    if not (key.isascii() and key.replace("-", "").replace("_", "").isalnum()):
        return f"{where}[{quote_value(key)}]"
    return f"{where}.{key}" if where else key


def _struct_faults(value: dict[str, Any], kind: Any, where: str) -> Iterator[FileError]:
    """The faults of a mapping compared with a struct: of each key and its value, then the missing keys."""
    members = _members(kind)
    for key, item in value.items():
        if key in members:
            yield from faults(item, members[key][0], key_path(where, key))
        else:
            yield unknown_key(key, tuple(members), where)
    for key, (_, required) in members.items():
        if required and key not in value:
            yield FileError(tr("the key '{key}' is missing", key=key), where=where)


@cache
def _members(kind: Any) -> dict[str, tuple[Any, bool]]:
    """The keys of a struct, each with its type and whether it is required; msgspec does not cache them."""
    tag = kind.__struct_config__
    tags = {tag.tag_field: (Literal[tag.tag], True)} if tag.tag_field else {}
    return tags | {field.encode_name: (field.type, field.required) for field in msgspec.structs.fields(kind)}


def _misfit(value: Any, kind: Any, where: str) -> FileError:
    """The fault of one value. A list of the wrong length is shown with its content."""
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    alike = value and isinstance(value, list) and get_origin(bare) in (list, tuple)
    found = quote_value(value) if alike else describe_value(value)
    return FileError(tr("must be {what}, not {found}", found=found, what=describe_type(kind)), where=where)


def _is_of_type(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _strip_optional(kind: Any, value: Any) -> Any:
    """The type inside an optional type, or NoneType for the value None; any other type unchanged."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    return NoneType if value is None else next(member for member in get_args(kind) if member is not NoneType)


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _has_its_length(value: list[Any], kind: Any) -> bool:
    """Whether a list has the length its type requires, if any."""
    inner = get_args(kind)
    return get_origin(kind) is list or inner[-1] is ... or len(value) == len(inner)


def _describe_plain_type(kind: Any) -> Said:
    """The values of a plain type in words."""
    if kind is dict:
        return tr("a mapping")
    if kind is list:
        return tr("a list")
    if kind is str:
        return tr("a text")
    return tr("true or false") if kind is bool else tr("a whole number")


def _describe_choice(names: Sequence[str]) -> Said:
    """A choice of names in words."""
    if len(names) == 2:
        return tr("{names} or {last}", names=names[0], last=names[1])
    return tr("one of {names}", names=", ".join(names)) if len(names) > 2 else names[0]


def _describe_range(what: Said, meta: msgspec.Meta) -> Said:
    """A number in words, with its least and greatest value, as they are typed."""
    if meta.ge is None:
        return what if meta.le is None else tr("{what} up to {most}", what=what, most=str(meta.le))
    if meta.le is None:
        return tr("{what} from {least}", what=what, least=str(meta.ge))
    return tr("{what} from {least} to {most}", what=what, least=str(meta.ge), most=str(meta.le))
