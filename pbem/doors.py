"""Doors: the names by which others meet a room, each found in its module when it is first wanted.

A room lists them once, as imports for whoever checks types; so nothing is loaded that nobody uses.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def door(room: str) -> Callable[[str], Any]:
    """The `__getattr__` of a room, for the names that it lists `if TYPE_CHECKING`."""

    @cache
    def names() -> dict[str, str]:
        source = find_spec(room).loader.get_source(room)  # type: ignore[union-attr]
        listed = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
        return {alias.name: node.module or "" for node in listed for alias in node.names if alias.asname}

    def found(name: str) -> Any:
        if name not in names():
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        return getattr(import_module(names()[name]), name)

    return found
