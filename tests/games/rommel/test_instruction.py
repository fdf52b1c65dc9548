"""What the board says is to be done: what is done already, and what is due, with its chance."""

from __future__ import annotations

from fractions import Fraction

from pbem.core.requests import Orders
from pbem.core.rules import Instruction
from pbem.games.rommel import RULES
from pbem.games.rommel.rules.combat import win_chance
from pbem.games.rommel.rules.state import Phase, State
from support.rommel_positions import first_state, position, question_of

FACES = (2, 3, 3, 4, 4, 5)
"""Of the die (R1.2)."""
OBLIGED = {"20-Aus": ("61-Tre",), "24-Aus": ("125Inf", "PzIII-1")}
BESIDE = {"20-Aus": "1809", "24-Aus": "1807", "61-Tre": "1709", "125Inf": "1708", "PzIII-1": "1707"}


def instruct(state: State, *orders: str) -> Instruction:
    """The instruction after typed orders, which need not be complete."""
    asked, view = question_of(state), RULES.view
    assert view.instruct
    typed: Orders = view.read_words(asked, orders)
    return view.instruct(asked, typed)


def test_a_compulsory_attack_has_its_chance_before_any_is_ordered() -> None:
    """R5.5, R6.2: 20-Aus has 5 against the 3 of 61-Tre; 24-Aus 5 against 4, or against 7."""
    state = position(Phase.COMBAT, BESIDE, obliged=OBLIGED)
    chances = {
        (attack, defence): sum(a * attack > d * defence for a in FACES for d in FACES)
        / sum(a * attack != d * defence for a in FACES for d in FACES)
        for attack, defence in ((5, 3), (5, 4), (5, 7))
    }
    found = instruct(state)
    assert found.says == "Choose a unit to attack with: 2 are next to an enemy"
    assert found.due == (
        f"20-Aus must still attack 61-Tre, {chances[5, 3]:.0%}",
        f"24-Aus must still attack 125Inf, {chances[5, 4]:.0%}, or PzIII-1, {chances[5, 7]:.0%}",
    )


def test_an_attack_that_is_ordered_is_due_no_longer() -> None:
    state = position(Phase.COMBAT, BESIDE, obliged=OBLIGED)
    assert [line.split()[0] for line in instruct(state, "attack 20-Aus on 61-Tre").due] == ["24-Aus"]
    done = instruct(state, "attack 20-Aus on 61-Tre", "attack 24-Aus on PzIII-1")
    assert done == Instruction("No further unit can attack")


def test_the_odds_name_a_compulsory_attack_alone() -> None:
    """Each is shown with its own chance, though both must be ordered."""
    state = position(Phase.COMBAT, BESIDE, obliged=OBLIGED)
    alone = {odds.alone: odds.hit for odds in RULES.view.odds(question_of(state))}
    assert alone["attack 24-Aus on 125Inf"] == win_chance(5, 4)


def test_the_second_and_third_of_three_compulsory_attacks_have_their_chances() -> None:
    """R5.5, R6.2: two of the three owe it to the same unit, which may be the target of one combat alone."""
    three = {"20-Aus": ("61-Tre",), "24-Aus": ("PzIII-1",), "26-Aus": ("61-Tre",)}
    beside = {name: at for name, at in BESIDE.items() if name != "125Inf"} | {"26-Aus": "1708"}
    state = position(Phase.COMBAT, beside, obliged=three)
    asked, view = question_of(state), RULES.view

    def named(*typed: str) -> dict[str, Fraction]:
        assert view.further_odds
        found = view.further_odds(asked, view.read_words(asked, typed))
        return {odds.words: odds.hit for odds in found}

    alone = {odds.alone: odds.hit for odds in view.odds(asked)}
    assert alone["attack 24-Aus on PzIII-1"] == win_chance(5, 7)
    assert alone["attack 26-Aus 20-Aus on 61-Tre"] == win_chance(10, 3)
    assert named("attack 24-Aus on PzIII-1")["attack 20-Aus on 61-Tre"] == win_chance(5, 3)
    assert named("attack 24-Aus on PzIII-1")["attack 26-Aus 20-Aus on 61-Tre"] == win_chance(10, 3)
    assert "attack 26-Aus on 61-Tre" not in named("attack 20-Aus on 61-Tre")


def test_movement_is_counted() -> None:
    state = position(Phase.MOVE, {"20-Aus": "2009", "24-Aus": "2007", "AlSup-1": "2208", "61-Tre": "1409"})
    assert instruct(state) == Instruction("Choose a unit to move, or pass")
    assert instruct(state, "move 20-Aus to 2010").says == "1 of 3 units moved: choose another, or sign"
    whole = instruct(state, "move 20-Aus to 2010", "move 24-Aus to 2008", "move AlSup-1 to 2308")
    assert whole.says == "All your units have moved"


def test_an_aircraft_in_a_zone_must_dogfight() -> None:
    """R4.3, R6.2: 5 against 5, and no gun is near."""
    state = position(Phase.AIR, {"Spit-1": "2004", "Bf109-1": "1805", "20-Aus": "2509", "61-Tre": "1209"})
    found = instruct(state, "fly Spit-1 to 1905")
    (due,) = found.due
    assert due == "Spit-1 must still attack Bf109-1, 50%"
    assert found.says == "All your aircraft have orders"


def test_a_target_is_counted_for_each_unit_that_fires() -> None:
    state = position(Phase.FIRE, {"25pdr-1": "1807", "61-Tre": "1607"})
    assert instruct(state).says == "Choose a unit to fire: 1 has a target"
    assert instruct(state, "fire 25pdr-1 at 61-Tre").says == "No further unit can fire"


def test_counters_that_are_left_to_place_are_counted() -> None:
    """R2.1: 16 counters of one's choice, and every aircraft."""
    asked = question_of(first_state())
    assert RULES.view.instruct
    first = RULES.view.instruct(asked, [])
    aircraft = sum(
        counter.flies and counter.side == "axis" for counter in asked.state.setting.counters.values()
    )
    assert first.due == (f"{16 + aircraft} counters are left to place",)
    typed = RULES.view.read_words(asked, ["place 61-Tre 1607"])
    assert RULES.view.instruct(asked, typed).due == (f"{15 + aircraft} counters are left to place",)
