"""What Windows and macOS do otherwise, as far as it can be tried here: see docs/PLATFORMS.md."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from types import MappingProxyType

import pytest

from pbem.cli.play import browser_argument
from support.markers import Posix, requires
from support.transcripts import ROOT

pytestmark = pytest.mark.thorough

PBEM = [sys.executable, "-m", "pbem"]
STORY = ROOT / "examples" / "mortain-it-exits.yaml"
OWN = ROOT / "examples" / "mortain-de-own-scenario.yaml"
UTF_8 = {"PYTHONIOENCODING": "utf-8"}
NOTHING: Mapping[str, str] = MappingProxyType({})


def started(
    folder: Path, *command: str, typed: bytes = b"", under: Mapping[str, str] = NOTHING
) -> subprocess.CompletedProcess[bytes]:
    """A command that has run in Anna's home, under this environment."""
    ours = {"PBEM_HOME": "homes/anna", "PYTHONPATH": str(ROOT), "COLUMNS": "80", **under}
    return subprocess.run(
        command, cwd=folder, env={**os.environ, **ours}, input=typed, capture_output=True, check=False
    )


def make_maildir(folder: Path, mail: bytes) -> None:
    """A Maildir with one mail."""
    for part in ("new", "cur"):
        (folder / part).mkdir(parents=True)
    (folder / "new" / "1700.a.host").write_bytes(mail)


class TestCodePages:
    """What a code page lacks is a `?`, and never the end of the program; Typer takes ASCII for UTF-8."""

    @pytest.mark.parametrize(
        ("environment", "encoding"),
        [
            ({"PYTHONIOENCODING": "cp850"}, "cp850"),
            ({"PYTHONIOENCODING": "cp1252"}, "cp1252"),
            ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, "utf-8"),
        ],
        ids=["cp850", "cp1252", "LC_ALL=C"],
    )
    @pytest.mark.parametrize(
        "command", [("log", str(STORY)), ("show", str(OWN)), ("new", "--help")], ids=lambda words: words[0]
    )
    @pytest.mark.thorough
    def test_printed(
        self, table: Path, command: tuple[str, ...], environment: dict[str, str], encoding: str
    ) -> None:
        whole = started(table, *PBEM, *command, under=UTF_8).stdout.decode()
        done = started(table, *PBEM, *command, under=environment)
        assert done.returncode == 0, done.stderr
        assert not whole.isascii()
        assert done.stdout == whole.encode(encoding, "replace")

    def test_typed(self, table: Path) -> None:
        """A byte that is no UTF-8, and in no code page a blank: it is no yes."""
        done = started(table, *PBEM, "resign", "mortain.yaml", typed=b"\xfe\n", under=UTF_8)
        assert done.stdout.rstrip().endswith(b"Nothing was done, because you did not type yes.")
        assert (done.returncode, b"Traceback" in done.stderr) == (1, False)


@requires(Posix.SHELL)
class TestClosedStreams:
    """A program without a console, such as a service, may have no streams at all."""

    @pytest.mark.parametrize("closed", ["<&-", "<&- >&- 2>&-"])
    @pytest.mark.parametrize(
        ("command", "code"),
        [
            ("show mortain.yaml", 0),
            ("show -", 1),
            pytest.param("verify mortain.yaml", 0, marks=pytest.mark.thorough),
            pytest.param("move mortain.yaml", 0, marks=pytest.mark.thorough),
        ],
    )
    def test_they_take_all_and_give_nothing(self, table: Path, command: str, code: int, closed: str) -> None:
        done = started(table, "bash", "-c", f'"{sys.executable}" -m pbem {command} {closed}')
        assert (done.returncode, b"Traceback" in done.stderr) == (code, False)


BLOCKED = ("fcntl", "termios", "tty", "pty", "pwd", "grp", "resource", "readline", "curses", "syslog")
WITHOUT = f"""
import sys
for name in {BLOCKED}:
    sys.modules[name] = None
import warnings
warnings.simplefilter("ignore")  # filelock says that it has no fcntl; on Windows it takes msvcrt
from pbem.cli import main
main()
"""


class TestModulesOfPosix:
    """The program runs where fcntl, termios, pwd and the like cannot be imported."""

    def run(self, folder: Path, *arguments: str, code: int = 0, under: Mapping[str, str] = NOTHING) -> str:
        done = started(folder, sys.executable, "-c", WITHOUT, *arguments, under=under)
        assert done.returncode == code, done.stderr
        assert b"Traceback" not in done.stderr
        return (done.stdout + done.stderr).decode()

    @pytest.mark.thorough
    def test_everyday_commands(self, table: Path) -> None:
        for lock in table.rglob("lock"):  # of fcntl, which leaves it there
            lock.unlink()
        assert "Mail mortain.yaml" in self.run(table, "move", "mortain.yaml", "enter DF 1901")
        for command in ("show", "log", "verify", "draws"):
            self.run(table, command, "mortain.yaml")
        assert "Stand at Mortain" in self.run(table, "games")
        self.run(table, "mail", "send", "mortain.yaml", "--to", "bruno@example.org", "--eml", "out.eml")
        make_maildir(table / "box", (table / "out.eml").read_bytes())
        told = self.run(table, "mail", "fetch", "--from", "box", under={"PBEM_HOME": "homes/bruno"})
        assert "mail 1700.a.host" in told

    def test_a_new_home(self, tmp_path: Path) -> None:
        home = {"PBEM_HOME": "new home"}
        self.run(tmp_path, "key", under=home)
        offer = ("new", "rommel", "r.yaml", "--seat", "axis", "--practice", "--name", "A")
        self.run(tmp_path, *offer, under=home)

    def test_nobody_known_by_a_name(self, tmp_path: Path) -> None:
        """Neither the environment nor a list of users names the player."""
        nameless = dict.fromkeys(("LOGNAME", "USER", "LNAME", "USERNAME", "PBEM_NAME"), "")
        home = {"PBEM_HOME": "home", **nameless}
        told = self.run(tmp_path, "new", "mortain", "--seat", "us", code=2, under=home)
        assert "--name: pbem does not know your name on this computer" in told


