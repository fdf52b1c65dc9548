"""Parts of a story: the entries of a turn, and what is about one unit."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.errors import OrderError
from pbem.player import story_excerpt
from pbem.render.story import describe_entry
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def mortain() -> Game:
    """A finished game: turn 2 begins in entry 14 and ends in entry 34."""
    return open_game((EXAMPLES / "mortain-it-exits.yaml").read_bytes())


@pytest.fixture(scope="module")
def rommel() -> Game:
    """A finished game in which 26-Aus is placed in entry 6 and eliminated in entry 20."""
    return open_game((EXAMPLES / "rommel-axis-wins.yaml").read_bytes())


def numbers(game: Game, unit: str) -> list[int]:
    return [
        one.entry.body.n for one in game.replayed_entries if story_excerpt.excerpt_for_unit(game, one, unit)
    ]


class TestTurn:
    """From the entry that brings the turn to the one that ends it."""

    def test_a_turn(self, mortain: Game) -> None:
        assert [one.entry.body.n for one in story_excerpt.entries_of_turn(mortain, 2)] == list(range(14, 35))

    def test_none_such(self, mortain: Game) -> None:
        assert story_excerpt.entries_of_turn(mortain, 6) == []

    def test_a_game_without_turns(self, mortain: Game, monkeypatch: pytest.MonkeyPatch) -> None:
        view = replace(mortain.rules.view, turn=None)
        monkeypatch.setattr("pbem.games.mortain.view.VIEW", view)
        assert story_excerpt.entries_of_turn(mortain, 1) == []


class TestUnit:
    """Orders and events that name it, and what follows from them; nothing of others."""

    @pytest.mark.thorough
    def test_its_whole_life(self, rommel: Game) -> None:
        found = numbers(rommel, "26-Aus")
        assert found[0] == 6
        assert found[-1] == 20

    def test_its_own_orders_alone(self, rommel: Game) -> None:
        part = story_excerpt.excerpt_for_unit(rommel, rommel.replayed_entries[16], "26-Aus")
        assert part
        assert describe_entry(rommel, part).splitlines() == [
            " 16 Allied: move 26-Aus 2008 1909  6 March 2026, 22:26 UTC",
            "      26-Aus moves from 2108 over 2008 to 1909 (R5.2)",
            "      26-Aus clears the mines of 1909 (R5.6)",
            "      26-Aus must attack 40-Bol this turn (R5.5)",
        ]

    @pytest.mark.thorough
    def test_one_of_many_placed(self, mortain: Game) -> None:
        part = story_excerpt.excerpt_for_unit(mortain, mortain.replayed_entries[2], "SPTD")
        assert part
        assert "US: place SPTD 1305, starts draw 1" in describe_entry(mortain, part)

    def test_dice_belong_to_the_combat_before(self, rommel: Game) -> None:
        part = story_excerpt.excerpt_for_unit(rommel, rommel.replayed_entries[18], "2-SA")
        assert part
        assert [tell.event for tell in part.events] == ["fights", "dice"]

    def test_names(self, rommel: Game) -> None:
        assert story_excerpt.find_unit(rommel, "24-a") == "24-Aus"
        with pytest.raises(OrderError, match="could be"):
            story_excerpt.find_unit(rommel, "25pdr")
        with pytest.raises(OrderError, match="is not a unit of the game"):
            story_excerpt.find_unit(rommel, "Konrad")
