"""A guest at a terminal of 80 or 60 columns: mistakes are met where they are made, and nothing is lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.player.local_player import LocalPlayer
from support.terminal import ENTER, Screen
from support.transcripts import Step, perform_steps

pytestmark = pytest.mark.thorough

Open = Callable[..., Screen]


@pytest.fixture(params=[(80, 24), (60, 24)], ids=["80x24", "60x24"])
def opened(request: pytest.FixtureRequest, table: Path, screens: list[Screen]) -> Open:
    """Opens a terminal of a guest's size in the folder of a game in which Anna has the move."""

    def open_one(*arguments: str, **environment: str) -> Screen:
        screens.append(Screen(table, *request.param, *arguments, **environment))
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
        screen.wait_for_question("Sign and write it? [y/n]: ")
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
            Step("bruno", "echo pass | pbem move mortain.yaml", 4),
        ]
        *_, (_, told) = perform_steps(steps, table)
        assert entries(table) == 4, told


class TestAtThePrompt:
    """What a guest types there."""

    def test_a_new_order_after_a_refused_one(self, opened: Open) -> None:
        screen = opened("move", "mortain.yaml")
        screen.wait_for_prompt("next: enter")
        screen.type("ENTRE df 1903" + ENTER)
        screen.wait_for("did you mean enter?", "Order: ENTRE")
        screen.type("fire DF at 117Inf" + ENTER)  # an order of another card: whole, not in place of one word
        screen.wait_for("error:", "Order: fire", times=2)
        assert "ENTRE" not in screen.text.rpartition("error:")[2]

    def test_after_a_pass_undo_is_named(self, opened: Open) -> None:
        screen = opened("move", "mortain.yaml")
        screen.wait_for_prompt("next: enter")
        screen.type("pass" + ENTER)
        screen.wait_for("The Germans pass", "Sign and write it? [y/n]: ")
        screen.type("enter DF 1903" + ENTER)
        screen.wait_for("undo takes the last one", "Order 2")

    def test_why_a_unit_can_do_nothing(self, opened: Open) -> None:
        screen = opened("move", "mortain.yaml")
        screen.wait_for_prompt("next: enter")
        screen.type("enter DF 1903" + ENTER)
        screen.wait_for_prompt("DF enters at 1903", "Order 2")
        screen.type("moves df" + ENTER)
        screen.wait_for("DF can be ordered nothing now", "Order 2")
        assert "DF" in screen.text.partition("ordered nothing now: ")[2]

    def test_a_ready_made_plan(self, opened: Open) -> None:
        screen = opened("move", "mortain.yaml")
        screen.wait_for_prompt("next: enter")
        screen.type("plan add hold" + ENTER)
        screen.wait_for("is typed so: hold 40%", "Order: ")


def test_a_file_without_its_ending(table: Path, opened: Open) -> None:
    screen = opened("show", "mortain")
    assert screen.wait_for_end() == 0
    shutil.copy(table / "mortain.yaml", table / "abcd.yaml")
    assert opened("show", "abcd").wait_for_end() == 0
