"""Checking mail in the background, by the system's own means: `pbem mail watch --once` every ten minutes.

On Linux it is a timer of the user's systemd, or else cron; on a Mac a launch agent; on Windows the Task
Scheduler. Nothing of ours stays in memory, nothing runs as another user, and no setting says whether it runs:
the system is asked. An installation is a value, so that it can be shown before it is made.
"""

from __future__ import annotations

import os
import plistlib
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from msgspec import Struct

from pbem.base.files import make_folder, write_atomically
from pbem.errors import StorageError
from pbem.render.safe_text import quote_path
from pbem.texts import Texts

tr = Texts("pbem")

MINUTES = 10
"""The minutes between two checks."""

SECONDS = 20
"""The seconds that a system command may take."""

NAME = "pbem-mail"
LABEL = "org.pbem.mail"
"""The name of the launch agent, in the form macOS requires."""

_CRON_MARK = f"# {NAME}"


class Schedule(Struct, frozen=True):
    """What the system has to run: a command, in a folder, with these environment variables."""

    command: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str] = {}


class Installation(Struct, frozen=True):
    """What to install on a system: its name, files with their content, and commands to run.

    `begin` and `end` are the commands after the files are written, and before they are deleted; `is_there`
    exits with 0 while it is installed. `table` is the line for the crontab if cron is used.
    """

    means: str
    files: tuple[tuple[Path, bytes], ...] = ()
    begin: tuple[tuple[str, ...], ...] = ()
    end: tuple[tuple[str, ...], ...] = ()
    is_there: tuple[str, ...] = ()
    table: str = ""

    def describe(self) -> list[str]:
        """The lines that say what will be written and run."""
        lines: list[str] = []
        for path, data in self.files:
            text = data.decode("utf-16" if data.startswith(b"\xff\xfe") else "utf-8")
            lines += [f"{path}:", *(f"  {line}" for line in text.splitlines())]
        lines += [self.table] if self.table else []
        return [*lines, *(" ".join(map(quote_path, words)) for words in self.begin)]

    def install(self) -> None:
        """Write the files, and have the system start. Raises `StorageError`."""
        for path, data in self.files:
            make_folder(path.parent)
            write_atomically(path, data)
        if self.table:
            _write_crontab([*_other_lines(), self.table])
        for words in self.begin:
            _run(words)

    def remove(self) -> None:
        """Have the system stop, and delete the files. Raises `StorageError`."""
        for words in self.end:
            _run(words)
        for path, _ in self.files:
            path.unlink(missing_ok=True)
        if self.table:
            _write_crontab(_other_lines())

    @property
    def is_installed(self) -> bool:
        """Whether it is installed, according to the system."""
        if self.table:
            return any(line.endswith(_CRON_MARK) for line in _read_crontab())
        return all(path.exists() for path, _ in self.files) and _succeeds(self.is_there)


def watch_installation(home: Path, *, by_reply: bool = False) -> Installation:
    """The installation that runs `pbem mail watch` for a player; games go to the current folder.

    `home` is the player's home. Raises `StorageError` if nothing on this computer can run it.
    """
    command = (sys.executable, "-m", "pbem", "mail", "watch", "--once")
    named = {"PBEM_HOME": str(home.absolute())} if os.environ.get("PBEM_HOME") else {}
    more = ("--orders-by-reply",) if by_reply else ()
    return installation(Schedule((*command, *more), Path.cwd(), named), home)


def installation_to_offer(home: Path) -> Installation | None:
    """What can be installed; None if it runs already, or if nothing on this computer can run it."""
    try:
        wanted = watch_installation(home)
    except StorageError:
        return None
    return None if wanted.is_installed else wanted


