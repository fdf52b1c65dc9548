"""The strong player: what it sees, what it may use, and what it finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from random import Random
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from pbem.core.requests import Ask, Draw, Orders, Question
from pbem.core.run import Position, Run, public
from pbem.games.mortain import RULES
from pbem.games.mortain.players import strong
from pbem.games.mortain.players.basic import KEEN, SET_UPS, rank_lists
from pbem.games.mortain.players.outlook import SENSIBLE, Aims, Outlook, win_chance
from pbem.games.mortain.players.strong import (
    CardOrder,
    PlayoutCards,
    drop_idle_moves,
    drop_reckless_moves,
)
from pbem.games.mortain.rules.fire import hit_chance
from pbem.games.mortain.rules.state import Attack, State
from pbem.games.mortain.terms.cards import DECK
from support.mortain_contract import restore
from support.mortain_positions import SCENARIO, first_state, position, question_on_card

pytestmark = pytest.mark.thorough

STRONG = RULES.players["strong"]
LINE = {"117Inf": "1301", "119Inf": "1303", "120Inf": "1302 reduced", "823TD": "1304", "SPTD": "1305"}
COMING = {"17StuG": "1503", "2SS-A": "1503", "2SS-B": "1504", "37SS": "1601", "38SS": "1601"}


def in_the_thick(card: str = "8H", **changes: Any) -> Question:
    """A question of either side with several answers worth a thought."""
    return question_on_card(position({**LINE, **COMING}, support="used", **changes), card)


def questions(number: int) -> Iterator[tuple[State, Question]]:
    """Questions about cards in a game of the sensible player, with the state in which it began."""
    chooser, begin = Random(4), first_state()
    run = Run(RULES, Position(begin))
    while number:
        if isinstance(run.pending, Ask):
            if run.pending.question == "activate":
                number -= 1
                yield begin, run.pending
            run.answer(RULES.players["sensible"](run.pending, chooser))
        else:
            assert run.pending is not None
            run.decide(chooser.getrandbits(32))


class TestEffort:
    """It takes no more than it is given, and the same effort finds the same."""

    @pytest.mark.parametrize("playouts", [0, 1, 7, 30])
    def test_it_stops(self, playouts: int) -> None:
        effort = repeat(None, playouts)
        ask = in_the_thick()
        ask.read(STRONG(ask, Random(1), effort))
        assert list(effort) == []

    def test_the_same_again(self) -> None:
        ask = in_the_thick("7D")
        assert STRONG(ask, Random(5), range(24)) == STRONG(ask, Random(5), range(24))

    def test_where_there_is_one_answer_it_takes_none(self) -> None:
        ask = question_on_card(position({"117Inf": "1105", "DF": "1801"}), "AS")
        assert [order["move"] for order in STRONG(ask, Random(1), iter(lambda: pytest.fail("taken"), 0))] == [
            "DF"
        ]

    def test_every_question_is_answered(self) -> None:
        """The set-up and face cards too, which it does not weigh."""
        setup = Run(RULES, Position(first_state())).pending
        assert isinstance(setup, Ask)
        setup.read(STRONG(setup, Random(1), range(9)))
        for _, ask in questions(12):
            ask.read(STRONG(ask, Random(1), range(9)))


class TestPublic:
    """It knows what both players know."""

    def test_the_public_position_is_enough(self) -> None:
        """From what the file shows, and nothing else, it finds the same answers with the same worth."""
        assert RULES.adviser is not None
        for begin, ask in questions(6):
            again = Run(RULES, restore(begin, public(RULES, ask.state, ask))).pending
            assert isinstance(again, Ask)
            assert RULES.adviser(again, Random(3), range(9)) == RULES.adviser(ask, Random(3), range(9))

    def test_the_order_of_the_deck_says_nothing(self) -> None:
        assert RULES.adviser is not None
        state = position({**LINE, **COMING}, support="used")
        turned = replace(state, deck=state.deck[::-1])
        seen = [RULES.adviser(question_on_card(each, "8H"), Random(2), range(20)) for each in (state, turned)]
        assert seen[0] == seen[1]


class TestSense:
    """What anybody sees it sees."""

    def test_the_exit_that_wins(self) -> None:
        units = {"CCA": "1203", "CCB": "1204", "DF": "1101 reduced", "2SS-A": "1303"}
        ask = question_on_card(position(units, turn=3, options={"exits_to_win": 1}), "AS")
        assert STRONG(ask, Random(1), range(20)) == [{"exit": "DF"}]

    def test_advice_is_sorted_and_within_reason(self) -> None:
        """The first is what it would do; chances lie between 0 and 1, and that of an attack is exact."""
        assert RULES.adviser is not None
        ask = in_the_thick("7D")
        found = RULES.adviser(ask, Random(1), range(60))
        assert len(found) >= 3
        assert found[0].orders == STRONG(ask, Random(1), range(60))
        for advice in found:
            assert 0 <= advice.won <= advice.playouts
            ask.read(advice.orders)
            for order in advice.orders:
                if "fire" in order:
                    attack = Attack("us", "fire", tuple(order["fire"]), (order["at"],), "redraw")
                    assert advice.figures["hit"] == float(hit_chance(ask.state, attack))
        assert RULES.view.why is not None
        assert any("the attack hits" in line for line in RULES.view.why(ask, found[0]))

    def test_few_lucky_playouts_do_not_rank(self) -> None:
        """Behind what it would do stands first what it has played on most often."""
        assert RULES.adviser is not None
        for seed in range(4):
            times = [each.playouts for each in RULES.adviser(in_the_thick("7D"), Random(seed), range(200))]
            behind = times[1:]
            assert min(behind) < max(behind) / 2
            assert behind == sorted(behind, reverse=True)

    @pytest.mark.parametrize("seat", RULES.seats)
    def test_value(self, seat: str) -> None:
        """A hit on one side is good for the other; with little time left the US is safer."""
        state = position({**LINE, **COMING})
        assert 0 < win_chance(state, seat) < 1
        assert (
            win_chance(state.hit("823TD"), seat)
            > win_chance(state, seat)
            > win_chance(state.hit("2SS-A"), seat)
        )
        assert win_chance(replace(state, turn=6), seat) < win_chance(state, seat)

    @pytest.mark.parametrize("seat", RULES.seats)
    def test_value_of_a_place(self, seat: str) -> None:
        """Germans do better in the woods than in the open."""
        state = position({**LINE, **COMING})
        assert win_chance(state.with_unit_at("2SS-B", "1803"), seat) > win_chance(
            state.with_unit_at("2SS-B", "1802"), seat
        )

    def test_what_is_clear_is_done_at_once(self) -> None:
        """Of much effort little is taken where one answer is far better than the other."""
        effort = iter(range(10_000))
        ask = in_the_thick("7D")
        STRONG(ask, Random(1), effort)
        assert next(effort) < 2_000


class TestSetUp:
    """It sets up in ways that have won, and not always in one."""

    def placed(self, begin: State, seed: int) -> dict[str, str]:
        pending = Run(RULES, Position(begin)).pending
        assert isinstance(pending, Ask)
        [order] = STRONG(pending, Random(seed))
        pending.read([order])
        hexes: dict[str, str] = order["place"]
        return hexes

    def test_ways_vary(self) -> None:
        seen = [self.placed(first_state(), seed) for seed in range(24)]
        assert len(set(map(str, seen))) > 12
        assert {hexes["823TD"] for hexes in seen} == {"1302", "1303"}

    def test_the_guns_stand_under_cover_or_on_a_hill(self) -> None:
        setting = first_state().setting
        for seed in range(20):
            at = self.placed(first_state(), seed)["823TD"]
            assert setting.cover[at] or setting.terrain[at] == "hill"

    def test_with_other_units_it_does_as_the_sensible_player(self) -> None:
        units = {name.replace("120Inf", "8Inf"): data for name, data in SCENARIO["units"].items()}
        begin = RULES.begin(RULES.editions["it"], {**SCENARIO, "units": units})
        assert {at[:2] for at in self.placed(begin, 1).values()} == {"13"}


class TestKeen:
    """What it wants beside the sensible player."""

    def test_company_is_that_of_others(self) -> None:
        """A unit counts those in its hex, and those in it or beside it, but never itself."""
        state = position({**LINE, **COMING})
        alone = Outlook(state, "german").standings("17StuG", ["1503", "1504", "1601"])
        aims = Aims(stack=10, company=100)
        among = Outlook(state, "german", aims).standings("17StuG", ["1503", "1504", "1601"])
        gains = {at: round(among[at] - alone[at]) for at in alone}
        assert gains == {"1503": 210, "1504": 210, "1601": 220}

    def test_a_worn_unit_fears_more(self) -> None:
        state = position({**LINE, **COMING}).hit("37SS")
        bold, worn = (
            Outlook(state, "german", Aims(worn=more)).standings("37SS", ["1502"]) for more in (0, 1)
        )
        assert worn["1502"] < bold["1502"]

    def test_playouts_are_keen_on_one_side_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whoever was asked plays keenly, the other as the sensible player."""
        seats: dict[str, set[str]] = {"keen_player": set(), "sensible_player": set()}
        for name, seen in seats.items():
            player = getattr(strong, name)

            def noted(ask: Question, chooser: Any, player: Any = player, seen: set[str] = seen) -> Any:
                seen.add(ask.seat)
                return player(ask, chooser)

            monkeypatch.setattr(strong, name, noted)
        STRONG(in_the_thick("7D"), Random(1), range(30))
        assert seats == {"keen_player": {"us"}, "sensible_player": {"german"}}

    def test_every_mood_is_heard(self) -> None:
        """What it would do boldly, shyly, and as the sensible player is weighed beside what it would do."""
        assert RULES.adviser is not None
        others = 0
        for _, ask in questions(12):
            lists = [advice.orders for advice in RULES.adviser(ask, Random(1), range(4))]
            keen = KEEN[ask.seat]
            shy = replace(keen, exposure=3 * keen.exposure, caution=3 * keen.caution)
            moods = (keen, replace(keen, exposure=0.0, caution=0.0), shy, SENSIBLE)
            firsts = [_kept(ask, rank_lists(Outlook(ask.state, ask.seat, aims))[0]) for aims in moods]
            assert all(first in lists for first in firsts)
            others += any(first != firsts[0] for first in firsts)
        assert others > 3


