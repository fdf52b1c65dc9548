"""The versions of a game's rules, side by side: a file is always judged by its own version (FORMAT 4).

Each version before the newest is derived from the next one, in the table `Rules.earlier`. If an option can
express the difference, one line is enough, `1: lacking({"suppression": 1})`: that version lacks the option,
and plays as with that value. If code differs, the old module stays, and the line names one of its functions,
which replaces what differs in the later version.
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
    by_pin = {rules.pin: rules}
    for version in sorted(newest.earlier, reverse=True):
        rules = replace(newest.earlier[version](rules), version=version, earlier={}, later=rules)
        by_pin[rules.pin] = rules
    return by_pin


def lacking(options: Mapping[str, Plain], positions: Collection[str] = ()) -> Callable[[Rules], Rules]:
    """A function for `Rules.earlier`: it derives a version from the next one, which added options.

    `options` gives each option with the value that means the older play. The older version has them neither
    in its files nor in its editions, and its public state lacks the keys `positions`, which the later version
    added.
    """

    def earlier_version(later: Rules) -> Rules:
        def all_options(chosen: Mapping[str, Plain]) -> dict[str, Plain]:
            """The options for the later version. Raises `FileError` for an option this version lacks."""
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
            begin=lambda chosen, data: later.begin(all_options(chosen), data),
            beats=lambda chosen, data: later.beats(all_options(chosen), data),
            public=public,
        )

    return earlier_version


def edition(options: msgspec.Struct, editions: Mapping[str, Mapping[str, Plain]]) -> str:
    """The name of the edition with exactly these options, or an empty string."""
    chosen = msgspec.json.decode(msgspec.json.encode(options))  # lists, as in an edition
    return next(
        (name for name, preset in editions.items() if all(chosen[key] == preset[key] for key in preset)), ""
    )
