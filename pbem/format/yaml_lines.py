"""Read what `yaml_writer` writes, line by line: a part of the subset of FORMAT 1, without PyYAML.

It never gives a value that the strict reader refuses or reads differently: any text that is not exactly in
the writer's form, or might break a limit, is left to that reader. A fuzz test, `tests/fuzz/test_parsers.py`,
compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NoReturn

from pbem.base import limits
from pbem.base.limits import FILE_DEPTH, FILE_ENTRIES, FILE_NODES, HEAD_BYTES, HEAD_NODES
from pbem.format.yaml_text import (
    CONSTANTS,
    INTEGER,
    LINE_BYTES,
    MAX_INTEGER,
    STEP,
    SURROGATE,
    WORD,
    Plain,
    is_doubtful,
)

# A key without escapes, its colon, and then a quoted string without escapes, or anything else.
_MEMBER = re.compile(r'([A-Za-z][A-Za-z0-9./_ -]*|"[ !#-\[\]-~]*"):(?: (?:"([^"\\]*)"|(.+)))?')
# One alternative always matches, so the tokens of a text cover all of it.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z0-9-][A-Za-z0-9./_ -]*|, |: |.')
# A line of a string: its text, and the closing quote or the backslash that joins the next line to it.
_PIECE = re.compile(r'((?:[^"\\]|\\.)*)(["\\]?)')
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U(000[0-9a-f]{5}|0010[0-9a-f]{4})|(.))")
_SIGNS = {'"': '"', "\\": "\\", "n": "\n", "r": "\r", "t": "\t", " ": " "}


class _AnotherForm(Exception):
    """The text is not in the form of `yaml_writer`."""


def read_lines(text: str) -> dict[str, Plain] | None:
    """The mapping in a decoded text, or None if the strict reader must read it. Raises `OverBudget`."""
    limits.check()
    # A value takes at least two characters, so such a text cannot contain too many; reading it takes 0.1 s.
    if len(text) > FILE_NODES or not text.endswith("\n"):
        return None
    try:
        return _Document(text).value()
    except _AnotherForm:
        return None


class _Document:
    """The lines of a document, and the number of the next line."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._at = 0
        # Nobody writes longer lines, and they would need the parsers' own limits, such as 1,024 characters
        # for a key.
        if max(map(len, self._lines)) > LINE_BYTES:
            _give_up()

    def value(self) -> dict[str, Plain]:
        """The value of the document. Everything above the log must respect the limits of the head."""
        lines = self._lines
        above = lines.index("log:") if "log:" in lines else len(lines)
        value = self._mapping("", 0)
        log = value.get("log")
        head = [item for key, item in value.items() if key != "log"]
        if self._at < len(lines) - 1 or ("log" in value and list(value)[-1] != "log"):
            _give_up()
        if isinstance(log, list) and len(log) > FILE_ENTRIES:
            _give_up()
        if sum(map(_nodes, head)) > HEAD_NODES or len("\n".join(lines[:above]).encode()) > HEAD_BYTES:
            _give_up()
        return value

    def _mapping(self, pad: str, depth: int) -> dict[str, Plain]:
        """The mapping with members after `pad` in this and the next lines, nested in `depth` others."""
        _check_depth(depth)
        lines, indent, match = self._lines, len(pad), _MEMBER.fullmatch
        values: dict[str, Plain] = {}
        while (line := lines[self._at]).startswith(pad):
            found = match(line, indent)
            if found is None:
                if not line and not pad:  # after the last line feed
                    break
                _give_up()
            text, string, rest = found.groups()
            key = text[1:-1] if text[0] == '"' else _plain_key(text)
            if key in values:
                _give_up()
            self._at += 1
            if string is not None:
                values[key] = string
            elif rest is None:
                values[key] = self._below(pad + STEP, depth + 1)
            elif rest[0] == "|" and not pad:
                values[key] = self._block(rest)
            else:
                values[key] = self._scalar_or_flow(rest, pad, depth + 1)
        return values

    def _below(self, pad: str, depth: int) -> Plain:
        """The list or mapping below its key."""
        if self._lines[self._at].startswith(f"{pad}- "):
            return self._list(pad, depth)
        return self._mapping(pad, depth) or _give_up()

    def _list(self, pad: str, depth: int) -> list[Plain]:
        """The list whose dashes come after `pad`, nested in `depth` others."""
        _check_depth(depth)
        lines, inner, dash = self._lines, pad + STEP, f"{pad}- "
        items: list[Plain] = []
        while (line := lines[self._at]).startswith(dash):
            rest = line[len(dash) :]
            if rest.startswith("- ") or _MEMBER.fullmatch(rest):
                lines[self._at] = inner + rest  # what follows a dash could as well be below it
                items.append(self._below(inner, depth + 1))
            else:
                self._at += 1
                items.append(self._scalar_or_flow(rest, pad, depth + 1))
        return items

    def _block(self, header: str) -> str:
        """The literal block below a key at the margin."""
        lines, start = self._lines, self._at
        while lines[self._at].startswith(STEP) or (not lines[self._at] and self._at < len(lines) - 1):
            self._at += 1
        text = [line[len(STEP) :] for line in lines[start : self._at]]
        if header == "|" and not text:
            return ""
        # The writer makes no empty lines at either end, and announces further indentation.
        if not text or not text[0] or not text[-1] or header != ("|2" if text[0][0] == " " else "|"):
            _give_up()
        return "\n".join(text) + "\n"

    def _scalar_or_flow(self, text: str, pad: str, depth: int) -> Plain:
        """The value that begins with the rest of a line, in a mapping or list indented by `pad`."""
        first = text[0]
        if first == '"':
            return self._string(text[1:], pad + STEP)
        if first in "[{":
            tokens = iter(_TOKEN.findall(text))
            try:
                value = _flow(next(tokens), tokens, depth)
            except StopIteration:
                _give_up()
            return value if next(tokens, None) is None else _give_up()
        return _plain(text)

    def _string(self, text: str, pad: str) -> str:
        """The string after its opening quote; its further lines are indented by `pad`."""
        parts: list[str] = []
        while True:
            found = _PIECE.fullmatch(text)
            if found is None:
                _give_up()
            parts.append(found[1])
            if found[2] == '"':
                return _unescape("".join(parts))
            if not found[2]:
                parts.append(" ")
            text = self._lines[self._at].removeprefix(pad)
            if text == self._lines[self._at] or text.startswith(" "):
                _give_up()
            self._at += 1