def installation(schedule: Schedule, home: Path) -> Installation:
    """The installation for this computer; `home` is the player's home. Raises `StorageError` for none."""
    if sys.platform == "win32":
        return task_scheduler(schedule, home)
    if sys.platform == "darwin":
        return launchd(schedule, Path.home(), os.getuid(), home)
    if _succeeds(("systemctl", "--user", "show-environment")):
        base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
        return systemd(schedule, Path(base))
    if shutil.which("crontab"):
        return cron(schedule)
    problem = tr("this system has neither systemd for your account nor cron")
    raise StorageError(problem, hint=tr("run it in a terminal: {command}", command="pbem mail watch"))


def systemd(schedule: Schedule, config: Path) -> Installation:
    """A service of the user's systemd and its timer; `config` is their folder of settings."""
    folder = config / "systemd" / "user"
    words = " ".join(map(_quote_for_systemd, schedule.command))
    variables = "".join(
        f"Environment={_quote_for_systemd(f'{name}={value}', variables=False)}\n"
        for name, value in schedule.environment.items()
    )
    service = (
        "[Unit]\n"
        "Description=pbem: fetch mail, and answer it where there is nothing to decide\n\n"
        "[Service]\n"
        "Type=oneshot\n"
        f"ExecStart={words}\n"
        f"WorkingDirectory={str(schedule.folder).replace('%', '%%')}\n"
        f"{variables}"
        "Nice=10\n"
    )
    timer = (
        "[Unit]\n"
        f"Description=pbem: every {MINUTES} minutes\n\n"
        "[Timer]\n"
        "OnStartupSec=1min\n"
        f"OnUnitActiveSec={MINUTES}min\n\n"
        "[Install]\n"
        "WantedBy=timers.target\n"
    )
    control = ("systemctl", "--user")
    return Installation(
        means="systemd",
        files=((folder / f"{NAME}.service", service.encode()), (folder / f"{NAME}.timer", timer.encode())),
        begin=((*control, "daemon-reload"), (*control, "enable", "--now", f"{NAME}.timer")),
        end=((*control, "disable", "--now", f"{NAME}.timer"),),
        is_there=(*control, "is-active", "--quiet", f"{NAME}.timer"),
    )


def launchd(schedule: Schedule, person: Path, uid: int, home: Path) -> Installation:
    """A launch agent for the user with this home folder and id; its output goes to `home`."""
    path = person / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    log = str(home / "mail" / "watch.log")
    agent = {
        "Label": LABEL,
        "ProgramArguments": list(schedule.command),
        "WorkingDirectory": str(schedule.folder),
        "EnvironmentVariables": dict(schedule.environment),
        "StartInterval": MINUTES * 60,
        "RunAtLoad": True,
        "ProcessType": "Background",
        "StandardOutPath": log,
        "StandardErrorPath": log,
    }
    return Installation(
        means="launchd",
        files=((path, plistlib.dumps(agent)),),
        begin=(("launchctl", "bootstrap", f"gui/{uid}", str(path)),),
        end=(("launchctl", "bootout", f"gui/{uid}/{LABEL}"),),
        is_there=("launchctl", "print", f"gui/{uid}/{LABEL}"),
    )


