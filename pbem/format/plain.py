"""Plain data, the only values of a game file."""

from __future__ import annotations

import re
from typing import TypeAlias

Plain: TypeAlias = "bool | int | str | list[Plain] | dict[str, Plain] | None"
"""A value that a game file can hold. The keys of mappings are ASCII (FORMAT section 1)."""

MAX_INTEGER = 2**53 - 1
"""The largest magnitude of an integer: other languages lose digits beyond it."""

SURROGATE = re.compile(r"[\ud800-\udfff]")
"""Half of a UTF-16 surrogate pair: it is no character and has no UTF-8."""
