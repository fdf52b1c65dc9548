"""Show a game: `show`."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.arguments import File, Json, NoColor, offering
from pbem.cli.lazy import commands
from pbem.cli.session import desk, meet, open_file, waiting_words
from pbem.cli.terminal import put, put_board, put_json, warn
from pbem.core.legend import Legend
from pbem.core.run import public
from pbem.correspondence.opening import Opened
from pbem.desk import Desk
from pbem.errors import ShelfError, UnknownGame
from pbem.render.picture import board
from pbem.render.window import MOST_RADIUS, around, only
from pbem.render.words import safe, said, wrap
from pbem.report import aims, as_data, chapter, events, game_as_data, news, sealed_by_you, summary, what_next
from pbem.umpire import seated

app = commands()


@app.command()
def show(
    file: File = "",
    centre: Annotated[
        str,
        typer.Option(
            "--around",
            metavar="HEX",
            help="Only the hexes around this one, and all in them.",
            autocompletion=offering("hexes"),
        ),
    ] = "",
    radius: Annotated[
        int, typer.Option("--radius", min=1, max=MOST_RADIUS, help="How many hexes around it.")
    ] = 3,
    layer: Annotated[
        str, typer.Option("--layer", metavar="NAME", help="Only the counters of one layer, such as air.")
    ] = "",
    as_json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Check a game file, unlock what is yours to see, tell what happened and what is asked; the map.

    Writes nothing into the file.

    Example: pbem show mortain.yaml
    """
    mine = desk()
    opened = open_file(mine, file)
    game = opened.game
    key = mine.key if mine.has_key else None
    refusal = _shelve(mine, opened)
    table = seated.unlock(game, key) if key else game.table
    legend = _part(game.rules.view.legend(table.run.state), layer, centre, radius)
    words = waiting_words(mine, game)
    if as_json:
        position = public(game.rules, table.run.state, table.asked)
        fresh = [{"event": tell.event, "rule": tell.rule, **tell.facts} for tell in table.run.told]
        log = [as_data(game, one) for one in news(game, key)]
        put_json(
            {
                **game_as_data(game),
                "aim": aims(table),
                "news": log,
                "unlocked": fresh,
                **({"words": words} if words else {}),
                "position": position,
                "board": board(legend),
            }
        )
    else:
        put(summary(game, key))
        for line in aims(table):
            put(wrap(f"  {safe(line)}", indent=4))
        for one in news(game, key):
            put(chapter(game, one))
        if table.run.told:
            put("    Unlocked for you; your next move writes it into the file:")
            put("\n".join(events(game, tuple(table.run.told))))
        for line in sealed_by_you(game, key):
            put(line)
        put_board(legend, no_color)
        if not refusal:
            put(what_next(game, table, key, opened.typed))
        if words:
            put("Your next orders take these words along:")
            put("\n".join(said(words)))
    if refusal:
        raise refusal


def _part(legend: Legend, layer: str, centre: str, radius: int) -> Legend:
    """The part of the picture that is asked for: one layer, the hexes around one, or both."""
    if layer:
        if layer not in legend.layers:
            expected = " or ".join(legend.layers) or "none, because the game has no layers"
            raise typer.BadParameter(f"found '{layer}', expected {expected}", param_hint="--layer")
        legend = only(legend, layer)
    if centre:
        numbers = [cell.number for cell in legend.cells]
        if centre not in numbers:
            problem = f"found '{centre}', expected a hex of the map, {numbers[0]} to {numbers[-1]}"
            raise typer.BadParameter(problem, param_hint="--around")
        legend = around(legend, centre, radius)
    return legend


def _shelve(mine: Desk, opened: Opened) -> ShelfError | None:
    """Put the file on the shelf if it belongs there; what the shelf refuses is told after showing."""
    game = opened.game
    try:
        mine.keep(game, opened.data, file=None if opened.found else opened.file)
    except UnknownGame as unknown:
        if len(game.entries) > 1:
            warn(unknown)
        return None
    except ShelfError as refusal:
        return refusal
    meet(mine, game)
    return None
