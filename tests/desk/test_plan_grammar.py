"""A plan as a text: what is read comes back as it was written, and what is wrong is named with its line."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbem.budgets import PLAN_BYTES, PLAN_LINES, PLAN_STEPS
from pbem.desk.plans.grammar import read
from pbem.desk.plans.plan import Attacks, Best, March, Typed
from pbem.errors import FileError

WHOLE = """despite hits, range

when asked activate
when not unit DF reduced
do fire DF at 117Inf
do fire 2SS-A at 117Inf
until turn 4 or more
until event eliminated DF
at most 3 times

do best of fire DF at 117Inf | fire DF at SPTD

do attacks of 40%

do march DF 1503 2SS-A 1504

do pass"""


def test_comes_back_as_it_was() -> None:
    plan = read(WHOLE, "plan")
    assert plan.text == WHOLE
    assert read(plan.text, "plan") == plan
    assert [type(step.do) for step in plan.steps] == [Typed, Best, Attacks, March, Typed]
    assert plan.despite == ("hits", "range")
    assert plan.steps[0].most == 3
    assert plan.steps[2].do == Attacks(words=("attacks of 40%",), least=Fraction(2, 5))


def test_remarks_case_and_room() -> None:
    plan = read("# a plan\n\n  WHEN  turn 3 # later\n do  pass \n AT MOST once\n", "plan")
    assert plan.text == "when turn 3\ndo pass\nat most once"


def test_a_when_begins_the_next_step() -> None:
    assert len(read("when turn 1\ndo pass\nwhen turn 2\ndo pass", "plan").steps) == 2


def test_what_a_step_goes_on_despite() -> None:
    """Behind its orders the line is the step's; before them, or after a blank line, the plan's."""
    text = "despite range\n\nwhen asked air\ndo stand down\ndespite hits, range\n\ndo pass"
    plan = read(text, "plan")
    assert plan.text == text
    assert plan.despite == ("range",)
    assert [step.despite for step in plan.steps] == [("hits", "range"), ()]
    assert read("do pass\n\ndespite hits", "plan").text == "despite hits\n\ndo pass"
    assert read("do pass\nat most once\ndespite hits", "plan").steps[0].despite == ("hits",)
    assert len(read("do pass\ndespite hits\ndo pass", "plan").steps) == 2


FAULTS = [
    ("wen turn 3", "line 1: found 'wen', expected despite, when, do, until or at most"),
    ("when", "line 1: found nothing after 'when'"),
    ("at most 3", "line 1: found 'at most', expected 'do' before it"),
    ("do pass\n\nuntil turn 3", "line 3: found 'until', expected 'do' before it"),
    ("do pass\nat most 0 times", "line 2: found '0 times' after 'at most', expected a number such as 3"),
    ("do pass\nat most 99999", "line 2: found '99999' after 'at most', expected a number such as 3"),
    ("despite rain", "line 1: found 'rain' after 'despite', expected hits, range or words"),
    ("when turn 3", "found no 'do' in the last step, expected one"),
    ("when turn\ndo pass", "line 1: found 'turn', expected a condition such as turn 3, or asked, "),
    ("when unit DF flies\ndo pass", "line 1: found 'unit DF flies', expected unit NAME at HEX, alive, "),
    ("when hex 1503\ndo pass", "line 1: found 'hex 1503', expected hex HEX empty, or held by "),
    ("when attack much\ndo pass", "line 1: found 'much', expected a chance from 0% to 100%"),
    ("when attack 101%\ndo pass", "line 1: found '101%', expected a chance from 0% to 100%"),
    ("when not\ndo pass", "line 1: found 'not', expected a condition such as "),
    ("do pass\nuntil attack 40%", "line 2: found 'attack' after 'until', expected a fact such as "),
    ("do best of | fire DF at D", "line 1: found an empty part of 'best of', expected orders parted "),
    ("do best fire", "line 1: found 'best fire', expected best of ORDERS | ORDERS, attacks of 40%, with "),
    ("do march DF", "line 1: found 'march DF', expected best of "),
    ("do march DF 1503 D", "line 1: found 'march DF 1503 D', expected best of "),
    ("do attacks of 40%\ndo pass", "line 2: found another 'do' beside 'attacks of 40%', expected it "),
    ("do pass\n" * (PLAN_BYTES // 8 + 1), f"found more than {PLAN_BYTES} bytes, the most of a plan"),
    (
        "# as we said\n" * PLAN_LINES + "do pass\n",
        f"must be at most {PLAN_LINES} in a plan, not {PLAN_LINES + 1} lines",
    ),
    ("do pass\n\n" * (PLAN_STEPS + 1), f"must be at most {PLAN_STEPS}, not {PLAN_STEPS + 1} steps"),
    ("\x1b[2Jwhen turn 3", "line 1: found '"),
    ("do pass\udcff", "is not UTF-8 text"),
]  # fmt: skip
"""Texts that are no plans, and what is said of each."""


@pytest.mark.parametrize(("text", "wrong"), FAULTS)
def test_faults(text: str, wrong: str) -> None:
    with pytest.raises(FileError) as refused:
        read(text, "p")
    assert str(refused.value).startswith(f"p: {wrong}")
    assert len(str(refused.value).splitlines()) == 1
    assert "\x1b" not in str(refused.value)
