"""Data shipped in a folder of a game's package: YAML with comments for people, and the same as JSON.

If there is JSON, it is read, because YAML takes longer; a test checks that both say the same.
"""

from __future__ import annotations

from functools import cache
from pkgutil import get_data  # importing it takes a tenth of the time of importlib.resources
from typing import Any

import msgspec

FOLDER = "data"
"""The default folder in a package."""


def text_of(package: str, name: str, folder: str = FOLDER) -> str:
    """The YAML file of that name, as a text with its comments."""
    return _packaged_file(package, f"{folder}/{name}.yaml").decode()


def data_of(package: str, name: str, folder: str = FOLDER) -> Any:
    """The plain data of that name, a new copy for each call."""
    try:
        return msgspec.json.decode(_packaged_file(package, f"{folder}/{name}.json"))
    except OSError:
        import yaml  # 10 ms: a game that ships with the program needs no YAML

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # PyYAML might have been built without libyaml
        return yaml.load(text_of(package, name, folder), Loader=loader)


@cache
def _packaged_file(package: str, file: str) -> bytes:
    found = get_data(package, file)
    assert found is not None
    return found
