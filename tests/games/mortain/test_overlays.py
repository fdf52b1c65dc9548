"""What is laid over the map: by hand, and against the odds of whoever is asked."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from pbem.errors import IllegalOrder
from pbem.games.mortain import RULES
from pbem.games.mortain.rules.state import State
from pbem.games.mortain.view.overlays import reach, routes, sight, threats
from support.mortain_positions import position, question_on_card

STANDOFF = {"SPTD": "1504", "119Inf": "1403", "120Inf": "1501", "2SS-A": "1603", "38SS": "1602"}


class TestReach:
    """M4.1 to M4.5: the six hexes around, less those with enemies and full ones."""

    def test_a_hex_with_an_enemy_and_a_full_one_are_left_out(self) -> None:
        units = {"SPTD": "1504", "117Inf": "1505", "119Inf": "1505", "2SS-A": "1503"}
        around = ("1603", "1604", "1404", "1403")  # not 1503 and 1505
        assert reach(question_on_card(position(units), "2H"), "SPTD") == dict.fromkeys(around, "1")

    def test_who_waits_enters_anywhere_on_his_edge(self) -> None:
        found = routes(question_on_card(position({"SPTD": "1504", "DF": "waiting"}), "2S"), "DF")
        assert found == {at: [{"enter": "DF", "at": at}] for at in ("1901", "1902", "1903", "1904", "1905")}

    def test_every_route_is_legal(self) -> None:
        question = question_on_card(position(STANDOFF), "10S")
        for to, orders in routes(question, "38SS").items():
            assert orders == [{"move": "38SS", "to": to}]
            question.read(orders)

    def test_an_exit_leads_to_no_hex(self) -> None:
        found = reach(question_on_card(position({"SPTD": "1504", "DF": "1103"}), "2S"), "DF")
        assert set(found) == {"1102", "1202", "1203", "1104"}

    def test_a_unit_of_the_other_side(self) -> None:
        with pytest.raises(IllegalOrder, match=r"M9\.2"):
            reach(question_on_card(position(STANDOFF), "2S"), "SPTD")


class TestSight:
    """M5.2, M5.3: two hexes, from a hill three; what blocks is named."""

    def test_from_open_ground(self) -> None:
        found = sight(position({}), "1504")
        assert found.figures["1503"] == "1"
        assert found.figures["1404"] == "1"  # woods may be fired into
        assert found.figures["1304"] == "x"  # between city and woods, which both block
        assert "1403, 1404 block 1304" in found.lines
        assert set(found.figures) == set(position({}).setting.grid.within("1504", 2)) - {"1504"}

    def test_from_a_hill(self) -> None:
        """Hill 314: woods in 1602 and 1702 hide what lies behind them."""
        found = sight(position({}), "1501")
        assert found.figures["1802"] == "x"
        assert any(line.startswith("1702 blocks") and "1802" in line for line in found.lines)
        assert found.figures["1702"] == "2"
        assert "range 3" in found.meaning

    def test_nothing_blocks(self) -> None:
        assert sight(position({}), "1905").lines == ("nothing within range blocks sight from 1905",)


class TestThreats:
    """M5: fire by each enemy that sees a unit, and by all of them; M6.3: support on the Germans."""

    def chances(self, state: State, seat: str) -> dict[tuple[str, tuple[str, ...]], Fraction]:
        return {(one.unit, tuple(one.by)): one.hit for one in threats(state, seat)}

    def test_by_hand(self) -> None:
        """2SS-A beside SPTD: 6 AT, adjacent -1: cards up to 7 hit, 28 of the 40 numbers (M5.5, M5.6).

        The joker is set aside since neither side has activated (M7.2, `it`), and faces are drawn again.
        """
        found = self.chances(position(STANDOFF), "us")
        assert found["SPTD", ("2SS-A",)] == Fraction(28, 40)

    def test_the_joker_counts_before_the_enemys_first_card(self) -> None:
        """M7.2, `en`: only the US has had a card, 2H. The German fires on a black one, and then both could.

        So a joker ends the turn, as a miss beside the 39 numbers, of which 27 are up to 7.
        """
        state = replace(position(STANDOFF, edition="en").without_card("2H"), colours=("red",))
        assert self.chances(state, "us")["SPTD", ("2SS-A",)] == Fraction(27, 40)
        later = replace(state, colours=("red", "black"))
        assert threats(later, "us") == threats(state, "us")
        nobody = replace(state, colours=())  # then a joker is set aside: the US has had no card
        assert self.chances(nobody, "us")["SPTD", ("2SS-A",)] == Fraction(27, 39)

    def test_together(self) -> None:
        """38SS two hexes away has 2 AT against a tank: 8 in all, nobody's -1, as not all are adjacent."""
        state = position({"SPTD": "1504", "2SS-A": "1603", "37SS": "1502"})
        found = self.chances(state, "us")
        assert found["SPTD", ("37SS",)] == Fraction(4 * 2, 40)
        assert found["SPTD", ("37SS", "2SS-A")] == Fraction(4 * 8, 40)

    @pytest.mark.parametrize(("card", "seat"), [("3S", "us"), ("3H", "german")])
    def test_as_the_odds_of_the_enemy_who_is_asked(self, card: str, seat: str) -> None:
        question = question_on_card(position(STANDOFF), card)
        alone = {
            (one.orders[0]["at"], tuple(one.orders[0]["fire"])): one.hit
            for one in RULES.view.odds(question)
            if len(one.orders[0].get("fire", ())) == 1
        }
        found = self.chances(question.state, seat)
        assert alone
        assert {key: hit for key, hit in found.items() if len(key[1]) == 1} == alone

    def test_support(self) -> None:
        """Artillery 3 and air 4 on 2SS-A in the open: 12 and 16 of 40 numbers; the US fears none."""
        state = position({"2SS-A": "1905", "SPTD": "1101"})
        assert [(one.hit, one.by) for one in threats(state, "german")] == [
            (Fraction(12, 40), {}),
            (Fraction(16, 40), {}),
        ]
        assert threats(state, "us") == []
        assert threats(replace(state, support="used"), "german") == []

    def test_out_of_sight(self) -> None:
        """1602 and 1603 lie behind 1503's woods in no line: 120Inf on its hill is seen from neither woods."""
        state = position({"120Inf": "1501", "2SS-A": "1802"})
        assert threats(state, "us") == []
