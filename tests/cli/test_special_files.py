"""A pipe, a socket or a device in the place of any file: one line at once, and nothing is written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.markers import Posix, requires
from support.processes import PATH

pytestmark = requires(Posix.LINKS)

SECONDS = 60
"""More than any of these commands takes on a busy computer, and less than for ever."""


def lines(folder: Path, *arguments: str) -> list[str]:
    """What a command says that fails."""
    done = subprocess.run(
        [sys.executable, "-m", "pbem", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": PATH, "PBEM_HOME": "homes/anna", "PBEM_BACKUP_PASSPHRASE": "x" * 12},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 1, done
    return (done.stdout + done.stderr).splitlines()


READING = [
    "show pipe",
    "verify pipe",
    "join pipe",
    "plan mortain.yaml read pipe",
    "scenario check pipe",
    "new mortain x.yaml --seat german --scenario pipe",
    "club . --members pipe",
    "club . --season pipe",
    "restore pipe",
    "backup pipe",
    "show /dev/zero",
    "restore /dev/zero",
]


@pytest.mark.thorough
@pytest.mark.parametrize("command", READING)
def test_a_pipe_or_a_device_is_not_read(command: str, table: Path) -> None:
    os.mkfifo(table / "pipe")
    said = lines(table, *command.split())
    assert sum("not a regular file" in line for line in said) == 1, said
    assert len(said) <= 2, said


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("key", "show mortain.yaml"),
        ("config.yaml", "mail fetch"),
        ("games/*/record.json", "plan mortain.yaml"),
    ],
)
def test_a_pipe_in_the_home_is_not_read(name: str, command: str, table: Path) -> None:
    home = table / "homes" / "anna"
    file = next(home.glob(name), home / name)
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    (said,) = lines(table, *command.split())
    assert "not a regular file" in said


WRITING = [
    "page mortain.yaml -o {}.html",
    "picture mortain.yaml -o {}.svg",
    "scenario write {}",
    "plan mortain.yaml write {}",
    "new mortain {} --seat german",
    "backup {}",
]


@pytest.mark.thorough
@pytest.mark.parametrize("command", WRITING)
def test_nothing_is_written_through_a_link_that_leads_nowhere(command: str, table: Path) -> None:
    for name in ("link", "link.html", "link.svg"):
        (table / name).symlink_to("nowhere")
    before = sorted(table.rglob("*"))
    said = lines(table, *command.format("link").split())
    assert "exist" in said[0]
    assert not (table / "nowhere").exists()
    assert {path for path in table.rglob("*") if path not in before} <= set(table.rglob("lock"))
