"""A game's data for the scripts in its page: log, positions, and the possible outcomes of each draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.run import public
from pbem.umpire.game import Game, ReplayedEntry


def log_data(game: Game) -> list[Any]:
    """The entries as they stand in the game file."""
    return [entry.raw for entry in game.entries]


def draws_data(game: Game) -> dict[str, Any]:
    """What the log does not hold: its last id, and the draws of each completed beat, by the rules."""
    return {
        "head": game.ids[-1],
        "beats": [_beat_data(replayed) for replayed in game.replayed_entries if replayed.beat is not None],
    }


def _beat_data(replayed: ReplayedEntry) -> dict[str, Any]:
    """The draws of one beat, in the rules' order."""
    beat, entry = replayed.beat, replayed.entry
    assert beat is not None
    draws = [
        {"rule": draw.rule, "outcomes": list(draw.outcomes), "outcome": draw.outcome} for draw in beat.draws
    ]
    return {"entry": entry.body.n, "beat": beat.number, "draws": draws}


def positions_data(game: Game) -> list[Any]:
    """For each entry that signs a position (FORMAT 7) its difference from the one before, for others None.

    The others' positions follow from these, since a take-back leads to an earlier one.
    """
    changes: list[Any] = []
    before: Any = {}
    for replayed in game.replayed_entries:
        now = public(game.rules, *replayed.rest) if replayed.rest else {}
        signs = replayed.entry.raw.get("position") is not None or (
            replayed.entry.body.n == 0 and replayed.rest
        )
        changes.append(difference(before, now) if signs else None)
        before = now
    return changes


def difference(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The changes to a mapping, by key: `[value]` sets it, `[]` removes it, a mapping changes its members."""
    gone: dict[str, Any] = {key: [] for key in before if key not in now}
    changed = {
        key: _changed_value(before.get(key), value)
        for key, value in now.items()
        if key not in before or before[key] != value
    }
    return gone | changed


def _changed_value(before: Any, now: Any) -> Any:
    both = isinstance(before, Mapping) and isinstance(now, Mapping)
    return difference(before, now) if both else [now]
