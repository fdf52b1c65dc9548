"""Parsing mail: from the bytes of a mail, mbox, Maildir, archive or text to possible games in it.

Mails come from strangers. The standard parser runs on `compat32`, which does not raise, and reads bytes as
Latin-1: otherwise it would decode them itself, with whatever charset a stranger claims. Sizes, parts and
depth are bounded (`base.limits`); a wrong charset or header costs some letters, never the mail.
"""

from __future__ import annotations

import re
from binascii import a2b_qp
from collections.abc import Iterable, Iterator
from email.errors import CloseBoundaryNotFoundDefect
from email.feedparser import FeedParser
from email.message import Message
from email.policy import compat32
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from pbem import messages
from pbem.base.files import open_regular
from pbem.base.limits import (
    FILE_BYTES,
    MAIL_BYTES,
    MAIL_DELIMITERS,
    MAIL_DEPTH,
    MAIL_LINES,
    MAIL_PARTS,
    MBOX_BYTES,
    MBOX_MAILS,
    MBOX_SECONDS,
    TEXT_BYTES,
    TYPE_BYTES,
    check,
    mail_budget,
    time_limit,
)
from pbem.errors import FileError, MailError, OverBudget, describe_unforeseen_error, unreadable_reason
from pbem.mail import archives
from pbem.mail.archives import archive_type
from pbem.mail.games_in_text import Candidate, Finding, collect_finding, find_in_text
from pbem.mail.mail_outline import is_harmless
from pbem.mail.mime_decoding import (
    UU_BEGIN,
    attachment_name,
    content_type,
    decode_charset,
    decode_transfer,
    header,
    html_to_text,
    read_or_default,
    transfer_encoding,
    type_parameter,
    unflow,
)
from pbem.messages import Messages, Said
from pbem.render.safe_text import quote_name

tr = Messages("pbem")


_CHUNK = 64 * 2**10
"""Characters passed to the parser at once; the time limit is checked between two chunks."""

_TYPE = re.compile(
    rb"content-(?<![^\r\n]content-)(?:type|disposition):(?:[^\r\n]|[\r\n]+[ \t])*+", re.IGNORECASE
)
"""The start of a line is checked last, by the lookbehind, since that is three times as fast."""
_GAME_FILE = re.compile(r"\.(?:ya?ml|pbem)(?:\.txt)?$", re.IGNORECASE)
_LIKE_A_GAME = re.compile(r"(?i)\.(?:ya?ml|pbem)(?:\.\w{1,5}){0,2}$|-[0-9a-f]{8}(?:\.\w{1,5}){1,2}$")
"""Names of game files, even as other programs change them: mortain-0f3a9c12.7z."""
_BEGINNING = re.compile(r"""\s*+(?:---|#|\{|["']?(?:pbem|log|status|board|after|part)["']?[ \t]*:)""")
_KEY = re.compile(r"""(?:^|[{,]\s*+)["']?(?:pbem|log)["']?[ \t]*:""", re.MULTILINE)
"""The beginning of a game file or a draft, whatever its layout: each has one of these keys."""
_TRACES = (b"pbem", b"PBEM", b"cGJlbTog", b"p\0b\0e\0m\0", b"prev:", b"scrubbed")
"""Bytes without one of these are not searched: the beginning of a game, or the remains of one."""
_UUENCODED = re.compile(rb"^[ \t>|]*+" + UU_BEGIN, re.MULTILINE)


def parse_message(data: bytes) -> Message:
    """Parse the bytes of a mail. Raises `MailError` if it is too large to contain a game; `OverBudget`."""
    lines = data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
    delimiters = data.count(b"\n--") + data.count(b"\r--")
    if large := _too_large(len(data), lines, delimiters):
        raise MailError(large)
    for found in _TYPE.finditer(data):  # the parser takes quadratic time for its parameters
        if found.end() - found.start() > TYPE_BYTES:
            raise MailError(
                tr(
                    "an attachment's header has more than {number} bytes",
                    number=TYPE_BYTES,
                )
            )
    message = read_or_default(lambda: _feed_parser(data), None)
    if message is None:
        raise MailError(tr("the parts of the mail are nested too deeply to be read"))
    return message


