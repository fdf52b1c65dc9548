"""R2, setting up: what the cases do not show, and the ready-made set-ups."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from random import Random
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from pbem.core.requests import Orders, Plain
from pbem.errors import IllegalOrder
from pbem.games.rommel import RULES
from pbem.games.rommel.rules import setup
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import ALLIED, AXIS

STEPS = (Phase.AXIS_FIRST_SETUP, Phase.AXIS_SCREEN_SETUP, Phase.ALLIED_SCREEN_SETUP, Phase.ALLIED_LAST_SETUP)


ANY: dict[str, Plain] = {}
"""The options of the edition."""

STRICT: dict[str, Plain] = {"forts_anywhere": False, "set_up_in_mines": "infantry"}
"""R2.4 as version 1 has it."""


def begun(data: Any = None, **options: Plain) -> State:
    """A game of El Alamein, or of a scenario of one's own, before its first question."""
    state = RULES.begin({**RULES.editions["nac"], **options}, data or RULES.scenarios.data("alamein"))
    assert isinstance(state, State)
    return state


def placed(state: State, orders: Orders) -> State:
    return setup.state_with_placement(state, setup.read(state, orders))


def up_to(
    step: Phase | None, names: tuple[str, ...] = ("historical",) * 4, options: dict[str, Plain] = ANY
) -> State:
    """The state at a question of the set-up, each earlier one answered by the set-up of that name."""
    state = begun(**options)
    for question, name in zip(STEPS, names, strict=True):
        state = replace(state, step=question)
        if question == step:
            break
        state = placed(state, setup.ready_placement(state, name))
    return state


def hexes(state: State, name: str = "historical") -> dict[str, str]:
    """The hexes of a ready-made set-up, to be changed."""
    places: dict[str, str] = setup.ready_placement(state, name)[0]["place"]
    return dict(places)


def refused(state: State, places: dict[str, str]) -> str:
    with pytest.raises(IllegalOrder) as refusal:
        setup.read(state, [{"place": places}])
    return str(refusal.value)


class TestR2:
    """Before the set-up nothing is on the map, and every gun fires at all aircraft (R4.4)."""

    def test_it(self) -> None:
        state = begun()
        assert {unit.at for unit in state.units.values()} == {"unplaced"}
        assert "Fort-1" not in state.units
        assert state.flak == dict.fromkeys(
            ("88mm-1", "88mm-2", "88mm-3", "Flak-1", "20mm-1", "37AA-1", "37AA-2", "Bofors-1", "Bofors-2"),
            "all",
        )
        assert (state.step, state.turn, state.weather, state.forts) == (Phase.AXIS_FIRST_SETUP, 1, None, ())


class TestR21:
    """First the Axis: all its aircraft, and exactly sixteen counters, neither supply nor fortifications."""

    @pytest.mark.parametrize(
        ("name", "at", "message"),
        [
            ("AxSup-1", "1405", "R2.1: AxSup-1, a supply counter, is placed later"),
            ("Fort-1", "1605", "R2.1: Fort-1, a fortification counter, is placed later"),
            ("PzIII-1", "1605", "R2.1: 16 land counters must be placed, not 17"),
            ("20-Aus", "1605", "R10.2: '20-Aus' is not an Axis counter"),
            ("9-Foo", "1605", "R10.2: '9-Foo' is not an Axis counter"),
        ],
    )
    def test_one_too_many_first(self, name: str, at: str, message: str) -> None:
        state = begun()
        assert refused(state, {**hexes(state), name: at}) == message

    def test_an_aircraft_too_few(self) -> None:
        state = begun()
        places = hexes(state)
        del places["Ju87-1"], places["MC202-2"]
        assert refused(state, places) == "R2.1: still to place: Ju87-1, MC202-2"


