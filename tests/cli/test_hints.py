"""Hints are commands that can be pasted: each stands at the end, after what it is for, and names its file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

import pbem
from pbem.cli.app import app
from pbem.cli.lazy import LazyGroup

ROOT = Path(pbem.__file__).parent
MAIN = typer.main.get_group(app)
PLACEHOLDER = re.compile(r"\b(?!UTF\b|ASCII\b|EDITOR\b|AUTH\b|XOAUTH2\b|YAML\b)[A-Z]{3,}\b(?!_)|<[a-z]|…")
"""What a player would have to replace before he can paste a command."""

COMMAND = re.compile(r"(?:^|: )(pbem(?: [^;]*)?)(?:; |$)")
ARGUMENT = re.compile(r"\{\}|--[a-z-]+|yes|no|newest-\{\}|[a-z-]+")


def hints() -> Iterator[tuple[str, str]]:
    """Every text that the source gives as a hint, with its module; what is put into it is shown as `{}`."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for words in map(text, _given(node)):
                if words:
                    yield path.relative_to(ROOT).as_posix(), words


def _given(node: ast.AST) -> list[ast.expr]:
    """The expressions that a node gives as a hint: two, if it chooses."""
    match node:
        case ast.keyword(arg="hint", value=value) | ast.Assign(targets=[ast.Name(id="hint")], value=value):
            return [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
        case ast.Assign(targets=[ast.Attribute(attr="hint")], value=value):
            return [value]
    return []


def text(value: ast.expr) -> str:
    """A text of the source, empty where the expression is something else."""
    match value:
        case ast.Constant(value=str(words)):
            return words
        case ast.JoinedStr(values=parts):
            return "".join(text(part) or "{}" for part in parts)
        case ast.Call(func=ast.Name(id="tr"), args=[ast.Constant(value=str(words))], keywords=places):
            return words.format_map({str(one.arg): text(one.value) or "{}" for one in places})
    return ""


HINTS = sorted(set(hints()))


def test_they_are_found() -> None:
    assert ("desk/acts/openness.py", "take the seat: pbem join {}") in HINTS
    assert len(HINTS) > 30


@pytest.mark.parametrize(("module", "hint"), HINTS)
def test_a_command_stands_at_the_end(module: str, hint: str) -> None:
    """No words follow a command, so that all from `pbem` on can be pasted, and there is such a command."""
    assert isinstance(MAIN, LazyGroup)
    for command in COMMAND.findall(hint):
        words = command.split()[1:]
        assert not words or words[0] in MAIN.table or words[0] == "{}", hint
        assert all(ARGUMENT.fullmatch(word) for word in words), hint
    named = re.findall(r"(?<![\w.])pbem (?:" + "|".join(MAIN.table) + r")\b", hint)
    assert len(named) <= len(COMMAND.findall(hint)), hint


@pytest.mark.parametrize(("module", "hint"), HINTS)
def test_nothing_is_left_to_fill_in(module: str, hint: str) -> None:
    """A command names its file; an address that a stranger claims is asked for (`session.confirmed`)."""
    assert not PLACEHOLDER.search(hint)
