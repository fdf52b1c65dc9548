"""The game that a word names.

Where a command takes a game, the word typed for it names, in this order: a file, folder or mailbox that is
there (`FILE#ID`: which game in it), or `-`; a game on the shelf, or else an offer that waits, by four or
more digits with which its id begins; an offer also by what its letter calls the file. Any other word belongs
to the orders, unless it looks like a file's name. No word at all means the game of `finding.meant`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from pbem.correspondence.open_file import Opened, by_id, open_file
from pbem.player.local_player import LocalPlayer

_CALLED = re.compile(r"[a-z0-9-]+-([0-9a-f]{8})\.yaml")
"""The name of a game's file in every letter (`umpire.facts.file_name`), which has its id."""
_FILE_NAME = re.compile(r".*[/\\].*|\S*\.[A-Za-z][A-Za-z0-9]*(#\S*)?|.*\.(?:ya?ml|eml)", re.IGNORECASE)
"""A text that looks like a file's name, though there is no such file: no order is written so."""


def names_game(desk: LocalPlayer, word: str) -> bool:
    """Whether a word is meant to name a game, rather than to begin the orders. Raises `ShelfError`."""
    return _is_there(word) or by_id(desk, word) or _FILE_NAME.fullmatch(word) is not None


def open_game(desk: LocalPlayer, word: str) -> Opened:
    """The game that a word names, or that is meant where the word is empty.

    Raises as `open_file` and `finding.find`.
    """
    if not _is_there(word):
        called = _CALLED.fullmatch(word)
        offered = called is not None and bool(desk.offers.ids(called[1]))
        if offered or not _FILE_NAME.fullmatch(word):
            from pbem.correspondence.locate_game import (
                find,  # here, because a file that is there needs none of it
            )

            return find(desk, called[1] if called else word)
    return open_file(desk, Path(word))


def _is_there(word: str) -> bool:
    """Whether a word is `-`, or names a file or folder that is there."""
    return word == "-" or os.path.exists(word) or os.path.exists(word.partition("#")[0])
