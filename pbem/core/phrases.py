"""Parse typed orders word by word: the words of a line, the name that each means, the place of a fault.

Several orders on one line are separated by `;`, and `#` begins a comment. Commas and colons count as spaces.
Between quotation marks, of any kind that a telephone writes, all of these are text. Names may be shortened
and in any case. The game says what may follow what. A refusal raises `OrderError`, with the place in the
line.

A game whose words are translated passes `Texts.typed` as `own`; English remains valid. It names what was
expected (`what`, `expected`, `more`) in the player's language, as a list would: `tr("a unit")`.
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
"""The most names that a hint lists."""

Own: TypeAlias = Callable[[str], Sequence[str]]
"""From an English word to the forms in which the player may type it, the shown one first."""


def in_english(_: str) -> Sequence[str]:
    """No further forms of a word: all words are typed in English."""
    return ()


_QUOTES = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02", '"'))
"""Quotation marks as telephones and other languages write them."""

_ORDER = re.compile(r'(?:"[^"]*(?:"|$)|[^";])+')
"""An order of a line: all up to the next `;` that stands outside quotation marks."""

_WORD = re.compile(r'"([^"]*)(?:"|$)|[^\s,:;"]+')
"""A word, or a text between quotation marks."""

_BEFORE_COMMENT = re.compile(r'(?:"[^"]*(?:"|$)|[^"#])*')


class Word(Struct, frozen=True):
    """A word, its line, and its place in the line. `quoted`: it is a text between quotation marks."""

    text: str
    line: str
    start: int
    end: int
    own: Own = in_english
    quoted: bool = False

    def forms(self, name: str) -> tuple[str, ...]:
        """The forms in which a name may be typed."""
        return (name.lower(), *map(plain_letters, self.own(name)))

    def shown(self, name: str) -> str:
        """A name as the player would type it."""
        return (*self.own(name), name)[0]

    def means(self, name: str) -> bool:
        """Whether the word is the name, in full."""
        return not self.quoted and plain_letters(self.text) in self.forms(name)

    def choose(self, candidates: Sequence[str], what: Said, known: Collection[str] = ()) -> str:
        """The only candidate that equals the word or begins with it, in any case.

        A name in `known` may be meant as well, if it is typed in full.
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
        """The fault of the word."""
        return NotUnderstood(problem, self.line, self.start, self.end, hint=hint)

    def _unknown_word(self, candidates: Sequence[str], what: Said) -> NotUnderstood:
        """The fault of an unknown word, with the most similar candidate, or all of them if they are few."""
        from difflib import get_close_matches  # under 1 ms: only a slip needs it

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
"""From a word to the name that it means."""


def phrases(lines: Sequence[str], own: Own = in_english) -> Iterator[Phrase]:
    """The orders of some lines; a blank line has none."""
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
    """A line without its comment, and without blanks around it."""
    before = _BEFORE_COMMENT.match(line.translate(_QUOTES))
    return line[: before.end()].strip() if before else ""


def quote(text: str) -> str:
    """A text as one would type it between quotation marks; one that has such marks has others after that."""
    return '"' + text.translate(_QUOTES).replace('"', "'") + '"'


class Phrase:
    """One typed order, read word by word from the left."""

    def __init__(self, words: list[Word]) -> None:
        self._words = words
        self._last = words[-1]

    @property
    def ahead(self) -> Word | None:
        """The next word, if there is one; it stays unread."""
        return self._words[0] if self._words else None

    @property
    def goes_on(self) -> bool:
        """Whether there are more words."""
        return bool(self._words)

    def next(self, expected: Said) -> Word:
        """The next word, which must be there."""
        if not self._words:
            end = self._last.end
            problem = tr("the order is incomplete: next comes {what}", what=expected)
            raise NotUnderstood(problem, self._last.line, end, end + 1)
        return self._words.pop(0)

    def takes(self, small: str) -> bool:
        """Whether a small word such as `to` comes next; if so, it is read."""
        here = self.goes_on and self._words[0].means(small)
        if here:
            self._words.pop(0)
        return here

    def one_of(self, candidates: Sequence[str], what: Said) -> str:
        """One of the given words."""
        names = ", ".join(map(self._last.shown, candidates))
        return self.next(row((what, names), ": ")).choose(candidates, what)

    def hex(self, grid: Grid) -> str:
        """A hex of the map."""
        word = self.next(tr("a hex"))
        if word.text not in grid:
            hint = tr("hexes are {first} to {last}", first=grid.numbers[0], last=grid.numbers[-1])
            raise word.problem(tr("'{word}' is not a hex on the map", word=word.text), hint)
        return word.text

    def hexes(self, grid: Grid) -> list[str]:
        """Hexes of the map, at least one, up to a word that begins with a letter."""
        found = [self.hex(grid)]
        while self.goes_on and not self._words[0].text[0].isalpha():
            found.append(self.hex(grid))
        return found

    def names(self, meaning: Meaning, what: Said, until: str = "", more: Said = "") -> list[str]:
        """Names, at least one, up to the small word `until`, which is read, or to the end.

        `more` says what may follow the first name.
        """
        found = [meaning(self.next(what))]
        expected = more or tr("{what}, or '{word}'", what=what, word=self._last.shown(until))
        while not self.takes(until) if until else self.goes_on:
            found.append(meaning(self.next(expected)))
        return found

    def places(self, meaning: Meaning, grid: Grid) -> dict[str, str]:
        """Names, each with its hex, at least one."""
        found: dict[str, str] = {}
        while self.goes_on or not found:
            word = self.next(tr("a unit"))
            name = meaning(word)
            if name in found:
                raise word.problem(tr("{name} is placed twice", name=name))
            found[name] = self.hex(grid)
        return found

    def text(self, expected: Said, *until: str) -> str:
        """A text: what is between quotation marks, or all up to one of these small words or the end."""
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
    """Words as one would type them; empty if one is no word, so no text of a file looks like an order."""
    return " ".join(words) if all(_is_word(word) for word in words) else ""


def write(orders: Plain, said: Callable[[Plain], list[list[Plain]]], own: Own = in_english) -> list[str]:
    """Orders as one would type them. `said` gives each order's phrases in English, none for an invalid order.

    An invalid order, and one that is not made of words, is shown as JSON.
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
