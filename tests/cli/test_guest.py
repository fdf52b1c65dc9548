"""A guest at a terminal of 80 or 60 columns: mistakes are met where they are made, and nothing is lost."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.games import rommel
from pbem.games.mortain import RULES
from pbem.player.clock import now
from pbem.player.local_player import LocalPlayer
from pbem.player.status import PendingQuestion, describe_clock, describe_wait
from pbem.player.store.record_store import draft_of, set_draft
from pbem.umpire.next_duty import next_duty
from pbem.web.board_session import ActionRequest, BoardSession
from support.terminal import ENTER, INTERRUPT, Screen
from support.transcripts import Step, perform_steps

pytestmark = pytest.mark.thorough

Open = Callable[..., Screen]


@pytest.fixture(params=[(80, 24), (60, 24)], ids=["80x24", "60x24"])
def opened(request: pytest.FixtureRequest, table: Path, screens: list[Screen]) -> Open:
    """Opens a terminal of a guest's size in the folder of a game in which Anna has the move."""

    def open_one(*arguments: str) -> Screen:
        screens.append(Screen(table, *request.param, *arguments))
        return screens[-1]

    return open_one


def printed(screen: Screen) -> str:
    """All that was printed, as one line."""
    return " ".join(screen.printed.split())


def entries(table: Path) -> int:
    """The entries of the game."""
    return len(LocalPlayer(table / "homes/anna").open((table / "mortain.yaml").read_bytes()).entries)


class TestOrdersAfterTheFile:
    """What is typed behind `pbem move FILE`."""

    def test_without_quotes(self, table: Path, opened: Open) -> None:
        screen = opened("move", "mortain.yaml", "enter", "DF", "1903")
        assert screen.wait_for_end() == 0
        assert "German: enter DF 1903" in printed(screen)

    def test_without_quotes_and_wrong(self, table: Path, opened: Open) -> None:
        before = entries(table)
        screen = opened("move", "mortain.yaml", "enter", "DF")
        assert screen.wait_for_end() == 3
        assert "put each order in quotes" in printed(screen)
        assert entries(table) == before

    def test_a_shortened_word_is_shown_first(self, table: Path, opened: Open) -> None:
        before = entries(table)
        screen = opened("move", "mortain.yaml", "pas")
        screen.wait_for_question("Sign and save? [y/n]: ")
        assert "Orders: pass" in screen.text
        screen.type("n" + ENTER)
        assert screen.wait_for_end() == 1
        assert entries(table) == before

    def test_a_whole_word_is_signed(self, table: Path, opened: Open) -> None:
        screen = opened("move", "mortain.yaml", "PASS")
        assert screen.wait_for_end() == 0
        assert "German: pass" in printed(screen)


class TestOrdersThroughAPipe:
    """They are read, or refused; the share that is owed is never signed in their place."""

    def test_read(self, table: Path) -> None:
        before = entries(table)
        steps = [
            Step("anna", "printf 'enter DF 1903\\n# a remark\\nenter D 1902' | pbem move mortain.yaml", 0)
        ]
        told = "".join(line for _, lines in perform_steps(steps, table) for line in lines)
        assert "enter DF 1903; enter D 1902" in " ".join(told.split())
        assert entries(table) == before + 1

    def test_a_share_is_not_signed_for_them(self, table: Path) -> None:
        steps = [
            Step("anna", "pbem move mortain.yaml pass", 0),
            Step("bruno", "echo enter DF 1903 | pbem move mortain.yaml", 4),
        ]
        *_, (_, told) = perform_steps(steps, table)
        assert entries(table) == 4, told


class TestAtThePrompt:
    """What a guest types there."""

    def test_a_new_order_after_a_refused_one(self, opened: Open) -> None:
        screen = opened("move", "mortain.yaml")
        screen.wait_for_prompt("next: enter")
        screen.type("ENTRE df 1903" + ENTER)
        screen.wait_for("did you mean enter DF 1903?", "Order: enter DF 1903")
        screen.type("fire DF at 117Inf" + ENTER)  # an order of another card: whole, not in place of one word
        screen.wait_for("error:", "Order: fire", times=2)
        assert "ENTRE" not in screen.text.rpartition("error:")[2]

    def test_after_a_pass_undo_is_named(self, opened: Open) -> None:
        screen = opened("move", "mortain.yaml")
        screen.wait_for_prompt("next: enter")
        screen.type("pass" + ENTER)
        screen.wait_for("The Germans pass", "Sign and save? [y/n]: ")
        screen.type("enter DF 1903" + ENTER)
        screen.wait_for("undo removes the last one", "Order 2")

    def test_why_a_unit_can_do_nothing(self, opened: Open) -> None:
        screen = opened("move", "mortain.yaml")
        screen.wait_for_prompt("next: enter")
        screen.type("enter DF 1903" + ENTER)
        screen.wait_for_prompt("DF enters at 1903", "Order 2")
        screen.type("moves df" + ENTER)
        screen.wait_for("you cannot give DF any orders now", "Order 2")
        assert "DF" in " ".join(screen.text.split()).partition("you cannot give DF any orders now: ")[2]

    def test_a_ready_made_plan(self, opened: Open) -> None:
        screen = opened("move", "mortain.yaml")
        screen.wait_for_prompt("next: enter")
        screen.type("plan add hold" + ENTER)
        screen.wait_for("the ready-made plan 'hold' like this: hold", "Order: ")
        assert "type the ready-made plan 'hold' like this: hold 40%" in printed(screen)


