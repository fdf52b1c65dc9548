"""The strong player, and the playouts of its plans for `hint`: both know only what is public."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from games.rommel.test_practice_players import end_hexes
from pbem.analysis.self_play import RunDriver, SeatedPlayer, seeded_random
from pbem.core.requests import Ask, Orders, Question
from pbem.core.sealing import Open, Seal
from pbem.games.rommel import RULES
from pbem.games.rommel.players import strong
from pbem.games.rommel.players.outlook import allied_hopes
from pbem.games.rommel.players.tactics import Gunnery
from pbem.games.rommel.rules import movement, setup
from pbem.games.rommel.rules.state import Phase
from pbem.games.rommel.terms.setting import ALLIED, AXIS
from support.rommel_positions import first_state, position, question_of, run_of

STRONG = RULES.players["strong"]
UNITS = {
    **{"20-Aus": "2006", "24-Aus": "2007", "Grant-1": "2106", "AlSup-1": "2206", "153-Hld": "2107"},
    **{"125Inf": "1806", "61-Tre": "1705", "PzIII-1": "1606", "AxSup-1": "1405"},
}
"""A small fight for the coast road."""


def fight(**changes: object) -> Question:
    """The Allied movement of that fight."""
    return question_of(
        position(Phase.MOVE, UNITS, turn=9, cleared=("1805", "1806", "1905", "1906"), **changes)
    )


def first_movement() -> Question:
    """The Allied's first movement in a game of sensible players."""
    seated = {
        seat: SeatedPlayer(seat, RULES.players["sensible"], seeded_random(0, seat)) for seat in RULES.seats
    }
    run, driver = run_of(first_state()), RunDriver(seated, seeded_random(0))
    while not (isinstance(run.pending, Ask) and run.pending.question == Phase.MOVE):
        driver.answer_pending(run)
    return run.pending


class TestEffort:
    """A playout for each item of effort, no more."""

    def test_it_takes_as_many_as_there_are(self) -> None:
        adviser = RULES.adviser
        assert adviser is not None
        advice = adviser(fight(), Random(1), range(20))
        assert sum(each.playouts for each in advice) == 20
        assert all(0 <= each.won <= each.playouts for each in advice)
        for each in advice:
            fight().read(each.orders)

    def test_the_same_effort_gives_the_same_advice(self) -> None:
        adviser = RULES.adviser
        assert adviser is not None
        assert adviser(fight(), Random(1), range(12)) == adviser(fight(), Random(1), range(12))

    def test_without_effort_it_answers(self) -> None:
        fight().read(STRONG(fight(), Random(1)))

    def test_the_player_takes_none(self) -> None:
        """It does not search, whatever time it has."""
        effort = iter(range(5))
        assert STRONG(fight(), Random(1), effort) == STRONG(fight(), Random(1))
        assert list(effort) == [0, 1, 2, 3, 4]


