"""Commands are imported when they run, and not before; the table of their names is complete."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

import pbem.cli
from pbem.cli.app import app
from pbem.cli.lazy import LazyGroup

MAIN = typer.main.get_group(app)
GROUPS = [("", MAIN), ("mail", MAIN.commands["mail"])]
HEAVY = {"yaml", "msgspec", "cryptography", "email", "pbem.umpire", "pbem.games", "pbem.desk"}


def imported(*arguments: str, **environment: str) -> set[str]:
    """The modules in a process that has run the command."""
    code = (
        "import sys\nfrom pbem.cli.app import run\nrun(sys.argv[1:])\n"
        "print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines())


@pytest.mark.parametrize(("name", "group"), GROUPS)
def test_the_table_names_every_command(name: str, group: LazyGroup) -> None:
    """Each name leads to a command, and each module that is named has no command that is not."""
    assert isinstance(group, LazyGroup)
    for command, (module, line) in group.table.items():
        assert getattr(group.load(command), "commands", {command: None})
        others = typer.main.get_group(import_module(f"pbem.cli.{module}").app).commands
        assert command not in others or set(others) <= set(group.table)
        assert line.endswith(".")
        assert len(f"  {command:<8}  {line}") <= 78


def test_no_module_with_commands_is_left_out() -> None:
    folder = Path(pbem.cli.__file__).parent
    having = {path.stem for path in folder.glob("*.py") if "\napp = commands(" in path.read_text()}
    named = {module for _, group in GROUPS for module, _ in group.table.values()}  # type: ignore[attr-defined]
    assert having == named


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["mail", "--help"]], ids=" ".join)
def test_what_runs_no_command_imports_none(arguments: list[str]) -> None:
    assert not HEAVY & imported(*arguments)


def test_completion_of_a_name_imports_no_command() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "pbem"],
        env={**os.environ, "_PBEM_COMPLETE": "complete_bash", "COMP_WORDS": "pbem ve", "COMP_CWORD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["verify"]
    found = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "pbem.cli.app" in found
    assert not HEAVY & found


def test_a_slip_is_still_understood(capsys: pytest.CaptureFixture[str]) -> None:
    from pbem.cli.app import run

    assert run(["verfy"]) == 2
    assert "Did you mean 'verify'" in capsys.readouterr().err