def test_a_file_without_its_ending(table: Path, opened: Open) -> None:
    screen = opened("show", "mortain")
    assert screen.wait_for_end() == 0
    shutil.copy(table / "mortain.yaml", table / "abcd.yaml")
    assert opened("show", "abcd").wait_for_end() == 0


class TestDraft:
    """The orders so far are kept as they are typed: for the prompt, and for the board."""

    def begin(self, opened: Open) -> Screen:
        screen = opened("move", "mortain.yaml")
        screen.wait_for_prompt("next: enter")
        screen.type("enter DF 1903; enter D 1902" + ENTER)
        screen.wait_for_prompt("D enters at 1902", "Order 3 (Return to finish): ")
        return screen

    def come_back(self, opened: Open) -> Screen:
        screen = opened("move", "mortain.yaml")
        screen.wait_for("orders from before are", "Order 3 (Return to finish): ")
        assert "Your 2 orders from before are still here" in printed(screen)
        screen.type("orders" + ENTER)
        screen.wait_for("  2  enter D 1902", "Order 3 (Return to finish): ", exactly=True)
        return screen

    def test_quit(self, table: Path, opened: Open) -> None:
        screen = self.begin(opened)
        screen.type("quit" + ENTER)
        assert screen.wait_for_end() == 0
        assert "your orders are kept. To continue: pbem move mortain.yaml" in printed(screen)
        again = self.come_back(opened)
        again.type("undo" + ENTER)
        again.wait_for_prompt("Removed: enter D 1902", "Order 2")
        again.type("quit" + ENTER)
        again.wait_for_end()
        once_more = opened("move", "mortain.yaml")
        once_more.wait_for("Your 1 order from before is still here", "Order 2")

    def test_interrupt(self, opened: Open) -> None:
        screen = self.begin(opened)
        screen.type(INTERRUPT)
        assert screen.wait_for_end() == 1
        self.come_back(opened)

    def test_a_closed_terminal(self, opened: Open) -> None:
        screen = self.begin(opened)
        screen.process.kill()
        screen.process.wait()
        self.come_back(opened)

    def test_no_signature(self, table: Path, opened: Open) -> None:
        before = entries(table)
        screen = self.begin(opened)
        screen.type(ENTER)
        screen.wait_for("Orders: ", "Sign and save? [y/n]: ")
        screen.type("n" + ENTER)
        screen.wait_for_prompt("Your orders are unchanged.", "Order 3")
        screen.type("quit" + ENTER)
        screen.wait_for_end()
        assert entries(table) == before
        self.come_back(opened)

    def test_clear_empties_it(self, opened: Open) -> None:
        screen = self.begin(opened)
        screen.type("clear" + ENTER)
        screen.wait_for_prompt("All your orders are removed", "Order: ")
        screen.type("quit" + ENTER)
        screen.wait_for_end()
        assert "are kept" not in printed(screen)
        again = opened("move", "mortain.yaml")
        again.wait_for_prompt("next: enter", "Order: ")
        assert "from before" not in printed(again)

    def test_an_order_that_no_longer_fits(self, table: Path, opened: Open) -> None:
        me = LocalPlayer(table / "homes/anna")
        game = me.open((table / "mortain.yaml").read_bytes())
        set_draft(me.home, game, ["enter DF 1903", "enter D 1801"])
        screen = opened("move", "mortain.yaml")
        screen.wait_for("no longer fits: enter D 1801", "Order 2 (Return to finish): enter D 1801")
        assert "M4.4: D must enter in column 19" in printed(screen)
        screen.type("1902" + ENTER)
        screen.wait_for_prompt("D enters at 1902", "Order 3")

    def test_an_entry_ends_it(self, table: Path, opened: Open) -> None:
        self.begin(opened).process.kill()
        assert opened("move", "mortain.yaml", "pass").wait_for_end() == 0
        me = LocalPlayer(table / "homes/anna")
        assert draft_of(me.home, me.open((table / "mortain.yaml").read_bytes())) == ()

    def test_the_board_has_it_too(self, table: Path, opened: Open) -> None:
        screen = self.begin(opened)
        screen.type("quit" + ENTER)
        screen.wait_for_end()
        me, file = LocalPlayer(table / "homes/anna"), table / "mortain.yaml"
        board = BoardSession(me, me.open(file.read_bytes()), file)
        now = board.current_data()
        assert now["lines"] == ["enter DF 1903", "enter D 1902"]
        assert "Your earlier orders are back." in now["notes"]
        board.look(ActionRequest(bound=now["bound"], lines=["enter DF 1903"]))
        again = opened("move", "mortain.yaml")
        again.wait_for("Your 1 order from before is still here", "Order 2")


