"""R3, weather: what each throw brings, and what it does to every counter and every range."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from pbem.core.requests import Ask, accepts
from pbem.games.rommel.rules import fire, flak, flights, movement, weather
from pbem.games.rommel.rules.movement import Leg
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import Weather
from support.rommel_positions import first_state, position, run_of, with_factors

ARMY = {"20-Aus": "2206", "AlSup-1": "2207", "125Inf": "1605", "AxSup-1": "1606", "Spit-1": "2508"}

RANGES = {"M14-1": 2, "PzIII-1": 2, "PzIV-1": 3, "DAK-Art": 4, "PzJg-1": 2, "88mm-1": 3}
"""A firer of each row of the fire table, with its range on a clear day."""


def in_weather(today: Weather, units: dict[str, str], **options: bool) -> State:
    return position(Phase.MOVE, units, options=options, weather=today)


class TestR31:
    """A 2 is dust, a 5 a storm, and the four other faces are clear."""

    @pytest.mark.parametrize("face", range(6))
    def test_each_face(self, face: int) -> None:
        run = run_of(position(Phase.WEATHER, ARMY, weather=None))
        assert run.decide(face) == (2, 3, 3, 4, 4, 5)[face]
        assert run.state.weather == ("dust", "clear", "clear", "clear", "clear", "storm")[face]
        assert isinstance(run.pending, Ask)
        first = ("ground_move", 0) if face == 5 else ("air", 1)
        assert (run.pending.question, run.state.subturn, run.pending.seat) == (*first, "allied")

    def test_a_scenario_may_say_otherwise(self) -> None:
        weathers = {"dust": [3], "storm": [], "clear": [2, 4, 5], "status": "known", "source": "cases"}
        run = run_of(position(Phase.WEATHER, ARMY, weather=None, scenario={"weather": weathers}))
        run.decide(1)
        assert run.state.weather == "dust"


class TestR32:
    """Dust: half for aircraft, one hex less for all land units but foot, one less for every range."""

    def test_every_counter(self) -> None:
        state = replace(first_state(), weather="dust")
        for name in state.setting.land_units:
            counter = state.counter(name)
            less = 0 if counter.kind in ("infantry", "parachute") else 1
            assert weather.march_range(state, name, "dust") == counter.movement - less, name
        for name in state.setting.aircraft:
            assert weather.flight_range(state, name) == (5 if state.kind(name) == "fighter" else 4), name

    def test_artillery_may_be_spared(self) -> None:
        state = first_state(dust_artillery_moves_less=False)
        spared = {
            name: weather.march_range(state, name, "dust")
            for name in ("88mm-1", "Flak-1", "25pdr-1", "6pdr-1")
        }
        assert spared == {"88mm-1": 4, "Flak-1": 4, "25pdr-1": 4, "6pdr-1": 4}
        assert weather.march_range(state, "115PzG", "dust") == 5

    def test_every_range(self) -> None:
        state = in_weather("dust", dict.fromkeys(RANGES, "1605"))
        assert {name: fire.reach(state, name) for name in RANGES} == {
            **{"M14-1": 1, "PzIII-1": 1, "PzIV-1": 2, "DAK-Art": 3, "PzJg-1": 1, "88mm-1": 2}
        }
        assert flak.flak_reach(state) == 2
        assert flak.flak_reach(in_weather("clear", {})) == 3

    def test_a_gun_of_range_one_is_left_with_none(self) -> None:
        """Beside an aircraft's hex it does not fire; in it it does: none is not less than none."""
        state = position(Phase.AIR, {"Flak-1": "2206", "Spit-1": "2207"}, scenario={"flak_range": 1})
        dust = replace(state, weather="dust")
        assert flights.guns_on_path(state, "Spit-1", ("2207",)) == ("Flak-1",)
        assert flights.guns_on_path(dust, "Spit-1", ("2207",)) == ()
        assert flights.guns_on_path(dust, "Spit-1", ("2206",)) == ("Flak-1",)


class TestR33:
    """A storm: nobody flies or fires, foot goes one hex less, all others two at most."""

    def test_every_counter(self) -> None:
        state = replace(first_state(), weather="storm")
        for name in state.setting.land_units:
            foot = state.kind(name) in ("infantry", "parachute")
            assert weather.march_range(state, name, "storm") == (3 if foot else 2), name
        assert {weather.flight_range(state, name) for name in state.setting.aircraft} == {0}

    def test_two_is_the_most_and_not_a_gift(self) -> None:
        state = first_state(with_factors("AxSup-1", 1, 1))
        assert weather.march_range(state, "AxSup-1", "storm") == 1

    def test_no_range_is_left(self) -> None:
        state = in_weather("storm", {**dict.fromkeys(RANGES, "1605"), "20-Aus": "1606"})
        assert {fire.reach(state, name) for name in RANGES} == {0}
        shoot = partial(fire.read, replace(state, step=Phase.FIRE, active="axis"))
        assert not accepts(shoot, [{"fire": "PzIII-1", "at": "20-Aus"}])

    def test_the_turn_goes_from_movement_to_combat(self) -> None:
        run = run_of(position(Phase.MOVE, {**ARMY, "61-Tre": "2205"}, weather="storm"))
        asked = []
        while isinstance(run.pending, Ask) and run.state.turn == 1:
            asked.append((run.pending.seat, run.pending.question))
            run.answer([{"pass": True}])
        assert asked == [
            ("allied", "ground_move"),
            ("allied", "ground_combat"),
            ("axis", "ground_move"),
            ("axis", "ground_combat"),
        ]


class TestReckoning:
    """The ruling of R3: the factor, weather, one less for mines, two more for a road; never below none."""

    ROAD, MINED = ("1805", True, ("1805",)), ("1806", False, ("1806",))
    CLEAR_ROAD = ("1705", True, ())

    @pytest.mark.parametrize(
        ("name", "today", "leg", "hexes"),
        [
            ("125Inf", "clear", CLEAR_ROAD, 6),  # 4 + 2
            ("125Inf", "clear", ROAD, 5),  # 4 - 1 + 2
            ("125Inf", "storm", ROAD, 4),  # 4 - 1 - 1 + 2
            ("125Inf", "storm", MINED, 2),  # 4 - 1 - 1
            ("115PzG", "dust", ROAD, 6),  # 6 - 1 - 1 + 2
            ("115PzG", "storm", ROAD, 1),  # 2 - 1; a road is no help
            ("115PzG", "storm", CLEAR_ROAD, 2),
            ("20-Aus", "storm", ROAD, 5),  # 4 - 1 + 2; mines slow the Axis alone
            ("7-Mot", "dust", MINED, 5),
        ],
    )
    def test_a_path(
        self, name: str, today: Weather, leg: tuple[str, bool, tuple[str, ...]], hexes: int
    ) -> None:
        state = first_state(mechanised_in_mines=True)
        assert movement.path_limit(state, name, Leg(*leg), today) == hexes

    @pytest.mark.parametrize(("leg", "hexes"), [(MINED, 0), (ROAD, 1), (CLEAR_ROAD, 2)])
    def test_never_below_none(self, leg: tuple[str, bool, tuple[str, ...]], hexes: int) -> None:
        """Of a factor of 1 a storm leaves 0; mines would leave less, of which a road makes 1."""
        state = first_state(with_factors("125Inf", 4, 1))
        assert movement.path_limit(state, "125Inf", Leg(*leg), "storm") == hexes
