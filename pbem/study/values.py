"""The numbers of a scenario that are ours to change, found by their names, and put into its file.

A scenario says of a value where it comes from: beside it stands its `status`. What is known from the printed
game, or follows from it, is never touched; what is a reconstruction may be, and what has no status.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, TypeAlias

from pbem.base.validation import key_path, quote_value
from pbem.core.requests import Plain
from pbem.errors import FileError
from pbem.texts import Texts

tr = Texts("pbem")

ValuePath: TypeAlias = tuple[str | int, ...]
"""Keys of mappings and places in lists, from the top of a scenario to a number."""

CHANGEABLE_STATUS = "reconstruction"
"""The status of values that may be changed."""

_PART = re.compile(r"([^.\[\]]+)|\[(\d{1,9})\]")


def path_text(path: ValuePath) -> str:
    """A path in the notation of a scenario's faults: `units.117Inf.full[0]`."""
    words = ""
    for part in path:
        words = f"{words}[{part}]" if isinstance(part, int) else key_path(words, part)
    return words


def find_paths(data: Plain, names: Sequence[str]) -> list[ValuePath]:
    """The paths of all numbers that these names mean, such as `units.117Inf` or `units.117Inf.full[0]`.

    Raises `FileError` for an unknown name, and for one without a number that may be changed.
    """
    paths: list[ValuePath] = []
    for name in names:
        path, part, status = _follow_name(data, name)
        below = list(_number_paths(part, path, status))
        if not below:
            raise FileError(tr("has no number that is a reconstruction"), where=name)
        paths += below
    return list(dict.fromkeys(paths))


def number_names(data: Plain) -> list[str]:
    """The names that `find_paths` accepts: of every number, after those of what contains it."""
    paths = _number_paths(data, (), "")
    return list(dict.fromkeys(path_text(path[:end]) for path in paths for end in range(2, len(path) + 1)))


def _follow_name(data: Plain, name: str) -> tuple[ValuePath, Plain, str]:
    """The value at a name, with its path, and the status that applies there."""
    path: list[str | int] = []
    status = ""
    for word, number in _PART.findall(name):
        key: str | int = int(number) if number else word
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            raise FileError(_describe_missing(quote_value(str(key)), data), where=name) from None
        path.append(key)
        status = _status(data, status)
    return tuple(path), data, status


def _describe_missing(found: str, data: Plain) -> str:
    """The message that there is nothing of that name, and what there is instead."""
    if not isinstance(data, Mapping):
        return tr("{found} is not a place in a list", found=found)
    return tr(
        "there is no {found} here; there are {names}", found=found, names=", ".join(map(str, data))[:200]
    )


def _number_paths(part: Plain, path: ValuePath, status: str) -> Iterator[ValuePath]:
    """Every number below a path that may be changed."""
    status = _status(part, status)
    if type(part) is int and status in ("", CHANGEABLE_STATUS):
        yield path
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from _number_paths(value, (*path, key), status)
    elif isinstance(part, list):
        for number, value in enumerate(part):
            yield from _number_paths(value, (*path, number), status)


def _status(part: Plain, above: str) -> str:
    """The status of a value: its own, if it is a mapping with one, else that of what contains it."""
    return str(part["status"]) if isinstance(part, dict) and "status" in part else above


def number_at(data: Plain, path: ValuePath) -> int:
    """The number at a path."""
    number: int = reduce(lambda part, key: part[key], path, data)
    return number


def with_numbers(data: Plain, numbers: Mapping[ValuePath, int]) -> Plain:
    """A copy of a scenario with other numbers."""
    other = copy.deepcopy(data)
    for (*path, last), value in numbers.items():
        reduce(lambda part, key: part[key], path, other)[last] = value
    return other


def replace_numbers(text: str, numbers: Mapping[ValuePath, int], name: str, remark: Sequence[str]) -> str:
    """The text of a scenario's file with other numbers and another name, a remark on top; its comments stay.

    The text must be a valid scenario.
    """
    import yaml  # here, as below: little of a study needs it

    from pbem.base.yaml_parser import LOADER

    top: Any = yaml.compose(text, Loader=LOADER)
    replaced = {("name",): name, **{path: str(value) for path, value in numbers.items()}}
    spans = sorted(
        ((_find_node(top, path), word) for path, word in replaced.items()), key=_start_index, reverse=True
    )
    for node, word in spans:
        text = text[: node.start_mark.index] + word + text[node.end_mark.index :]
    return "".join(f"# {line}\n" for line in remark) + "#\n" + text


def _start_index(span: tuple[Any, str]) -> int:
    start: int = span[0].start_mark.index
    return start


def _find_node(node: Any, path: ValuePath) -> Any:
    for key in path:
        if isinstance(key, int):
            node = node.value[key]
        else:
            node = next(value for name, value in node.value if name.value == key)
    return node