class TestMoreThanAScreen:
    """It goes through the player's pager; what fits does not."""

    def through_sed(self, table: Path, screens: list[Screen], *arguments: str) -> str:
        screens.append(Screen(table, 80, 24, *arguments, PAGER="sed s/^/paged:/"))
        assert screens[-1].wait_for_end() == 0
        return screens[-1].printed

    @pytest.mark.parametrize("arguments", [("rules", "mortain"), ("show", "mortain.yaml", "--whole")])
    def test_paged(self, arguments: tuple[str, ...], table: Path, screens: list[Screen]) -> None:
        assert self.through_sed(table, screens, *arguments).count("paged:") > 24

    def test_all_of_it_on_a_narrow_terminal(self, table: Path, screens: list[Screen]) -> None:
        """With the map, as far as it fits, and texts that are wrapped once."""
        screens.append(Screen(table, 60, 24, "show", "mortain.yaml", "--whole"))
        assert screens[-1].wait_for_end() == 0
        told = [line.rstrip() for line in screens[-1].printed.splitlines()]
        assert "   11  13  15  17  19" in {line[:21] for line in told}
        first, last = (
            next(n for n, line in enumerate(told) if line.startswith(words))
            for words in ("  The Germans win", "  The Americans win")
        )
        assert all(len(line) > 40 for line in told[first : last - 1]), told[first:last]

    def test_what_fits(self, table: Path, screens: list[Screen]) -> None:
        assert "paged:" not in self.through_sed(table, screens, "rules", "M4.4")


class TestHelp:
    """No parser's words, and no summary cut."""

    @pytest.mark.parametrize("command", ["report", "hint", "scenario", "study"])
    def test_reads_like_help(self, command: str, table: Path, opened: Open) -> None:
        screen = opened(command, "--help")
        assert screen.wait_for_end() == 0
        for word in ("range>", "<int", "<float", "[default: 0", "x>=", "..."):
            assert word not in screen.printed.replace("[OPTIONS] COMMAND [ARGS]...", "")


def test_a_move_that_is_due_since_now() -> None:
    assert describe_wait(timedelta(minutes=59)) == ""
    assert describe_wait(timedelta(hours=3)) == "for 3 hours"
    asked = PendingQuestion(what="orders", seat="us", since=now() - timedelta(minutes=5), clock_of="us")
    assert describe_clock(asked, RULES.side("us")).endswith("(just now)")


def test_undo_of_a_finished_practice_game(table: Path, screens: list[Screen]) -> None:
    """It advises nothing that can no longer be done."""
    steps = [
        Step("anna", "pbem new mortain practice.yaml --practice --seat german", 0),
        Step("anna", "pbem resign practice.yaml --for-certain", 0),
        Step("anna", "pbem undo practice.yaml", 4),
    ]
    *_, (_, told) = perform_steps(steps, table)
    said = " ".join(" ".join(told).split())
    assert "the game is over, and nothing in it can be undone" in said
    assert "pbem replay practice.yaml" in said
    assert "propose" not in said


def test_moves_at_a_set_up(tmp_path: Path, screens: list[Screen]) -> None:
    """Wherever a unit may be placed, and a map of it."""
    steps = [
        Step("anna", "pbem new mortain p.yaml --practice --seat us", 0),
        Step("anna", "pbem moves p.yaml --unit 823TD", 0),
    ]
    *_, (_, told) = perform_steps(steps, tmp_path)
    said = " ".join(" ".join(told).split())
    assert "in hexes: + where 823TD can be placed" in said
    assert "place 823TD 1101 (or 1102-1105, 1201-1205" in said
    assert "117Inf 1" not in said


