"""The changes between two scenarios: two trees of plain data, compared value by value.

It knows no game. Values are shown in ASCII, in short and on one line, because a stranger may have written
them. A text that is not a plain word is put in quotation marks, with those inside it escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import zip_longest

from msgspec import Struct

from pbem.base.validation import key_path, quote_value
from pbem.core.requests import Plain
from pbem.core.shape import Sourced
from pbem.messages import Messages, Said, row

tr = Messages("pbem")

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,23}")


class Change(Struct, frozen=True):
    """A value that differs: its path, and its value in each scenario, None where it is missing."""

    path: tuple[str, ...]
    shipped: Plain
    own: Plain

    @property
    def place(self) -> str:
        """The path as `scenario check` writes it: `units.2SS-A.full`."""
        return reduce(key_path, self.path)

    def words(self) -> Said:
        """The change for players: `2SS-A full 6-3, here 20-20`, where the path begins with `units`."""
        path = self.path[1:] if len(self.path) > 2 else self.path
        return tr(
            "{value} {shipped}, here {own}",
            value=row(map(_brief_value, path), " "),
            shipped=_brief_value(self.shipped),
            own=_brief_value(self.own),
        )

    def size(self) -> int:
        """The size of the change, summed over its numbers: 31 from 6-3 to 20-20."""
        pairs = zip_longest(_numbers(self.shipped), _numbers(self.own), fillvalue=0)
        return sum(abs(shipped - own) for shipped, own in pairs)


def changes(shipped: Mapping[str, Plain], own: Mapping[str, Plain]) -> list[Change]:
    """All changes, the largest change of numbers first, so that it does not hide behind small ones.

    A different name or source (`shape.Sourced`, the table `sources`) is not a change.
    """
    before, after = dict(_values(shipped)), dict(_values(own))
    differing = [
        Change(path, before.get(path), after.get(path))
        for path in before | after
        if (path in before, repr(before.get(path))) != (path in after, repr(after.get(path)))
    ]
    return sorted(differing, key=Change.size, reverse=True)


def nearest(
    scenarios: Mapping[str, Mapping[str, Plain]], own: Mapping[str, Plain]
) -> tuple[str, list[Change]]:
    """The name of the scenario that `own` changes least, and the changes."""
    compared = {name: changes(shipped, own) for name, shipped in scenarios.items()}
    return min(compared.items(), key=lambda pair: len(pair[1]))


def _brief_value(value: Plain) -> Said:
    """A value or part of a path in short: `20-20` for a list of numbers, a plain word as it is."""
    if value is None:
        return tr.sense("in a scenario", "nothing")
    if isinstance(value, str) and _WORD.fullmatch(value):
        return value
    numbers = _numbers(value)
    return "-".join(map(str, numbers)) if len(numbers) == 2 and min(numbers) >= 0 else quote_value(value)


def _values(scenario: Mapping[str, Plain]) -> Iterator[tuple[tuple[str, ...], Plain]]:
    """Every value with its path. A list of plain values, such as a unit's factors, counts as one value."""
    for key, part in scenario.items():
        if key not in ("name", "sources"):
            yield from _nested_values(part, (key,))


def _nested_values(value: Plain, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Plain]]:
    parts = _parts(value)
    if not parts:
        yield path, {} if isinstance(value, dict) else value
    for key, part in parts.items():
        yield from _nested_values(part, (*path, key))


def _parts(value: Plain) -> dict[str, Plain]:
    """The parts of a value by key, or none if it is compared as a whole."""
    if isinstance(value, dict):
        sourced = isinstance(value.get("status"), str) and isinstance(value.get("source"), str)
        unsaid = Sourced.__struct_fields__ if sourced else ()
        return {key: part for key, part in value.items() if key not in unsaid or not isinstance(part, str)}
    if isinstance(value, list) and any(isinstance(part, (dict, list)) for part in value):
        return dict(zip(_keys(value), value, strict=True))
    return {}


def _keys(items: list[Plain]) -> list[str]:
    """Keys for the members of a list: their names if each has its own, else their numbers."""
    names = [str(item["name"]) for item in items if isinstance(item, dict) and "name" in item]
    return names if len(set(names)) == len(items) else [str(number) for number in range(len(items))]


def _numbers(value: Plain) -> list[int]:
    """The number itself, or those of a list of numbers; else none."""
    items = value if isinstance(value, list) else [value]
    return items if all(type(item) is int for item in items) else []
