"""All your games: `games`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.common import Json, desk, put, put_json
from pbem.desk import Desk
from pbem.durable import write_atomically
from pbem.errors import PbemError
from pbem.render import safe, wrap
from pbem.shelf import Kept
from pbem.telling import SHORT, counted, game_as_data
from pbem.umpire import write


def register(app: typer.Typer) -> None:
    """Add the command of this module to the program."""
    app.command()(games)


def games(
    game: Annotated[
        str, typer.Argument(help="The beginning of a game's id; all games if you give none.")
    ] = "",
    file: Annotated[Path | None, typer.Option("--write", help="Write that game's newest file there.")] = None,
    as_json: Json = False,
) -> None:
    """List all your games and whose move it is; or write the newest file of one.

    Example: pbem games
    """
    mine = desk()
    kept = [mine.shelf.find(game)] if game else list(mine.shelf.games())
    if file:
        if not game:
            raise typer.BadParameter("found no game, expected the beginning of its id", param_hint="GAME")
        write_atomically(file, kept[0].data)
        put(f"wrote {safe(str(file))}")
        return
    rows = [_row(mine, one) for one in kept]
    if as_json:
        put_json(rows)
        return
    if not rows:
        put("No games yet. Try: pbem new mortain --seat german")
    for row in rows:
        put(wrap(f"{row['game'][:SHORT]}  {safe(row['line'])}", indent=SHORT + 2))


def _row(mine: Desk, kept: Kept) -> dict[str, Any]:
    """A game on the shelf, for people (`line`) and for programs."""
    try:
        game = mine.open(kept.data)
    except PbemError as error:
        return {"game": kept.game, "problem": str(error), "line": f"damaged: {error}"}
    data = game_as_data(game)
    seats = ", ".join(f"{name} {seat['name']}" for name, seat in data["seats"].items())
    yours = bool(mine.has_key and data["owed"]["seat"] in write.held(game, mine.key))
    mark = "YOUR MOVE  " if yours else ""
    line = f"{mark}{game.rules.title} ({seats}), {counted(data['entries'])}: {data['owed']['text']}"
    return {**data, "file": str(kept.path), "yours": yours, "line": line}
