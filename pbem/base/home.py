"""The player's own folder: his key, games and settings.

Its layout has a number, in the file `layout`; without that file it is 1. A program that changes the layout so
that an older one would misread it must raise the number, and write it before anything else. Layout 1 is
that of 0.1.0; in layout 2 each game has one record. A home of layout 1 is taken over game by game.
"""

from __future__ import annotations

import os
from pathlib import Path

from pbem.base.files import read_regular, write_atomically
from pbem.errors import StorageError, newer_version_hint
from pbem.messages import Messages

tr = Messages("pbem")

LAYOUT = 2
"""The layout of this program."""

_FILE = "layout"


def home() -> Path:
    """The folder of the player's key and games: `PBEM_HOME`, or else `.pbem` in his home folder.

    Raises `StorageError` if he has no home folder, or if a newer program has written the layout.
    """
    folder = _home_path()
    layout = _read_layout(folder)
    if layout not in map(str, range(1, LAYOUT + 1)):
        problem = tr("{folder} has been laid out by a newer pbem", folder=str(folder))
        raise StorageError(problem, hint=newer_version_hint())
    return folder


def save_layout(folder: Path) -> None:
    """Save that a home has the layout of this program, if it has an earlier one. Raises `StorageError`."""
    if _read_layout(folder) != str(LAYOUT):
        write_atomically(folder / _FILE, f"{LAYOUT}\n".encode(), private=True)


def _read_layout(folder: Path) -> str:
    """The number in the file, whatever it is."""
    try:
        return read_regular(folder / _FILE).decode("utf-8", "replace").strip()
    except OSError:
        return "1"


def _home_path() -> Path:
    if named := os.environ.get("PBEM_HOME"):
        return Path(named)
    try:
        return Path.home() / ".pbem"
    except RuntimeError as error:
        hint = tr("set PBEM_HOME to a folder for pbem")
        raise StorageError(tr("this user has no home folder"), hint=hint) from error
