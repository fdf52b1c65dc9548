"""PyYAML's events for a text, the same whether libyaml or the parser in Python makes them.

The two disagree about three places, found by putting some hundred thousand documents through both. What
only one of them can read is refused, whichever of them is at work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

import yaml

from pbem.base import limits
from pbem.base.yaml_parser import LOADER, PURE, Loader
from pbem.format.file_text import refuse_at
from pbem.messages import Messages, Said

tr = Messages("pbem")

_COMMENT_IN_HEADER = re.compile(r"[|>][-+0-9]*#")

_TOO_DEEP = "exceeded maximum nesting depth"
"""The message of libyaml 0.2.6 for a thousand brackets, which it reads before its first event of them."""


def events(text: str) -> Iterator[yaml.Event]:
    """All events of a text of `decode_text`. Raises `FileError` and `OverBudget`."""
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
        if error.problem == _TOO_DEEP:  # our own limit of depth comes long before
            yield from _parser_events(text, PURE, count)
        mark = error.problem_mark or error.context_mark
        assert mark is not None
        refuse_at(error.problem or tr("this is not YAML"), mark.line, mark.column)
    except (ValueError, OverflowError):
        # The parser in Python passes an escape such as "\U00110000" to chr() unchecked.
        refuse_event(tr("after this place an escape or a number is too large"), last)


def refuse_event(problem: Said, event: yaml.Event, section: int = 1, hint: Said = "") -> NoReturn:
    """Raise `FileError` for a fault at the start of an event."""
    mark = event.start_mark
    assert mark is not None  # all events of a parser have marks
    refuse_at(problem, mark.line, mark.column, section, hint)


class _Stream:
    """A text that a parser reads piece by piece, so that the time limit is checked in between."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def read(self, size: int = 1, /) -> str:
        """The next piece; empty at the end. Raises `OverBudget`."""
        limits.check()
        start, self._at = self._at, self._at + size
        return self._text[start : self._at]


def _check_parsers_agree(event: yaml.ScalarEvent, text: str, *, in_flow: bool) -> None:
    """Refuse a scalar that only one of the two parsers reads."""
    assert event.start_mark is not None
    assert event.end_mark is not None
    if in_flow and not event.style:
        if "?" in event.value:  # the parser in Python takes it for the beginning of a key
            refuse_event(tr("a '?' inside brackets needs quotes"), event)
        if text.startswith((":[", ":{"), event.end_mark.index):  # libyaml refuses it
            refuse_event(tr("a blank must follow the colon"), event)
    elif event.style and _COMMENT_IN_HEADER.match(text, event.start_mark.index):
        refuse_event(tr("a blank must stand between a block's '|' and a comment"), event)
