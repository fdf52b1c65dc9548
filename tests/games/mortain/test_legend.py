"""What the renderer gets: hexes, pieces, margins and tracks of a position."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as changed

from pbem.core.legend import Cell, Legend, Piece
from pbem.core.run import Position, Run
from pbem.games.mortain import RULES
from pbem.games.mortain.rules.state import Attack, State, Step, Unit
from pbem.games.mortain.view.legend import legend


@pytest.fixture
def start() -> State:
    """Before the set-up."""
    state: State = RULES.begin(RULES.editions["it"], RULES.scenarios.data("mortain"))
    return state


@pytest.fixture
def midgame(start: State) -> State:
    """Turn 3: two German stacks, one of three with the Tiger; losses on both sides; air at work."""
    gone = {name: Unit("eliminated", True) for name in start.units}
    units = {
        **gone,
        "117Inf": Unit("1501"),
        "823TD": Unit("1403", True),
        "CCA": Unit("waiting"),
        "2SS-A": Unit("1803"),
        "DF": Unit("1803", True),
        "Tiger102": Unit("1803"),
        "37SS": Unit("exited"),
        "D": Unit("waiting"),
    }
    return replace(
        start,
        turn=3,
        deck=("AC", "5S", "Joker"),
        card="7H",
        units=units,
        support="used",
        suppressed="1803",
        activated=("us", "german"),
    )


def cell(drawn: Legend, number: str) -> Cell:
    [found] = [cell for cell in drawn.cells if cell.number == number]
    return found


class TestMap:
    """Every hex, where it lies, with its terrain and its name."""

    def test_nine_columns_of_five(self, start: State) -> None:
        drawn = legend(start)
        assert (drawn.columns, drawn.rows, len(drawn.cells)) == (9, 5, 45)
        places = [(cell.column, cell.row) for cell in drawn.cells]
        assert sorted(places) == [(column, row) for column in range(9) for row in range(5)]

    def test_a_hex(self, start: State) -> None:
        assert cell(legend(start), "1403") == Cell("1403", 3, 2, "city", "Mortain", "", ())

    def test_every_terrain_is_explained(self, start: State) -> None:
        assert legend(start).terrain == {
            "clear": ("", "clear"),
            "woods": ("woods", "woods, +1, blocks sight"),
            "village": ("vill", "village, +1, blocks sight"),
            "city": ("city", "city, +2, blocks sight"),
            "hill": ("hill", "hill, blocks sight, fires 3 hexes far"),
        }

    def test_the_seven_suppressed_hexes_are_marked(self, midgame: State) -> None:
        """M6.4: column 18 is a lower one, so 1803 has 1703, 1704, 1903 and 1904 beside it."""
        marked = [cell.number for cell in legend(midgame).cells if cell.marks == "*"]
        assert marked == ["1703", "1704", "1802", "1803", "1804", "1903", "1904"]

    def test_no_hex_is_marked_otherwise(self, start: State) -> None:
        assert all(cell.marks == "" for cell in legend(start).cells)


class TestPieces:
    """Counters show the factors of the face that is up."""

    def test_a_stack_in_the_order_of_the_scenario(self, midgame: State) -> None:
        assert cell(legend(midgame), "1803").pieces == (
            Piece("2SS-A", "german", "tank", False, "6-3"),
            Piece("DF", "german", "infantry", True, "2-2", size="III"),  # a regiment
            Piece("Tiger102", "german", "tank", False, "6-2", "army", size="II"),  # a battalion
        )

    def test_a_reduced_gun(self, midgame: State) -> None:
        assert cell(legend(midgame), "1403").pieces == (Piece("823TD", "us", "gun", True, "2-1", size="II"),)


class TestMargins:
    """Who is off the map, and where; an empty margin is left out."""

    def test_before_the_set_up(self, start: State) -> None:
        margins = {margin.title: [piece.name for piece in margin.pieces] for margin in legend(start).margins}
        assert margins == {
            "US to be set up": ["117Inf", "119Inf", "120Inf", "823TD", "SPTD"],
            "US waiting off the west edge": ["CCA", "CCB", "CCR"],
            "German waiting off the east edge": [
                "17StuG",
                "37SS",
                "38SS",
                "2SS-A",
                "2SS-B",
                "DF",
                "D",
                "Tiger102",
            ],
        }

    def test_later(self, midgame: State) -> None:
        margins = {
            margin.title: [piece.name for piece in margin.pieces] for margin in legend(midgame).margins
        }
        assert margins == {
            "US waiting off the west edge": ["CCA"],
            "German waiting off the east edge": ["D"],
            "German exited off the west edge": ["37SS"],
            "US eliminated": ["119Inf", "120Inf", "SPTD", "CCB", "CCR"],
            "German eliminated": ["17StuG", "38SS", "2SS-B"],
        }


class TestFigures:
    """The tracks beside the map."""

    def test_before_the_set_up(self, start: State) -> None:
        assert dict(legend(start).figures) == {
            "Turn": "1 of 6",
            "Card": "none",
            "Deck": "53 of 53 left, joker in it",
            "Support": "available",
            "Exits": "0 of 5",
            "Activated": "nobody",
            "Edition": "it",
        }

    def test_later(self, midgame: State) -> None:
        assert dict(legend(midgame).figures) == {
            "Turn": "3 of 6",
            "Card": "7H",
            "Deck": "3 of 53 left, joker in it",
            "Support": "used, air suppressing 1803",
            "Exits": "1 of 5",
            "Activated": "German and US",
            "Edition": "it",
        }

    @pytest.mark.parametrize("way", ["artillery", "air"])
    def test_support_that_waits_for_its_card(self, midgame: State, way: Any) -> None:
        attack = Attack("us", way, (), ("2SS-A", "DF"), "redraw")
        waiting = replace(midgame, suppressed=None, attack=attack)
        assert dict(legend(waiting).figures)["Support"] == f"used, {way} attacking 2SS-A, DF"

    def test_support_that_has_struck(self, midgame: State) -> None:
        """It says which it was; fire that waits for a card is none."""
        struck = replace(midgame, suppressed=None, supported="artillery")
        firing = Attack("german", "fire", ("DF",), ("117Inf",), "redraw")
        assert dict(legend(struck).figures)["Support"] == "used, artillery"
        assert dict(legend(replace(struck, attack=firing)).figures)["Support"] == "used, artillery"

    @pytest.mark.parametrize(("way", "card"), [("artillery", "8H"), ("air", "7H")])
    def test_support_in_a_game(self, midgame: State, way: str, card: str) -> None:
        """M6.1: it stands there when the attack is over; what both sign (M9.4) does not hold it."""
        ready = replace(
            midgame, step=Step.CARD, support="available", suppressed=None, deck=(card, "2C", "9S")
        )
        run = Run(RULES, Position(ready))
        run.decide(0)
        run.answer([{way: ["2SS-A", "DF", "Tiger102"]}])
        run.decide(0)
        assert dict(legend(run.state).figures)["Support"] == f"used, {way}"
        assert "supported" not in RULES.public(run.state)

    def test_a_joker_that_was_set_aside(self, midgame: State) -> None:
        aside = replace(midgame, deck=("AC",), aside=("Joker",))
        assert dict(legend(aside).figures)["Deck"] == "1 of 53 left, joker set aside"

    def test_options_that_are_no_edition(self, start: State) -> None:
        own = changed(start.setting.options, turns=7)
        state = replace(start, setting=replace(start.setting, options=own))
        assert dict(legend(state).figures)["Edition"] == "own"
