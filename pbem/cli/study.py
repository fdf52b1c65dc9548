"""How fair a scenario is: `study`, by many games of the practice players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from pbem import games as known
from pbem.base.files import write_atomically
from pbem.base.interrupts import catch
from pbem.cli.arguments import GameName, Json, Scenario, Workers, offering
from pbem.cli.lazy import commands
from pbem.cli.progress import TimeLeft, of_games
from pbem.cli.study_options import Crews, Playouts, Scheduler, Seed, chosen_cells, crews, own_or_shipped
from pbem.cli.terminal import put, put_json, say
from pbem.cli.usage import translated
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.format.yaml_reader import read_yaml
from pbem.render.words import quoted, wrap
from pbem.study.plan import PLAYOUTS, SIMPLE, Plan
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

        command = translated(typer.main.get_group(tuning).commands["tune"])
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
            autocompletion=offering("editions"),
        ),
    ] = "",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            help="Values of an option to compare: NAME=A,B.",
            autocompletion=offering("options"),
        ),
    ] = None,
    players: Annotated[
        str,
        typer.Option(
            "--players",
            help="One for both seats, or several, each against each.",
            autocompletion=offering("levels"),
        ),
    ] = SIMPLE,
    scenario: Scenario = None,
    playouts: Playouts = PLAYOUTS,
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
    named = list(rules.editions) if editions == "all" else _names(editions) or [next(iter(rules.editions))]
    data = own_or_shipped(rules, scenario)
    plan = Plan(
        rules.pin,
        data,
        chosen_cells(rules, data, named, _options(option or []), _names(players) or [SIMPLE]),
        seed,
        games or (MOST if until else 1000),
        until,
        playouts,
    )
    folder = out or Path(f"study-{rules.called.replace('/', '-')}")
    _study(rules, plan, folder, crews(workers, scheduler), bool(scheduler), as_json)


def _study(rules: Rules, plan: Plan, folder: Path, crew: Crews, far: bool, as_json: bool) -> None:
    """Play the games that are missing, and write and print the results."""
    from pbem.study.campaign import carry_out
    from pbem.study.code_bundle import pack
    from pbem.study.findings import found
    from pbem.study.folder import GAMES, PAGE, TABLE, opened  # here, because a usage error needs none of it
    from pbem.study.page import page_of
    from pbem.study.summary import study_data, study_told
    from pbem.study.tally import beginning, sides_of

    with opened(folder, plan) as results:
        bar = TimeLeft(of_games)
        try:
            with catch(), crew(bar.waits) as workers:
                played = carry_out(results, workers, pack(rules.name) if far else None, bar)
        except KeyboardInterrupt:
            bar.clear()
            stopped = tr(
                "stopped: {games} games are in {folder}; the same command goes on from there",
                games=number(bar.done),
                folder=quoted(folder),
            )
            say(stopped)
            raise typer.Exit(1) from None
        finally:
            bar.clear()
        results.finish(played, sides_of(beginning(rules, plan.cells[0].options, plan.scenario)))
        findings = found(rules, results, played)
        write_atomically(folder / PAGE, page_of(findings))
        if as_json:
            put_json(study_data(findings))
            return
        put(study_told(findings))
        wrote = tr(
            "wrote {file}, the page with charts, and all games: {table}, {games}",
            file=quoted(folder / PAGE),
            table=TABLE,
            games=GAMES,
        )
        put(wrap(wrote))


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _options(typed: list[str]) -> dict[str, list[Plain]]:
    """`turns=5,6` as the option and its values."""
    chosen: dict[str, list[Plain]] = {}
    for change in typed:
        name, sign, values = change.partition("=")
        if not sign or not _names(values):
            problem = tr("must be {expected}, not '{found}'", found=change, expected="NAME=A,B")
            raise typer.BadParameter(problem, param_hint="--option")
        chosen[name] = [read_yaml(value.encode()) for value in _names(values)]
    return chosen
