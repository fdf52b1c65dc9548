"""The prompt of `move` in a real terminal: map and question, completion, correction, paste, interrupt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.format.yaml_reader import parse_yaml
from support.terminal import ENTER, TAB, Screen
from support.transcripts import Step, perform_steps

pytestmark = pytest.mark.thorough

GUESTS = [(80, 24), (60, 24)]
"""The terminals of most guests."""
SIZES = [(140, 40), (80, 24), (60, 24), (40, 30)]

Open = Callable[..., Screen]


@pytest.fixture
def opened(table: Path) -> Iterator[Open]:
    """Opens a terminal in the folder of a game in which Anna has the move, with the program in it."""
    screens: list[Screen] = []

    def open_one(
        columns: int = 80, lines: int = 24, arguments: tuple[str, ...] = ("move", "mortain.yaml")
    ) -> Screen:
        screens.append(Screen(table, columns, lines, *arguments))
        return screens[-1]

    yield open_one
    for screen in screens:
        screen.close()


def orders_of(file: Path, seat: str) -> list[Any]:
    """The lists of orders that a seat has written into a game file."""
    game: Any = parse_yaml(file.read_bytes())
    return [entry["orders"] for entry in game["log"] if entry["by"] == seat and "orders" in entry]


@pytest.mark.parametrize(("columns", "lines"), SIZES)
class TestEverySize:
    """On one screen: what happened, map or lists, the question, and where to type."""

    def test_all_at_one_glance(self, opened: Open, columns: int, lines: int) -> None:
        screen = opened(columns, lines)
        seen = screen.wait_for_prompt("next: enter pass").splitlines()
        at = next((n for n, line in enumerate(seen) if line.startswith("Turn: 1")), None)
        assert at is not None, screen.printed
        assert any(line.lstrip().startswith("now  4 of spades:") for line in seen[:at])
        assert re.search("1301 (US: )?117Inf", "\n".join(seen[at:]))
        assert "4 of spades: activate up to two" in "\n".join(seen[at + 8 :])
        small = any("11  13  15  17  19" in line for line in seen)
        large = any("/1101 \\         /1301 \\" in line for line in seen)
        assert (small, large) == (50 < columns < 140, columns == 140), "below, hexes have no room"

    @pytest.mark.thorough
    def test_what_the_command_line_tells(self, opened: Open, columns: int, lines: int) -> None:
        screen = opened(columns, lines)
        screen.wait_for_prompt("next: enter")
        for typed, told in (
            ("hint", "2. "),
            ("threats", "no unit can be attacked"),
            ("zones", "Stand at Mortain has no zones of"),
            ("supply", "Stand at Mortain has no supply"),
            ("odds", "you cannot attack anything"),
        ):
            screen.type(typed + ENTER)
            seen = screen.wait_for(told, "Order: ", exactly=True)
            assert max(map(len, seen.splitlines())) <= columns
        screen.type("pass" + TAB)
        screen.wait_for("", "Order: pass")

    def test_completed_corrected_and_signed(
        self, table: Path, opened: Open, columns: int, lines: int
    ) -> None:
        screen = opened(columns, lines)
        screen.wait_for_prompt("next: enter")
        screen.type("en" + TAB)
        screen.wait_for("next: 17StuG", "Order: enter ")
        screen.type("df" + TAB)
        screen.wait_for("1904", "Order: enter DF ")
        screen.type("1801" + ENTER)
        assert "M4.4: DF must enter in" in screen.wait_for("M4.4", "Order: enter DF 1801")
        screen.type("1903" + ENTER)  # in place of the wrong word alone
        told = screen.wait_for_prompt("DF enters at 1903", "Order 2 (Return to finish): ")
        assert re.search("1903 (German: )?DF", told), "the map is drawn anew, though there was room below it"
        screen.type(ENTER)
        screen.wait_for("Orders: enter DF 1903", "Sign and save? [y/n]: ")
        screen.type("y" + ENTER)
        assert screen.wait_for_end() == 0
        assert orders_of(table / "mortain.yaml", "german") == [[{"enter": "DF", "at": "1903"}]]
        assert "Mail mortain.yaml to your opponent, and wait." in " ".join(screen.printed.split())


@pytest.mark.parametrize(("columns", "lines"), SIZES[:3])
def test_a_set_up_shows_what_may_be_placed_where(table: Path, opened: Open, columns: int, lines: int) -> None:
    made = opened(80, 24, ("new", "rommel", "practice.yaml", "--practice", "--seat", "allied"))
    assert made.wait_for_end() == 0, made.printed
    screen = opened(columns, lines, ("move", "practice.yaml"))
    seen = screen.wait_for_prompt("place UNIT HEX", "Order: ")
    assert "+ where units can be" in seen
    rows = [line for line in seen.splitlines() if re.match(r"\d\d ", line)]
    assert sum(row.count("+   +   +   +   +") for row in rows) >= 3, "its own zone"
    screen.type("moves 7-Ind" + ENTER)
    assert "place 7-Ind 2106 (or 2107-2115, 2206-2215, 2307-2316" in " ".join(
        screen.wait_for("place 7-Ind", "Order: ", exactly=True).split()
    )
    screen.type("place Spit-1 2508; place 5-NZ 2106; place 7-Ind 2807" + ENTER)
    seen = screen.wait_for_prompt("Not finished yet. R2.2", "Order 4")
    assert re.search("2807 (Allied: )?7-Ind", seen)
    assert "+ where units can be" in seen


class TestMapAndQuestionStayTogether:
    """When the map would leave the screen it is drawn anew, as the orders so far leave it."""

    @pytest.mark.thorough
    def test_after_much_talk(self, opened: Open) -> None:
        screen = opened()
        screen.wait_for_prompt("next: enter")
        screen.type("enter DF 1903" + ENTER)
        screen.wait_for_prompt("DF enters at 1903", "Order 2")
        screen.type("odds" + ENTER)
        screen.wait_for_prompt("you cannot attack anything now", "Order 2")
        for number in range(1, 13):
            screen.type("orders" + ENTER)
            screen.wait_for("  1  enter DF 1903", "Order 2 (Return to finish): ", exactly=True, times=number)
            told = screen.text
            assert "Turn: 1 of 6" in told
            assert "4 of spades: activate up to two units" in told
        assert re.search("1903 (German: )?DF", told)


class TestPlan:
    """What the player's plan would order is taken in like orders that he types, and signed by him."""

    def test_its_orders_or_why_there_are_none(self, table: Path, opened: Open) -> None:
        done = Screen(table, 80, 24, "plan", "mortain.yaml", "add", "fire 40%")
        assert done.wait_for_end() == 0, done.printed
        done.close()
        screen = opened()
        screen.wait_for_prompt("next: enter")
        screen.type("plan" + ENTER)
        told = screen.wait_for_prompt("step 1: no attack", "Order: ")
        assert "Your plan has stopped: no step applies at the moment" in told
        screen.type("plan ma" + TAB + "df" + TAB + "160")
        screen.wait_for("next: 1601 1602 1603 1604", "Order: plan march DF 160")
        screen.type("\x15plan march Nobody 1603" + ENTER)
        screen.wait_for("'Nobody' is not a unit or group of this game")
        screen.type("plan off" + ENTER)
        screen.wait_for("Your plan no longer answers.")
        screen.type("plan march DF 1603" + ENTER)
        screen.wait_for_prompt("DF enters at 1902", "Order 2 (Return to finish): ")
        screen.type(ENTER)
        screen.wait_for("Orders: enter DF 1902", "Sign and save? [y/n]: ")
        screen.type("y" + ENTER)
        assert screen.wait_for_end() == 0
        assert orders_of(table / "mortain.yaml", "german") == [[{"enter": "DF", "at": "1902"}]]
        done = Screen(table, 80, 24, "plan", "mortain.yaml")
        assert done.wait_for_end() == 0
        assert "Armed on this computer." in done.printed
        done.close()


