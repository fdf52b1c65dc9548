"""What is laid over the map: zones, supply and threats, by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from pbem.games.rommel.rules.state import Phase
from pbem.games.rommel.terms.setting import ALLIED, AXIS
from pbem.games.rommel.view.overlays import supply, threats, zones
from pbem.games.rommel.view.reach import reach, routes
from support.rommel_positions import position, question_of

DICE = (2, 3, 3, 4, 4, 5)

UNITS = {"5-NZ": "2410", "PzIII-1": "2010", "12-Bers": "2012", "AxSup-1": "1910"}


def wins(attack: int, defence: int) -> Fraction:
    """R6.2, R6.3: of all throws that decide, those in which the attacker's product is the greater."""
    throws = [(a * attack, d * defence) for a, d in product(DICE, DICE)]
    return Fraction(sum(a > d for a, d in throws), sum(a != d for a, d in throws))


class TestRoutes:
    """R5.2: a hex once, with the path that leads there, which the rules take."""

    def test_as_reach(self) -> None:
        question = question_of(position(Phase.MOVE, UNITS, active=AXIS))
        steps, found = reach(question, "PzIII-1"), routes(question, "PzIII-1")
        assert steps.keys() == found.keys()
        assert "2310" in found
        for at, [order] in found.items():
            assert order["path"][-1] == at
            assert str(len(order["path"])) == steps[at]
            question.read([order])

    def test_in_the_air(self) -> None:
        question = question_of(position(Phase.AIR, {"Spit-1": "2508", "Ju87-1": "0904"}, active=ALLIED))
        found = routes(question, "Spit-1")
        assert found["2509"] == [{"fly": "Spit-1", "path": ["2509"]}]


class TestZones:
    """R5.5: the six hexes around each land unit, as far as they are land."""

    def test_of_one_side_and_of_both(self) -> None:
        found = zones(position(Phase.MOVE, {"5-NZ": "2410", "PzIII-1": "2310"})).figures
        assert found == {
            **dict.fromkeys(("2310", "2411", "2510", "2511"), "a"),
            **dict.fromkeys(("2410", "2309", "2209", "2210"), "X"),
            **dict.fromkeys(("2409", "2311"), "+"),
        }

    def test_aircraft_have_none_on_the_ground(self) -> None:
        assert zones(position(Phase.MOVE, {"Spit-1": "2508"})).figures == {}

    def test_in_the_set_up_they_are_where_each_side_places(self) -> None:
        """R2.1, R2.2: the Axis up to the minefield, which has 1804; the Allied, whose screen has 2108."""
        overlay = zones(position(Phase.ALLIED_SCREEN_SETUP, {}))
        found = overlay.figures
        assert overlay.meaning.startswith("in a side's set-up zone")
        assert [found.get(at) for at in ("0202", "1804", "2008", "2108", "3010", "2901")] == [
            "X",
            "X",
            None,
            "a",
            "a",
            None,
        ]


class TestSupply:
    """R5.4: within eight hexes of a supply unit; who stands outside is named."""

    def test_reach_and_who_is_cut_off(self) -> None:
        found = supply(position(Phase.MOVE, {**UNITS, "12-Bers": "0305"}))
        assert found.figures["2710"] == "X"  # eight hexes from 1910
        assert "2810" not in found.figures
        assert found.lines == (
            "Axis units out of supply (R5.4): 12-Bers in 0305",
            "Allied units out of supply (R5.4): 5-NZ in 2410",
        )


class TestThreats:
    """R5 to R7: who can come beside a unit and fight it, alone and together; who can fire at it."""

    def test_alone_and_together(self) -> None:
        found = {(one.why, tuple(one.by)): one.hit for one in threats(position(Phase.MOVE, UNITS), ALLIED)}
        assert found == {
            ("7 against 5", ("PzIII-1",)): wins(7, 5),
            ("4 against 5", ("12-Bers",)): wins(4, 5),
            ("11 against 5", ("PzIII-1", "12-Bers")): wins(11, 5),
            ("fire: a roll of 5", ("PzIII-1",)): Fraction(1, 6),  # tank of two asterisks at a soft target
        }

    def test_each_needs_a_hex_of_its_own(self) -> None:
        """Five hexes around 5-NZ hold friends, so one enemy finds room, not two."""
        friends = {"2409": "20-Aus", "2510": "24-Aus", "2511": "26-Aus", "2411": "151-Dur", "2311": "152-Hld"}
        state = position(Phase.MOVE, {**UNITS, **{name: at for at, name in friends.items()}})
        on_it = [one for one in threats(state, ALLIED) if one.unit == "5-NZ" and "against" in one.why]
        assert [one.by for one in on_it] == [{"PzIII-1": "2310"}, {"12-Bers": "2310"}]

    def test_out_of_supply_nobody_comes(self) -> None:
        """R5.4: the tank fires where it stands, four hexes off, and does not reach."""
        units = {name: at for name, at in UNITS.items() if name != "AxSup-1"}
        assert threats(position(Phase.MOVE, units), ALLIED) == []

    def test_no_gun_that_fired_at_aircraft(self) -> None:
        """R7.2: Flak-1 attacks later in this turn, and may not; Bofors-1 attacks in the next, and may."""
        units = {"5-NZ": "2410", "Flak-1": "2409", "61-Tre": "0205", "Bofors-1": "0204"}
        state = position(Phase.MOVE, units, fired_at_aircraft=("Flak-1", "Bofors-1"))
        assert not [one for one in threats(state, ALLIED) if "Flak-1" in one.by]
        later = position(Phase.MOVE, units, active=AXIS, fired_at_aircraft=("Flak-1", "Bofors-1"))
        assert [one for one in threats(later, AXIS) if "Bofors-1" in one.by]

    def test_while_the_enemy_fights_only_those_beside(self) -> None:
        units = {**UNITS, "12-Bers": "2310"}
        state = position(Phase.COMBAT, units, active=AXIS)
        assert [(one.why, dict(one.by)) for one in threats(state, ALLIED)] == [
            ("4 against 5", {"12-Bers": "2310"})
        ]

    def test_on_a_fortification_twice_the_factor(self) -> None:
        state = position(Phase.MOVE, {**UNITS, "12-Bers": "eliminated"}, forts=("2410",))
        fights = [one for one in threats(state, ALLIED) if "against" in one.why]
        assert [(one.why, one.hit) for one in fights] == [("7 against 10", wins(7, 10))]