def _feed_parser(data: bytes) -> Message:
    """Parse a mail with the standard parser. Raises whatever that raises; `OverBudget`."""
    text = TextIOWrapper(BytesIO(data), encoding="latin-1")
    parser: FeedParser[Message] = FeedParser(policy=compat32)
    while chunk := text.read(_CHUNK):
        parser.feed(chunk)
        check()
    return parser.close()


def _too_large(size: int, lines: int, delimiters: int) -> Said:
    """The complaint about a mail that is too large to contain a game; empty if it is not."""
    if size > MAIL_BYTES:
        return tr("the mail has more than {number} bytes, the most allowed with a game", number=MAIL_BYTES)
    if lines > MAIL_LINES:
        return tr("the mail has more than {number} lines, the most allowed with a game", number=MAIL_LINES)
    if delimiters > MAIL_DELIMITERS:
        return tr(
            "the mail has more than {number} lines that begin with --, the most allowed with a game",
            number=MAIL_DELIMITERS,
        )
    return ""


def may_hold_a_game(data: bytes) -> bool:
    """Whether to parse a mail: it contains a trace of a game, or something that could hide one.

    Quoted-printable is undone in the whole mail at once, and so in each part. Base64 can hide anything,
    except in a part of a type in which nobody sends a game.
    """
    plain = data.lower()
    if any(word in plain for word in (b"uue", b"pbem", b"pgp-encrypted")) or _base64_may_hide_a_game(plain):
        return True
    return _holds_traces(data) or (b"quoted-printable" in plain and _holds_traces(a2b_qp(data)))


_BLANK_LINE = re.compile(rb"\n\r?\n")
_TYPE_FIELD = re.compile(rb"^content-type:\s*([^\s;]*)", re.MULTILINE)
_NAME_PARAMETER = re.compile(rb"name=\s*\"?([^\";\r\n]*)")
_MOST_PARTS, _HEADER_BYTES = 50, 4096
"""The most base64 parts whose headers are examined, and their size; a mail beyond these is parsed."""


def _base64_may_hide_a_game(plain: bytes) -> bool:
    """Whether a mail in lower case has a base64 part that might be a game, by the part's own header."""
    at = -1
    for _ in range(_MOST_PARTS):
        if (at := plain.find(b"base64", at + 1)) < 0:
            return False
        begins = max(plain.rfind(b"\n\n", 0, at), plain.rfind(b"\n\r\n", 0, at), 0)
        ends = _BLANK_LINE.search(plain, at)
        part = plain[begins : ends.start() if ends else len(plain)]
        kinds = _TYPE_FIELD.findall(part)
        if len(part) > _HEADER_BYTES or b"=?" in part or b"name*" in part or not kinds:
            return True
        names = [name.decode("latin-1").strip() for name in _NAME_PARAMETER.findall(part)]
        for kind in kinds:
            if kind in (b"text/plain", b"text/html") or not is_harmless(kind.decode("latin-1"), names):
                return True
    return True


def speaks_of_a_game(data: bytes, message: Message | None) -> bool:
    """Whether a mail is about pbem at all, by its text or by the name of an attached file."""
    if b"pbem" in data.lower():
        return True
    return message is not None and any(
        _LIKE_A_GAME.search(attachment_name(part)) for part in _parts(message)[0]
    )


def find_in_message(message: Message) -> Finding:
    """Every game in a mail, those in attachments first."""
    total = Finding()
    try:
        parts, faults = _parts(message)
        total += Finding((), tuple(faults))
        for part in sorted(parts, key=_search_order):
            check()
            total += _find_in_part(part)
            if total.ended:
                break
    except OverBudget as over:
        total += Finding(ended=over.message)
    return total


def own_texts(message: Message) -> tuple[str, str]:
    """The person's text in a mail: its first plain text and its first HTML page.

    Attachments and mails within the mail do not count.
    """
    plain = page = ""
    for part in _own_parts(message):
        text = decode_charset(
            _limit_to_lines(_decode_content(part, part)), type_parameter(part, "charset")
        ).replace("\r\n", "\n")
        if content_type(part) == "text/html":
            page = page or text
        elif not plain:
            flowed = type_parameter(part, "format") == "flowed"
            plain = unflow(text, delete_blanks=type_parameter(part, "delsp") == "yes") if flowed else text
    return plain, page


