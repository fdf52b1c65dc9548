"""The game file as it is written: the log, and at its top what tells people how the game stands."""

from __future__ import annotations

from pbem.names import plain
from pbem.render.picture import board
from pbem.render.words import ascii_only, wrap
from pbem.report import awaited, commanding
from pbem.texts import ENGLISH, Texts, speaking
from pbem.umpire import Game
from pbem.umpire.scenario import own_scenario
from pbem.umpire.write import to_bytes

tr = Texts("pbem")


def written(game: Game) -> bytes:
    """The bytes of the game's file."""
    return to_bytes(game, status(game), picture(game))


def status(game: Game) -> dict[str, str]:
    """The words for people at the top of a file: the game, an own scenario, the tracks, and what is owed.

    Its keys are English, for tools; its values are in the language of whoever writes the file, in plain ASCII
    as the board is. Where a side is shared, who commands what (FORMAT 11).
    """
    with speaking(ENGLISH):
        keys = [name for name, _ in game.rules.view.legend(game.table.run.state).figures]
    values = [value for _, value in game.rules.view.legend(game.table.run.state).figures]
    own = own_scenario(game)
    told = (
        {"game": Texts(game.rules.package)(game.rules.title)}
        | ({"scenario": own.text} if own else {})
        | {plain(name): value for name, value in zip(keys, values, strict=True)}
        | ({"commanders": who} if (who := commanding(game)) else {})
        | {"next": awaited(game.table)}
    )
    return {ascii_only(key): ascii_only(str(value)) for key, value in told.items()}


def picture(game: Game) -> str:
    """The map as it stands in the file, and whose move it is."""
    next_move = wrap(ascii_only(tr("Next: {waiting}", waiting=awaited(game.table))), indent=6)
    return f"{board(game.rules.view.legend(game.table.run.state))}\n\n{next_move}"
