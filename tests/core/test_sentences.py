"""Numbers and lists in words."""

from __future__ import annotations

import pytest

from pbem.core.sentences import joined, listed, numeral


@pytest.mark.parametrize(("number", "said"), [(0, "no"), (1, "one"), (4, "four"), (8, "eight"), (12, "12")])
def test_a_number_before_a_noun(number: int, said: str) -> None:
    assert str(numeral(number)) == said


def test_names() -> None:
    assert listed(["DF", "D", "37SS"]) == "DF, D, 37SS"
    assert [str(joined(["DF"])), str(joined(["DF", "D"])), str(joined([3, 4, 5], "or"))] == [
        "DF",
        "DF and D",
        "3, 4 or 5",
    ]