class TestTheSheet:
    """Orders one by one, some at once, and back again."""

    def test_one_that_is_refused_in_a_pasted_block(self, table: Path, opened: Open) -> None:
        screen = opened()
        screen.wait_for_prompt("next: enter")
        screen.type("\x1b[200~enter D 1801\nenter 37SS 1903\x1b[201~" + ENTER)
        screen.wait_for("M4.4: D must enter in column 19", "Order: enter D 1801")
        screen.type("1902" + ENTER)  # the wrong word alone; what stood behind it is still there
        screen.wait_for_prompt("37SS enters at 1903", "Order 3 (Return to finish): ")
        screen.type(ENTER)
        screen.wait_for("enter D 1902; enter 37SS 1903", "Sign and save? [y/n]: ")
        screen.type("y" + ENTER)
        assert screen.wait_for_end() == 0
        assert orders_of(table / "mortain.yaml", "german") == [
            [{"enter": "D", "at": "1902"}, {"enter": "37SS", "at": "1903"}]
        ]

    def test_a_block_from_a_terminal_that_does_not_mark_what_is_pasted(
        self, table: Path, opened: Open
    ) -> None:
        """Its `pass` answers "Sign and save?", and is no yes: what follows is the next order."""
        screen = opened()
        screen.wait_for_prompt("next: enter")
        screen.type("enter DF 1901; enter D 1902\r\rpass\rnonsense\r")
        screen.wait_for_prompt("'nonsense' is not an order", "Order 3 (Return to finish): nonsense")
        screen.type("quit" + ENTER)  # in place of that
        assert screen.wait_for_end() == 0
        assert orders_of(table / "mortain.yaml", "german") == []

    @pytest.mark.parametrize(("columns", "lines"), GUESTS)
    def test_return_meant_for_the_next_order_signs_nothing(
        self, table: Path, opened: Open, columns: int, lines: int
    ) -> None:
        before = (table / "mortain.yaml").read_bytes()
        screen = opened(columns, lines)
        screen.wait_for_prompt("next: enter")
        screen.type("pass" + ENTER + ENTER + ENTER)  # no order can follow a pass: it asks at once
        screen.wait_for("Type yes or no.", "Sign and save? [y/n]: ", times=2)
        screen.type("no" + ENTER)
        screen.wait_for_prompt("Your orders are unchanged.", "Order 2")
        screen.type("quit" + ENTER)
        assert screen.wait_for_end() == 0
        assert (table / "mortain.yaml").read_bytes() == before

    def test_return_alone_is_no_yes(self, table: Path, opened: Open) -> None:
        before = (table / "mortain.yaml").read_bytes()
        screen = opened()
        screen.wait_for_prompt("next: enter")
        screen.type("pass" + ENTER)
        screen.wait_for("The Germans pass", "Sign and save? [y/n]: ")
        screen.type(ENTER)
        screen.wait_for("Type yes or no.", "Sign and save? [y/n]: ")
        screen.type("n" + ENTER)
        screen.wait_for_prompt("Nothing signed: only yes signs.", "Order 2")
        screen.type("yes" + ENTER)  # where no signature is asked for, it asks
        screen.wait_for("Orders: pass", "Sign and save? [y/n]: ")
        screen.type("no" + ENTER)
        screen.wait_for_prompt("Your orders are unchanged.", "Order 2")
        screen.type("clear" + ENTER)
        screen.wait_for_prompt("All your orders are removed; undo restores them", "Order: ")
        screen.type("undo" + ENTER)
        screen.wait_for_prompt("Removed: clear", "Order 2")
        screen.type("quit" + ENTER)
        assert screen.wait_for_end() == 0
        assert "Nothing was signed, and your orders are kept. To continue: pbem move" in screen.text
        assert (table / "mortain.yaml").read_bytes() == before

    def test_a_command_at_the_question_that_signs(self, opened: Open) -> None:
        screen = opened()
        screen.wait_for_prompt("next: enter")
        screen.type("pass" + ENTER)
        screen.wait_for("The Germans pass", "Sign and save? [y/n]: ")
        screen.type("orders" + ENTER)
        screen.wait_for("  1  pass", "Order 2 (Return to finish): ")

    def test_nobody_is_held_by_a_refused_line(self, opened: Open) -> None:
        screen = opened()
        screen.wait_for_prompt("next: enter")
        screen.type("enter DF 1801" + ENTER)
        screen.wait_for("M4.4: DF must enter in column 19", "Order: enter DF 1801")
        screen.type("odds" + ENTER)  # in place of the wrong word, and meant alone
        screen.wait_for("you cannot attack anything now", "Order: ", exactly=True)
        screen.type("enter DF" + ENTER)
        screen.wait_for("the order is incomplete", "Order: enter DF ")
        screen.type("enter D 1903" + ENTER)
        screen.wait_for_prompt("D enters at 1903", "Order 2 (Return to finish): ")
        screen.type("enter DF 1801; enter 37SS 1902" + ENTER)
        screen.wait_for("M4.4: DF must enter in column 19", "Order 2 (Return to finish): enter DF 1801")
        screen.type("\x15enter 37SS 1901" + ENTER)  # Ctrl-U wipes what stands behind the cursor too
        screen.wait_for_prompt("37SS enters at 1901", "Order 3 (Return to finish): ")

    def test_undo_and_back(self, opened: Open) -> None:
        screen = opened()
        screen.wait_for_prompt("next: enter")
        screen.type("enter DF 1901; enter D 1902" + ENTER)
        screen.wait_for_prompt("D enters at 1902", "Order 3")
        screen.type("undo" + ENTER)
        told = screen.wait_for_prompt("Removed: enter D 1902", "Order 2")
        assert "1902 German: D I" not in told.rpartition("\nTurn: ")[2], "the map is as it was"
        screen.type("back" + ENTER)
        screen.wait_for_prompt("", "Order: enter DF 1901")
        screen.type("\x7f3" + ENTER)
        screen.wait_for_prompt("DF enters at 1903", "Order 2 (Return to finish): ")

    def test_history(self, opened: Open) -> None:
        screen = opened()
        screen.wait_for_prompt("next: enter")
        screen.type("enter DF 1901" + ENTER)
        screen.wait_for_prompt("DF enters at 1901", "Order 2")
        screen.type("\x1b[A")  # up
        screen.wait_for("", "Order 2 (Return to finish): enter DF 1901")


