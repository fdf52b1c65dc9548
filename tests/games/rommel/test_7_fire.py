"""R7, fire: every firer at every kind of target over every distance, and what else it may do."""

from __future__ import annotations

from functools import partial
from itertools import product

import pytest

from pbem.core.requests import Throw, accepts
from pbem.games.rommel.rules import combat, fire
from pbem.games.rommel.rules.state import Phase
from support.rommel_positions import position, run_of

TABLE: dict[str, tuple[int, dict[str, tuple[int, ...]]]] = {
    "M14-1": (2, {"soft": (5,), "one": (3,), "two": (2,)}),
    "PzIII-1": (2, {"soft": (5,), "one": (2, 3), "two": (3,), "three": (2,)}),
    "PzIV-1": (3, {"soft": (5,), "one": (3, 4), "two": (2, 3), "three": (3,)}),
    "DAK-Art": (4, {"soft": (3,), "fort": (5,), "one": (2,), "two": (2,)}),
    "PzJg-1": (2, {"one": (3, 4), "two": (2, 3), "three": (3,)}),
    "88mm-1": (3, {"one": (3, 4), "two": (3, 4), "three": (2, 3)}),
}
"""The range and the faces of the fire table of the cases, by a firer of each row."""

TARGETS = {
    **{"20-Aus": "soft", "7-Mot": "soft", "AlSup-1": "soft", "25pdr-1": "soft"},
    **{"Stuart-1": "one", "Grant-1": "two", "Sherman-1": "three"},
}


class TestR71:
    """Range, and the faces that hit."""

    @pytest.mark.parametrize(("firer", "target", "away"), list(product(TABLE, TARGETS, range(1, 6))))
    def test_the_table(self, firer: str, target: str, away: int) -> None:
        state = position(Phase.FIRE, {firer: "2206", target: f"22{6 + away:02}"}, active="axis")
        reach, faces = TABLE[firer]
        hits = faces.get(TARGETS[target], ()) if away <= reach else ()
        assert fire.hitting_faces(state, firer, target) == hits
        assert fire.targets(state, firer) == ((target,) if hits else ())
        assert accepts(partial(fire.read, state), [{"fire": firer, "at": target}]) == bool(hits)

    @pytest.mark.parametrize("firer", TABLE)
    def test_on_a_fortification_all_are_alike(self, firer: str) -> None:
        """Infantry or gun: only field artillery harms it."""
        for target in ("20-Aus", "6pdr-1"):
            state = position(Phase.FIRE, {firer: "2206", target: "2207"}, active="axis", forts=("2207",))
            assert fire.hitting_faces(state, firer, target) == ((5,) if firer == "DAK-Art" else ())

    @pytest.mark.parametrize("name", ["125Inf", "Ramcke-A", "115PzG", "Flak-1", "AxSup-1", "Bf109-1"])
    def test_who_never_fires(self, name: str) -> None:
        state = position(Phase.FIRE, {name: "2206", "20-Aus": "2207", "Stuart-1": "2307"}, active="axis")
        assert fire.reach(state, name) == 0
        for target in ("20-Aus", "Stuart-1"):
            assert not accepts(partial(fire.read, state), [{"fire": name, "at": target}])

    @pytest.mark.parametrize(
        ("face", "hit"), [(0, False), (1, True), (2, True), (3, True), (4, True), (5, False)]
    )
    def test_every_throw_of_a_shot(self, face: int, hit: bool) -> None:
        """An 88 hits a Grant with 3 and 4, which are four of the six faces."""
        run = run_of(position(Phase.FIRE, {"88mm-1": "2206", "Grant-1": "2209"}, active="axis"))
        run.answer([{"fire": "88mm-1", "at": "Grant-1"}])
        run.decide(face)
        assert run.state.units["Grant-1"].struck is hit


class TestR72:
    """Who has fired does not attack, but for tanks; `tanks_fire_and_fight` makes them like guns."""

    @pytest.mark.parametrize(
        ("name", "tanks_do_both", "attacks"),
        [
            ("DAK-Art", True, False),
            ("PzJg-1", True, False),
            ("88mm-1", True, False),
            ("PzIII-1", True, True),
            ("PzIII-1", False, False),
        ],
    )
    def test_after_fire(self, name: str, tanks_do_both: bool, attacks: bool) -> None:
        options = {"tanks_fire_and_fight": tanks_do_both}
        state = position(Phase.COMBAT, {name: "2206", "20-Aus": "2207"}, active="axis", options=options)
        assert combat.enemies_within_reach(state, name) == ["20-Aus"]
        fired = state.with_changes(fired=(name,))
        assert combat.enemies_within_reach(fired, name) == (["20-Aus"] if attacks else [])
        attack = [{"attack": [name], "on": ["20-Aus"]}]
        assert accepts(partial(combat.read, fired), attack) == attacks


class TestR73:
    """All fire is declared, and then resolved in the order written; a shot at what is gone is lost."""

    def test_three_shots_at_one_tank(self) -> None:
        units = {"88mm-1": "2206", "PzIII-1": "2208", "PzIV-1": "2308", "Stuart-1": "2207", "AlSup-1": "2912"}
        run = run_of(position(Phase.FIRE, units, active="axis"))
        run.answer([{"fire": name, "at": "Stuart-1"} for name in ("PzIV-1", "88mm-1", "PzIII-1")])
        assert [tell.event for tell in run.told] == ["aims"] * 3
        run.decide(3)
        assert run.state.units["Stuart-1"].struck
        run.decide(3)
        told = [(tell.event, tell.facts.get("unit")) for tell in run.told[3:]]
        assert told[:5] == [
            ("shoots", "PzIV-1"),
            ("struck", "Stuart-1"),
            ("shoots", "88mm-1"),
            ("eliminated", "Stuart-1"),
            ("lost_shot", "PzIII-1"),
        ]
        assert isinstance(run.pending, Throw)
        assert run.pending.rule == "R3.1"  # nobody else can act: the next turn has begun
