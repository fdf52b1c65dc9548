"""The findings of a study: tallies of each cell, and of cells grouped by edition, option and player.

The sum of two tallies is that of all their games, in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import add

from msgspec import Struct

from pbem.analysis.self_play import GameRecord
from pbem.analysis.statistics import wilson_interval
from pbem.analysis.study import StudyCell, StudyFolder, StudyPlan
from pbem.core.legend import Cell, Legend, Margin
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.messages import message_from
from pbem.texts import Texts

DRAW = ""
"""The "winner" of a drawn game."""

_Marks = Counter[tuple[str, int]]
"""Counts by name and turn."""


class Tally(Struct):
    """Counts over games.

    `won` counts games by winning seat, or `DRAW`; `ends` by winner, reason and rule; `turns` by length;
    `lost` counts lost units by side and turn, `deaths` by name; `rises` sums the rise of each figure in each
    turn; `fights` counts attacks by hex.
    """

    games: int
    won: Counter[str]
    ends: Counter[tuple[str, str, str]]
    turns: Counter[int]
    decisions: int
    lost: _Marks
    deaths: Counter[str]
    rises: _Marks
    fights: Counter[str]

    def __add__(self, other: Tally) -> Tally:
        """The tally of the games of both."""
        return Tally(
            *(
                _sum(mine, theirs)
                for mine, theirs in zip(_field_values(self), _field_values(other), strict=True)
            )
        )

    def share(self, seat: str) -> float:
        """The share of games won by a seat, or drawn for `DRAW`, from 0 to 1."""
        return self.won[seat] / self.games if self.games else 0.0

    def interval(self, seat: str) -> tuple[float, float]:
        """The 95% interval of the share of games won by a seat, or drawn."""
        return wilson_interval(self.won[seat], self.games)

    @property
    def length(self) -> float:
        """The mean length of a game in turns, or in decisions if the game has no turns."""
        turns = sum(turns * games for turns, games in self.turns.items())
        return (turns or self.decisions) / max(self.games, 1)

    def losses(self, side: str) -> list[float]:
        """The mean number of units a side has lost by the end of each turn."""
        return self._by_turn(self.lost, side)

    def figure(self, name: str) -> list[float]:
        """The mean of a figure at the end of each turn; a finished game keeps its last value."""
        return self._by_turn(self.rises, name)

    def figures(self) -> list[str]:
        """The names of the figures that ever changed."""
        return list(dict.fromkeys(name for name, _ in self.rises))

    def _by_turn(self, marks: _Marks, name: str) -> list[float]:
        total, means = 0, []
        for turn in range(1, max(self.turns, default=0) + 1):
            total += marks[name, turn]
            means.append(total / self.games)
        return means


def _sum(mine: Plain, theirs: Plain) -> Plain:
    """The sum of two numbers or counters; `+` of counters would drop negative counts."""
    if isinstance(mine, int):
        return mine + theirs
    both: Counter[Plain] = Counter(mine)
    both.update(theirs)
    return both


def _field_values(tally: Tally) -> tuple[Plain, ...]:
    return tuple(getattr(tally, name) for name in tally.__struct_fields__)


def tally_games(records: Iterable[GameRecord], sides: Mapping[str, str]) -> Tally:
    """The tally of games; `sides` maps every unit to its side."""
    tally = empty_tally()
    for record in records:
        winner = record.winner or DRAW
        tally.games += 1
        tally.won[winner] += 1
        tally.ends[winner, record.reason, record.rule] += 1
        tally.turns[record.turns] += 1
        tally.decisions += record.decisions
        tally.deaths.update(list(record.lost))
        tally.fights.update(record.fights)
        tally.lost.update((sides.get(unit, ""), turn) for unit, turn in record.lost.items())
        for name, values in record.figures.items():
            for turn, (before, now) in enumerate(zip([0, *values], values, strict=False), start=1):
                tally.rises[name, turn] += now - before
    return tally


def empty_tally() -> Tally:
    """The tally of no games."""
    return Tally(0, Counter(), Counter(), Counter(), 0, Counter(), Counter(), Counter(), Counter())


def sides_by_unit(legend: Legend) -> dict[str, str]:
    """The side of every unit of a position, on the map and off it."""
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    return {piece.name: piece.side for place in places for piece in place.pieces}


def starting_legend(rules: Rules, options: Mapping[str, Plain], scenario: Plain) -> Legend:
    """The legend before the first move: the map and all counters."""
    legend: Legend = rules.view.legend(rules.begin(options, scenario))
    return legend


class TallyRow(Struct, frozen=True):
    """A tally with a name."""

    name: str
    tally: Tally


class HeadToHead(Struct, frozen=True):
    """Two players against each other, over both seats: the games, and how many `player` won and lost."""

    player: str
    opponent: str
    games: int
    won: int
    lost: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the player's share of the decided games."""
        return wilson_interval(self.won, self.won + self.lost)


