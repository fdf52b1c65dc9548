"""Data that a game ships in a folder of its package: YAML with comments for people, and the same as JSON.

Where the JSON is there, it is read, which takes no time; a test holds that it says what the YAML says.
Without it the YAML is read.
"""

from __future__ import annotations

from functools import cache
from pkgutil import get_data  # a tenth of the time that importlib.resources takes to import
from typing import Any

import msgspec

FOLDER = "data"
"""The default folder in a package."""


def text_of(package: str, name: str, folder: str = FOLDER) -> str:
    """The YAML file of that name, as its author wrote it."""
    return _packaged_file(package, f"{folder}/{name}.yaml").decode()


def data_of(package: str, name: str, folder: str = FOLDER) -> Any:
    """The plain data of that name, new for every caller."""
    try:
        return msgspec.json.decode(_packaged_file(package, f"{folder}/{name}.json"))
    except OSError:
        import yaml  # 10 ms: a game that ships with the program needs no YAML

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # PyYAML may have been built without libyaml
        return yaml.load(text_of(package, name, folder), Loader=loader)


@cache
def _packaged_file(package: str, file: str) -> bytes:
    found = get_data(package, file)
    assert found is not None
    return found
