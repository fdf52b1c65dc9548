"""The choice of PyYAML's parser: libyaml if PyYAML has it, else the one in Python, ten times slower.

The wheels of PyYAML include libyaml; built from source without it, PyYAML has no `yaml.CSafeLoader`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import yaml

Loader: TypeAlias = "type[yaml.SafeLoader | yaml.CSafeLoader]"

PURE: Loader = yaml.SafeLoader
"""The parser in Python."""

LOADER: Loader = yaml.CSafeLoader if yaml.__with_libyaml__ else PURE


def load(text: str) -> Any:
    """The value of a text that ships with a game. What others send goes through `parse_yaml`."""
    return yaml.load(text, Loader=LOADER)
