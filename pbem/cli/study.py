"""Many games between computer players: `study` measures how fair a scenario is, `study tune` adjusts it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from typer.core import TyperCommand

from pbem import games as known
from pbem.analysis.code_bundle import bundle_code
from pbem.analysis.dask_cluster import WaitListener, dask_pool
from pbem.analysis.findings import compute_findings, sides_by_unit, starting_legend
from pbem.analysis.scenario_tuning import (
    CHECK,
    BalanceGoal,
    ScenarioTrials,
    TuningResult,
    ValuePath,
    describe_changes,
    find_paths,
    number_at,
    replace_numbers,
    tune_scenario,
    with_numbers,
)
from pbem.analysis.self_play import SelfPlayTask
from pbem.analysis.study import (
    DEFAULT_PLAYER,
    DEFAULT_PLAYOUTS,
    GAMES_FILE,
    PAGE_FILE,
    TABLE_FILE,
    StudyCell,
    StudyPlan,
    make_cells,
    open_study,
    run_study,
    stored_editions,
)
from pbem.analysis.study_page import study_html
from pbem.analysis.study_text import describe_study, study_data
from pbem.base.files import write_atomically
from pbem.base.interrupts import raise_on_interrupt
from pbem.base.worker_pool import WorkerPool, cores, local_pool
from pbem.cli.arguments import (
    Edition,
    GameName,
    Json,
    ScenarioOption,
    Workers,
    complete_with,
    report_errors_at,
    rules_arguments,
)
from pbem.cli.command_groups import commands, translate_command
from pbem.cli.progress import TimeLeft, describe_games_done
from pbem.cli.rules import chosen_edition
from pbem.cli.session import local_player, require_computer_players
from pbem.cli.terminal import put, put_json, put_stderr
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.errors import FileError
from pbem.format.yaml_reader import parse_yaml
from pbem.format.yaml_text import decode_text
from pbem.render.safe_text import quote_path, wrap
from pbem.texts import Texts, number, percent
from pbem.umpire.offered_scenario import scenario_faults

tr = Texts("pbem")


app = commands()


Playouts = Annotated[
    int,
    typer.Option(
        "--playouts", min=0, help="The number of playouts for one decision, for players that search."
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="The seed; a different seed gives different games.")]
Scheduler = Annotated[
    str, typer.Option("--cluster", help="A Dask scheduler: tcp://HOST:8786, or the file it wrote.")
]


PoolFactory: TypeAlias = Callable[[WaitListener], AbstractContextManager[WorkerPool]]
"""Opens a pool of workers; its argument is called with what they wait for."""


def pool_factory(workers: int, scheduler: str) -> PoolFactory:
    """The pool of workers the options choose: on a cluster, or on this computer."""
    if scheduler:
        return lambda heard: dask_pool(scheduler, heard)
    return lambda heard: local_pool(workers or cores())


def load_scenario(rules: Rules, file: Path | None) -> Plain:
    """The scenario shipped with a game, or a player's own. Raises `FileError` if it cannot be played."""
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
    """The cells to play, as typed, checked by starting a game of each: the rules accept its options."""
    try:
        found = make_cells(rules, editions, changed, players)
    except FileError as error:
        raise typer.BadParameter(str(error.problem), param_hint=error.where) from None
    for cell in found:
        with report_errors_at("--option"):
            rules.begin(cell.options, scenario)
    return found


