"""What the commands that play many games share: their options, and the workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pbem.cli.arguments import wrong_in
from pbem.cli.session import desk
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.errors import FileError
from pbem.format.yaml_reader import read_yaml
from pbem.render.words import quoted
from pbem.study.clusters import Heard, cluster
from pbem.study.plan import Cell, cells
from pbem.study.worker_pool import WorkerPool, at_home, cores
from pbem.umpire.scenario import faults

Playouts = Annotated[int, typer.Option("--playouts", min=0, help="A decision, for players that search.")]
Seed = Annotated[int, typer.Option("--seed", help="Another seed, other games.")]
Scheduler = Annotated[
    str, typer.Option("--cluster", help="A Dask scheduler: tcp://HOST:8786, or the file it has written.")
]


Crews: TypeAlias = Callable[[Heard], AbstractContextManager[WorkerPool]]
"""Opens a pool of workers; its argument is told what they wait for."""


def crews(workers: int, scheduler: str) -> Crews:
    """The pool of workers that the options ask for: on a cluster, or on this computer."""
    if scheduler:
        return lambda heard: cluster(scheduler, heard)
    return lambda heard: at_home(workers or cores())


def own_or_shipped(rules: Rules, file: Path | None) -> Plain:
    """The scenario that ships with a game, or a player's own. Raises `FileError` if it cannot be played."""
    if file is None:
        return rules.scenarios.data(rules.scenarios.names[0])
    data = read_yaml(desk().read(file))
    if wrong := faults(data, rules):
        raise FileError(wrong[0], hint=f"pbem scenario check {quoted(file)} --game {rules.called}")
    return data


def chosen_cells(
    rules: Rules,
    scenario: Plain,
    editions: Sequence[str],
    changed: Mapping[str, Sequence[Plain]],
    players: Sequence[str],
) -> list[Cell]:
    """The cells to play, as typed. The rules have begun a game of each, so they accept its options."""
    try:
        found = cells(rules, editions, changed, players)
    except FileError as error:
        raise typer.BadParameter(str(error.problem), param_hint=error.where) from None
    for cell in found:
        with wrong_in("--option"):
            rules.begin(cell.options, scenario)
    return found
