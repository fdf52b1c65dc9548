"""Tests of every game's words: a language of marks, and orders typed in the player's language."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from gettext import NullTranslations
from typing import Any

import pytest

from pbem import texts
from pbem.core.legend import Legend
from pbem.core.requests import Ask, Orders, Tell
from pbem.core.rules import View
from pbem.core.run import Run
from pbem.core.traces import Shot
from pbem.errors import IllegalOrder
from pbem.lookalikes import plain_letters
from pbem.texts import Texts, speak
from support.marked_language import words_outside_marks
from support.no_language import forbid_translation
from support.rule_cases import Casebook


def event_words(view: View, tell: Tell) -> Iterator[str]:
    """The description of an event."""
    yield view.story(tell)
    assert view.traces is not None
    yield from (trace.words for trace in view.traces(tell) if isinstance(trace, Shot))


def position_words(view: View, state: Any) -> Iterator[str]:
    """The description of a position."""
    assert view.aim is not None
    yield from view.aim(state)
    legend: Legend = view.legend(state)
    yield from (text for both in (*legend.terrain.values(), *legend.figures, *legend.known) for text in both)
    yield from (text for track in legend.tracks for text in (track.name, *track.boxes))
    yield from (*legend.marks.values(), *legend.sides.values(), *legend.names.values(), *legend.layers)
    yield from (*legend.groups.values(), legend.factors, legend.reduced, legend.link)
    yield from (margin.title for margin in legend.margins)
    yield from (text for cell in legend.cells for text in (*cell.notes, *cell.asides))


def refusal_rules(book: Casebook, names: re.Pattern[str], typed: Iterable[str]) -> set[str]:
    """The rules that refuse the cases; checks that their messages are translated, except the orders."""
    heard: set[str] = set()

    def hear(take: Callable[[Orders], Any], what: dict[str, Any]) -> None:
        with forbid_translation(), pytest.raises(IllegalOrder) as refusal:
            take(what["orders"])
        heard.add(refusal.value.rule)
        left = words_outside_marks(f"{refusal.value} {refusal.value.hint}", names)
        assert left <= {*re.findall(r"[^\W\d]+", str(what["orders"])), *typed}, refusal.value

    def hear_hidden(run: Run, what: dict[str, Any]) -> None:
        assert isinstance(run.pending, Ask)
        hear(run.pending.read, what)

    for case in book.cases():
        book.play(case, refused=lambda run, what: hear(run.answer, what), hidden_refused=hear_hidden)
    return heard


class Backwards(NullTranslations):
    """A language with the words of orders reversed, after an accent; and a second form of each."""

    def __init__(self, typed: Collection[str]) -> None:
        super().__init__()
        self._typed = typed

    def pgettext(self, context: str, message: str) -> str:
        ordered = context == texts.TYPED and message in self._typed
        return f"é{message[::-1]}|{message}xx" if ordered else message


def speak_backwards(monkeypatch: pytest.MonkeyPatch, typed: Collection[str]) -> None:
    monkeypatch.setattr(texts, "_catalogue", lambda package, language: Backwards(typed))
    speak("backwards")


def assert_words_distinct(package: str, language: str, alike: Iterable[str], units: Iterable[str]) -> None:
    """Check that no two words possible in one place are equal in a language, or equal to a unit's name."""
    with texts.speaking(language):
        forms = [
            form
            for word in alike
            for form in {plain_letters(one) for one in (word, *Texts(package).typed(word))}
        ]
    assert len(forms) == len({*forms} - {plain_letters(name) for name in units})
