"""What a scenario changes: every value once, in short words, the largest change first, nothing hidden."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from pbem.core.scenario_changes import Change, changes, nearest

SOURCED = {"status": "known", "source": "report", "note": "Seen."}


def scenario() -> dict[str, Any]:
    """A small one, with every kind of value."""
    return {
        "name": "hills",
        "title": "Two Hills",
        "map": {
            "columns": [1, 9],
            "blocks": [["0101", "0202"]],
            "roads": [{"name": "east", "hexes": ["0101", "0102"]}, {"name": "west", "hexes": ["0201"]}],
            "hexes": {"0101": {"terrain": "hill", **SOURCED}},
        },
        "units": {"A": {"full": [6, 3], "tiger": False, **SOURCED}, "B": {"full": [1, 1], **SOURCED}},
        "sources": {"report": "A report"},
    }


def told(change: Any) -> list[str]:
    """What is told of the scenario after a change of it."""
    own = deepcopy(scenario())
    change(own)
    return [str(one.words()) for one in changes(scenario(), own)]


class TestWhatIsTold:
    def test_nothing(self) -> None:
        assert told(lambda own: None) == []

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (lambda own: own["units"]["A"].update(full=[20, 20]), "A full 6-3, here 20-20"),
            (lambda own: own["units"]["A"].update(tiger=True), "A tiger false, here true"),
            (lambda own: own["map"].update(columns=[1, 3]), "map columns 1-9, here 1-3"),
            (lambda own: own.update(title="Three"), 'title "Two Hills", here Three'),
            (
                lambda own: own["map"]["hexes"]["0101"].update(terrain="wood"),
                "hexes 0101 terrain hill, here wood",
            ),
            (
                lambda own: own["map"]["hexes"].update({"0102": dict(SOURCED)}),
                "hexes 0102 nothing, here {}",
            ),
            (lambda own: own["map"]["blocks"][0].pop(), 'blocks 0 ["0101", "0202"], here ["0101"]'),
            (lambda own: own["map"]["roads"][1].update(hexes=[]), 'roads west hexes ["0201"], here []'),
            (lambda own: own["units"].pop("B"), "B full 1-1, here nothing"),
            (lambda own: own["units"]["B"].update(arrives=2), "B arrives nothing, here 2"),
        ],
    )
    def test_one_value(self, change: Any, words: str) -> None:
        assert told(change) == [words]

    def test_another_name_is_no_change_nor_where_values_come_from(self) -> None:
        def change(own: dict[str, Any]) -> None:
            own["name"] = "mine"
            own["units"]["A"] |= {"status": "inferred", "source": "card", "note": "Read off the card."}
            own["sources"]["card"] = "The card"

        assert told(change) == []

    def test_a_list_by_its_names(self) -> None:
        """A road put first changes no other road."""
        road = {"name": "north", "hexes": ["0301"]}
        assert told(lambda own: own["map"]["roads"].insert(0, road)) == [
            "roads north name nothing, here north",
            'roads north hexes nothing, here ["0301"]',
        ]


class TestNothingHides:
    def test_largest_numbers_first(self) -> None:
        def change(own: dict[str, Any]) -> None:
            own["title"] = "Three"
            own["units"]["A"]["full"] = [6, 4]
            own["units"]["B"]["full"] = [20, 20]

        assert told(change) == [
            "B full 1-1, here 20-20",
            "A full 6-3, here 6-4",
            'title "Two Hills", here Three',
        ]

    @pytest.mark.parametrize("name", ["note", "source", "status", "sources", "name"])
    def test_a_unit_with_the_name_of_a_remark(self, name: str) -> None:
        assert told(lambda own: own["units"].update({name: {"full": [20, 20], **SOURCED}})) == [
            f"{name} full nothing, here 20-20"
        ]

    def test_a_remark_that_is_more_than_words(self) -> None:
        assert told(lambda own: own["units"]["A"].update(note={"full": [20, 20]})) == [
            "A note full nothing, here 20-20"
        ]

    def test_a_second_road_of_one_name(self) -> None:
        road = {"name": "east", "hexes": ["0909"]}
        assert 'roads 2 hexes nothing, here ["0909"]' in told(lambda own: own["map"]["roads"].append(road))

    def test_true_for_one(self) -> None:
        assert told(lambda own: own["units"]["B"].update(full=[1, True])) == ["B full 1-1, here [1, true]"]

    def test_words_that_would_say_something_else(self) -> None:
        own = scenario()
        own["units"] = {'X 6-3; 0 more"': {"full": 'a", here "\x1b[2J\u202e' + "y" * 500}}
        text = str(changes(scenario(), own)[-1].words())
        assert text.startswith(
            '"X 6-3; 0 more\\"" full nothing, here "a\\", here \\"\\u001b[2J\\u202eyyyyyyyy..."'
        )
        assert text.isascii()
        assert len(text) < 100


def test_nearest() -> None:
    near, far, own = scenario(), scenario(), scenario()
    far["title"] = "Far"
    far["units"]["A"]["full"] = [1, 1]
    own["units"]["B"]["full"] = [2, 2]
    assert nearest({"far": far, "near": near}, own) == (
        "near",
        [Change(("units", "B", "full"), [1, 1], [2, 2])],
    )
