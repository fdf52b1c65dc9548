"""The game that a command's argument names.

Where a command takes a game, the word typed for it names, in this order: an existing file, folder or mailbox
(`FILE#ID`: which game in it), or `-`; a stored game, or else a waiting offer, by four or more digits with
which its id begins; an offer also by its file's name in the letter. Any other word belongs to the orders,
unless it looks like a file's name. No word at all means the game of `locate_game.default_game`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from pbem.correspondence.open_file import OpenedGame, is_beginning_of_id, open_file
from pbem.player.local_player import LocalPlayer

_LETTER_FILE = re.compile(r"[a-z0-9-]+-([0-9a-f]{8})\.yaml")
"""The name of a game's file in every letter (`umpire.game_facts.file_name`), which has its id."""
_FILE_NAME = re.compile(r".*[/\\].*|\S*\.[A-Za-z][A-Za-z0-9]*(#\S*)?|.*\.(?:ya?ml|eml)", re.IGNORECASE)
"""A text that looks like a file's name, though there is no such file: no order looks like that."""


def names_game(desk: LocalPlayer, word: str) -> bool:
    """Whether a word names a game, rather than beginning the orders. Raises `ShelfError`."""
    return _exists(word) or is_beginning_of_id(desk, word) or _FILE_NAME.fullmatch(word) is not None


def open_named_game(desk: LocalPlayer, word: str) -> OpenedGame:
    """The game that a word names, or the default game where the word is empty.

    Raises as `open_file` and `locate_game`.
    """
    if not _exists(word):
        from pbem.correspondence.locate_game import locate_game  # here: a file needs no list of games

        called = _LETTER_FILE.fullmatch(word)
        offered = called is not None and bool(desk.offers.ids(called[1]))
        if offered or not _FILE_NAME.fullmatch(word):
            return locate_game(desk, called[1] if called else word)
    return open_file(desk, Path(word))


def _exists(word: str) -> bool:
    """Whether a word is `-`, or names an existing file or folder."""
    return word == "-" or os.path.exists(word) or os.path.exists(word.partition("#")[0])
