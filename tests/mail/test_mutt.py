"""Mutt, driven in a terminal: it shows a letter with its picture as text, and its answers are understood."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.mail.extract_reply import extract_reply
from pbem.mail.outgoing import Address, OutgoingMail, content_id, to_bytes
from pbem.mail.parse_mail import parse_message
from support.markers import Posix, skip_without

if sys.platform != "win32":
    import pty

MUTT = shutil.which("mutt") or ""
ANNA = Address("anna@example.org", "Anna")
ID = "<0f3a9c12.57.1.k7qd73mdx2fa5wvnk7qd73md.a1b2@pbem.invalid>"
LETTER = OutgoingMail(
    sender=ANNA,
    recipient=ANNA,
    subject="[pbem] Stand at Mortain 0f3a9c12",
    body="[pbem] Your move: 5C: activate up to three units, or pass (M3.3).\n\nCode: 0f3a9c12.57.1\n",
    html=f'<p>[pbem] Your move</p><img src="cid:{content_id(b"PNG")}">',
    picture=b"PNG",
    attachment_name="mortain-0f3a9c12-57.txt",
    attachment=b"New entries\n",
    message_id=ID,
    in_reply_to="",
    references=(),
    date=datetime(2026, 8, 1, tzinfo=UTC),
)
WORDS = "move 2SS-A 1803\nsay: That hill is mine"
SECONDS = 30


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A mailbox with the letter, an editor that writes above the quote, and a program that takes the mail."""
    skip_without(Posix.TERMINAL)
    if not MUTT:
        pytest.skip("mutt is not installed")
    (tmp_path / "box").write_bytes(
        b"From pbem Sun Nov 22 12:00:00 2026\n" + to_bytes(LETTER).replace(b"\r\n", b"\n") + b"\n"
    )
    (tmp_path / "words").write_text(f"{WORDS}\n\n")
    _program(tmp_path / "edit", f'cat {tmp_path}/words "$1" > {tmp_path}/both && cp {tmp_path}/both "$1"')
    _program(tmp_path / "send", f"cat > {tmp_path}/taken && mv {tmp_path}/taken {tmp_path}/sent")
    (tmp_path / "signature").write_text("Anna, from home\n")
    settings = {"editor": "edit", "sendmail": "send", "signature": "signature"}
    lines = [f'set {name}="{tmp_path / file}"' for name, file in settings.items()]
    lines += [
        f'set folder="{tmp_path}" spoolfile="{tmp_path}/box" record="" confirmcreate=no quit=yes move=no'
    ]
    lines += ["set include=yes fast_reply=yes autoedit=yes reply_self=yes sendmail_wait=0"]
    lines += [f'set from="{ANNA.address}" realname="Anna" use_from=yes']
    (tmp_path / "settings").write_text("\n".join(lines) + "\n")
    return tmp_path


def _program(file: Path, command: str) -> None:
    file.write_text(f"#!/bin/sh\n{command}\n")
    file.chmod(0o755)


def answered(home: Path) -> bytes:
    """The mail that mutt sends when the one letter is answered."""
    keys = 'push "<reply><send-message><exit>"'
    command = [MUTT, "-n", "-F", str(home / "settings"), "-f", str(home / "box"), "-e", keys]
    process, terminal = pty.fork()
    if process == 0:
        os.execve(
            MUTT,
            command,
            {"TERM": "xterm", "HOME": str(home), "LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]},
        )
    shown, end = b"", time.monotonic() + SECONDS
    try:
        while not (home / "sent").exists() and time.monotonic() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                shown += os.read(terminal, 4096)
    except OSError:  # it has gone
        pass
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)
    assert (home / "sent").exists(), shown.decode(errors="replace")[-500:]
    return (home / "sent").read_bytes()


@pytest.mark.thorough
def test_an_answer_by_mutt(home: Path) -> None:
    mail = answered(home)
    assert b"\n> [pbem] Your move: 5C:" in mail
    assert b"<p>" not in mail
    found = extract_reply(parse_message(mail))
    assert found.words == WORDS
    assert ID[1:-1] in found.threading
    assert found.sender == ANNA.address
    assert not found.automatic
