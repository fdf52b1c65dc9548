"""Studies small enough for a test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbem import games
from pbem.core.run import Position, Run
from pbem.format.canonical import canonical
from pbem.study import tally
from pbem.study.campaign import carry_out
from pbem.study.folder import GAMES, TABLE, opened
from pbem.study.plan import Plan, cells
from pbem.study.playing import Hand, Seated, stream
from pbem.study.task import Task
from pbem.study.worker_pool import Alone, WorkerPool


def plan(game: str, number: int, players: Sequence[str] = ("random",), **others: Any) -> Plan:
    """A study of so many games in the first edition, by players who take no time."""
    rules = games.load(game)
    changed = others.pop("changed", {})
    editions = others.pop("editions", list(rules.editions)[:1])
    scenario = rules.scenarios.data(rules.scenarios.names[0])
    chosen = cells(rules, editions, changed, players)
    return Plan(f"{rules.name}/{rules.version}", scenario, chosen, others.pop("seed", 1), number, **others)


def sides(of: Plan) -> dict[str, str]:
    """The side of every unit."""
    rules = games.load(of.rules.partition("/")[0])
    return tally.sides_of(tally.beginning(rules, of.cells[0].options, of.scenario))


def table(of: Plan, folder: Path, crew: WorkerPool | None = None) -> bytes:
    """Play a study to its end: the bytes of its files."""
    with opened(folder, of) as results:
        results.finish(carry_out(results, crew or Alone(), None, lambda done, number: None), sides(of))
    return (folder / GAMES).read_bytes() + (folder / TABLE).read_bytes()


def task(of: Plan, games: Sequence[int], **others: Any) -> Task:
    """Some games of the first cell."""
    cell = of.cells[0]
    return Task(
        of.rules,
        of.scenario,
        cell.options,
        cell.players,
        of.playouts,
        of.seed,
        of.key(cell),
        0,
        tuple(games),
        **others,
    )


def beginning(game: str, player: str, steps: int = 60) -> str:
    """The public position, as JSON, after so many questions and chances between two such players."""
    rules = games.load(game)
    seated = {seat: Seated(player, rules.players[player], stream(1, seat), range(2)) for seat in rules.seats}
    of = plan(game, 1)
    run, hand = Run(rules, Position(rules.begin(of.cells[0].options, of.scenario))), Hand(seated, stream(1))
    for _ in range(steps):
        hand.settle(run)
    return canonical(rules.public(run.state)).decode()