class TestR22:
    """Behind the screen: of the Axis all the rest, sealed; of the Allied all but sixteen land counters."""

    def test_behind_the_screen_all_the_rest(self) -> None:
        state = up_to(Phase.AXIS_SCREEN_SETUP)
        places = hexes(state)
        del places["Fort-3"]
        assert refused(state, places) == "R2.2: still to place: Fort-3"
        assert refused(state, {**places, "125Inf": "1605"}) == "R2.2: 125Inf has already been placed"

    def test_the_allied_leaves_sixteen(self) -> None:
        state = up_to(Phase.ALLIED_SCREEN_SETUP)
        places = hexes(state)
        assert (
            refused(state, {**places, "Stuart-1": "2315"}) == "R2.2: 40 land counters must be placed, not 41"
        )
        del places["Spit-1"]
        assert refused(state, places) == "R2.2: still to place: Spit-1"

    def test_the_opening_is_judged_by_the_counters_of_the_axis_alone(self) -> None:
        sealed = setup.ready_placement(up_to(Phase.AXIS_SCREEN_SETUP), "historical")
        before = replace(begun(), step=Phase.AXIS_FIRST_SETUP)
        state = placed(before, setup.ready_placement(before, "historical"))
        state = replace(state, step=Phase.ALLIED_SCREEN_SETUP)
        state = replace(placed(state, setup.ready_placement(state, "north")), step=Phase.AXIS_OPEN)
        opened = placed(state, sealed)
        assert len(opened.forts) == 10
        assert list(opened.forts) == sorted(opened.forts)
        assert opened.at("PzIV-1") == "1504"
        assert opened.at("20-Aus") == "unplaced"


class TestR23:
    """The last sixteen of the Allied."""

    def test_they_are_placed_last(self) -> None:
        state = up_to(Phase.ALLIED_LAST_SETUP)
        places = hexes(state)
        assert len(places) == 16
        del places["Stuart-1"]
        assert refused(state, places) == "R2.3: still to place: Stuart-1"


