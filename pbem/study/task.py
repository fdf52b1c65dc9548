"""Some games of a cell, as they travel to whoever plays them, and the lines that come back.

A task holds all that its games need: options, scenario, players and seeds; to a cluster a third party's game
as well. A worker needs this program and no files of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from pbem import games
from pbem.core.requests import Plain
from pbem.core.rules import Player, Rules
from pbem.core.run import Position, Run
from pbem.errors import FileError
from pbem.study.code_bundle import Parcel, check_program, unpacked
from pbem.study.playing import Hand, Seated, stream
from pbem.study.record import Record, played
from pbem.study.worker_pool import everywhere
from pbem.texts import Texts

tr = Texts("pbem")


class Task(Struct, frozen=True):
    """Games of a cell by their numbers. `key` is `StudyPlan.cell_key`; `bundle` is None on this computer."""

    rules: str
    scenario: Plain
    options: dict[str, Plain]
    players: dict[str, str]
    playouts: int
    seed: int
    key: str
    cell: int
    games: tuple[int, ...]
    parcel: Parcel | None = None

    def carry_out(self) -> bytes:
        """Play the games: a line of JSON for each, in order. Raises `FileError` where that is impossible."""
        rules = _rules(self)
        start = rules.begin(self.options, self.scenario)
        lines = [msgspec.json.encode(_game(self, rules, start, number)) for number in self.games]
        return b"".join(line + b"\n" for line in lines)


def _game(task: Task, rules: Rules, start: object, number: int) -> Record:
    seated = {seat: _seated(task, rules.players, seat, number) for seat in rules.seats}
    driver = Hand(seated, stream(task.seed, task.key, number, "draws"))
    return played(Run(rules, Position(start)), driver, task.cell, number)


def _seated(task: Task, players: Mapping[str, Player], seat: str, number: int) -> Seated:
    name = task.players[seat]
    chooser = stream(task.seed, task.key, number, seat)
    return Seated(name, players[name], chooser, range(task.playouts))


def _rules(task: Task) -> Rules:
    """The rules of the task's game, from its bundle if it has one."""
    if task.parcel is None:
        return games.load(task.rules)
    check_program(task.parcel.program)
    versions = unpacked(task.parcel) if task.parcel.archive else games.every(task.rules.partition("/")[0])
    if task.rules not in versions:
        known = ", ".join(versions)
        raise FileError(
            tr("a worker knows {found}, and not {wanted}", found=known, wanted=task.rules), hint=everywhere()
        )
    return versions[task.rules]
