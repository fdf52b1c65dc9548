"""Parse typed orders word by word: the words of a line, the name each means, the place of a fault.

Several orders on one line are separated by `;`, and `#` begins a comment. Commas and colons count as spaces.
Between quotation marks of any kind a phone types, all of these are plain text. Names can be shortened and in
any case. The game decides which words can follow which. A refusal raises `OrderError`, with the place in the
line.

A game whose words are translated passes `Texts.typed` as `own`; English remains valid. Its `what`, `expected`
and `more` name what was expected, in the player's language, as in a list: `tr("a unit")`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from pbem.core.hexes import Grid
from pbem.core.requests import Plain
from pbem.errors import Ambiguous, NotUnderstood
from pbem.lookalikes import plain_letters
from pbem.messages import Messages, Said, row

tr = Messages("pbem")

MOST_NAMED = 12
"""The largest number of names in a hint."""

Own: TypeAlias = Callable[[str], Sequence[str]]
"""From an English word to the forms in which players can type it, the displayed one first."""


def in_english(_: str) -> Sequence[str]:
    """No further forms of a word: all words are typed in English."""
    return ()


_QUOTES = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02", '"'))
"""Quotation marks of phones and other languages."""

_ORDER = re.compile(r'(?:"[^"]*(?:"|$)|[^";])+')
"""One order of a line: everything up to the next `;` outside quotation marks."""

_WORD = re.compile(r'"([^"]*)(?:"|$)|[^\s,:;"]+')
"""A word, or a text between quotation marks."""

_BEFORE_COMMENT = re.compile(r'(?:"[^"]*(?:"|$)|[^"#])*')


class Word(Struct, frozen=True):
    """A word, its line, and its place in the line. `quoted`: it is a text in quotation marks."""

    text: str
    line: str
    start: int
    end: int
    own: Own = in_english
    quoted: bool = False

    def forms(self, name: str) -> tuple[str, ...]:
        """The forms in which a name can be typed."""
        return (name.lower(), *map(plain_letters, self.own(name)))

    def shown(self, name: str) -> str:
        """A name as the player would type it."""
        return (*self.own(name), name)[0]

    def means(self, name: str) -> bool:
        """Whether the word is the name in full."""
        return not self.quoted and plain_letters(self.text) in self.forms(name)

    def choose(self, candidates: Sequence[str], what: Said, known: Collection[str] = ()) -> str:
        """The only candidate that equals the word or begins with it, in any case. Raises `OrderError`.

        A name in `known` can be meant as well, but only if typed in full.
        """
        typed = plain_letters(self.text)
        whole = [name for name in known or candidates if self.means(name)]
        fitting = whole or [
            name for name in candidates if any(form.startswith(typed) for form in self.forms(name))
        ]
        if not fitting:
            raise self._unknown_word(candidates, what)
        if len(fitting) > 1:
            raise Ambiguous(self.text, [self.shown(name) for name in fitting])
        return fitting[0]

    def problem(self, problem: Said, hint: Said = "") -> NotUnderstood:
        """The refusal of this word, with its place."""
        return NotUnderstood(problem, self.line, self.start, self.end, hint=hint)

    def _unknown_word(self, candidates: Sequence[str], what: Said) -> NotUnderstood:
        """The refusal of an unknown word, with the most similar candidate, or all if they are few."""
        from difflib import get_close_matches  # under 1 ms: only a typing mistake needs it

        shown = {form: self.shown(name) for name in reversed(candidates) for form in self.forms(name)}
        problem = self.problem(tr("'{word}' is not {what}", word=self.text, what=what))
        if like := get_close_matches(plain_letters(self.text), shown):
            problem.guessed = True
            problem.similar = tuple(dict.fromkeys(shown[form] for form in like))
            problem.hint = tr("did you mean {name}?", name=shown[like[0]])
        elif 0 < len(candidates) <= MOST_NAMED:
            problem.hint = tr("it can be {what}", what=row(map(self.shown, candidates)))
        return problem


Meaning: TypeAlias = Callable[[Word], str]
"""From a word to the name it means. Raises `OrderError`."""


def phrases(lines: Sequence[str], own: Own = in_english) -> Iterator[Phrase]:
    """The orders of these lines; a blank line has none."""
    for line in lines:
        plain = line.translate(_QUOTES)
        for part in _ORDER.finditer(plain):
            matches = _WORD.finditer(plain, part.start(), part.end())
            words = [
                Word(
                    word[0] if word[1] is None else word[1],
                    line,
                    word.start(),
                    word.end(),
                    own,
                    word[1] is not None,
                )
                for word in matches
            ]
            if words:
                yield Phrase(words)


def split_orders(text: str) -> list[str]:
    """The orders of a text: separated by `;` or on lines of their own, without comments."""
    orders = []
    for line in map(strip_comment, text.splitlines()):
        plain = line.translate(_QUOTES)
        orders += [line[part.start() : part.end()].strip() for part in _ORDER.finditer(plain)]
    return [order for order in orders if order]


def strip_comment(line: str) -> str:
    """A line without its comment and surrounding spaces."""
    before = _BEFORE_COMMENT.match(line.translate(_QUOTES))
    return line[: before.end()].strip() if before else ""


def quote(text: str) -> str:
    """A text as typed between quotation marks; quotation marks inside it become single ones."""
    return '"' + text.translate(_QUOTES).replace('"', "'") + '"'


class Phrase:
    """One typed order, read word by word from the left."""

    def __init__(self, words: list[Word]) -> None:
        self._words = words
        self._last = words[-1]

    @property
    def ahead(self) -> Word | None:
        """The next word, left unread, or None."""
        return self._words[0] if self._words else None

    @property
    def goes_on(self) -> bool:
        """Whether there are more words."""
        return bool(self._words)

    def next(self, expected: Said) -> Word:
        """Read the next word. Raises `NotUnderstood` if there is none."""
        if not self._words:
            end = self._last.end
            problem = tr("the order is incomplete: next comes {what}", what=expected)
            raise NotUnderstood(problem, self._last.line, end, end + 1)
        return self._words.pop(0)

    def takes(self, small: str) -> bool:
        """Read a small word such as `to` if it comes next, and return whether it did."""
        here = self.goes_on and self._words[0].means(small)
        if here:
            self._words.pop(0)
        return here

    def one_of(self, candidates: Sequence[str], what: Said) -> str:
        """Read one of the given words. Raises `OrderError`, as all that follow do."""
        names = ", ".join(map(self._last.shown, candidates))
        return self.next(row((what, names), ": ")).choose(candidates, what)

    def hex(self, grid: Grid) -> str:
        """Read a hex of the map."""
        word = self.next(tr("a hex"))
        if word.text not in grid:
            hint = tr("hexes are {first} to {last}", first=grid.numbers[0], last=grid.numbers[-1])
            raise word.problem(tr("'{word}' is not a hex on the map", word=word.text), hint)
        return word.text

    def hexes(self, grid: Grid) -> list[str]:
        """Read at least one hex of the map, up to a word that begins with a letter."""
        found = [self.hex(grid)]
        while self.goes_on and not self._words[0].text[0].isalpha():
            found.append(self.hex(grid))
        return found

    def names(self, meaning: Meaning, what: Said, until: str = "", more: Said = "") -> list[str]:
        """Read at least one name, up to and including the small word `until`, or to the end.

        `more` says what can follow the first name.
        """
        found = [meaning(self.next(what))]
        expected = more or tr("{what}, or '{word}'", what=what, word=self._last.shown(until))
        while not self.takes(until) if until else self.goes_on:
            found.append(meaning(self.next(expected)))
        return found

    def places(self, meaning: Meaning, grid: Grid) -> dict[str, str]:
        """Read at least one name, each with its hex."""
        found: dict[str, str] = {}
        while self.goes_on or not found:
            word = self.next(tr("a unit"))
            name = meaning(word)
            if name in found:
                raise word.problem(tr("{name} is placed twice", name=name))
            found[name] = self.hex(grid)
        return found

    def text(self, expected: Said, *until: str) -> str:
        """Read a text: a quoted one, or everything up to one of these small words or the end."""
        first = self.next(expected)
        if first.quoted:
            return first.text
        last = first
        while self.goes_on and not any(map(self._words[0].means, until)) and not self._words[0].quoted:
            last = self._words.pop(0)
        return first.line[first.start : last.end]

    def ends(self) -> None:
        """Check that no words are left."""
        if self.goes_on:
            word = self._words[0]
            raise word.problem(tr("the order is already complete before '{word}'", word=word.text))


def line(words: Sequence[Plain]) -> str:
    """Words as typed, or an empty line if one is not a word: no text in a file can pass for an order."""
    return " ".join(words) if all(_is_word(word) for word in words) else ""


def write(orders: Plain, said: Callable[[Plain], list[list[Plain]]], own: Own = in_english) -> list[str]:
    """Orders as typed. `said` gives an order's phrases in English, or none for an invalid order.

    An invalid order, or one not made of words, is shown as JSON.
    """
    if not isinstance(orders, list):
        return [json.dumps(orders)]
    return [typed for order in orders for typed in _lines(said(order), own) or [json.dumps(order)]]


def _lines(said: list[list[Plain]], own: Own) -> list[str]:
    if not all(line(words) for words in said):
        return []
    return [" ".join((*own(word), word)[0] for word in map(str, words)) for words in said]


def _is_word(word: Plain) -> bool:
    return isinstance(word, str) and re.fullmatch(r"[A-Za-z0-9-]+", word) is not None
