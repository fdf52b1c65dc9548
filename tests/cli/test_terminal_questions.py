"""At a terminal: a passphrase is asked for, and whether a file is the newest. Orders: test_prompt."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest

from support.terminal import Lines
from support.transcripts import ROOT, Step, perform_steps

pytestmark = pytest.mark.thorough


Opener: TypeAlias = Callable[..., Lines]


@pytest.fixture
def opened() -> Iterator[Opener]:
    """Open a terminal that is put away at the end of the test."""
    with ExitStack() as stack:

        def open_(folder: Path, *arguments: str, **environment: str) -> Lines:
            terminal = Lines(folder, *arguments, **environment)
            stack.callback(terminal.close)
            return terminal

        yield open_


class TestLosses:
    """R4.6: who stands down far from home is asked whether he means it, before it is signed."""

    STEPS = (
        Step("anna", "pbem new rommel --seat axis", 0),
        Step("bruno", "pbem join rommel.yaml", 0),
        Step("anna", "pbem move rommel.yaml --setup historical", 0),
        Step("anna", "pbem move rommel.yaml --setup historical", 0),
        Step("bruno", "pbem move rommel.yaml --setup historical", 0),
        Step("anna", "pbem move rommel.yaml", 0),
        Step("bruno", "pbem move rommel.yaml --setup historical", 0),
        Step("anna", "pbem move rommel.yaml", 0),
        Step("bruno", "pbem move rommel.yaml 'fly Spit-1 to 2108'", 0),
        Step("anna", "pbem move rommel.yaml 'stand down'", 0),
    )

    def test_asked(self, tmp_path: Path, opened: Opener) -> None:
        for _ in perform_steps(list(self.STEPS), tmp_path):
            pass
        before = (tmp_path / "rommel.yaml").read_bytes()
        terminal = opened(tmp_path, "move", "rommel.yaml", "stand down", PBEM_HOME="homes/bruno")
        told = terminal.read_to("Do it anyway? [y/n]")
        assert "warning: Spit-1 in 2108 will land on 2508" in told
        terminal.type("n")
        assert "Nothing was done, because you did not type yes." in terminal.read_to_end()
        assert (tmp_path / "rommel.yaml").read_bytes() == before


@pytest.mark.thorough
class TestProgress:
    """A folder that takes its time: how far it is stands on one line, and goes before anything is told."""

    FETCH = ("mail", "fetch", "--from", "box")

    @pytest.fixture
    def many(self, table: Path) -> Path:
        """1200 mails that must be looked into, before one with a game."""
        for name in ("box/new", "box/cur"):
            (table / name).mkdir(parents=True)
        for n in range(1200):
            data = b"Content-Transfer-Encoding: base64\n\n" + b"cGJlbQ\n" * 2000
            (table / "box" / "new" / f"{n:04}.host").write_bytes(data)
        game = (table / "mortain.yaml").read_bytes()
        (table / "box" / "new" / "1200.host").write_bytes(b"Subject: x\n\n" + game)
        return table

    def test_a_line_renewed_in_place(self, many: Path, opened: Opener) -> None:
        terminal = opened(many, *self.FETCH)
        printed = terminal.read_to_end()
        lines = re.findall(r"read [0-9,]+ of 1,201 mails", printed)
        assert lines
        assert len(set(lines)) == len(lines)
        before, _, told = printed.partition('mail 1200.host ("x")')
        assert before.endswith("\r")
        assert "the same as your saved game" in " ".join(told.split())

    def test_none_where_there_is_no_terminal(self, many: Path) -> None:
        environment = os.environ | {"PBEM_HOME": "homes/anna", "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "pbem", *self.FETCH]
        done = subprocess.run(command, cwd=many, env=environment, capture_output=True, check=True)
        assert done.stdout.startswith(b'mail 1200.host ("x")')
        assert done.stderr == b""


class TestPassphrase:
    """A passphrase is typed unseen: twice for a new key, once for each use of it."""

    def test_new_and_used(self, table: Path, opened: Opener) -> None:
        home = {"PBEM_HOME": "homes/clara"}
        made = opened(table, "key", "--passphrase", **home)
        made.read_to("New passphrase: ")
        made.type("open sesame")
        made.read_to("Repeat for confirmation: ")
        made.type("open sesame")
        told = made.read_to_end()
        assert "made a new key: SHA256:" in told
        assert "sesame" not in told
        used = opened(table, "key", **home)
        used.read_to("Passphrase of your key: ")
        used.type("open sesame")
        assert "your key: SHA256:" in used.read_to_end()

    def test_for_the_key_that_is_there(self, table: Path, opened: Opener) -> None:
        """Anna's key has no passphrase; it is given one, and later another, after the one that it has."""
        fingerprint = "SHA256:gQcXaNM9YyvtmmCDz3+B5b27+JdzuA7ossMTuJqb+Z8"
        for old, new in (("", "first"), ("first", "second")):
            terminal = opened(table, "key", "--passphrase")
            if old:
                terminal.read_to("Passphrase of your key: ")
                terminal.type(old)
            for question in ("New passphrase: ", "Repeat for confirmation: "):
                terminal.read_to(question)
                terminal.type(new)
            assert f"your key: {fingerprint}" in terminal.read_to_end()
            assert terminal.process.returncode == 0
        used = opened(table, "move", "mortain.yaml", "pass", "--dry-run")
        used.read_to("Passphrase of your key: ")
        used.type("second")
        assert "The Germans pass" in used.read_to_end()

    def test_proposed_for_a_backup(self, table: Path, opened: Opener) -> None:
        """One of one's own is long enough, or Return takes the words; they open what was written."""
        terminal = opened(table, "backup", "anna.age")
        proposed = re.findall(r"^  ([a-z-]+)$", terminal.read_to("or type your own: "), re.M)[0]
        assert len(proposed.split("-")) >= 6
        terminal.type("sesame")
        assert "a passphrase needs at least 12 characters" in terminal.read_to("or type your own: ")
        terminal.type("")
        if "too busy" in terminal.read_to_end():
            pytest.skip("this computer is too busy to make a backup")
        restoring = opened(table, "restore", "anna.age", PBEM_HOME="homes/new")
        restoring.read_to("Passphrase of the backup: ")
        restoring.type(proposed)
        assert "Restored your key and 1 game." in restoring.read_to_end()

    @pytest.mark.parametrize("typed", [["wrong"], ["\x03"]])
    def test_not_changed(self, table: Path, opened: Opener, typed: list[str]) -> None:
        """Two passphrases that differ are asked for again; who stops keeps the key as it was."""
        before = (table / "homes/anna/key").read_bytes()
        terminal = opened(table, "key", "--passphrase")
        terminal.read_to("New passphrase: ")
        terminal.type("one")
        terminal.read_to("Repeat for confirmation: ")
        for line in typed:
            terminal.type(line)
        if "\x03" not in typed:
            terminal.read_to("New passphrase: ")
            terminal.type("\x03")
        assert "error: stopped" in terminal.read_to_end()
        assert (table / "homes/anna/key").read_bytes() == before


