"""A console of Windows, as Wine shows it in a terminal: the prompt, Tab and Control-C."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.terminal import ENTER, INTERRUPT, TAB, Screen
from support.transcripts import ROOT
from support.windows_program import PYTHON, WindowsProgram

pytestmark = pytest.mark.wine


class Console(Screen):
    """A console of Windows of 80 columns with the program in it."""

    program: tuple[str, ...] = ("wine", PYTHON, "-m", "pbem")

    def __init__(self, folder: Path, *arguments: str) -> None:
        super().__init__(folder, 80, 30, *arguments, PBEM_HOME="home")


def test_the_prompt(tmp_path: Path) -> None:
    """It asks, Tab completes, and Control-C stops it with nothing written."""
    with WindowsProgram() as windows:
        windows.run(tmp_path, "new", "mortain", "game.yaml", "--seat", "us", "--practice", "--name", "José")
    before = (tmp_path / "game.yaml").read_bytes()
    console = Console(tmp_path, "move", "game.yaml")
    console.wait_for("at most two to a hex", "Order: ")
    console.type("place 117Inf 15")
    console.wait_for("Order: place 117Inf 15")
    console.type(TAB)
    console.wait_for("1501 1502 1503")
    console.type(INTERRUPT)
    console.wait_for("error: stopped")
    assert console.wait_for_end() == 1
    console.close()
    assert (tmp_path / "game.yaml").read_bytes() == before


@pytest.mark.thorough
def test_a_study(tmp_path: Path) -> None:
    """Control-C reaches its processes too: what they have done is kept."""
    console = Console(tmp_path, "study", "mortain", "--games", "100000", "--workers", "2")
    console.wait_for("a second")
    console.type(INTERRUPT)
    console.wait_for("To continue, run the same command again")
    assert console.wait_for_end() == 1
    console.close()


@pytest.mark.thorough
def test_watch(tmp_path: Path) -> None:
    """Control-C ends it between two looks into the mailbox."""
    for name in ("cur", "new", "tmp"):
        (tmp_path / "mail" / name).mkdir(parents=True)
    server = "smtp: {host: smtp.example.org, port: 465, security: tls, user: anna}"
    settings = f"mail:\n  address: anna@example.org\n  maildir: Z:{tmp_path / 'mail'}\n  {server}\n"
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.yaml").write_text(settings)
    console = Console(tmp_path, "mail", "watch")
    console.wait_for("No new games in your mail.")
    console.type(INTERRUPT)
    assert console.wait_for_end() == 1
    console.close()


ASKING = """
from pbem.cli.terminal import prepare_streams, put, ask_text
prepare_streams()
put("José, Zażółć: " + ask_text("Word"))
"""
PAGES = ("437", "850", "1252", "65001")


class Batch(Console):
    """A console that runs `typed.bat`; no key is altered on its way."""

    program = ("sh", "-c", "stty raw -echo; exec wine cmd /c typed.bat")


@pytest.mark.thorough
def test_code_pages(tmp_path: Path) -> None:
    """Whatever a console's is, what is printed and what is typed keeps its letters; in a file too."""
    (tmp_path / "asking.py").write_text(ASKING, "utf-8")
    python = f"Z:{PYTHON}".replace("/", "\\")
    lines = ["@echo off"]
    for page in PAGES:
        lines += [f"chcp {page}", f"{python} asking.py", f"{python} -m pbem log {GAME} > {page}.txt"]
    (tmp_path / "typed.bat").write_bytes("\r\n".join(lines).encode())
    console = Batch(tmp_path)
    for page in PAGES:
        console.wait_for(f"page: {page}", "Word: ")
        console.type("Größe, łódź" + ENTER)
        console.wait_for("José, Zażółć: Größe, łódź", times=PAGES.index(page) + 1)
    assert console.wait_for_end() == 0
    console.close()
    told = {(tmp_path / f"{page}.txt").read_text("utf-8") for page in PAGES}
    assert len(told) == 1
    assert not told.pop().isascii()


GAME = f"Z:{ROOT / 'examples' / 'mortain-de-own-scenario.yaml'}".replace("/", "\\")
"""A game whose title has letters beyond ASCII."""
