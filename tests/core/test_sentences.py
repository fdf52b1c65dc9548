"""Numbers and lists in words."""

from __future__ import annotations

import pytest

from pbem.core.sentences import counted, joined, listed, numeral, spelt


@pytest.mark.parametrize(
    ("number", "noun", "figures", "words"),
    [
        (0, "unit", "0 units", "no units"),
        (1, "hex", "1 hex", "one hex"),
        (4, "hex", "4 hexes", "four hexes"),
        (8, "German unit", "8 German units", "eight German units"),
        (12, "unit", "12 units", "12 units"),
    ],
)
def test_a_number_and_its_noun(number: int, noun: str, figures: str, words: str) -> None:
    assert (counted(number, noun), spelt(number, noun)) == (figures, words)
    assert words.startswith(f"{numeral(number)} ")


def test_names() -> None:
    assert listed(["DF", "D", "37SS"]) == "DF, D, 37SS"
    assert [joined(["DF"]), joined(["DF", "D"]), joined([3, 4, 5], "or")] == ["DF", "DF and D", "3, 4 or 5"]