def _kept(ask: Question, orders: Orders) -> Orders:
    """The orders without the movements that nobody makes."""
    steady = drop_reckless_moves(ask.state, ask.seat, orders)
    return drop_idle_moves(ask.state, ask.seat, steady) or [{"pass": True}]


class TestLuck:
    """The cards of a playout."""

    def draw(self) -> Draw[State]:
        """2SS-A fires at 117Inf in the open from two hexes away: 3 hits."""
        state = position({"117Inf": "1505", "2SS-A": "1705"})
        state = replace(state, attack=Attack("german", "fire", ("2SS-A",), ("117Inf",), "redraw"))
        return Draw(state, "M5.5", state.deck)

    def test_an_attack_goes_as_it_is_told(self) -> None:
        draw = self.draw()
        for seed in range(20):
            assert PlayoutCards(CardOrder(Random(seed)), True).draw(draw)[:-1] in ("A", "2", "3")
            missed = PlayoutCards(CardOrder(Random(seed)), False).draw(draw)
            assert missed == "Joker" or missed[:-1] in map(str, range(4, 11))

    def test_one_fate_gives_the_same_cards(self) -> None:
        """And what has been drawn never comes."""
        draw, fate = self.draw(), CardOrder(Random(1))
        first = PlayoutCards(fate, None).draw(draw)
        assert PlayoutCards(fate, None).draw(draw) == first
        left = tuple(card for card in DECK if card != first)
        assert PlayoutCards(fate, None).draw(replace(draw, outcomes=left)) in left


