"""The story: `log`."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.arguments import File, Json, offering
from pbem.cli.lazy import commands
from pbem.cli.session import desk, look_at
from pbem.cli.terminal import put, put_json, room
from pbem.player.local_player import LocalPlayer
from pbem.render.story import as_data, chapter, game_as_data, story
from pbem.texts import Texts
from pbem.umpire.game import Game

app = commands()
tr = Texts("pbem")


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
            help="Only a unit's orders, and what happened to it.",
            autocompletion=offering("units"),
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    """Tell the story of a game, entry by entry.

    Example: pbem log mortain.yaml
    """
    mine = desk()
    game = look_at(mine, file).game
    if turn is None and not unit and not as_json:
        put(story(game, mine.key if mine.has_key else None, _by_plan(mine, game), room()[0]))
        return
    from pbem.player.status import story_excerpt  # here, because most logs are printed whole

    found = list(game.chapters) if turn is None else story_excerpt.of_turn(game, turn)
    if unit:
        name = story_excerpt.unit_named(game, unit)
        found = [part for entry in found if (part := story_excerpt.about(game, entry, name))]
    if as_json:
        put_json({**game_as_data(game), "log": [as_data(game, entry) for entry in found]})
        return
    planned = _by_plan(mine, game)
    lines = "\n".join(
        chapter(game, replayed, room()[0], remark=planned.get(replayed.entry.id, "")) for replayed in found
    )
    put(lines or tr("no entry of the game is about that"))


def _by_plan(mine: LocalPlayer, game: Game) -> dict[str, str]:
    """Remarks on the entries that the player's plan has written, which nobody else can know."""
    if not (mine.home / "plans.json").exists():
        return {}
    from pbem.player.plans.plan_store import written

    found = written(mine.home, game).items()
    return {entry: tr("by your plan, step {step}", step=answer.step) for entry, answer in found}
