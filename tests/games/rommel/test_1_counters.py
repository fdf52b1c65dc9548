"""R1, counters and dice: every type that is hit, every place where the die is thrown."""

from __future__ import annotations

import pytest

from pbem.core.requests import Orders, Plain, Throw
from pbem.games.rommel.rules import weather
from pbem.games.rommel.rules.state import Phase
from support.rommel_positions import position, run_of, with_factors

DIE = (2, 3, 3, 4, 4, 5)

FRONT = {
    **{"20-Aus": "2206", "Sherman-1": "2106", "AlSup-1": "2208", "61-Tre": "2207", "AxSup-1": "2107"},
    **{"Well-1": "2207", "Spit-1": "2308", "Bf109-1": "2309", "88mm-1": "2209"},
}
"""An Australian beside an Italian, whom a bomber has come for; a gun within three hexes of it."""


class TestR12:
    """One die with two threes and two fours decides everything."""

    def test_the_weather(self) -> None:
        assert self.thrown(Phase.WEATHER, []) == ("R3.1", DIE)

    @pytest.mark.parametrize(
        ("step", "order", "rule"),
        [
            (Phase.AIR, {"fly": "Spit-1", "path": ["2307"]}, "R4.4"),
            (Phase.FIRE, {"fire": "Sherman-1", "at": "61-Tre"}, "R7.1"),
            (Phase.COMBAT, {"attack": ["20-Aus"], "on": ["61-Tre"]}, "R6.2"),
        ],
    )
    def test_fire_and_combat(self, step: Phase, order: Plain, rule: str) -> None:
        assert self.thrown(step, [order]) == (rule, DIE)

    def test_bombs_once_no_gun_may_fire(self) -> None:
        held = {"88mm-1": "hold", "Flak-1": "hold"}
        assert self.thrown(Phase.AIR, [{"bomb": "Well-1"}], flak=held) == ("R4.5", DIE)

    @staticmethod
    def thrown(step: Phase, orders: Orders, **changes: Plain) -> tuple[str, tuple[int, ...]]:
        """By which rule a die is thrown first, and its faces."""
        run = run_of(position(step, FRONT, **changes))
        if orders:
            run.answer(orders)
        assert isinstance(run.pending, Throw)
        return run.pending.rule, run.pending.outcomes


class TestR13:
    """A tank turns over, once; everything else is eliminated at once."""

    @pytest.mark.parametrize("name", ["PzIII-1", "PzIV-1", "M14-1", "Sherman-1", "Stuart-1"])
    def test_a_tank(self, name: str) -> None:
        state = position(Phase.COMBAT, {name: "2206"}).hit(name)
        assert (state.at(name), state.units[name].struck) == ("2206", True)
        assert state.hit(name).at(name) == "eliminated"

    @pytest.mark.parametrize(
        "name",
        [
            *("125Inf", "Ramcke-A", "115PzG", "DAK-Art", "PzJg-1", "88mm-1", "Flak-1", "AxSup-1"),
            *("Bf109-1", "Ju88-1"),
        ],
    )
    def test_every_other_type(self, name: str) -> None:
        assert position(Phase.COMBAT, {name: "2206"}).hit(name).at(name) == "eliminated"

    @pytest.mark.parametrize(
        ("name", "whole", "struck"),
        [
            ("PzIII-1", (7, 7), (3, 7)),
            ("PzIV-1", (8, 7), (4, 7)),
            ("M14-1", (4, 6), (2, 6)),
            ("Crusader-1", (5, 8), (2, 8)),
            ("Valentine-1", (5, 5), (2, 5)),
        ],
    )
    def test_the_face_that_is_up(self, name: str, whole: tuple[int, int], struck: tuple[int, int]) -> None:
        state = position(Phase.COMBAT, {name: "2206"})
        assert (state.combat(name), state.movement(name)) == whole
        state = state.hit(name)
        assert (state.combat(name), state.movement(name)) == struck


class TestR14:
    """A half is rounded down."""

    @pytest.mark.parametrize(("printed", "flown"), [(10, 5), (9, 4), (1, 0)])
    def test_an_aircraft_in_dust(self, printed: int, flown: int) -> None:
        state = position(Phase.AIR, {"Spit-1": "2508"}, scenario=with_factors("Spit-1", 5, printed))
        assert weather.flight_range(state.with_changes(weather="dust"), "Spit-1") == flown
