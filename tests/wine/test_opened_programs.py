"""Programs that Windows opens a file by: the browser gets the board, the mail program a draft."""

from __future__ import annotations

import email
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.policy import default
from pathlib import Path
from urllib.request import urlopen

import pytest

from support.processes import wait_until
from support.windows_program import PYTHON, WindowsProgram

pytestmark = [pytest.mark.wine, pytest.mark.thorough]

OPENER = """
import sys
open(sys.argv[1] + ".new", "w", encoding="utf-8").write(sys.argv[2])
__import__("os").rename(sys.argv[1] + ".new", sys.argv[1])
"""


@contextmanager
def opener(kind: str, folder: Path) -> Iterator[Callable[[], Path]]:
    """A program to which all files of a kind belong; what is called waits for it, and tells what it got."""
    script, given = folder / "opener.py", folder / "given"
    script.write_text(OPENER)
    command = f'"Z:{PYTHON}" "Z:{script}" "Z:{given}" "%1"'.replace("/", "\\")
    register(r"pbem.test\shell\open\command", command)
    register(kind, "pbem.test")

    def opened() -> Path:
        assert wait_until(given.exists)
        return Path(given.read_text("utf-8").replace("\\", "/").removeprefix("Z:"))

    try:
        yield opened
    finally:
        register(kind, "")


def register(name: str, value: str) -> None:
    """Let Windows know a kind of file, or the command that opens it."""
    command = ["wine", "reg", "add", rf"HKLM\Software\Classes\{name}", "/ve", "/d", value, "/f"]
    subprocess.run(command, check=True, capture_output=True)


AT_HOME = """
import os, sys
os.environ["USERPROFILE"] = os.getcwd()
from pbem.cli import main
main()
"""
"""The program of a user in whose own folder it is started; Wine knows one user alone."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The own folder of a user with an accent in his name."""
    folder = tmp_path / "José"
    folder.mkdir()
    return folder


def test_the_board(home: Path) -> None:
    """Its door is in the user's own folder, and given by its path: Windows finds no accent in an address."""
    with WindowsProgram() as windows:
        assert not windows.run(home, "new", "mortain", "game.yaml", "--seat", "us", "--practice").code
    with (
        opener(".html", home) as opened,
        subprocess.Popen(
            ["wine", PYTHON, "-c", AT_HOME, "play", "game.yaml"],
            cwd=home,
            env={**os.environ, "PBEM_HOME": "home"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as program,
    ):
        try:
            door = opened()
            [address] = re.findall(r'url=([^"]+)', door.read_text("utf-8"))
            assert b"<title>pbem play<" in urlopen(address).read()
            assert door.parent == home
            assert wait_until(lambda: not door.exists())
        finally:
            program.kill()


def test_a_draft(home: Path) -> None:
    """The mail program gets a mail that is still to be sent, with the game."""
    with opener(".eml", home) as opened, WindowsProgram() as windows:
        assert not windows.run(home, "new", "mortain", "game.yaml", "--seat", "us", "--name", "José").code
        done = windows.run(home, "send", "game.yaml", "--open", "--to", "bruno@example.org")
        assert done.code == 0, done.err
        mail = email.message_from_bytes(opened().read_bytes(), policy=default)
    assert mail["X-Unsent"] == "1"
    assert mail["To"] == "bruno@example.org"
    [game] = mail.iter_attachments()
    assert game.get_payload(decode=True) == (home / "game.yaml").read_bytes()
