"""Read the YAML subset of FORMAT 1 from any text: plain data, or `FileError` with line and column.

`events` turns the text into PyYAML's *events*, `parse_strictly` turns these into plain data. PyYAML's loaders
are not used, because they crash on deep nesting and hang on alias bombs. Here every limit is checked on an
event before anything is built from it.

Events are the same from libyaml and from PyYAML's own parser in Python, which is ten times slower. The two
disagree in three places, found by running several hundred thousand documents through both. Text that only one
of them can read is refused with either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NoReturn, TypeAlias

import yaml

from pbem.base import limits
from pbem.base.limits import FILE_DEPTH, FILE_ENTRIES, FILE_NODES, HEAD_BYTES, HEAD_NODES
from pbem.base.validation import describe_value
from pbem.format.yaml_text import CONSTANTS, INTEGER, MAX_INTEGER, SURROGATE, Plain, is_doubtful, refuse_at
from pbem.messages import Messages, Said

tr = Messages("pbem")


Loader: TypeAlias = "type[yaml.SafeLoader | yaml.CSafeLoader]"

PURE: Loader = yaml.SafeLoader
"""The parser in Python."""

LOADER: Loader = yaml.CSafeLoader if yaml.__with_libyaml__ else PURE


def load(text: str) -> Any:
    """The value of a text that ships with a game. Texts from other people go through `parse_yaml`."""
    return yaml.load(text, Loader=LOADER)


_COMMENT_IN_HEADER = re.compile(r"[|>][-+0-9]*#")

_TOO_DEEP = "exceeded maximum nesting depth"
"""The error of libyaml 0.2.6 for a thousand brackets, which it reads before the first event for them."""


def events(text: str) -> Iterator[yaml.Event]:
    """All events of a text from `decode_text`. Raises `FileError` and `OverBudget`."""
    return _parser_events(text, LOADER, 0)


def _parser_events(text: str, loader: Loader, before: int) -> Iterator[yaml.Event]:
    """The events of one of the parsers, without the first `before` ones."""
    in_flow: list[bool] = []
    count = 0
    try:
        for last in yaml.parse(_Stream(text), Loader=loader):
            if isinstance(last, yaml.CollectionStartEvent):
                in_flow.append(bool(last.flow_style))
            elif isinstance(last, yaml.CollectionEndEvent):
                in_flow.pop()
            elif isinstance(last, yaml.ScalarEvent):
                _check_parsers_agree(last, text, in_flow=in_flow[-1:] == [True])
            count += 1
            if count > before:
                yield last
    except yaml.MarkedYAMLError as error:
        if error.problem == _TOO_DEEP:  # our own limit on depth is far lower
            yield from _parser_events(text, PURE, count)
        mark = error.problem_mark or error.context_mark
        assert mark is not None
        refuse_at(error.problem or tr("this is not YAML"), mark.line, mark.column)
    except (ValueError, OverflowError):
        # The parser in Python passes escapes such as "\U00110000" to chr() unchecked.
        refuse_event(tr("after this point an escape or a number is too large"), last)


def refuse_event(problem: Said, event: yaml.Event, section: int = 1, hint: Said = "") -> NoReturn:
    """Raise `FileError` for a fault at the start of an event."""
    mark = event.start_mark
    assert mark is not None  # a parser's events always have marks
    refuse_at(problem, mark.line, mark.column, section, hint)


class _Stream:
    """A text for a parser to read piece by piece, so that the time limit is checked in between."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def read(self, size: int = 1, /) -> str:
        """The next piece, empty at the end. Raises `OverBudget`."""
        limits.check()
        start, self._at = self._at, self._at + size
        return self._text[start : self._at]


def _check_parsers_agree(event: yaml.ScalarEvent, text: str, *, in_flow: bool) -> None:
    """Refuse a scalar that only one of the two parsers can read."""
    assert event.start_mark is not None
    assert event.end_mark is not None
    if in_flow and not event.style:
        if "?" in event.value:  # the parser in Python takes this for the beginning of a key
            refuse_event(tr("a '?' inside brackets needs quotes"), event)
        if text.startswith((":[", ":{"), event.end_mark.index):  # libyaml refuses it
            refuse_event(tr("a space must follow the colon"), event)
    elif event.style and _COMMENT_IN_HEADER.match(text, event.start_mark.index):
        refuse_event(tr("a space must come between a block's '|' and a comment"), event)


_HEAD = ("status", "board")


def parse_strictly(text: str) -> Plain:
    """The value of a text from `decode_text`. Raises `FileError` with line and column, and `OverBudget`."""
    return _Builder(text).document()


def keys_of(text: str) -> Iterator[str]:
    """The keys of the mapping in a text from `decode_text`, if it is one, each as soon as it is read.

    Raises `FileError`, as `parse_strictly` does, for a fault before the next key.
    """
    yield from _Builder(text).keys()


