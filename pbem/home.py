"""The player's own folder: his key, his games, his settings."""

from __future__ import annotations

import os
from pathlib import Path

from pbem.errors import ShelfError
from pbem.texts import Texts

tr = Texts("pbem")


def home() -> Path:
    """The folder of the player's key and shelf: `PBEM_HOME`, or else `.pbem` in his home folder."""
    if named := os.environ.get("PBEM_HOME"):
        return Path(named)
    try:
        return Path.home() / ".pbem"
    except RuntimeError as error:
        hint = tr("set PBEM_HOME to a folder for pbem")
        raise ShelfError(tr("this user has no home folder"), hint=hint) from error
