"""The odds: by hand, and against playing the real rules through everything that the dice may show."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbem.core.requests import Chance, Plain
from pbem.core.run import Run
from pbem.games.rommel import RULES
from pbem.games.rommel.rules.combat import win_chance
from pbem.games.rommel.rules.state import Phase, State
from support.rommel_positions import position, question_of, run_of

pytestmark = pytest.mark.thorough

HITS = {"bombs": "hit", "shoots": "hit"}


def by_words(state: State) -> dict[str, Fraction]:
    """The chance of everything that the question of a state allows."""
    return {odds.words: odds.hit for odds in RULES.view.odds(question_of(state))}


def played_through(state: State, orders: Plain) -> Fraction:
    """The chance that the first attack ordered hits, over everything that the dice may show."""
    run = run_of(state)
    run.told.clear()
    run.answer(orders)
    hit, missed = _mass(run)
    return hit / (hit + missed)


def _mass(run: Run) -> tuple[Fraction, Fraction]:
    """How likely a hit and a miss are; equal products are neither, for the combat begins anew (R6.3)."""
    verdict = _verdict(run)
    if verdict is not None:
        return verdict
    if not isinstance(run.pending, Chance):
        return Fraction(0), Fraction(1)
    begins_combat = bool(run.told) and run.told[-1].event == "fights"
    branches = [_branch(run, number) for number in range(len(run.pending.outcomes))]
    hit, missed = (sum(masses) / len(branches) for masses in zip(*branches, strict=True))
    whole = hit + missed if begins_combat else Fraction(1)
    return hit / whole, missed / whole


def _branch(run: Run, number: int) -> tuple[Fraction, Fraction]:
    branch = run.fork()
    branch.told.clear()
    branch.decide(number)
    return _mass(branch)


def _verdict(run: Run) -> tuple[Fraction, Fraction] | None:
    for tell in run.told:
        hit = None
        if tell.event in HITS:
            hit = tell.facts["hit"]
        elif tell.event == "dice":
            if tell.rule == "R6.3":
                return Fraction(0), Fraction(0)
            hit = tell.facts["attack"] > tell.facts["defence"]
        elif tell.event in ("void", "no_bombs"):
            hit = False
        if hit is not None:
            return Fraction(int(hit)), Fraction(int(not hit))
    return None


class TestWins:
    """R6.2, R6.3: of 36 throws of 2, 3, 3, 4, 4, 5 by each side, without those with equal products."""

    @pytest.mark.parametrize(
        ("attack", "defence", "per_cent"),
        [(4, 4, 50), (5, 4, 68), (4, 3, 78), (8, 7, 64), (3, 2, 85), (2, 1, 97)],
    )
    def test_the_printed_scale(self, attack: int, defence: int, per_cent: int) -> None:
        assert round(100 * win_chance(attack, defence)) == per_cent

    def test_two_to_one_by_hand(self) -> None:
        """A 2, doubled, equals a 4 (two of 36 throws) and loses to a 5 (one of 36); all else wins."""
        assert win_chance(2, 1) == Fraction(33, 34)

    def test_both_sides_together_are_certain(self) -> None:
        assert win_chance(7, 5) + win_chance(5, 7) == 1

    def test_three_to_one_is_certain(self) -> None:
        """The worst for the attacker is 2 against 5: 6 to 5."""
        assert win_chance(3, 1) == 1


class TestCombat:
    """Each unit alone on each enemy beside it, and all of them together."""

    def test_alone_and_together(self) -> None:
        """5 and 4 against 3: alone, and 9 to 3."""
        state = position(Phase.COMBAT, {"20-Aus": "2006", "153-Hld": "2007", "61-Tre": "1907"})
        assert by_words(state) == {
            "attack 20-Aus on 61-Tre": win_chance(5, 3),
            "attack 153-Hld on 61-Tre": win_chance(4, 3),
            "attack 20-Aus 153-Hld on 61-Tre": 1,
        }

    def test_a_fortification_doubles(self) -> None:
        state = position(Phase.COMBAT, {"20-Aus": "1806", "125Inf": "1706"}, forts=("1706",))
        assert by_words(state) == {"attack 20-Aus on 125Inf": win_chance(5, 8)}

    def test_what_others_must_attack_stands_beside(self) -> None:
        """R5.5: 153-Hld must attack 62-Tre, so no list without that is legal."""
        state = position(
            Phase.COMBAT,
            {"20-Aus": "2006", "61-Tre": "1907", "153-Hld": "2010", "62-Tre": "1911"},
            obliged={"153-Hld": ("62-Tre",)},
        )
        assert by_words(state) == {
            "attack 20-Aus on 61-Tre; attack 153-Hld on 62-Tre": win_chance(5, 3),
            "attack 153-Hld on 62-Tre": win_chance(4, 3),
        }


class TestFire:
    """R7.1: the faces of the fire table, each unit at each enemy in range."""

    def test_a_field_gun(self) -> None:
        """3 on infantry (2 in 6), 2 on a tank of two asterisks (1 in 6); five hexes are too far."""
        state = position(
            Phase.FIRE, {"25pdr-1": "2106", "61-Tre": "1706", "PzIII-1": "1806", "62-Tre": "1607"}
        )
        assert by_words(state) == {
            "fire 25pdr-1 at 61-Tre": Fraction(1, 3),
            "fire 25pdr-1 at PzIII-1": Fraction(1, 6),
        }


class TestAir:
    """R4.4, R4.5: an aircraft must come through the fire before it bombs or attacks."""

    def test_a_bomb_in_its_own_hex(self) -> None:
        """The 88 three hexes away fires first: 2 in 3 to live, then 2 in 6."""
        state = position(Phase.AIR, {"Well-1": "1706", "61-Tre": "1706", "88mm-1": "1406", "1-FFL": "3010"})
        assert by_words(state)["bomb Well-1"] == Fraction(2, 9)

    def test_every_option_of_bombs(self) -> None:
        units = {"Well-1": "1706", "61-Tre": "1706", "1-FFL": "3010"}
        state = position(Phase.AIR, units, options={"bomb_hits": [3, 5]})
        assert by_words(state)["bomb Well-1"] == Fraction(1, 2)

    def test_bombing_by_target(self) -> None:
        """Infantry by the scenario, 3 or 4 (4 in 6); the field gun beside it by `bomb_hits`, 3 (2 in 6)."""
        units = {"Well-1": "1706", "61-Tre": "1706", "DAK-Art": "1606", "1-FFL": "3010"}
        found = by_words(position(Phase.AIR, units, scenario={"bombing": {"infantry": [3, 4]}}))
        assert found["bomb Well-1"] == Fraction(2, 3)
        assert found["fly Well-1 1606; bomb Well-1"] == Fraction(1, 3)

    def test_flak_range_of_the_scenario(self) -> None:
        """The 88 three hexes away does not reach: 2 in 6. Four hexes away it does, with a range of 4."""
        units = {"Well-1": "1706", "61-Tre": "1706", "88mm-1": "1406", "1-FFL": "3010"}
        near = position(Phase.AIR, units, scenario={"flak_range": 2})
        assert by_words(near)["bomb Well-1"] == Fraction(1, 3)
        far = position(Phase.AIR, {**units, "88mm-1": "1306"}, scenario={"flak_range": 4})
        assert by_words(far)["bomb Well-1"] == Fraction(2, 9)

    def test_there_are_none_for_movement(self) -> None:
        assert RULES.view.odds(question_of(position(Phase.MOVE, {"1-FFL": "3010", "AlSup-1": "3011"}))) == []


THICK = {
    **{"Spit-1": "2004", "Balt-1": "1904", "Well-1": "1607", "Bf109-1": "1805", "CR42-1": "1805"},
    **{"88mm-1": "1606", "Flak-1": "1707", "61-Tre": "1607", "PzIII-1": "1808", "M14-1": "1709 struck"},
    **{"Sherman-1": "1908", "20-Aus": "1809", "25pdr-1": "1807", "AlSup-1": "2010"},
}


@pytest.mark.parametrize("step", [Phase.AIR, Phase.FIRE, Phase.COMBAT])
@pytest.mark.parametrize("weather", ["clear", "dust"])
def test_all_is_as_the_rules_play_it(step: Phase, weather: str) -> None:
    """A little of everything, with guns of both kinds on the way."""
    state = position(step, THICK, weather=weather, forts=("1707",))
    found = RULES.view.odds(question_of(state))
    assert len(found) > 3
    for odds in found:
        assert played_through(state, odds.orders) == odds.hit, odds


def test_the_tables_of_a_scenario_are_as_the_rules_play_them() -> None:
    tables = {"flak_range": 2, "bombing": {"infantry": [2, 4], "tank1": [5], "tank2": [3, 4, 5]}}
    state = position(Phase.AIR, THICK, scenario=tables)
    found = [odds for odds in RULES.view.odds(question_of(state)) if "bomb" in odds.words]
    assert len(found) > 3
    for odds in found:
        assert played_through(state, odds.orders) == odds.hit, odds
