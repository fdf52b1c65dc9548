"""The map as a drawing: `picture`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.base.files import open_regular, write_atomically
from pbem.cli.arguments import File
from pbem.cli.lazy import commands
from pbem.cli.session import local_player, open_to_read
from pbem.cli.terminal import put
from pbem.errors import FileNameTaken
from pbem.library.games import Game
from pbem.render.words import quote_path
from pbem.texts import Texts

app = commands()
tr = Texts("pbem")

PIXELS = 2400
"""The width of a PNG, for a screen and for a sheet of paper."""


@app.command()
def picture(
    file: File = "",
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="The file to write, .svg or .png; else the game's name with .svg."),
    ] = None,
    at: Annotated[
        int | None,
        typer.Option("--at", metavar="ENTRY", help="As it stood after that entry.", show_default=False),
    ] = None,
) -> None:
    """Draw the map with its counters, as SVG for a browser and for paper, or as PNG.

    The drawing is what both players may see, now or after any entry.

    Example: pbem picture mortain.yaml -o map.svg
    """
    if out is not None and out.suffix.lower() not in (".svg", ".png"):
        problem = tr("'{found}' must end in .svg or .png", found=out)
        raise typer.BadParameter(problem, param_hint="-o")
    opened = open_to_read(local_player(), file)
    game, out = opened.game, out or _picture_path(opened.file)
    last = len(game.entries) - 1
    if at is not None and not 0 <= at <= last:
        problem = tr("there is no entry {found}: 0 to {last}", found=at, last=last)
        raise typer.BadParameter(problem, param_hint="--at")
    shown = last if at is None else at
    svg = Game(game).at(shown).svg(tr("{game}, after entry {entry}", game=game.rules.title, entry=shown))
    if out.suffix.lower() == ".png":
        from pbem.render.png import svg_to_png  # here, because it is an extra

        write_atomically(out, svg_to_png(svg, PIXELS))
    else:
        write_atomically(out, svg.encode())
    put(tr("wrote {file}: the map after entry {entry}", file=quote_path(out), entry=shown))


def _picture_path(file: Path) -> Path:
    """The default file of the picture, beside the game's. Raises `PlaceTaken` if that is something else."""
    out = file.with_suffix(".svg")
    if out.exists() and not _is_picture(out):
        problem = tr("{file} already exists and is not a picture: nothing was written", file=quote_path(out))
        raise FileNameTaken(problem, hint=tr("name another file with {option}", option="-o"))
    return out


def _is_picture(path: Path) -> bool:
    """Whether a file begins like our pictures."""
    if not path.is_file():
        return False
    with open_regular(path) as there:
        return there.read(5).startswith(b"<svg")