def _own_parts(message: Message) -> Iterator[Message]:
    """The texts of a mail that are neither attached nor in another mail."""
    waiting = [message]
    for _ in range(MAIL_PARTS):
        if not waiting:
            return
        part = waiting.pop(0)
        payload = part.get_payload()
        if content_type(part).startswith("multipart/") and isinstance(payload, list):
            waiting[:0] = [inner for inner in payload if isinstance(inner, Message)]
        elif content_type(part).startswith("text/") and not attachment_name(part):
            yield part


def describe_parts(message: Message) -> str:
    """The names or types of a mail's first parts, for a message about its contents."""
    parts, _ = _parts(message)
    return ", ".join(quote_name(attachment_name(part) or content_type(part)) for part in parts[:5])


def _parts(message: Message) -> tuple[list[Message], list[Said]]:
    """Every part of a mail that has no parts itself, and the faults of its structure."""
    parts: list[Message] = []
    faults: list[Said] = []
    stack = [(message, 0)]
    while stack:
        part, depth = stack.pop()
        if any(isinstance(defect, CloseBoundaryNotFoundDefect) for defect in part.defects):
            faults.append(tr("the mail is cut off: its last part has no end"))
        if len(parts) == MAIL_PARTS or depth > MAIL_DEPTH:
            faults.append(
                tr(
                    "the mail has more than {parts} parts, or parts nested more than {depth} deep",
                    parts=MAIL_PARTS,
                    depth=MAIL_DEPTH,
                )
            )
            break
        try:
            inside = _inner_parts(part)
        except MailError as error:
            faults.append(error.message)
            continue
        stack += [(inner, depth + 1) for inner in reversed(inside)]
        if not inside:
            parts.append(part)
    return parts, faults


def _inner_parts(part: Message) -> list[Message]:
    """The parts of a part; for a mail attached as a file, that mail. Raises as `parse_message`."""
    payload = part.get_payload()
    if isinstance(payload, list):
        parts = [inner for inner in payload if isinstance(inner, Message)]
        packed = content_type(part) == "message/rfc822" and transfer_encoding(part) == "base64"
        return [parse_message(_decode_content(part, inner)) for inner in parts] if packed else parts
    return (
        [parse_message(_decode_content(part, part))] if attachment_name(part).lower().endswith(".eml") else []
    )


def _decode_content(part: Message, holder: Message) -> bytes:
    """The content of a part, with its transfer encoding undone; the parser has put it into `holder`."""
    payload = holder.get_payload()
    return (
        decode_transfer(payload.encode("latin-1", "replace"), transfer_encoding(part))
        if isinstance(payload, str)
        else b""
    )


def _search_order(part: Message) -> int:
    """The order in which parts are searched: attached games, plain text, anything else, and HTML last."""
    kind = content_type(part)
    if _GAME_FILE.search(attachment_name(part)) or "yaml" in kind:
        return 0
    if kind == "text/html":
        return 3
    return 1 if kind.startswith("text/") else 2


def _find_in_part(part: Message) -> Finding:
    """The games in one part."""
    data, name, kind = _decode_content(part, part), attachment_name(part), content_type(part)
    place = tr("the attachment {file}", file=quote_name(name)) if name else tr("the mail's text")
    if what := archives.describe_unopenable(kind, name, place):
        return Finding((), (_advise_to_open_elsewhere(what),))
    if archives.is_archive(kind, name):
        return find_in_archive(data, kind, name, place)
    if kind in ("application/ms-tnef", "application/vnd.ms-tnef") or name.lower() == "winmail.dat":
        finding = Finding()
        for file in archives.tnef_attachments(data):
            finding += find_in_bytes(file, tr("{place}, unwrapped", place=place))
            if finding.ended:
                break
        fault = tr("{place} does not contain a whole file", place=place)
        return finding if finding.candidates else Finding((), (fault,)) + finding
    if not _holds_traces(data):
        return Finding()
    text = decode_charset(_limit_to_lines(data), type_parameter(part, "charset"))
    if kind == "text/html":
        return find_in_text(html_to_text(text), tr("the HTML of {place}", place=place))
    finding = find_in_bytes(data, place, text)
    if type_parameter(part, "format") == "flowed":
        finding = (
            find_in_text(unflow(text, delete_blanks=type_parameter(part, "delsp") == "yes"), place) + finding
        )
    return finding