class TestR24:
    """Zones (R2.1, R2.2), airfields, stacking, mines, fortifications."""

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"7-Bers": "2005"}, "R2.1: 7-Bers must be in the Axis zone, and 2005 is not"),
            ({"7-Bers": "1801"}, "R2.1: 7-Bers must be in the Axis zone, and 1801 is not"),
            ({"CR42-1": "1605"}, "R2.1: CR42-1 must be on an Axis airfield, and 1605 is not one"),
            ({"CR42-1": "2508"}, "R2.1: CR42-1 must be on an Axis airfield, and 2508 is not one"),
            (
                {"CR42-1": "1204"},
                "R2.4: there is no room for CR42-1 on 1204: an airfield holds four aircraft",
            ),
            (
                {"7-Bers": "1705"},
                "R2.4: 7-Bers may not share 1705 with 382Inf; only foot and artillery, on a fortification",
            ),
        ],
    )
    def test_in_view(self, change: dict[str, str], message: str) -> None:
        state = begun()
        assert refused(state, {**hexes(state), **change}) == message

    @pytest.mark.parametrize("name", ["115PzG", "PzIII-1", "88mm-2", "AxSup-1", "DAK-Art"])
    def test_mines_are_for_foot_alone(self, name: str) -> None:
        """`set_up_in_mines: infantry`; `mechanised_in_mines` does not speak of the set-up (R5.6)."""
        state = up_to(Phase.AXIS_SCREEN_SETUP, options=STRICT)
        assert refused(state, {**hexes(state), name: "1905"}).startswith(
            f"R2.4: {name} may not be set up in the mines of 1905"
        )

    @pytest.mark.parametrize("at", ["1905", "1606", "0202", "1203", "0904"])
    def test_no_fortification(self, at: str) -> None:
        """Without `forts_anywhere` not in mines; not on a victory point, village or airfield."""
        state = up_to(Phase.AXIS_SCREEN_SETUP, options=STRICT)
        assert refused(state, {**hexes(state), "Fort-1": at}) == (
            f"R2.4: Fort-1 may not be placed on {at}, which is mined, a victory point, village or airfield"
        )

    @pytest.mark.parametrize("at", ["1905", "1705", "0202", "0904"])
    def test_a_fortification_anywhere(self, at: str) -> None:
        state = up_to(Phase.AXIS_SCREEN_SETUP)
        assert at in placed(state, [{"place": {**hexes(state), "Fort-1": at}}]).forts

    @pytest.mark.parametrize("name", ["115PzG", "PzIII-1", "88mm-2", "AxSup-1", "DAK-Art"])
    def test_whatever_stands_in_mines(self, name: str) -> None:
        state = up_to(Phase.AXIS_SCREEN_SETUP)
        assert placed(state, [{"place": {**hexes(state), name: "1905"}}]).at(name) == "1905"

    def test_not_two_fortifications_in_a_hex(self) -> None:
        state = up_to(Phase.AXIS_SCREEN_SETUP)
        assert refused(state, {**hexes(state), "Fort-1": "1604"}).startswith(
            "R2.4: Fort-2 may not share 1604 with Fort-1"
        )

    @pytest.mark.parametrize("name", ["DAK-Art", "PzJg-1", "88mm-2", "Flak-1"])
    def test_artillery_on_a_fortification(self, name: str) -> None:
        """R6.6: artillery of any kind, in place of the 88 that the set-up has there."""
        state = up_to(Phase.AXIS_SCREEN_SETUP)
        places = {**hexes(state), "88mm-1": "1303", name: "1605"}
        assert placed(state, [{"place": places}]).in_fort(name)

    @pytest.mark.parametrize("name", ["115PzG", "PzIII-1", "AxSup-1", "8-Bers"])
    def test_nothing_else_on_a_fortification(self, name: str) -> None:
        state = up_to(Phase.AXIS_SCREEN_SETUP)
        places = {**hexes(state), "88mm-1": "1303", name: "1605"}
        assert refused(state, places).startswith(f"R2.4: {name} may not share 1605 with Fort-3")

    def test_a_fortification_under_what_stands_already(self) -> None:
        """The infantry of R2.1 stands on what R2.2 puts under it."""
        state = up_to(Phase.ALLIED_SCREEN_SETUP)
        assert state.in_fort("39-Bol")
        assert state.at("39-Bol") == "1708"


PAIRS = [
    *(("historical", "historical"), ("deep", "north"), ("historical", "north"), ("deep", "historical")),
    ("wall", "north"),
]


