"""The pages do what they say: their commands and their links; help has an example of each command."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from pbem.cli.app import app, run
from pbem.cli.command_groups import LazyGroup
from support.markers import Posix, requires
from support.transcripts import ROOT, files_open_to_others, perform_steps, read_steps, without_umask

PAGES = sorted(page for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md")])
PLAYED = [page for page in PAGES if "```console" in page.read_text("utf-8")]
EVERYDAY = ("README", "COMMANDERS", "MAIL", "SCENARIOS")
"""What is tried with the README's own command; the others with PBEM_CI=1."""


def _commands() -> list[str]:
    """Every command of the program, as typed: `show`, `scenario check`."""
    names: list[str] = []
    main = get_command(app)
    assert isinstance(main, LazyGroup)
    for name, stub in main.commands.items():
        command = main.load(name) if name in main.table else stub
        names += [f"{name} {part}" for part in vars(command).get("commands", ())] or [name]
    return names


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.stem, marks=() if page.stem in EVERYDAY else pytest.mark.thorough)
        for page in PLAYED
    ],
)
def test_transcript(page: Path, tmp_path: Path) -> None:
    """What a page says is typed and read."""
    with without_umask():
        for step, printed in perform_steps(read_steps(page), tmp_path, transcript=page.stem):
            assert step.fits(printed), f"line {step.start}: {step.command}\n" + "\n".join(printed)
    assert files_open_to_others(tmp_path) == []


@pytest.mark.parametrize("command", _commands())
def test_help_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command.split(), "--help"]) == 0
    told = capsys.readouterr().out
    assert re.search(rf"Example: pbem {command}\b", told)
    assert max(map(len, told.splitlines())) <= 80


@requires(Posix.SHELL)
def test_verify_page() -> None:
    """Every block of commands on the page prints the block that follows it."""
    page = (ROOT / "docs" / "VERIFY.md").read_text("utf-8")
    blocks = re.findall(r"```sh\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == page.count("```sh")
    script = "".join(f"{commands}echo ---\n" for commands, _ in blocks)
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split("---\n")[:-1] == [printed for _, printed in blocks]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links(page: Path) -> None:
    """A link to a file of the project leads to one."""
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        assert "://" in target or (page.parent / target).exists(), target


def test_modules_that_architecture_names() -> None:
    """A module named with its folder is there."""
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text("utf-8")
    named = re.findall(r"`([a-z]+/[a-z_]+\.py)`", page)
    assert named
    assert [
        path for path in named if not (ROOT / "pbem" / path).exists() and not (ROOT / path).exists()
    ] == []


def test_where_to_change_what() -> None:
    """Every module that CONTRIBUTING names, with its room or without, is there."""
    named = set(re.findall(r"`([a-z_/]+\.(?:py|js))`", (ROOT / "CONTRIBUTING.md").read_text("utf-8")))
    there = [
        f"/{path.relative_to(ROOT).as_posix()}"
        for folder in ("pbem", "tests", "examples")
        for path in (ROOT / folder).rglob("*.[pj][ys]")
    ]
    assert named
    assert [name for name in named if not any(path.endswith(f"/{name}") for path in there)] == []


def test_decisions() -> None:
    """Every record has a date and a status, and the table says the same."""
    folder = ROOT / "docs" / "decisions"
    lines = []
    for page in sorted(folder.glob("0*.md")):
        title, date, status = re.findall(
            r"\A# (\d+\. .+)\n\n(\d{4}-\d\d-\d\d) · ((?:accepted|superseded by \[\d+\]\(\S+\)).*)\n",
            page.read_text("utf-8"),
        )[0]
        number, _, name = title.partition(". ")
        lines.append(f"| [{number}]({page.name}) | {name} | {date} | {status.partition(';')[0]} |")
    table = (folder / "README.md").read_text("utf-8").partition("|---|---|---|---|\n")[2]
    assert table.splitlines() == lines
