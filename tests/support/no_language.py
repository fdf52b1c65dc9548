"""No reader: a message translated now, rather than when somebody reads it, fails the test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from pbem import texts


def _fail_to_translate(package: str, language: str) -> None:
    raise AssertionError(f"{package} speaks where nobody reads")


@contextmanager
def forbid_translation() -> Iterator[None]:
    """In this block, nothing may be translated."""
    with patch.object(texts, "_catalogue", _fail_to_translate), texts.speaking("nobody's"):
        yield
