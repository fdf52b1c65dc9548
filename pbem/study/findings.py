"""The findings of a study: every cell, and the cells taken together by edition, by option, and by player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add

from msgspec import Struct

from pbem.core.legend import Legend
from pbem.core.rules import Rules
from pbem.study.folder import StudyFolder
from pbem.study.intervals import wilson_interval
from pbem.study.plan import StudyCell, StudyPlan
from pbem.study.tally import Tally, empty_tally, sides_by_unit, starting_legend, tally_games
from pbem.texts import Texts


class TallyRow(Struct, frozen=True):
    """The tally of some games, under a name."""

    name: str
    tally: Tally


class HeadToHead(Struct, frozen=True):
    """Two players against each other, in both seats together: games, and how many `player` won and lost."""

    player: str
    opponent: str
    games: int
    won: int
    lost: int

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the player's share of the decided games."""
        return wilson_interval(self.won, self.won + self.lost)


class Findings(Struct, frozen=True):
    """All findings of a study.

    `groups` are sums over cells, each group by what its rows differ in; `terms` sums over cells that differ
    in their players alone: with every player in both seats they say how fair the terms are.
    """

    rules: Rules
    plan: StudyPlan
    legend: Legend
    sides: dict[str, str]
    all: Tally
    cells: list[TallyRow]
    groups: dict[str, list[TallyRow]]
    terms: list[TallyRow]
    matches: list[HeadToHead]

    def seat_name(self, seat: str) -> str:
        """The name of a seat: the map's, if it has one."""
        return self.legend.sides.get(seat, seat.capitalize())

    def translate(self, text: str) -> str:
        """A text of the game in a record, which is English, in the reader's language."""
        return Texts(self.rules.package)(text)

    @property
    def own_scenario(self) -> str:
        """The name of the scenario, if it is none that ships with the game; else empty."""
        booklet, data = self.rules.scenarios, self.plan.scenario
        shipped = any(data == booklet.data(name) for name in booklet.names)
        return "" if shipped else str(data["name"])

    def lost_units(self, side: str) -> list[str]:
        """The units of a side that were lost in any game, in the order of the legend."""
        return [unit for unit, owner in self.sides.items() if owner == side and self.all.deaths[unit]]


def compute_findings(rules: Rules, folder: StudyFolder, games: list[int]) -> Findings:
    """The findings in the first games of each cell; `games` has their number by cell."""
    plan = folder.plan
    legend = starting_legend(rules, plan.cells[0].options, plan.scenario)
    sides = sides_by_unit(legend)
    tallies = [tally_games(folder.records(cell, number), sides) for cell, number in enumerate(games)]
    cells = [TallyRow(plan.cell_name(cell), tally) for cell, tally in zip(plan.cells, tallies, strict=True)]
    groups = {
        "edition": _group_cells(plan.cells, tallies, [cell.edition for cell in plan.cells]),
        **{
            f"option_{option}": _group_cells(
                plan.cells, tallies, [f"{option} {cell.changed[option]}" for cell in plan.cells]
            )
            for option in plan.cells[0].changed
        },
        "players": _group_cells(plan.cells, tallies, [cell.pair for cell in plan.cells]),
    }
    return Findings(
        rules,
        plan,
        legend,
        sides,
        sum_tallies(tallies),
        cells,
        {name: rows for name, rows in groups.items() if 1 < len(rows) < len(cells)},
        _group_cells(plan.cells, tallies, [cell.terms for cell in plan.cells]),
        _head_to_heads(plan, tallies),
    )


def sum_tallies(tallies: Iterable[Tally]) -> Tally:
    """The sum of the tallies."""
    return reduce(add, tallies, empty_tally())


def _group_cells(
    cells: Sequence[StudyCell], tallies: Sequence[Tally], names: Sequence[str]
) -> list[TallyRow]:
    """The summed tallies of the cells of each name."""
    return [
        TallyRow(
            name, sum_tallies(tally for tally, other in zip(tallies, names, strict=True) if other == name)
        )
        for name in dict.fromkeys(names)
    ]


def _head_to_heads(plan: StudyPlan, tallies: Sequence[Tally]) -> list[HeadToHead]:
    """The results of every two different players against each other, over all cells."""
    matches: dict[tuple[str, str], HeadToHead] = {}
    for cell, tally in zip(plan.cells, tallies, strict=True):
        (first, player), (second, opponent) = cell.players.items()
        if (opponent, player) in matches:
            first, player, second, opponent = second, opponent, first, player
        if player != opponent:
            before = matches.get((player, opponent), HeadToHead(player, opponent, 0, 0, 0))
            won, lost = before.won + tally.won[first], before.lost + tally.won[second]
            matches[player, opponent] = HeadToHead(player, opponent, before.games + tally.games, won, lost)
    return list(matches.values())
