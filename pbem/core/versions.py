"""The versions of a game's rules, side by side: a file is judged by its own for ever (FORMAT 4).

Each version before the newest is made of the one after it, in the table `Rules.earlier`. One that differs by
what options can express is a line, `1: lacking({"suppression": 1})`: it lacks the option, and plays as with
that value. One that differs in code keeps the module that differs, and the line names its function, which
replaces what differs in the later version.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from pbem.base.validation import unknown_key
from pbem.core.requests import Plain
from pbem.core.rules import Rules


def versions(newest: Rules) -> dict[str, Rules]:
    """Every version of a game by its pin, `name/version`, the newest first."""
    rules = newest
    found = {rules.pin: rules}
    for version in sorted(newest.earlier, reverse=True):
        rules = replace(newest.earlier[version](rules), version=version, earlier={}, later=rules)
        found[rules.pin] = rules
    return found


def lacking(options: Mapping[str, Plain], positions: Collection[str] = ()) -> Callable[[Rules], Rules]:
    """The version before one that has added options, each given with the value that means the older play.

    Such an option stands neither in its files nor in its editions; nor do `positions`, the keys that have
    come into the public state with it.
    """

    def before(later: Rules) -> Rules:
        def meant(chosen: Mapping[str, Plain]) -> dict[str, Plain]:
            """All options of the later version. Raises `FileError` for one that this version lacks."""
            for option in options.keys() & chosen.keys():
                raise unknown_key(option, list(next(iter(editions.values()))), "options")
            return {**chosen, **options}

        def public(state: Any) -> dict[str, Plain]:
            return {key: value for key, value in later.public(state).items() if key not in positions}

        editions = {
            name: {option: value for option, value in preset.items() if option not in options}
            for name, preset in later.editions.items()
        }
        return replace(
            later,
            editions=editions,
            begin=lambda chosen, data: later.begin(meant(chosen), data),
            beats=lambda chosen, data: later.beats(meant(chosen), data),
            public=public,
        )

    return before


def edition(options: msgspec.Struct, editions: Mapping[str, Mapping[str, Plain]]) -> str:
    """The edition of a version that states the same as a game's options; empty if none does."""
    chosen = msgspec.json.decode(msgspec.json.encode(options))  # lists, as in an edition
    return next(
        (name for name, preset in editions.items() if all(chosen[key] == preset[key] for key in preset)), ""
    )