@app.command()
def tune(
    game: GameName,
    value: Annotated[
        list[str],
        typer.Option(
            "--value",
            help="A value that can change, such as units.117Inf or units.CCA.full[0]; repeat it for more.",
            autocompletion=complete_with("numbers"),
        ),
    ],
    wish: Annotated[
        str,
        typer.Option(
            "--wish", help="The balance you want, SEAT=PERCENT of the decided games (default: half)."
        ),
    ] = "",
    within: Annotated[
        float, typer.Option("--within", min=0.1, help="How many percentage points from that are near enough.")
    ] = 2.0,
    games: Annotated[
        int, typer.Option("--games", min=1, help="Roughly how many games to play at most.")
    ] = 10_000,
    edition: Edition = "",
    player: Annotated[
        str, typer.Option("--player", help="Who plays both seats.", autocompletion=complete_with("levels"))
    ] = DEFAULT_PLAYER,
    scenario: ScenarioOption = None,
    playouts: Playouts = DEFAULT_PLAYOUTS,
    seed: Seed = 1,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Write the scenario to this file (default: print it).")
    ] = None,
    workers: Workers = 0,
    scheduler: Scheduler = "",
) -> None:
    """Adjust numbers in a scenario until it has the balance you want.

    Only reconstructions change: nothing that the scenario marks as known or inferred.

    Example: pbem study tune mortain --value units.117Inf --wish german=50 -o my-mortain.yaml
    """
    if out:
        _check_writable(out)
    rules = known.load(game)
    require_computer_players(rules)
    goal = _parse_wish(rules, wish, within / 100)
    data = load_scenario(rules, scenario)
    [cell] = checked_cells(rules, data, [chosen_edition(rules, edition)], {}, [player])
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
        raise FileError(problem, where=quote_path(out), hint=tr("choose another name"))
    if not os.access(out.parent, os.W_OK | os.X_OK):
        raise FileError(tr("pbem cannot write in this folder"), where=quote_path(out.parent))


def _read_strictly(text: str, what: str) -> Plain:
    """A scenario, parsed as strictly as for a game. Raises `FileError`."""
    try:
        return parse_yaml(text.encode())
    except FileError as error:
        raise FileError(error.message, where=what) from None


