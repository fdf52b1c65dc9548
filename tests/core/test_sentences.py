"""Numbers and lists in words."""

from __future__ import annotations

from typing import Literal

import pytest

from pbem.core.sentences import joined, listed, numeral
from pbem.texts import speaking


@pytest.mark.parametrize(
    ("number", "said"),
    [
        *enumerate(["no", "one", "two", "three", "four", "five", "six", "seven", "eight"]),
        *[(9, "9"), (12, "12")],
    ],
)
def test_a_number_before_a_noun(number: int, said: str) -> None:
    assert str(numeral(number)) == said


def test_names() -> None:
    assert listed(["DF", "D", "37SS"]) == "DF, D, 37SS"
    assert [str(joined(["DF"])), str(joined(["DF", "D"])), str(joined([3, 4, 5], "or"))] == [
        "DF",
        "DF and D",
        "3, 4 or 5",
    ]


@pytest.mark.parametrize(
    ("names", "last", "said"),
    [
        (["fuego", "infantería"], "and", "fuego e infantería"),
        (["agua", "hielo"], "and", "agua y hielo"),
        (["DF", "D"], "and", "DF y D"),
        ([7, 8], "or", "7 u 8"),
        ([5, 6], "or", "5 o 6"),
        (["norte", "oeste"], "or", "norte u oeste"),
    ],
)
@pytest.mark.usefixtures("compiled")
def test_names_in_spanish(names: list[object], last: Literal["and", "or"], said: str) -> None:
    """The conjunction changes before its own sound."""
    with speaking("es"):
        assert str(joined(names, last)) == said
