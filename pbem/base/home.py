"""The player's own folder: his key, games and settings.

Its layout has a number, in the file `layout`; without that file it is 1. A program that changes the layout so
that an older one would misread it must raise the number, and write it before anything else.
"""

from __future__ import annotations

import os
from pathlib import Path

from pbem.base.files import read_regular
from pbem.errors import StorageError, newer_version_hint
from pbem.messages import Messages

tr = Messages("pbem")

LAYOUT = 1
"""The layout of this program."""


def home() -> Path:
    """The folder of the player's key and games: `PBEM_HOME`, or else `.pbem` in his home folder.

    Raises `StorageError` if he has no home folder, or if a newer program has written the layout.
    """
    folder = _home_path()
    try:
        layout = read_regular(folder / "layout").decode("utf-8", "replace").strip()
    except OSError:
        return folder
    if layout != str(LAYOUT):
        problem = tr("{folder} has been laid out by a newer pbem", folder=str(folder))
        raise StorageError(problem, hint=newer_version_hint())
    return folder


def _home_path() -> Path:
    if named := os.environ.get("PBEM_HOME"):
        return Path(named)
    try:
        return Path.home() / ".pbem"
    except RuntimeError as error:
        hint = tr("set PBEM_HOME to a folder for pbem")
        raise StorageError(tr("this user has no home folder"), hint=hint) from error
