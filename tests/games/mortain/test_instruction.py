"""What the board says is to be done: how many activations are left, and which units wait for a hex."""

from __future__ import annotations

import pytest

from pbem.core.requests import Ask
from pbem.core.rules import Instruction
from pbem.games.mortain import RULES
from support.mortain_positions import first_state, position, question_on_card, run_of

UNITS = {"117Inf": "1301", "119Inf": "1301", "120Inf": "1302", "2SS-A": "1803", "DF": "1803"}


def instruct(card: str, *orders: str) -> Instruction:
    """The instruction after typed orders on a card."""
    asked, view = question_on_card(position(UNITS, support="used"), card), RULES.view
    assert view.instruct
    return view.instruct(asked, view.read_words(asked, orders))


@pytest.mark.parametrize(
    ("card", "orders", "says"),
    [
        ("3H", (), "3 of hearts: activate up to two units, or pass (M3.3)"),
        ("3H", ("move 117Inf 1201",), "3 of hearts: 1 of 2 activations left"),
        ("3H", ("move 117Inf 1201", "move 120Inf 1202"), "3 of hearts: nothing more can be ordered"),
        ("QH", ("move 117Inf 1201",), "Queen of hearts: other units of that hex may act too"),
        ("QH", ("move 120Inf 1202",), "Queen of hearts: nothing more can be ordered"),
        ("3H", ("pass",), "You pass: no unit acts on this card"),
    ],
)
def test_activations_are_counted_down(card: str, orders: tuple[str, ...], says: str) -> None:
    """M3.3: a 3 activates two units, rounded up. M3.4: a queen those of one hex."""
    assert instruct(card, *orders) == Instruction(says)


def test_units_that_wait_for_a_hex_are_named() -> None:
    asked, view = run_of(first_state()).pending, RULES.view
    assert isinstance(asked, Ask)
    assert view.instruct
    orders = view.read_words(asked, ["place 117Inf 1301 119Inf 1301 120Inf 1302"])
    found = view.instruct(asked, orders)
    assert found.due == ("2 units are left to place: 823TD, SPTD",)
    whole = [*orders, *view.read_words(asked, ["place 823TD 1403 SPTD 1304"])]
    assert view.instruct(asked, whole) == Instruction("All your units are placed")
