"""The turning points of a game: `report`, by playouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.arguments import File, Json, Workers
from pbem.cli.lazy import commands
from pbem.cli.progress import TimeLeft, of_playouts
from pbem.cli.session import desk, look_at
from pbem.cli.terminal import put_json, put_lines, room
from pbem.correspondence.opening import Opened
from pbem.render.words import wrap
from pbem.report import summary

if TYPE_CHECKING:
    from pbem.study.turning import Report

app = commands()

PLAYOUTS = 2_000
"""The default number of playouts: a minute or so, for a game of Mortain."""

Playouts = Annotated[
    int,
    typer.Option("--playouts", min=1, help="How many playouts: four times as many, half as wide intervals."),
]


@app.command()
def report(
    file: File = "", playouts: Playouts = PLAYOUTS, workers: Workers = 0, as_json: Json = False
) -> None:
    """Tell what turned a game: the chance to win after each decision, luck, and the costliest decision.

    The game is played on many times from each of its positions, by practice players. The same file and number
    of playouts give the same report on any computer.

    Example: pbem report mortain.yaml
    """
    from pbem.study.retold import as_data, told  # here, because `page` needs neither

    opened = look_at(desk(), file)
    found = reckoned(opened, playouts, workers)
    if as_json:
        put_json(as_data(opened.game, found))
        return
    width, _ = room()
    put_lines(
        [wrap(summary(opened.game, None, width, players=False), width), *told(opened.game, found, width)]
    )


def reckoned(opened: Opened, playouts: int, workers: int = 0) -> Report:
    """The report of a game; how far it is, is shown meanwhile."""
    from pbem.study.crews import cores  # here, because a page without chances needs none of these
    from pbem.study.moments import line
    from pbem.study.shifts import crew
    from pbem.study.turning import reckon

    game = opened.game
    positions = line(game)
    bar = TimeLeft(of_playouts)
    try:
        with crew(game, positions, opened.data, workers or cores()) as hands:
            return reckon(game.rules, positions, playouts, hands, bar)
    except KeyboardInterrupt:
        raise typer.Abort from None
    finally:
        bar.clear()
