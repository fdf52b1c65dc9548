"""Write plain data in the YAML subset of FORMAT 1: the same values always give the same text.

Signed strings must survive mail programs and editors, so they are never blocks, have lines of at most 200
bytes, and are in double quotes unless every YAML reader takes them for strings.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from pbem.format.yaml_text import LINE_BYTES, STEP, WORD, Plain, is_doubtful

FLOW_BYTES = 100
"""A list or mapping that fits on a line of this many bytes is written on one line."""

KEY_BYTES = 60
"""A key of more bytes is written after `? `: a YAML reader expects the colon within 1,024 characters."""

WORD_LENGTH = 31
"""The longest word without quotes. Hexadecimal and base64 can look like words, but are longer."""

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def dump_yaml(value: dict[str, Plain]) -> str:
    """The text of a mapping as a YAML document; each line ends with a line feed."""
    return "".join(f"{line}\n" for line in _lines(value, ""))


def dump_block(key: str, text: str) -> str:
    """A top-level key with a text for people, as a literal block.

    Spaces at line ends and empty lines around the text are dropped; unprintable characters become `?`.
    """
    lines = ["".join(c if c.isprintable() else "?" for c in line).rstrip() for line in text.split("\n")]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    indicator = len(STEP) if lines and lines[0].startswith(" ") else ""
    return f"{key}: |{indicator}\n" + "".join(f"{STEP}{line}".rstrip() + "\n" for line in lines)


def _lines(value: Plain, pad: str) -> Iterator[str]:
    """The members of a list or mapping, one below the other, indented by `pad`."""
    if isinstance(value, dict):
        for key, item in value.items():
            text = _key(key)
            if len(text) <= KEY_BYTES:
                yield from _member(f"{pad}{text}:", item, pad)
            else:
                yield from _fold_string(f"{pad}?", key, pad + STEP)
                yield from _member(f"{pad}:", item, pad)
    else:
        assert isinstance(value, list)  # any other value fits on the line of its key
        for item in value:
            yield from _member(f"{pad}-", item, pad)


def _member(head: str, item: Plain, pad: str) -> Iterator[str]:
    """One member after its key or dash: on the same line if it fits there, else on several lines."""
    compound = isinstance(item, (list, dict))
    text = _one_line(item, (FLOW_BYTES if compound else LINE_BYTES) - len(head) - 1)
    if text is not None:
        yield f"{head} {text}"
    elif isinstance(item, str):
        yield from _fold_string(head, item, pad + STEP)
    elif head.endswith("-"):
        first, *rest = _lines(item, pad + STEP)
        yield f"{head} {first.removeprefix(pad + STEP)}"
        yield from rest
    else:
        yield head
        yield from _lines(item, pad + STEP)


def _one_line(value: Plain, room: int) -> str | None:
    """The value on one line, lists and mappings in flow style; None if that takes more than `room` bytes."""
    if isinstance(value, dict):
        return _flow("{}", ((f"{_key(key)}: ", item) for key, item in value.items()), room)
    if isinstance(value, list):
        return _flow("[]", (("", item) for item in value), room)
    if isinstance(value, str) and len(value) > room:
        return None
    text = _text(value) if isinstance(value, str) else json.dumps(value)
    return text if len(text.encode()) <= room else None


def _flow(brackets: str, members: Iterable[tuple[str, Plain]], room: int) -> str | None:
    """A list or mapping in flow style; None as soon as it exceeds `room` bytes."""
    parts: list[str] = []
    for head, item in members:
        part = _one_line(item, room - len(head))
        if part is None:
            return None
        parts.append(head + part)
        room -= len(parts[-1].encode()) + len(", ")
    return f"{brackets[0]}{', '.join(parts)}{brackets[1]}" if room >= 0 else None


def _key(key: str) -> str:
    """A key on one line. A plain `n` is doubtful only as a value."""
    return key if key == "n" else _text(key)


def _text(text: str) -> str:
    """A string on one line: a plain word, or in double quotes."""
    if WORD.fullmatch(text) and len(text) <= WORD_LENGTH and not is_doubtful(text):
        return text
    if text.isprintable() and not ('"' in text or "\\" in text):
        return f'"{text}"'
    return f'"{"".join(map(_escape, text))}"'


def _escape(character: str) -> str:
    """A character inside double quotes; an escape if it is not printable."""
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _fold_string(head: str, text: str, pad: str) -> Iterator[str]:
    """A long string in double quotes, on several lines of at most `LINE_BYTES`.

    A line ends at a single space if it has one: a reader turns the line end back into a space, even if mail
    has added spaces or a carriage return there. Else it ends with a backslash, which adds nothing.
    """
    pieces = [_escape(character) for character in text]
    line, start = f'{head} "', 0
    while True:
        end = _fit(pieces, start, LINE_BYTES - len(line) - 1)
        if end == len(pieces):
            break
        cut = _last_single_blank(pieces, start + 1, end)
        if cut is None:
            yield f"{line}{''.join(pieces[start:end])}\\"
            # A reader drops spaces at the beginning of a line, but not an escaped one.
            line, start = pad + "\\" * (pieces[end] == " "), end
        else:
            yield line + "".join(pieces[start:cut])
            line, start = pad, cut + 1
    yield f'{line}{"".join(pieces[start:])}"'


def _fit(pieces: list[str], start: int, room: int) -> int:
    """The end of the longest run of pieces from `start` that takes at most `room` bytes."""
    for end in range(start, len(pieces)):
        room -= len(pieces[end].encode())
        if room < 0:
            return end
    return len(pieces)


def _last_single_blank(pieces: list[str], first: int, last: int) -> int | None:
    """The last place from `first` to `last` with a space between two characters that are not spaces."""
    for at in range(min(last, len(pieces) - 2), first - 1, -1):
        if pieces[at] == " " and pieces[at - 1] != " " and pieces[at + 1] != " ":
            return at
    return None
