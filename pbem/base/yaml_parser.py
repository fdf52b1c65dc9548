"""The choice of PyYAML's parser: libyaml's where PyYAML has it, else the one in Python, ten times slower.

The wheels of PyYAML have libyaml; built from source without it, `yaml.CSafeLoader` does not even exist.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import yaml

Loader: TypeAlias = "type[yaml.SafeLoader | yaml.CSafeLoader]"

PURE: Loader = yaml.SafeLoader
"""The parser in Python."""

LOADER: Loader = yaml.CSafeLoader if yaml.__with_libyaml__ else PURE


def load(text: str) -> Any:
    """The value of a text that ships with the program. What others send is read by `format.yaml_reader`."""
    return yaml.load(text, Loader=LOADER)
