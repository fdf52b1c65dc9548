"""What options and scenario give is read, not typed: it stands in no text as a fixed number or word.

Every option of a game and every value of its scenario is made another one. Then the texts around its map, the
aims, the prompts and how to play hold the new ones, and of the old ones those alone that the rules fix. And a
message that does hold a number cites no rule whose number an option gives: whoever makes an option of one
finds every text that still says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from babel.messages.pofile import read_po

from pbem.core.requests import Plain
from pbem.core.rulebook import HOW_TO, NUMBER, filled, of, page
from pbem.core.rules import Rules
from pbem.games import load
from pbem.texts import ENGLISH, LANGUAGES
from support.catalogues import messages
from support.playout import GameSetup, play, values_of

pytestmark = pytest.mark.thorough

GAMES = ("mortain", "rommel")

WORDS = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|sixteen|doubles?|twice|half"
TOKEN = re.compile(rf"(?<![\w-])[+-]?\d+\b|\b(?:{WORDS})\b")

FURTHER = {"mortain": 20, "rommel": 50}
"""How many columns farther east the whole map is."""

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
    "rommel": {
        "options.turns": 23,
        "options.last_turn": 24,
        "options.air_subturns": 3,
        "flak_range": 9,
        "supply_radius": 7,
    },
}
"""The numbers that texts tell, made others."""

UNTOLD: dict[str, set[str]] = {
    "mortain": {
        "map.rows",
        "units.*.arrives",  # M4.4 fixes it
        "units.*.full",
        "units.*.reduced",
    },
    "rommel": {
        "options.bomb_hits",
        "map.rows",
        "weather.dust",
        "weather.storm",
        "weather.clear",
        "fire.*.range",
        "fire.*.hits.*",
        "units.*.factors",
        "units.*.struck",
        "units.*.stars",
    },
}
"""Those that no fixed text tells: they come from the position, counter by counter, throw by throw."""

FIXED: dict[str, str] = {
    "mortain": "fires 3 hexes|suppressed: \\+1|\\d+(?: now, \\d+ still to come)?|\\d+ of 53 left|\\d+ cards? "
    "left|Turn \\d+ of|at most two to a hex|up to \\w+ units|\\d+ of "
    "(?:clubs|diamonds|hearts|spades)",
    "rommel": r"three win|road: two hexes|doubles in defence|with 3 victory|\d+ of 5|\d+ now|turn \d, "
    r"|Turn \d+ of|sub-turn \d|last 16 counters|sets up sixteen|their last sixteen|and 16 counters"
    r"|all but 16 of|\d+ (?:October|November) 1942",
}
"""What the rules say themselves, and what stands on the map now."""

HOW_TO_FIXED: dict[str, str] = {
    "mortain": r"August 1944|Eight German units|Eight US units|three US units|53 cards|Tiger 102"
    r"|three of which|half that many|two units to a hex|from turn 2|2 hexes far, 3 from a hill",
    "rommel": r"October 1942|about sixty|three of the five|\(2, 3, 3, 4, 4, 5\)|doubles infantry"
    r"|survives one hit|`[^`]*`",
}
"""The like, in how to play."""

LOST = "none of the points is Allied, or at once if no Allied land unit is left."

WORDED: dict[str, dict[str, dict[str, str]]] = {
    "mortain": {
        "activation_rounding": {
            "up": "rounded up; a jack",
            "down": "rounded down; a jack",
            "down_at_least_one": "rounded down, but one at least; a jack",
        },
        "early_joker": {
            "ends_turn": "The joker ends the turn (M7)",
            "until_both_activated": "not before both sides have acted (M7)",
            "until_both_could": "not before a card of each colour was drawn (M7)",
        },
        "tiger_free": {
            "stacked": "is free in a hex with another unit.",
            "with_another": "is free beside another unit that acts.",
            "always": "is always free.",
        },
        "support_costs": {"activation": "instead of their units.", "one_unit": "instead of one unit."},
        "support_target": {},
        "east_column": {},
        "los_edge": {},
    },
    "rommel": {
        "after_last_turn": {
            "draw": f"at the end of turn 11 {LOST} Otherwise it is a draw (R8)",
            "continue": f"or a later one {LOST} Otherwise it continues, and is a draw after turn 30 (R8)",
        },
        "dust_artillery_moves_less": {},
        "tanks_fire_and_fight": {
            "true": "A gun that fires does not attack",
            "false": "A unit that fires does not attack",
        },
        "fire_frees_from_combat": {},
        "mechanised_in_mines": {"false": "Only foot units enter mines", "true": "Only infantry enter mines"},
        "defend_again": {},
        "aa_then_fight": {
            "true": "A gun that fires does not attack.",
            "false": "does not attack, nor does a pure anti-aircraft",
        },
        "forts_anywhere": {},
        "set_up_in_mines": {},
    },
}
"""What how to play says of an option's values; of one without any it says nothing."""


