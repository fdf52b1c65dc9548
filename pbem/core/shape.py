"""The shape of scenario files: plain data against msgspec structs, every fault named with its path.

A game declares its scenario as structs of this module; `faults` compares data with them down to the last
value, where msgspec alone would name the first fault only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin

import msgspec

from pbem.core.requests import Plain

Problem: TypeAlias = tuple[str, str]
"""A path such as `scenario.units.17StuG.full[0]`, and what was found there and expected."""

Name = Annotated[
    str,
    msgspec.Meta(
        pattern=r"\A[a-z][a-z0-9-]{0,31}\Z",
        description="a name of at most 32 small letters, digits and hyphens that begins with a letter",
    ),
]
Line = Annotated[str, msgspec.Meta(max_length=60, description="a text of at most 60 characters")]
Text = Annotated[str, msgspec.Meta(max_length=1000, description="a text of at most 1000 characters")]


class Struct(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A mapping of the file; a key that it does not have is refused."""


class Sourced(Struct, frozen=True, kw_only=True):
    """Whether a value is known, follows from what is known, or is ours; and a key of the table of sources."""

    status: Literal["known", "inferred", "reconstruction"]
    source: Line
    note: Text = ""


def faults(value: Plain, kind: Any, path: str) -> Iterator[Problem]:
    """Compare plain data with a type: a struct, or what its fields are made of."""
    origin, inner = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield from _fields(value, kind, path)
    elif origin is dict and isinstance(value, dict):
        for key, item in value.items():
            yield from faults(item, inner[1], inside(path, key))
    elif origin is list and isinstance(value, list):
        for number, item in enumerate(value):
            yield from faults(item, inner[0], f"{path}[{number}]")
    elif origin is tuple and isinstance(value, list) and len(value) == len(inner):
        for number, item in enumerate(value):
            yield from faults(item, inner[number], f"{path}[{number}]")
    else:
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError:
            yield path, f"found {found(value)}, expected {_expected(kind)}"


def unsourced(
    value: Struct | dict[str, Any] | list[Any], sources: Mapping[str, str], path: str
) -> Iterator[Problem]:
    """Find every value of a scenario whose source is not in the table of sources."""
    if isinstance(value, Sourced) and value.source not in sources:
        known = ", ".join(sources) or "a source in scenario.sources"
        yield f"{path}.source", f"found {found(value.source)}, expected one of {known}"
    for key, part in _parts(value):
        if isinstance(part, (Struct, dict, list)):
            place = f"{path}[{key}]" if isinstance(key, int) else inside(path, key)
            yield from unsourced(part, sources, place)


def _parts(value: Struct | dict[str, Any] | list[Any]) -> Iterable[tuple[str | int, Any]]:
    """What a value is made of, by key or by number."""
    if isinstance(value, Struct):
        return msgspec.structs.asdict(value).items()
    return value.items() if isinstance(value, dict) else enumerate(value)


def found(value: Plain) -> str:
    """Show a value in a message: on one line, in ASCII, and short."""
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def inside(path: str, key: str) -> str:
    """The path of a key of a mapping; one that is no plain word stands in quotation marks."""
    plain = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return f"{path}.{key}" if plain else f"{path}[{found(key)}]"


def _fields(value: Plain, kind: type[Struct], path: str) -> Iterator[Problem]:
    """Compare a mapping with a struct: unknown keys, missing keys, and what each key holds."""
    if not isinstance(value, dict):
        yield path, f"found {found(value)}, expected a mapping"
        return
    fields = _fields_of(kind)
    for key in value:
        if key not in fields:
            yield inside(path, key), f"found an unknown key, expected one of {', '.join(fields)}"
    for name, field in fields.items():
        if name in value:
            yield from faults(value[name], field.type, inside(path, name))
        elif field.required:
            yield inside(path, name), "found nothing, expected a value here"


@cache
def _fields_of(kind: type[Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    """The fields of a struct by name; msgspec works them out anew each time."""
    return {field.name: field for field in msgspec.structs.fields(kind)}


def _expected(kind: Any) -> str:
    """Say what a value of this type looks like."""
    if get_origin(kind) is Annotated:
        meta = kind.__metadata__[0]
        return str(meta.description)
    if get_origin(kind) is Literal:
        return f"one of {', '.join(get_args(kind))}"
    if get_origin(kind) is tuple:
        return f"a list of two, each {_expected(get_args(kind)[0])}"
    names = {dict: "a mapping", list: "a list", str: "a text", bool: "true or false"}
    return names[get_origin(kind) or kind]
