"""What the commands that play many games share: their options, and the workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pbem.cli.arguments import report_errors_at
from pbem.cli.session import local_player
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.errors import FileError
from pbem.format.yaml_reader import parse_yaml
from pbem.render.words import quote_path
from pbem.study.clusters import WaitListener, dask_pool
from pbem.study.plan import StudyCell, make_cells
from pbem.study.worker_pool import WorkerPool, cores, local_pool
from pbem.umpire.scenario import scenario_faults

Playouts = Annotated[int, typer.Option("--playouts", min=0, help="A decision, for players that search.")]
Seed = Annotated[int, typer.Option("--seed", help="Another seed, other games.")]
Scheduler = Annotated[
    str, typer.Option("--cluster", help="A Dask scheduler: tcp://HOST:8786, or the file it has written.")
]


PoolFactory: TypeAlias = Callable[[WaitListener], AbstractContextManager[WorkerPool]]
"""Opens a pool of workers; its argument is told what they wait for."""


def pool_factory(workers: int, scheduler: str) -> PoolFactory:
    """The pool of workers that the options ask for: on a cluster, or on this computer."""
    if scheduler:
        return lambda heard: dask_pool(scheduler, heard)
    return lambda heard: local_pool(workers or cores())


def load_scenario(rules: Rules, file: Path | None) -> Plain:
    """The scenario that ships with a game, or a player's own. Raises `FileError` if it cannot be played."""
    if file is None:
        return rules.scenarios.data(rules.scenarios.names[0])
    data = parse_yaml(local_player().read(file))
    if wrong := scenario_faults(data, rules):
        raise FileError(wrong[0], hint=f"pbem scenario check {quote_path(file)} --game {rules.called}")
    return data


def checked_cells(
    rules: Rules,
    scenario: Plain,
    editions: Sequence[str],
    changed: Mapping[str, Sequence[Plain]],
    players: Sequence[str],
) -> list[StudyCell]:
    """The cells to play, as typed. The rules have begun a game of each, so they accept its options."""
    try:
        found = make_cells(rules, editions, changed, players)
    except FileError as error:
        raise typer.BadParameter(str(error.problem), param_hint=error.where) from None
    for cell in found:
        with report_errors_at("--option"):
            rules.begin(cell.options, scenario)
    return found