def find_in_archive(data: bytes, kind: str, name: str, place: Said = "") -> Finding:
    """The games in the files of an archive, which is at some place in a mail, or arrived by itself."""
    finding = Finding()
    try:
        for file, content in archives.files_in_archive(data, kind, name, place or name):
            finding += find_in_bytes(
                content,
                tr("{file} in {place}", file=quote_name(file), place=place) if place else quote_name(file),
            )
            if finding.ended:
                break
    except MailError as error:
        finding += Finding((), (_advise_to_open_elsewhere(error.message),))
    return finding


def _advise_to_open_elsewhere(what: Said) -> Said:
    """The remark that only other programs can open something."""
    return tr("{what}: open it in another program and save the game file", what=what)


def find_in_bytes(data: bytes, place: Said, text: str | None = None) -> Finding:
    """The games in a file: the file itself, if it looks like one, and those in its text."""
    if not _holds_traces(data):
        return Finding()
    text = decode_charset(_limit_to_lines(data)) if text is None else text
    finding = find_in_text(text, place)
    if finding.faults or not (_BEGINNING.match(text) and _KEY.search(text)):
        return finding
    return collect_finding([Candidate(data[: FILE_BYTES + 1], place)]) + finding


def _holds_traces(data: bytes) -> bool:
    return any(trace in data for trace in _TRACES) or (b"begin " in data and bool(_UUENCODED.search(data)))


def _limit_to_lines(data: bytes) -> bytes:
    """The complete lines in the searched part of a file."""
    return data if len(data) <= TEXT_BYTES else data[: data.rfind(b"\n", 0, TEXT_BYTES) + 1]


_HEADERS = re.compile(
    rb"(?:from|to|date|subject|received|message-id|mime-version|content-type|return-path|delivered-to):",
    re.IGNORECASE,
)
_HEADER = re.compile(rb"[!-9;-~]+:|[ \t]")
_BEFORE = re.compile(rb"(?:\xef\xbb\xbf)?\s*+(?:\d+[ \t]*\r?\n|>?From [^\r\n]*\r?\n)?")
"""The lines allowed before the first header: Apple Mail's byte count, or a line of an mbox."""
_MAX_HEADERS = 65536
"""The first bytes of a file, whose headers show whether it is a mail."""
_OUTLOOK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


MAX_SUBJECT = 60
"""The most columns shown of a mail's subject."""


class UnsearchedMail(Struct, frozen=True):
    """A mail whose message is parsed, but not yet searched for games; `body` begins with its headers.

    For another file or text, and for a mail that cannot be parsed, `message` is None. `problem` then says
    why, or `ended` which budget ended the work.
    """

    label: str
    data: bytes
    body: bytes
    message: Message | None = None
    problem: Said = ""
    ended: Said = ""


class ParsedMail(Struct, frozen=True):
    """A parsed mail, or other file or text (`message` is None): its name for people, bytes, candidates."""

    label: str
    data: bytes
    message: Message | None
    finding: Finding


def text_place() -> messages.Message:
    """The place of a candidate in a file that is not a mail."""
    return tr("the text")


