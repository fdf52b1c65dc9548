"""Plain data, the only values of a game file, and how an error message shows one."""

from __future__ import annotations

import re
from typing import TypeAlias

Plain: TypeAlias = "bool | int | str | list[Plain] | dict[str, Plain] | None"
"""What a game file can say. The keys of mappings are ASCII (FORMAT section 1)."""

LARGEST = 2**53 - 1
"""The largest magnitude of an integer: other languages lose digits beyond it."""

SURROGATE = re.compile(r"[\ud800-\udfff]")
"""Half of a UTF-16 pair: it is no character and has no UTF-8."""


def shown(value: object) -> str:
    """A value as an error message shows it: short, on one line, without control characters."""
    if isinstance(value, dict):
        return "a mapping" if value else "an empty mapping"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, str):
        return repr(value) if len(value) <= 40 else f"{value[:30]!r}… ({len(value)} characters)"
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)
