"""What an attack comes to beside its chance, and the hint for support that leaves a unit out."""

from __future__ import annotations

import pytest

from pbem.core.requests import Ask, Orders
from pbem.core.rules import Forecast
from pbem.errors import IllegalOrder
from pbem.games.mortain import RULES
from pbem.games.mortain.rules.state import State
from support.mortain_positions import position, question_on_card, run_of

UNITS = {
    **{"117Inf": "1503", "SPTD": "1504", "120Inf": "1501"},
    **{"DF": "1603", "2SS-A": "1603 reduced", "D": "1505", "17StuG": "1102"},
}


def forecast(state: State, card: str, *lines: str) -> Forecast:
    """What the view says of orders as typed, on a card."""
    assert RULES.view.forecast is not None
    question = question_on_card(state, card)
    return RULES.view.forecast(question, RULES.view.read_words(question, list(lines)))


class TestHits:
    """M1.2: a hit reduces or eliminates; M6.3: one card hits every target of support."""

    def test_one_target(self) -> None:
        assert forecast(position(UNITS), "8D", "fire 117Inf at D").chances == ("A hit reduces D (M1.2)",)

    def test_a_reduced_target(self) -> None:
        told = forecast(position(UNITS), "8D", "fire SPTD at 2SS-A").chances
        assert told == ("A hit eliminates 2SS-A (M1.2)",)

    def test_a_hex(self) -> None:
        told = forecast(position(UNITS), "8D", "artillery 1603").chances
        assert told == ("A hit reduces DF and eliminates 2SS-A (M1.2)",)

    @pytest.mark.parametrize("line", ["move 117Inf 1502", "pass"])
    def test_no_attack(self, line: str) -> None:
        assert forecast(position(UNITS), "8D", line) == Forecast()

    def test_no_attack_after_the_deciding_exit(self) -> None:
        """M8.3: the exit is carried out, the fire is not."""
        state = position(UNITS, options={"exits_to_win": 1})
        assert forecast(state, "8S", "exit 17StuG", "fire D at SPTD") == Forecast()

    def test_drawing_again(self) -> None:
        run = run_of(position(UNITS))
        for card in ("8D", "KC"):
            assert run.pending is not None
            if isinstance(run.pending, Ask):
                run.answer([{"fire": ["SPTD"], "at": "2SS-A", "faces": "ask"}])
            assert not isinstance(run.pending, Ask)
            run.decide(run.pending.outcomes.index(card))
        assert isinstance(run.pending, Ask)
        assert RULES.view.forecast is not None
        again: Orders = [{"faces": "redraw"}]
        assert RULES.view.forecast(run.pending, again).chances == ("A hit eliminates 2SS-A (M1.2)",)
        assert RULES.view.forecast(run.pending, [{"faces": "miss"}]) == Forecast()


class TestSupportOnAStack:
    """M6.3, `hex`: who names one unit of a stack is told the hex to name."""

    @pytest.mark.parametrize(("card", "way"), [("7D", "air"), ("8D", "artillery")])
    def test_hint(self, card: str, way: str) -> None:
        with pytest.raises(IllegalOrder) as refused:
            forecast(position(UNITS), card, f"{way} 2SS-A")
        assert refused.value.rule == "M6.3"
        assert refused.value.hint.startswith(f"{way} 1603 ")

    def test_what_the_hint_says_is_legal(self) -> None:
        assert forecast(position(UNITS), "7D", "air 1603").chances
