"""Numbers are read, not typed: what an option or a scenario can change stands in no text as a fixed word.

Every such number of a game is made another one. Then the texts around its map, the aims and the prompts hold
the new ones, and of the old ones those alone that the rules fix. And a message that does hold a number cites
no rule whose number an option gives: whoever makes an option of one finds every text that still says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from babel.messages.pofile import read_po
from catalogues import messages
from playout import Setup, play

from pbem.core.requests import Plain
from pbem.core.rulebook import NUMBER, of
from pbem.core.rules import Rules
from pbem.games import load

GAMES = ("mortain", "rommel")

WORDS = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "sixteen",
)
TOKEN = re.compile(rf"(?<![\w-])[+-]?\d+\b|\b(?:{'|'.join(WORDS)}|doubles?|twice|half)\b")

CHANGED: dict[str, dict[str, Plain]] = {
    "mortain": {
        "options.turns": 23,
        "options.exits_to_win": 7,
        "map.modifiers.woods.value": 9,
        "map.modifiers.village.value": 8,
        "map.modifiers.city.value": -7,
        "map.modifiers.hill.value": -8,
        "map.modifiers.clear.value": -9,
        "support.artillery.value": 12,
        "support.air.value": 13,
    },
    "rommel": {"options.turns": 23, "options.last_turn": 24, "options.air_subturns": 3},
}
"""The numbers that texts tell, made others."""

FIXED: dict[str, str] = {
    "mortain": r"fires 3 hexes|suppressed: \+1|in 53 cards?|\d+ there, \d+ to come|\d+ now|\d+ of 53 left"
    r"|at most two to a hex|up to \w+ units|card \w+",
    "rommel": r"three win|road: two hexes|doubles in defence|with 3 victory|\d+ of 5|\d+ now|\d+ October 1942"
    r"|sets up sixteen|its last sixteen|and 16 counters|\d+ November 1942",
}
"""What the rules say themselves, and what stands on the map now."""


def changed(name: str) -> tuple[dict[str, Plain], Plain]:
    """Options and scenario of a game with all these numbers."""
    rules = load(name)
    options, data = dict(next(iter(rules.editions.values()))), rules.scenarios.data(rules.scenarios.names[0])
    for path, value in CHANGED[name].items():
        *inside, last = path.removeprefix("options.").split(".")
        place: Any = options if path.startswith("options.") else data
        for key in inside:
            place = place[key]
        assert last in place, path
        place[last] = value
    return options, {**data, "name": "other"}


def told(rules: Rules, options: Mapping[str, Plain], data: Plain) -> Iterator[str]:
    """What stands around the map, what wins and what is asked, in a new game and in its first turn."""
    begun = rules.begin(options, data)
    for number, move in enumerate(play(Setup(rules, dict(options), data, begun, (), begun), Random(3))):
        legend = rules.view.legend(move.ask.state)
        yield from (text for both in legend.terrain.values() for text in both)
        yield from (*legend.marks.values(), legend.factors, legend.link, legend.briefly)
        yield from (f"{name} {value}" for name, value in legend.figures)
        yield from (rules.view.aim(move.ask.state) if rules.view.aim else ())
        yield rules.view.threatening()
        yield rules.view.prompt(move.ask)
        if number > 20:
            return


@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_is_what_is_agreed(name: str) -> None:
    """Every number in these texts is one of the new ones, or fixed by the rules, or of the moment."""
    options, data = changed(name)
    lines = set(told(load(name), options, data))
    names = "|".join(map(re.escape, sorted(data["units"], key=len, reverse=True)))
    known = {str(value) for value in CHANGED[name].values()} | {"0", "1"}
    for line in sorted(lines):
        bare = NUMBER.sub("", re.sub(FIXED[name], "", re.sub(rf"\b(?:{names})\b", "", line)))
        strange = {token.lstrip("+") for token in TOKEN.findall(bare)} - known
        assert not {token for token in strange if token not in _hexes(data)}, line
    for value in CHANGED[name].values():
        assert any(re.search(rf"(?<!\d){value}\b", line) for line in lines) or value in UNTOLD[name], value


UNTOLD: dict[str, set[int]] = {"mortain": {12, 13}, "rommel": {3, 24}}
"""Those that nothing here says: strengths of support, sub-turns before a flight, and the very last turn."""


def _hexes(data: Plain) -> set[str]:
    """The numbers of columns and of hexes."""
    first, last = data["map"]["columns"]
    columns = {str(one) for one in range(first, last + 1)}
    return columns | {f"{int(one):02}{row:02}" for one in columns for row in range(1, 40)}


@cache
def fixed(name: str) -> list[str]:
    """Every message of a game that holds a number of its own."""
    package = Path(__file__).parents[2] / "pbem" / "games" / name
    found = [form for message in messages(package) for form in message.forms]
    return [one for one in found if TOKEN.search(NUMBER.sub("", re.sub(r"\{[^}]*\}", "", one)))]


@pytest.mark.parametrize("name", GAMES)
def test_no_message_types_the_number_of_an_option(name: str) -> None:
    rules = load(name)
    book, edition = of(rules), next(iter(rules.editions.values()))
    numeric = {option for option, value in edition.items() if type(value) is int or isinstance(value, list)}
    for message in fixed(name):
        for number in NUMBER.findall(message):
            typed = numeric.intersection(book.options(number, edition))
            assert not typed or message in RANGES, f"{message!r} cites {number}, which {typed} gives"


RANGES = ("found {faces}, expected each face once (R4.5)",)
"""Messages whose number is none of the option's."""


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", ["es", "it", "de"])
def test_no_translation_types_one_where_english_reads_it(name: str, language: str) -> None:
    """The digits of a translation are those of the message."""
    package = Path(__file__).parents[2] / "pbem" / "games" / name
    with (package / "locale" / language / "LC_MESSAGES" / "pbem.po").open("rb") as file:
        for message in read_po(file):
            if not message.id:
                continue
            ids, texts = ((both,) if isinstance(both, str) else both for both in (message.id, message.string))
            digits = {digit for one in ids for digit in re.findall(r"\d+", one)}
            for text in texts:
                assert set(re.findall(r"\d+", text)) <= digits, text
