"""The numbered rule cases: written from the rules, not from the code. See `casebook` for their form."""

from __future__ import annotations

from collections import Counter

import pytest

from games.rommel.casebook import Case, cases, play


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_case(case: Case) -> None:
    play(case)


def test_every_case_has_a_number_of_its_own() -> None:
    assert [number for number, times in Counter(case.id for case in cases()).items() if times > 1] == []
