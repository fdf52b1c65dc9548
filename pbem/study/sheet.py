"""The games of a study for a spreadsheet: a line of comma-separated values for each.

docs/STUDIES.md names every column with its unit.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

from pbem.core.requests import Plain
from pbem.render.cells import spreadsheet_cell
from pbem.render.words import safe_text
from pbem.study.plan import StudyPlan
from pbem.study.record import GameRecord


def study_csv(plan: StudyPlan, records: Iterable[GameRecord], sides: Mapping[str, str]) -> str:
    """The games as comma-separated values, each with edition, changed options, and players.

    Figures are those at the end of a game; `sides` has the side of every unit. Names in a stranger's scenario
    are escaped, so that none is a formula.
    """
    games = list(records)
    figures = list(dict.fromkeys(name for game in games for name in game.figures))
    buffer = StringIO()
    table = csv.writer(buffer, lineterminator="\n")
    seats = list(plan.cells[0].players)
    table.writerow(column_heads(list(plan.cells[0].changed), seats, figures))
    for game in games:
        cell = plan.cells[game.cell]
        row: list[Plain] = [cell.edition, *cell.changed.values(), *cell.players.values(), game.game]
        row += [game.winner or "draw", game.reason, game.rule, game.turns, game.decisions]
        row += [game.figures[name][-1] if name in game.figures else "" for name in figures]
        lost = Counter(sides.get(unit) for unit in game.lost)
        row += [*(lost[seat] for seat in seats), sum(game.fights.values())]
        table.writerow([spreadsheet_cell(value) if isinstance(value, str) else value for value in row])
    return buffer.getvalue()


def column_heads(options: Sequence[str], seats: Sequence[str], figures: Sequence[str]) -> list[str]:
    """The unique heads of the table, whatever a game calls its options, seats and figures.

    A name that is taken already gets a prefix for its kind: `figure_turns`. Names that differ in case alone
    count as equal, since many programs that read tables ignore case.
    """
    ours = ["edition", "game", "winner", "reason", "rule", "turns", "decisions", "attacks"]
    taken = set(ours)

    def unique_head(kind: str, name: str) -> str:
        while (head := safe_text(name)).casefold() in taken:
            name = f"{kind}_{name}"
        taken.add(head.casefold())
        return spreadsheet_cell(head)

    edition, *result, attacks = ours
    return [
        edition,
        *(unique_head("option", f"option_{option}") for option in options),
        *(unique_head("player", seat) for seat in seats),
        *result,
        *(unique_head("figure", figure) for figure in figures),
        *(unique_head("seat", f"{seat} lost") for seat in seats),
        attacks,
    ]
