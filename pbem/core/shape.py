"""The shape of scenario files: plain data compared with msgspec Structs, and each fault with its path.

A game declares its scenario with the Structs of this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from pbem.base.validation import faults, key_path, quote_value
from pbem.core.requests import Plain
from pbem.messages import Messages, Said, row

tr = Messages("pbem")

Problem: TypeAlias = tuple[str, Said]
"""A path such as `scenario.units.17StuG.full[0]`, and the fault there."""

Name = Annotated[
    str,
    msgspec.Meta(
        pattern=r"\A[a-z][a-z0-9-]{0,31}\Z",
        description="a name of at most 32 lower-case letters, digits and hyphens that begins with a letter",
    ),
]
Line = Annotated[str, msgspec.Meta(max_length=60, description="a text of at most 60 characters")]
Text = Annotated[str, msgspec.Meta(max_length=1000, description="a text of at most 1000 characters")]

_MOST_NAMES = 500
"""The most characters of source names in a message: a scenario can name thousands."""


class Struct(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A mapping in a scenario file; unknown keys are refused."""


class Sourced(Struct, frozen=True, kw_only=True):
    """A value that is known, inferred from known ones, or reconstructed, with its key in `sources`."""

    status: Literal["known", "inferred", "reconstruction"]
    source: Line
    note: Text = ""


def problems(data: Plain, kind: type[Struct], path: str) -> Iterator[Problem]:
    """Every fault of data compared with a Struct."""
    for fault in faults(data, kind, path):
        yield (
            fault.where,
            row((fault.problem, row(("(", fault.remedy, ")"), "")), " ") if fault.remedy else fault.problem,
        )


def unsourced(
    value: Struct | dict[str, Any] | list[Any], sources: Mapping[str, str], path: str
) -> Iterator[Problem]:
    """A fault for each value of a scenario whose source is not in the table of sources."""
    if isinstance(value, Sourced) and value.source not in sources:
        found, known = quote_value(value.source), ", ".join(sources)
        if known and len(known) <= _MOST_NAMES:
            problem = tr("must be one of {names}, not {found}", found=found, names=known)
        else:
            problem = tr("must be a source named in scenario.sources, not {found}", found=found)
        yield f"{path}.source", problem
    for key, part in _parts(value):
        if isinstance(part, (Struct, dict, list)):
            place = f"{path}[{key}]" if isinstance(key, int) else key_path(path, key)
            yield from unsourced(part, sources, place)


def _parts(value: Struct | dict[str, Any] | list[Any]) -> Iterable[tuple[str | int, Any]]:
    """The parts of a value, each with its key or index."""
    if isinstance(value, Struct):
        return msgspec.structs.asdict(value).items()
    return value.items() if isinstance(value, dict) else enumerate(value)