class TestNobodyIsReckless:
    """The Tiger went on alone and died; a last unit left the woods for the line."""

    OTHERS: ClassVar = {
        **{"17StuG": "1705", "37SS": "1705", "38SS": "1604", "2SS-A": "1604", "2SS-B": "1804"},
        **{"DF": "1804", "D": "1803"},
    }
    US: ClassVar = {"117Inf": "1304", "119Inf": "1304", "120Inf": "1303", "823TD": "1403", "SPTD": "1301"}
    HUNTERS: ClassVar = {
        **{"17StuG": "1404", "37SS": "1605", "38SS": "1505", "2SS-B": "1403", "DF": "1503", "D": "1403"},
    }

    @pytest.mark.parametrize("card", ["3S", "8S", "KS"])
    def test_the_tiger_stays_with_the_others(self, card: str) -> None:
        ask = question_on_card(position({**self.OTHERS, **self.US, "Tiger102": "1405"}), card)
        orders = STRONG(ask, Random(1), range(12))
        assert "Tiger102" not in {order.get("move") for order in orders}

    def test_no_infantry_is_set_up_without_a_gun_near_it(self) -> None:
        """Two regiments stood at 1703 and 1803, four hexes before the others."""
        distance = first_state().setting.grid.distance
        for infantry, guns in SET_UPS:
            assert all(min(distance(at, gun) for gun in guns) <= 2 for at in infantry)

    def test_two_go_together(self) -> None:
        state = position({**self.OTHERS, **self.US, "Tiger102": "1405", "17StuG": "1405"})
        tiger = {"move": "Tiger102", "to": "1305"}
        assert drop_reckless_moves(state, "german", [tiger]) == [tiger]
        both = [tiger, {"move": "17StuG", "to": "1305"}]
        far = state.with_unit_at("38SS", "1705").with_unit_at("2SS-A", "1705")
        assert drop_reckless_moves(far, "german", both) == both
        assert drop_reckless_moves(far.with_unit_at("17StuG", "1605"), "german", [tiger]) == []

    def test_who_is_alone_already_goes_on(self) -> None:
        state = position({**self.OTHERS, **self.US, "Tiger102": "1205"})
        on = [{"move": "Tiger102", "to": "1105"}]
        assert drop_reckless_moves(state, "german", on) == on

    @pytest.mark.parametrize("left", [{"CCR": "1104"}, {"CCA": "1104", "CCB": "1104"}])
    def test_the_last_stay_in_cover(self, left: dict[str, str]) -> None:
        state = position({**self.HUNTERS, **left}, turn=4)
        out = [{"move": name, "to": "1203"} for name in left]
        assert drop_reckless_moves(state, "us", out) == []
        orders = STRONG(question_on_card(state, "8H"), Random(1), range(12))
        assert not any(order.get("to") == "1203" for order in orders)

    def test_the_last_may_go_where_they_are_safer(self) -> None:
        state = position({**self.HUNTERS, "CCR": "1203"}, turn=4)
        back = [{"move": "CCR", "to": "1104"}]
        assert drop_reckless_moves(state, "us", back) == back

    def test_the_last_does_not_go_to_meet_a_german(self) -> None:
        """Out of reach of D, it left the village for the open hill, and died there in the last turn."""
        state = position({"117Inf": "1301", "D": "1603"}, turn=5)
        out, away = ([{"move": "117Inf", "to": to}] for to in ("1302", "1201"))
        assert drop_reckless_moves(state, "us", out) == []
        assert drop_reckless_moves(state, "us", away) == away

    def test_three_may_do_more(self) -> None:
        left = {"CCA": "1104", "CCB": "1104", "CCR": "1104"}
        state = position({**self.HUNTERS, **left}, turn=4)
        out = [{"move": "CCR", "to": "1203"}]
        assert drop_reckless_moves(state, "us", out) == out


