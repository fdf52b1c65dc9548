from __future__ import annotations

from collections.abc import Iterator

import pytest

from web.browser import Browser, chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a worker."""
    yield from chromium()