class TestCommands:
    """What may be typed beside orders."""

    @pytest.mark.parametrize(
        ("typed", "told"),
        [
            ("moves 2ss-b", "enter 2SS-B 1901 (or 1902-1905)"),
            ("map 1903", "4 of spades: activate"),
            ("odds", "you cannot attack anything now"),
            ("enter DF", "hint: it can be 1901, 1902, 1903, 1904, 1905"),
            ("entre DF", "hint: did you mean enter?"),
            *(
                pytest.param(*one, marks=pytest.mark.thorough)
                for one in (
                    ("help", "quit     leave without signing"),
                    ("?", "Return   finish: review your orders"),
                    ("moves", "enter 17StuG 1901 (or 1902-1905, or 37SS"),
                    ("moves 117Inf", "error: '117Inf' is not a unit of the Germans"),
                    ("moves 2ss-b", "1 2 3 steps of 2SS-B"),
                    ("map 117inf", "4 of spades: activate"),
                    ("map 9999", "error: '9999' is neither a hex nor a unit on the map"),
                    ("map cca", "error: CCA is not on the map (US waiting off the west edge)"),
                    ("orders", "No orders yet."),
                    ("yes", "Nothing signed: you have no orders yet"),
                    ("no", "Nothing signed: you have no orders yet"),
                    ("threats", "117Inf"),
                    ("hint", "3. "),
                    ("undo", "No orders yet."),
                    ("news", "120Inf in 1302"),
                    ("", "Tab completes; help lists what you can"),
                    ("rules M4.4", "M4.4 A German unit off the map enters"),
                    ("hepl", "hint: it can be enter, pass"),
                    ("enter 823TD 1901", "error: M9.2: 823TD belongs to the other side"),
                    ("; ;", "Order: ; ;"),
                )
            ),
        ],
    )
    def test_tells(self, opened: Open, typed: str, told: str) -> None:
        screen = opened()
        screen.wait_for_prompt("next: enter")
        screen.type(typed + ENTER)
        screen.wait_for(told)

    def test_the_whole_map(self, opened: Open) -> None:
        screen = opened(100, 60)
        screen.wait_for_prompt("next: enter")
        screen.type("map all" + ENTER)
        screen.wait_for("117Inf   I   1-3  1301 St-Barthélemy", "Order: ")

    def test_tab_knows_them(self, opened: Open) -> None:
        screen = opened()
        screen.wait_for_prompt("next: enter")
        screen.type("od" + TAB)
        screen.wait_for("", "Order: odds ")


