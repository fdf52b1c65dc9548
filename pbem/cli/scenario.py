"""Scenarios of one's own: `scenario check`, `scenario write`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem import games
from pbem.cli.common import desk
from pbem.cli.lazy import commands
from pbem.cli.terminal import put
from pbem.errors import FileError
from pbem.files import write_atomically
from pbem.journal.strict import read_yaml
from pbem.render.words import safe, wrap

app = commands("Check a scenario of your own, or write one out to change.")
"""The group `pbem scenario`."""

Game = Annotated[str, typer.Option("--game", help="The game whose scenario it is.")]


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A scenario file.", show_default=False)], game: Game = "mortain"
) -> None:
    """Say everything that is wrong with a scenario; exit code 0 if it can be played, 1 if not.

    Example: pbem scenario check my-mortain.yaml
    """
    faults = games.load(game).check_scenario(read_yaml(desk().read(file)))
    for fault in faults:
        put(wrap(safe(fault), indent=4))
    if faults:
        raise typer.Exit(1)
    put(f"{safe(str(file))} can be played: pbem new {game} --seat … --scenario {safe(str(file))}")


@app.command()
def write(
    file: Annotated[Path, typer.Argument(help="The file to make.", show_default=False)],
    game: Game = "mortain",
) -> None:
    """Write out the scenario that ships with a game, to change it.

    Example: pbem scenario write my-mortain.yaml
    """
    if file.exists():
        raise FileError("is there already; nothing was written", where=str(file), hint="give another name")
    rules = games.load(game)
    write_atomically(file, rules.scenario_text(rules.scenarios[0]).encode())
    name = safe(str(file))
    put(f"wrote {name}: change its name and its values, then: pbem scenario check {name}")
