"""The table of a game's `rules`: every rule of RULES.md by its number, in the module that cites it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from pbem.core.rulebook import of
from pbem.core.rules import Rules
from pbem.games import load
from pbem.games.mortain import rules as mortain
from pbem.games.rommel import rules as rommel
from pbem.games.rommel.rules import air

GAMES = (mortain, rommel)
ROW = re.compile(r"^    ([MR]\d+)\.(\d)(?:-[MR]\d+\.(\d))? +([\w.]+) ", re.MULTILINE)


def folder(rules: ModuleType) -> Path:
    return Path(rules.__file__ or "").parent


def table(rules: ModuleType) -> Iterator[tuple[str, str]]:
    """Each rule with its module."""
    for chapter, first, last, module in ROW.findall(rules.__doc__ or ""):
        for number in range(int(first), int(last or first) + 1):
            yield f"{chapter}.{number}", module


def text(rules: ModuleType, module: str) -> str:
    """A module of `rules` or of `terms`, or all modules of a package."""
    here = folder(rules)
    path = here.parent / module.replace(".", "/") if "." in module else here / module
    files = sorted(path.glob("[a-z]*.py")) if path.is_dir() else [path.with_suffix(".py")]
    return "".join(file.read_text("utf-8") for file in files)


@pytest.mark.parametrize("rules", GAMES)
def test_every_rule_of_the_page_stands_once_in_the_table(rules: ModuleType) -> None:
    page = (folder(rules).parent / "RULES.md").read_text("utf-8")
    assert [rule for rule, _ in table(rules)] == re.findall(r"^\* ([MR]\d+\.\d) ", page, re.MULTILINE)


@pytest.mark.parametrize(("rules", "rule", "module"), [(game, *row) for game in GAMES for row in table(game)])
def test_the_module_cites_the_rule(rules: ModuleType, rule: str, module: str) -> None:
    assert rule in text(rules, module)


@pytest.mark.parametrize("game", [load(name) for name in ("mortain", "rommel")], ids=lambda game: game.name)
def test_what_a_refusal_of_commanders_cites_speaks_of_them(game: Rules) -> None:
    book = of(game)
    for number in (game.sharing.rule, *(game.sharing.most or ())[1:]):
        found = book.rule(number) or book.chapter(number)
        assert found, number
        assert "commander" in found.text


@pytest.mark.parametrize("rules", GAMES)
def test_every_module_is_named(rules: ModuleType) -> None:
    named = set(re.findall(r"\w+", f"{rules.__doc__} {air.__doc__}"))
    assert {path.stem for path in folder(rules).rglob("[a-z]*.py")} <= named
