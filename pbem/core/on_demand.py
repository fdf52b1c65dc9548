"""Functions that are imported at their first call: a view has what only some surfaces use (decision 12)."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def on_demand(module: str, name: str) -> Callable[..., Any]:
    """The function `name` of a module, which is imported when it is first called."""

    def call(*arguments: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*arguments, **named)

    return call
