"""T2, T3: what is wrong with a scenario of one's own, with its path."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.errors import FileError
from pbem.games.tabletop import RULES
from pbem.games.tabletop.terms.scenario import cards_of
from pbem.umpire.offered_scenario import own_scenario, scenario_faults
from pbem.web.lobby_session import catalogue
from support.tabletop_games import begun, verified

GOOD: dict[str, Any] = {
    "name": "verdun",
    "title": "Verdun",
    "sides": ["Allied Powers", "Central Powers"],
    "decks": {"allied": {"owner": "Allied Powers", "cards": "Pleve\n2 Entrench"}},
    "tracks": {"VP": 10},
}


def test_a_good_one_has_no_fault() -> None:
    assert not scenario_faults(GOOD, RULES)


def test_a_list_of_cards_is_read_as_people_paste_it() -> None:
    text = "\n  Pleve  \n\n2 Entrench\r\n12  Big   Guns\n"
    assert list(cards_of(text)) == ["Pleve", "Entrench", "Entrench", *["Big Guns"] * 12]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"sides": ["Reds", "reds"]}, "scenario.sides"),
        ({"sides": ["Reds", "draw"]}, "scenario.sides"),
        ({"sides": ["Reds", "Blu\u202ees"]}, "scenario.sides[1]"),
        ({"sides": ["Reds", 'Bl"ues']}, "scenario.sides[1]"),
        ({"sides": ["Reds", "x" * 31]}, "scenario.sides[1]"),
        ({"sides": ["Reds"]}, "scenario.sides"),
        ({"dice": {"d6": [1, 2]}}, "scenario.dice.d6"),
        ({"dice": {"nac": [1]}}, "scenario.dice.nac"),
        ({"dice": {"nac": [1, 10_000]}}, "scenario.dice.nac[1]"),
        ({"tracks": {"next": 1}}, "scenario.tracks.next"),
        ({"tracks": {"VP": 1, "vp": 1}}, "scenario.tracks"),
        ({"tracks": {"VP": 10_000}}, "scenario.tracks.VP"),
        ({"decks": {"a": {"owner": "Greens", "cards": "x"}}}, "scenario.decks.a.owner"),
        ({"decks": {"a": {"cards": ""}}}, "scenario.decks.a.cards"),
        ({"decks": {"a": {"cards": "x\n#2"}}}, "scenario.decks.a.cards"),
        ({"decks": {"a": {"cards": "99 x\n" * 6}}}, "scenario.decks.a.cards"),
        ({"decks": {f"d{n}": {"cards": "x"} for n in range(9)}}, "scenario.decks"),
        ({"name": "cards"}, "scenario.name"),
        ({"further": 1}, "scenario"),
    ],
)
def test_a_fault_has_its_path(change: dict[str, Any], path: str) -> None:
    faults = scenario_faults({**GOOD, "decks": {}, **change}, RULES)
    assert [str(fault).partition(": ")[0] for fault in faults] == [path]


@pytest.mark.parametrize("exchanges", [0, 30_001, True, "9", None])
def test_exchanges(exchanges: Any) -> None:
    with pytest.raises(FileError, match=r"options\.exchanges"):
        RULES.begin({"exchanges": exchanges}, GOOD)


def test_the_sides_have_the_names_of_the_scenario_and_no_list_of_changes() -> None:
    game = verified(begun(GOOD))
    assert f"{game.rules.side('second'):of}" == "of Central Powers"
    own = own_scenario(game)
    assert own is not None
    assert str(own.text) == 'supplied by Allied Powers, "verdun"'


def test_the_lobby_names_the_sides_and_no_computer_opponent() -> None:
    [entry] = [game for game in catalogue() if game["game"] == "tabletop"]
    assert entry["scenarios"] == [
        ["dice", [["first", "Attacker"], ["second", "Defender"]]],
        ["cards", [["first", "Reds"], ["second", "Blues"]]],
        ["chits", [["first", "North"], ["second", "South"]]],
    ]
    assert entry["levels"] == []
