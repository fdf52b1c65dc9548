from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.browsers import Browser, run_chromium
from support.programs import Program, current_program


@pytest.fixture(scope="module")
def now() -> Iterator[Program]:
    with current_program() as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from run_chromium()
