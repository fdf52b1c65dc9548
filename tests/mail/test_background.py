"""Mail looked at in the background: what each system would be given, judged by that system's own tools."""

from __future__ import annotations

import plistlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.cli.app import run
from pbem.errors import StorageError
from pbem.mail.background import Schedule, cron, launchd, systemd, task_scheduler
from support.markers import WINDOWS

ODD = "a b%c$HOME'de" if WINDOWS else "a b%c$HOME'd\"e"
"""A name with what each of the systems reads as something else."""


def schedule(tmp_path: Path, **environment: str) -> Schedule:
    """A command that writes its arguments, its folder and a variable into a file."""
    folder = tmp_path / ODD
    folder.mkdir(exist_ok=True)
    code = (
        "import os, sys, pathlib; pathlib.Path('told').write_text(repr((sys.argv[1:], os.environ.get('X'))))"
    )
    return Schedule((sys.executable, "-c", code, ODD, "x"), folder, environment)


def need(program: str) -> None:
    """Skip the test where a system's own tool is not there."""
    if not shutil.which(program):
        pytest.skip(f"it wants {program}")


@pytest.mark.thorough
def test_systemd(tmp_path: Path) -> None:
    """By `systemd-analyze verify`; and what the service runs is what was meant."""
    need("systemd-analyze")
    wanted = systemd(schedule(tmp_path, X=ODD), tmp_path)
    for path, data in wanted.files:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(str(path) for path, _ in wanted.files)],
        capture_output=True,
        text=True,
        check=False,
    )
    named = [line for line in checked.stderr.splitlines() if "pbem-mail" in line]
    assert (checked.returncode, named) == (0, [])
    assert [path.name for path, _ in wanted.files] == ["pbem-mail.service", "pbem-mail.timer"]
    assert ("systemctl", "--user", "enable", "--now", "pbem-mail.timer") in wanted.begin


@pytest.mark.thorough
def test_launchd(tmp_path: Path) -> None:
    """By the reader of property lists of the standard library, and by libplist."""
    asked = schedule(tmp_path, X=ODD)
    ((path, data),) = launchd(asked, tmp_path, 501, tmp_path / "home").files
    agent = plistlib.loads(data)
    assert path.name == f"{agent['Label']}.plist"
    assert agent["ProgramArguments"] == list(asked.command)
    assert agent["EnvironmentVariables"] == {"X": ODD}
    assert (agent["StartInterval"], agent["RunAtLoad"]) == (600, True)
    need("plistutil")
    done = subprocess.run(["plistutil", "-f", "xml", "-i", "-"], input=data, capture_output=True, check=True)
    assert plistlib.loads(done.stdout) == agent


def test_task_scheduler(tmp_path: Path) -> None:
    asked = schedule(tmp_path)
    ((_, data),) = task_scheduler(asked, tmp_path).files
    spaces = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"
    task = ElementTree.fromstring(data.decode("utf-16").partition("?>")[2])
    command = task.find(f".//{spaces}Command")
    folder = task.find(f".//{spaces}WorkingDirectory")
    arguments = task.find(f".//{spaces}Arguments")
    assert command is not None
    assert folder is not None
    assert arguments is not None
    program = Path(sys.executable)
    silent = program.with_name("pythonw.exe") if WINDOWS else program
    assert (command.text, folder.text) == (str(silent), str(asked.folder))
    assert arguments.text == subprocess.list2cmdline(asked.command[1:])
    assert {found.text for found in task.iter(f"{spaces}Interval")} == {"PT10M"}


@pytest.fixture
def crontab() -> Iterator[None]:
    """The table of whoever runs the tests is put back."""
    need("crontab")
    before = subprocess.run(["crontab", "-l"], capture_output=True, check=False)
    subprocess.run(["crontab", "-r"], capture_output=True, check=False)
    yield
    if before.returncode == 0:
        subprocess.run(["crontab", "-"], input=before.stdout, check=True)
    else:
        subprocess.run(["crontab", "-r"], capture_output=True, check=False)


def table() -> list[str]:
    return subprocess.run(["crontab", "-l"], capture_output=True, text=True, check=False).stdout.splitlines()


@pytest.mark.thorough
@pytest.mark.usefixtures("crontab")
class TestCron:
    """By a real `crontab`."""

    def test_other_lines_stay(self, tmp_path: Path) -> None:
        subprocess.run(["crontab", "-"], input=b"# mine\n5 4 * * * true\n", check=True)
        wanted = cron(schedule(tmp_path))
        assert not wanted.is_installed
        wanted.install()
        wanted.install()
        assert wanted.is_installed
        assert table() == ["# mine", "5 4 * * * true", wanted.table]
        wanted.remove()
        assert not wanted.is_installed
        assert table() == ["# mine", "5 4 * * * true"]

    def test_it_runs_what_was_meant(self, tmp_path: Path) -> None:
        """As cron does: `sh` gets what follows the five fields, a `%` that is escaped is one."""
        asked = schedule(tmp_path, X=ODD)
        cron(asked).install()
        line = table()[-1]
        command = line.split(" ", 5)[5].replace(r"\%", "%")
        subprocess.run(["sh", "-c", command], check=True)
        assert (asked.folder / "told").read_text() == repr(([ODD, "x"], ODD))

    def test_by_command(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """It is shown before, installed by a yes, told by `pbem` alone, and removed by one command."""
        home = tmp_path / "home"
        home.mkdir()
        monkeypatch.setenv("PBEM_HOME", str(home))
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))  # where no systemd is
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "")
        monkeypatch.chdir(tmp_path)
        assert run(["mail", "automatic"]) == 1
        assert "there is no server to send with" in capsys.readouterr().err
        (tmp_path / "inbox").mkdir()
        for part in ("cur", "new", "tmp"):
            (tmp_path / "inbox" / part).mkdir()
        server = "{host: localhost, port: 9, security: tls, user: anna, password_command: [echo, x]}"
        (home / "config.yaml").write_text(
            f"mail: {{address: anna@example.org, smtp: {server}, maildir: {tmp_path / 'inbox'}}}\n"
        )
        assert run(["mail", "automatic"]) == 0
        told = capsys.readouterr().out
        assert "*/10 * * * * cd " in told
        assert "mail watch --once" in told
        assert "To install it: pbem mail automatic --yes" in told
        assert table() == []
        assert run(["mail", "automatic", "--yes"]) == 0
        assert "To remove it again: pbem mail automatic --off" in capsys.readouterr().out
        (line,) = table()
        subprocess.run(["sh", "-c", line.split(" ", 5)[5].replace(r"\%", "%")], check=True)
        assert run([]) == 0
        assert "pbem checks your mail every 10 minutes; it last did so just now." in capsys.readouterr().out
        assert run(["mail", "automatic", "--off"]) == 0
        assert table() == []
        capsys.readouterr()
        assert run([]) == 0
        assert "To make it check by itself: pbem mail automatic" in capsys.readouterr().out


def test_a_system_command_that_fails(tmp_path: Path) -> None:
    wanted = launchd(schedule(tmp_path), tmp_path, 501, tmp_path)
    with pytest.raises(StorageError, match=r"^launchctl .* cannot be run: "):
        wanted.install()
