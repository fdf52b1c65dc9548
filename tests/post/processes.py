"""Players who are killed at their mail: `python -m post.processes COMMAND FOLDER OFFICE PORTS…`, on POSIX.

Anna's home, her folder and her mail are as the test has laid them out in FOLDER. She types the command again
and again, killed one line later each time in the code that fetches, answers and sends, till she gets through.
After each kill she types it twice more, undisturbed. What has come of it goes to standard output, as JSON.

The kill falls where a line runs for the first time; with PBEM_LONG each time that any line runs.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from pbem.cli.app import run
from pbem.desk import Desk
from pbem.mail import draft, imap, maildir, message, smtp, sources, texts  # noqa: F401 (before the forks)
from pbem.post import contacts, fetch, inbox, letter, outbox, problem, send, settings, watch  # noqa: F401
from post.correspondence import attached, parsed
from post.servers import PostOffice

CODE = {module.__file__ for module in (watch, fetch, outbox, send)}
"""Where the kills fall. Within `durable`, the shelf's tests do the same."""

KILLED = 99
NOON = 1_785_585_600
LONG = bool(os.environ.get("PBEM_LONG"))


def kill_at_every_line(command: str, folder: Path, office: PostOffice) -> Iterator[dict[str, Any]]:
    """What is there after each kill, and after the two runs that follow it."""
    waiting = office.received("anna")
    for n in count(1):
        office.empty("anna", "bruno")
        for data in waiting:
            office.deliver("anna", data)
        desk = folder / "desk"
        shutil.copytree(folder / "before", desk)
        killed = child(desk, command, hour=0, n=n) == KILLED
        codes = [child(desk, command, hour=hour) for hour in (1, 2)]
        yield {"killed": killed, "codes": codes, **aftermath(desk, office)}
        shutil.rmtree(desk)
        if not killed:
            return


def child(folder: Path, command: str, *, hour: int, n: int = 0) -> int:
    """The exit code of the command, typed at that hour in a process that may die before its n-th line."""
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.environ |= {"PBEM_HOME": str(folder / "home"), "SOURCE_DATE_EPOCH": str(NOON + 3600 * hour)}
    os.chdir(folder)
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silence, stream)
    sys.settrace(die_at_line(n) if n else None)
    os._exit(run(command.split()))


def die_at_line(n: int) -> Callable[[FrameType, str, object], Any]:
    """A trace function that ends this process before the n-th line of the code in question."""
    lines: list[tuple[str, int]] = []

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename not in CODE:
            return None
        line = frame.f_code.co_filename, frame.f_lineno
        if event == "line" and (LONG or line not in lines):
            lines.append(line)
            if len(lines) == n:
                os._exit(KILLED)
        return trace

    return trace


def aftermath(folder: Path, office: PostOffice) -> dict[str, Any]:
    """The heads of the game: on the shelf, in the file, and in Bruno's mails; and how many mails differ."""
    desk = Desk(folder / "home")
    (kept,) = desk.shelf.games()
    mails = office.received("bruno")
    return {
        "shelf": list(desk.open(kept.data).ids),
        "files": [list(desk.open(file.read_bytes()).ids) for file in folder.glob("mortain-*.yaml")],
        "mails": [list(attached(data).ids) for data in mails],
        "message ids": len({parsed(data)["Message-ID"] for data in mails}),
        "different mails": len(set(mails)),
        "marked": len(list(folder.rglob("*.sent"))),
        "evidence": len(list(folder.rglob("evidence/*"))),
    }


def main(command: str, folder: Path, office: PostOffice) -> None:
    json.dump(list(kill_at_every_line(command, folder, office)), sys.stdout)


if __name__ == "__main__":
    typed, where, root, *ports = sys.argv[1:]
    main(typed, Path(where), PostOffice(Path(root), *map(int, ports)))
