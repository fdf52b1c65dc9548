"""Benchmark of studies: games per second on one core and on two, and the cost of a Dask cluster per game.

    cd tests && python -m benchmarks.study [--quick]

Sensible players play Mortain. Processes and workers are started, and have played a game, before the clock
runs; a study of minutes pays for that only once. Games per second are wall-clock, so keep the machine idle.
Overhead is the processor time of the process that hands out tasks and collects results; with the cluster it
includes the scheduler.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from benchmarks.run import Figure, report
from pbem.analysis.code_bundle import CodeBundle, bundle_code
from pbem.analysis.dask_cluster import dask_pool
from pbem.analysis.study import StudyPlan, open_study, run_study
from pbem.base.worker_pool import InProcessPool, WorkerPool, local_pool
from support.small_studies import study_plan


@dataclass(frozen=True)
class Effort:
    """How many games are played at a time, and how often."""

    games: int
    rounds: int


FULL, QUICK = Effort(200, 5), Effort(8, 1)


@dataclass(frozen=True)
class Cost:
    """The cost of a game: wall-clock seconds, and processor seconds of this process, which plays none."""

    wall: float
    here: float


def figures(effort: Effort) -> Iterator[Figure]:
    """Every figure, each as soon as it is measured."""
    of = study_plan("mortain", effort.games, ["sensible"])
    with local_pool(2) as two:
        found = _in_turn(of, {"1 core": InProcessPool(), "2 cores": two}, effort.rounds, None)
    for name, cost in found.items():
        yield Figure(f"games a second, {name}", f"{1 / cost.wall:.1f}")
    yield Figure("2 cores / 1 core", f"{found['1 core'].wall / found['2 cores'].wall:.2f}", ">= 1.9")
    yield Figure("overhead of processes, ms of processor a game", f"{1000 * found['2 cores'].here:.2f}")
    warnings.simplefilter("ignore")  # of Dask and its own packages
    from distributed import LocalCluster

    local = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50)  # type: ignore[no-untyped-call]
    with local, dask_pool(local.scheduler_address) as crew:
        far = _in_turn(of, {"cluster": crew}, effort.rounds, bundle_code(of.game))["cluster"]
    yield Figure("games a second, cluster of 2 workers", f"{1 / far.wall:.1f}")
    yield Figure("overhead of Dask, ms of processor a game", f"{1000 * far.here:.2f}")


def _in_turn(
    of: StudyPlan, crews: dict[str, WorkerPool], rounds: int, parcel: CodeBundle | None
) -> dict[str, Cost]:
    """The median cost of a game of the same study for each pool, round by round."""
    costs: dict[str, list[Cost]] = {name: [] for name in crews}
    for crew in crews.values():
        _cost(replace(of, games=4), crew, parcel)
    for _ in range(rounds):
        for name, crew in crews.items():
            costs[name].append(_cost(of, crew, parcel))
    return {
        name: Cost(median(one.wall for one in each), median(one.here for one in each))
        for name, each in costs.items()
    }


def _cost(of: StudyPlan, crew: WorkerPool, parcel: CodeBundle | None) -> Cost:
    with TemporaryDirectory() as folder, open_study(Path(folder) / "study", of) as results:
        wall, here = time.perf_counter(), time.process_time()
        run_study(results, crew, parcel, lambda done, number: None)
        return Cost((time.perf_counter() - wall) / of.games, (time.process_time() - here) / of.games)


if __name__ == "__main__":
    report(figures(QUICK if "--quick" in sys.argv[1:] else FULL))
