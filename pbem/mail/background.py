"""Mail is looked at in the background by the system's own means: each ten minutes `pbem mail watch --once`.

On Linux a timer of the player's own systemd, or where there is none, cron; on a Mac a launch agent; on
Windows the Task Scheduler. Nothing of ours stays in memory, nothing runs as another user, and no setting says
that it runs: the system is asked. What would be installed is a value, so that it can be shown before.
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
"""The minutes between two looks."""

SECONDS = 20
"""The seconds that a command of the system may take."""

NAME = "pbem-mail"
LABEL = "org.pbem.mail"
"""The name of a launch agent, which macOS wants in this form."""

_CRON_MARK = f"# {NAME}"


class Schedule(Struct, frozen=True):
    """What the system is to run: a command, in a folder, with these variables of its environment."""

    command: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str] = {}


class Installation(Struct, frozen=True):
    """What installing means on a system: its name, files with their content, and commands to run.

    `begin` and `end` are the commands after the files are written, and before they are removed; `is_there`
    has exit code 0 while it is installed. `table` is the crontab's line where cron is the means.
    """

    means: str
    files: tuple[tuple[Path, bytes], ...] = ()
    begin: tuple[tuple[str, ...], ...] = ()
    end: tuple[tuple[str, ...], ...] = ()
    is_there: tuple[str, ...] = ()
    table: str = ""

    def describe(self) -> list[str]:
        """What would be written and run, line by line."""
        lines: list[str] = []
        for path, data in self.files:
            text = data.decode("utf-16" if data.startswith(b"\xff\xfe") else "utf-8")
            lines += [f"{path}:", *(f"  {line}" for line in text.splitlines())]
        lines += [self.table] if self.table else []
        return [*lines, *(" ".join(map(quote_path, words)) for words in self.begin)]

    def install(self) -> None:
        """Write the files, and have the system begin. Raises `StorageError`."""
        for path, data in self.files:
            make_folder(path.parent)
            write_atomically(path, data)
        if self.table:
            _write_crontab([*_other_lines(), self.table])
        for words in self.begin:
            _run(words)

    def remove(self) -> None:
        """Have the system end, and remove the files. Raises `StorageError`."""
        for words in self.end:
            _run(words)
        for path, _ in self.files:
            path.unlink(missing_ok=True)
        if self.table:
            _write_crontab(_other_lines())

    @property
    def is_installed(self) -> bool:
        """Whether the system runs it, as the system says."""
        if self.table:
            return any(line.endswith(_CRON_MARK) for line in _read_crontab())
        return all(path.exists() for path, _ in self.files) and _succeeds(self.is_there)


def watch_installation(home: Path, *, by_reply: bool = False) -> Installation:
    """What has this system run `pbem mail watch` for a player; games go to the current folder.

    `home` is pbem's folder. Raises `StorageError` if nothing here can run it.
    """
    command = (sys.executable, "-m", "pbem", "mail", "watch", "--once")
    named = {"PBEM_HOME": str(home.absolute())} if os.environ.get("PBEM_HOME") else {}
    more = ("--orders-by-reply",) if by_reply else ()
    return installation(Schedule((*command, *more), Path.cwd(), named), home)


def installation_to_offer(home: Path) -> Installation | None:
    """What can be installed; None where it runs already, or nothing here can run it."""
    try:
        wanted = watch_installation(home)
    except StorageError:
        return None
    return None if wanted.is_installed else wanted


def installation(schedule: Schedule, home: Path) -> Installation:
    """The installation for this computer. `home` is pbem's folder. Raises `StorageError` if there is none."""
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
    """A service of the player's own systemd and its timer; `config` is his folder of settings."""
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
    """A launch agent of the person whose home folder and number these are; what it prints goes to `home`."""
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
    """A task of Windows' Task Scheduler, which opens no window if Python comes with `pythonw.exe`.

    A task has no variables of its own: a home of another name is set before, by `cmd`.
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
    """A line of the player's crontab, in which `%` would end the command."""
    words = [f"{name}={value}" for name, value in schedule.environment.items()]
    called = " ".join(map(_quote_for_shell, (*(("env", *words) if words else ()), *schedule.command)))
    line = f"cd {_quote_for_shell(str(schedule.folder))} && {called} >/dev/null 2>&1 {_CRON_MARK}"
    return Installation(means="cron", table=f"*/{MINUTES} * * * * " + line.replace("%", r"\%"))


def _other_lines() -> list[str]:
    """The lines of the player's crontab that are not ours."""
    return [line for line in _read_crontab() if not line.endswith(_CRON_MARK)]


def _read_crontab() -> list[str]:
    """The lines of the player's crontab; `crontab -l` fails where there is none."""
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
    """Run a command of the system's. Raises `StorageError` with its last line where it fails."""
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
    """A word in a unit file: in quotes, without specifiers (`%`), or where there may be some, variables."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped.replace("$", "$$") if variables else escaped}"'


def _quote_for_shell(word: str) -> str:
    from shlex import quote  # under 1 ms: for a crontab alone

    return quote(word)
