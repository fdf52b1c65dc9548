"""Charts: how long a bar is, and that names are text."""

from __future__ import annotations

import re

from pbem.analysis.study_page import Series, ShareBar, bar_chart, column_chart, share_chart

RED, BLUE = Series("Red", (), "c-red"), Series("Blue", (), "c-blue")


def boxes(svg: str, style: str) -> list[tuple[int, int]]:
    """Where the boxes of a colour begin and how wide they are, but for the one in the key."""
    found = re.findall(rf'class="{style} edge" d="M(\d+) \d+h(\d+)', svg)
    return [(int(x), int(wide)) for x, wide in found if int(wide) != 14]


def test_shares() -> None:
    """520 wide from 20 on: a quarter is 130, a half from the right begins at 280. Between them the draws."""
    drawn = share_chart("wins", [ShareBar("it", 0.25, 0.5, (0.2, 0.3), (0.4, 0.6))], (RED, BLUE))
    assert boxes(drawn, "c-red") == [(20, 130)]
    assert boxes(drawn, "c-blue") == [(280, 260)]
    assert "M124.0" in drawn  # 20 + 520 * 0.2
    assert "H176.0" in drawn  # 20 + 520 * 0.3
    assert "M228.0" in drawn  # 20 + 520 * (1 - 0.6)
    assert "H332.0" in drawn


def test_the_highest_column_fills_the_chart() -> None:
    drawn = column_chart("losses", ["1", "2"], [Series("Red", [1.0, 4.0], "c-red")], "turn")
    highs = [int(high) for high in re.findall(r'class="c-red edge" d="M\d+ \d+h\d+v(\d+)', drawn)]
    assert highs == [14, round(170 / 4), 170]  # the key first


def test_nothing_at_all_is_no_column() -> None:
    assert boxes(column_chart("x", ["1"], [Series("Red", [0.0], "c-red")], "turn"), "c-red") == []


def test_names_are_text() -> None:
    drawn = bar_chart('"><script>', [("<b>", 0.5)], "c-red")
    assert "<script" not in drawn
    assert "&lt;b&gt;" in drawn
    assert "50%" in drawn
