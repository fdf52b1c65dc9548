"""R6, combat: who may fight whom, by trying all; all throws of one combat; what fortifications double."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import chain, combinations, product

import pytest

from pbem.core.requests import Throw, accepts
from pbem.games.rommel.rules import combat
from pbem.games.rommel.rules.state import Phase
from support.rommel_positions import position, run_of

DIE = (2, 3, 3, 4, 4, 5)


ALLIED = {"20-Aus": 7, "24-Aus": 9, "26-Aus": 12}
AXIS = {"61-Tre": 8, "62-Tre": 10, "39-Bol": 11}
"""The rows of units in one column, where hexes of rows that differ by 1 are adjacent."""


class TestR61:
    """Each attacker is adjacent to a defender, and each defender to an attacker."""

    def test_every_group_against_every_group(self) -> None:
        """Of 20-Aus, 61-Tre, 24-Aus and 62-Tre, in a row, six groups leave nobody alone; with 26-Aus and
        39-Bol or without, and these two by themselves: 13.
        """
        rows = {**ALLIED, **AXIS}
        state = position(Phase.COMBAT, {name: f"22{row:02}" for name, row in rows.items()})
        legal = []
        for units, on in product(groups(ALLIED), groups(AXIS)):
            near = [(a, d) for a in units for d in on if abs(rows[a] - rows[d]) == 1]
            joined = {a for a, _ in near} == {*units} and {d for _, d in near} == {*on}
            orders = [{"attack": [*units], "on": [*on]}]
            assert accepts(partial(combat.read, state), orders) == joined, orders
            legal += [orders] * joined
        assert len(legal) == 13

    @pytest.mark.parametrize(("again", "legal"), [(True, True), (False, False)])
    def test_one_target_of_two_combats(self, again: bool, legal: bool) -> None:
        units = {"20-Aus": "2206", "24-Aus": "2208", "61-Tre": "2207"}
        state = position(Phase.COMBAT, units, options={"defend_again": again})
        orders = [{"attack": [name], "on": ["61-Tre"]} for name in ("20-Aus", "24-Aus")]
        assert accepts(partial(combat.read, state), orders) == legal


class TestR62:
    """The attacker throws, then the defender; the higher product wins, and R6.3: of equal ones none."""

    def test_all_throws_of_five_against_four(self) -> None:
        """With 2, 3, 4 and 5 the attacker has 10, 15, 20 and 25, the defender 8, 12, 16 and 20.

        So his 2 wins against 1 face of 6, each 3 against 3, each 4 against 5, his 5 against all: 23 in 36.
        Each of his fours is equal to the one 5.
        """
        state = position(
            Phase.COMBAT, {"20-Aus": "2206", "125Inf": "2207", "AlSup-1": "2306", "AxSup-1": "2208"}
        )
        results: Counter[str] = Counter()
        for ours, theirs in product(range(6), repeat=2):
            run = run_of(state)
            run.answer([{"attack": ["20-Aus"], "on": ["125Inf"]}])
            assert run.decide(ours) == DIE[ours]
            run.decide(theirs)
            gone = [name for name in ("20-Aus", "125Inf") if run.state.at(name) == "eliminated"]
            again = isinstance(run.pending, Throw)
            assert again is not bool(gone)
            results[" ".join(gone)] += 1
        assert results == {"125Inf": 23, "20-Aus": 11, "": 2}


class TestR64:
    """Every unit on the losing side suffers, each by its type; nobody else does."""

    def test_three_on_one(self) -> None:
        units = {"20-Aus": "2206", "Grant-1": "2307", "Stuart-1": "2107 struck", "PzIV-1": "2207"}
        run = run_of(
            position(Phase.COMBAT, {**units, "24-Aus": "2308", "AlSup-1": "2905", "AxSup-1": "2208"})
        )
        run.answer([{"attack": ["20-Aus", "Grant-1", "Stuart-1"], "on": ["PzIV-1"]}])  # 5 + 7 + 2 against 8
        run.decide(0)
        run.decide(5)  # 2 x 14 against 5 x 8
        state = run.state
        assert [state.at(name) for name in units] == ["eliminated", "2307", "eliminated", "2207"]
        assert [name for name, unit in state.units.items() if unit.struck and state.on_map(name)] == [
            "Grant-1"
        ]
        assert state.at("24-Aus") == "2308"


class TestR65:
    """Combats are resolved as written, with those that are left; void where one side is gone."""

    def test_the_second_combat_lacks_its_target(self) -> None:
        units = {
            "Sherman-1": "2206",
            "Sherman-2": "2208",
            "61-Tre": "2207",
            "AlSup-1": "2905",
            "AxSup-1": "2211",
        }
        run = run_of(position(Phase.COMBAT, units))
        run.answer([{"attack": [name], "on": ["61-Tre"]} for name in ("Sherman-1", "Sherman-2")])
        run.decide(5)
        run.decide(0)
        events = [(tell.event, tell.rule) for tell in run.told]
        assert events[:2] == [("declares", "R6.1")] * 2
        assert events[events.index(("eliminated", "R1.3")) + 1] == ("void", "R6.5")
        assert run.state.at("Sherman-2") == "2208"


class TestR66:
    """A factor is doubled on a fortification, in defence alone, for whoever stands there."""

    @pytest.mark.parametrize(
        ("name", "factor"), [("382Inf", 4), ("20-Aus", 5), ("Ramcke-A", 5), ("88mm-1", 4)]
    )
    def test_doubled(self, name: str, factor: int) -> None:
        state = position(Phase.COMBAT, {name: "1705", "61-Tre": "1706"}, forts=("1705",))
        assert combat.strength(state, [name], defending=True) == 2 * factor
        assert combat.strength(state, [name], defending=False) == factor
        assert combat.strength(state, [name, "61-Tre"], defending=True) == 2 * factor + 3

    def test_not_an_aircraft_above(self) -> None:
        state = position(Phase.AIR, {"Bf109-1": "1705"}, forts=("1705",))
        assert combat.strength(state, ["Bf109-1"], defending=True) == 5


def groups(names: dict[str, int]) -> list[tuple[str, ...]]:
    """Every group of one unit or more."""
    return list(chain.from_iterable(combinations(names, size) for size in range(1, len(names) + 1)))
