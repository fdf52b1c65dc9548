"""The turning points of a game: `report`, by playouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.base.interrupts import raise_on_interrupt
from pbem.cli.arguments import File, Json, Workers
from pbem.cli.lazy import commands
from pbem.cli.progress import TimeLeft, describe_playouts_done
from pbem.cli.session import local_player, open_to_read
from pbem.cli.terminal import printable_size, put, put_json, put_lines
from pbem.correspondence.open_file import OpenedGame
from pbem.render.story import summary
from pbem.render.words import quote_path, wrap
from pbem.texts import Texts

if TYPE_CHECKING:
    from pbem.study.turning_points import GameReport

tr = Texts("pbem")
app = commands()

ReportPlayouts = Annotated[
    int | None,
    typer.Option(
        "--playouts", min=1, help="How many playouts; if nothing is said, as many as take half a minute."
    ),
]


@app.command()
def report(
    file: File = "",
    playouts: ReportPlayouts = None,
    more: Annotated[
        int,
        typer.Option("--more", count=True, help="Four times as many playouts, half as wide intervals."),
    ] = 0,
    workers: Workers = 0,
    as_json: Json = False,
) -> None:
    """Tell what turned a game: the chance to win at each moment, and what luck and decisions did to it.

    The game is played on many times from each of its positions, by practice players. The same file and number
    of playouts give the same report on any computer.

    Example: pbem report mortain.yaml
    """
    from pbem.study.report_text import report_data  # here, because `page` needs none of these
    from pbem.study.verdicts import describe_report

    opened = open_to_read(local_player(), file)
    found = compute_report(opened, playouts, workers, 4**more)
    if as_json:
        put_json(report_data(opened.game, found))
        return
    width, _ = printable_size()
    put_lines(
        [
            wrap(summary(opened.game, None, width, players=False), width),
            *describe_report(opened.game, found, width),
        ]
    )
    again = " ".join(["pbem report", *([quote_path(file)] if file else []), "--more", *["--more"] * more])
    put()
    put(wrap(tr("Four times as many playouts, half as wide intervals:"), width))
    put(f"  {again}")


def compute_report(opened: OpenedGame, playouts: int | None, workers: int = 0, times: int = 1) -> GameReport:
    """Compute the report of a game, by `times` the number of playouts, with a progress bar."""
    from pbem.study.moments import main_line
    from pbem.study.parallel_playouts import playout_runner
    from pbem.study.turning_points import make_report
    from pbem.study.worker_pool import cores

    game = opened.game
    positions = main_line(game)
    bar = TimeLeft(describe_playouts_done)
    try:
        with raise_on_interrupt(), playout_runner(game, positions, opened.data, workers or cores()) as hands:
            return make_report(game.rules, positions, times * (playouts or game.rules.playouts), hands, bar)
    except KeyboardInterrupt:
        raise typer.Abort from None
    finally:
        bar.clear()