class TestChoice:
    """It takes what wins."""

    def test_the_attack_that_ends_the_game(self) -> None:
        """R8.2: the last combat; the Axis wins if it drives 2-FFL from its point, 24 against 3."""
        units = {"2-FFL": "1606", "PzIII-1": "1605", "PzIII-2": "1607", "PzIV-1": "1507", "153-Hld": "2107"}
        state = position(Phase.COMBAT, units, active=AXIS, turn=11)
        [order] = STRONG(question_of(state), Random(1), range(8))
        assert order["on"] == ["2-FFL"]

    def test_what_wins_for_certain_is_worth_a_whole_game(self) -> None:
        """R8.1: three points are held, and the one Axis unit is too far away to change it."""
        adviser = RULES.adviser
        assert adviser is not None
        held = {"20-Aus": "1606", "24-Aus": "1704", "26-Aus": "1203", "AlSup-1": "1807", "153-Hld": "2107"}
        state = position(Phase.MOVE, {**held, "125Inf": "0503", "AxSup-1": "0502"}, turn=11)
        best = adviser(question_of(state), Random(1), range(6))[0]
        assert best.won == best.playouts == 6

    def test_it_says_which_attack_is_owed(self) -> None:
        """R5.5: an attack at bad odds has its reason."""
        units = {"20-Aus": "2006", "61-Tre": "1907", "62-Tre": "1906"}
        ask = question_of(position(Phase.COMBAT, units, obliged={"20-Aus": ("61-Tre",)}))
        assert RULES.adviser is not None
        assert RULES.view.why is not None
        best = RULES.adviser(ask, Random(1), range(2))[0]
        assert "20-Aus must attack 61-Tre (R5.5)" in [str(line) for line in RULES.view.why(ask, best)]

    def test_the_advice_begins_with_what_the_player_does(self) -> None:
        """Whatever the playouts say: by one of these seeds another plan has the better results."""
        adviser, ask = RULES.adviser, first_movement()
        assert adviser is not None
        is_best = []
        for seed in range(2):
            advice = adviser(ask, Random(seed), range(10))
            own, *others = [each.won / each.playouts for each in advice]
            assert advice[0].orders == STRONG(ask, Random(seed))
            assert others == sorted(others, reverse=True)
            is_best.append(own > others[0])
        assert is_best == [True, False]

    def test_plans_are_compared_with_the_same_throws(self) -> None:
        """The same orders twice have the same results, playout by playout."""
        plans = [strong.Trial(STRONG(fight(), Random(1))) for _ in range(2)]
        strong.run_trials(fight(), plans, Random(3), range(6))
        assert plans[0].playouts == plans[1].playouts == 3
        assert plans[0].won == plans[1].won


class TestManner:
    """What it orders without any playout, where the sensible player orders something else."""

    def test_guns_are_kept_for_fire(self) -> None:
        """R7.2: the sensible player has the gun attack beside the infantry; here it stays out of zones."""
        units = {"25pdr-1": "2108", "20-Aus": "2107", "61-Tre": "1907", "AlSup-1": "2409"}
        state = position(Phase.MOVE, {**units, "153-Hld": "2209", "154-Hld": "2906"}, turn=9)
        [order] = [one for one in STRONG(question_of(state), Random(0)) if one.get("move") == "25pdr-1"]
        assert not movement.entered_zone(state, ALLIED, order["path"][-1])

    def test_a_gun_that_has_no_target_joins_a_strike(self) -> None:
        """R7.1: an anti-tank gun does not fire at infantry; it was idle where no tank was near."""
        units = {"6pdr-1": "2108", "20-Aus": "2007", "Ramcke-A": "1907", "AlSup-1": "2409"}
        state = position(Phase.MOVE, {**units, "153-Hld": "2107", "154-Hld": "2906"}, turn=9)
        to = end_hexes(STRONG(question_of(state), Random(0)))
        assert to["6pdr-1"] in state.setting.grid.adjacent("1907")

    def test_a_place_is_worth_the_shot_from_it(self) -> None:
        """R7.1, R3.3: field artillery fires four hexes far, not in a storm, and infantry not at all."""
        units = {"25pdr-1": "2208", "20-Aus": "2206", "61-Tre": "1907"}
        clear = Gunnery(position(Phase.MOVE, units), ALLIED)
        assert clear.worth("25pdr-1", "2309") > 0
        assert clear.worth("25pdr-1", "2409") == 0
        assert clear.worth("20-Aus", "2008") == 0
        assert Gunnery(position(Phase.MOVE, units, weather="storm"), ALLIED).worth("25pdr-1", "2309") == 0

    def test_a_tank_on_a_point_is_attacked_twice(self) -> None:
        """R1.3: one hit strikes it, and it would hold the point to the end (R8.2)."""
        units = {"PzIII-1": "1605", "PzIII-2": "1607", "PzIV-1": "1507", "PzIII-3": "1506", "153-Hld": "2107"}
        state = position(Phase.COMBAT, {**units, "Sherman-1": "1606"}, active=AXIS, turn=11)
        assert [order["on"] for order in STRONG(question_of(state), Random(0))] == [["Sherman-1"]] * 2

    def test_the_best_of_the_axis_stand_before_the_points(self) -> None:
        pending = run_of(first_state()).pending
        assert isinstance(pending, Ask)
        grid, points = pending.state.setting.grid, pending.state.setting.victory_points

        def away(orders: Orders) -> int:
            elite = ("Ramcke-A", "Ramcke-B", "186-Fol", "187-Fol")
            places = [orders[0]["place"][name] for name in elite]
            return sum(min(grid.distance(at, point) for point in points) for at in places)

        assert away(STRONG(pending, Random(1))) < away(setup.ready_placement(pending.state, "historical"))

    def test_the_axis_builds_where_it_may(self) -> None:
        """R2.4: on the victory points at the front with `forts_anywhere`, on none without it."""
        for anywhere in (True, False):
            state = first_state(forts_anywhere=anywhere)
            for step in (Phase.AXIS_FIRST_SETUP, Phase.AXIS_SCREEN_SETUP):
                ask = question_of(replace(state, step=step))
                orders = ask.read(STRONG(ask, Random(1)))
                state = setup.state_with_placement(replace(state, step=step), orders)
            assert ({"1606", "1705"} <= {*state.forts}) == anywhere


