"""The player's own folder: his key, his games, his settings."""

from __future__ import annotations

import os
from pathlib import Path

from pbem.errors import ShelfError


def home() -> Path:
    """The folder of the player's key and shelf: `PBEM_HOME`, or else `.pbem` in his home folder."""
    if named := os.environ.get("PBEM_HOME"):
        return Path(named)
    try:
        return Path.home() / ".pbem"
    except RuntimeError as error:
        raise ShelfError("this user has no home folder", hint="set PBEM_HOME to a folder for pbem") from error
