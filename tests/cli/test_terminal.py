"""At a terminal: a passphrase is asked for, and whether a file is the newest. Orders: test_prompt."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.screens import lay_out
from cli.transcript import ROOT, Step, perform

pytestmark = pytest.mark.thorough


class Terminal:
    """A terminal of 80 columns with the program running in it."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.screen, keyboard = pty.openpty()
        lay_out(keyboard, 80, 24)
        self.process = subprocess.Popen(
            ["setsid", "--ctty", sys.executable, "-m", "pbem", *arguments],
            cwd=folder,
            env={
                **os.environ,
                "PBEM_HOME": "homes/anna",
                "PYTHONPATH": str(ROOT),
                "TERM": "xterm",
                "DISPLAY": "",  # so that no mail program opens
                "WAYLAND_DISPLAY": "",
                **environment,
            },
            stdin=keyboard,
            stdout=keyboard,
            stderr=keyboard,
        )
        os.close(keyboard)
        self.seen = ""

    def read_to(self, words: str) -> str:
        """All that is printed up to these words, and they."""
        while words not in self.seen:
            assert select.select([self.screen], [], [], 60)[0], f"waited for {words!r} after {self.seen!r}"
            more = self._more()
            assert more, f"ended without {words!r} after {self.seen!r}"
            self.seen += more
        before, _, self.seen = self.seen.partition(words)
        return before + words

    def type(self, line: str) -> None:
        """What the player types, and return."""
        os.write(self.screen, f"{line}\n".encode())

    def rest(self) -> str:
        """All that is printed to the end."""
        while more := self._more():
            self.seen += more
        self.process.wait(60)
        return self.seen

    def close(self) -> None:
        """Put the terminal away."""
        self.process.kill()
        self.process.wait()
        os.close(self.screen)

    def _more(self) -> str:
        try:
            return os.read(self.screen, 4096).decode().replace("\r\n", "\n")
        except OSError:  # how Linux says that the program has gone
            return ""


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """The terminals of a test, put away at its end."""
    opened: list[Terminal] = []
    yield opened
    for one in opened:
        one.close()


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

    def test_asked(self, tmp_path: Path, terminals: list[Terminal]) -> None:
        for _ in perform(list(self.STEPS), tmp_path):
            pass
        before = (tmp_path / "rommel.yaml").read_bytes()
        terminal = Terminal(tmp_path, "move", "rommel.yaml", "stand down", PBEM_HOME="homes/bruno")
        terminals.append(terminal)
        told = terminal.read_to("Do it all the same? [y/N]")
        assert "warning: Spit-1 in 2108 will land on 2508" in told
        terminal.type("")
        assert "error: stopped" in terminal.rest()
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

    def test_a_line_renewed_in_place(self, many: Path, terminals: list[Terminal]) -> None:
        terminal = Terminal(many, *self.FETCH)
        terminals.append(terminal)
        printed = terminal.rest()
        lines = re.findall(r"read [0-9,]+ of 1,201 mails", printed)
        assert lines
        assert len(set(lines)) == len(lines)
        before, _, told = printed.partition('mail 1200.host ("x")')
        assert before.endswith("\r")
        assert "now in mortain-" in told

    def test_none_where_there_is_no_terminal(self, many: Path) -> None:
        environment = os.environ | {"PBEM_HOME": "homes/anna", "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "pbem", *self.FETCH]
        done = subprocess.run(command, cwd=many, env=environment, capture_output=True, check=True)
        assert done.stdout.startswith(b'mail 1200.host ("x")')
        assert done.stderr == b""


class TestPassphrase:
    """A passphrase is typed unseen: twice for a new key, once for each use of it."""

    def test_new_and_used(self, table: Path, terminals: list[Terminal]) -> None:
        home = {"PBEM_HOME": "homes/clara"}
        made = Terminal(table, "key", "--passphrase", **home)
        terminals.append(made)
        made.read_to("New passphrase: ")
        made.type("open sesame")
        made.read_to("Repeat for confirmation: ")
        made.type("open sesame")
        told = made.rest()
        assert "made a new key: SHA256:" in told
        assert "sesame" not in told
        used = Terminal(table, "key", **home)
        terminals.append(used)
        used.read_to("Passphrase of your key: ")
        used.type("open sesame")
        assert "your key: SHA256:" in used.rest()

    def test_for_the_key_that_is_there(self, table: Path, terminals: list[Terminal]) -> None:
        """Anna's key has no passphrase; it is given one, and later another, after the one that it has."""
        fingerprint = "SHA256:gQcXaNM9YyvtmmCDz3+B5b27+JdzuA7ossMTuJqb+Z8"
        for old, new in (("", "first"), ("first", "second")):
            terminal = Terminal(table, "key", "--passphrase")
            terminals.append(terminal)
            if old:
                terminal.read_to("Passphrase of your key: ")
                terminal.type(old)
            for question in ("New passphrase: ", "Repeat for confirmation: "):
                terminal.read_to(question)
                terminal.type(new)
            assert f"your key: {fingerprint}" in terminal.rest()
            assert terminal.process.returncode == 0
        used = Terminal(table, "move", "mortain.yaml", "pass", "--dry-run")
        terminals.append(used)
        used.read_to("Passphrase of your key: ")
        used.type("second")
        assert "The German side passes" in used.rest()

    @pytest.mark.parametrize("typed", [["wrong"], ["\x03"]])
    def test_not_changed(self, table: Path, terminals: list[Terminal], typed: list[str]) -> None:
        """Two passphrases that differ are asked for again; who stops keeps the key as it was."""
        before = (table / "homes/anna/key").read_bytes()
        terminal = Terminal(table, "key", "--passphrase")
        terminals.append(terminal)
        terminal.read_to("New passphrase: ")
        terminal.type("one")
        terminal.read_to("Repeat for confirmation: ")
        for line in typed:
            terminal.type(line)
        if "\x03" not in typed:
            terminal.read_to("New passphrase: ")
            terminal.type("\x03")
        assert "error: stopped" in terminal.rest()
        assert (table / "homes/anna/key").read_bytes() == before


class TestOwnOffer:
    """`join` of one's own offer asks; so does giving the seat back."""

    def test_asked(self, table: Path, terminals: list[Terminal]) -> None:
        for _ in perform([Step("anna", "pbem new mortain own.yaml --seat us", 0)], table):
            pass
        offer = (table / "own.yaml").read_bytes()
        for arguments, question, answer, code in (
            (["join", "own.yaml"], "play both sides? [y/N]", "", 1),
            (["join", "own.yaml"], "play both sides? [y/N]", "y", 0),
            (["join", "own.yaml", "--undo"], "since you joined? [y/N]", "", 1),
            (["join", "own.yaml", "--undo"], "since you joined? [y/N]", "y", 0),
        ):
            terminal = Terminal(table, *arguments)
            terminals.append(terminal)
            terminal.read_to(question)
            terminal.type(answer)
            terminal.rest()
            assert terminal.process.returncode == code
        assert (table / "own.yaml").read_bytes() == offer


class TestNewestState:
    """A game that is new on this computer: `move` asks whether its file is the newest."""

    def test_no(self, table: Path, terminals: list[Terminal]) -> None:
        (table / "homes/anna/games").rename(table / "homes/anna/forgotten")
        terminal = Terminal(table, "move", "mortain.yaml", "pass")
        terminals.append(terminal)
        terminal.read_to("Is this the newest state of the game that you know?")
        terminal.type("n")
        assert "is new to this computer" in terminal.rest()
        assert terminal.process.returncode == 1


class TestOwnScenario:
    """`join` asks whether one plays a scenario of the offerer's own, before the seat is taken."""

    OFFER = (
        Step("bruno", "pbem scenario write own.yaml", 0),
        Step("bruno", "sed -i 's/^name: .*/name: own/; s/^title: .*/title: Own/' own.yaml", 0),
        Step("bruno", "pbem new mortain own-game.yaml --seat us --scenario own.yaml", 0),
    )

    @pytest.mark.parametrize(("answer", "entries", "code"), [("", 1, 1), ("n", 1, 1), ("y", 2, 0)])
    def test_asked(
        self, table: Path, terminals: list[Terminal], answer: str, entries: int, code: int
    ) -> None:
        for _, printed in perform(list(self.OFFER), table):
            assert "error" not in "".join(printed)
        terminal = Terminal(table, "join", "own-game.yaml")
        terminals.append(terminal)
        told = terminal.read_to("Play it? [y/N]")
        assert 'The scenario is us\'s own, "own"; against mortain: title' in told
        terminal.type(answer)
        terminal.rest()
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
        terminals: list[Terminal],
        option: list[str],
        environment: dict[str, str],
        coloured: bool,
    ) -> None:
        terminal = Terminal(table, "show", "mortain.yaml", *option, **environment)
        terminals.append(terminal)
        told = terminal.rest()
        assert ("\x1b[" in told) == coloured
        plain = re.sub(r"\x1b\[[0-9;]*m", "", told)
        assert "\x1b" not in plain
        assert max(map(len, plain.splitlines())) < 80


def test_a_pasted_mail_is_read(table: Path, terminals: list[Terminal]) -> None:
    """What `pbem send` has printed for a player without an account, pasted by his opponent."""
    (_, letter), *_ = perform([Step("bruno", "pbem send mortain.yaml --to anna@example.org", 0)], table)
    terminal = Terminal(table, "show", "-")
    terminals.append(terminal)
    terminal.read_to("note: paste what you got, then press Ctrl-D")
    for line in letter:
        terminal.type(line)
        terminal.read_to(f"{line}\n")  # its echo
    os.write(terminal.screen, b"\x04")
    assert "read from the armoured block in the text in standard input" in " ".join(terminal.rest().split())
