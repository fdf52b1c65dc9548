"""Nobody reads: what speaks now, instead of making a message that is said once somebody reads, fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from pbem import texts


def _fail_to_translate(package: str, language: str) -> None:
    raise AssertionError(f"{package} speaks where nobody reads")


@contextmanager
def forbid_translation() -> Iterator[None]:
    """Within, nothing may be said in any language."""
    with patch.object(texts, "_catalogue", _fail_to_translate), texts.speaking("nobody's"):
        yield
