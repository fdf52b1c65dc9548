"""Say what msgspec finds wrong with an entry in a player's words: what was found and expected, and where."""

from __future__ import annotations

import re

import msgspec

from pbem.errors import FileError
from pbem.journal.plain import Plain, shown
from pbem.journal.shapes import KINDS, PATTERNS, Proposal, Scenario, Seat

# A key of the file stands in the message as it is, so only what looks like one of our paths is taken for one.
_MESSAGE = re.compile(r"(?P<problem>.*?)(?: - at `\$(?P<path>(?:\.[a-z0-9]+|\[[0-9]+\])+)`)?", re.DOTALL)
_STEP = re.compile(r"\.([a-z0-9]+)|\[([0-9]+)\]")
_TYPES = {
    "int": "an integer",
    "str": "a string",
    "bool": "true or false",
    "object": "a mapping",
    "array": "a list",
}
_BOUNDS = {">=": "at least", "<=": "at most"}

LONGEST = 40
"""A longer key resembles none of ours, and to look for one takes time and space."""


def file_error(error: msgspec.ValidationError, raw: Plain, where: str) -> FileError:
    """The `FileError` for what is wrong with entry `raw`, which stands at `where`."""
    message = _MESSAGE.fullmatch(str(error))
    assert message is not None
    path = message["path"] or ""
    problem, hint = _in_words(message["problem"], raw, path)
    return FileError(problem, where=where + path, hint=hint)


def unknown_key(key: str, known: tuple[str, ...]) -> tuple[str, str]:
    """The problem and the hint for a key that has no business where it stands."""
    import difflib  # it costs some milliseconds, and only a refused file needs it

    close = difflib.get_close_matches(key[:LONGEST], known, n=1)
    hint = f"did you mean '{close[0]}'?" if close else f"known here are {', '.join(known)}"
    return f"found the unknown key {shown(key)}", hint


def _in_words(problem: str, raw: Plain, path: str) -> tuple[str, str]:
    """The problem and the hint for what msgspec says of the value at a path."""
    if match := re.fullmatch(r"Object contains unknown field `(.*)`", problem, re.DOTALL):
        return unknown_key(match[1], _known_keys(raw, path))
    if match := re.fullmatch(r"Object missing required field `(.*)`", problem):
        return f"found no key '{match[1]}', expected one", ""
    return f"found {shown(_at(raw, path))}, expected {_expected(problem)}", ""


def _expected(problem: str) -> str:
    """What msgspec expected, in our words."""
    if match := re.fullmatch(r"Expected `str` matching regex (.*)", problem):
        return PATTERNS[match[1]]
    if match := re.fullmatch(r"Expected `(\w+)` (>=|<=) (\d+)", problem):
        return f"{_TYPES[match[1]]} of {_BOUNDS[match[2]]} {match[3]}"
    if match := re.fullmatch(r"Expected `(\w+)(?: \| null)?`, got .*", problem):
        return _TYPES[match[1]]
    return f"one of {', '.join(KINDS)}"


def _at(raw: Plain, path: str) -> Plain:
    """The value at a path such as `.orders[0]`."""
    value = raw
    for key, number in _STEP.findall(path):
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list):
            value = value[int(number)]
    return value


def _known_keys(raw: Plain, path: str) -> tuple[str, ...]:
    """The keys of the shape at a path; an entry's own are those of its kind."""
    inner = {".seat": Seat, ".scenario": Scenario, ".what": Proposal}
    if path in inner:
        return inner[path].__struct_fields__
    kind = raw.get("kind") if isinstance(raw, dict) else None
    return ("kind", *KINDS[kind].__struct_fields__) if isinstance(kind, str) and kind in KINDS else ()
