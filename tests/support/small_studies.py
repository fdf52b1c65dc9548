"""Studies small enough for a test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbem import games
from pbem.analysis import findings
from pbem.analysis.self_play import RunDriver, SeatedPlayer, SelfPlayTask, seeded_random
from pbem.analysis.study import GAMES_FILE, TABLE_FILE, StudyPlan, make_cells, open_study, run_study
from pbem.base.worker_pool import InProcessPool, WorkerPool
from pbem.core.run import Position, Run
from pbem.format.canonical import canonical_form


def study_plan(game: str, number: int, players: Sequence[str] = ("random",), **others: Any) -> StudyPlan:
    """A study of this many games in the first edition, by players who take no time."""
    rules = games.load(game)
    changed = others.pop("changed", {})
    editions = others.pop("editions", list(rules.editions)[:1])
    scenario = rules.scenarios.data(rules.scenarios.names[0])
    chosen = make_cells(rules, editions, changed, players)
    return StudyPlan(
        f"{rules.name}/{rules.version}", scenario, chosen, others.pop("seed", 1), number, **others
    )


def sides_of_units(of: StudyPlan) -> dict[str, str]:
    """The side of every unit."""
    rules = games.load(of.rules.partition("/")[0])
    return findings.sides_by_unit(findings.starting_legend(rules, of.cells[0].options, of.scenario))


def play_study(of: StudyPlan, folder: Path, crew: WorkerPool | None = None) -> bytes:
    """Play a study to its end. Returns the bytes of its files."""
    with open_study(folder, of) as results:
        results.write_tables(
            run_study(results, crew or InProcessPool(), None, lambda done, number: None), sides_of_units(of)
        )
    return (folder / GAMES_FILE).read_bytes() + (folder / TABLE_FILE).read_bytes()


def study_task(of: StudyPlan, games: Sequence[int], **others: Any) -> SelfPlayTask:
    """Some games of the first cell."""
    cell = of.cells[0]
    return SelfPlayTask(
        of.rules,
        of.scenario,
        cell.options,
        cell.players,
        of.playouts,
        of.seed,
        of.cell_key(cell),
        0,
        tuple(games),
        **others,
    )


def public_position(game: str, player: str, steps: int = 60) -> str:
    """The public position, as JSON, after this many questions and chances between two such players."""
    rules = games.load(game)
    seated = {
        seat: SeatedPlayer(player, rules.players[player], seeded_random(1, seat), range(2))
        for seat in rules.seats
    }
    of = study_plan(game, 1)
    run, hand = (
        Run(rules, Position(rules.begin(of.cells[0].options, of.scenario))),
        RunDriver(seated, seeded_random(1)),
    )
    for _ in range(steps):
        hand.answer_pending(run)
    return canonical_form(rules.public(run.state)).decode()
