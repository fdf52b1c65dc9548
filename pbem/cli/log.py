"""The story: `log`."""

from __future__ import annotations

from pbem.cli.arguments import File, Json
from pbem.cli.lazy import commands
from pbem.cli.session import desk, open_file
from pbem.cli.terminal import put, put_json
from pbem.report import as_data, game_as_data, story

app = commands()


@app.command()
def log(file: File = "", as_json: Json = False) -> None:
    """Tell the story of a game, entry by entry.

    Example: pbem log mortain.yaml
    """
    mine = desk()
    game = open_file(mine, file).game
    if as_json:
        put_json({**game_as_data(game), "log": [as_data(game, one) for one in game.chapters]})
        return
    put(story(game, mine.key if mine.has_key else None))
