"""T2, T3: the form of a scenario: from people's texts to its data and back, and where a fault stands."""

from __future__ import annotations

import pytest

from pbem.games.tabletop import RULES
from pbem.games.tabletop.view.scenario_form import as_name, field_of, fields, fill, read
from pbem.texts import speaking
from pbem.umpire.offered_scenario import scenario_faults

LOST = {
    "title": "A Victory Lost",
    "side1": " Soviets",
    "side2": "Germans ",
    "tracks": "turn 1\n  Soviet VP: 0\nfuel\n",
    "dice": "battle: hit, hit, big flag, miss\naverage: 2 3 3 4 4 5",
    "deck1.name": "HQ chits",
    "deck1.owner": "",
    "deck1.cards": "2 Vatutin\nManstein\n",
    "deck4.name": "Reserve",
    "deck4.owner": "2",
    "deck4.cards": "3 Panzer",
}


def test_what_people_write_is_a_scenario() -> None:
    data, problems = read(LOST)
    assert problems == []
    assert data == {
        "name": "a-victory-lost",
        "title": "A Victory Lost",
        "sides": ["Soviets", "Germans"],
        "tracks": {"turn": 1, "Soviet VP": 0, "fuel": 0},
        "dice": {"battle": ["hit", "hit", "big flag", "miss"], "average": [2, 3, 3, 4, 4, 5]},
        "decks": {
            "hq-chits": {"cards": "2 Vatutin\nManstein\n"},
            "reserve": {"cards": "3 Panzer", "owner": "Germans"},
        },
    }
    assert scenario_faults(data, RULES) == []


@pytest.mark.parametrize("name", RULES.scenarios.names)
def test_a_shipped_one_comes_back_as_it_was(name: str) -> None:
    shipped = RULES.scenarios.data(name)
    data, problems = read(fill(shipped))
    assert problems == []
    assert {**data, "name": name} == shipped
    assert fill(data) == fill(shipped)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": ""}, "title"),
        ({"title": "Cards"}, "title"),
        ({"side1": ""}, "side1"),
        ({"side2": 'the "Axis"'}, "side2"),
        ({"side2": "SOVIETS"}, "side1"),
        ({"tracks": "10"}, "tracks"),
        ({"tracks": "VP 1\nVP 2"}, "tracks"),
        ({"tracks": "next 1"}, "tracks"),
        ({"dice": "battle hit miss"}, "dice"),
        ({"dice": "battle: hit"}, "dice"),
        ({"deck1.name": "??"}, "deck1.name"),
        ({"deck4.name": "HQ chits"}, "deck4.name"),
        ({"deck4.cards": ""}, "deck4.cards"),
        ({"deck4.cards": "#3"}, "deck4.cards"),
        ({"deck1.cards": "99 x\n" * 6}, "deck1.cards"),
    ],
)
def test_a_fault_stands_beside_its_field(change: dict[str, str], field: str) -> None:
    texts = {**LOST, **change}
    data, problems = read(texts)
    wrong = [where for where, _ in problems] or [
        field_of(str(fault).partition(": ")[0], texts) for fault in scenario_faults(data, RULES)
    ]
    assert wrong == [field]
    assert field in [one.name for one in fields()]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Übermut & Söhne", "ubermut-sohne"),
        ("1914: Guns", "guns"),
        ("ペン", ""),
        ("a" * 40, "a" * 32),
        ("-x-", "x"),
    ],
)
def test_a_name_for_the_file(text: str, name: str) -> None:
    assert as_name(text) == name


def test_texts_of_any_kind_break_nothing() -> None:
    for language in ("en", "es", "it", "de"):
        with speaking(language):
            assert len({one.name for one in fields()}) == 29
    for text in ("", "\n\n", "\u202e\u0000", ":" * 99, "-", "9" * 50):
        data, problems = read(dict.fromkeys((one.name for one in fields()), text))
        assert problems or scenario_faults(data, RULES)
