"""How many of many values alike are tried: some every time, all of them with PBEM_LONG=1."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

LONG = bool(os.environ.get("PBEM_LONG"))


def sample_rows(rows: Iterable[Any], every: int) -> list[Any]:
    """The first of every so many rows of parameters, and the others marked `long`."""
    return [row if n % every == 0 else _mark_long(row) for n, row in enumerate(rows)]


def _mark_long(row: Any) -> Any:
    return pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.long)
