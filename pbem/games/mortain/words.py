"""Orders as they are typed: words to plain orders and back, and the question in words.

    place 117Inf 1503 119Inf 1402 …              pass
    move 2SS-A [to] 1803                         enter D [at] 1902
    exit DF                                      suppress 1604
    fire 117Inf 823TD at 2SS-A [faces miss]      faces redraw
    artillery DF [faces ask]                     air 1604: those of the hex whom M6.3 lets it attack

Several orders on one line are parted by `;`. Commas and colons are as good as spaces. Verbs and unit
names may be shortened and in any case of letters. Legality is not judged here: see `orders`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from pbem.core.requests import Orders, Plain
from pbem.errors import Ambiguous, NotUnderstood
from pbem.games.mortain import cards
from pbem.games.mortain.facts import counted, listed
from pbem.games.mortain.orders import VERBS
from pbem.games.mortain.setting import GERMAN, US
from pbem.games.mortain.state import UNPLACED, Question, State
from pbem.games.mortain.support import way_of

AT, TO, FACES = "at", "to", "faces"
RESERVED = (AT, FACES, TO)
"""The small words of the orders: no unit may have such a name."""

CHOICES = ("redraw", "miss", "ask")
SIDES = {GERMAN: "German", US: "US"}


@dataclass(frozen=True)
class Word:
    """A word of a line, and where it stands."""

    text: str
    start: int
    end: int


def read(ask: Question, lines: Sequence[str]) -> Orders:
    """Turn typed lines into plain orders. Raises `NotUnderstood` or `Ambiguous`."""
    orders = []
    for line in lines:
        for part in re.finditer(r"[^;]+", line):
            words = [
                Word(found[0], found.start(), found.end())
                for found in re.compile(r"[^\s,:;]+").finditer(line, part.start(), part.end())
            ]
            if words:
                orders.append(_Order(ask, line, words).read())
    return orders


class _Order:
    """One order, read word by word from the left."""

    def __init__(self, ask: Question, line: str, words: list[Word]) -> None:
        self.state = ask.state
        self.own = ask.seat
        self.enemy = US if ask.seat == GERMAN else GERMAN
        self.line = line
        self.words = words
        self.end = words[-1].end

    def read(self) -> Plain:
        """Read the verb and what belongs to it, and see that nothing is left over."""
        order = self.order(self.one_of(tuple(VERBS), "a verb"))
        if self.words:
            raise self.problem(self.words[0], f"found '{self.words[0].text}' where the order should end")
        return order

    def order(self, verb: str) -> Plain:
        """Read what follows a verb."""
        match verb:
            case "place":
                return {"place": self.placement()}
            case "move":
                return {"move": self.unit(self.own), "to": self.hex(after=TO)}
            case "enter":
                return {"enter": self.unit(self.own), "at": self.hex(after=AT)}
            case "exit":
                return {"exit": self.unit(self.own)}
            case "fire":
                return {"fire": self.firers(), "at": self.unit(self.enemy), **self.faces()}
            case "artillery" | "air":
                return {verb: self.targets(), **self.faces()}
            case "suppress":
                return {"suppress": self.hex()}
            case "faces":
                return {"faces": self.one_of(CHOICES, "a choice")}
        return {"pass": True}

    def placement(self) -> dict[str, str]:
        """Pairs of a unit and a hex, at least one."""
        placed: dict[str, str] = {}
        while self.words or not placed:
            word = self.next("a unit")
            unit = self.named(word, self.own)
            if unit in placed:
                raise self.problem(word, f"{unit} is placed twice")
            placed[unit] = self.hex()
        return placed

    def firers(self) -> list[str]:
        """The firing units, up to the word `at`."""
        firers = [self.unit(self.own)]
        while (word := self.next("another firing unit, or 'at' and the target")).text.lower() != AT:
            firers.append(self.named(word, self.own))
        return firers

    def targets(self) -> list[str]:
        """The targets of support: units, or one hex, which stands for the enemy units in it (M6.3)."""
        if self.words and self.words[0].text.isdigit():
            return self.stack(self.words[0], self.hex())
        targets = [self.unit(self.enemy)]
        while self.words and self.words[0].text.lower() != FACES:
            targets.append(self.unit(self.enemy))
        return targets

    def stack(self, word: Word, at: str) -> list[str]:
        """The enemy units in a hex; where only one may be attacked there must be only one."""
        stack = [name for name in self.state.stack(at) if self.state.side(name) == self.enemy]
        if not stack:
            raise self.problem(word, f"no {SIDES[self.enemy]} unit is in {at}")
        if len(stack) > 1 and self.state.setting.options.support_target == "unit":
            raise Ambiguous(at, stack)
        return stack

    def faces(self) -> dict[str, str]:
        """The standing order for face cards (M5.7), where there is one."""
        if not self.words or self.words[0].text.lower() != FACES:
            return {}
        self.next("faces")
        return {"faces": self.one_of(CHOICES, "a choice")}

    def hex(self, after: str = "") -> str:
        """A hex of the map; the small word `after` may stand before it."""
        word = self.next("a hex")
        if word.text.lower() == after:
            word = self.next("a hex")
        numbers = self.state.setting.grid.numbers
        if word.text not in numbers:
            hint = f"hexes are {numbers[0]} to {numbers[-1]}"
            raise self.problem(word, f"'{word.text}' is not a hex of the map", hint)
        return word.text

    def unit(self, side: str) -> str:
        """A unit, of this side if its name is shortened."""
        return self.named(self.next("a unit"), side)

    def named(self, word: Word, side: str) -> str:
        """The unit that a word means. A whole name may be of either side: what it may do the rules say."""
        for name in self.state.setting.counters:
            if name.lower() == word.text.lower():
                return name
        return self.choose(word, self.state.army(side), f"a {SIDES[side]} unit")

    def one_of(self, candidates: Sequence[str], what: str) -> str:
        """One of the given words."""
        return self.choose(self.next(f"{what}: {', '.join(candidates)}"), candidates, what)

    def choose(self, word: Word, candidates: Sequence[str], what: str) -> str:
        """The one candidate that begins with the word, in any case of letters."""
        typed = word.text.lower()
        fitting = [name for name in candidates if name.lower().startswith(typed)]
        if not fitting:
            raise self.problem(word, f"'{word.text}' is not {what}", _meant(typed, candidates))
        if len(fitting) > 1:
            raise Ambiguous(word.text, fitting)
        return fitting[0]

    def next(self, expected: str) -> Word:
        """The next word, which must be there."""
        if not self.words:
            problem = f"the order ends too early: expected {expected}"
            raise NotUnderstood(problem, self.line, self.end, self.end + 1)
        return self.words.pop(0)

    def problem(self, word: Word, problem: str, hint: str = "") -> NotUnderstood:
        """What is wrong with a word."""
        return NotUnderstood(problem, self.line, word.start, word.end, hint=hint)


def _meant(typed: str, candidates: Sequence[str]) -> str:
    """Name the candidate that is most like the word, or else all of them."""
    like = get_close_matches(typed, [name.lower() for name in candidates], n=1)
    meant = [name for name in candidates if name.lower() in like]
    return f"did you mean {meant[0]}?" if meant else f"expected {', '.join(candidates)}"


def write(orders: Orders) -> list[str]:
    """Write plain orders as one would type them. What is no order is shown as it stands, in JSON."""
    if not isinstance(orders, list):
        return [json.dumps(orders)]
    return [_written(order) or json.dumps(order) for order in orders]


def _written(order: Plain) -> str | None:
    """One order in words; None if it has not the shape of one."""
    rest: dict[object, object]
    match order:
        case {"place": dict(placed), **rest}:
            words = ["place", *(word for pair in placed.items() for word in pair)]
        case {"pass": True, **rest}:
            words = ["pass"]
        case {"move": unit, "to": at, **rest}:
            words = ["move", unit, at]
        case {"enter": unit, "at": at, **rest}:
            words = ["enter", unit, at]
        case {"exit": unit, **rest}:
            words = ["exit", unit]
        case {"fire": list(firers), "at": target, **rest}:
            words = ["fire", *firers, AT, target, *_choice(rest)]
        case {"artillery": list(targets), **rest}:
            words = ["artillery", *targets, *_choice(rest)]
        case {"air": list(targets), **rest}:
            words = ["air", *targets, *_choice(rest)]
        case {"suppress": at, **rest}:
            words = ["suppress", at]
        case {"faces": choice, **rest}:
            words = ["faces", choice]
        case _:
            return None
    return " ".join(words) if not rest and all(_is_word(word) for word in words) else None


def _choice(rest: dict[object, object]) -> list[Plain]:
    """Take the standing order for face cards out of what is left of an order."""
    return [FACES, rest.pop(FACES)] if FACES in rest else []


def _is_word(word: Plain) -> bool:
    """Whether it can be typed as one word; so no text from a file can look like another order."""
    return isinstance(word, str) and re.fullmatch(r"[A-Za-z0-9-]+", word) is not None


def prompt(ask: Question) -> str:
    """Say in one line what is asked, and by which rule."""
    state = ask.state
    match ask.question:
        case "place":
            east = state.setting.east
            units = listed(state.stack(UNPLACED))
            return f"set up {units}: at most two to a hex, none in column {east} ({ask.rule})"
        case "faces":
            assert state.attack is not None
            targets = listed(state.attack.targets)
            return f"a face card for the attack on {targets}: draw again, or take a miss ({ask.rule})"
    assert state.card is not None
    return f"{state.card}: {_allowed(state, state.card)}{_support(state, ask)}, or pass ({ask.rule})"


def _allowed(state: State, card: str) -> str:
    """How many units a card activates (M3.3, M3.4)."""
    allowed = cards.allowance(card, state.setting.options.activation_rounding)
    if allowed is None:
        return "activate one unit, or units of one hex"
    if allowed == 0 and cards.seat(card) == GERMAN:
        return "activate no unit but a free Tiger 102"
    return f"activate {'up to ' if allowed > 1 else ''}{counted(allowed, 'unit')}"


def _support(state: State, ask: Question) -> str:
    """The support that the card brings, if it is still to be had (M6.1, M6.2)."""
    assert state.card is not None
    options = state.setting.options
    place = "of one" if options.support_costs == "one_unit" else "of all"
    allowed = cards.allowance(state.card, options.activation_rounding)
    if ask.seat != US or state.support == "used" or (options.support_costs == "one_unit" and allowed == 0):
        return ""
    return f", {way_of(state.card)} support in place {place}"
