"""The games: found through the entry-point group `pbem.games`, the built-in ones too."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from pbem.core.rules import Rules
from pbem.errors import FileError

GROUP = "pbem.games"


@cache
def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def names() -> list[str]:
    """The names of the installed games, in alphabetical order."""
    return sorted(_installed())


@cache
def load(name: str) -> Rules:
    """The rules of a game by its name. Raises `FileError` if no installed package has it."""
    if name not in _installed():
        raise FileError(f"no game '{name}' is installed here; there are {', '.join(names())}")
    rules: Rules = _installed()[name].load()
    return rules


def pinned(name_and_version: str) -> Rules:
    """The rules `name/version` that a file asks for, exactly that version. Raises `FileError` (FORMAT 4)."""
    name, _, version = name_and_version.partition("/")
    found = name in _installed() and load(name)
    if not found or version != str(found.version):
        raise FileError(
            f"needs the rules '{name_and_version}'; this program has {', '.join(map(_pin, names()))}",
            where="log[0].rules",
            hint="both players need a program with the same version of the rules",
        )
    return found


def _pin(name: str) -> str:
    return f"{name}/{load(name).version}"
