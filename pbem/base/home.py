"""The player's home folder, with their key, games and settings.

Its layout has a number, in the file `layout`; without that file it is 1. A version of pbem that changes the
layout in a way older versions would misread must raise the number, and write it before anything else. Layout
1 is that of 0.1.0; in layout 2 each game has one record.
"""

from __future__ import annotations

import os
from pathlib import Path

from pbem.base.files import read_regular, write_atomically
from pbem.errors import StorageError, newer_version_hint
from pbem.messages import Messages

tr = Messages("pbem")

LAYOUT = 2
"""The layout this version of pbem writes."""

TAKING_OVER = "2 from 1"
"""The content of the file during the conversion of layout 1: some games have records, others do not yet."""

_FILE = "layout"


def home() -> Path:
    """The folder with the player's key and games: `PBEM_HOME`, or else `.pbem` in the user's home folder.

    Raises `StorageError` if the user has no home folder, or if a newer pbem wrote the layout.
    """
    folder = _home_path()
    if read_layout(folder) not in ("1", TAKING_OVER, str(LAYOUT)):
        problem = tr("{folder} was written by a newer pbem", folder=str(folder))
        raise StorageError(problem, hint=newer_version_hint())
    return folder


def save_layout(folder: Path, layout: str = str(LAYOUT)) -> None:
    """Save the layout of a home if it is not the current one. Raises `StorageError`."""
    if read_layout(folder) != layout:
        write_atomically(folder / _FILE, f"{layout}\n".encode(), private=True)


def read_layout(folder: Path) -> str:
    """The layout of a home, as in its file."""
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
        hint = tr("set PBEM_HOME to a folder that pbem can use")
        raise StorageError(tr("this user has no home folder"), hint=hint) from error