def moved(value: Any, further: int) -> Any:
    """Data of a scenario with each hex so many columns farther east."""
    match value:
        case dict():
            return {moved(key, further): moved(one, further) for key, one in value.items()}
        case list():
            return [moved(one, further) for one in value]
        case str() if re.fullmatch(r"[0-9]{4}", value):
            return f"{int(value) + 100 * further:04}"
    return value


def changed(name: str) -> tuple[dict[str, Plain], Plain]:
    """Options and scenario of a game with all these numbers."""
    rules = load(name)
    options = dict(next(iter(rules.editions.values())))
    data: Any = moved(rules.scenarios.data(rules.scenarios.names[0]), FURTHER[name])
    data["map"]["columns"] = [column + FURTHER[name] for column in data["map"]["columns"]]
    for path, value in CHANGED[name].items():
        *inside, last = path.removeprefix("options.").split(".")
        place: Any = options if path.startswith("options.") else data
        for key in inside:
            place = place[key]
        place[last] = value
    return options, {**data, "name": "other"}


def numeric(value: Any, path: str = "") -> Iterator[str]:
    """The path of each number in data, with `*` for what may be many."""
    if isinstance(value, dict):
        for key, one in value.items():
            many = path in ("units", "fire") or path.endswith("hits")
            yield from numeric(one, f"{path}.{'*' if many else key}".removeprefix("."))
    elif type(value) is int or (isinstance(value, (list, tuple)) and value and type(value[0]) is int):
        yield path


@pytest.mark.parametrize("name", GAMES)
def test_every_option_and_value_is_among_them(name: str) -> None:
    """Whoever adds one finds here what must be said of it."""
    rules = load(name)
    edition, data = next(iter(rules.editions.values())), rules.scenarios.data(rules.scenarios.names[0])
    scenario: Any = rules.scenarios
    every = msgspec.to_builtins(scenario.read(data))  # what a scenario may leave out as well
    found = {*numeric(every), *(f"options.{option}" for option in edition)}
    assert found == {
        *CHANGED[name],
        *UNTOLD[name],
        *(f"options.{option}" for option in WORDED[name]),
        "map.columns",
    }


def told(rules: Rules, options: Mapping[str, Plain], data: Plain) -> Iterator[str]:
    """What stands around the map, what wins and what is asked, in a new game and in its first turn."""
    begun = rules.begin(options, data)
    for number, move in enumerate(play(GameSetup(rules, dict(options), data, begun, (), begun), Random(3))):
        legend = rules.view.legend(move.ask.state)
        yield from (text for both in legend.terrain.values() for text in both)
        yield from (*legend.marks.values(), legend.factors, legend.link, legend.briefly)
        yield from (f"{name} {value}" for name, value in legend.figures)
        yield from (rules.view.aim(move.ask.state) if rules.view.aim else ())
        yield rules.view.threatening()
        yield rules.view.prompt(move.ask)
        if number > 20:
            return


def how_to_play(rules: Rules, options: Mapping[str, Plain], data: Plain, language: str = ENGLISH) -> str:
    """How to play a game, without the first turn of one that ships and how to try it."""
    values = {**options, **rules.view.numbers(rules.begin(options, data))}
    title, about, aim, _first, _orders, _turn, *rest, _try = filled(
        page(rules, HOW_TO, language), values
    ).split("\n\n")
    return "\n\n".join([title, about, aim, *rest])


