"""The story: `log`."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.arguments import File, Json, offering
from pbem.cli.lazy import commands
from pbem.cli.session import desk, open_file
from pbem.cli.terminal import put, put_json
from pbem.report import as_data, chapter, game_as_data, story

app = commands()


@app.command()
def log(
    file: File = "",
    turn: Annotated[
        int | None, typer.Option("--turn", metavar="N", min=1, help="Only the entries of one turn.")
    ] = None,
    unit: Annotated[
        str,
        typer.Option(
            "--unit",
            metavar="NAME",
            help="Only what a unit was ordered, or what befell it.",
            autocompletion=offering("units"),
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    """Tell the story of a game, entry by entry.

    Example: pbem log mortain.yaml
    """
    mine = desk()
    game = open_file(mine, file).game
    if turn is None and not unit and not as_json:
        put(story(game, mine.key if mine.has_key else None))
        return
    from pbem.desk import excerpt  # here, because most logs are read whole

    found = list(game.chapters) if turn is None else excerpt.of_turn(game, turn)
    if unit:
        name = excerpt.unit_named(game, unit)
        found = [part for one in found if (part := excerpt.about(game, one, name))]
    if as_json:
        put_json({**game_as_data(game), "log": [as_data(game, one) for one in found]})
        return
    put("\n".join(chapter(game, one) for one in found) or "no entry of the game is about that")
