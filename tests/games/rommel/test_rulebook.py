"""The table of `rules`: every rule of RULES.md is found by its number, in the module that cites it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.games.rommel import rules
from pbem.games.rommel.rules import air

RULES = Path(rules.__file__).parent
ROW = re.compile(r"^    R(\d+)\.(\d)(?:-R\d+\.(\d))? +([a-z.]+) ", re.MULTILINE)


def table() -> Iterator[tuple[str, str]]:
    """Each rule with its module."""
    for chapter, first, last, module in ROW.findall(rules.__doc__ or ""):
        for number in range(int(first), int(last or first) + 1):
            yield f"R{chapter}.{number}", module


def text(module: str) -> str:
    """A module of `rules` or of `terms`, or all modules of a package."""
    path = RULES.parent / module.replace(".", "/") if "." in module else RULES / module
    files = sorted(path.glob("[a-z]*.py")) if path.is_dir() else [path.with_suffix(".py")]
    return "".join(file.read_text("utf-8") for file in files)


def test_every_rule_of_the_page_stands_once_in_the_table() -> None:
    page = (RULES.parent / "RULES.md").read_text("utf-8")
    assert [rule for rule, _ in table()] == re.findall(r"^\* (R\d+\.\d) ", page, re.MULTILINE)


@pytest.mark.parametrize(("rule", "module"), list(table()))
def test_the_module_cites_the_rule(rule: str, module: str) -> None:
    assert rule in text(module)


def test_every_module_is_named() -> None:
    named = set(re.findall(r"\w+", f"{rules.__doc__} {air.__doc__}"))
    assert {path.stem for path in RULES.rglob("[a-z]*.py")} <= named
