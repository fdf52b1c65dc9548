"""The games of a study for a spreadsheet: a line of comma-separated values for each."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping
from io import StringIO

from pbem.core.requests import Plain
from pbem.render.words import safe
from pbem.study.plan import Plan
from pbem.study.record import Record


def sheet(plan: Plan, records: Iterable[Record], sides: Mapping[str, str]) -> str:
    """All games, with the edition, the options that the study changes, and the players of each.

    Figures are those at the end of a game; `sides` has the side of every unit. What a stranger's scenario
    calls something is no formula.
    """
    games = list(records)
    changed = list(plan.cells[0].changed)
    figures = list(dict.fromkeys(name for game in games for name in game.figures))
    written = StringIO()
    table = csv.writer(written, lineterminator="\n")
    seats = list(plan.cells[0].players)
    heads = ["edition", *changed, *seats, "game", "winner", "reason", "rule", "turns", "decisions"]
    table.writerow([*heads, *figures, *(f"{seat} lost" for seat in seats), "attacks"])
    for game in games:
        cell = plan.cells[game.cell]
        row: list[Plain] = [cell.edition, *cell.changed.values(), *cell.players.values(), game.game]
        row += [game.winner or "draw", game.reason, game.rule, game.turns, game.decisions]
        row += [game.figures[name][-1] if name in game.figures else "" for name in figures]
        lost = Counter(sides.get(unit) for unit in game.lost)
        row += [*(lost[seat] for seat in seats), sum(game.fights.values())]
        table.writerow([_harmless(value) for value in row])
    return written.getvalue()


def _harmless(value: Plain) -> Plain:
    """A text that no spreadsheet takes for a formula."""
    if not isinstance(value, str):
        return value
    text = safe(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