class TestOwnOffer:
    """`join` of one's own offer asks; so does giving the seat back."""

    def test_asked(self, table: Path, opened: Opener) -> None:
        for _ in perform_steps([Step("anna", "pbem new mortain own.yaml --seat us", 0)], table):
            pass
        offer = (table / "own.yaml").read_bytes()
        for arguments, question, answer, code in (
            (["join", "own.yaml"], "Play both sides? [y/n]", "n", 1),
            (["join", "own.yaml"], "Play both sides? [y/n]", "y", 0),
            (["undo", "own.yaml"], "received own.yaml since then? [y/n]", "no", 1),
            (["undo", "own.yaml"], "received own.yaml since then? [y/n]", "y", 0),
        ):
            terminal = opened(table, *arguments)
            terminal.read_to(question)
            terminal.type("")
            terminal.read_to("Type yes or no.")  # Return alone answers no question
            terminal.read_to(question)
            terminal.type(answer)
            terminal.read_to_end()
            assert terminal.process.returncode == code
        assert (table / "own.yaml").read_bytes() == offer


class TestNewestState:
    """A game that is new on this computer: `move` asks whether its file is the newest."""

    def test_no(self, table: Path, opened: Opener) -> None:
        (table / "homes/anna/games").rename(table / "homes/anna/forgotten")
        terminal = opened(table, "move", "mortain.yaml", "pass")
        terminal.read_to("Is this the newest state of the game that you know?")
        terminal.type("n")
        assert "is new to this computer" in terminal.read_to_end()
        assert terminal.process.returncode == 1


class TestOwnScenario:
    """`join` asks whether one plays a scenario of the offerer's own, before the seat is taken."""

    OFFER = (
        Step("bruno", "pbem scenario write own.yaml", 0),
        Step("bruno", "sed -i 's/^name: .*/name: own/; s/^title: .*/title: Own/' own.yaml", 0),
        Step("bruno", "pbem new mortain own-game.yaml --seat us --scenario own.yaml", 0),
    )

    @pytest.mark.parametrize(("answer", "entries", "code"), [("n", 1, 1), ("y", 2, 0)])
    def test_asked(self, table: Path, opened: Opener, answer: str, entries: int, code: int) -> None:
        for _, printed in perform_steps(list(self.OFFER), table):
            assert "error" not in "".join(printed)
        terminal = opened(table, "join", "own-game.yaml")
        told = terminal.read_to("Play it? [y/n]")
        assert 'The scenario is supplied by the Americans, "own"; compared with mortain: title' in told
        terminal.type(answer)
        terminal.read_to_end()
        assert terminal.process.returncode == code
        assert (table / "own-game.yaml").read_text().count("\n  - n: ") == entries


class TestColour:
    """Colour on a terminal, none with --no-color or NO_COLOR; no line is wider than the terminal."""

    @pytest.mark.parametrize(
        ("option", "environment", "coloured"),
        [
            ([], {}, True),
            (["--no-color"], {}, False),
            ([], {"NO_COLOR": "1"}, False),
            ([], {"TERM": "dumb"}, False),
        ],
    )
    def test_show(
        self,
        table: Path,
        opened: Opener,
        option: list[str],
        environment: dict[str, str],
        coloured: bool,
    ) -> None:
        terminal = opened(table, "show", "mortain.yaml", *option, **environment)
        told = terminal.read_to_end()
        assert ("\x1b[" in told) == coloured
        plain = re.sub(r"\x1b\[[0-9;]*m", "", told)
        assert "\x1b" not in plain
        assert max(map(len, plain.splitlines())) < 80


def test_a_pasted_mail_is_read(table: Path, opened: Opener) -> None:
    """What `pbem send` has printed for a player without an account, pasted by his opponent."""
    (_, letter), *_ = perform_steps([Step("bruno", "pbem send mortain.yaml --to anna@example.org", 0)], table)
    terminal = opened(table, "show", "-")
    terminal.read_to("note: paste the text you received, then press Ctrl-D")
    for line in letter:
        terminal.type(line)
        terminal.read_to(f"{line}\n")  # its echo
    terminal.press("\x04")
    assert "read from the encoded block in the text in standard input" in " ".join(
        terminal.read_to_end().split()
    )