def _rewrite_scenario(
    rules: Rules, text: str, data: Plain, numbers: Mapping[ValuePath, int], remark: Sequence[str]
) -> str:
    """The scenario's text with other numbers. Raises `FileError` unless it parses to exactly that.

    It is also rewritten before the first game, with the numbers unchanged, so that a file that cannot be
    rewritten is refused at once.
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
    """Search for the balance, and print each step."""

    def put_step(line: str) -> None:
        bar.clear()
        put_stderr(line)

    bench.on_progress = lambda played: bar(played, max(games, played))
    result = tune_scenario(bench, wish, games, put_step)
    put_step(tr("checked in {games} games of their own: {result}", games=number(CHECK), result=result.after))
    put_step(_describe_outcome(bench.rules, wish, result))
    return result


def _describe_outcome(rules: Rules, wish: BalanceGoal, result: TuningResult) -> str:
    """The line that says whether the wanted balance is reached."""
    wished = tr(
        "goal: {side:name} {chance}, within {near}",
        side=rules.side(wish.seat),
        chance=percent(wish.share),
        near=number(100 * wish.near, ".3g"),
    )
    match result.has_reached(wish):
        case True:
            return tr("{wished}: reached", wished=wished)
        case False:
            return tr("{wished}: not reached with these values", wished=wished)
    return tr("{wished}: perhaps reached; more games would show", wished=wished)


def _parse_wish(rules: Rules, typed: str, near: float) -> BalanceGoal:
    """Parse `german=50`; half for the first seat if nothing is typed."""
    seat, _, wished = (typed or f"{rules.seats[0]}=50").partition("=")
    if seat not in rules.seats or not re.fullmatch("[1-9][0-9]?", wished):
        problem = tr(
            "'{found}' is not SEAT=PERCENT, with a seat of {seats} and 1 to 99",
            found=typed,
            seats=", ".join(rules.seats),
        )
        raise typer.BadParameter(problem, param_hint="--wish")
    return BalanceGoal(seat, int(wished) / 100, near)


def _scenario_text(rules: Rules, file: Path | None) -> str:
    """The text of the scenario, with its comments."""
    return decode_text(local_player().read(file)) if file else rules.scenarios.text(rules.scenarios.names[0])


def _remark(bench: ScenarioTrials, wish: BalanceGoal, result: TuningResult, cell: StudyCell) -> list[str]:
    """The comment at the head of the tuned file."""
    tuned_for = tr(
        "Tuned by {command}: {side} should win {chance} of the decided games\n"
        "in edition {edition}, {players}.",
        command="pbem study tune",
        side=bench.rules.side(wish.seat),
        chance=percent(wish.share),
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
        tr("Games played: {games}, seed {seed}.", games=number(result.games), seed=str(bench.seed)),
    ]


MOST = 1_000_000
"""The most games of a study that ends by `--until`."""


class _Study(TyperCommand):
    """`pbem study GAME`, and its command `pbem study tune GAME`."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """The context of a call with these arguments; those of `tune` go to that command."""
        if args[:1] != ["tune"]:
            return super().make_context(info_name, args, parent, **extra)

        command = translate_command(typer.main.get_group(app).commands["tune"])
        return command.make_context("study tune", args[1:], parent, **extra)


@app.command(cls=_Study)
def study(
    game: GameName,
    games: Annotated[
        int | None, typer.Option("--games", min=1, help="How many games in all (default: 1000).")
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            "--until",
            min=0.1,
            help="Play until each interval is narrower than this many percentage points.",
        ),
    ] = None,
    editions: Annotated[
        str,
        typer.Option(
            "--editions",
            help="Editions separated by commas, or all (default: the one for your language).",
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
            help="One player for both seats, or several to play each other.",
            autocompletion=complete_with("levels"),
        ),
    ] = DEFAULT_PLAYER,
    scenario: ScenarioOption = None,
    playouts: Playouts = DEFAULT_PLAYOUTS,
    seed: Seed = 1,
    out: Annotated[
        Path | None, typer.Option("--out", help="The folder for the results (default: study-GAME).")
    ] = None,
    workers: Workers = 0,
    scheduler: Scheduler = "",
    as_json: Json = False,
) -> None:
    """Have computer players play many games, and show how fair each edition is.

    The same command continues where it was stopped, and gives the same table on any computer.
    Another command, pbem study tune, changes values of a scenario.

    Example: pbem study mortain --games 2000 --editions all
    """
    rules = known.load(game)
    require_computer_players(rules)
    folder = out or Path(f"study-{rules.called.replace('/', '-')}")
    named = list(rules.editions) if editions == "all" else _split_names(editions)
    data = load_scenario(rules, scenario)
    plan = StudyPlan(
        rules.pin,
        data,
        checked_cells(
            rules,
            data,
            named or stored_editions(folder) or [chosen_edition(rules, "")],
            _parse_options(option or []),
            _split_names(players) or [DEFAULT_PLAYER],
        ),
        seed,
        games or (MOST if until else 1000),
        until,
        playouts,
    )
    _run_study(rules, plan, folder, pool_factory(workers, scheduler), bool(scheduler), as_json)


def _run_study(
    rules: Rules, plan: StudyPlan, folder: Path, crew: PoolFactory, far: bool, as_json: bool
) -> None:
    """Play the games that are missing, then write and print the results."""

    with open_study(folder, plan) as results:
        bar = TimeLeft(describe_games_done)
        try:
            with raise_on_interrupt(), crew(bar.show_waiting) as workers:
                played = run_study(results, workers, bundle_code(rules.name) if far else None, bar)
        except KeyboardInterrupt:
            bar.clear()
            stopped = tr(
                "stopped: {games} games are in {folder}. To continue, run the same command again",
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
            "wrote {file}, the page with charts, and the data of all games: {table}, {games}",
            file=quote_path(folder / PAGE_FILE),
            table=TABLE_FILE,
            games=GAMES_FILE,
        )
        put(wrap(wrote))


def _split_names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _parse_options(typed: list[str]) -> dict[str, list[Plain]]:
    """Parse `turns=5,6` into the option and its values."""
    chosen: dict[str, list[Plain]] = {}
    for change in typed:
        name, sign, values = change.partition("=")
        if not sign or not _split_names(values):
            problem = tr("must be {expected}, not '{found}'", found=change, expected="NAME=A,B")
            raise typer.BadParameter(problem, param_hint="--option")
        chosen[name] = [parse_yaml(value.encode()) for value in _split_names(values)]
    return chosen
