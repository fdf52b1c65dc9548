"""R9, two to four players: a side shared by nationality."""

from __future__ import annotations

import pytest

from pbem.games.rommel import RULES
from pbem.games.rommel.rules.state import Phase
from pbem.render.ascii_picture import list_by_kind
from support.rommel_positions import position, run_of

FORCES = {
    "german": "125Inf",
    "italian": "61-Tre",
    "british": "Sherman-1",
    "commonwealth": "20-Aus",
    "greek": "1-Greek",
    "french": "1-FFL",
}

PLACES = {
    **{"125Inf": "2207", "AxSup-1": "2208", "61-Tre": "2209"},
    **{"Sherman-1": "2210", "20-Aus": "2211", "1-Greek": "2212", "1-FFL": "2213", "AlSup-1": "2412"},
}
"""A unit of each nation, from north to south; supply is German and British."""

AXIS_LIST = ("German", "125Inf", "AxSup-1", "Italian", "61-Tre")
ALLIED_LIST = ("British", "Sherman-1", "Commonwealth", "20-Aus", "Greek", "1-Greek", "Free French", "1-FFL")


class TestR91:
    """One seat orders all its nationalities; the list below the map keeps them apart."""

    def test_each_nation_belongs_to_a_side(self) -> None:
        state = position(Phase.MOVE, {})
        sides = {state.counter(name).nation: state.side(name) for name in FORCES.values()}
        assert sides == {
            **{"german": "axis", "italian": "axis"},
            **{"british": "allied", "commonwealth": "allied", "greek": "allied", "french": "allied"},
        }

    @pytest.mark.parametrize(
        ("seat", "moves"),
        [
            ("axis", {"125Inf": "2107", "61-Tre": "2109"}),
            ("allied", {"Sherman-1": "2110", "20-Aus": "2111", "1-Greek": "2112", "1-FFL": "2113"}),
        ],
    )
    def test_one_answer_orders_all(self, seat: str, moves: dict[str, str]) -> None:
        run = run_of(position(Phase.MOVE, PLACES, active=seat))
        run.answer([{"move": name, "path": [at]} for name, at in moves.items()])
        assert {name: run.state.at(name) for name in moves} == moves

    def test_the_list_of_counters_goes_by_nationality(self) -> None:
        state = position(Phase.MOVE, PLACES)
        lines = list_by_kind(RULES.view.legend(state)).lines(colour=False)
        middle = lines[0].index("ALLIED")
        for words, side in (
            (AXIS_LIST, [line[:middle] for line in lines]),
            (ALLIED_LIST, [line[middle:] for line in lines]),
        ):
            places = [" ".join(side).index(word) for word in words]
            assert places == sorted(places)