@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_is_what_is_agreed(name: str) -> None:
    """Every number in these texts is one of the new ones, or fixed by the rules, or of the moment."""
    rules, (options, data) = load(name), changed(name)
    how = how_to_play(rules, options, data)
    lines = {*told(rules, options, data), re.sub(HOW_TO_FIXED[name], "", how)}
    names = "|".join(map(re.escape, sorted(data["units"], key=len, reverse=True)))
    known = {str(value) for value in CHANGED[name].values()} | {"0", "1"} | _hexes(data)
    for line in sorted(lines):
        bare = NUMBER.sub("", re.sub(FIXED[name], "", re.sub(rf"\b(?:{names})\b", "", line)))
        assert not {token.lstrip("+") for token in TOKEN.findall(bare)} - known, line
    for path, value in CHANGED[name].items():
        assert any(re.search(rf"(?<!\d){value}\b", line) for line in lines) or path == "options.last_turn", (
            path
        )


def _hexes(data: Plain) -> set[str]:
    """The numbers of columns and of hexes."""
    first, last = data["map"]["columns"]
    columns = {str(one) for one in range(first, last + 1)}
    return columns | {f"{int(one):02}{row:02}" for one in columns for row in range(1, 40)}


@pytest.mark.parametrize("name", GAMES)
def test_how_to_play_says_what_an_option_means(name: str) -> None:
    """By each value its own words, and no other's."""
    rules = load(name)
    edition, data = next(iter(rules.editions.values())), rules.scenarios.data(rules.scenarios.names[0])
    for option, says in WORDED[name].items():
        of_values = {json_word(value): value for value in values_of(rules)[option]}
        assert says.keys() in (set(), of_values.keys()), option
        for word, wanted in says.items():
            how = how_to_play(rules, {**edition, option: of_values[word]}, data)
            assert [one for one in says.values() if one in how] == [wanted], option


def json_word(value: Plain) -> str:
    return str(value).lower()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_does_so_in_every_language(name: str, language: str) -> None:
    """Another value, another page, and never the same for two."""
    rules = load(name)
    edition, data = next(iter(rules.editions.values())), rules.scenarios.data(rules.scenarios.names[0])
    for option, says in WORDED[name].items():
        values = values_of(rules)[option]
        pages = {how_to_play(rules, {**edition, option: value}, data, language) for value in values}
        assert len(pages) == (len(values) if says else 1), option
        assert not re.search("<!--|[{}]", "".join(pages))


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


def varied(name: str) -> Iterator[tuple[str, dict[str, Plain], dict[str, Plain]]]:
    """Each option that is a number, with the options of a game, and others in which it alone is another."""
    rules = load(name)
    numbers = {key: values for key, values in values_of(rules).items() if type(values[-1]) is int}
    edition: dict[str, Plain] = {**next(iter(rules.editions.values())), **USED[name]}
    options = {**edition, **{key: values[-1] for key, values in numbers.items()}}
    for option, (*_, another, _) in numbers.items():
        yield option, options, {**options, option: another}


USED: dict[str, dict[str, Plain]] = {"mortain": {}, "rommel": {"after_last_turn": "continue"}}
"""With what every option that is a number is used."""

NOW = re.compile(r"turn \d+|sub-turn \d")
"""Numbers that tell where the game is."""


@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_follows_an_option(name: str) -> None:
    """What tells a number, and cites a rule that such an option gives, becomes another with one of them."""
    rules, every = load(name), list(varied(name))
    book, data = of(rules), rules.scenarios.data(rules.scenarios.names[0])
    others = {option: set(told(rules, other, data)) for option, _, other in every}
    for line in set(told(rules, every[0][1], data)):
        if TOKEN.search(NOW.sub("", NUMBER.sub("", line))):
            given = {option for number in NUMBER.findall(line) for option in book.options(number, others)}
            assert not given or any(line not in others[option] for option in given), f"{line!r} of {given}"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_so_does_how_to_play(name: str, language: str) -> None:
    """But of an option of which it says nothing."""
    rules = load(name)
    data = rules.scenarios.data(rules.scenarios.names[0])
    for option, options, other in varied(name):
        one, another = (how_to_play(rules, chosen, data, language) for chosen in (options, other))
        assert (one == another) == (WORDED[name].get(option) == {}), option


RANGES = ("a face may be named only once, not as in {faces} (R4.5)",)
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
            ids, texts = (
                (both,) if isinstance(both, str) else both or () for both in (message.id, message.string)
            )
            digits = {digit for one in ids for digit in re.findall(r"\d+", one)}
            for text in texts:
                assert set(re.findall(r"\d+", text)) <= digits, text
