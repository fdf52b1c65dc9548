"""Games in a mail: the parts of a message, decoded with care, each searched for a game.

Mails come from strangers. The standard parser runs on `compat32`, which does not raise; sizes, parts and
depth are bounded; a charset or a header that is wrong costs some letters, never the mail.
"""

from __future__ import annotations

import html
import re
from base64 import decodebytes
from binascii import a2b_qp
from email.errors import CloseBoundaryNotFoundDefect, HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from io import BytesIO

from pbem.errors import MailError
from pbem.mail import tnef
from pbem.mail.texts import Candidate, Finding, find
from pbem.render.words import named

MOST_BYTES = 48 * 1024 * 1024
"""A game of 16 MiB, as base64, twice."""
MOST_PARTS = 100
MOST_DEPTH = 20
MOST_OF_A_HEADER = 1000
"""Characters of a header that are shown; the rest is not even decoded."""

MOST_OF_A_TYPE = 8 * 1024

_TYPE = re.compile(
    rb"(?:^|(?<=\r))content-(?:type|disposition):(?:[^\r\n]|[\r\n]+[ \t])*+", re.IGNORECASE | re.M
)
_GAME_FILE = re.compile(r"\.(?:ya?ml|pbem)(?:\.txt)?$", re.IGNORECASE)
_TRACES = (b"pbem", b"PBEM", b"cGJlbTog", b"p\0b\0e\0m\0", b"prev:", b"scrubbed")
"""What some bytes must hold to be searched: a game's beginning, or what is left of one."""
_CHARSET = re.compile(
    r"(?:iso-8859-|windows-|cp)\d+|iso-2022-\w+|koi8-[ru]|gb\w+|big5|euc-\w+|shift_jis|utf-(?:7|16|32)\w*",
    re.IGNORECASE,
)
"""What mails are in, of all that Python knows: some of its codecs are slow, or no charset at all."""
_BLOCK = re.compile(r"(?i)</?(?:br|div|p|li|tr|h[1-6]|blockquote|pre|table)\b[^<>]*>")
_TAG = re.compile(r"<[^<>]*>")
_CLOSED = {
    "application/zip": "a zip archive",
    "application/x-zip-compressed": "a zip archive",
    "application/gzip": "a gzip archive",
    "application/pkcs7-mime": "encrypted by S/MIME",
    "application/x-pkcs7-mime": "encrypted by S/MIME",
    "application/pgp-encrypted": "encrypted by PGP",
}
"""Attachments that may hold a game but are opened by other programs."""


def parse(data: bytes) -> Message:
    """A mail from its bytes. Raises `MailError` if no mail that holds a game is as large or as deep."""
    if len(data) > MOST_BYTES:
        raise MailError(f"found a mail of more than {MOST_BYTES} bytes, the most of one that holds a game")
    for found in _TYPE.finditer(data):  # whose parameters the parser takes apart in quadratic time
        if found.end() - found.start() > MOST_OF_A_TYPE:
            raise MailError(
                f"found a header of more than {MOST_OF_A_TYPE} bytes that describes an attachment"
            )
    try:
        return BytesParser(policy=compat32).parse(BytesIO(data))
    except (RecursionError, ValueError):
        raise MailError("found a mail whose parts lie too deep in each other to be read") from None


def may_hold_a_game(data: bytes) -> bool:
    """Whether a mail must be parsed to know: if it holds a trace of a game, or anything that could hide one.

    Quoted-printable is undone in the whole mail at once, and so within each part; base64 may hide anything.
    """
    plain = data.lower()
    if b"base64" in plain or b"uue" in plain or b"pbem" in plain:
        return True
    return _holds_traces(data) or (b"quoted-printable" in plain and _holds_traces(a2b_qp(data)))


def search(message: Message) -> Finding:
    """Every game in a mail, those in attachments first."""
    parts, faults = _parts(message)
    total = Finding() + Finding((), tuple(faults))
    for part in sorted(parts, key=_rank):
        total += _part(part)
    return total


def header(message: Message, name: str) -> str:
    """A header in plain words, empty if there is none."""
    found = str(message.get(name, ""))[:MOST_OF_A_HEADER]
    try:
        words = [
            word if isinstance(word, str) else decoded(word, charset or "")
            for word, charset in decode_header(found)
        ]
    except (HeaderParseError, ValueError, LookupError):
        return " ".join(found.split())
    return " ".join("".join(words).split())


def kinds(message: Message) -> str:
    """The kinds of a mail's parts, to tell what was found in it."""
    parts, _ = _parts(message)
    return ", ".join(named(_name(part) or part.get_content_type()) for part in parts[:5])


def _parts(message: Message) -> tuple[list[Message], list[str]]:
    """Every part of a mail that has no parts itself, and what is wrong with how they are put together."""
    parts: list[Message] = []
    faults: list[str] = []
    stack = [(message, 0)]
    while stack:
        part, depth = stack.pop()
        if any(isinstance(defect, CloseBoundaryNotFoundDefect) for defect in part.defects):
            faults.append("the mail is cut off: its last part has no end")
        if len(parts) == MOST_PARTS or depth > MOST_DEPTH:
            faults.append(f"found more than {MOST_PARTS} parts, or {MOST_DEPTH} one in another, in the mail")
            break
        inside = _inside(part)
        stack += [(one, depth + 1) for one in reversed(inside)]
        if not inside:
            parts.append(part)
    return parts, faults


