"""The record of a game: its end and its length; by turn the losses, and what the tracks said.

It knows no game: turns, losses and fights come from the view's `turn` and `traces`, figures from the legend.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import msgspec
from msgspec import Struct

from pbem.core.legend import Legend
from pbem.core.requests import Ask, Plain, Tell
from pbem.core.rules import View
from pbem.core.run import Run
from pbem.core.traces import Lost, Settled, Shot
from pbem.errors import FileError
from pbem.study.playing import RunDriver
from pbem.texts import ENGLISH, Texts, speaking

tr = Texts("pbem")

_COUNT = re.compile(r"(\d+)(?: of \d+)?(?: \(.*\))?")
"""A numeric figure of a legend: `3`, `3 of 5`, `1 of 5 (Fuka)`."""


class GameRecord(Struct, frozen=True, omit_defaults=True):
    """The record of a finished game.

    `winner` is None for a draw. `turns` is 0 in a game without turns. `figures` are those of the legend at
    the end of each turn, the last at the end of the game; `lost` has the turn in which each unit was
    eliminated; `fights` the number of resolved attacks by hex. `options` are those that the study sets.
    """

    cell: int
    game: int
    winner: str | None
    reason: str
    rule: str
    turns: int
    decisions: int
    figures: dict[str, list[int]]
    lost: dict[str, int]
    fights: dict[str, int]
    options: dict[str, Plain] = {}


def parse_record(line: bytes) -> GameRecord:
    """Parse a line of JSON. Raises `FileError` where it is no record."""
    try:
        return msgspec.json.decode(line, type=GameRecord)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileError(tr("a result is damaged: {error}", error=error)) from error


def numeric_figures(legend: Legend) -> dict[str, int]:
    """The numeric figures of a position, without the turn."""
    matches = {name: _COUNT.fullmatch(value) for name, value in legend.figures if name != legend.turn}
    return {name: int(match[1]) for name, match in matches.items() if match}


def play_game(run: Run, driver: RunDriver, cell: int, game: int) -> GameRecord:
    """Play a run to its end, and return its record. Raises `FileError` as `RunDriver.answer_pending`.

    The record is in English, whatever the language of the reader.
    """
    with speaking(ENGLISH):
        return _play_and_record(run, driver, cell, game)


def _play_and_record(run: Run, driver: RunDriver, cell: int, game: int) -> GameRecord:
    watch = _Recorder(run.rules.view, run.state)
    decisions = 0
    while run.pending is not None:
        decisions += isinstance(run.pending, Ask)
        driver.answer_pending(run)
        for tell in run.told:
            watch.record_event(tell)
        run.told.clear()
        watch.check_turn(run.state)
    watch.record_figures(run.state)
    outcome = run.state.outcome
    return GameRecord(
        cell,
        game,
        outcome.winner,
        str(outcome.reason),
        outcome.rule,
        watch.turn,
        decisions,
        watch.figures,
        watch.lost,
        dict(sorted(watch.fights.items())),
    )


class _Recorder:
    """Counts losses, attacks and figures while a game is played."""

    def __init__(self, view: View, state: Any) -> None:
        self._view = view
        self._traces = view.traces
        self._shot: Shot | None = None
        self.turn = view.turn(state) if view.turn else 0
        self.figures: dict[str, list[int]] = {}
        self.lost: dict[str, int] = {}
        self.fights: Counter[str] = Counter()

    def record_event(self, tell: Tell) -> None:
        """Count the traces of an event."""
        for trace in self._traces(tell) if self._traces else ():
            if isinstance(trace, Shot):
                self._shot = trace
            elif isinstance(trace, Settled) and self._shot is not None:
                self.fights[self._shot.at] += 1
                self._shot = None
            elif isinstance(trace, Lost):
                turn = self._view.turn(tell.state) if self._view.turn else 0
                self.lost.setdefault(trace.unit, turn)

    def check_turn(self, state: Any) -> None:
        """Record the figures when another turn has begun."""
        now = self._view.turn(state) if self._view.turn else 0
        if now != self.turn and state.outcome is None:
            self.record_figures(state)
            self.turn = now

    def record_figures(self, state: Any) -> None:
        """Append the figures of a position at the end of a turn."""
        for name, number in numeric_figures(self._view.legend(state)).items():
            self.figures.setdefault(name, []).append(number)