def parse_all(path: Path | None, stdin: bytes = b"") -> Iterator[ParsedMail]:
    """Parse the mails in a Maildir, an mbox, a mail, or any other file; without a path in `stdin`.

    Raises `FileError` if the path cannot be read, or if an mbox is too large.
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
    """Each mail of an mbox; any other file as it is. Raises `FileError` if an mbox is too large."""
    stream = BytesIO(data)
    if not stream.readline().startswith(b"From "):
        return [data]
    return _limit_mbox(_mails_of_mbox(stream), str(text_place()))


def holds_mails(data: bytes) -> bool:
    """Whether a file is a mail, an mbox or an archive, judging by its beginning."""
    start = _BEFORE.match(data)
    return archive_type(data) != "" or _is_mail(data[start.end() :] if start else data)


def parse_mail(data: bytes, label: str) -> ParsedMail:
    """Parse one mail or other file. Its faults are in the finding."""
    with mail_budget():
        return search_mail(unsearched_mail(data, label))


def unsearched_mail(data: bytes, label: str) -> UnsearchedMail:
    """Parse the message of a mail, once for all searches in it. The result says what is wrong."""
    start = _BEFORE.match(data)
    body = data[start.end() :] if start else data
    if data.startswith(_OUTLOOK) or archive_type(data) or not _is_mail(body):
        return UnsearchedMail(label, data, body)
    try:
        return UnsearchedMail(label, data, body, parse_message(body))
    except MailError as error:
        return UnsearchedMail(label, data, body, problem=error.message)
    except OverBudget as over:
        return UnsearchedMail(label, data, body, ended=over.message)


def search_mail(mail: UnsearchedMail) -> ParsedMail:
    """Search a mail or other file for games. Its faults are in the finding."""
    label, data, message = mail.label, mail.data, mail.message
    if message is None:
        return ParsedMail(label, data, None, _find_without_message(mail))
    finding = find_in_message(message)
    if not finding.candidates and not finding.ended:  # perhaps its headers are damaged
        whole = find_in_bytes(mail.body, tr("the mail"))
        finding = Finding(whole.candidates, finding.faults or whole.faults, whole.ended)
    subject = header(message, "Subject")
    titled = f"{label} ({quote_name(subject, MAX_SUBJECT)})" if subject else label
    return ParsedMail(titled, data, message, finding)


def _find_without_message(mail: UnsearchedMail) -> Finding:
    """The games in a file or text that is not a mail; for a mail that cannot be parsed, the reason."""
    if mail.problem or mail.ended:
        return Finding((), (mail.problem,) if mail.problem else (), mail.ended)
    if mail.data.startswith(_OUTLOOK):
        fault = tr(
            "{file} is in Outlook's own format: save the mail as text or .eml, or save its attachment",
            file=mail.label,
        )
        return Finding((), (fault,))
    if kind := archive_type(mail.data):
        return find_in_archive(mail.data, kind, Path(mail.label).name)
    return find_in_bytes(mail.data, text_place())


def _parse_or_report(data: bytes, label: str) -> ParsedMail:
    """Parse one mail of several, so that no failure stops the others."""
    try:
        return parse_mail(data, label)
    except Exception as error:  # whatever else a stranger's mail might cause
        return ParsedMail(label, data, None, Finding(ended=describe_unforeseen_error(error)))


def _parse_opened(stream: BinaryIO, label: str) -> Iterator[ParsedMail]:
    """Parse the content of an open file: each mail of an mbox, or else the file itself."""
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
            hint = tr("save the game's mails in a separate file")
            raise FileError(problem, where=label, hint=hint)
    return result


def _mails_of_mbox(stream: BinaryIO) -> Iterator[bytes]:
    """The mails of an mbox after its first `From ` line; of one that is too large, only the beginning."""
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
    """The files of a Maildir, in the order of their names, which begin with the time of arrival."""
    files = [*(folder / "cur").iterdir(), *(folder / "new").iterdir()]
    return sorted((file for file in files if not file.name.startswith(".")), key=lambda file: file.name)


def _read_file(file: Path) -> bytes:
    with open_regular(file) as stream:
        return stream.read(MAIL_BYTES + 1)


def _is_mail(data: bytes) -> bool:
    """Whether a file begins with headers, including some that every mail has."""
    beginning = data[:_MAX_HEADERS]
    for line in re.split(rb"\r\n?|\n", beginning):
        if _HEADERS.match(line):
            return True
        if line.startswith(b"pbem") or not _HEADER.match(line):
            return False
    return len(data) > _MAX_HEADERS
