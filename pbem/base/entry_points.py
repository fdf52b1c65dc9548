"""What other distributions add to pbem through entry points."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_SUFFIXES = (".dist-info", ".egg-info")
"""The suffixes of folders that describe a distribution."""


def find_entry_points(group: str) -> Iterable[EntryPoint]:
    """The entry points of a group, from all installed distributions.

    If their files show that there are none, `importlib.metadata` is not used: it reads the files of every
    distribution, and takes a third of the time of `import typer`.
    """
    if not _may_have(group):
        return ()
    from importlib.metadata import entry_points  # 24 ms: few players have added games

    return entry_points(group=group)


def _may_have(group: str) -> bool:
    """Whether a distribution might have an entry point of a group; also true if the files cannot show it."""
    others = (finder for finder in sys.meta_path if finder is not PathFinder)
    if any(hasattr(finder, "find_distributions") for finder in others):
        return True
    heading = f"[{group}]".encode()
    return any(_folder_may_have(folder or os.curdir, heading) for folder in sys.path)


def _folder_may_have(folder: str, heading: bytes) -> bool:
    """Whether a distribution in a folder of `sys.path` might have a section with that heading."""
    try:
        names = os.listdir(folder)
    except NotADirectoryError:  # a zip archive, for example
        return True
    except OSError:
        return False
    if folder.endswith(".egg") or any(name.endswith(".egg") for name in names):
        return True
    files = (f"{folder}/{name}/entry_points.txt" for name in names if name.lower().endswith(_SUFFIXES))
    return any(heading in _read_if_there(file) for file in files)


def _read_if_there(file: str) -> bytes:
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except OSError:
        return b""
