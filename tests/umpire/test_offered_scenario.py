"""A scenario of the offerer's own is said so in every place, and cannot pass for a shipped one."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from msgspec import structs

from pbem.core.scenarios import Scenarios
from pbem.core.shape import Struct
from pbem.format.canonical import digest
from pbem.games.mortain import RULES
from pbem.player.store.game_file import status_fields
from pbem.render.story import game_as_data, story, summary
from pbem.umpire.game_state import Game
from pbem.umpire.offered_scenario import looks_like, own_scenario, scenario_faults
from pbem.umpire.verify import open_game
from support.simulator import SHORT, accept_game, forge_file, log_of, mailed_file, offer_game

TOLD = (
    'supplied by the Germans, "postcard"; compared with mortain: 37SS full 2-3, here 20-20; 38SS full '
    "2-3, here 20-20; 6 more: pbem scenario compare FILE"
)


def tanks(name: str = "postcard") -> dict[str, Any]:
    """The shipped scenario with an army of twenties on the German side."""
    data: dict[str, Any] = deepcopy(RULES.scenarios.data("mortain"))
    data["name"] = name
    for unit in data["units"].values():
        if unit["side"] == "german":
            unit["full"] = [20, 20]
    return data


def flat(text: str) -> str:
    """A text with its wrapping undone."""
    return " ".join(text.split())


class TestItIsSaid:
    @pytest.mark.parametrize("game", [offer_game(own=tanks()), accept_game(offer_game(own=tanks()))])
    def test_in_words(self, game: Game) -> None:
        assert status_fields(game)["scenario"] == TOLD
        assert f"scenario: {TOLD}" in flat(summary(game, None))
        assert f"scenario: {TOLD}" in flat(story(game, None))

    def test_for_programs(self) -> None:
        told = game_as_data(offer_game(own=tanks()))["scenario"]
        first = {"path": "units.37SS.full", "shipped": [2, 3], "own": [20, 20]}
        assert [told[key] for key in ("name", "by", "resembles")] == ["postcard", "german", "mortain"]
        assert told["own"] is True
        assert (told["changes"][0], len(told["changes"]), str(told["text"])) == (first, 8, TOLD)

    def test_a_shipped_one_needs_no_words(self) -> None:
        game = offer_game()
        assert own_scenario(game) is None
        assert game_as_data(game)["scenario"] == {"name": "mortain", "own": False}
        assert "scenario" not in status_fields(game)
        assert "scenario" not in summary(game, None)

    def test_another_name_alone(self) -> None:
        own = own_scenario(offer_game(own=RULES.scenarios.data("mortain") | {"name": "postcard"}))
        assert own is not None
        assert str(own.text) == 'supplied by the Germans, "postcard"; compared with mortain: no value differs'

    def test_nothing_in_it_acts_on_a_terminal_or_passes_for_our_words(self) -> None:
        data = tanks()
        data["title"] = 'x\u202e"; 0 more'
        log = log_of(offer_game(own=data))
        log[0]["scenario"]["name"] = 'p"; compared with mortain: no value differs\u200b' + "y" * 20
        game = open_game(forge_file(log))
        own = own_scenario(game)
        assert own is not None
        assert str(own.text).startswith(
            'supplied by the Germans, "p\\"; compared with mortain: no valu..."; compared with mortain: 37SS'
        )
        assert all(str(own.text).isascii() and str(change.words()).isascii() for change in own.changes)
        assert str(own.text).isprintable()


class TestNames:
    """`looks_like`, which refuses the name of an own scenario when it is offered and when it is read."""

    @pytest.mark.parametrize(
        "name",
        [
            "mortain",
            "Mortain",
            "mortain ",
            " mort-ain.",
            "m0rtain",
            "rnortain",
            "morta1n",
            "mortaln",
            "MORTA|N",
            "mort\u00e1in",  # an accent
            "m\u043ertain",  # Cyrillic
            "m\u043ert\u0430in",
            "r\u0578ortain",  # Armenian
            "m\u25cbrtain",  # a circle
            "\uff4d\uff4f\uff52\uff54\uff41\uff49\uff4e ",  # full width
            "\U0001d426ortain",  # mathematical
            "mort\u200bain",  # without width
            "mortain\u00ad",
            "mortain\u3164",  # the Hangul filler
            "\u2800mortain",
            "mortain\U000e0041",
            "mort\u2011ain",
        ],
    )
    def test_taken_for_it(self, name: str) -> None:
        assert looks_like(name, "mortain")

    @pytest.mark.parametrize(
        "name",
        [
            "postcard",
            "mortain-1944",
            "la mortain",
            "mort",
            "alamein",
            "D\u00eda D",
            "\u0141\u00f3d\u017a",
            "\u041c\u043e\u0440\u0442\u0435\u043d\u044c",  # seven Cyrillic letters
            "\u8c37",
        ],
    )
    def test_not_taken_for_it(self, name: str) -> None:
        assert not looks_like(name, "mortain")
        data = tanks()
        log = log_of(offer_game(own=data))
        log[0]["scenario"] = {"name": name, "sha256": digest(data), "data": data}
        assert open_game(forge_file(log)).offer.scenario.name == name

    @pytest.mark.parametrize("filler", ["!", "|", "-", "a", "\u25cb", "\ufdfa"])
    def test_judged_in_no_time(self, filler: str) -> None:
        """Names of 64 characters that nearly fit leave no pattern to be tried in a million ways."""
        assert not looks_like(f"mortai{filler * 57}z", "mortain")
        assert not looks_like(f"iii{filler * 60}z", "iiiiii")

    def test_nor_does_a_name_of_letters_that_may_be_one_or_two(self) -> None:
        """A club compares its members' names too, whatever they are: here are 2^60 ways to part one."""
        assert not looks_like("\u0436" * 63 + "z", "m" * 40)
        assert looks_like("\u0436" * 63 + "m", "m" * 40)

    def test_of_a_scenario_to_be_offered(self) -> None:
        assert scenario_faults(RULES.scenarios.data("mortain"), RULES) == []
        assert scenario_faults(tanks(), RULES) == []
        for name in ("mortain", "m0rtain"):
            problem = f"\"{name}\" looks like 'mortain', a scenario of the game itself: choose another name"
            assert [*map(str, scenario_faults(tanks(name), RULES))] == [f"scenario.name: {problem}"]


class TestFaults:
    """What forbids to offer a scenario."""

    def test_all_those_of_its_shape(self) -> None:
        data = tanks()
        data["title"] = 7
        del data["support"]["air"]
        assert [str(fault).partition(": ")[0] for fault in scenario_faults(data, RULES)] == [
            "scenario.title",
            "scenario.support",
        ]

    @pytest.mark.parametrize(
        ("data", "found"), [({"hexes": 1}, "null"), ({"name": None, "hexes": 1}, "null"), ({"name": 7}, "7")]
    )
    def test_a_name_that_is_no_text(self, data: Any, found: str) -> None:
        """In a game whose scenarios have a shape of their own, which says nothing of names."""
        moors = Scenarios("pbem.games.mortain", ("mortain",), Unnamed)
        faults = scenario_faults(data, structs.replace(RULES, scenarios=moors))
        assert [*map(str, faults)] == [f"scenario.name: must be a text, not {found}"]


class Unnamed(Struct, frozen=True):
    """A scenario's shape that asks for no name."""

    hexes: int = 0
    name: str | int | None = None


def test_the_file_says_it_and_verifies() -> None:
    data = mailed_file(accept_game(offer_game(own=tanks(), options=SHORT)))
    assert b"supplied by the Germans" in data
    assert own_scenario(open_game(data)) is not None
