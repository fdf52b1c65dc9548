"""No cell of a table is a formula, at whatever a spreadsheet parts its lines."""

from __future__ import annotations

import csv
import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.render.safe_text import spreadsheet_cell

DELIMITERS = [",", ";", "\t", ";,", ";,\t"]


def cells(values: list[str], delimiters: str) -> list[str]:
    """The cells of a line as a spreadsheet sees them that parts it at any of these characters."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow(values)
    line = written.getvalue()
    for other in delimiters[1:]:
        line = line.replace(other, delimiters[0])
    return [cell for row in csv.reader(io.StringIO(line), delimiter=delimiters[0]) for cell in row]


def is_formula(cell: str) -> bool:
    return unicodedata.normalize("NFKC", cell).lstrip(' "')[:1] in tuple("=+-@")


@pytest.mark.parametrize(
    "name",
    [
        "=1+1",
        "x;=1+1;y",
        "x,@SUM(1)",
        "x\t-1",
        "＝1+1",
        "x;＋1",
        "－1",
        "x;＠A1",
        ' "=1+1',
        'x;"=1+1"',
        "x; =1",
        "﹦1",
        "⁺1",
    ],
)
@pytest.mark.parametrize("delimiters", DELIMITERS)
def test_names_that_would_be_calculated(name: str, delimiters: str) -> None:
    assert not any(map(is_formula, cells(["1", spreadsheet_cell(name), "2"], delimiters)))


@given(
    st.lists(st.text(st.sampled_from("a1=+-@＝＋－＠﹣,;\t\n\"' ")), min_size=1, max_size=4),
    st.sampled_from(DELIMITERS),
)
def test_any_names(names: list[str], delimiters: str) -> None:
    assert not any(map(is_formula, cells(list(map(spreadsheet_cell, names)), delimiters)))


@pytest.mark.parametrize(
    "name", ["Anna", "Anna-Maria", "a=b", "O'Neill; Bruno", "you@example.org, 2", "(1+1)", "猫"]
)
def test_other_names_stay(name: str) -> None:
    assert spreadsheet_cell(name) == name
