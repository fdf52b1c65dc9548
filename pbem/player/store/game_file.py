"""The game file as it is written: the log, and at its head the status and the map for people."""

from __future__ import annotations

from pbem.core.legend import Legend
from pbem.lookalikes import plain
from pbem.render.picture import board
from pbem.render.story import awaited, commanding
from pbem.render.words import ascii_only, wrap
from pbem.texts import ENGLISH, Texts, speaking, spoken
from pbem.umpire.game import Game
from pbem.umpire.scenario import own_scenario

tr = Texts("pbem")


def write_game_file(game: Game) -> bytes:
    """The bytes of the game's file."""
    from pbem.umpire.write import to_bytes  # here, because comparing a file writes none

    legend = legend_of(game)
    return to_bytes(game, status(game, legend), picture(game, legend))


def legend_of(game: Game) -> Legend:
    """The position that status and map show, in the current language."""
    return game.rules.view.legend(game.table.run.state)


def status(game: Game, legend: Legend | None = None) -> dict[str, str]:
    """The status at the head of a file: the game, an own scenario, the tracks, the commanders, the next duty.

    Keys are English, for tools; values are in the language of whoever writes the file, in plain ASCII as the
    board is. Commanders are listed where a side is shared (FORMAT 11). `legend` is `legend_of` the game.
    """
    legend = legend or legend_of(game)
    keys = [name for name, _ in _in_english(game, legend).figures]
    own = own_scenario(game)
    told = (
        {"game": Texts(game.rules.package)(game.rules.title)}
        | ({"scenario": own.text} if own else {})
        | {plain(key): value for key, (_, value) in zip(keys, legend.figures, strict=True)}
        | ({"commanders": who} if (who := commanding(game)) else {})
        | {"next": awaited(game.table)}
    )
    return {ascii_only(key): ascii_only(str(value)) for key, value in told.items()}


def picture(game: Game, legend: Legend | None = None) -> str:
    """The map as the file has it, and whose move it is. `legend` is `legend_of` the game."""
    return f"{board(legend or legend_of(game))}\n\n{next_move(game)}"


def next_move(game: Game) -> str:
    """The lines below the map: whose move it is."""
    return wrap(ascii_only(tr("Next: {waiting}", waiting=awaited(game.table))), indent=6)


def _in_english(game: Game, legend: Legend) -> Legend:
    """The position in English, the language of the status keys; `legend` is in the player's."""
    if spoken() == ENGLISH:
        return legend
    with speaking(ENGLISH):
        return legend_of(game)
