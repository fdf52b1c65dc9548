"""The text of FORMAT 1: bytes to text, the values allowed, and which plain scalars are doubtful."""

from __future__ import annotations

import re
from io import BytesIO
from typing import NoReturn, TypeAlias

from pbem.base.limits import FILE_BYTES
from pbem.errors import FileError
from pbem.messages import Messages, Said

tr = Messages("pbem")


Plain: TypeAlias = "bool | int | str | list[Plain] | dict[str, Plain] | None"
"""A value that a game file can contain. The keys of mappings are ASCII (FORMAT 1)."""

MAX_INTEGER = 2**53 - 1
"""The largest magnitude of an integer: some languages lose digits beyond it."""

SURROGATE = re.compile(r"[\ud800-\udfff]")
"""Half of a UTF-16 surrogate pair, which is not a character and has no UTF-8 form."""


# The pattern lists what is refused: one for what is allowed takes ten times as long to compile.
_NOT_LITERAL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def decode_text(data: bytes) -> str:
    """The text of strict UTF-8, without a byte order mark or spaces at line ends; lines end with line feeds.

    Raises `FileError` for too many bytes, invalid UTF-8, and characters allowed only as escapes.
    """
    if len(data) > FILE_BYTES:
        problem = tr("{found} bytes are too many: at most {most}", found=len(data), most=FILE_BYTES)
        raise FileError(cite_section(problem, 1))
    plain = trim_line_ends(data)
    try:
        text = plain.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = plain[: error.start].decode("utf-8").removeprefix("\ufeff")
        problem = tr("byte {byte} is not UTF-8 text", byte=f"0x{plain[error.start]:02x}")
        refuse_at(problem, *_line_and_column(before))
    found = _NOT_LITERAL.search(text)
    if found:
        if found[0] == "\t":
            problem = tr("a tab is not allowed: use spaces, or its escape in double quotes")
        else:
            character = f"U+{ord(found[0]):04X}"
            problem = tr(
                "the character {character} is allowed only as an escape in double quotes",
                character=character,
            )
        refuse_at(problem, *_line_and_column(text[: found.start()]))
    return text


def refuse_at(problem: Said, line: int, column: int, section: int = 1, hint: Said = "") -> NoReturn:
    """Raise `FileError` for a fault at a line and column counted from 0; the message counts from 1."""
    where = tr("line {line}, column {column}", line=str(line + 1), column=str(column + 1))
    raise FileError(cite_section(problem, section), where=where, hint=hint, at=(line, column))


def cite_section(problem: Said, section: int) -> Said:
    """A problem, with the section of FORMAT that it violates."""
    return tr("{problem} (FORMAT section {section})", problem=problem, section=section)


def trim_line_ends(data: bytes) -> bytes:
    """The data without spaces, tabs and carriage returns that mail added at the ends of lines.

    In UTF-8 these bytes are never part of another character, so they are removed before decoding. A carriage
    return elsewhere ends a line, as in every YAML reader.
    """
    text = bytearray()
    for line in BytesIO(data):
        text += line.rstrip(b" \r\n") + b"\n" if line.endswith(b"\n") else line.rstrip(b" ")
    return trim_line_ends(bytes(text.replace(b"\r", b"\n"))) if b"\r" in text else bytes(text)


def _line_and_column(before: str) -> tuple[int, int]:
    """The line and column after the text `before`, counted from 0, as in PyYAML's marks."""
    return before.count("\n"), len(before) - before.rfind("\n") - 1


CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,15}")
WORD = re.compile(r"[A-Za-z]([A-Za-z0-9./_ -]*[A-Za-z0-9])?")
"""What a writer leaves unquoted if it is not doubtful."""

STEP = "  "
"""The indentation of one level."""

LINE_BYTES = 200
"""The longest line of a signed string, in bytes of UTF-8 with its indentation."""

_DOUBTFUL = re.compile(
    r"|y|n|yes|no|on|off|true|false|null|~|=|<<"
    r"|[-+]?\.?[0-9][0-9_.:]*(e[-+]?[0-9]+)?"
    r"|[-+]?0[xob][0-9a-f_]+"
    r"|[-+]?\.(inf|nan)"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*",
    re.IGNORECASE | re.ASCII,
)


def is_doubtful(text: str) -> bool:
    """Whether a YAML reader might take this plain scalar for something other than a string (FORMAT 1)."""
    return _DOUBTFUL.fullmatch(text) is not None
