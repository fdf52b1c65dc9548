"""The data that a game ships in `data/` of its package: YAML with comments for people, and the same as JSON.

The program reads the JSON, which takes no time. A test holds that it says what the YAML says.
"""

from __future__ import annotations

from functools import cache
from pkgutil import get_data  # a tenth of the time that importlib.resources takes to import
from typing import Any

import msgspec


def text_of(package: str, name: str) -> str:
    """The YAML file of that name, as its author wrote it."""
    return _read(package, f"{name}.yaml").decode()


def data_of(package: str, name: str) -> Any:
    """The plain data of that name, made anew for every caller."""
    return msgspec.json.decode(_read(package, f"{name}.json"))


@cache
def _read(package: str, file: str) -> bytes:
    found = get_data(package, f"data/{file}")
    assert found is not None
    return found