REFUSED = re.compile(r'.*[<>:"|?*\\\x00-\x1f].*|.*[. ]')
RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\..*)?", re.IGNORECASE)


def refused(paths: Iterable[PurePath]) -> list[str]:
    """Names that Windows refuses, and paths that a folder of Windows or macOS cannot tell apart."""
    paths = list(paths)
    names = sorted({part for path in paths for part in path.parts})
    folded = [str(path).casefold() for path in paths]
    alike = sorted({one for one in folded if folded.count(one) > 1})
    return [name for name in names if REFUSED.fullmatch(name) or RESERVED.fullmatch(name)] + alike


class TestNames:
    """Whatever pbem names, Windows can name."""

    def test_the_rule(self) -> None:
        bad = ["a:b", "aux.eml", "COM1", "trailing.", "blank ", 'q"', "nul"]
        assert refused(map(PurePosixPath, bad)) == sorted(bad)
        assert refused(map(PurePosixPath, ["two/A", "two/a", "A/two"])) == ["two/a"]
        assert refused(map(PurePosixPath, [".pbem-1.tmp", "console/auxiliary.yaml", "com10", "a.b.c"])) == []

    @requires(Posix.SHELL)
    @pytest.mark.thorough
    def test_what_is_written(self, table: Path) -> None:
        strange = b"From: x\nMessage-ID: <a:b?c@d>\nSubject: pbem\n\n" + b"pbem: 1\nlog:\n  - n: 0\n" * 9
        make_maildir(table / "box", strange)
        box = set((table / "box").rglob("*"))
        for command in (
            "move mortain.yaml 'enter DF 1901'",
            "mail send mortain.yaml --to bruno@example.org",
            "mail send box/new/1700.a.host --reply-problem --to bruno@example.org",
            "mail fetch --from box",
            "scenario write own.yaml",
            "new rommel --seat axis --practice --deadline 7d",
            "games --ics games.ics",
        ):
            done = started(table, "bash", "-c", f'"{sys.executable}" -m pbem {command}')
            assert b"Traceback" not in done.stderr, done.stderr
        written = [path.relative_to(table) for path in table.rglob("*") if path not in box]
        assert {".eml", ".yaml", ".json", ".ics"} <= {path.suffix for path in written}
        assert refused(written) == []
        assert max(len(str(path)) for path in written) < 200  # Windows: 259 with the folder before them

    def test_what_is_in_the_repository(self) -> None:
        """A checkout on Windows or macOS has every file."""
        own = [ROOT / name for name in ("pbem", "tests", "docs", "examples", "schemas")]
        files = [path.relative_to(ROOT) for folder in own for path in folder.rglob("*")]
        assert len(files) > 400
        assert refused(files) == []


def test_accents_apart(tmp_path: Path) -> None:
    """A Mac gives names as letters with accents behind them (NFD): each is found as given, and printed so."""
    name = unicodedata.normalize("NFD", "José à Alamein.yaml")
    under = {"PBEM_HOME": unicodedata.normalize("NFD", "Forêt"), **UTF_8}
    seat = ("--seat", "us", "--practice", "--name", "A")
    assert started(tmp_path, *PBEM, "new", "mortain", name, *seat, under=under).returncode == 0
    told = " ".join(started(tmp_path, *PBEM, under=under).stdout.decode().split())
    assert f"'{name}'" in told or f'"{name}"' in told
    assert started(tmp_path, *PBEM, "verify", name, under=under).returncode == 0


def test_a_browser_of_windows_gets_a_path() -> None:
    """There an address with an accent leads to no file; elsewhere a browser may take a path for a word."""
    door = PureWindowsPath(r"C:\Users\José\pbem-play-1.html")
    assert browser_argument(door, windows=True) == str(door)
    assert (
        browser_argument(PurePosixPath("/home/josé/a.html"), windows=False) == "file:///home/jos%C3%A9/a.html"
    )


def test_the_shells_of_windows_leave_patterns_to_the_program(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_bytes(STORY.read_bytes())
    done = started(tmp_path, *PBEM, "verify", "*.yaml")
    assert re.findall(rb"^\S+", done.stdout, re.MULTILINE) == [b"a.yaml", b"b.yaml"]
    assert started(tmp_path, *PBEM, "verify", "*.yml").returncode == 1
