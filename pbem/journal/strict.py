"""Read the YAML subset of FORMAT section 1: bytes in, plain data out, or `FileError` with line and column.

Only PyYAML's *events* are used: its loaders crash on deep nesting and hang on alias bombs. Here every
limit is checked on an event before anything is built from it. Without libyaml the pure Python parser
gives the same answers, ten times slower.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

import yaml

from pbem.errors import FileError
from pbem.journal.plain import LARGEST, SURROGATE, Plain, shown

MAX_BYTES = 16 * 2**20
MAX_DEPTH = 16
MAX_ENTRIES = 20_000

_LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader

_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,15}")
_DOUBTFUL = re.compile(
    r"|y|n|yes|no|on|off|true|false|null|~|=|<<"
    r"|[-+]?\.?[0-9][0-9_.:]*(e[-+]?[0-9]+)?"
    r"|[-+]?0[xob][0-9a-f_]+"
    r"|[-+]?\.(inf|nan)"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*",
    re.IGNORECASE | re.ASCII,
)
# What is refused is named, since a class of all that is allowed takes ten times as long to compile.
_NOT_LITERAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_LINE_END = re.compile(r"\r\n?|\n")


def read_yaml(data: bytes) -> Plain:
    """The value that a file holds: step 1 of FORMAT section 9. Raises `FileError` with line and column."""
    return _Builder(_decode(data)).document()


def is_doubtful(text: str) -> bool:
    """Whether some YAML reader would not take this plain scalar for a string (FORMAT section 1)."""
    return _DOUBTFUL.fullmatch(text) is not None


def _decode(data: bytes) -> str:
    """Strict UTF-8 without its byte order mark, checked for characters that may stand only as escapes."""
    if len(data) > MAX_BYTES:
        raise FileError(f"found {len(data)} bytes, expected at most {MAX_BYTES} (FORMAT section 1)")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").removeprefix("\ufeff")
        _refuse(f"found byte 0x{data[error.start]:02x}, expected UTF-8 text", *_line_and_column(before))
    text = text.removeprefix("\ufeff")
    found = _NOT_LITERAL.search(text)
    if found:
        problem = f"found the character U+{ord(found[0]):04X}, expected it as an escape in double quotes"
        _refuse(problem, *_line_and_column(text[: found.start()]))
    return text


def _line_and_column(before: str) -> tuple[int, int]:
    """Where a text goes on after `before`, counted from 0 as PyYAML's marks are."""
    lines = _LINE_END.split(before)
    return len(lines) - 1, len(lines[-1])


def _refuse(problem: str, line: int, column: int) -> NoReturn:
    """Raise `FileError`; people count lines and columns from 1."""
    raise FileError(f"{problem} (FORMAT section 1)", where=f"line {line + 1}, column {column + 1}")


class _Builder:
    """Builds one document from a parser's events. It descends at most `MAX_DEPTH` calls."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._events = self._parse()
        self._event: yaml.Event = next(self._events)

    def _parse(self) -> Iterator[yaml.Event]:
        """PyYAML's events; what it cannot parse becomes a `FileError`."""
        try:
            yield from yaml.parse(self._text, Loader=_LOADER)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            assert mark is not None
            _refuse(error.problem or "found no YAML", mark.line, mark.column)
        except (ValueError, OverflowError):
            # The pure parser passes an escape such as "\U00110000" to chr() unchecked.
            self._stop("found an escape or a number that is too large, after this place", self._event)

    def _next(self) -> yaml.Event:
        self._event = next(self._events)
        return self._event

    def document(self) -> Plain:
        """The value of the only document. The stream's start has been read."""
        start = self._next()
        if not isinstance(start, yaml.DocumentStartEvent):
            self._stop("found no document, expected a mapping", start)
        assert start.start_mark is not None
        # The pure parser skips a directive that it does not know; the event then begins where that stands.
        if start.version or start.tags or self._text.startswith("%", start.start_mark.index):
            self._stop("found a directive, expected none", start)
        value = self._value(self._next(), 0)
        end = self._next()
        assert isinstance(end, yaml.DocumentEndEvent)
        if end.explicit:
            self._stop("found the marker '...', expected the end of the file", end)
        after = self._next()
        if not isinstance(after, yaml.StreamEndEvent):
            self._stop("found a second document, expected one", after)
        return value

    def _value(self, event: yaml.Event, depth: int, most: int | None = None) -> Plain:
        """The value that begins with `event`, inside `depth` others; a list holds at most `most` items."""
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        self._check_bare(event)
        if depth == MAX_DEPTH:
            self._stop(f"found more than {MAX_DEPTH} levels, expected at most {MAX_DEPTH}", event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(depth + 1, most)
        return self._mapping(depth + 1)

    def _list(self, depth: int, most: int | None) -> Plain:
        items: list[Plain] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            if len(items) == most:
                self._stop(f"found more than {most} entries, expected at most {most}", event)
            items.append(self._value(event, depth))
        return items

    def _mapping(self, depth: int) -> Plain:
        values: dict[str, Plain] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._key(event)
            if key in values:
                self._stop(f"found the key {shown(key)} a second time, expected each key once", event)
            most = MAX_ENTRIES if depth == 1 and key == "log" else None
            values[key] = self._value(self._next(), depth, most)
        return values

    def _key(self, event: yaml.Event) -> str:
        """A key: an ASCII string."""
        key = self._scalar(event, is_key=True) if isinstance(event, yaml.ScalarEvent) else None
        if not isinstance(key, str):
            self._check_bare(event)
            self._stop("found a key that is no string, expected a string; quote it", event)
        if not key.isascii():
            self._stop(f"found the key {shown(key)}, expected ASCII characters alone", event)
        return key

    def _scalar(self, event: yaml.ScalarEvent, *, is_key: bool = False) -> Plain:
        """A string, or what a plain scalar means. A plain `n` is doubtful, but allowed as a key."""
        text = event.value
        self._check_bare(event)
        if event.style == ">":
            self._stop("found a folded block '>', expected a quoted string or a literal block '|'", event)
        if SURROGATE.search(text):
            self._stop("found the escape of a surrogate, expected a character", event)
        if event.style or (is_key and text == "n"):
            return text
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if _INTEGER.fullmatch(text):
            return self._integer(text, event)
        if not text:
            self._stop('found no value, expected one; an empty text is ""', event)
        if is_doubtful(text):
            self._stop(f"found {shown(text)} without quotes, expected it in quotes", event)
        return text

    def _integer(self, text: str, event: yaml.ScalarEvent) -> int:
        number = int(text)
        if abs(number) > LARGEST:
            self._stop(f"found the integer {number}, expected a magnitude of at most {LARGEST}", event)
        return number

    def _check_bare(self, event: yaml.Event) -> None:
        """Refuse aliases, anchors and tags."""
        if isinstance(event, yaml.AliasEvent):
            self._stop(f"found the alias {shown(f'*{event.anchor}')}, expected the value itself", event)
        assert isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent))
        if event.anchor is not None:
            self._stop(f"found the anchor {shown(f'&{event.anchor}')}, expected none", event)
        if event.tag is not None:
            self._stop(f"found the tag {shown(event.tag)}, expected none", event)

    def _stop(self, problem: str, event: yaml.Event) -> NoReturn:
        mark = event.start_mark
        assert mark is not None  # only an event that no parser made has no mark
        _refuse(problem, mark.line, mark.column)
