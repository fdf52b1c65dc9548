"""The games: found through the entry-point group `pbem.games`, the built-in ones too."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from pbem.core.rules import Rules
from pbem.errors import FileError

GROUP = "pbem.games"


def names() -> list[str]:
    """The names of the installed games, in alphabetical order."""
    return sorted({point.name for point in entry_points(group=GROUP)})


@cache
def load(name: str) -> Rules:
    """The rules of a game by its name. Raises `FileError` if no installed package has it."""
    for point in entry_points(group=GROUP, name=name):
        rules: Rules = point.load()
        return rules
    raise FileError(f"no game '{name}' is installed here; there are {', '.join(names())}")


def pinned(name_and_version: str) -> Rules:
    """The rules `name/version` that a file asks for, exactly that version. Raises `FileError` (FORMAT 4)."""
    name, _, version = name_and_version.partition("/")
    if name not in names():
        raise FileError(
            f"needs the rules '{name_and_version}'; this program has {', '.join(map(_pin, names()))}",
            where="log[0].rules",
        )
    rules = load(name)
    if version != str(rules.version):
        raise FileError(
            f"the file needs the rules '{name_and_version}'; this program has {_pin(name)}",
            where="log[0].rules",
            hint="both players need a program with the same version of the rules",
        )
    return rules


def _pin(name: str) -> str:
    return f"{name}/{load(name).version}"
