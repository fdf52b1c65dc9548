"""The game file as it is written: the log, and at its head the status and the map for people."""

from __future__ import annotations

from pbem.core.legend import Legend
from pbem.lookalikes import plain_letters
from pbem.render.picture import ascii_picture
from pbem.render.story import describe_next_duty, list_commanders
from pbem.render.words import to_ascii, wrap
from pbem.texts import ENGLISH, Texts, speaking, spoken
from pbem.umpire.game import Game
from pbem.umpire.scenario import own_scenario

tr = Texts("pbem")


def game_file_bytes(game: Game) -> bytes:
    """The bytes of the game's file."""
    from pbem.umpire.write import to_bytes  # here, because comparing a file writes none

    legend = legend_of(game)
    return to_bytes(game, status_fields(game, legend), board_text(game, legend))


def legend_of(game: Game) -> Legend:
    """The position that status and map show, in the current language."""
    return game.rules.view.legend(game.state.run.state)


def status_fields(game: Game, legend: Legend | None = None) -> dict[str, str]:
    """The status at the head of a file: the game, an own scenario, the tracks, the commanders, the next duty.

    Keys are English, for tools; values are in the language of whoever writes the file, in plain ASCII as the
    board is. Commanders are listed where a side is shared (FORMAT 11). `legend` is `legend_of` the game.
    """
    legend = legend or legend_of(game)
    keys = [name for name, _ in _english_legend(game, legend).figures]
    own = own_scenario(game)
    told = (
        {"game": Texts(game.rules.package)(game.rules.title)}
        | ({"scenario": own.text} if own else {})
        | {plain_letters(key): value for key, (_, value) in zip(keys, legend.figures, strict=True)}
        | ({"commanders": who} if (who := list_commanders(game)) else {})
        | {"next": describe_next_duty(game.state)}
    )
    return {to_ascii(key): to_ascii(str(value)) for key, value in told.items()}


def board_text(game: Game, legend: Legend | None = None) -> str:
    """The map as the file has it, and whose move it is. `legend` is `legend_of` the game."""
    return f"{ascii_picture(legend or legend_of(game))}\n\n{next_move(game)}"


def next_move(game: Game) -> str:
    """The lines below the map: whose move it is."""
    return wrap(to_ascii(tr("Next: {waiting}", waiting=describe_next_duty(game.state))), indent=6)


def _english_legend(game: Game, legend: Legend) -> Legend:
    """The position in English, the language of the status keys; `legend` is in the player's."""
    if spoken() == ENGLISH:
        return legend
    with speaking(ENGLISH):
        return legend_of(game)