class _Mute(Screen):
    """A terminal that never says where its cursor is."""

    queries = 0

    def _answer(self, data: str) -> None:
        self.queries += 1


def test_a_terminal_that_does_not_say_where_its_cursor_is(table: Path) -> None:
    """It is asked once, because an answer that never comes is waited for."""
    screen = _Mute(table, 80, 24, "move", "mortain.yaml")
    try:
        screen.wait_for_prompt("4 of spades: activate up to two units")
        for number in (1, 2, 3):
            screen.type("orders" + ENTER)
            screen.wait_for("No orders yet.", "Order: ", exactly=True, times=number)
        assert screen.queries == 1
    finally:
        screen.close()


def test_a_terminal_that_cannot_move_its_cursor(table: Path) -> None:
    """TERM=dumb, as in some editors: no completion, no line to be changed, and all else works."""
    screen = Screen(table, 80, 24, "move", "mortain.yaml", TERM="dumb")
    try:
        screen.wait_for_prompt("4 of spades: activate up to two units")
        screen.type("enter DF 1801" + ENTER)
        screen.wait_for("M4.4: DF must enter in column 19", "Order: ", exactly=True)
        screen.type("enter DF 1903" + ENTER)
        screen.wait_for("DF enters at 1903", "Order 2 (Return to finish): ", exactly=True)
        screen.type("\r")
        screen.wait_for("", "Sign and save? [y/n]: ", exactly=True)
        screen.type("y\r")
        assert screen.wait_for_end() == 0
        assert "\x1b" not in screen.printed
    finally:
        screen.close()
    assert orders_of(table / "mortain.yaml", "german") == [[{"enter": "DF", "at": "1903"}]]


