"""Changing the values of a scenario for balance: `study tune`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from pbem import games as known
from pbem.base.files import write_atomically
from pbem.base.interrupts import raise_on_interrupt
from pbem.cli.arguments import Edition, GameName, ScenarioOption, Workers, complete_with, rules_arguments
from pbem.cli.lazy import commands
from pbem.cli.progress import TimeLeft, describe_games_done
from pbem.cli.session import local_player
from pbem.cli.study_options import Playouts, Scheduler, Seed, checked_cells, load_scenario, pool_factory
from pbem.cli.terminal import put, put_stderr
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.errors import FileError
from pbem.format.file_text import decode_text
from pbem.format.yaml_reader import parse_yaml
from pbem.render.words import quote_path
from pbem.study.code_bundle import bundle_code
from pbem.study.plan import DEFAULT_PLAYER, DEFAULT_PLAYOUTS, StudyCell
from pbem.study.task import SelfPlayTask
from pbem.study.tune import CHECK, BalanceGoal, ScenarioTrials, TuningResult, describe_changes, tune_scenario
from pbem.study.values import ValuePath, find_paths, number_at, replace_numbers, with_numbers
from pbem.texts import Texts, number
from pbem.umpire.scenario import scenario_faults

app = commands()
tr = Texts("pbem")


@app.command()
def tune(
    game: GameName,
    value: Annotated[
        list[str],
        typer.Option(
            "--value",
            help="What may change: units.117Inf, units.CCA.full[0]. Repeat it.",
            autocompletion=complete_with("numbers"),
        ),
    ],
    wish: Annotated[
        str, typer.Option("--wish", help="SEAT=PERCENT of the decided games; half, if nothing is said.")
    ] = "",
    within: Annotated[
        float, typer.Option("--within", min=0.1, help="How many points from that are near enough.")
    ] = 2.0,
    games: Annotated[int, typer.Option("--games", min=1, help="About how many games at most.")] = 10_000,
    edition: Edition = "",
    player: Annotated[
        str, typer.Option("--player", help="Who plays both seats.", autocompletion=complete_with("levels"))
    ] = DEFAULT_PLAYER,
    scenario: ScenarioOption = None,
    playouts: Playouts = DEFAULT_PLAYOUTS,
    seed: Seed = 1,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Write the scenario there; else it is printed.")
    ] = None,
    workers: Workers = 0,
    scheduler: Scheduler = "",
) -> None:
    """Change numbers of a scenario until it has the balance that you wish.

    Only reconstructions change: nothing that the scenario marks as known or inferred.

    Example: pbem study tune mortain --value units.117Inf --wish german=50 -o my-mortain.yaml
    """
    if out:
        _check_writable(out)
    rules = known.load(game)
    goal = _parse_wish(rules, wish, within / 100)
    data = load_scenario(rules, scenario)
    [cell] = checked_cells(rules, data, [edition or next(iter(rules.editions))], {}, [player])
    paths, text = find_paths(data, value), _scenario_text(rules, scenario)
    _read_strictly(text, tr("the scenario"))
    _rewrite_scenario(rules, text, data, {path: number_at(data, path) for path in paths}, [])
    pin, parcel = rules.pin, bundle_code(rules.name) if scheduler else None
    task = SelfPlayTask(pin, data, cell.options, cell.players, playouts, seed, "tune", 0, (), parcel)
    bar = TimeLeft(describe_games_done)
    try:
        with raise_on_interrupt(), pool_factory(workers, scheduler)(bar.show_waiting) as crew:
            bench = ScenarioTrials(rules, task, paths, goal, crew)
            result = _search(bench, goal, games, bar)
    finally:
        bar.clear()
    if not result.numbers:
        put(tr("nothing was changed, so nothing was written"))
        return
    written = _rewrite_scenario(rules, text, data, result.numbers, _remark(bench, goal, result, cell))
    if out is None:
        typer.echo(written, nl=False)
        return
    write_atomically(out, written.encode())
    play = f"pbem new {rules_arguments(rules)} --seat … --scenario {quote_path(out)}"
    put(tr("wrote {file}: {command}", file=quote_path(out), command=play))


def _check_writable(out: Path) -> None:
    """Raise `FileError` if the file cannot be written, before hours of games are played for it."""
    if out.is_symlink() or out.exists():
        problem = tr("already exists; nothing was written")
        raise FileError(problem, where=quote_path(out), hint=tr("give another name"))
    if not os.access(out.parent, os.W_OK | os.X_OK):
        raise FileError(tr("nothing can be written in this folder"), where=quote_path(out.parent))


def _read_strictly(text: str, what: str) -> Plain:
    """A scenario, read as strictly as for a game. Raises `FileError`."""
    try:
        return parse_yaml(text.encode())
    except FileError as error:
        raise FileError(error.message, where=what) from None


def _rewrite_scenario(
    rules: Rules, text: str, data: Plain, numbers: Mapping[ValuePath, int], remark: Sequence[str]
) -> str:
    """The scenario's text with other numbers. Raises `FileError` unless it reads as exactly that.

    It is also made before the first game, with the numbers unchanged, so that a file that cannot be rewritten
    is refused at once.
    """
    name = f"{data['name'][:26]}-tuned"
    written = replace_numbers(text, numbers, name, remark)
    read = _read_strictly(written, tr("the tuned scenario"))
    for fault in scenario_faults(read, rules):
        raise FileError(fault, where=tr("the tuned scenario"))
    if read != {**with_numbers(data, numbers), "name": name}:
        raise FileError(tr("the file cannot be written with other numbers"), where=tr("the tuned scenario"))
    return written


def _search(bench: ScenarioTrials, wish: BalanceGoal, games: int, bar: TimeLeft) -> TuningResult:
    """Search, and print each step."""

    def put_step(line: str) -> None:
        bar.clear()
        put_stderr(line)

    bench.on_progress = lambda played: bar(played, max(games, played))
    result = tune_scenario(bench, wish, games, put_step)
    put_step(tr("checked in {games} games of their own: {result}", games=number(CHECK), result=result.after))
    put_step(_describe_outcome(bench.rules, wish, result))
    return result


def _describe_outcome(rules: Rules, wish: BalanceGoal, result: TuningResult) -> str:
    """The line on whether the wish is reached."""
    wished = tr(
        "wished: {side:name} {percent} %, within {near}",
        side=rules.side(wish.seat),
        percent=f"{100 * wish.share:.0f}",
        near=number(100 * wish.near, ".3g"),
    )
    match result.has_reached(wish):
        case True:
            return tr("{wished}: reached", wished=wished)
        case False:
            return tr("{wished}: not reached by these values", wished=wished)
    return tr("{wished}: perhaps reached, more games would tell", wished=wished)


def _parse_wish(rules: Rules, typed: str, near: float) -> BalanceGoal:
    """Parse `german=50`; half for the first seat, if nothing is typed."""
    seat, _, percent = (typed or f"{rules.seats[0]}=50").partition("=")
    if seat not in rules.seats or not re.fullmatch("[1-9][0-9]?", percent):
        problem = tr(
            "'{found}' is not SEAT=PERCENT, with a seat of {seats} and 1 to 99",
            found=typed,
            seats=", ".join(rules.seats),
        )
        raise typer.BadParameter(problem, param_hint="--wish")
    return BalanceGoal(seat, int(percent) / 100, near)


def _scenario_text(rules: Rules, file: Path | None) -> str:
    """The text of the scenario, with its comments."""
    return decode_text(local_player().read(file)) if file else rules.scenarios.text(rules.scenarios.names[0])


def _remark(bench: ScenarioTrials, wish: BalanceGoal, result: TuningResult, cell: StudyCell) -> list[str]:
    """The comment at the head of the tuned file."""
    tuned_for = tr(
        "Tuned by {command}: {side} should win {percent} % of the decided games\n"
        "in edition {edition}, {players}.",
        command="pbem study tune",
        side=bench.rules.side(wish.seat),
        percent=f"{100 * wish.share:.0f}",
        edition=cell.edition,
        players=cell.pair,
    )
    came_of_it = tr(
        "Before: {before}. After, in {games} games of their own: {after}.",
        before=result.before,
        games=number(CHECK),
        after=result.after,
    )
    return [
        *tuned_for.split("\n"),
        tr("Changed: {values}.", values=describe_changes(result.numbers, bench)),
        came_of_it,
        _describe_outcome(bench.rules, wish, result),
        tr("Games played: {games}, seed {seed}.", games=number(result.games), seed=bench.seed),
    ]
