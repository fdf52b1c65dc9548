"""The story: `log`."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.arguments import File, Json, complete_with
from pbem.cli.lazy import commands
from pbem.cli.session import local_player, open_to_read
from pbem.cli.terminal import printable_size, put, put_json
from pbem.player.local_player import LocalPlayer
from pbem.render.story import describe_entry, entry_as_data, game_as_data, story
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
            autocompletion=complete_with("units"),
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    """Tell the story of a game, entry by entry.

    Example: pbem log mortain.yaml
    """
    mine = local_player()
    game = open_to_read(mine, file).game
    if turn is None and not unit and not as_json:
        put(story(game, mine.key if mine.has_key else None, _plan_remarks(mine, game), printable_size()[0]))
        return
    from pbem.player.status import story_excerpt  # here, because most logs are printed whole

    found = list(game.replayed_entries) if turn is None else story_excerpt.entries_of_turn(game, turn)
    if unit:
        name = story_excerpt.find_unit(game, unit)
        found = [part for entry in found if (part := story_excerpt.excerpt_for_unit(game, entry, name))]
    if as_json:
        put_json({**game_as_data(game), "log": [entry_as_data(game, entry) for entry in found]})
        return
    planned = _plan_remarks(mine, game)
    lines = "\n".join(
        describe_entry(game, replayed, printable_size()[0], remark=planned.get(replayed.entry.id, ""))
        for replayed in found
    )
    put(lines or tr("no entry of the game is about that"))


def _plan_remarks(mine: LocalPlayer, game: Game) -> dict[str, str]:
    """Remarks on the entries that the player's plan has written, which nobody else can know."""
    if not (mine.home / "plans.json").exists():
        return {}
    from pbem.player.plans.plan_store import entries_by_plan

    found = entries_by_plan(mine.home, game).items()
    return {entry: tr("by your plan, step {step}", step=answer.step) for entry, answer in found}