class _Builder:
    """Builds one document from events. It recurses at most `FILE_DEPTH` deep."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._nodes = 0
        self._in_head = False
        self._head_nodes = 0
        self._head_bytes = 0
        self._events = events(text)

    def _next(self) -> yaml.Event:
        return next(self._events)

    def document(self) -> Plain:
        """The value of the only document."""
        self._begin()
        value = self._value(self._next(), 0)
        end = self._next()
        assert isinstance(end, yaml.DocumentEndEvent)
        if end.explicit:
            refuse_event(tr("the marker '...' is allowed only at the end of the file"), end)
        after = self._next()
        if not isinstance(after, yaml.StreamEndEvent):
            refuse_event(tr("a file holds one document, and a second begins here"), after)
        return value

    def keys(self) -> Iterator[str]:
        """The keys of the first document, if it is a mapping; its values are checked and dropped."""
        self._begin()
        if not isinstance(self._next(), yaml.MappingStartEvent):
            return
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            yield (key := self._key(event))
            self._top_level_value(key)

    def _begin(self) -> None:
        """Read up to the first value."""
        self._next()  # the stream's start
        start = self._next()
        if not isinstance(start, yaml.DocumentStartEvent):
            refuse_event(tr("the file is empty"), start)
        assert start.start_mark is not None
        # The parser in Python skips an unknown directive; the event then begins where the directive is.
        if start.version or start.tags or self._text.startswith("%", start.start_mark.index):
            refuse_event(tr("a directive (%) is not allowed"), start)

    def _value(self, event: yaml.Event, depth: int, most: int | None = None) -> Plain:
        """The value that begins with `event`, nested in `depth` others; a list has at most `most` items."""
        self._count(event)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        self._check_bare(event)
        if depth == FILE_DEPTH:
            refuse_event(tr("there are more than {most} levels, the most allowed", most=FILE_DEPTH), event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(depth + 1, most)
        return self._mapping(depth + 1)

    def _list(self, depth: int, most: int | None) -> Plain:
        items: list[Plain] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            if len(items) == most:
                refuse_event(tr("there are more than {most} entries, the most allowed", most=most), event)
            items.append(self._value(event, depth))
        return items

    def _mapping(self, depth: int) -> Plain:
        values: dict[str, Plain] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._key(event)
            if key in values:
                problem = tr("the key {key} appears here a second time", key=describe_value(key))
                refuse_event(problem, event)
            values[key] = self._top_level_value(key) if depth == 1 else self._value(self._next(), depth)
        return values

    def _top_level_value(self, key: str) -> Plain:
        """The value of a top-level key; values in the head count against its own limits, too."""
        self._in_head = key in _HEAD
        value = self._value(self._next(), 1, FILE_ENTRIES if key == "log" else None)
        self._in_head = False
        return value

    def _count(self, event: yaml.Event) -> None:
        """Count a key or value against the limits of the file and of its head (FORMAT 1 and 3)."""
        self._nodes += 1
        if self._nodes > FILE_NODES:
            problem = tr("there are more than {most} keys and values, the most allowed", most=FILE_NODES)
            refuse_event(problem, event)
        if not self._in_head:
            return
        self._head_nodes += 1
        if isinstance(event, yaml.ScalarEvent):
            self._head_bytes += len(event.value.encode("utf-8", "surrogatepass"))
        if self._head_nodes > HEAD_NODES or self._head_bytes > HEAD_BYTES:
            problem = tr(
                "status and board have too many keys and values: at most {nodes}, of {bytes} bytes "
                "in all, are allowed",
                nodes=HEAD_NODES,
                bytes=HEAD_BYTES,
            )
            refuse_event(problem, event, section=3)

    def _key(self, event: yaml.Event) -> str:
        """A key: an ASCII string."""
        self._count(event)
        key = self._scalar(event, is_key=True) if isinstance(event, yaml.ScalarEvent) else None
        if not isinstance(key, str):
            self._check_bare(event)
            refuse_event(tr("a key must be text: put it in quotes"), event)
        if not key.isascii():
            refuse_event(tr("the key {key} must be in ASCII only", key=describe_value(key)), event)
        return key

    def _scalar(self, event: yaml.ScalarEvent, *, is_key: bool = False) -> Plain:
        """The value of a scalar, quoted or plain. A plain `n` is doubtful, but allowed as a key."""
        text = event.value
        self._check_bare(event)
        if event.style == ">":
            problem = tr("a folded block '>' is not allowed: use quotes, or a literal block '|'")
            refuse_event(problem, event)
        if SURROGATE.search(text):
            refuse_event(tr("an escape stands for half a character (a surrogate)"), event)
        if event.style or (is_key and text == "n"):
            return text
        if text in CONSTANTS:
            return CONSTANTS[text]
        if INTEGER.fullmatch(text):
            return self._integer(text, event)
        if not text:
            refuse_event(tr('a value is missing; an empty text is ""'), event)
        if is_doubtful(text):
            hint = tr("a program that saved the file again might have left them out: put them back")
            problem = tr("{found} needs quotes", found=describe_value(text))
            refuse_event(problem, event, hint=hint)
        return text

    def _integer(self, text: str, event: yaml.ScalarEvent) -> int:
        number = int(text)
        if abs(number) > MAX_INTEGER:
            problem = tr(
                "the number {number} is too large: at most {most}, without its sign",
                number=text,
                most=str(MAX_INTEGER),
            )
            refuse_event(problem, event)
        return number

    def _check_bare(self, event: yaml.Event) -> None:
        """Refuse aliases, anchors and tags."""
        if isinstance(event, yaml.AliasEvent):
            alias = describe_value(f"*{event.anchor}")
            refuse_event(tr("the alias {alias} is not allowed: write the value itself", alias=alias), event)
        assert isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent))
        if event.anchor is not None:
            anchor = describe_value(f"&{event.anchor}")
            refuse_event(tr("the anchor {anchor} is not allowed", anchor=anchor), event)
        if event.tag is not None:
            refuse_event(tr("the tag {tag} is not allowed", tag=describe_value(event.tag)), event)
