"""What other distributions add to this program, by their entry points."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_SUFFIXES = (".dist-info", ".egg-info")
"""The ends of the names of folders that describe a distribution."""


def find_entry_points(group: str) -> Iterable[EntryPoint]:
    """The entry points of a group, of all installed distributions.

    Where a look at their files finds none, the standard library is not asked: its search reads the files of
    every distribution, and takes a third of the time of `import typer`.
    """
    if not _may_have(group):
        return ()
    from importlib.metadata import entry_points  # 24 ms: few have games of others

    return entry_points(group=group)


def _may_have(group: str) -> bool:
    """Whether a distribution may have an entry point of a group; true also where files alone cannot say."""
    others = (finder for finder in sys.meta_path if finder is not PathFinder)
    if any(hasattr(finder, "find_distributions") for finder in others):
        return True
    heading = f"[{group}]".encode()
    return any(_folder_may_have(folder or os.curdir, heading) for folder in sys.path)


def _folder_may_have(folder: str, heading: bytes) -> bool:
    """Whether a distribution in a folder of `sys.path` may have a section of that heading."""
    try:
        names = os.listdir(folder)
    except NotADirectoryError:  # an archive
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
