"""Many games counted together. Two tallies add up to that of all their games, in whatever order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from pbem.core.legend import Cell, Legend, Margin
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.study.intervals import wilson_interval
from pbem.study.record import GameRecord

DRAW = ""
"""The winner of a draw: nobody."""

_Marks = Counter[tuple[str, int]]
"""Counts by name and turn."""


class Tally(Struct):
    """Counts over games.

    `won` counts by seat, draws by `DRAW`; `ends` by winner, reason and rule; `turns` games by their length;
    `lost` units by side and turn, `deaths` units by name; `rises` by how much the figures rose in each turn;
    `fights` attacks by hex.
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
        """The tally of all games of both."""
        return Tally(
            *(
                _sum(mine, theirs)
                for mine, theirs in zip(_field_values(self), _field_values(other), strict=True)
            )
        )

    def share(self, seat: str) -> float:
        """The share of all games that a seat has won, or of the draws."""
        return self.won[seat] / self.games if self.games else 0.0

    def interval(self, seat: str) -> tuple[float, float]:
        """The interval of that share, of 95 %."""
        return wilson_interval(self.won[seat], self.games)

    @property
    def length(self) -> float:
        """The mean length of a game in turns, or in decisions where the game has none."""
        turns = sum(turns * games for turns, games in self.turns.items())
        return (turns or self.decisions) / max(self.games, 1)

    def losses(self, side: str) -> list[float]:
        """The mean number of units that a side has lost by the end of each turn."""
        return self._by_turn(self.lost, side)

    def figure(self, name: str) -> list[float]:
        """The mean of a figure at the end of each turn; a finished game keeps its last value."""
        return self._by_turn(self.rises, name)

    def figures(self) -> list[str]:
        """The figures that ever changed."""
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
    """The tally of some games; `sides` has the side of every unit."""
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
