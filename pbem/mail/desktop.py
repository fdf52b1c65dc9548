"""The desktop: opening a new mail in its mail program, with letter and game attached; and its clipboard.

Nothing is sent: the player reads the mail and sends it. Each program is started without a shell.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from pbem.mail.outgoing import check_address

SECONDS = 5
"""The seconds to wait for a program to fail. One still running after that is the mail program itself."""


class MailToOpen(Struct, frozen=True):
    """A mail for a program to open: address, subject, letter, the file of the game and that of the mail."""

    address: str
    subject: str
    letter: str
    game: Path
    mail: Path


def has_desktop() -> bool:
    """Whether this computer seems to have a desktop with windows."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_mail(mail: MailToOpen) -> bool:
    """Open a mail in the desktop's mail program. Returns whether there is one and it did not fail."""
    check_address(mail.address)
    if sys.platform == "win32":
        return _open_on_windows(mail.mail)
    if sys.platform == "darwin":
        return _start(["open", "-a", "Mail", str(mail.game.absolute())])
    return (takes_attachments() and _start(xdg_command(mail))) or (
        "'" not in mail.address and _start(thunderbird_command(mail))
    )


_ATTACHING = (
    "thunderbird",
    "betterbird",
    "evolution",
    "kmail",
    "kontact",
    "claws",
    "geary",
    "sylpheed",
    "balsa",
)
"""Words in the names of mail programs to which xdg-email can pass an attachment."""


def takes_attachments() -> bool:
    """Whether the mail program here might accept an attachment; a browser would drop it silently."""
    try:
        asked = subprocess.run(
            ["xdg-mime", "query", "default", "x-scheme-handler/mailto"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return True
    name = asked.stdout.decode("utf-8", "replace").strip().casefold()
    return not name or any(word in name for word in _ATTACHING)


def copy_to_clipboard(text: str) -> bool:
    """Copy a text to the clipboard. Returns whether there is one."""
    import pyperclip  # importing it looks for the system's clipboards

    try:
        pyperclip.copy(text)
    except pyperclip.PyperclipException:
        return False
    return True


def xdg_command(mail: MailToOpen) -> list[str]:
    """The command for all desktops on Linux and the BSDs (xdg-utils)."""
    options = ["--utf8", "--subject", mail.subject, "--body", mail.letter]
    to = f"mailto:{quote(mail.address, safe='@')}"  # so that no address is taken for an option
    return ["xdg-email", *options, "--attach", str(mail.game.absolute()), to]


def thunderbird_command(mail: MailToOpen) -> list[str]:
    """The command for Thunderbird, which splits fields at commas outside quotes and has no escapes."""
    fields = {
        "to": mail.address,
        "subject": mail.subject,
        "body": mail.letter,
        "attachment": mail.game.absolute().as_uri(),
    }
    return [
        "thunderbird",
        "-compose",
        ",".join(f"{key}='{_without_quotes(text)}'" for key, text in fields.items()),
    ]


def _without_quotes(text: str) -> str:
    return text.replace("'", "\u2019")


def _start(words: list[str]) -> bool:
    """Start a program. Returns whether it exists and did not fail at once."""
    if shutil.which(words[0]) is None:
        return False
    try:
        program = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # so that it outlives us, and does not get our Ctrl-C
        )
        return program.wait(SECONDS) == 0
    except subprocess.TimeoutExpired:
        return True
    except OSError:
        return False


def _open_on_windows(mail: Path) -> bool:
    """Open the file of the whole mail, which the Windows mail program shows as a draft (`X-Unsent`)."""
    if sys.platform != "win32":
        return False
    try:
        os.startfile(mail)
    except OSError:
        return False
    return True
