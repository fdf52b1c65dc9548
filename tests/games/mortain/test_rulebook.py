"""The table of `rules`: every rule of RULES.md is found by its number, in the module that cites it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.games.mortain import rules

FOLDER = Path(rules.__file__).parent
ROW = re.compile(r"^    (M\d)\.(\d)(?:-M\d\.(\d))? +(\w+) ", re.MULTILINE)


def table() -> Iterator[tuple[str, str]]:
    """Each rule with its module."""
    for chapter, first, last, module in ROW.findall(rules.__doc__ or ""):
        for number in range(int(first), int(last or first) + 1):
            yield f"{chapter}.{number}", module


def test_every_rule_of_the_page_stands_once_in_the_table() -> None:
    page = (FOLDER.parent / "RULES.md").read_text("utf-8")
    assert [rule for rule, _ in table()] == re.findall(r"^\* (M\d\.\d) ", page, re.MULTILINE)


@pytest.mark.parametrize(("rule", "module"), list(table()))
def test_the_module_cites_the_rule(rule: str, module: str) -> None:
    assert rule in (FOLDER / f"{module}.py").read_text("utf-8")


def test_every_module_is_named() -> None:
    modules = {path.stem for path in FOLDER.glob("*.py")} - {"__init__"}
    assert modules <= set(re.findall(r"\w+", rules.__doc__ or ""))
