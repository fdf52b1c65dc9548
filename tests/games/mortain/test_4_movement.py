"""M4, movement: the facts of refusals, and what is told."""

from __future__ import annotations

import pytest

from pbem.core.requests import Plain
from pbem.errors import IllegalOrder, Unfinished
from support.mortain_positions import (
    draw_cards,
    event_facts,
    position,
    question_on_card,
    refusal,
    run_of,
)

STATE = position(
    {
        "117Inf": "1801",
        "SPTD": "1103",
        "CCA": "waiting",
        "2SS-A": "1802",
        "DF": "1803",
        "D": "1804",
        "37SS": "1101",
        "38SS": "waiting",
        "Tiger102": "1704",
    }
)


@pytest.mark.parametrize(
    ("card", "order", "facts"),
    [
        (
            "KS",
            {"move": "38SS", "to": "1901"},
            "M4.1: 38SS is off the map: order it to enter, not to move",
        ),
        ("KS", {"move": "DF", "to": "1603"}, "M4.1: 1603 is not adjacent to 1803, where DF is"),
        (
            "KH",
            {"move": "117Inf", "to": "1901"},
            "M4.1: 117Inf may not enter 1901 in the easternmost column while a German unit is "
            "waiting off the map",
        ),
        ("KS", {"move": "2SS-A", "to": "1801"}, "M4.3: 2SS-A may not enter 1801, which holds 117Inf"),
        ("KS", {"enter": "DF", "at": "1903"}, "M4.4: DF is already on the map, in 1803"),
        ("KH", {"enter": "CCA", "at": "1104"}, "M4.4: CCA may not enter before turn 2; this is turn 1"),
        ("KS", {"enter": "38SS", "at": "1103"}, "M4.3: 38SS may not enter 1103, which holds SPTD"),
        ("KS", {"enter": "38SS", "at": "1104"}, "M4.4: 38SS must enter in column 19, not in 1104"),
        ("KH", {"exit": "SPTD"}, "M4.5: only German units may exit, and SPTD is not one"),
        ("KS", {"exit": "38SS"}, "M4.5: 38SS is off the map; units exit from column 11"),
        ("KS", {"exit": "DF"}, "M4.5: DF is in 1803; units exit from column 11"),
    ],
)
def test_refusals_give_the_facts(card: str, order: Plain, facts: str) -> None:
    assert refusal(STATE, card, [order]) == facts


def test_an_exit_is_no_hex_that_the_enemy_holds() -> None:
    state = position({"SPTD": "1103", "DF": "exited", "D": "1804"})
    assert refusal(state, "KH", [{"exit": "SPTD"}]).startswith(
        "M4.5: only German units may exit, and SPTD is not one"
    )


class TestM42:
    """At most two units in a hex when all have moved; Tiger 102 does not count."""

    def test_the_refusal(self) -> None:
        orders = [{"move": "2SS-A", "to": "1803"}, {"move": "D", "to": "1803"}]
        assert refusal(STATE, "10S", orders) == (
            "M4.2: 1803 would hold three units (2SS-A, DF, D); it may hold two besides Tiger 102"
        )

    def test_two_may_change_places(self) -> None:
        orders = [{"move": "2SS-A", "to": "1803"}, {"move": "DF", "to": "1802"}]
        assert refusal(STATE, "10S", orders) == ""

    @pytest.mark.parametrize(
        ("more", "unfinished"), [([], True), ([{"fire": ["37SS"], "at": "117Inf"}], False)]
    )
    def test_a_third_unit_before_one_may_leave(self, more: list[Plain], unfinished: bool) -> None:
        """DF may still go until an attack is ordered, after which nothing moves (M3.8)."""
        state = position({"117Inf": "1801", "2SS-A": "1802", "DF": "1803", "D": "1803", "37SS": "1702"})
        ask = question_on_card(state, "10S")
        with pytest.raises(IllegalOrder) as refused:
            ask.read([{"move": "2SS-A", "to": "1803"}, *more])
        assert str(refused.value) == (
            "M4.2: 1803 would hold three units (2SS-A, DF, D); it may hold two besides Tiger 102"
        )
        assert isinstance(refused.value, Unfinished) == unfinished


class TestTold:
    """Every movement is told of, in the order written."""

    def test_the_facts(self) -> None:
        run = run_of(STATE)
        draw_cards(run, "10S")
        run.answer([{"exit": "37SS"}, {"move": "DF", "to": "1703"}, {"enter": "38SS", "at": "1902"}])
        assert [tell.event for tell in run.told] == ["card", "exits", "moves", "enters"]
        assert event_facts(run, "exits") == [
            {"seat": "german", "unit": "37SS", "from": "1101", "exits": 1, "needed": 5}
        ]
        assert event_facts(run, "moves") == [{"seat": "german", "unit": "DF", "from": "1803", "to": "1703"}]
        assert event_facts(run, "enters") == [{"seat": "german", "unit": "38SS", "at": "1902"}]
