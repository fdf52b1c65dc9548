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
from pbem.base.limits import MAIL_BYTES, MBOX_BYTES, MBOX_MAILS, MBOX_SECONDS, mail_budget, time_limit
from pbem.errors import FileError, MailError, OverBudget, describe_unforeseen_error, unreadable_reason
from pbem.mail.archives import archive_type
from pbem.mail.headers import header
from pbem.mail.message import find_in_archive, find_in_bytes, find_in_message, parse_message
from pbem.mail.texts import Finding
from pbem.messages import Messages
from pbem.render.words import quote_name

_HEADERS = re.compile(
    rb"(?:from|to|date|subject|received|message-id|mime-version|content-type|return-path|delivered-to):",
    re.IGNORECASE,
)
_HEADER = re.compile(rb"[!-9;-~]+:|[ \t]")
_BEFORE = re.compile(rb"(?:\xef\xbb\xbf)?\s*+(?:\d+[ \t]*\r?\n|>?From [^\r\n]*\r?\n)?")
"""The lines allowed before the first header: Apple Mail's count of bytes, or a line of an mbox."""
_MAX_HEADERS = 65536
"""The first bytes of a file, by whose headers a mail is recognised."""
_OUTLOOK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


MAX_SUBJECT = 60
"""The columns of a mail's subject that are shown."""

tr = Messages("pbem")


class ParsedMail(Struct, frozen=True):
    """A parsed mail, or other file or text (`message` is None): its name for people, bytes, candidates."""

    label: str
    data: bytes
    message: Message | None
    finding: Finding


def text_place() -> messages.Message:
    """The place of a candidate in a file that is no mail."""
    return tr("the text")


def parse_all(path: Path | None, stdin: bytes = b"") -> Iterator[ParsedMail]:
    """Parse the mails in a Maildir folder, an mbox, a mail, or any other file; without a path in `stdin`.

    Raises `FileError` where the path cannot be read, or an mbox is too large.
    """
    if path is None:
        yield from _parse_opened(BytesIO(stdin), str(tr("standard input")))
        return
    try:
        if (path / "cur").is_dir() and (path / "new").is_dir():
            for file in _files_of_maildir(path):
                yield _parse_or_report(_read_file(file), str(file))
            return
        with open_regular(path) as stream:
            yield from _parse_opened(stream, str(path))
    except OSError as error:
        raise FileError(
            tr("cannot be read: {why}", why=unreadable_reason(path, error)), where=str(path)
        ) from None


def split_mbox(data: bytes) -> list[bytes]:
    """Each mail of an mbox; any other file as it is. Raises `FileError` where an mbox is too large."""
    stream = BytesIO(data)
    if not stream.readline().startswith(b"From "):
        return [data]
    return _limit_mbox(_mails_of_mbox(stream), str(text_place()))


def holds_mails(data: bytes) -> bool:
    """Whether a file is a mail, an mbox or an archive, by how it begins."""
    start = _BEFORE.match(data)
    return archive_type(data) != "" or _is_mail(data[start.end() :] if start else data)


def parse_mail(data: bytes, label: str) -> ParsedMail:
    """Parse one mail or other file. What is wrong with it is among the faults of its finding."""
    with mail_budget():
        return _parse_mail(data, label)


def _parse_mail(data: bytes, label: str) -> ParsedMail:
    if data.startswith(_OUTLOOK):
        fault = tr(
            "{file} is a file of Outlook's own: save the mail as text or .eml, or save its attachment",
            file=label,
        )
        return ParsedMail(label, data, None, Finding((), (fault,)))
    if kind := archive_type(data):
        return ParsedMail(label, data, None, find_in_archive(data, kind, Path(label).name))
    start = _BEFORE.match(data)
    mail = data[start.end() :] if start else data
    if not _is_mail(mail):
        return ParsedMail(label, data, None, find_in_bytes(data, text_place()))
    try:
        message = parse_message(mail)
    except MailError as error:
        return ParsedMail(label, data, None, Finding((), (error.message,)))
    except OverBudget as over:
        return ParsedMail(label, data, None, Finding(ended=over.message))
    finding = find_in_message(message)
    if not finding.candidates and not finding.ended:  # perhaps its headers are damaged
        whole = find_in_bytes(mail, tr("the mail"))
        finding = Finding(whole.candidates, finding.faults or whole.faults, whole.ended)
    subject = header(message, "Subject")
    titled = f"{label} ({quote_name(subject, MAX_SUBJECT)})" if subject else label
    return ParsedMail(titled, data, message, finding)


def _parse_or_report(data: bytes, label: str) -> ParsedMail:
    """Parse a mail among others; whatever goes wrong with it, the others are parsed."""
    try:
        return parse_mail(data, label)
    except Exception as error:  # whatever a stranger's mail may cause that nobody has thought of
        return ParsedMail(label, data, None, Finding(ended=describe_unforeseen_error(error)))


def _parse_opened(stream: BinaryIO, label: str) -> Iterator[ParsedMail]:
    """Parse the content of an opened file: each mail of an mbox, or else the file itself."""
    first = stream.readline(MAIL_BYTES + 1)
    if not first.startswith(b"From "):
        yield _parse_or_report(first + stream.read(MAIL_BYTES + 1 - len(first)), label)
        return
    mails = _limit_mbox(_mails_of_mbox(stream), label)
    with time_limit(MBOX_SECONDS):
        parsed = [
            _parse_or_report(data, str(tr("{file}, mail {number}", file=label, number=number)))
            for number, data in enumerate(mails, start=1)
        ]
    yield from parsed


def _limit_mbox(mails: Iterable[bytes], label: str) -> list[bytes]:
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


def _mails_of_mbox(stream: BinaryIO) -> Iterator[bytes]:
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


def _files_of_maildir(folder: Path) -> list[Path]:
    """The files of a Maildir folder, in the order of their names, which begin with the time of arrival."""
    files = [*(folder / "cur").iterdir(), *(folder / "new").iterdir()]
    return sorted((file for file in files if not file.name.startswith(".")), key=lambda file: file.name)


def _read_file(file: Path) -> bytes:
    with open_regular(file) as stream:
        return stream.read(MAIL_BYTES + 1)


def _is_mail(data: bytes) -> bool:
    """Whether a file begins with headers, some of which every mail has."""
    beginning = data[:_MAX_HEADERS]
    for line in re.split(rb"\r\n?|\n", beginning):
        if _HEADERS.match(line):
            return True
        if line.startswith(b"pbem") or not _HEADER.match(line):
            return False
    return len(data) > _MAX_HEADERS
