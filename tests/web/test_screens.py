"""Five screens as they were when somebody last looked at them: where everything is, and in which colours.

Words are left out, and a pixel stands for twenty by twenty, so that another font or another release of the
browser changes little. `python -m support.screenshots` takes them anew: look at them before you commit.
"""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from support.browsers import Browser
from support.screenshots import SCREENS, SMALL, shrink, take_small

pytestmark = pytest.mark.thorough

DIFFERENT = 60
"""By how much, of 255, a pixel differs in a colour if something else is there."""

MOST_DIFFERENT = 0.03
"""The share of pixels that may be different: an edge is elsewhere by some pixels where letters are larger."""


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_is_as_it_was(name: str, browser: Browser, tmp_path: Path) -> None:
    _, now = take_small(browser, tmp_path, SCREENS[name])
    _, before = shrink(browser, b64encode((SMALL / f"{name}.png").read_bytes()).decode(), 1)
    assert len(now) == len(before)
    assert share_of_different(now, before) <= MOST_DIFFERENT


def test_another_screen_is_different(browser: Browser) -> None:
    """Another map differs in most pixels, and the same map with other drawers in more than may be."""
    pictures = [b64encode((SMALL / f"{name}.png").read_bytes()).decode() for name in SCREENS]
    mortain, rommel, board, *_ = [shrink(browser, picture, 1)[1] for picture in pictures]
    assert share_of_different(mortain, rommel) > 0.5
    assert share_of_different(mortain, board) > MOST_DIFFERENT


def share_of_different(some: list[int], others: list[int]) -> float:
    """The share of pixels that are different in two pictures of one size."""
    distances = [abs(one - other) for one, other in zip(some, others, strict=True)]
    pixels = range(0, len(distances), 4)  # red, green, blue, opacity
    return sum(max(distances[at : at + 4]) > DIFFERENT for at in pixels) / len(pixels)