class Findings(Struct, frozen=True):
    """All findings of a study.

    `groups` are sums over cells, each group named after the difference between its rows; `terms` are sums
    over cells with the same terms and different players: with every player in both seats they show how fair
    the terms are. `reasons` maps the English reasons in records to their messages, as data, if these have
    placeholders.
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
    reasons: dict[str, Plain]

    def seat_name(self, seat: str) -> str:
        """The name of a seat, from the map if it has one."""
        return self.legend.sides.get(seat, seat.capitalize())

    def translate(self, text: str) -> str:
        """An English text of the game from a record, in the reader's language."""
        return Texts(self.rules.package)(text)

    def say_reason(self, reason: str) -> str:
        """The reason why games ended, in the reader's language."""
        try:
            return str(message_from(self.reasons[reason], {"pbem", self.rules.package}))
        except (LookupError, TypeError, ValueError):  # without placeholders, or edited by hand
            return self.translate(reason)

    @property
    def own_scenario(self) -> str:
        """The name of the scenario, or an empty text if it ships with the game."""
        booklet, data = self.rules.scenarios, self.plan.scenario
        shipped = any(data == booklet.data(name) for name in booklet.names)
        return "" if shipped else str(data["name"])

    def lost_units(self, side: str) -> list[str]:
        """The units of a side lost in any game, in the order of the legend."""
        return [unit for unit, owner in self.sides.items() if owner == side and self.all.deaths[unit]]


def compute_findings(rules: Rules, folder: StudyFolder, games: list[int]) -> Findings:
    """The findings from the first games of each cell; `games` has their number by cell."""
    plan = folder.plan
    legend = starting_legend(rules, plan.cells[0].options, plan.scenario)
    sides = sides_by_unit(legend)
    reasons: dict[str, Plain] = {}
    tallies = [
        tally_games(_note_reasons(folder.records(cell, number), reasons), sides)
        for cell, number in enumerate(games)
    ]
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
        reasons,
    )


def _note_reasons(records: Iterable[GameRecord], reasons: dict[str, Plain]) -> Iterator[GameRecord]:
    for record in records:
        if record.said is not None:
            reasons[record.reason] = record.said
        yield record


def sum_tallies(tallies: Iterable[Tally]) -> Tally:
    """The sum of the tallies."""
    return reduce(add, tallies, empty_tally())


def _group_cells(
    cells: Sequence[StudyCell], tallies: Sequence[Tally], names: Sequence[str]
) -> list[TallyRow]:
    """The sum of the tallies for each of these names of cells."""
    return [
        TallyRow(
            name, sum_tallies(tally for tally, other in zip(tallies, names, strict=True) if other == name)
        )
        for name in dict.fromkeys(names)
    ]


def _head_to_heads(plan: StudyPlan, tallies: Sequence[Tally]) -> list[HeadToHead]:
    """The results of each pair of players against each other, over all cells."""
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
