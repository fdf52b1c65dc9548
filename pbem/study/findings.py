"""The findings of a study: every cell, and the cells taken together by edition, by option, and by player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add

from msgspec import Struct

from pbem.core.legend import Legend
from pbem.core.rules import Rules
from pbem.study.folder import Folder
from pbem.study.intervals import wilson
from pbem.study.plan import Cell, Plan
from pbem.study.tally import Tally, beginning, counted, nothing, sides_of
from pbem.texts import Texts


class Row(Struct, frozen=True):
    """The tally of some games, under a name."""

    name: str
    tally: Tally


class Match(Struct, frozen=True):
    """Two players against each other, in both seats together: games, and how many `player` won and lost."""

    one: str
    other: str
    games: int
    won: int
    lost: int

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the player's share of the decided games."""
        return wilson(self.won, self.won + self.lost)


class Findings(Struct, frozen=True):
    """All findings of a study.

    `groups` are sums over cells, each group by what its rows differ in; `terms` sums over cells that differ
    in their players alone: with every player in both seats they say how fair the terms are.
    """

    rules: Rules
    plan: Plan
    legend: Legend
    sides: dict[str, str]
    all: Tally
    cells: list[Row]
    groups: dict[str, list[Row]]
    terms: list[Row]
    matches: list[Match]

    def seat(self, seat: str) -> str:
        """The name of a seat: the map's, if it has one."""
        return self.legend.sides.get(seat, seat.capitalize())

    def said(self, text: str) -> str:
        """A text of the game in a record, which is English, in the reader's language."""
        return Texts(self.rules.package)(text)

    @property
    def own(self) -> str:
        """The name of the scenario, if it is none that ships with the game; else empty."""
        booklet, data = self.rules.scenarios, self.plan.scenario
        shipped = any(data == booklet.data(name) for name in booklet.names)
        return "" if shipped else str(data["name"])

    def units(self, side: str) -> list[str]:
        """The units of a side that were lost in any game, in the order of the legend."""
        return [unit for unit, owner in self.sides.items() if owner == side and self.all.deaths[unit]]


def found(rules: Rules, folder: Folder, games: list[int]) -> Findings:
    """The findings in the first games of each cell; `games` has their number by cell."""
    plan = folder.plan
    legend = beginning(rules, plan.cells[0].options, plan.scenario)
    sides = sides_of(legend)
    tallies = [counted(folder.records(cell, number), sides) for cell, number in enumerate(games)]
    cells = [Row(plan.name(cell), tally) for cell, tally in zip(plan.cells, tallies, strict=True)]
    groups = {
        "edition": _group(plan.cells, tallies, [cell.edition for cell in plan.cells]),
        **{
            f"option_{option}": _group(
                plan.cells, tallies, [f"{option} {cell.changed[option]}" for cell in plan.cells]
            )
            for option in plan.cells[0].changed
        },
        "players": _group(plan.cells, tallies, [cell.pair for cell in plan.cells]),
    }
    return Findings(
        rules,
        plan,
        legend,
        sides,
        total(tallies),
        cells,
        {name: rows for name, rows in groups.items() if 1 < len(rows) < len(cells)},
        _group(plan.cells, tallies, [cell.terms for cell in plan.cells]),
        _matches(plan, tallies),
    )


def total(tallies: Iterable[Tally]) -> Tally:
    """The sum of the tallies."""
    return reduce(add, tallies, nothing())


def _group(cells: Sequence[Cell], tallies: Sequence[Tally], names: Sequence[str]) -> list[Row]:
    """The summed tallies of the cells of each name."""
    return [
        Row(name, total(tally for tally, other in zip(tallies, names, strict=True) if other == name))
        for name in dict.fromkeys(names)
    ]


def _matches(plan: Plan, tallies: Sequence[Tally]) -> list[Match]:
    """The results of every two different players against each other, over all cells."""
    matches: dict[tuple[str, str], Match] = {}
    for cell, tally in zip(plan.cells, tallies, strict=True):
        (first, player), (second, opponent) = cell.players.items()
        if (opponent, player) in matches:
            first, player, second, opponent = second, opponent, first, player
        if player != opponent:
            before = matches.get((player, opponent), Match(player, opponent, 0, 0, 0))
            won, lost = before.won + tally.won[first], before.lost + tally.won[second]
            matches[player, opponent] = Match(player, opponent, before.games + tally.games, won, lost)
    return list(matches.values())
