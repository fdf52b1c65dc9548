"""Every value of a document put to its extremes, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, NamedTuple, TypeAlias

from pbem.format.yaml_writer import dump_yaml

Path: TypeAlias = tuple[str | int, ...]

NUMBERS = (0, -1, 1, 10, 100, 65_537, 2**53 - 1, 2**53, -(2**53))
"""The last two are no numbers of a file (FORMAT 1)."""

LENGTHS = (0, 2, 17, 33, 65, 255, 1_001, 100_000)
"""Lengths of texts and lists: none, and one over the limits of FORMAT and of scenarios."""

MANY = 20_000
"""The most values of a list or mapping: each may have some of its own, and a file that large is read long."""

LETTERS = ("x", " ", "9", "m", "\u0436", "a-")
"""What long texts are made of."""

DIGITS = "digits" * 3
"""A text that stands for a number of a million digits, which nothing in Python writes out."""

_MILLION = "9" * 10**6


class Mutant(NamedTuple):
    """A document with one value at an extreme; `label` says which, and which. It is made when asked for."""

    label: str
    document: dict[str, Any]
    path: Path
    change: Callable[[Any], Any]

    def value(self) -> dict[str, Any]:
        """The document, changed."""
        changed = deepcopy(self.document)
        _put(changed, self.path, self.change)
        return changed


def written(value: dict[str, Any]) -> bytes:
    """A document as YAML; `DIGITS` becomes a number."""
    return dump_yaml(value).replace(DIGITS, _MILLION).encode()


def mutants(document: dict[str, Any]) -> Iterator[Mutant]:
    """A mutant for each extreme of each value, key, and length of a list or mapping."""
    for path in places(document):
        where = ".".join(map(str, path))
        for label, change in _changes(_at(document, path)):
            yield Mutant(f"{where}: {label}", document, path, change)
        if isinstance(_at(document, path), dict):
            yield Mutant(f"{where}: a long key", document, path, _with_a_long_key)


def _with_a_long_key(mapping: dict[str, Any]) -> dict[str, Any]:
    """The mapping with a key of 100,000 letters in place of its last."""
    return dict([*list(mapping.items())[:-1], ("k" * 100_000, 0)])


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """The path of every value; of a list or mapping of many that are alike the first two, and the last."""
    yield path
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    if len(inner) > 12:
        inner = [*inner[:2], inner[-1]]
    for key, item in inner:
        yield from places(item, (*path, key))


def _changes(value: Any) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """The extremes of a value: those of its own type, and some of others."""
    kinds: list[tuple[str, Any]] = [
        ("null", None),
        ("true", True),
        ("an empty list", []),
        ("an empty mapping", {}),
    ]
    kinds += [(f"the number {number}", number) for number in NUMBERS]
    kinds.append(("a million digits", DIGITS))
    if isinstance(value, str):
        kinds += [
            (f"{length} of {letter!r}", (letter * length)[:length])
            for length in LENGTHS
            for letter in LETTERS
        ]
        kinds += [("the last second", "9999-12-31T23:59:59Z"), ("the first", "0001-01-01T00:00:00Z")]
    else:
        kinds += [("a text", "x"), ("no text", "")]
    yield from ((label, lambda _, one=one: one) for label, one in kinds)
    if isinstance(value, list) and value:
        for length in (*LENGTHS[1:-1], MANY):
            yield f"its first value {length} times", lambda old, n=length: [old[0]] * n  # type: ignore[misc]
    if isinstance(value, dict) and value:
        for length in (*LENGTHS[3:-1], MANY):
            yield f"{length} keys more", lambda old, n=length: old | _alike(old, n)  # type: ignore[misc]


def _alike(mapping: dict[str, Any], number: int) -> dict[str, Any]:
    """So many new keys that hold what the last one holds."""
    value = next(reversed(mapping.values()))
    return {f"k{n}": value for n in range(number)}


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def _put(value: Any, path: Path, change: Callable[[Any], Any]) -> None:
    """Change what stands at a path; the whole document itself stays a mapping."""
    if not path:
        new = change(dict(value))
        value.clear()
        value.update(new if isinstance(new, dict) else {"k": new})
        return
    holder = _at(value, path[:-1])
    holder[path[-1]] = change(holder[path[-1]])