class TestReadyMade:
    """Every set-up that is named answers its questions; one fits any scenario."""

    @pytest.mark.parametrize(("axis", "allied"), PAIRS)
    def test_a_whole_set_up(self, axis: str, allied: str) -> None:
        state = up_to(None, (axis, axis, allied, allied))
        assert not [name for name, unit in state.units.items() if unit.at == "unplaced"]
        assert len(state.forts) == 10

    def test_which_fit(self) -> None:
        """What the side has; behind the screen also beside another sixteen in view."""
        assert setup.ready_names(begun()) == ("historical", "deep", "wall", "spread")
        assert setup.ready_names(up_to(Phase.AXIS_SCREEN_SETUP, ("deep",) * 4)) == (
            "historical",
            "deep",
            "wall",
            "spread",
        )
        assert setup.ready_names(up_to(Phase.ALLIED_SCREEN_SETUP)) == ("historical", "north", "spread")

    def test_gives_way_to_what_stands_there(self) -> None:
        """Sixteen in view after one set-up, the rest after another: who finds his hex taken steps aside."""
        state = up_to(None, ("spread", "historical", "north", "historical"))
        assert not [name for name, unit in state.units.items() if unit.at == "unplaced"]

    def test_as_written_where_there_is_room(self) -> None:
        written = yaml.safe_load((files("pbem.games.rommel") / "data" / "setups.yaml").read_text("utf-8"))
        for name in ("historical", "deep", "wall"):
            assert setup.ready_placement(begun(), name) == [{"place": written[name][Phase.AXIS_FIRST_SETUP]}]

    def test_another_name(self) -> None:
        with pytest.raises(
            IllegalOrder,
            match=r"^R2\.1: there is no set-up 'north' here: choose historical, deep, wall or spread",
        ):
            setup.ready_placement(begun(), "north")

    def test_a_wall_uses_what_is_allowed(self) -> None:
        """R2.4: fortifications on three victory points and in the mines; without the option, beside them."""
        places = {"1606", "1705", "1706", "1804", "1806", "1808", "1810", "1812"}
        state = up_to(Phase.ALLIED_SCREEN_SETUP, ("wall",) * 4)
        assert places <= {*state.forts}
        assert all(state.in_fort(name) for name in ("Ramcke-A", "382Inf", "433Inf", "7-Bers"))
        strict = up_to(Phase.ALLIED_SCREEN_SETUP, ("wall",) * 4, options=STRICT)
        assert not places & {*strict.forts}

    def test_as_it_was(self) -> None:
        """The infantry of the 164th north of Folgore, the guard of each victory point at the front."""
        state = up_to(None)
        assert all(state.at(name) < "1709" for name in ("125Inf", "382Inf", "433Inf"))
        assert {"1704", "1606", "1706", "1203"} <= set(state.ground)
        assert {state.side(state.ground[at]) for at in ("1704", "1606", "1706", "1203")} == {AXIS}
        assert state.side(state.ground["2107"]) == ALLIED

    def test_every_unit_is_in_supply(self) -> None:
        """R5.4: a set-up whose units could not move would be no use."""
        state = up_to(None)
        grid = state.setting.grid
        for name in (*state.army(AXIS), *state.army(ALLIED)):
            supply = [s for s in state.army(state.side(name)) if state.kind(s) == "supply"]
            assert min(grid.distance(state.at(name), state.at(s)) for s in supply) <= 8, name

    def test_spread_fits_a_scenario_of_ones_own(self) -> None:
        """Counters of other names, which no written set-up knows."""
        data = RULES.scenarios.data("alamein")
        data["units"]["Afrika"] = data["units"].pop("125Inf")
        data["units"]["Monty"] = data["units"].pop("20-Aus")
        state = begun(data)
        for step in STEPS:
            state = replace(state, step=step)
            assert setup.ready_names(state)[-1] == "spread"
            state = placed(state, setup.ready_placement(state, "spread"))
        assert not [name for name, unit in state.units.items() if unit.at == "unplaced"]


class TestScattered:
    """Placements by chance are legal, the same for the same chooser, and of all kinds."""

    @pytest.mark.parametrize("seed", range(5))
    def test_a_whole_set_up(self, seed: int) -> None:
        state = begun()
        for step in STEPS:
            state = replace(state, step=step)
            orders = setup.random_placement(state, Random(seed))
            assert orders == setup.random_placement(state, Random(seed))
            state = placed(state, orders)
        stacked = Counter(unit.at for name, unit in state.units.items() if not state.counter(name).flies)
        assert stacked.most_common(1)[0][1] == 1
        assert {state.side(name) for name in state.ground.values()} == {AXIS, ALLIED}

    def test_even_where_it_is_tight(self) -> None:
        """As few hexes as `scenario check` allows: 56 for 56 land counters, whichever goes first.

        Columns 21 to 25 have 9 (without El Alamein), 10, 10, 11 and 9 (without El Imayid), rows 6 to 13 of
        column 27 have 7 (without the desert strip).
        """
        data = RULES.scenarios.data("alamein")
        zone = data["map"]["zones"]["allied"]
        zone["blocks"] = [["2101", "2516"], ["2706", "2712"]]
        assert len(RULES.scenarios.check(data)) == 1
        zone["blocks"] = [["2101", "2516"], ["2706", "2713"]]
        for seed in range(3):
            state = begun(data)
            for step in STEPS:
                state = replace(state, step=step)
                state = placed(state, setup.random_placement(state, Random(seed)))
