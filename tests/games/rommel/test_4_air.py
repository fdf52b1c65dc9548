"""R4: what cases cannot show well: of all paths the best is chosen, and what is offered is legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from msgspec.structs import replace

from pbem.core.requests import Orders
from pbem.errors import IllegalOrder
from pbem.games.rommel import RULES
from pbem.games.rommel.rules import air, flights
from pbem.games.rommel.rules.state import ELIMINATED, Hold, Phase, State, Unit
from pbem.games.rommel.terms.setting import Weather
from support.rommel_cases import SCENARIO

ALL: Mapping[str, Hold] = {}


def board(units: dict[str, str], weather: Weather = "clear", aa: Mapping[str, Hold] = ALL) -> State:
    """An Allied sub-turn with these units alone; `aa` holds the standing orders other than `all`."""
    state: State = RULES.begin(next(iter(RULES.editions.values())), SCENARIO)
    return replace(
        state,
        step=Phase.AIR,
        weather=weather,
        subturn=1,
        units={name: Unit(units.get(name, ELIMINATED)) for name in state.units},
        flak={**state.flak, **aa},
    )


def is_legal(state: State, orders: Orders) -> bool:
    try:
        air.read(state, orders)
    except IllegalOrder:
        return False
    return True


GUNS = {"88mm-1": "1607", "88mm-2": "1609", "88mm-3": "1905", "Flak-1": "1806", "20mm-1": "1610"}
CROWDED = {
    **GUNS,
    "Bf109-1": "1806",
    "Bf109-2": "1907",
    "Spit-1": "1708",
    "Hurri-1": "1709",
    "Balt-1": "1808",
}
BOARDS = {
    "guns_about": {**GUNS, "Kitty-1": "1808"},
    "aircraft_in_the_way": {**CROWDED, "Kitty-1": "1909"},
    "out_of_a_zone": {**CROWDED, "Kitty-1": "1906"},
    "own_airfield_under_guns": {"88mm-1": "2606", "88mm-2": "2409", "20mm-1": "2410", "Kitty-1": "2308"},
    "full_airfield": {
        **dict.fromkeys(("Spit-1", "Hurri-1", "Balt-1", "Balt-2"), "2508"),
        "Flak-1": "2610",
        "Kitty-1": "2406",
    },
    "edge_of_the_map": {"88mm-1": "2801", "Kitty-1": "3001"},
}


class TestR42:
    """Of the legal paths (R4.2, R4.3) the fewest guns, then the shortest, then the lowest hexes."""

    @pytest.mark.parametrize("units", BOARDS.values(), ids=BOARDS)
    def test_the_best_of_all_paths_is_found(self, units: dict[str, str]) -> None:
        state = board(units, "dust", {"Flak-1": "bombers"})
        assert flights.reach(state, "Kitty-1") == best_by_trying_all(state, "Kitty-1", 5)

    @pytest.mark.parametrize("weather", ["clear", "dust"])
    @pytest.mark.parametrize("units", BOARDS.values(), ids=BOARDS)
    def test_the_paths_are_legal(self, units: dict[str, str], weather: Weather) -> None:
        state = board(units, weather)
        reach = flights.reach(state, "Kitty-1")
        assert reach
        for to, path in reach.items():
            flight = {"fly": "Kitty-1", "path": list(path)}
            enemies = flights.zone(state, "allied", to)
            assert is_legal(state, [flight]) == (not enemies), to
            for enemy in enemies:
                assert is_legal(state, [flight, {"dogfight": ["Kitty-1"], "on": [enemy]}]), to

    def test_a_detour_avoids_a_gun(self) -> None:
        """The gun in 1608 reaches 1908, 1909 and 1910; column 20 is 4 hexes from it, and so is 1911."""
        state = board({"88mm-1": "1608", "Kitty-1": "1907"})
        straight, around = ("1908", "1909", "1910", "1911"), ("2007", "2008", "2009", "2010", "1911")
        assert flights.guns_on_path(state, "Kitty-1", straight) == ("88mm-1",)
        assert flights.guns_on_path(state, "Kitty-1", around) == ()
        assert flights.reach(state, "Kitty-1")["1911"] == around
        held = board({"88mm-1": "1608", "Kitty-1": "1907"}, aa={"88mm-1": "hold"})
        assert flights.reach(held, "Kitty-1")["1911"] == straight

    def test_no_flight_in_a_storm(self) -> None:
        state = board({"Kitty-1": "2007"}, "storm")
        assert flights.reach(state, "Kitty-1") == {}


class TestR44:
    """Hex by hex along the path, names breaking a tie; as their standing orders say."""

    def test_their_order(self) -> None:
        """To 2107 come the guns in 2109 and 2110, 2 and 3 hexes off; to 2104 the one in 2101, 3 off."""
        units = {"88mm-2": "2110", "88mm-1": "2109", "Flak-1": "2101", "Kitty-1": "2108", "Boston-1": "2009"}
        path = ("2107", "2106", "2105", "2104")
        assert flights.guns_on_path(board(units), "Kitty-1", path) == ("88mm-1", "88mm-2", "Flak-1")
        assert flights.guns_on_path(board(units, "dust"), "Kitty-1", path) == ("88mm-1",)
        waiting = board(units, aa={"88mm-1": "hold", "88mm-2": "bombers"})
        assert flights.guns_on_path(waiting, "Kitty-1", path) == ("Flak-1",)
        assert flights.guns_on_path(waiting, "Boston-1", path) == ("88mm-2", "Flak-1")

    def test_an_own_airfield_is_safe_at_the_end_alone(self) -> None:
        state = board({"88mm-1": "2505", "Kitty-1": "2411"})
        assert flights.guns_on_path(state, "Kitty-1", ("2410", "2409", "2508")) == ()
        assert flights.guns_on_path(state, "Kitty-1", ("2508", "2509")) == ("88mm-1",)


class TestAnswers:
    """R10: what the program makes up for a player to choose from."""

    def test_one_of_each(self) -> None:
        state = board({"Boston-1": "1606", "61-Tre": "1606", "Bf109-1": "1608", "1-FFL": "2912"})
        legal = list(air.answers(state))
        assert all(is_legal(state, orders) for orders in legal)
        assert [{"bomb": "Boston-1"}] in legal
        assert [
            {"fly": "Boston-1", "path": ["1607"]},
            {"dogfight": ["Boston-1"], "on": ["Bf109-1"]},
        ] in legal
        assert [{"fly": "Boston-1", "path": ["1605"]}] in legal

    def test_landings_in_the_last_sub_turn_alone(self) -> None:
        state = board({"Boston-1": "2508", "Flak-1": "2907"})
        landings = [[{"land": {"Boston-1": at}}] for at in ("2508", "2710")]
        assert [orders for orders in air.answers(state) if "land" in orders[0]] == []
        last = replace(state, subturn=4)
        assert [orders for orders in air.answers(last) if "land" in orders[0]] == landings
        assert all(is_legal(last, orders) for orders in landings)


def best_by_trying_all(state: State, name: str, most: int) -> dict[str, tuple[str, ...]]:
    """`flights.reach` by the text of R4, over every path there is."""
    ranked = sorted(
        (len(met_on(state, name, path)), len(path), path) for path in all_paths(state, name, most)
    )
    best: dict[str, tuple[str, ...]] = {}
    for _, _, path in ranked:
        if path[-1] != state.at(name):
            best.setdefault(path[-1], path)
    return best


def all_paths(state: State, name: str, most: int) -> Iterator[tuple[str, ...]]:
    """Every legal path of up to `most` hexes."""
    grid = state.setting.grid
    flying = [other for other in (*state.air_force("allied"), *state.air_force("axis")) if other != name]
    held = [state.at(other) for other in flying]
    enemies = [state.at(other) for other in flying if state.side(other) != state.side(name)]
    paths: list[tuple[str, ...]] = [()]
    while paths:
        path = paths.pop()
        for to in grid.adjacent(path[-1] if path else state.at(name)):
            room = 4 if to in state.setting.airfields[state.side(name)] else 3
            if to not in enemies and held.count(to) < room:
                yield (*path, to)
            stops = to in held or any(grid.distance(to, enemy) == 1 for enemy in enemies)
            if not stops and len(path) + 1 < most:
                paths.append((*path, to))


def met_on(state: State, name: str, path: tuple[str, ...]) -> list[str]:
    """The guns that fire at an Allied fighter on a path in dust."""
    safe = path[-1] in state.setting.airfields[state.side(name)]
    return [
        gun
        for gun, standing in state.flak.items()
        if state.on_map(gun) and state.side(gun) == "axis" and standing == "all"
        if any(state.setting.grid.distance(state.at(gun), at) <= 2 for at in (path[:-1] if safe else path))
    ]