def task_scheduler(schedule: Schedule, home: Path) -> Installation:
    """A task of the Windows Task Scheduler, which opens no window if Python includes `pythonw.exe`.

    A task has no environment variables of its own: `cmd` sets the home, if it is not the default.
    """
    program, *words = schedule.command
    silent = Path(program).with_name("pythonw.exe")
    program = str(silent) if silent.exists() else program
    arguments = subprocess.list2cmdline(words)
    if schedule.environment:
        sets = "".join(f'set "{name}={value}" && ' for name, value in schedule.environment.items())
        program, arguments = "cmd.exe", f"/c {sets}{subprocess.list2cmdline([program, *words])}"
    task = (
        '<?xml version="1.0" encoding="UTF-16"?>\n'
        '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">\n'
        "  <RegistrationInfo>\n"
        "    <Description>pbem: fetch mail, and answer it where there is nothing to decide</Description>\n"
        "  </RegistrationInfo>\n"
        "  <Triggers>\n"
        "    <LogonTrigger>\n"
        f"      <Repetition><Interval>PT{MINUTES}M</Interval></Repetition>\n"
        "    </LogonTrigger>\n"
        "    <TimeTrigger>\n"
        f"      <Repetition><Interval>PT{MINUTES}M</Interval></Repetition>\n"
        "      <StartBoundary>2026-01-01T00:00:00</StartBoundary>\n"
        "    </TimeTrigger>\n"
        "  </Triggers>\n"
        "  <Settings>\n"
        "    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>\n"
        "    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>\n"
        "    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>\n"
        "    <StartWhenAvailable>true</StartWhenAvailable>\n"
        "    <RunOnlyIfNetworkAvailable>true</RunOnlyIfNetworkAvailable>\n"
        "    <ExecutionTimeLimit>PT1H</ExecutionTimeLimit>\n"
        "  </Settings>\n"
        "  <Actions>\n"
        "    <Exec>\n"
        f"      <Command>{escape(program)}</Command>\n"
        f"      <Arguments>{escape(arguments)}</Arguments>\n"
        f"      <WorkingDirectory>{escape(str(schedule.folder))}</WorkingDirectory>\n"
        "    </Exec>\n"
        "  </Actions>\n"
        "</Task>\n"
    )
    path = home / "mail" / f"{NAME}.xml"
    return Installation(
        means="Task Scheduler",
        files=((path, b"\xff\xfe" + task.replace("\n", "\r\n").encode("utf-16-le")),),
        begin=(("schtasks", "/Create", "/TN", NAME, "/XML", str(path), "/F"),),
        end=(("schtasks", "/Delete", "/TN", NAME, "/F"),),
        is_there=("schtasks", "/Query", "/TN", NAME),
    )


def cron(schedule: Schedule) -> Installation:
    """A line of the user's crontab, in which `%` would end the command."""
    words = [f"{name}={value}" for name, value in schedule.environment.items()]
    called = " ".join(map(_quote_for_shell, (*(("env", *words) if words else ()), *schedule.command)))
    line = f"cd {_quote_for_shell(str(schedule.folder))} && {called} >/dev/null 2>&1 {_CRON_MARK}"
    return Installation(means="cron", table=f"*/{MINUTES} * * * * " + line.replace("%", r"\%"))


def _other_lines() -> list[str]:
    """The lines of the user's crontab that are not ours."""
    return [line for line in _read_crontab() if not line.endswith(_CRON_MARK)]


def _read_crontab() -> list[str]:
    """The lines of the user's crontab; `crontab -l` fails if there is none."""
    try:
        process = subprocess.run(
            ("crontab", "-l"), capture_output=True, stdin=subprocess.DEVNULL, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return process.stdout.decode(errors="surrogateescape").splitlines() if process.returncode == 0 else []


def _write_crontab(lines: Sequence[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    _run(("crontab", "-"), text.encode(errors="surrogateescape"))


def _run(words: tuple[str, ...], given: bytes = b"") -> None:
    """Run a system command. If it fails, raises `StorageError` with the last line of its output."""
    command = " ".join(map(quote_path, words))
    try:
        process = subprocess.run(
            words, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StorageError(tr("{command} cannot be run: {why}", command=command, why=error)) from None
    if process.returncode:
        last = process.stdout.decode(errors="replace").strip().splitlines()[-1:]
        why = "".join(filter(str.isprintable, "".join(last)))
        raise StorageError(tr("{command} failed: {why}", command=command, why=why or process.returncode))


def _succeeds(words: tuple[str, ...]) -> bool:
    try:
        return (
            subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=SECONDS,
                check=False,
            ).returncode
            == 0
        )
    except (OSError, subprocess.TimeoutExpired):
        return False


def _quote_for_systemd(word: str, *, variables: bool = True) -> str:
    """A word of a unit file, quoted, without specifiers (`%`) or, unless allowed, `variables`."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped.replace("$", "$$") if variables else escaped}"'


def _quote_for_shell(word: str) -> str:
    from shlex import quote  # under 1 ms, and only a crontab needs it

    return quote(word)
