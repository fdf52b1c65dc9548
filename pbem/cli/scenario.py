"""A player's own scenarios: `scenario check`, `scenario write`, `scenario compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem import games
from pbem.base.files import write_atomically
from pbem.cli.arguments import File, complete_with, rules_arguments
from pbem.cli.command_groups import commands
from pbem.cli.session import local_player, open_file
from pbem.cli.terminal import put, put_lines
from pbem.core.rules import Rules
from pbem.errors import FileError
from pbem.format.yaml_reader import parse_yaml
from pbem.format.yaml_writer import dump_yaml
from pbem.render.safe_text import quote_path, safe_text
from pbem.texts import Texts
from pbem.umpire.offered_scenario import own_scenario, scenario_faults

tr = Texts("pbem")

app = commands(help="Check your own scenario, write one out to change, or compare.")
"""The group `pbem scenario`."""

FIRST = "mortain"
"""The game of a scenario if neither an option nor the file's name names one."""

Game = Annotated[
    str,
    typer.Option(
        "--game",
        help="The game that the scenario is for (default: the one in the file's name).",
        autocompletion=complete_with("names"),
    ),
]


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="file", help="A scenario file.", show_default=False)],
    game: Game = "",
) -> None:
    """List everything that is wrong with a scenario.

    The exit code is 0 if it can be played, 1 if not.

    Example: pbem scenario check my-mortain.yaml
    """
    rules = _choose_rules(file, game)
    found = scenario_faults(parse_yaml(local_player().read(file)), rules)
    for fault in found:
        put(safe_text(str(fault)), indent=4)
    if found:
        raise typer.Exit(1)
    play = f"pbem new {rules_arguments(rules)} --seat … --scenario {quote_path(file)}"
    put(tr("{file} is ready to play: {command}", file=safe_text(str(file)), command=play))


@app.command()
def write(
    file: Annotated[Path, typer.Argument(metavar="file", help="The file to make.", show_default=False)],
    game: Game = "",
    kind: Annotated[
        str,
        typer.Option("--from", metavar="NAME", help="The scenario to start from, if the game has several."),
    ] = "",
) -> None:
    """Write out a scenario that ships with a game, to change it.

    Example: pbem scenario write my-mortain.yaml
    """
    if file.exists():
        problem = tr("already exists; nothing was written")
        raise FileError(problem, where=str(file), hint=tr("choose another name"))
    if not game and file.name in games.names():
        command = f"pbem scenario write my-{file.name}.yaml"
        raise FileError(tr("is the name of a game, not of a file"), where=file.name, hint=command)
    rules = _choose_rules(file, game)
    if kind and kind not in rules.scenarios.names:
        names = ", ".join(rules.scenarios.names)
        raise typer.BadParameter(
            tr("must be {expected}, not '{found}'", expected=names, found=kind), param_hint="--from"
        )
    write_atomically(file, rules.scenarios.text(kind or rules.scenarios.names[0]).encode())
    command = check_command(file, rules.called)
    put(
        tr(
            "wrote {file}: change its name and its values, then: {command}",
            file=safe_text(str(file)),
            command=command,
        )
    )


def _choose_rules(file: Path, game: str) -> Rules:
    """The rules of the named game, else of the game in the file's name: `my-rommel.yaml`."""
    return games.load(game or _game_named_in(file) or FIRST)


def _game_named_in(file: Path) -> str:
    """The longest name of a game in a file's name; empty if there is none."""
    found = [name for name in games.names() if name in file.stem.casefold()]
    return max(found, key=len, default="")


def check_command(file: Path, game: str) -> str:
    """The command that lists the faults of a scenario."""
    said = game != (_game_named_in(file) or FIRST)
    return f"pbem scenario check {quote_path(file)}" + (f" --game {game}" if said else "")


@app.command()
def compare(file: File = "") -> None:
    """Show how a game's scenario differs from the shipped one.

    Example: pbem scenario compare mortain.yaml
    """
    game = open_file(local_player(), file).game
    own = own_scenario(game)
    if own is None:
        offer = game.offer
        put(
            tr(
                "the scenario is {name}, which ships with {rules}",
                name=offer.scenario.name,
                rules=offer.rules,
            )
        )
        return
    put(f"{own.heading}:", indent=2)
    if not own.resembles:
        put_lines(dump_yaml(game.offer.scenario.data or {}).splitlines())
        return
    for words in [change.words() for change in own.changes] or [tr("no value differs")]:
        put(f"  {words}", indent=4)
