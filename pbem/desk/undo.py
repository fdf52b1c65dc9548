"""A seat taken by mistake is given back, while nobody has seen that it was taken: decision 13."""

from __future__ import annotations

from pathlib import Path

from pbem.desk.desk import Desk, lines
from pbem.desk.page import written
from pbem.desk.shelf import Log
from pbem.errors import NotYourMove
from pbem.files import write_atomically
from pbem.journal.document import write_document
from pbem.texts import Texts
from pbem.umpire import Game, open_game

tr = Texts("pbem")


def check_undo(game: Game, desk: Desk) -> None:
    """Raise `NotYourMove` where the last entry is not that the player took the free seat."""
    if len(game.entries) > 2:
        entries = len(game.entries)
        problem = tr("this game has {number} entries: its seats are not given back any more", number=entries)
        raise NotYourMove(problem)
    if len(game.entries) == 1 or game.seats[game.entries[1].body.by].key != str(desk.public):
        raise NotYourMove(tr("you have not joined this game"))


def undo_join(desk: Desk, game: Game, file: Path) -> Path:
    """Give the seat back: the shelf and `file` hold the offer alone. Returns where what was undone is kept.

    Raises `NotYourMove`; `ShelfError` where the shelf holds something else, or cannot be written.
    """
    check_undo(game, desk)
    offer = open_game(write_document({}, "", game.entries[:1]))
    data = written(offer)
    kept = desk.shelf.find(game.ids[0]).data
    evidence = desk.shelf.retract(Log(kept, lines(game.entries)), Log(data, lines(offer.entries)))
    write_atomically(file, data)
    return evidence
