"""A game as a file to look at: `page`, a web page with its proof, and `picture`, the map as SVG or PNG."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from pbem.base.files import open_regular, write_atomically
from pbem.cli.arguments import File, Workers
from pbem.cli.command_groups import commands
from pbem.cli.review import ReportPlayouts, compute_report
from pbem.cli.session import local_player, open_to_read
from pbem.cli.terminal import put
from pbem.errors import FileNameTaken, PbemError
from pbem.player.store.signed_entries import SendChannel
from pbem.render.png import svg_to_png
from pbem.render.safe_text import quote_path, safe_text
from pbem.texts import Texts
from pbem.umpire.game_facts import INVITATION
from pbem.web.game_page import checker_page as checker_page
from pbem.web.game_page import game_page as game_page
from pbem.web.html_file import BEGINNING_BYTES, is_own_page
from pbem.web.invitation import invitation

tr = Texts("pbem")
app = commands()


FIRST_CHECKER = Path("check.html")
"""The default file of the checker."""


FIRST_INVITATION = Path(INVITATION)
"""The default file of an invitation."""


@app.command()
def page(
    file: File = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The file to write (default: the game file's name with .html)."),
    ] = None,
    checker: Annotated[
        bool, typer.Option("--checker", help="Write a page that contains no game, and checks other pages.")
    ] = False,
    report: Annotated[
        bool, typer.Option("--report", help="Also show what decided the game, as pbem report does.")
    ] = False,
    playouts: ReportPlayouts = None,
    workers: Workers = 0,
    invite: Annotated[
        Path | None,
        typer.Option(
            "--invite", metavar="FILE", help="Write an invitation, pbem.html, with the offer in it."
        ),
    ] = None,
) -> None:
    """Write a single HTML file that replays a game and proves it in any browser, offline.

    Example: pbem page mortain.yaml -o mortain.html
    """
    if checker:
        if file:
            problem = tr("{option} does not need a game", option="--checker")
            raise typer.BadParameter(problem, param_hint=tr("file"))
        written = checker_page()
        _write_page(out or FIRST_CHECKER, written)
        put(f"sha256 {sha256(written).hexdigest()}")
        return
    player = local_player()
    opened = open_to_read(player, file)
    if invite:
        written = invitation(invite, opened.game)
        player.note_departure(opened.game, SendChannel.PAGE)
        place = out or FIRST_INVITATION
        write_atomically(place, written)
        put(tr("wrote {file}: anyone who opens it can see the offer and join", file=safe_text(str(place))))
        return
    told = ""
    if report:
        from pbem.web.chances_panel import chances_panel  # 45 ms: no page without chances needs it

        told = chances_panel(opened.game, compute_report(opened, playouts, workers))
    player.note_departure(opened.game, SendChannel.PAGE)
    _write_page(out or opened.file.with_suffix(".html"), game_page(opened.game, told))


def _write_page(out: Path, written: bytes) -> None:
    """Write a page, which can replace an older page. Raises `FileNameTaken` if the file is something else."""
    if out.exists() and not _is_page(out):
        problem = tr("{file} already exists and is not a page: nothing was written", file=out)
        raise FileNameTaken(problem, hint=tr("name another file with {option}", option="-o"))
    write_atomically(out, written)
    size = len(written) // 1000 + 1
    put(tr("wrote {file} ({size} kB): open it in a browser", file=safe_text(str(out)), size=size))


def _is_page(path: Path) -> bool:
    """Whether a file begins like one of our pages."""
    if not path.is_file():
        return False
    with open_regular(path) as there:
        return is_own_page(there.read(BEGINNING_BYTES))


PIXELS = 2400
"""The width of a PNG, enough for a screen and for a sheet of paper."""


@app.command()
def picture(
    file: File = "",
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", help="The file to write, .svg or .png (default: the game file's name with .svg)."
        ),
    ] = None,
    at: Annotated[
        int | None,
        typer.Option(
            "--at", metavar="ENTRY", help="Draw the map as it was after that entry.", show_default=False
        ),
    ] = None,
) -> None:
    """Draw the map with its counters, as SVG for a browser or for printing, or as PNG.

    The drawing shows only what both players can see, now or after any entry.

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
    if not game.rules.view.legend(game.state.run.state).cells:
        hint = tr("to see the position: {command}", command=f"pbem show {quote_path(opened.typed)}")
        raise PbemError(tr("this game has no map"), hint=hint)
    from pbem.api.game import Game  # 30 ms: no page needs it

    svg = Game(game).at(shown).svg(tr("{game}, after entry {entry}", game=game.rules.title, entry=shown))
    if out.suffix.lower() == ".png":
        write_atomically(out, svg_to_png(svg, PIXELS))
    else:
        write_atomically(out, svg.encode())
    put(tr("wrote {file}: the map after entry {entry}", file=quote_path(out), entry=shown))


def _picture_path(file: Path) -> Path:
    """The default file of the picture, beside the game's. Raises `FileNameTaken` if it is something else."""
    out = file.with_suffix(".svg")
    if out.exists() and not _is_picture(out):
        problem = tr("{file} already exists and is not a picture: nothing was written", file=quote_path(out))
        raise FileNameTaken(problem, hint=tr("name another file with {option}", option="-o"))
    return out


def _is_picture(path: Path) -> bool:
    """Whether a file begins like one of our pictures."""
    if not path.is_file():
        return False
    with open_regular(path) as there:
        return there.read(5).startswith(b"<svg")