def _inside(part: Message) -> list[Message]:
    """The parts of a part; of a mail that is attached as a file, that mail."""
    payload = part.get_payload()
    if part.get_content_type() == "message/rfc822" and isinstance(payload, list) and _is_base64(part):
        payload = [parse(decodebytes(str(payload[0]).encode("ascii", "replace")))]
    elif isinstance(payload, str) and _name(part).lower().endswith(".eml"):
        payload = [parse(_bytes(part))]
    return [one for one in payload if isinstance(one, Message)] if isinstance(payload, list) else []


def _is_base64(part: Message) -> bool:
    return str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "base64"


def _bytes(part: Message) -> bytes:
    """What a part holds, its transfer encoding undone."""
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _rank(part: Message) -> int:
    """The order in which parts are searched: attached games, plain text, anything, and HTML last."""
    kind = part.get_content_type()
    if _GAME_FILE.search(_name(part)) or "yaml" in kind:
        return 0
    if kind == "text/html":
        return 3
    return 1 if kind.startswith("text/") else 2


def _part(part: Message) -> Finding:
    """The games in one part."""
    data, name, kind = _bytes(part), _name(part), part.get_content_type()
    place = f"the attachment {named(name)}" if name else "the mail's text"
    if kind in _CLOSED or name.lower().endswith((".zip", ".gz")):
        what = _CLOSED.get(kind, "an archive")
        return Finding((), (f"{place} is {what}: open it elsewhere and save the game file",))
    if kind in ("application/ms-tnef", "application/vnd.ms-tnef") or name.lower() == "winmail.dat":
        found = Finding()
        for one in tnef.attachments(data):
            found += find_bytes(one, f"{place}, unwrapped")
        return found if found.candidates else Finding((), (f"{place} holds no whole file",)) + found
    if not _holds_traces(data):
        return Finding()
    text = decoded(data, _parameter(part, "charset"))
    if kind == "text/html":
        return find(_untagged(text), f"the HTML of {place}")
    found = find_bytes(data, place, text)
    if _parameter(part, "format") == "flowed":
        found = find(_unflowed(text, delete_blanks=_parameter(part, "delsp") == "yes"), place) + found
    return found


def find_bytes(data: bytes, place: str, text: str | None = None) -> Finding:
    """The games in a file: itself, if it looks like one, and what its text holds."""
    if not _holds_traces(data):
        return Finding()
    text = decoded(data) if text is None else text
    found = find(text, place)
    whole = re.match(r"\s*+(?:---|pbem|log|status|board|#)", text) and not found.faults
    return Finding((Candidate(data, place),) if whole else ()) + found


def _holds_traces(data: bytes) -> bool:
    return any(trace in data for trace in _TRACES)


def decoded(data: bytes, charset: str = "") -> str:
    """Bytes as text: what can be UTF-8 or is UTF-16 is taken for it, whatever charset is claimed."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if data[1:8:2].count(0) == 4:
        return data.decode("utf-16-le", "replace")
    if b"\x1b" not in data:  # which begins the shifts of ISO 2022, all of ASCII letters
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            pass
    try:
        return data.decode(charset if _CHARSET.fullmatch(charset) else "cp1252", "replace")
    except LookupError:
        return data.decode("cp1252", "replace")


def _parameter(part: Message, name: str) -> str:
    """A parameter of a part's type, in small letters; empty if there is none, or a broken one."""
    try:
        return str(part.get_param(name, "")).lower()
    except (ValueError, LookupError):
        return ""


def _name(part: Message) -> str:
    """The name of the attached file, if the part is one."""
    try:
        return " ".join(str(part.get_filename() or "").split())[:MOST_OF_A_HEADER]
    except (ValueError, LookupError, TypeError):
        return ""


def _unflowed(text: str, *, delete_blanks: bool) -> str:
    """A text with `format=flowed` (RFC 3676) as it was before: a line that ends in a blank goes on."""
    text = re.sub(r"^ ", "", text.replace("\r\n", "\n"), flags=re.MULTILINE)
    text = re.sub(r"^(>++)(?=[^ \n])", r"\1 ", text, flags=re.MULTILINE)
    blank = "" if delete_blanks else " "
    return re.sub(r"(?<!^--)(?<=[^>\n]) \n(?:>++ )?", blank, text, flags=re.MULTILINE)


def _untagged(page: str) -> str:
    """The text of an HTML page: each `br` and block begins a line, entities are decoded."""
    if not re.search(r"(?i)<pre\b", page):
        page = "\r".join(line.strip(" \t\r") for line in page.split("\n"))
    page = _BLOCK.sub("\n", page)
    text = html.unescape(_TAG.sub("", page))
    return text.replace("\n\r", "\n").replace("\r\n", "\n").replace("\r", " ")
