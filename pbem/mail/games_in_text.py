"""Games in a text: as an armoured block, or as the file itself, quoted, wrapped, or with a footer below.

Mail programs quote, wrap and prettify. `find_in_text` finds candidates, and `repaired_versions` undoes such
changes if a candidate is not a valid file. A repair can guess, since nothing trusts it: its result must still
pass every signature check.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import chain

from msgspec import Struct

from pbem.base.limits import REPAIR_BYTES, REPAIR_LINES, check, spend
from pbem.errors import MailError, OverBudget
from pbem.mail import armour
from pbem.mail.mime_decoding import UU_BEGIN, decode_loose_base64, decode_uuencode
from pbem.messages import Messages, Said, row
from pbem.render.safe_text import quote_name

tr = Messages("pbem")

_START = re.compile(
    r"""^([ \t>|]*+)(?:---[ \t]+)?["']?pbem["']?[ \t]*:[ \t]*[0-9]{1,4}[ \t]*(?:#.*)?$""", re.MULTILINE
)
_QUOTE = re.compile(r"^[ \t]?(?:[>|][ \t]?)++", re.MULTILINE)
_ENCODED = re.compile(r"^[ \t>|]*+(cGJlbTog[A-Za-z0-9+/=\s>|]++)", re.MULTILINE)
"""Base64 of a text that begins with `pbem: `."""
_UUENCODED = re.compile(rf"^([ \t>|]*+){UU_BEGIN.decode()}([^\n]{{1,100}})", re.MULTILINE)
_QUOTED_PRINTABLE = re.compile(r"=[0-9A-F]{2}")
_LINKED = re.compile(r'^[ \t>|]*+prev: "[0-9a-f]{64}"', re.MULTILINE)
_EDGE_ALONE = re.compile(r"^by: ", re.MULTILINE)
"""The beginning of a line that no game file has at the left margin, whatever its layout."""
_SCRUBBED = re.compile(r"attachment was scrubbed[^<]{0,200}?Name: (\S{1,100}\.(?:ya?ml|pbem))\b")

_KEY = re.compile(r"(pbem|status|board|log)[ \t]*:")
_MEMBER = re.compile(r"""[ \t]*(?:- |-$|"(?:[^"\\]++|\\.)*+":|[A-Za-z_][A-Za-z0-9_ ]*:(?:[ \t]|$))""")
_AT_THE_EDGE = re.compile(r"(?:- |[a-z_]+:(?:[ \t]|$)|#|---$|\.\.\.$)")
_TOKEN = re.compile(r'\\.|["\[\]{}]')
_UNBROKEN = 40
"""A word this long is base64 or hexadecimal; a line that ends inside one was cut, not wrapped."""

_BLANKS = {ord(character): " " for character in "\u00a0\u2007\u202f\u2009\u200a\u3000"}
_INVISIBLE = {ord(character): None for character in "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f"}
_STRAIGHT = {ord(character): '"' for character in "\u201c\u201d\u201e"}
_STRAIGHTER = _STRAIGHT | {ord(character): "'" for character in "\u2018\u2019\u201a"}
_PLAIN = _STRAIGHTER | {ord("\u2013"): "-", ord("\u2014"): "--", ord("\u2026"): "..."}
_TYPED = _PLAIN | {
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2212\ufe63"), "-"),
    **dict.fromkeys(map(ord, "\u00ab\u00bb"), '"'),
    **{wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)},
}
"""The characters that telephones, word processors and East Asian keyboards produce for ASCII ones."""
_LETTERS: tuple[dict[int, str], ...] = ({}, _STRAIGHT, _STRAIGHTER, _PLAIN)


class Candidate(Struct, frozen=True):
    """Bytes that might be a game file, and a description of where they were found."""

    data: bytes
    place: Said


class Finding(Struct, frozen=True):
    """What was found in a text or a mail: candidates, the most likely first, and descriptions of damage.

    `ended` says which budget ended the search early; empty if none did.
    """

    candidates: tuple[Candidate, ...] = ()
    faults: tuple[Said, ...] = ()
    ended: Said = ""

    def __add__(self, other: Finding) -> Finding:
        faults = dict.fromkeys(self.faults + other.faults)  # so that none is reported twice
        return Finding(self.candidates + other.candidates, tuple(faults), self.ended or other.ended)


