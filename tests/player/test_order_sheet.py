"""Orders gathered one by one: judged as far as they go, taken back, and what may follow."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.core.phrases import split_orders
from pbem.core.rules import Rules
from pbem.errors import Gone, IllegalOrder
from pbem.games import rommel
from pbem.games.rommel.rules.state import Phase
from pbem.player.order_sheet import OrderSheet, OrdersRefused, complete_order
from pbem.render.story import explain_departure
from pbem.umpire import permissions
from pbem.umpire.game_state import Game, GameState
from pbem.umpire.verify import open_game
from support.rommel_positions import position
from support.simulator import KEYS, accept_game, offer_game, write_play

EXAMPLES = Path(__file__).parents[2] / "examples"
SET_UP = {"117Inf": "1301", "119Inf": "1303", "120Inf": "1302", "823TD": "1304", "SPTD": "1305"}


def mortain_setup_sheet() -> OrderSheet:
    """Mortain, where the US is to set up."""
    game = accept_game(offer_game())
    return OrderSheet(game, game.state)


def to_act() -> OrderSheet:
    """Mortain, at the first card: who it is for sees it when his share has opened it."""
    game = write_play(accept_game(offer_game()), [{"place": SET_UP}])
    while (table := permissions.unlock_state(game, KEYS[str(game.state.writer)])).pending_question is None:
        game = write_play(game)
    return OrderSheet(game, table)


def at_rest(rules: Rules, state: Any) -> OrderSheet:
    """A game of its own that begins with the first question after a position, if one outcome is left."""
    table = GameState(rules, "0" * 32, state, 100)
    while table.waits_for_chance:
        table.run.decide(0)
    return OrderSheet(Game((), rules, table), table)


def rommel_sheet(step: Phase, units: Mapping[str, str], **changes: Any) -> OrderSheet:
    """Rommel y Montgomery at a question, with these units."""
    return at_rest(rommel.RULES, position(step, units, **changes))


def standing(orders: OrderSheet) -> dict[str, str]:
    """The hex of each counter on the map of the orders so far."""
    return {piece.name: cell.number for cell in orders.current.legend.cells for piece in cell.pieces}


class TestSplit:
    """A text, an order a line or parted by semicolons."""

    def test_lines_semicolons_and_remarks(self) -> None:
        assert split_orders(" pass ;; move A 1 # why\n\n# nothing\nfire B at C") == [
            "pass",
            "move A 1",
            "fire B at C",
        ]


class TestAnUnfinishedList:
    """What more orders would mend is no refusal: it is told, and the list answers nothing yet."""

    def test_compulsory_attacks_have_their_chances(self) -> None:
        """R5.5, R6.2: 5 against 3, and 5 against 4. One that is left is named by its rule alone."""
        beside = {"20-Aus": "1809", "24-Aus": "1807", "61-Tre": "1709", "125Inf": "1708"}
        obliged = {"20-Aus": ("61-Tre",), "24-Aus": ("125Inf",)}
        orders = rommel_sheet(Phase.COMBAT, beside, obliged=obliged)
        orders.add("aa hold")
        assert orders.current.still_due[1:] == [
            "20-Aus must still attack 61-Tre, 91%",
            "24-Aus must still attack 125Inf, 68%",
        ]
        orders.add("attack 24-Aus on 125Inf")
        (missing,) = orders.current.still_due
        assert missing.startswith("R5.5: 20-Aus must attack 61-Tre")
        orders.add("attack 20-Aus on 61-Tre")
        assert orders.current.still_due == []

    def test_a_set_up_of_mortain_unit_by_unit(self) -> None:
        orders = mortain_setup_sheet()
        for number, (name, at) in enumerate(SET_UP.items()):
            assert not orders.current.is_whole
            orders.add(f"place {name} {at}")
            left = [unit for unit in list(SET_UP)[number + 1 :] if unit in orders.current.missing_orders]
            assert left == list(SET_UP)[number + 1 :]
            assert standing(orders)[name] == at, "the map shows it before the rest is placed"
        assert orders.current.is_whole
        assert orders.current.orders == [{"place": SET_UP}]
        assert orders.current.possible_additions == []
        assert "The Americans set up" in orders.current.effect_lines[0]

    def test_what_is_illegal_as_it_stands_is_refused_all_the_same(self) -> None:
        orders = mortain_setup_sheet()
        orders.add("place 117Inf 1301")
        with pytest.raises(OrdersRefused, match=r"M2\.1: 119Inf may not be placed on 1901"):
            orders.add("place 119Inf 1901")
        assert orders.current.lines == ("place 117Inf 1301",)

    def test_who_must_attack(self) -> None:
        """R5.5: Ramcke-A has entered the zones of 5-NZ and 2-SA; 125Inf attacks first."""
        units = {"Ramcke-A": "1805", "5-NZ": "1806", "125Inf": "1705", "2-SA": "1706"}
        orders = rommel_sheet(Phase.COMBAT, units, active="axis", obliged={"Ramcke-A": ("5-NZ",)})
        orders.add("attack 125Inf on 2-SA")
        assert orders.current.missing_orders == "R5.5: Ramcke-A must attack 5-NZ, whose zone it entered"
        assert "attack Ramcke-A on 5-NZ" in orders.current.possible_additions
        orders.add("attack Ramcke-A on 5-NZ")
        assert orders.current.is_whole

    def test_a_flight_into_a_zone(self) -> None:
        """R4.3: who flies beside an enemy fighter must attack it."""
        orders = rommel_sheet(Phase.AIR, {"Spit-1": "2006", "Bf109-1": "1605"}, active="allied")
        orders.add("fly Spit-1 to 1705")
        assert (
            orders.current.missing_orders == "R4.3: Spit-1 must attack Bf109-1, whose zone it enters in 1705"
        )
        assert standing(orders)["Spit-1"] == "1705"
        assert orders.current.possible_additions[0] == "dogfight Spit-1 on Bf109-1"
        orders.add("dogfight Spit-1 on Bf109-1")
        assert orders.current.is_whole


class TestABlock:
    """Some orders at once."""

    def test_each_can_be_taken_back(self) -> None:
        orders = mortain_setup_sheet()
        orders.add("place 117Inf 1301; place 119Inf 1303\nplace 120Inf 1302")
        assert orders.undo() == "place 120Inf 1302"
        assert orders.current.lines == ("place 117Inf 1301", "place 119Inf 1303")
        orders.clear()
        assert not orders.current.lines
        assert orders.undo() == "clear"
        assert orders.current.lines == ("place 117Inf 1301", "place 119Inf 1303")
        assert orders.undo() == "place 119Inf 1303"
        assert orders.undo() == "place 117Inf 1301"
        orders.clear()
        assert orders.undo() == "", "there was nothing to clear"

    def test_up_to_the_one_that_is_refused(self) -> None:
        orders = mortain_setup_sheet()
        with pytest.raises(OrdersRefused) as refused:
            orders.add("place 117Inf 1301; place 119Inf 9999; place 120Inf 1302")
        assert orders.current.lines == ("place 117Inf 1301",)
        assert refused.value.left == "place 119Inf 9999; place 120Inf 1302"
        begin, end = refused.value.word
        assert refused.value.left[begin:end] == "9999"

    def test_orders_that_are_legal_together_alone(self) -> None:
        """M4.2 is judged when all movement is done: two full hexes may exchange a unit."""
        orders = to_act()
        seat = orders.asked.seat
        state = orders.asked.state
        names = [name for name in state.army(seat) if name != state.setting.tiger][:4]
        places = dict(zip(names, ("1401", "1401", "1501", "1501"), strict=True))
        for name, at in places.items():
            state = state.with_unit_at(name, at)
        together = at_rest(orders.game.rules, _at_card(state, seat))
        one, _, other, _ = names
        together.add(f"move {one} 1501")
        assert not together.current.is_whole
        assert together.current.missing_orders.startswith("M4.2: 1501 would hold three units")
        assert standing(together)[one] == "1501"
        assert any(phrase.startswith(f"move {other} ") for phrase in together.current.possible_additions)
        together.add(f"move {other} 1401")
        assert together.current.is_whole
        assert together.undo() == f"move {other} 1401"

    def test_a_full_hex_that_nobody_may_leave(self) -> None:
        """M4.2, M3.3: a card for one unit lets two stacks not change places."""
        orders = to_act()
        seat, state = orders.asked.seat, orders.asked.state
        names = [name for name in state.army(seat) if name != state.setting.tiger][:3]
        for name, at in zip(names, ("1401", "1501", "1501"), strict=True):
            state = state.with_unit_at(name, at)
        together = at_rest(orders.game.rules, _at_card(state, seat, 2))
        with pytest.raises(OrdersRefused, match=r"M4\.2: 1501 would hold three units"):
            together.add(f"move {names[0]} 1501")


def _at_card(state: Any, seat: str, number: int = 10) -> Any:
    """The state before a card that lets the seat activate several units: a deck with no other."""
    from msgspec.structs import replace

    from pbem.games.mortain.rules.state import Step

    return replace(
        state, step=Step.CARD, deck=(f"{number}S" if seat == "german" else f"{number}H",), card=None
    )


class TestTheWrongWord:
    """Where the line is wrong, as far as the refusal says it."""

    @pytest.mark.parametrize(
        ("typed", "word"),
        [
            ("place 117Inf 1301; nonsense", "nonsense"),
            ("plaice 117Inf 1901", "plaice"),
            ("place 117Inf 1901", "1901"),
            ("place CCA 1301", "CCA"),
            ("place 117Inf", ""),
        ],
    )
    def test_is_marked(self, typed: str, word: str) -> None:
        with pytest.raises(OrdersRefused) as refused:
            mortain_setup_sheet().add(typed)
        begin, end = refused.value.word
        assert refused.value.left[begin:end] == word

    @pytest.mark.parametrize("typed", ["plaice 117Inf 1301", "place 117Xnf 1301", "117inf in 1301"])
    def test_is_mended_where_it_is_a_slip(self, typed: str) -> None:
        """The line holds what was meant; whatever is typed takes the place of all of it."""
        with pytest.raises(OrdersRefused) as refused:
            mortain_setup_sheet().add(typed)
        assert refused.value.left == "place 117Inf 1301"
        assert refused.value.word == (0, len("place 117Inf 1301"))
        assert refused.value.hint == "did you mean place 117Inf 1301?"

    def test_is_none_where_the_whole_order_is_wrong(self) -> None:
        """R4.1: nobody flies beside it; what is typed takes the place of all of it."""
        orders = rommel_sheet(Phase.AIR, {"Spit-1": "2006", "Bf109-1": "1605"}, active="allied")
        orders.add("fly Spit-1 to 2005")
        with pytest.raises(
            OrdersRefused, match=r"R4\.1: stand down may be combined only with landings"
        ) as refused:
            orders.add("stand down")
        assert refused.value.word == (0, len("stand down"))

    def test_has_its_place_behind_what_ends_too_early(self) -> None:
        with pytest.raises(OrdersRefused) as refused:
            mortain_setup_sheet().add("place 117Inf; place 119Inf 9999")
        assert refused.value.left == "place 117Inf ; place 119Inf 9999"
        assert refused.value.word == (13, 13)


class TestWhatIsTypedIntoARefusedLine:
    """It mends the line, or begins anew: nobody is held by an order that he has given up."""

    @pytest.mark.parametrize(
        ("refused", "typed", "anew"),
        [
            ("fly Well-1 to 1804 bomb", "1805", False),  # a hex, right or wrong
            ("fly Well-1 to 1804 bomb", "fly Spit-1 to 2005", True),
            ("fly Well-1 to 1804 bomb", "fly Spit-1 to 9999", True),  # wrong, but no mend either
            ("fly Well-1 to 1804 bomb", "stand down", True),
            ("fly Well-1 to 1804 bomb", "fly Spit-1", True),
            ("fly Well-1 to 9999", "2004", False),
            ("fly Well-1 to", "2004", False),
            ("fly Well-1 to", "aa all", True),
            ("flie Well-1 to 2004", "fly Well-1 to 2005", True),  # the line holds what was meant
        ],
    )
    def test_anew(self, refused: str, typed: str, anew: bool) -> None:
        orders = rommel_sheet(
            Phase.AIR, {"Spit-1": "2006", "Well-1": "2107", "Bf109-1": "1605"}, active="allied"
        )
        with pytest.raises(OrdersRefused) as refusal:
            orders.add(refused)
        begin, end = refusal.value.word
        left = refusal.value.left
        text = left[:begin] + typed + left[end:]
        assert refusal.value.replacement_in(text) == typed
        assert orders.is_new_order(text, typed) == anew

    def test_elsewhere_in_the_line(self) -> None:
        with pytest.raises(OrdersRefused) as refusal:
            mortain_setup_sheet().add("place 117Inf 1901")
        assert refusal.value.replacement_in("place 119Inf 1901") == ""


class TestEffects:
    """What one order more would do, beside what the others do."""

    def test_told_once(self) -> None:
        orders = rommel_sheet(
            Phase.MOVE, {"125Inf": "1605", "382Inf": "1607", "AxSup-1": "1506"}, active="axis"
        )
        before = orders.current
        orders.add("move 125Inf to 1606")
        first = orders.current
        assert first.effect_beyond(before)[0].strip() == "125Inf moves from 1605 to 1606 (R5.2)"
        orders.add("move 382Inf to 1608")
        assert [line.strip() for line in orders.current.effect_beyond(first)] == [
            "382Inf moves from 1607 to 1608 (R5.2)"
        ]
        legend = orders.current.legend
        assert {piece.name for cell in legend.cells if cell.number == "1608" for piece in cell.pieces} == {
            "382Inf"
        }


class TestFollowing:
    """The word that is typed, and how it may go on."""

    PHRASES = ("move 2SS-A 1803", "move 2SS-A 1804", "move DF 1802", "fire DF at CCA", "pass")

    @pytest.mark.parametrize(
        ("typed", "begun", "words"),
        [
            ("", "", ["move", "fire", "pass"]),
            ("m", "m", ["move"]),
            ("MOVE ", "", ["2SS-A", "DF"]),
            ("mo 2ss 18", "18", ["1803", "1804"]),
            ("move, df: ", "", ["1802"]),
            ("move DF 1802; fi", "fi", ["fire"]),
            ("move DF 1802 ", "", []),
            ("nonsense ", "", []),
        ],
    )
    def test_words(self, typed: str, begun: str, words: list[str]) -> None:
        assert complete_order(self.PHRASES, typed) == (begun, words)


class TestAnotherGame:
    """A game without words of its own for it: what it offers may follow, and nothing after one order."""

    def test_three_fords(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "third_game"))
        import fords

        state = fords.begin(fords.RULES.editions["standard"], fords.RULES.scenarios.data("fords"))
        orders = at_rest(fords.RULES, state)
        assert orders.current.possible_additions == ["cross 0102", "cross 0202", "cross 0302"]
        orders.add("cross 0202")
        assert orders.current.is_whole
        assert orders.current.possible_additions == []


class TestAUnitThatIsGone:
    """A refusal says in which entry a unit has left the game."""

    def test_eliminated(self) -> None:
        """examples/rommel-axis-wins.txt tells of 20-Bre, in 1810, what is looked for here."""
        game = open_game((EXAMPLES / "rommel-axis-wins.yaml").read_bytes())
        story = (EXAMPLES / "rommel-axis-wins.txt").read_text("utf-8")
        before = story.partition("20-Bre in 1810 is eliminated")[0]
        entry = next(line.split()[0] for line in reversed(before.splitlines()) if line[:3].strip().isdigit())
        gone = Gone("R10.2", "20-Bre has been eliminated", unit="20-Bre", event="eliminated")
        told = explain_departure(game, (), gone)
        assert str(told) == f"R10.2: 20-Bre has been eliminated, in entry {entry}"

    def test_raised_by_the_rules(self) -> None:
        orders = rommel_sheet(Phase.MOVE, {"125Inf": "1605", "AxSup-1": "1506"}, active="axis")
        with pytest.raises(OrdersRefused) as refused:
            orders.add("move 382Inf to 1606")
        assert isinstance(refused.value.error, Gone)
        assert str(refused.value.error) == "R10.2: 382Inf has been eliminated"

    def test_others_are_as_they_were(self) -> None:
        error = IllegalOrder("M9.1", "no")
        assert explain_departure(accept_game(offer_game()), (), error) is error
