"""What orders come to before they are signed: against the real rules, played through all dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from games.rommel.test_odds import THICK
from pbem.core.requests import Chance, Orders
from pbem.core.rules import Forecast
from pbem.core.run import Run
from pbem.games.rommel import RULES
from pbem.games.rommel.rules.orders import Attack, Shot
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import AXIS
from pbem.games.rommel.view.forecast import Prospects, combat_prospects, shot_prospects, sortie_prospects
from support.rommel_positions import position, question_of, run_of

Spread = dict[tuple[frozenset[int], frozenset[str]], Fraction]
"""The chance of each set of attacks that succeed, by their places in the list, with who is shot down."""


def typed(state: State, *lines: str) -> Orders:
    """Orders as typed."""
    return RULES.view.read_words(question_of(state), list(lines))


def forecast(state: State, orders: Orders) -> Forecast:
    """What the view says of orders."""
    assert RULES.view.forecast is not None
    return RULES.view.forecast(question_of(state), orders)


def played(state: State, orders: Orders) -> Spread:
    """All that may come of orders, by the rules themselves."""
    run = run_of(state)
    run.told.clear()
    run.answer(orders)
    attackers = [
        [order[verb]] if isinstance(order[verb], str) else order[verb]
        for order in orders
        for verb in ("bomb", "dogfight", "fire", "attack")
        if verb in order
    ]
    return _spread(run, attackers, frozenset(), frozenset(), None)


def _spread(
    run: Run, attackers: list[list[str]], won: frozenset[int], down: frozenset[str], fighting: int | None
) -> Spread:
    """The rest of the story. Equal products are left out, and each combat made whole again (R6.3)."""
    begins = False
    for tell in run.told:
        facts: Any = tell.facts
        match tell.event:
            case "fights":
                [fighting] = [at for at, units in enumerate(attackers) if facts["units"][0] in units]
                begins = True
            case "dice" if facts["attack"] == facts["defence"]:
                return {}
            case "dice" if facts["attack"] > facts["defence"]:
                assert fighting is not None
                won |= {fighting}
            case "shoots" | "bombs" if facts["hit"]:
                won |= {at for at, units in enumerate(attackers) if facts["unit"] in units}
            case "flak" if facts["hit"]:
                down |= {facts["at"]}
            case "passes" | "turn_ends" | "weather_comes":
                return {(won, down): Fraction(1)}
    if not isinstance(run.pending, Chance) or not _ours(run):
        return {(won, down): Fraction(1)}
    found: Spread = {}
    for outcome, times in Counter(run.pending.outcomes).items():
        branch = run.fork()
        branch.told.clear()
        branch.decide(run.pending.outcomes.index(outcome))
        for key, chance in _spread(branch, attackers, won, down, fighting).items():
            part = chance * Fraction(times, len(run.pending.outcomes))
            found[key] = found.get(key, Fraction(0)) + part
    whole = sum(found.values())
    return {key: chance / whole for key, chance in found.items()} if begins else found


def _ours(run: Run) -> bool:
    """Whether a die is thrown for the orders, and not for the weather of the next turn."""
    return run.pending is not None and run.pending.rule != "R3.1"


def agrees(found: Prospects, spread: Spread, attacks: int) -> None:
    """The forecast says just what was played."""
    assert sum(spread.values()) == 1
    for at in range(attacks):
        assert found.each[at] == sum(p for (won, _), p in spread.items() if at in won), at
    for number in range(attacks + 1):
        assert found.together[number] == sum(p for (won, _), p in spread.items() if len(won) == number)
    for name, lives in found.lives.items():
        assert lives == sum(p for (_, down), p in spread.items() if name not in down), name
    shot_at = {name for _, down in spread for name in down}
    assert set(found.lives) == shot_at


class TestCombats:
    """R6.5: in the order written, with those that remain."""

    UNITS = {  # noqa: RUF012
        **{"20-Aus": "2006", "153-Hld": "2007", "61-Tre": "1907", "Sherman-1": "1908"},
        **{"PzIII-1": "1906", "25pdr-1": "2008", "5-NZ": "1808"},
    }

    @pytest.mark.parametrize(
        "lines",
        [
            ("attack 20-Aus on 61-Tre", "attack 153-Hld on 61-Tre"),
            ("attack 20-Aus on PzIII-1", "attack 153-Hld on 61-Tre", "attack Sherman-1 on 61-Tre"),
            ("attack 20-Aus on PzIII-1 61-Tre", "attack 153-Hld Sherman-1 on 61-Tre"),
        ],
    )
    def test_as_the_rules_play_them(self, lines: Sequence[str]) -> None:
        state = position(Phase.COMBAT, self.UNITS)
        orders = typed(state, *lines)
        attacks = [Attack(tuple(order["attack"]), tuple(order["on"])) for order in orders]
        agrees(combat_prospects(state, attacks), played(state, orders), len(orders))

    def test_what_a_later_combat_joins(self) -> None:
        """The third combat is with units of the first and of the second, far apart till then."""
        units = {**self.UNITS, "62-Tre": "1807"}
        state = position(Phase.COMBAT, units)
        orders = typed(
            state, "attack 5-NZ on 62-Tre", "attack 20-Aus on 61-Tre", "attack Sherman-1 on 61-Tre 62-Tre"
        )
        attacks = [Attack(tuple(order["attack"]), tuple(order["on"])) for order in orders]
        agrees(combat_prospects(state, attacks), played(state, orders), len(orders))

    def test_two_by_hand(self) -> None:
        """20-Aus 5 to 3 on one, 153-Hld 4 to 3 on another that is far away: they have nothing to do with each
        other, so both win with the product of their chances.

        5 to 3: of 36 throws of 2, 3, 3, 4, 4, 5 each: 2 gives 10 and beats 2 and 3 (6, 9): 3 of 6; 3 gives
        15, beats 2, 3, 4 and equals 5: 5 won, 1 equal; 4 and 5 beat all. Won: 3 + 2*5 + 2*6 + 6 = 31 of 34.
        4 to 3: 2 gives 8 and beats 2 (6): 1 of 6; 3 gives 12, beats 2, 3 (9) and equals 4: 3 won, 2 equal; 4
        gives 16 and beats all. 5 too. Won 1 + 2*3 + 2*6 + 6 = 25, equal 4: 25 of 32.
        """
        units = {"20-Aus": "2006", "61-Tre": "1907", "153-Hld": "2010", "62-Tre": "1911"}
        state = position(Phase.COMBAT, units)
        found = combat_prospects(state, [Attack(("20-Aus",), ("61-Tre",)), Attack(("153-Hld",), ("62-Tre",))])
        assert found.each == (Fraction(31, 34), Fraction(25, 32))
        assert found.together == (Fraction(3 * 7, 1088), Fraction(31 * 7 + 3 * 25, 1088), Fraction(775, 1088))

    def test_the_line(self) -> None:
        units = {"20-Aus": "2006", "61-Tre": "1907", "153-Hld": "2010", "62-Tre": "1911"}
        state = position(Phase.COMBAT, units)
        orders = typed(state, "attack 20-Aus on 61-Tre", "attack 153-Hld on 62-Tre")
        assert forecast(state, orders).chances == ("Combats won: none 2%, one 27%, two 71%",)


class TestShots:
    """R7.3: in the order written; a shot at a unit that is gone is lost, a tank is struck first."""

    UNITS = {"25pdr-1": "2106", "NZ-Art": "2107", "Aus-AT": "2006", "61-Tre": "1906", "PzIII-1": "1907"}  # noqa: RUF012

    @pytest.mark.parametrize(
        "lines",
        [
            ("fire 25pdr-1 at 61-Tre", "fire NZ-Art at 61-Tre", "fire Aus-AT at PzIII-1"),
            ("fire 25pdr-1 at PzIII-1", "fire NZ-Art at PzIII-1", "fire Aus-AT at PzIII-1"),
            ("fire 25pdr-1 at PzIII-1", "fire NZ-Art at 61-Tre", "fire Aus-AT at PzIII-1"),
        ],
    )
    def test_as_the_rules_play_them(self, lines: Sequence[str]) -> None:
        state = position(Phase.FIRE, self.UNITS)
        orders = typed(state, *lines)
        shots = [Shot(order["fire"], order["at"]) for order in orders]
        agrees(shot_prospects(state, shots), played(state, orders), len(orders))


class TestSorties:
    """R4.4, R4.5: flights under fire in the order written, each gun once, then bombs and dogfights."""

    @pytest.mark.parametrize(
        "lines",
        [
            ("bomb Well-1",),
            ("fly Well-1 1606", "bomb Well-1"),
            ("fly Well-1 1608 1709; bomb Well-1", "fly Balt-1 1803 1704 1705; dogfight Balt-1 on Bf109-1"),
            ("fly Spit-1 2003 1903 1803 1704 1705; dogfight Spit-1 on CR42-1", "bomb Well-1"),
            ("fly Balt-1 1803 1704 1604 1605 1606 1607; bomb Balt-1", "bomb Well-1"),
        ],
    )
    def test_as_the_rules_play_them(self, lines: Sequence[str]) -> None:
        state = position(Phase.AIR, THICK)
        orders = typed(state, *lines)
        answer = question_of(state).read(orders)
        attacks = sum("bomb" in order or "dogfight" in order for order in orders)
        agrees(sortie_prospects(state, answer), played(state, orders), attacks)


def test_a_sortie_in_words() -> None:
    """The 88 three hexes away hits with 3 (2 in 6): 2 in 3 to live, then a 3 for the bomb: 2 in 9.

    Far from any gun two fighters of 5: 1 in 2. Both 1 in 9, neither 7 in 18, one 9 in 18.
    """
    units = {"Well-1": "1706", "61-Tre": "1706", "88mm-1": "1406", "1-FFL": "3010"}
    state = position(Phase.AIR, {**units, "Spit-1": "2504", "Bf109-1": "2505"})
    told = forecast(state, typed(state, "bomb Well-1; dogfight Spit-1 on Bf109-1")).chances
    assert told == (
        "Well-1 survives anti-aircraft fire 67% (2/3) of the time (R4.4)",
        "Well-1 hits 61-Tre 22% (2/9) of the time (R4.5)",
        "Spit-1 beats Bf109-1 50% (1/2) of the time (R4.5)",
        "Bombs and dogfights that succeed: none 39%, one 50%, two 11%",
    )


def test_what_guns_will_fire_at() -> None:
    """R4.4: a standing order says what it changes, beside what the other orders come to."""
    units = {"88mm-1": "1406", "88mm-2": "1408", "AxSup-1": "1407", "20-Aus": "2107"}
    state = position(Phase.MOVE, units, active=AXIS)
    told = forecast(state, typed(state, "aa bombers 88mm-1 88mm-2", "aa hold", "pass")).chances
    assert told == (
        "From now on 88mm-1 and 88mm-2 will fire at bombers only (R4.4)",
        "From now on all your anti-aircraft guns will not fire at aircraft (R4.4)",
    )


class TestDuties:
    """R5.5: what a move obliges to, with the chance, before it is signed."""

    def test_one_of_two(self) -> None:
        """20-Aus (5) enters the zones of 125Inf (4, doubled on a fortification) and 61-Tre (3).

        5 to 8: of 36 throws 3 to 2 (15 against 16) fails, 4 beats 2 (20), 5 beats 2 and 3 (24), 5 to 3 is 25:
        4 with 2: 2 of 36; 5 with 2 or 3: 3 of 36; 5 in 36, and nothing is equal.
        """
        units = {"20-Aus": "2107", "AlSup-1": "2108", "61-Tre": "1906", "125Inf": "1907"}
        state = position(Phase.MOVE, units, forts=("1907",))
        orders = typed(state, "move 20-Aus 2006")
        assert forecast(state, orders).chances == (
            "20-Aus must attack 125Inf: 5 against 8, wins 14% (5/36) of the time; or 61-Tre: 5 "
            "against 3, wins 91% (31/34) of the time (R5.5)",
        )

    def test_together(self) -> None:
        """5 and 4 against 3 together: 9 to 3 beats every throw (18 to 15 at worst)."""
        units = {"20-Aus": "2106", "153-Hld": "2108", "AlSup-1": "2109", "61-Tre": "1907"}
        state = position(Phase.MOVE, units)
        orders = typed(state, "move 20-Aus 2006", "move 153-Hld 2007")
        assert forecast(state, orders).chances == (
            "20-Aus must attack 61-Tre: 5 against 3, wins 91% (31/34) of the time (R5.5)",
            "153-Hld must attack 61-Tre: 4 against 3, wins 78% (25/32) of the time (R5.5)",
            "20-Aus and 153-Hld together against 61-Tre: 9 against 3, wins 100% (1) of the time",
        )

    @pytest.mark.parametrize("frees", [True, False])
    def test_a_gun_may_fire_instead(self, frees: bool) -> None:
        """`fire_frees_from_combat`; 4 against 3."""
        units = {"25pdr-1": "2107", "AlSup-1": "2108", "61-Tre": "1906"}
        state = position(Phase.MOVE, units, options={"fire_frees_from_combat": frees})
        [line] = forecast(state, typed(state, "move 25pdr-1 2006")).chances
        assert line.endswith(", or fire (R5.5)") == frees

    def test_none_away_from_the_enemy(self) -> None:
        state = position(Phase.MOVE, {"20-Aus": "2107", "AlSup-1": "2108", "61-Tre": "1506"})
        assert forecast(state, typed(state, "move 20-Aus 2006")).chances == ()


class TestLandings:
    """R4.6: who stands down far from home is told where he will land, and that he finds no room."""

    OUT = {"Spit-1": "1904", "1-FFL": "3010", "61-Tre": "1506"}  # noqa: RUF012

    def test_the_first_airfield_by_number(self) -> None:
        """The Allied airfields of the cases' map are 2508, 2710 and 2907; the others are ten hexes away."""
        state = position(Phase.AIR, self.OUT)
        [warning] = forecast(state, typed(state, "stand down")).warnings
        assert warning == (
            "Spit-1 in 1904 will land on 2508, 7 hexes away (R4.6); for another airfield: land Spit-1 2710"
        )

    def test_not_if_told_where(self) -> None:
        state = position(Phase.AIR, self.OUT)
        assert forecast(state, typed(state, "stand down", "land Spit-1 2907")).warnings == ()

    def test_not_at_home(self) -> None:
        state = position(Phase.AIR, {**self.OUT, "Spit-1": "2508"})
        assert forecast(state, typed(state, "stand down")).warnings == ()

    def test_not_before_the_last_sub_turn(self) -> None:
        state = position(Phase.AIR, self.OUT)
        assert forecast(state, typed(state, "fly Spit-1 1905")).warnings == ()

    def test_a_pass_in_the_last_sub_turn_lands_as_well(self) -> None:
        state = position(Phase.AIR, self.OUT, subturn=4)
        assert len(forecast(state, typed(state, "pass")).warnings) == 1

    def test_lost(self) -> None:
        """Every Allied airfield is occupied."""
        taken = {"61-Tre": "2508", "62-Tre": "2710", "125Inf": "2907"}
        state = position(Phase.AIR, {**self.OUT, **taken})
        assert forecast(state, typed(state, "stand down")).warnings == (
            "Spit-1 in 1904 will find no airfield with room and be eliminated (R4.6)",
        )

    def test_as_it_comes(self) -> None:
        """Five are out, and the one airfield that is left has room for four: the last by name is lost."""
        names = ("Balt-1", "Boston-1", "Kitty-1", "Spit-1", "Well-1")
        out = {name: f"19{number:02}" for number, name in enumerate(names, 3)}
        units = {**out, "1-FFL": "3010", "62-Tre": "2710", "125Inf": "2907"}
        state = position(Phase.AIR, units)
        run = run_of(state)
        orders = typed(state, "stand down")
        said = forecast(state, orders).warnings
        run.answer(orders)
        while any(run.state.at(name) == at for name, at in out.items()) and run.state.step == Phase.AIR:
            run.answer([{"stand_down": True}])
        assert [run.state.at(name) for name in names] == ["2508"] * 4 + ["eliminated"]
        assert [line.split()[0] for line in said] == list(names)
        assert "eliminated" in said[-1]