FORWARD = "place 117Inf 1804 119Inf 1303 120Inf 1501 823TD 1403 SPTD 1305"
FOUGHT = [
    Step("anna", "pbem new mortain --seat german", 0),
    Step("bruno", "pbem join mortain.yaml", 0),
    Step(
        "bruno", "pbem move mortain.yaml 'place 117Inf 1804 119Inf 1303 120Inf 1501 823TD 1403 SPTD 1305'", 0
    ),
    Step("anna", "pbem move mortain.yaml", 0),
    Step("bruno", "pbem move mortain.yaml", 0),
    Step("anna", "pbem move mortain.yaml 'enter 17StuG 1903' 'enter DF 1905' 'enter 2SS-A 1905'", 0),
    Step("bruno", "pbem move mortain.yaml", 0),
    Step("anna", "pbem move mortain.yaml 'fire 17StuG DF 2SS-A at 117Inf'", 0),
    Step("bruno", "pbem move mortain.yaml", 0),
]


@pytest.mark.thorough
class TestNews:
    """What happened comes first, and what came of one's own orders last, on a screen that cannot hold all."""

    def test_a_low_screen(self, tmp_path: Path, screens: list[Screen]) -> None:
        for _ in perform_steps(FOUGHT, tmp_path):
            pass
        screen = Screen(tmp_path, 80, 18, "move", "mortain.yaml")
        screens.append(screen)
        screen.wait_for_prompt("next: ", "Order: ")
        told, _, _ = screen.printed.partition("\n   11  13")
        before, _, results = told.partition("\nThe result of your orders:\n")
        assert re.search(r"  7  17StuG, DF and 2SS-A fire at 117Inf in 1804: 9 AI", before)
        results, _, scrolled = results.rpartition("\n")
        assert re.fullmatch(r"(      (2 of diamonds:|117Inf in 1804) .*\n?)+", results), told
        assert results.strip() in before, "where it stands among all that happened"
        lines = len(screen.printed.splitlines()) - 18
        assert scrolled == f"({lines} lines before: news)", "what is no longer on the screen"

    def test_more_than_a_screen_goes_through_the_pager(self, tmp_path: Path, screens: list[Screen]) -> None:
        for _ in perform_steps(FOUGHT, tmp_path):
            pass
        screen = Screen(tmp_path, 40, 6, "move", "mortain.yaml", PAGER="sed s/^/paged:/")
        screens.append(screen)
        screen.wait_for_prompt("next: ", "Order: ")
        screen.type("news" + ENTER)
        screen.wait_for("paged:        activate up to 4", "Order: ", exactly=True)
        assert "paged:   8  2 of diamonds: 2 against 9" in screen.printed
        screen.type("map all" + ENTER)
        screen.wait_for("paged:I infantry", "Order: ", exactly=True)


class TestPractice:
    """Against the program one goes on, from question to question, until one quits."""

    def test_goes_on(self, table: Path, opened: Open) -> None:
        made = opened(80, 24, ("new", "mortain", "practice.yaml", "--practice", "--seat", "german"))
        assert made.wait_for_end() == 0
        screen = opened(80, 24, ("move", "practice.yaml"))
        screen.wait_for_prompt("next: enter pass")
        screen.type("pass" + ENTER)
        screen.wait_for("", "Sign and save? [y/n]: ")
        screen.type("y" + ENTER)
        screen.wait_for_prompt("next: enter pass", "Order: ")
        printed = screen.printed.partition("[y/n]: y")[2]
        told, _, question = printed.partition("\nTurn: ")
        assert "The Germans pass" not in told, "which was told before it was signed"
        card = re.findall(r"  (\w+ of \w+): the Germans may", told)[-1]  # what was drawn is told first
        assert re.match(r"\d of \d \| Card: (10|[2-9AJQK])[SCHD] ", question)
        assert f"\n{card}: activate" in question
        screen.type("quit" + ENTER)
        assert screen.wait_for_end() == 0
        assert orders_of(table / "practice.yaml", "german") == [[{"pass": True}]]
