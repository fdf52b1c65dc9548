"""R5, ground movement: allowances, and the paths that the program finds. The cases have the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.core.paths import Path
from pbem.core.requests import Plain, accepts
from pbem.errors import IllegalOrder
from pbem.games.rommel import RULES
from pbem.games.rommel.rules import movement
from pbem.games.rommel.rules.sequence import can_act
from pbem.games.rommel.rules.state import ELIMINATED, Phase, State, Unit
from pbem.games.rommel.terms.setting import AXIS
from support.rommel_cases import SCENARIO


def position(
    units: Mapping[str, str], *, options: Mapping[str, Plain] | None = None, **changes: Any
) -> State:
    """The Allied is to move, in clear weather; units that are not given a hex are eliminated."""
    state: State = RULES.begin({**RULES.editions["nac"], **(options or {})}, SCENARIO)
    assert set(units) <= set(state.units)
    placed = {name: Unit(units.get(name, ELIMINATED)) for name in state.units}
    return replace(state, **{"step": Phase.MOVE, "weather": "clear", "units": placed, **changes})


def refusal(state: State, *orders: Plain) -> str:
    """Why moves are refused; empty if they are not."""
    try:
        movement.read(state, list(orders))
    except IllegalOrder as refused:
        return str(refused)
    return ""


class TestR52:
    """What shortens the move is what the refusal names: the factor, the weather, or mines."""

    WEST = ("1805", "1705", "1605", "1505", "1404")

    @pytest.mark.parametrize(
        ("weather", "cleared", "length", "facts"),
        [
            ("clear", ("1805",), 5, "R5.2: 433Inf may move 4 hexes on this path, which is 5 long"),
            ("storm", ("1805",), 4, "R3.3: 433Inf may move 3 hexes on this path, which is 4 long"),
            ("clear", (), 4, "R5.6: 433Inf may move 3 hexes on this path, which is 4 long"),
            ("storm", (), 3, "R3.3: 433Inf may move 2 hexes on this path, which is 3 long"),
            ("storm", (), 2, ""),
        ],
    )
    def test_the_refusal(self, weather: str, cleared: tuple[str, ...], length: int, facts: str) -> None:
        state = position({"433Inf": "1905", "AxSup-1": "1506"}, active=AXIS, weather=weather, cleared=cleared)
        assert refusal(state, {"move": "433Inf", "path": list(self.WEST[:length])}) == facts


class TestReach:
    """The hexes in which a unit may stop, each with the shortest path that is legal, all found by trying."""

    BATTLE = position(
        {
            "20-Aus": "1909",
            "Sherman-1": "2006",
            "7-Mot": "2007",
            "25pdr-1": "2008",
            "AlSup-1": "2107",
            "433Inf": "1808",
            "PzIII-1": "1706",
            "88mm-1": "1905",
            "AxSup-1": "1607",
        },
        forts=("2108", "1707"),
        cleared=("1906", "1805"),
    )

    @pytest.mark.parametrize(
        ("name", "weather"),
        [
            *product(("20-Aus", "25pdr-1", "433Inf", "88mm-1"), ("clear", "storm")),
            ("7-Mot", "storm"),  # beside a fortification, on which it may not stop
        ],
    )
    def test_it_is_what_trying_every_path_finds(self, name: str, weather: str) -> None:
        state = replace(self.BATTLE, active=self.BATTLE.side(name), weather=weather)
        best: dict[str, Path] = {}
        for path in self.paths(state, state.at(name), 5 if weather == "clear" else 4):
            if not refusal(state, {"move": name, "path": list(path)}):
                best.setdefault(path[-1], path)
        best.pop(state.at(name), None)
        assert movement.reach(state, name) == best
        assert best

    @staticmethod
    def paths(state: State, start: str, longest: int) -> Iterator[Path]:
        """Every path over hexes that are adjacent and free, the shortest and lowest first."""
        paths: list[Path] = [()]
        for _ in range(longest):
            paths = sorted(
                (*path, to)
                for path in paths
                for to in state.setting.grid.adjacent(path[-1] if path else start)
                if to in state.setting.land and state.ground.get(to) is None
            )
            yield from paths

    def test_all_road_is_two_hexes_more(self) -> None:
        state = position({"Valentine-1": "2206", "AlSup-1": "2210"})
        found = movement.reach(state, "Valentine-1")
        assert found["2906"] == ("2307", "2406", "2507", "2606", "2706", "2806", "2906")
        assert "3006" not in found  # eight hexes by road
        assert "2907" not in found  # seven, the last of them off the road

    def test_two_mined_hexes_are_an_allied_units_whole_move(self) -> None:
        state = position({"20-Aus": "2009", "AlSup-1": "2109"})
        found = movement.reach(state, "20-Aus")
        assert found["1809"] == ("1909", "1809")
        assert "1709" not in found
        state = movement.clear_mines(state, ("1909",))
        assert movement.reach(state, "20-Aus")["1709"] == ("1909", "1808", "1709")


class TestR54:
    """Supply, within eight hexes."""

    def test_out_of_supply_there_is_none(self) -> None:
        state = position({"20-Aus": "2009", "AlSup-1": "2909"})  # nine columns away
        assert movement.reach(state, "20-Aus") == {}
        assert not movement.in_supply(state, "20-Aus")
        assert movement.in_supply(state.with_unit_at("AlSup-1", "2809"), "20-Aus")
        assert movement.reach(state, "AlSup-1")
        assert "2009" not in movement.supply_reach(state, "allied")
        assert "2109" in movement.supply_reach(state, "allied")


class TestR56:
    """Each hex named for clearing needs a mined hex of the path of its own beside it."""

    @pytest.mark.parametrize(
        ("wanted", "path", "possible"),
        [
            (["1907"], ["1807"], True),
            (["1907", "1908"], ["1807"], False),
            (["1907", "1908"], ["1807", "1808"], True),
            (["1908", "1907"], ["1807", "1808"], True),  # 1908 must not take 1807, all that 1907 has
            (["1907", "1807"], ["1806"], False),
            (["1911"], ["1807", "1808"], False),
        ],
    )
    def test_the_pairs(self, wanted: list[str], path: list[str], possible: bool) -> None:
        grid = position({}).setting.grid
        assert movement.can_match(grid, wanted, path) == possible


class TestR10:
    """Movement is asked where any move is legal, be it only over a fortification (R5.2, R6.6)."""

    def test_the_only_way_out_may_be_over_a_fortification(self) -> None:
        state = position({"AlSup-1": "3005"}, forts=("2906", "3006"))  # its other neighbours are sea
        read = partial(movement.read, state)
        assert not accepts(read, [{"move": "AlSup-1", "path": ["3006"]}])
        assert accepts(read, [{"move": "AlSup-1", "path": ["3006", "3007"]}])
        assert can_act(state)
        assert not can_act(state.with_unit_at("61-Tre", "2906").with_unit_at("62-Tre", "3006"))