ROMMEL = [
    Step("anna", "pbem new rommel --seat allied --scenario clear.yaml", 0),
    Step("bruno", "pbem join rommel.yaml --yes", 0),
    Step("bruno", "pbem move rommel.yaml --setup historical", 0),
    Step("bruno", "pbem move rommel.yaml --setup historical", 0),
    Step("anna", "pbem move rommel.yaml --setup historical", 0),
    Step("bruno", "pbem move rommel.yaml", 0),
    Step("anna", "pbem move rommel.yaml --setup historical", 0),
    Step("bruno", "pbem move rommel.yaml", 0),
]


class TestTurnOfRommel:
    """All that both sides do in a turn, with over a hundred counters, at prompts of 24 lines."""

    MOVES = ("move 24-Aus to 1905", "move 5-NZ to 1910", "move 26-Aus to 2106", "move 25pdr-1 to 2206")
    ORDERS = (
        ("allied", "turn 1, clear, air sub-turn 1: fly UNIT", ("fly Spit-1 to 2108",)),
        ("axis", "turn 1, clear, air sub-turn 1: fly UNIT", ("stand down",)),
        ("allied", "turn 1, clear, air sub-turn 2: fly UNIT", ("stand down",)),
        ("allied", "turn 1, clear: move UNIT", MOVES),
        ("allied", "turn 1, clear: fire UNIT", ("fire 25pdr-1 at 7-Bers",)),
        ("allied", "turn 1, clear: attack UNIT", ("attack 24-Aus on 7-Bers", "attack 5-NZ on 20-Bre")),
        ("axis", "turn 1, clear: move UNIT", ("move 433Inf to 2008",)),
        ("axis", "turn 1, clear: fire UNIT", ("pass",)),
        ("axis", "turn 1, clear: attack UNIT", ("attack 433Inf on 153-Hld",)),
        ("allied", "turn 2, clear, air sub-turn 1: fly UNIT", ("stand down",)),
    )
    """Who is asked what, and types what; there is nobody to fire at, if 5-NZ has lost its fight."""

    @pytest.mark.parametrize("columns", [80, 60])
    def test_it_can_be_played(self, columns: int, tmp_path: Path, screens: list[Screen]) -> None:
        self.begin(tmp_path)
        me, file, due = LocalPlayer(tmp_path / "homes/anna"), tmp_path / "rommel.yaml", list(self.ORDERS)
        while due:
            seat = next_duty(me.open(file.read_bytes()).state).seat or ""
            home = {"allied": "homes/anna", "axis": "homes/bruno"}[seat]
            screen = Screen(tmp_path, columns, 24, "move", "rommel.yaml", PBEM_HOME=home)
            screens.append(screen)
            self.play(screen, due, seat)
            assert screen.wait_for_end() == 0, screen.text

    def begin(self, folder: Path) -> None:
        """Set up a game in which each day is clear, so that each phase comes."""
        scenario = (Path(rommel.__file__).parent / "data" / "alamein.yaml").read_text("utf-8")
        weather = "dust: []\n  storm: []\n  clear: [2, 3, 4, 5]"
        scenario = re.sub("dust: .*\n  storm: .*\n  clear: .*", weather, scenario)
        (folder / "clear.yaml").write_text(scenario.replace("name: alamein", "name: always-clear"), "utf-8")
        for _, told in perform_steps(ROMMEL, folder):
            assert not re.fullmatch(r"\[\d+\]", told[-1]), told

    def play(self, screen: Screen, due: list[tuple[str, str, tuple[str, ...]]], seat: str) -> None:
        """Type a side's orders as long as it is asked for them, and sign them; then leave."""
        while due and screen.wait_for_start_or_end("Order: "):
            seen = " ".join(screen.text.split())
            if due[0][2] == ("pass",) and due[0][1] not in seen:
                del due[0]
            side, question, orders = due.pop(0)
            assert side == seat
            assert question in seen
            assert seen.count(": map all)") == 1, "one line says how to see the rest"
            for number, order in enumerate(orders, start=2):
                screen.type(order + ENTER)
                screen.wait_for_any_end(f"Order {number} (Return to finish): ", "[y/n]: ")
                _, *unit = order.split()
                assert order == "stand down" or not unit or re.search(rf"\d{{4}}.* {unit[0]}\b", screen.text)
            if not screen.line.endswith("[y/n]: "):
                screen.type(ENTER)
            screen.wait_for_question("Sign and save? [y/n]: ")
            screen.type("y" + ENTER)
