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
from pbem.base.interrupts import catch
from pbem.cli.arguments import Edition, GameName, Scenario, Workers, offered_as, offering
from pbem.cli.lazy import commands
from pbem.cli.progress import TimeLeft, of_games
from pbem.cli.session import desk
from pbem.cli.study_options import Playouts, Scheduler, Seed, chosen_cells, crews, own_or_shipped
from pbem.cli.terminal import put, say
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.errors import FileError
from pbem.format.file_text import decode
from pbem.format.yaml_reader import read_yaml
from pbem.render.words import quoted
from pbem.study.code_bundle import pack
from pbem.study.plan import PLAYOUTS, SIMPLE, Cell
from pbem.study.task import Task
from pbem.study.tune import CHECK, Bench, Tuned, Wish, changes_in_words, tuned
from pbem.study.values import ValuePath, changed, number_at, paths_named, rewritten
from pbem.texts import Texts, number
from pbem.umpire.scenario import faults

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
            autocompletion=offering("numbers"),
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
        str, typer.Option("--player", help="Who plays both seats.", autocompletion=offering("levels"))
    ] = SIMPLE,
    scenario: Scenario = None,
    playouts: Playouts = PLAYOUTS,
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
        _free(out)
    rules = known.load(game)
    goal = _wish(rules, wish, within / 100)
    data = own_or_shipped(rules, scenario)
    [cell] = chosen_cells(rules, data, [edition or next(iter(rules.editions))], {}, [player])
    paths, text = paths_named(data, value), _text(rules, scenario)
    _strictly(text, tr("the scenario"))
    _checked(rules, text, data, {path: number_at(data, path) for path in paths}, [])
    pin, parcel = rules.pin, pack(rules.name) if scheduler else None
    task = Task(pin, data, cell.options, cell.players, playouts, seed, "tune", 0, (), parcel)
    bar = TimeLeft(of_games)
    try:
        with catch(), crews(workers, scheduler)(bar.waits) as crew:
            bench = Bench(rules, task, paths, goal, crew)
            result = _searched(bench, goal, games, bar)
    finally:
        bar.clear()
    if not result.numbers:
        put(tr("nothing was changed, so nothing was written"))
        return
    written = _checked(rules, text, data, result.numbers, _remark(bench, goal, result, cell))
    if out is None:
        typer.echo(written, nl=False)
        return
    write_atomically(out, written.encode())
    play = f"pbem new {offered_as(rules)} --seat … --scenario {quoted(out)}"
    put(tr("wrote {file}: {command}", file=quoted(out), command=play))


def _free(out: Path) -> None:
    """Raise `FileError` if the file cannot be written, before hours of games are played for it."""
    if out.is_symlink() or out.exists():
        problem = tr("already exists; nothing was written")
        raise FileError(problem, where=quoted(out), hint=tr("give another name"))
    if not os.access(out.parent, os.W_OK | os.X_OK):
        raise FileError(tr("nothing can be written in this folder"), where=quoted(out.parent))


def _strictly(text: str, what: str) -> Plain:
    """A scenario, read as strictly as for a game. Raises `FileError`."""
    try:
        return read_yaml(text.encode())
    except FileError as error:
        raise FileError(error.message, where=what) from None


def _checked(
    rules: Rules, text: str, data: Plain, numbers: Mapping[ValuePath, int], remark: Sequence[str]
) -> str:
    """The scenario's text with other numbers. Raises `FileError` unless it reads as exactly that.

    It is also made before the first game, with the numbers unchanged, so that a file that cannot be rewritten
    is refused at once.
    """
    name = f"{data['name'][:26]}-tuned"
    written = rewritten(text, numbers, name, remark)
    read = _strictly(written, tr("the tuned scenario"))
    for fault in faults(read, rules):
        raise FileError(fault, where=tr("the tuned scenario"))
    if read != {**changed(data, numbers), "name": name}:
        raise FileError(tr("the file cannot be written with other numbers"), where=tr("the tuned scenario"))
    return written


def _searched(bench: Bench, wish: Wish, games: int, bar: TimeLeft) -> Tuned:
    """Search, and print each step."""

    def told(line: str) -> None:
        bar.clear()
        say(line)

    bench.told = lambda played: bar(played, max(games, played))
    result = tuned(bench, wish, games, told)
    told(tr("checked in {games} games of their own: {result}", games=number(CHECK), result=result.after))
    told(_reached(bench.rules, wish, result))
    return result


def _reached(rules: Rules, wish: Wish, result: Tuned) -> str:
    """The line on whether the wish is reached."""
    wished = tr(
        "wished: {side:name} {percent} %, within {near}",
        side=rules.side(wish.seat),
        percent=f"{100 * wish.share:.0f}",
        near=number(100 * wish.near, ".3g"),
    )
    match result.reached(wish):
        case True:
            return tr("{wished}: reached", wished=wished)
        case False:
            return tr("{wished}: not reached by these values", wished=wished)
    return tr("{wished}: perhaps reached, more games would tell", wished=wished)


def _wish(rules: Rules, typed: str, near: float) -> Wish:
    """Parse `german=50`; half for the first seat, if nothing is typed."""
    seat, _, percent = (typed or f"{rules.seats[0]}=50").partition("=")
    if seat not in rules.seats or not re.fullmatch("[1-9][0-9]?", percent):
        problem = tr(
            "'{found}' is not SEAT=PERCENT, with a seat of {seats} and 1 to 99",
            found=typed,
            seats=", ".join(rules.seats),
        )
        raise typer.BadParameter(problem, param_hint="--wish")
    return Wish(seat, int(percent) / 100, near)


def _text(rules: Rules, file: Path | None) -> str:
    """The text of the scenario, with its comments."""
    return decode(desk().read(file)) if file else rules.scenarios.text(rules.scenarios.names[0])


def _remark(bench: Bench, wish: Wish, result: Tuned, cell: Cell) -> list[str]:
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
        tr("Changed: {values}.", values=changes_in_words(result.numbers, bench)),
        came_of_it,
        _reached(bench.rules, wish, result),
        tr("Games played: {games}, seed {seed}.", games=number(result.games), seed=bench.seed),
    ]
