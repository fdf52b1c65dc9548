"""Read the YAML subset of FORMAT section 1: bytes in, plain data out, or `FileError` with line and column.

What our writer writes is read line by line (`yaml_lines`); any other text by the strict reader, with PyYAML.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.format.yaml_lines import read_lines
from pbem.format.yaml_text import Plain, decode_text


def parse_yaml(data: bytes) -> Plain:
    """The value that a file holds: step 1 of FORMAT section 9. Raises `FileError` with line and column."""
    text = decode_text(data)
    value = read_lines(text)
    if value is not None:
        return value
    from pbem.format.strict_yaml import (
        parse_strictly,
    )  # 30 ms: PyYAML takes longer than all of a file

    return parse_strictly(text)


def top_level_keys(data: bytes) -> Iterator[str]:
    """The keys of the mapping that a file holds, if it is one, each as soon as it is read.

    Raises `FileError` as `parse_yaml`, for a fault before the next key.
    """
    from pbem.format.strict_yaml import keys_of  # 30 ms: PyYAML takes longer than all of a file

    yield from keys_of(decode_text(data))
