"""The sources of mails: a file with one or many, a folder, or a pasted text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from email.message import Message
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from pbem import messages
from pbem.base.files import open_regular
from pbem.base.limits import MAIL_BYTES, MBOX_BYTES, MBOX_MAILS, MBOX_SECONDS, limited, one_mail
from pbem.errors import FileError, MailError, OverBudget, unforeseen, why_unread
from pbem.mail.archives import kind_of
from pbem.mail.headers import header
from pbem.mail.message import archived, find_bytes, parse, search
from pbem.mail.texts import Finding
from pbem.messages import Messages
from pbem.render.words import named

_HEADERS = re.compile(
    rb"(?:from|to|date|subject|received|message-id|mime-version|content-type|return-path|delivered-to):",
    re.IGNORECASE,
)
_HEADER = re.compile(rb"[!-9;-~]+:|[ \t]")
_BEFORE = re.compile(rb"(?:\xef\xbb\xbf)?\s*+(?:\d+[ \t]*\r?\n|>?From [^\r\n]*\r?\n)?")
"""The lines allowed before the first header: Apple Mail's count of bytes, or a line of an mbox."""
_MOST_OF_HEADERS = 65536
"""The first bytes of a file, by whose headers a mail is recognised."""
_OUTLOOK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


MOST_OF_A_SUBJECT = 60
"""The columns of a mail's subject that are shown."""

tr = Messages("pbem")


class Received(Struct, frozen=True):
    """A parsed mail, or other file or text (`message` is None): its name for people, bytes, candidates."""

    label: str
    data: bytes
    message: Message | None
    finding: Finding


def the_text() -> messages.Message:
    """The place of a candidate in a file that is no mail."""
    return tr("the text")


def all_received(path: Path | None, stdin: bytes = b"") -> Iterator[Received]:
    """Parse the mails in a Maildir folder, an mbox, a mail, or any other file; without a path in `stdin`.

    Raises `FileError` where the path cannot be read, or an mbox is too large.
    """
    if path is None:
        yield from _all_received(BytesIO(stdin), str(tr("standard input")))
        return
    try:
        if (path / "cur").is_dir() and (path / "new").is_dir():
            for file in _maildir(path):
                yield _guarded(_read(file), str(file))
            return
        with open_regular(path) as stream:
            yield from _all_received(stream, str(path))
    except OSError as error:
        raise FileError(tr("cannot be read: {why}", why=why_unread(path, error)), where=str(path)) from None


def mails_of(data: bytes) -> list[bytes]:
    """Each mail of an mbox; any other file as it is. Raises `FileError` where an mbox is too large."""
    stream = BytesIO(data)
    if not stream.readline().startswith(b"From "):
        return [data]
    return _within_bounds(_mbox(stream), str(the_text()))


def holds_mails(data: bytes) -> bool:
    """Whether a file is a mail, an mbox or an archive, by how it begins."""
    start = _BEFORE.match(data)
    return kind_of(data) != "" or _is_mail(data[start.end() :] if start else data)


def received(data: bytes, label: str) -> Received:
    """Parse one mail or other file. What is wrong with it is among the faults of its finding."""
    with one_mail():
        return _received(data, label)


def _received(data: bytes, label: str) -> Received:
    if data.startswith(_OUTLOOK):
        fault = tr(
            "{file} is a file of Outlook's own: save the mail as text or .eml, or save its attachment",
            file=label,
        )
        return Received(label, data, None, Finding((), (fault,)))
    if kind := kind_of(data):
        return Received(label, data, None, archived(data, kind, Path(label).name))
    start = _BEFORE.match(data)
    mail = data[start.end() :] if start else data
    if not _is_mail(mail):
        return Received(label, data, None, find_bytes(data, the_text()))
    try:
        message = parse(mail)
    except MailError as error:
        return Received(label, data, None, Finding((), (error.message,)))
    except OverBudget as over:
        return Received(label, data, None, Finding(ended=over.message))
    finding = search(message)
    if not finding.candidates and not finding.ended:  # perhaps its headers are damaged
        whole = find_bytes(mail, tr("the mail"))
        finding = Finding(whole.candidates, finding.faults or whole.faults, whole.ended)
    subject = header(message, "Subject")
    titled = f"{label} ({named(subject, MOST_OF_A_SUBJECT)})" if subject else label
    return Received(titled, data, message, finding)


def _guarded(data: bytes, label: str) -> Received:
    """Parse a mail among others; whatever goes wrong with it, the others are parsed."""
    try:
        return received(data, label)
    except Exception as error:  # whatever a stranger's mail may cause that nobody has thought of
        return Received(label, data, None, Finding(ended=unforeseen(error)))


def _all_received(stream: BinaryIO, label: str) -> Iterator[Received]:
    """Parse the content of an opened file: each mail of an mbox, or else the file itself."""
    first = stream.readline(MAIL_BYTES + 1)
    if not first.startswith(b"From "):
        yield _guarded(first + stream.read(MAIL_BYTES + 1 - len(first)), label)
        return
    mails = _within_bounds(_mbox(stream), label)
    with limited(MBOX_SECONDS):
        parsed = [
            _guarded(data, str(tr("{file}, mail {number}", file=label, number=number)))
            for number, data in enumerate(mails, start=1)
        ]
    yield from parsed


def _within_bounds(mails: Iterable[bytes], label: str) -> list[bytes]:
    """All mails of an mbox, if they are within the limits. Raises `FileError`."""
    result, size = [], 0
    for data in mails:
        result.append(data)
        size += len(data)
        if len(result) > MBOX_MAILS or size > MBOX_BYTES:
            problem = tr(
                "the mailbox has more than {number} mails or {bytes} bytes, the most allowed",
                number=MBOX_MAILS,
                bytes=MBOX_BYTES,
            )
            hint = tr("save the mails of the game in a file of their own")
            raise FileError(problem, where=label, hint=hint)
    return result


def _mbox(stream: BinaryIO) -> Iterator[bytes]:
    """The mails of an mbox, after its first `From ` line; of a mail that is too large only the beginning."""
    mail, blank = bytearray(), False
    while line := stream.readline(MAIL_BYTES):
        if blank and line.startswith(b"From "):
            yield bytes(mail)
            mail.clear()
        elif len(mail) <= MAIL_BYTES:
            mail += line[1:] if re.match(rb">+From ", line) else line
        blank = not line.strip()
    yield bytes(mail)


def _maildir(folder: Path) -> list[Path]:
    """The files of a Maildir folder, in the order of their names, which begin with the time of arrival."""
    files = [*(folder / "cur").iterdir(), *(folder / "new").iterdir()]
    return sorted((file for file in files if not file.name.startswith(".")), key=lambda file: file.name)


def _read(file: Path) -> bytes:
    with open_regular(file) as stream:
        return stream.read(MAIL_BYTES + 1)


def _is_mail(data: bytes) -> bool:
    """Whether a file begins with headers, some of which every mail has."""
    beginning = data[:_MOST_OF_HEADERS]
    for line in re.split(rb"\r\n?|\n", beginning):
        if _HEADERS.match(line):
            return True
        if line.startswith(b"pbem") or not _HEADER.match(line):
            return False
    return len(data) > _MOST_OF_HEADERS
