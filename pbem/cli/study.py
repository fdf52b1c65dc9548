"""How fair a scenario is: `study`, by many games of the practice players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from pbem import games as known
from pbem.base.files import write_atomically
from pbem.base.interrupts import raise_on_interrupt
from pbem.cli.arguments import GameName, Json, ScenarioOption, Workers, complete_with
from pbem.cli.lazy import commands
from pbem.cli.progress import TimeLeft, describe_games_done
from pbem.cli.study_options import (
    Playouts,
    PoolFactory,
    Scheduler,
    Seed,
    checked_cells,
    load_scenario,
    pool_factory,
)
from pbem.cli.terminal import put, put_json, put_stderr
from pbem.cli.usage import translate_command
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.format.yaml_reader import parse_yaml
from pbem.render.words import quote_path, wrap
from pbem.study.plan import DEFAULT_PLAYER, DEFAULT_PLAYOUTS, StudyPlan
from pbem.texts import Texts, number

tr = Texts("pbem")

MOST = 1_000_000
"""The most games of a study that ends by `--until`."""


class _Study(TyperCommand):
    """`pbem study GAME`; and `pbem study tune GAME`, which is a command of its own."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """The context of a call with these arguments."""
        if args[:1] != ["tune"]:
            return super().make_context(info_name, args, parent, **extra)
        from pbem.cli.tuning import app as tuning  # here, because a study does not tune

        command = translate_command(typer.main.get_group(tuning).commands["tune"])
        return command.make_context("study tune", args[1:], parent, **extra)


app = commands()


@app.command(cls=_Study)
def study(
    game: GameName,
    games: Annotated[
        int | None, typer.Option("--games", min=1, help="How many in all; 1000, if nothing is said.")
    ] = None,
    until: Annotated[
        float | None,
        typer.Option("--until", min=0.1, help="Until each interval is narrower than so many points."),
    ] = None,
    editions: Annotated[
        str,
        typer.Option(
            "--editions",
            help="Editions with commas between, or all; the first, if none.",
            autocompletion=complete_with("editions"),
        ),
    ] = "",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            help="Values of an option to compare: NAME=A,B.",
            autocompletion=complete_with("options"),
        ),
    ] = None,
    players: Annotated[
        str,
        typer.Option(
            "--players",
            help="One for both seats, or several, each against each.",
            autocompletion=complete_with("levels"),
        ),
    ] = DEFAULT_PLAYER,
    scenario: ScenarioOption = None,
    playouts: Playouts = DEFAULT_PLAYOUTS,
    seed: Seed = 1,
    out: Annotated[Path | None, typer.Option("--out", help="Folder of the results; study-GAME.")] = None,
    workers: Workers = 0,
    scheduler: Scheduler = "",
    as_json: Json = False,
) -> None:
    """Play many games of practice players, and tell how fair each edition is.

    The same command goes on where it was stopped, and gives the same table on any computer.
    Another command, pbem study tune, changes values of a scenario.

    Example: pbem study mortain --games 2000 --editions all
    """
    rules = known.load(game)
    named = (
        list(rules.editions) if editions == "all" else _split_names(editions) or [next(iter(rules.editions))]
    )
    data = load_scenario(rules, scenario)
    plan = StudyPlan(
        rules.pin,
        data,
        checked_cells(
            rules, data, named, _parse_options(option or []), _split_names(players) or [DEFAULT_PLAYER]
        ),
        seed,
        games or (MOST if until else 1000),
        until,
        playouts,
    )
    folder = out or Path(f"study-{rules.called.replace('/', '-')}")
    _run_study(rules, plan, folder, pool_factory(workers, scheduler), bool(scheduler), as_json)


def _run_study(
    rules: Rules, plan: StudyPlan, folder: Path, crew: PoolFactory, far: bool, as_json: bool
) -> None:
    """Play the games that are missing, and write and print the results."""
    from pbem.study.campaign import run_study
    from pbem.study.code_bundle import bundle_code
    from pbem.study.findings import compute_findings
    from pbem.study.folder import (  # here, because a usage error needs none of it
        GAMES_FILE,
        PAGE_FILE,
        TABLE_FILE,
        open_study,
    )
    from pbem.study.page import study_html
    from pbem.study.summary import describe_study, study_data
    from pbem.study.tally import sides_by_unit, starting_legend

    with open_study(folder, plan) as results:
        bar = TimeLeft(describe_games_done)
        try:
            with raise_on_interrupt(), crew(bar.show_waiting) as workers:
                played = run_study(results, workers, bundle_code(rules.name) if far else None, bar)
        except KeyboardInterrupt:
            bar.clear()
            stopped = tr(
                "stopped: {games} games are in {folder}; the same command goes on from there",
                games=number(bar.done),
                folder=quote_path(folder),
            )
            put_stderr(stopped)
            raise typer.Exit(1) from None
        finally:
            bar.clear()
        results.write_tables(
            played, sides_by_unit(starting_legend(rules, plan.cells[0].options, plan.scenario))
        )
        findings = compute_findings(rules, results, played)
        write_atomically(folder / PAGE_FILE, study_html(findings))
        if as_json:
            put_json(study_data(findings))
            return
        put(describe_study(findings))
        wrote = tr(
            "wrote {file}, the page with charts, and all games: {table}, {games}",
            file=quote_path(folder / PAGE_FILE),
            table=TABLE_FILE,
            games=GAMES_FILE,
        )
        put(wrap(wrote))


def _split_names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _parse_options(typed: list[str]) -> dict[str, list[Plain]]:
    """`turns=5,6` as the option and its values."""
    chosen: dict[str, list[Plain]] = {}
    for change in typed:
        name, sign, values = change.partition("=")
        if not sign or not _split_names(values):
            problem = tr("must be {expected}, not '{found}'", found=change, expected="NAME=A,B")
            raise typer.BadParameter(problem, param_hint="--option")
        chosen[name] = [parse_yaml(value.encode()) for value in _split_names(values)]
    return chosen