class TestReasons:
    """What `pbem hint` tells of an answer."""

    def test_a_movement(self) -> None:
        """Three points are held, and nobody is near who could lose or take anything."""
        adviser, why = RULES.adviser, RULES.view.why
        assert adviser is not None
        assert why is not None
        held = {"20-Aus": "1606", "24-Aus": "1704", "26-Aus": "1203", "AlSup-1": "1807", "153-Hld": "2107"}
        ask = question_of(position(Phase.MOVE, {**held, "125Inf": "0503", "AxSup-1": "0502"}, turn=11))
        assert why(ask, adviser(ask, Random(1), range(3))[0]) == [
            "combat factors lost before its next movement: 0.0 by the Allies, 0.0 by the Axis",
            "victory points with Allied units by then: 3.0",
        ]

    def test_a_combat_has_its_exact_odds(self) -> None:
        """R6.2: 10 against 3 wins with the worst throw against the best, 20 against 15."""
        adviser, why = RULES.adviser, RULES.view.why
        assert adviser is not None
        assert why is not None
        units = {"20-Aus": "2006", "24-Aus": "2007", "61-Tre": "1907", "AlSup-1": "2107"}
        ask = question_of(position(Phase.COMBAT, units))
        advice = adviser(ask, Random(1), range(2))
        attack = next(each for each in advice if each.orders != [{"pass": True}])
        assert why(ask, attack)[0] == "20-Aus and 24-Aus on 61-Tre: 10 against 3, wins 100% (1) of the time"


class TestOutlook:
    """What a position promises."""

    def test_strength_counts(self) -> None:
        state = position(Phase.MOVE, UNITS, turn=5)
        without = position(Phase.MOVE, {name: at for name, at in UNITS.items() if name != "PzIII-1"}, turn=5)
        assert allied_hopes(state) < allied_hopes(without)

    def test_the_end_counts_alone(self) -> None:
        state = position(Phase.MOVE, UNITS)
        run = run_of(replace(state, step=Phase.END_OF_TURN, turn=11))
        assert run.state.outcome is not None
        assert allied_hopes(run.state) == 0.0


class TestKnowledge:
    """It knows what everybody knows: the sealed placement is to it a seal, as to anybody."""

    def test_a_seal_makes_no_difference(self) -> None:
        """The Allied set-up is asked for while the Axis's is sealed; two seals, one answer."""
        found = [STRONG(self.sealed(seal), Random(4), range(4)) for seal in ("1" * 64, "2" * 64)]
        assert found[0] == found[1]

    @staticmethod
    def sealed(seal: str) -> Question:
        """The question for the Allied's placement, behind the screen."""
        run = run_of(first_state())
        while not isinstance(pending := run.pending, Seal):
            assert isinstance(pending, Ask)
            run.answer(STRONG(pending, Random(1)))
        run.answer([{"seal": seal}])
        assert isinstance(run.pending, Ask)
        assert not isinstance(run.pending, Open)
        return run.pending

    def test_set_ups_vary(self) -> None:
        pending = run_of(first_state()).pending
        assert isinstance(pending, Ask)
        placements = [STRONG(pending, Random(seed)) for seed in range(4)]
        for orders in placements:
            pending.read(orders)
        assert len({repr(sorted(order["place"].items())) for [order] in placements}) == 4
