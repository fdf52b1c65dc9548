"""Read the YAML subset of FORMAT section 1: bytes in, plain data out, or `FileError` with line and column.

Only PyYAML's *events* are used: its loaders crash on deep nesting and hang on alias bombs. Here every
limit is checked on an event before anything is built from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from pbem.base.limits import FILE_DEPTH, FILE_ENTRIES, FILE_NODES, HEAD_BYTES, HEAD_NODES
from pbem.base.validation import describe_value
from pbem.format.file_text import decode_text
from pbem.format.plain import MAX_INTEGER, SURROGATE, Plain
from pbem.format.yaml_events import events, refuse_event
from pbem.messages import Messages

tr = Messages("pbem")

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
_HEAD = ("status", "board")


def parse_yaml(data: bytes) -> Plain:
    """The value that a file holds: step 1 of FORMAT section 9. Raises `FileError` with line and column."""
    return _Builder(decode_text(data)).document()


def top_level_keys(data: bytes) -> Iterator[str]:
    """The keys of the mapping that a file holds, if it is one, each as soon as it is read.

    Raises `FileError` as `parse_yaml`, for a fault before the next key.
    """
    yield from _Builder(decode_text(data)).keys()


def is_doubtful(text: str) -> bool:
    """Whether some YAML reader would not take this plain scalar for a string (FORMAT section 1)."""
    return _DOUBTFUL.fullmatch(text) is not None


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
            refuse_event(tr("the marker '...' may stand only at the end of the file"), end)
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
        # The parser in Python skips an unknown directive; the event then begins at its place.
        if start.version or start.tags or self._text.startswith("%", start.start_mark.index):
            refuse_event(tr("a directive (%) is not allowed"), start)

    def _value(self, event: yaml.Event, depth: int, most: int | None = None) -> Plain:
        """The value that begins with `event`, inside `depth` others; a list holds at most `most` items."""
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
                problem = tr("the key {key} stands here a second time", key=describe_value(key))
                refuse_event(problem, event)
            values[key] = self._top_level_value(key) if depth == 1 else self._value(self._next(), depth)
        return values

    def _top_level_value(self, key: str) -> Plain:
        """The value of a top-level key; those of the head count for the limits of the head, too."""
        self._in_head = key in _HEAD
        value = self._value(self._next(), 1, FILE_ENTRIES if key == "log" else None)
        self._in_head = False
        return value

    def _count(self, event: yaml.Event) -> None:
        """Count a key or value against the limits of the file and of its head (FORMAT sections 1 and 3)."""
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
                "status and board may hold {nodes} keys and values of {bytes} bytes together, and hold more",
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
            refuse_event(tr("a key must be a text: put it in quotes"), event)
        if not key.isascii():
            refuse_event(tr("the key {key} must be ASCII alone", key=describe_value(key)), event)
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
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if _INTEGER.fullmatch(text):
            return self._integer(text, event)
        if not text:
            refuse_event(tr('a value is missing; an empty text is ""'), event)
        if is_doubtful(text):
            hint = tr("a program that has saved the file anew may have left them out: put them back")
            problem = tr("{found} needs quotes", found=describe_value(text))
            refuse_event(problem, event, hint=hint)
        return text

    def _integer(self, text: str, event: yaml.ScalarEvent) -> int:
        number = int(text)
        if abs(number) > MAX_INTEGER:
            problem = tr(
                "the number {number} is too large: at most {most}, without its sign",
                number=number,
                most=MAX_INTEGER,
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
