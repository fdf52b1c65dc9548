"""M2, the set-up: what the cases do not show."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.core.requests import Ask, Chance
from pbem.errors import IllegalOrder
from pbem.games.mortain import RULES
from pbem.games.mortain.rules.state import UNPLACED, WAITING
from support.mortain_positions import event_facts, first_state, run_of

HEXES = {"117Inf": "1503", "119Inf": "1402", "120Inf": "1501", "823TD": "1403", "SPTD": "1304"}


class TestM21:
    """The US player places the five units that start on the map."""

    def test_it_is_the_first_question(self) -> None:
        run = run_of(first_state())
        assert isinstance(run.pending, Ask)
        assert (run.pending.seat, run.pending.question, run.pending.rule) == ("us", "place", "M2.1")

    def test_then_the_first_turn_begins(self) -> None:
        run = run_of(first_state())
        run.answer([{"place": HEXES}])
        assert isinstance(run.pending, Chance)
        assert event_facts(run, "placed") == [{"units": HEXES}]
        assert event_facts(run, "turn_begins") == [{"turn": 1, "turns": 6}]

    @pytest.mark.parametrize(
        ("change", "facts"),
        [
            ({"SPTD": "1903"}, "M2.1: SPTD may not be placed on 1903, in the easternmost column"),
            ({"CCA": "1101"}, "M2.1: CCA starts off the map and cannot be placed (M2.2)"),
            (
                {"SPTD": "1503", "823TD": "1503"},
                "M2.1: 1503 would hold three units (117Inf, 823TD, SPTD); it may hold two",
            ),
            ({"DF": "1101"}, "M9.2: DF belongs to the other side"),
            ({"1st": "1101"}, "M9.2: there is no unit called '1st'"),
            ({"SPTD": "1999"}, "M9.1: in place, '1999' is not a hex on the map"),
        ],
    )
    def test_refusals_give_the_facts(self, change: dict[str, str], facts: str) -> None:
        run = run_of(first_state())
        with pytest.raises(IllegalOrder) as refusal:
            run.answer([{"place": {**HEXES, **change}}])
        assert str(refusal.value) == facts

    def test_all_are_placed(self) -> None:
        run = run_of(first_state())
        with pytest.raises(
            IllegalOrder, match=r"^M2\.1: still to place: 117Inf, SPTD; all five units must be set up$"
        ):
            run.answer([{"place": {name: HEXES[name] for name in ("119Inf", "120Inf", "823TD")}}])


class TestM22:
    """Three US units and all Germans wait off the map."""

    def test_the_first_state(self) -> None:
        state = first_state()
        assert [name for name in state.units if state.at(name) == UNPLACED] == list(HEXES)
        assert [name for name in state.army("us") if state.at(name) == WAITING] == ["CCA", "CCB", "CCR"]
        assert all(state.at(name) == WAITING for name in state.army("german"))

    def test_the_public_position(self) -> None:
        """M9.4, with all 53 cards in the deck from the first moment on."""
        public = RULES.public(first_state())
        assert {key: public[key] for key in public if key not in ("deck", "units")} == {
            "turn": 1,
            "aside": [],
            "card": None,
            "support": "available",
            "suppressed": None,
            "exits": 0,
            "activated": {"german": False, "us": False},
            "colours": {"black": False, "red": False},
            "attack": None,
        }
        assert len(public["deck"]) == 53
        assert public["units"]["SPTD"] == {"at": "unplaced", "face": "full"}


def test_offered_placements_are_legal_on_narrow_and_flat_maps() -> None:
    """The offers make sense on the shipped map only by chance; they must be legal on every map."""
    for columns, rows in ((19, 5), (12, 3), (19, 1), (13, 2)):
        state = first_state()
        grid = replace(state.setting.grid, last_column=columns, last_row=rows)
        terrain = dict.fromkeys(grid.numbers, "clear")
        run = run_of(replace(state, setting=replace(state.setting, grid=grid, terrain=terrain)))
        assert isinstance(run.pending, Ask)
        assert list(RULES.offers(run.pending))