def find_in_text(text: str, place: Said) -> Finding:
    """Every game in a text: armoured blocks first, then plain files, then files that are still encoded."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return collect_finding(_find_all(_translate(_translate(text, _BLANKS), _INVISIBLE), place))


def to_ascii_punctuation(text: str) -> str:
    """A text with ASCII spaces, quotes, dashes and digits instead of typographic ones."""
    return (
        text.replace("\r\n", "\n")
        .replace("\r", "\n")
        .translate(_BLANKS)
        .translate(_INVISIBLE)
        .translate(_TYPED)
    )


def _translate(text: str, table: Mapping[int, str | None]) -> str:
    """`text.translate(table)`, many times faster for a long text with few of the characters."""
    characters = "".join(map(chr, table))
    return re.sub(f"[{characters}]", lambda found: table[ord(found[0])] or "", text) if table else text


def collect_finding(items: Iterable[Candidate | Said]) -> Finding:
    """Collect candidates and faults into a finding, within the budgets of a mail."""
    candidates: list[Candidate] = []
    faults: list[Said] = []
    ended: Said = ""
    try:
        for item in items:
            check()
            if isinstance(item, Candidate):
                spend("bytes of games", len(item.data))
                candidates.append(item)
            else:
                faults.append(item)
    except OverBudget as over:
        ended = over.message
    return Finding(tuple(candidates), tuple(dict.fromkeys(faults)), ended)


def _find_all(text: str, place: Said) -> Iterator[Candidate | Said]:
    items = chain(_find_plain(text, place), _find_quoted_printable(text, place), _find_encoded(text, place))
    first = next(items, None)
    if first is None:
        yield from _describe_remains(text, place)
    else:
        yield first
        yield from items


def _find_plain(text: str, place: Said) -> Iterator[Candidate | Said]:
    """The armoured blocks in a text, and the plain files in it."""
    for block in armour.blocks(text):
        spend("games")
        try:
            yield Candidate(armour.unpack(block), tr("the encoded block in {place}", place=place))
        except MailError as error:
            yield row((error.message, row(("(", place, ")"), "")), " ")
    start = _START.search(text)
    while start:
        spend("games")
        following = _START.search(text, start.end())
        file = _strip_quoting(text[start.start() : following.start() if following else len(text)], start[1])
        if _EDGE_ALONE.search(file):
            yield tr("this game's lines have all lost their indentation ({place})", place=place)
        else:
            yield Candidate(file.encode("utf-8", "replace"), place)
        start = following


def _find_quoted_printable(text: str, place: Said) -> Iterator[Candidate | Said]:
    """The candidates in a text that is still quoted-printable."""
    if _QUOTED_PRINTABLE.search(text):
        decoded = quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")
        yield from _find_plain(decoded, place)


def _find_encoded(text: str, place: Said) -> Iterator[Candidate]:
    """The files in a text that are still base64, or uuencoded."""
    for encoded in _ENCODED.finditer(text):
        spend("games")
        yield Candidate(decode_loose_base64(encoded[1].encode()), tr("base64 in {place}", place=place))
    begin = _UUENCODED.search(text)
    while begin:
        check()
        following = _UUENCODED.search(text, begin.end())
        lines = text[begin.start() : following.start() if following else len(text)]
        bare = re.sub(rf"^{re.escape(begin[1])}", "", lines, flags=re.MULTILINE)
        file = decode_uuencode(bare.encode("utf-8", "replace"))
        if b"pbem" in file:
            spend("games")
            where = tr("the uuencoded file {file} in {place}", file=quote_name(begin[2]), place=place)
            yield Candidate(file, where)
        begin = following


def _strip_quoting(lines: str, before: str) -> str:
    """Lines without the quote marks or the indentation of the first of them."""
    if ">" in before or "|" in before:
        return _QUOTE.sub("", lines)
    return re.sub(rf"^[ \t]{{1,{len(before)}}}", "", lines, flags=re.MULTILINE) if before else lines


def _describe_remains(text: str, place: Said) -> Iterator[Said]:
    """A description of the remains of a game, if no whole one is found."""
    if _LINKED.search(text):
        yield tr("the beginning of this game is missing: ask for it again ({place})", place=place)
    if armour.END in text:
        yield tr("the beginning of this game is missing: ask for it again ({place})", place=place)
    if scrubbed := _SCRUBBED.search(text):
        yield tr(
            "the mailing list has removed the attachment {file} ({place})", file=scrubbed[1], place=place
        )


def possible_files(candidate: Candidate) -> Iterator[bytes]:
    """The files that a candidate might be: itself, then its repairs."""
    return chain([candidate.data], repaired_versions(candidate.data))


def repaired_versions(data: bytes) -> Iterator[bytes]:
    """The file in `data` with mail damage undone in several ways: the most likely first, no repeats.

    A footer is cut off, a wrapped map is dropped, and broken lines are joined: at a space, or else in the
    middle of a word. All that is done with each of `_respellings`.
    """
    if len(data) > REPAIR_BYTES:
        return
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > REPAIR_LINES:
        return
    known = {sha256(data).digest()}
    tried: list[str] = []
    for letters in _respellings(text):
        check()
        if letters in tried or not _START.search(letters):  # a page, say, which no repair turns into a game
            continue
        tried.append(letters)
        members = _members(letters.split("\n"))
        for version in (
            [line for member in members for line in member],
            [_join_lines(member, hard=False) for member in members],
            [_join_lines(member, hard=True) for member in members],
        ):
            file = ("\n".join(_without_wrapped_board(version)) + "\n").encode("utf-8", "replace")
            if (digest := sha256(file).digest()) not in known:
                known.add(digest)
                yield file


def _respellings(text: str) -> Iterator[str]:
    """The text; with straight quotes; with plain dashes too; read again as UTF-8 that was misread."""
    for table in _LETTERS:
        yield _translate(text, table)
    yield _undo_double_encoding(text)


def _undo_double_encoding(text: str) -> str:
    """The text decoded again, if its characters are really the bytes of UTF-8; else unchanged."""
    for charset in ("cp1252", "latin-1"):
        try:
            return text.encode(charset).decode("utf-8")
        except UnicodeError:
            continue
    return text


def _members(lines: list[str]) -> list[list[str]]:
    """The lines of a file up to a footer, each with the lines broken off from it."""
    members: list[list[str]] = []
    quoted, depth, section = False, 0, ""
    for line in lines:
        if not (quoted or depth):
            if key := _KEY.match(line):
                section = key[1]
            elif section == "log" and line[:1].strip() and _ends_log(members[-1][-1], line):
                break
        if members and section != "board" and (quoted or depth or _continues(members[-1][-1], line)):
            members[-1].append(line)
        else:
            members.append([line])
        if section != "board" and (quoted or not line.lstrip().startswith("#")):
            quoted, depth = _balance(line, quoted, depth)
    while members and not any(line.strip() for line in members[-1]):
        members.pop()
    return members


def _ends_log(before: str, line: str) -> bool:
    """Whether a line at the left margin is below the log: a signature, a footer, the quoted mail."""
    return not (_AT_THE_EDGE.match(line) or _continues(before, line))


def _continues(before: str, line: str) -> bool:
    """Whether a line is the value of the member before it, broken off from that."""
    return (
        before.rstrip().endswith((":", "-"))
        and line.lstrip().startswith(('"', "[", "{", "\\"))
        and not _MEMBER.match(line)
    )


def _balance(line: str, quoted: bool, depth: int) -> tuple[bool, int]:
    """Whether a line ends inside quotes, and how many brackets deep."""
    for token in _TOKEN.findall(line):
        if token == '"':
            quoted = not quoted
        elif not quoted and token in "[]{}":
            depth = max(depth + (1 if token in "[{" else -1), 0)
    return quoted, depth


def _join_lines(member: list[str], *, hard: bool) -> str:
    """A member on one line. `hard`: lines were cut at a column, in the middle of words."""
    joined = [member[0]]
    for line in member[1:]:
        before = joined[-1]
        if before.endswith("\\"):  # YAML's own way to break a word
            joined[-1], blank = before[:-1], ""
        elif line[:1].strip() and (hard or len(before.rpartition(" ")[2]) > _UNBROKEN):
            blank = ""
        else:
            joined[-1], blank = before.rstrip(), " "
        joined.append(blank + (line[1:] if line.startswith(">From ") else line).lstrip())
    return "".join(joined)


def _without_wrapped_board(lines: list[str]) -> list[str]:
    """The lines without the map, which only people read, if wrapping has moved it out of its column."""
    sections: list[list[str]] = [[]]
    for line in lines:
        if _KEY.match(line):
            sections.append([])
        sections[-1].append(line)
    return [line for section in sections if not _is_wrapped_board(section) for line in section]


def _is_wrapped_board(section: list[str]) -> bool:
    if len(section) < 2 or not section[0].startswith("board"):
        return False
    column = max(_indent(section[1]), 1)
    return any(line.strip() and _indent(line) < column for line in section[1:])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
