"""The numbered rule cases: written from the rules, not from the code. See `casebook` for their form."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from support.mortain_cases import BOOK as MORTAIN
from support.rommel_cases import BOOK as ROMMEL
from support.rule_cases import Casebook

CASES = [(book, case) for book in (MORTAIN, ROMMEL) for case in book.cases()]


@pytest.mark.parametrize(("book", "case"), [pytest.param(*one, id=one[1]["id"]) for one in CASES])
def test_case(book: Casebook, case: dict[str, Any]) -> None:
    book.play(case)


def test_every_case_has_a_number_of_its_own() -> None:
    assert [number for number, times in Counter(case["id"] for _, case in CASES).items() if times > 1] == []
