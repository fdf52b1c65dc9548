"""The games: the built-in ones, and those that other distributions add.

A distribution adds a game with an entry point in the group `pbem.games`. It cannot replace a built-in game:
those names are reserved whatever is installed, and a name that two distributions claim is used for neither. A
game that cannot be loaded raises an error when it is requested by name, and is skipped everywhere else.
"""

from __future__ import annotations

import copyreg
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pbem.base.entry_points import find_entry_points
from pbem.base.validation import MAX_SHOWN
from pbem.core.rules import Rules
from pbem.core.sides import Side
from pbem.core.versions import versions
from pbem.errors import FileError, NewerNeeded
from pbem.messages import Messages, Said

tr = Messages("pbem")

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "pbem.games"

_OURS = {
    "mortain": ("pbem.games.mortain", ("mortain/1",)),
    "rommel": ("pbem.games.rommel", ("rommel/2", "rommel/1")),
    "tabletop": ("pbem.games.tabletop", ("tabletop/1",)),
}
"""The built-in games, each with the module that holds its `RULES`, and its versions, the newest first."""


def names() -> list[str]:
    """The names of all available games, in alphabetical order. Loads none of them."""
    return sorted({*_OURS, *_added_games()})


def load(named: str) -> Rules:
    """The newest rules of a game, for `name`, or those of one version, for `name/version`.

    Raises `FileError` if they are not installed or cannot be loaded.
    """
    name, _, version = named.partition("/")
    found = all_versions(name)
    if not version:
        return next(iter(found.values()))
    if named not in found:
        there = ", ".join(found)
        raise FileError(
            tr(
                "the rules '{rules}' are not installed; these are: {names}",
                rules=_shorten(named),
                names=there,
            )
        )
    return found[named]


@cache
def all_versions(name: str) -> Mapping[str, Rules]:
    """All versions of a game's rules by `name/version`, newest first. Raises `FileError`, as `load` does."""
    if name in _OURS:
        module, _ = _OURS[name]
        return versions(import_module(module).RULES)
    match _added_games().get(name, []):
        case []:
            installed = ", ".join(names())
            raise FileError(
                tr(
                    "the game '{name}' is not installed; these are: {names}",
                    name=_shorten(name),
                    names=installed,
                )
            )
        case [point]:
            return _load_added(point)
        case points:
            problem = tr(
                "several packages provide the game '{name}': {sources}. None of them is used",
                name=name,
                sources=", ".join(map(_source, points)),
            )
            raise FileError(problem)


def is_built_in(name: str) -> bool:
    """Whether a game ships with pbem."""
    return name in _OURS


def pins(name: str) -> Sequence[str]:
    """The `name/version` of each version of a game's rules, newest first, without loading a built-in game.

    Raises `FileError`, as `load` does.
    """
    if name in _OURS:
        _, ours = _OURS[name]
        return ours
    return list(all_versions(name))


def _shorten(name: str) -> str:
    """Shorten a name for a message: a name in a club's season file can have any length."""
    return name if len(name) <= MAX_SHOWN else f"{name[:MAX_SHOWN]}…"


def pinned_rules(name_and_version: str) -> Rules:
    """The rules that a file requires, `name/version` (FORMAT 4). Raises `FileError` if they are not here."""
    name, _, _ = name_and_version.partition("/")
    found = all_versions(name) if name in _OURS or name in _added_games() else {}
    if name_and_version not in found:
        raise NewerNeeded(
            tr(
                "needs the rules '{rules}', but this program has {names}",
                rules=name_and_version,
                names=", ".join(pin for name in names() for pin in _loadable_pins(name)),
            ),
            where="log[0].rules",
            hint=_hint_where(name),
        )
    return found[name_and_version]


def _reduce_to_pin(rules: Rules) -> tuple[Any, ...]:
    return _pinned_with_sides, (rules.pin, dict(rules.sides) if rules.named_sides else None)


def _pinned_with_sides(pin: str, sides: Mapping[str, Side] | None) -> Rules:
    rules = pinned_rules(pin)
    return rules if sides is None else replace(rules, sides=sides)


copyreg.pickle(
    Rules, _reduce_to_pin
)  # rules contain functions, so they are pickled as `name/version` and looked up again


def _hint_where(name: str) -> Said:
    """A hint about where to get missing rules; empty if a newer version of pbem has them."""
    if name in _OURS:
        return ""
    if source(name):
        return tr("a newer version of the game's package has them; nothing was changed")
    return tr("the game comes in a separate package, which your opponent has; nothing was changed")


def source(name: str) -> str:
    """Where the rules of an added game are, as `module:name`; empty for built-in and unknown games."""
    points = _added_games().get(name, []) if name not in _OURS else []
    return points[0].value if len(points) == 1 else ""


@cache
def _added_games() -> dict[str, list[EntryPoint]]:
    """The entry points of other distributions' games, by name, without those that claim a built-in name."""
    added: dict[str, list[EntryPoint]] = {}
    for point in find_entry_points(GROUP):
        if point.name not in _OURS:
            added.setdefault(point.name, []).append(point)
    return added


def _load_added(point: EntryPoint) -> Mapping[str, Rules]:
    """Load the rules that a distribution adds. Raises `FileError` whatever goes wrong in its code."""
    try:
        rules: Rules = point.load()
        name = rules.name
        found = versions(rules) if name == point.name else {}
    except (Exception, SystemExit) as error:
        words = " ".join(f"{type(error).__name__}: {error}".split())
        problem = tr(
            "the game '{name}' ({source}) cannot be loaded: {reason}",
            name=point.name,
            source=_source(point),
            reason=words,
        )
        raise FileError(problem) from error
    if name != point.name:
        problem = tr(
            "the game '{name}' ({source}) calls itself '{other}'; it is not used",
            name=point.name,
            source=_source(point),
            other=name,
        )
        raise FileError(problem)
    return found


def _source(point: EntryPoint) -> str:
    """The distribution of an entry point, and the object it names."""
    return f"{point.dist.name if point.dist else tr.sense('package', 'unknown')}, {point.value}"


def _loadable_pins(name: str) -> Sequence[str]:
    """The pins of a game, or none if it cannot be loaded."""
    try:
        return pins(name)
    except FileError:
        return ()