def _give_up() -> NoReturn:
    raise _AnotherForm


def _check_depth(depth: int) -> None:
    """Give up if a list or mapping is nested too deeply."""
    if depth >= FILE_DEPTH:
        _give_up()


def _nodes(value: Plain) -> int:
    """The number of keys and values in a value, itself included."""
    if isinstance(value, dict):
        return 1 + len(value) + sum(map(_nodes, value.values()))
    return 1 + sum(map(_nodes, value)) if isinstance(value, list) else 1


def _flow(token: str, tokens: Iterator[str], depth: int) -> Plain:
    """The value that begins with a token, on one line, in a list or mapping or itself one."""
    if token == "[":
        return _flow_list(tokens, depth)
    if token == "{":
        return _flow_mapping(tokens, depth)
    return _unescape(token[1:-1]) if token[0] == '"' and len(token) > 1 else _plain(token)


def _flow_list(tokens: Iterator[str], depth: int) -> list[Plain]:
    _check_depth(depth)
    items: list[Plain] = []
    if (token := next(tokens)) == "]":
        return items
    while True:
        items.append(_flow(token, tokens, depth + 1))
        if (token := next(tokens)) == "]":
            return items
        if token != ", ":
            _give_up()
        token = next(tokens)


def _flow_mapping(tokens: Iterator[str], depth: int) -> dict[str, Plain]:
    _check_depth(depth)
    values: dict[str, Plain] = {}
    if (token := next(tokens)) == "}":
        return values
    while True:
        key = token[1:-1] if token[0] == '"' and len(token) > 1 else _plain_key(token)
        if key in values or "\\" in key or not key.isascii() or next(tokens) != ": ":
            _give_up()
        values[key] = _flow(next(tokens), tokens, depth + 1)
        if (token := next(tokens)) == "}":
            return values
        if token != ", ":
            _give_up()
        token = next(tokens)


@lru_cache(1024)
def _plain(text: str) -> Plain:
    """The value of a scalar without quotes."""
    if WORD.fullmatch(text):
        if text in CONSTANTS:
            return CONSTANTS[text]
        return _give_up() if is_doubtful(text) else text
    number = int(text) if INTEGER.fullmatch(text) else _give_up()
    return number if abs(number) <= MAX_INTEGER else _give_up()


@lru_cache(1024)
def _plain_key(text: str) -> str:
    """A key without quotes. A plain `n` is doubtful, but allowed as a key (FORMAT 1)."""
    if not WORD.fullmatch(text) or (is_doubtful(text) and text != "n"):
        _give_up()
    return text


def _unescape(text: str) -> str:
    """The string between its quotes."""
    if "\\" not in text:
        return text
    value = _ESCAPE.sub(_unescape_sign, text)
    return _give_up() if SURROGATE.search(value) else value


def _unescape_sign(found: re.Match[str]) -> str:
    """The character of an escape made by the writer."""
    if code := found[1] or found[2] or found[3]:
        return chr(int(code, 16))
    return _SIGNS.get(found[4]) or _give_up()
