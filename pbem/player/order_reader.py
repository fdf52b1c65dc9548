"""The one reader of orders as people write them, for the terminal, the board, and mail.

    enter DF 1901, D 1902        enter DF and D 1901      one verb, or one hex, for several units
    enter D in 1902              DF -> 1901               small words and signs before a hex
    2SSA   2ss a   Tiger 102                              names without their hyphens, or with blanks
    I pass   now enter DF 1901, please                    what people say around an order
    enter DF 1901 (or 1902-1905, or D)                    a line of our own lists, which means its first order

A line that the game reads is left as it is. Other lines are of two kinds. One that can mean only one order is
*read*. One whose meaning is only probable, such as a slip or an order without its verb, is a *guess*: legal,
shown to the player, and given only after a yes. The game itself reads the result, through `read_words`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, islice

from msgspec import Struct

from pbem.core.requests import Orders, Question, may_come
from pbem.errors import Ambiguous, NotUnderstood, OrderError
from pbem.lookalikes import plain_letters
from pbem.player.plans.conditions import pieces
from pbem.texts import Texts
from pbem.umpire.game_state import Game

tr = Texts("pbem")

_AND = frozenset(("and", "&", "+", "/", "then", "y", "luego", "e", "ed", "poi", "und", "sowie", "dann"))
"""Words between two orders, or between two units of one order, besides a comma."""

_BEFORE_HEX = frozenset(
    " ".join(
        [
            "to in at on into onto towards from -> --> => \u2192 hex hexes the",
            "a al en hacia sobre hex\u00e1gono hexagono el la",
            "ad nel su verso all' esagono il l'",
            "nach auf zu bei im ins feld hexfeld das",
        ]
    ).split()
)
"""Small words and signs before a hex that add nothing to it."""

_AROUND = frozenset(
    " ".join(
        [
            "i we i'll let's let us will now then please thanks with first next finally also the my unit",
            "yo nosotros ahora luego primero despu\u00e9s despues por favor gracias con el la los mi unidad",
            "io noi ora adesso poi prima per favore prego grazie con il lo i gli le mia unit\u00e0",
            "ich wir jetzt nun dann zuerst bitte danke mit die der das den meine einheit",
        ]
    ).split()
)
"""Words that people say around an order, or before a unit."""

_TOKEN = re.compile(r"-->|->|=>|[,&+/\u2192]|[^\s,;:&+/\u2192]+?(?=-?->)|[^\s,;:&+/\u2192]+")
_ALTERNATIVES = re.compile(r"\s*\((?:or|o|oder)\s[^()]*\)$")
"""The bracket that `order_preview` writes after a possible order, in each language."""

_RUN = re.compile(r"([0-9]{3,4})[-\u2013]([0-9]{3,4})")
_LONGEST, _MOST_TOKENS, _MOST_TRIES, _MOST_PARTS = 200, 24, 60, 3
"""Longest line interpreted, in characters and in tokens; most readings tried; most parts of a name."""


class Reading(Struct, frozen=True):
    """The orders that a line means, as the game reads them, and whether they were guessed."""

    lines: tuple[str, ...]
    is_guess: bool = False


class OrderReader:
    """Reads the lines of an answer to one question of a game, `asked`."""

    def __init__(self, game: Game, asked: Question) -> None:
        self._rules = game.rules
        self._game = game
        self._asked = asked

    def read(self, lines: Sequence[str], before: Sequence[str] = ()) -> list[str]:
        """The lines as the game reads them, after the lines `before`.

        Raises `OrderError` for what the game does not understand, with the probable meaning.
        """
        read: list[str] = []
        for line in lines:
            reading = self.read_line(line, [*before, *read])
            if reading.is_guess:
                error = self.error_in([line])
                assert error is not None
                raise with_guess(error, line, reading)
            read += reading.lines
        return read

    def read_line(self, line: str, before: Sequence[str] = ()) -> Reading:
        """What a line means after the lines `before`. Raises `OrderError` if it means nothing."""
        line = _ALTERNATIVES.sub("", line)
        tokens = self._tokens(line) if len(line) <= _LONGEST else []
        if tokens and not self._split(tokens):  # such as "and" alone
            return Reading(())
        error = self.error_in([line])
        if error is None:
            return Reading((line,))
        if tokens and len(tokens) <= _MOST_TOKENS:
            joined, is_sure = self._join_names(tokens)
            words = self._without_small_words(joined)
            for lines in self._readings(words):
                if self.error_in(lines) is None:
                    return Reading(tuple(lines), not is_sure)
            for lines in islice(self._guesses(words), _MOST_TRIES):
                if self._is_legal([*before, *lines]):
                    return Reading(tuple(lines), True)
        raise error

    def error_in(self, lines: Sequence[str]) -> OrderError | None:
        """Why the game does not understand these lines; None if it does, whether or not they are legal."""
        try:
            self._rules.view.read_words(self._asked, lines)
        except (NotUnderstood, Ambiguous) as error:
            return error
        except OrderError:
            return None
        return None

    def _is_legal(self, lines: Sequence[str]) -> bool:
        """Whether these orders answer the question, or could be the beginning of an answer."""
        try:
            orders: Orders = self._rules.view.read_words(self._asked, lines)
        except OrderError:
            return False
        return may_come(self._asked.read, orders)

    @cached_property
    def _units(self) -> dict[str, str]:
        """The names of all units by their letters and digits only, except those that two units share."""
        states = [self._asked.state, *(replayed.state for replayed in self._game.replayed_entries[:1])]
        names = {piece.name for state in states for piece, _ in pieces(self._rules, state)}
        folded: dict[str, str] = {}
        for name in names:
            folded[_fold(name)] = "" if _fold(name) in folded else name
        return folded

    @cached_property
    def _hexes(self) -> list[str]:
        return [cell.number for cell in self._rules.view.legend(self._asked.state).cells]

    @cached_property
    def _verbs(self) -> list[str]:
        """The verbs of the orders that are possible now."""
        phrases = chain.from_iterable(map(self._rules.view.write_words, self._rules.offers(self._asked)))
        return list(dict.fromkeys(phrase.split()[0] for phrase in phrases))

    def _tokens(self, line: str) -> list[str]:
        """The words and separators of a line, without what people say around an order."""
        tokens = [token for text in _TOKEN.findall(line) if (token := text.strip(".!\u00a1*_`\"'()\u2026"))]
        while tokens and self._is_around(tokens[0]):
            del tokens[0]
        while tokens and (self._is_around(tokens[-1]) or tokens[-1] == ","):
            del tokens[-1]
        return tokens

    def _is_around(self, token: str) -> bool:
        return token.casefold() in _AROUND and _fold(token) not in self._units

    def _without_small_words(self, tokens: list[str]) -> list[str]:
        """The words without prepositions before a hex and articles before a unit."""
        words: list[str] = []
        for token in reversed(tokens):
            ahead = words[-1] if words else ""
            is_small = token.casefold() in _BEFORE_HEX and ahead in self._hexes
            is_article = self._is_around(token) and self._units.get(_fold(ahead))
            if not ((is_small or is_article) and _fold(token) not in self._units):
                words.append(token)
        return words[::-1]

    def _join_names(self, words: list[str]) -> tuple[list[str], bool]:
        """The words with each unit's full name in its place, and whether nothing else can be meant."""
        joined: list[str] = []
        is_sure, place = True, 0
        while place < len(words):
            for many in range(min(_MOST_PARTS, len(words) - place), 1, -1):
                parts = words[place : place + many]
                name = self._units.get(_fold("".join(parts)))
                if name and all(map(_fold, parts)):
                    beside = [part.casefold() in _BEFORE_HEX or part in self._hexes for part in parts]
                    is_sure = is_sure and not (any(beside) or self._units.get(_fold(parts[0])))
                    joined.append(name)
                    break
            else:
                many = 1
                joined += self._names_in(words[place])
            place += many
        return joined, is_sure

    def _names_in(self, word: str) -> list[str]:
        """The unit's full name if a word has its letters; the unit and its hex if it has both."""
        if name := self._units.get(_fold(word)):
            return [name]
        for number in self._hexes:
            if word.endswith(number) and (name := self._units.get(_fold(word.removesuffix(number)))):
                return [name, number]
        return [word]

    def _readings(self, words: list[str]) -> Iterator[list[str]]:
        """The orders that words can mean: one order, or several that share a verb or a hex."""
        parts = self._split(words)
        yield [" ".join(word for word in words if word != ",")]
        yield [" ".join(chain.from_iterable(parts))]
        if len(parts) > 1:
            yield [" ".join(part) for part in parts]
            yield [" ".join(part) for part in self._complete(parts)]

    def _split(self, words: list[str]) -> list[list[str]]:
        """The words between commas and words such as `and`."""
        parts: list[list[str]] = [[]]
        for word in words:
            if word == "," or (word.casefold() in _AND and _fold(word) not in self._units):
                parts.append([])
            else:
                parts[-1].append(word)
        return [part for part in parts if part]

    def _complete(self, parts: list[list[str]]) -> list[list[str]]:
        """Complete orders that lack the verb of the first, or the hex of the next."""
        verb = parts[0][0]
        whole = [part if self._is_verb(part[0]) else [verb, *part] for part in parts]
        for number in range(len(whole) - 2, -1, -1):
            last = whole[number + 1][-1]
            if last in self._hexes and whole[number][-1] in self._units.values():
                whole[number] = [*whole[number], last]
        return whole

    def _is_verb(self, word: str) -> bool:
        """Whether a word begins an order; the name of a unit does not."""
        error = None if self._units.get(_fold(word)) else self.error_in([word])
        return (error is None and not self._units.get(_fold(word))) or (
            isinstance(error, NotUnderstood) and error.start > 0
        )

    def _is_name(self, word: str) -> bool:
        """Whether a word is a unit's full name, or a hex."""
        return word in self._units.values() or word in self._hexes

    def _verb_like(self, word: str) -> str:
        """The verb that a word is, or resembles; empty if there is none."""
        if self._is_name(word):
            return ""
        if self._is_verb(word):
            return word
        error = self.error_in([word])
        return error.similar[0] if isinstance(error, NotUnderstood) and error.similar else ""

    def _guesses(self, words: list[str], depth: int = 2) -> Iterator[list[str]]:
        """Probable meanings, the most likely first."""
        if any(map(_RUN.fullmatch, words)):
            yield from self._choices(words)
            return
        in_order = self._in_order(words)
        if in_order != words:
            yield from self._readings(in_order)
        if self._is_name(words[0]):
            for verb in self._verbs if self._is_name(in_order[0]) else ():
                yield from self._readings([verb, *words])
                yield from self._readings([verb, *in_order])
            return
        for parts in self._readings(words):
            yield from self._without_slips(parts, depth)

    def _in_order(self, words: list[str]) -> list[str]:
        """The words with the verb first, even if it was typed last, and a single unit before its hex."""
        verbs = [verb for word in words if (verb := self._verb_like(word))]
        units = [word for word in words if word in self._units.values()]
        hexes = [word for word in words if word in self._hexes]
        complete = len(verbs) <= 1 and len(verbs) + len(units) + len(hexes) == len(words)
        return [*verbs, *units, *hexes] if complete and len(units) == 1 else words

    def _without_slips(self, lines: list[str], depth: int) -> Iterator[list[str]]:
        """The lines with each word the game does not understand replaced by one that resembles it."""
        number, error = next(
            ((at, error) for at, line in enumerate(lines) if (error := self.error_in([line]))), (0, None)
        )
        if error is None:
            yield lines
        if error is None or depth == 0:
            return
        line = lines[number]
        if isinstance(error, Ambiguous):
            fitting = [
                other
                for name in error.candidates
                if self._is_legal([other := _replace_word(line, error.word, name)])
            ]
            mended = fitting if len(fitting) == 1 else []
        else:
            assert isinstance(error, NotUnderstood)
            mended = [f"{line[: error.start]}{name}{line[error.end :]}" for name in error.similar]
        for other in mended:
            yield from self._without_slips([*lines[:number], other, *lines[number + 1 :]], depth - 1)

    def _choices(self, words: list[str]) -> Iterator[list[str]]:
        """Orders for units and hexes as our lists write them: each unit to its own hex, or the first only."""
        verb, *others = [word for word in words if word not in (",", "...")]
        units = [word for word in others if word in self._units.values()]
        hexes = list(chain.from_iterable(map(self._hexes_of_run, others)))
        if hexes and units:
            yield [f"{verb} {unit} {hexes[place % len(hexes)]}" for place, unit in enumerate(units)]
            yield from ([f"{verb} {unit} {number}"] for unit in units for number in hexes)

    def _hexes_of_run(self, word: str) -> list[str]:
        if run := _RUN.fullmatch(word):
            return [number for number in self._hexes if run[1] <= number <= run[2]]
        return [word] if word in self._hexes else []


def with_guess(error: OrderError, line: str, reading: Reading) -> NotUnderstood:
    """The error in a line, with the guess at its meaning."""
    start, end = (error.start, error.end) if isinstance(error, NotUnderstood) else (0, len(line))
    meant = "; ".join(reading.lines)
    guess = NotUnderstood(str(error), line, start, end, hint=tr("did you mean {name}?", name=meant))
    guess.guessed = True
    guess.meant = meant
    return guess


def _fold(name: str) -> str:
    """A name reduced to its letters and digits."""
    return "".join(filter(str.isalnum, plain_letters(name)))


def _replace_word(line: str, word: str, other: str) -> str:
    return re.sub(rf"(?<!\S){re.escape(word)}(?!\S)", lambda _: other, line, count=1)