class TestNobodyGoesToAndFro:
    """While the enemy does nothing, no unit comes back to where it was."""

    SHUTTLED: ClassVar = (
        # In turn 1 it went from 1402 to 1401 and back with every card.
        {
            **{"117Inf": "1404", "119Inf": "1405", "823TD": "1405", "SPTD": "1401", "120Inf": "1402"},
            **{"17StuG": "1902", "2SS-A": "1804", "2SS-B": "1901", "37SS": "1802", "38SS": "1804"},
            **{"DF": "1802", "D": "1601", "Tiger102": "1903"},
        },
        # And from 1402 over 1503 to 1504 and 1503.
        {
            **{"117Inf": "1302", "119Inf": "1404", "823TD": "1305", "SPTD": "1301", "120Inf": "1402"},
            **{"17StuG": "1805", "2SS-A": "1905", "2SS-B": "1601", "37SS": "1703", "38SS": "1701"},
            **{"DF": "1903", "D": "1904", "Tiger102": "1701"},
        },
    )

    @pytest.mark.parametrize(("units", "seed"), [*zip(SHUTTLED, (10, 11), strict=True)])
    def test_on_one_card_after_the_other(self, units: dict[str, str], seed: int) -> None:
        state = position(units)
        ways = {name: [state.at(name)] for name in state.field("us")}
        for number, card in enumerate(("8H", "7D", "9D", "6H", "5D", "4H")):
            for order in STRONG(question_on_card(state, card), Random(100 * seed + number), range(12)):
                if "move" in order:
                    state = state.with_unit_at(order["move"], order["to"])
                    ways[order["move"]].append(order["to"])
        assert all(len(set(way)) == len(way) for way in ways.values()), ways

    @pytest.mark.parametrize("name", ["17StuG", "Tiger102"])
    def test_there_and_back_do_not_both_serve(self, name: str) -> None:
        """Two tanks went from 1702 to 1701 and back on consecutive cards."""
        there = position({**LINE, "17StuG": "1702", "Tiger102": "1702"})
        back = there.with_unit_at(name, "1701")
        moves = [
            drop_idle_moves(state, "german", [{"move": name, "to": to}])
            for state, to in ((there, "1701"), (back, "1702"))
        ]
        assert [] in moves
