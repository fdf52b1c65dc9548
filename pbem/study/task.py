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
from pbem.study.code_bundle import CodeBundle, check_program, load_bundled_rules
from pbem.study.playing import RunDriver, SeatedPlayer, seeded_random
from pbem.study.record import GameRecord, play_game
from pbem.study.worker_pool import same_program_hint
from pbem.texts import Texts

tr = Texts("pbem")


class SelfPlayTask(Struct, frozen=True):
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
    bundle: CodeBundle | None = None

    def carry_out(self) -> bytes:
        """Play the games: a line of JSON for each, in order. Raises `FileError` where that is impossible."""
        rules = _load_rules(self)
        start = rules.begin(self.options, self.scenario)
        lines = [
            msgspec.json.encode(_play_numbered_game(self, rules, start, number)) for number in self.games
        ]
        return b"".join(line + b"\n" for line in lines)


def _play_numbered_game(task: SelfPlayTask, rules: Rules, start: object, number: int) -> GameRecord:
    seated = {seat: _seat_player(task, rules.players, seat, number) for seat in rules.seats}
    driver = RunDriver(seated, seeded_random(task.seed, task.key, number, "draws"))
    return play_game(Run(rules, Position(start)), driver, task.cell, number)


def _seat_player(task: SelfPlayTask, players: Mapping[str, Player], seat: str, number: int) -> SeatedPlayer:
    name = task.players[seat]
    chooser = seeded_random(task.seed, task.key, number, seat)
    return SeatedPlayer(name, players[name], chooser, range(task.playouts))


def _load_rules(task: SelfPlayTask) -> Rules:
    """The rules of the task's game, from its bundle if it has one."""
    if task.bundle is None:
        return games.load(task.rules)
    check_program(task.bundle.program)
    versions = (
        load_bundled_rules(task.bundle)
        if task.bundle.archive
        else games.all_versions(task.rules.partition("/")[0])
    )
    if task.rules not in versions:
        known = ", ".join(versions)
        raise FileError(
            tr("a worker knows {found}, and not {wanted}", found=known, wanted=task.rules),
            hint=same_program_hint(),
        )
    return versions[task.rules]
