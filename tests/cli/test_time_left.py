"""The bar of a long command says how long it goes on."""

from __future__ import annotations

import pytest

from pbem.cli.progress import _describe_pace


@pytest.mark.parametrize(
    ("done", "more", "seconds", "words"),
    [
        (0, 100, 3.0, ""),  # nothing is known yet
        (10, 30, 5.0, ", 2 a second, 15 s left"),
        (100, 12_000, 4.0, ", 25 a second, 8 min left"),
        (5, 20_000, 4.0, ", 1.25 a second, 4 h left"),
        (10, 0, 5.0, ", 2 a second, 1 s left"),
    ],
)
def test_left(done: int, more: int, seconds: float, words: str) -> None:
    assert _describe_pace(done, more, seconds) == words
