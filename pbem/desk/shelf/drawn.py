"""The map that stands in a game's file, held against the game (FORMAT section 3)."""

from __future__ import annotations

from pbem.errors import FileError
from pbem.journal.strict import read_yaml
from pbem.texts import LANGUAGES, speaking, spoken
from pbem.umpire import Game


def is_false(game: Game, data: bytes) -> bool:
    """Whether the map in the bytes of a game's file shows another position than the game's.

    False too where that cannot be told: there is no map, or it is drawn or worded in another way than by us,
    in any of our languages.
    """
    lines = _board(data)
    if not lines:
        return False
    from pbem.render.reading import shows  # here, because a file need not have a map

    for language in dict.fromkeys((spoken(), *LANGUAGES)):
        with speaking(language):
            same = shows(lines, game.rules.view.legend(game.table.run.state))
        if same is not None:
            return not same
    return False


def _board(data: bytes) -> list[str]:
    """The lines of the map in a file; none where there is none before the log, which a writer puts last."""
    above, log, _ = data.partition(b"\nlog:")
    try:
        head = read_yaml(above if log else b"{}")
    except FileError:
        return []
    board = head.get("board") if isinstance(head, dict) else None
    return [line.rstrip() for line in board.strip("\n").split("\n")] if isinstance(board, str) else []
