"""A game as a web page: `page`."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from pbem.base.files import open_regular, write_atomically
from pbem.cli.arguments import File, Workers
from pbem.cli.lazy import commands
from pbem.cli.report import ReportPlayouts, compute_report
from pbem.cli.session import local_player, open_to_read
from pbem.cli.terminal import put
from pbem.errors import FileNameTaken
from pbem.player.store.signed_entries import SendChannel
from pbem.render.words import safe_text
from pbem.texts import Texts
from pbem.web.checker import checker_page as checker_page
from pbem.web.document import BEGINNING_BYTES, is_own_page
from pbem.web.page import game_page as game_page

tr = Texts("pbem")

app = commands()

FIRST_CHECKER = Path("check.html")
"""The default file of the checker."""


@app.command()
def page(
    file: File = "",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file to write; else the file's name with .html.")
    ] = None,
    checker: Annotated[
        bool, typer.Option("--checker", help="Write a page with no game in it, which checks other pages.")
    ] = False,
    report: Annotated[
        bool, typer.Option("--report", help="Tell also what turned the game, as pbem report does.")
    ] = False,
    playouts: ReportPlayouts = None,
    workers: Workers = 0,
) -> None:
    """Write one HTML file that tells a game and proves it in any browser, offline.

    Example: pbem page mortain.yaml -o mortain.html
    """
    if checker:
        if file:
            problem = tr("{option} takes no game", option="--checker")
            raise typer.BadParameter(problem, param_hint=tr("file"))
        written = checker_page()
        _write_page(out or FIRST_CHECKER, written)
        put(f"sha256 {sha256(written).hexdigest()}")
        return
    mine = local_player()
    opened = open_to_read(mine, file)
    told = ""
    if report:
        from pbem.web.chances import chances_panel  # here, because most pages have no report

        told = chances_panel(opened.game, compute_report(opened, playouts, workers))
    mine.note_departure(opened.game, SendChannel.PAGE)
    _write_page(out or opened.file.with_suffix(".html"), game_page(opened.game, told))


def _write_page(out: Path, written: bytes) -> None:
    """Write a page, which may replace an older one. Raises `PlaceTaken` if the file is something else."""
    if out.exists() and not _is_page(out):
        problem = tr("{file} already exists and is not a page: nothing was written", file=out)
        raise FileNameTaken(problem, hint=tr("name another file with {option}", option="-o"))
    write_atomically(out, written)
    size = len(written) // 1000 + 1
    put(tr("wrote {file} ({size} kB): open it in a browser", file=safe_text(str(out)), size=size))


def _is_page(path: Path) -> bool:
    """Whether a file begins like our pages."""
    if not path.is_file():
        return False
    with open_regular(path) as there:
        return is_own_page(there.read(BEGINNING_BYTES))
