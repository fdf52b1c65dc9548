"""Games in a mail: the parts of a message, decoded with care, each searched for a game.

Mails come from strangers. The standard parser runs on `compat32`, which does not raise, and reads bytes as
Latin-1: otherwise it would decode them itself, by whatever charset a stranger claims. Sizes, parts and depth
are bounded (`base.limits`); a wrong charset or header costs some letters, never the mail.
"""

from __future__ import annotations

import re
from binascii import a2b_qp
from collections.abc import Iterator
from email.errors import CloseBoundaryNotFoundDefect
from email.feedparser import FeedParser
from email.message import Message
from email.policy import compat32
from io import BytesIO, TextIOWrapper

from pbem.base.limits import (
    FILE_BYTES,
    MAIL_BYTES,
    MAIL_DELIMITERS,
    MAIL_DEPTH,
    MAIL_LINES,
    MAIL_PARTS,
    TEXT_BYTES,
    TYPE_BYTES,
    check,
)
from pbem.errors import MailError, OverBudget
from pbem.mail import archives, tnef
from pbem.mail.decoding import decode_charset, html_to_text, unflow
from pbem.mail.headers import (
    attachment_name,
    content_type,
    read_or_default,
    transfer_encoding,
    type_parameter,
)
from pbem.mail.texts import Candidate, Finding, collect_finding, find_in_text
from pbem.mail.transfer import UU_BEGIN, decode_transfer
from pbem.messages import Messages, Said
from pbem.render.words import quote_name

tr = Messages("pbem")

_CHUNK = 64 * 2**10
"""Characters that the parser gets at once; between two chunks the time limit is checked."""

_TYPE = re.compile(
    rb"content-(?<![^\r\n]content-)(?:type|disposition):(?:[^\r\n]|[\r\n]+[ \t])*+", re.IGNORECASE
)
"""At the beginning of a line, which the lookbehind checks last, since that is three times as fast."""
_GAME_FILE = re.compile(r"\.(?:ya?ml|pbem)(?:\.txt)?$", re.IGNORECASE)
_LIKE_A_GAME = re.compile(r"(?i)\.(?:ya?ml|pbem)(?:\.\w{1,5}){0,2}$|-[0-9a-f]{8}(?:\.\w{1,5}){1,2}$")
"""Names of game files, as other programs may have changed them: mortain-0f3a9c12.7z."""
_BEGINNING = re.compile(r"""\s*+(?:---|#|\{|["']?(?:pbem|log|status|board|after|part)["']?[ \t]*:)""")
_KEY = re.compile(r"""(?:^|[{,]\s*+)["']?(?:pbem|log)["']?[ \t]*:""", re.MULTILINE)
"""The beginning of a game file or a draft, however it is laid out, and the keys, one of which each has."""
_TRACES = (b"pbem", b"PBEM", b"cGJlbTog", b"p\0b\0e\0m\0", b"prev:", b"scrubbed")
"""Bytes without one of these are not searched: a game's beginning, or what is left of one."""
_UUENCODED = re.compile(rb"^[ \t>|]*+" + UU_BEGIN, re.MULTILINE)


def parse_message(data: bytes) -> Message:
    """A mail from its bytes. Raises `MailError` if no mail that holds a game is so large; `OverBudget`."""
    lines = data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
    delimiters = data.count(b"\n--") + data.count(b"\r--")
    if large := _too_large(len(data), lines, delimiters):
        raise MailError(large)
    for header in _TYPE.finditer(data):  # whose parameters take the parser quadratic time
        if header.end() - header.start() > TYPE_BYTES:
            raise MailError(
                tr(
                    "the header of an attachment has more than {number} bytes",
                    number=TYPE_BYTES,
                )
            )
    message = read_or_default(lambda: _feed_parser(data), None)
    if message is None:
        raise MailError(tr("the parts of the mail lie too deep in each other to be read"))
    return message


def _feed_parser(data: bytes) -> Message:
    """A mail as the standard parser reads it. Raises whatever that raises; `OverBudget`."""
    text = TextIOWrapper(BytesIO(data), encoding="latin-1")
    parser: FeedParser[Message] = FeedParser(policy=compat32)
    while chunk := text.read(_CHUNK):
        parser.feed(chunk)
        check()
    return parser.close()


def _too_large(size: int, lines: int, delimiters: int) -> Said:
    """The complaint about a mail too large to hold a game; empty if it is not."""
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
    """Whether a mail is worth parsing: it holds a trace of a game, or something that could hide one.

    Quoted-printable is undone in the whole mail at once, and so within each part; base64 may hide anything.
    """
    plain = data.lower()
    if any(word in plain for word in (b"base64", b"uue", b"pbem", b"pgp-encrypted")):
        return True
    return _holds_traces(data) or (b"quoted-printable" in plain and _holds_traces(a2b_qp(data)))


def speaks_of_a_game(data: bytes, message: Message | None) -> bool:
    """Whether a mail is about this program at all, by its words or by the name of an attached file."""
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
    """The person's words in a mail: its first plain text and its first page of HTML.

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
    """The names or types of a mail's first parts, for a message about what is in it."""
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
                    "the mail has more than {parts} parts, or more than {depth} one in another",
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
    """The parts of a part; for a mail attached as a file, that mail. Raises like `parse_message`."""
    payload = part.get_payload()
    if isinstance(payload, list):
        parts = [inner for inner in payload if isinstance(inner, Message)]
        packed = content_type(part) == "message/rfc822" and transfer_encoding(part) == "base64"
        return [parse_message(_decode_content(part, inner)) for inner in parts] if packed else parts
    return (
        [parse_message(_decode_content(part, part))] if attachment_name(part).lower().endswith(".eml") else []
    )


def _decode_content(part: Message, holder: Message) -> bytes:
    """The content of a part, its transfer encoding undone; `holder` is where the parser has put it."""
    payload = holder.get_payload()
    return (
        decode_transfer(payload.encode("latin-1", "replace"), transfer_encoding(part))
        if isinstance(payload, str)
        else b""
    )


def _search_order(part: Message) -> int:
    """The order in which parts are searched: attached games, plain text, anything, and HTML last."""
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
        for file in tnef.tnef_attachments(data):
            finding += find_in_bytes(file, tr("{place}, unwrapped", place=place))
            if finding.ended:
                break
        fault = tr("{place} holds no whole file", place=place)
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
    """The games in the files of an archive, which is at some place of a mail, or came by itself."""
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
    return tr("{what}: open it elsewhere and save the game file", what=what)


def find_in_bytes(data: bytes, place: Said, text: str | None = None) -> Finding:
    """The games in a file: itself, if it looks like one, and what its text holds."""
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
    """The whole lines of a file within the limit of what is searched."""
    return data if len(data) <= TEXT_BYTES else data[: data.rfind(b"\n", 0, TEXT_BYTES) + 1]
