"""Read the YAML subset of FORMAT 1: bytes in, plain data out, or `FileError` with line and column.

Text in the writer's form is read line by line (`yaml_lines`), any other text by the strict reader, with
PyYAML.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.format.yaml_lines import read_lines
from pbem.format.yaml_text import Plain, decode_text


def parse_yaml(data: bytes) -> Plain:
    """The value in a file (FORMAT 9, step 1). Raises `FileError` with line and column."""
    text = decode_text(data)
    value = read_lines(text)
    if value is not None:
        return value
    from pbem.format.strict_yaml import (
        parse_strictly,
    )  # 30 ms: longer than reading a file takes

    return parse_strictly(text)


def top_level_keys(data: bytes) -> Iterator[str]:
    """The keys of the mapping in a file, if it is one, each as soon as it is read.

    Raises `FileError`, as `parse_yaml` does, for a fault before the next key.
    """
    from pbem.format.strict_yaml import keys_of  # 30 ms: longer than reading a file takes

    yield from keys_of(decode_text(data))
