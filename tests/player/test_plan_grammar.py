"""A plan as a text: what is read comes back as it was written, and what is wrong is named with its line."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbem.base.limits import PLAN_BYTES, PLAN_LINES, PLAN_STEPS
from pbem.errors import FileError
from pbem.player.plans.grammar import AllAttacks, BestOrders, March, TypedOrders, parse_plan

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
    plan = parse_plan(WHOLE, "plan")
    assert plan.text == WHOLE
    assert parse_plan(plan.text, "plan") == plan
    assert [type(step.do) for step in plan.steps] == [TypedOrders, BestOrders, AllAttacks, March, TypedOrders]
    assert plan.despite == ("hits", "range")
    assert plan.steps[0].most == 3
    assert plan.steps[2].do == AllAttacks(words=("attacks of 40%",), least=Fraction(2, 5))


def test_remarks_case_and_room() -> None:
    plan = parse_plan("# a plan\n\n  WHEN  turn 3 # later\n do  pass \n AT MOST once\n", "plan")
    assert plan.text == "when turn 3\ndo pass\nat most once"


def test_a_when_begins_the_next_step() -> None:
    assert len(parse_plan("when turn 1\ndo pass\nwhen turn 2\ndo pass", "plan").steps) == 2


def test_what_a_step_goes_on_despite() -> None:
    """Behind its orders the line is the step's; before them, or after a blank line, the plan's."""
    text = "despite range\n\nwhen asked air\ndo stand down\ndespite hits, range\n\ndo pass"
    plan = parse_plan(text, "plan")
    assert plan.text == text
    assert plan.despite == ("range",)
    assert [step.despite for step in plan.steps] == [("hits", "range"), ()]
    assert parse_plan("do pass\n\ndespite hits", "plan").text == "despite hits\n\ndo pass"
    assert parse_plan("do pass\nat most once\ndespite hits", "plan").steps[0].despite == ("hits",)
    assert len(parse_plan("do pass\ndespite hits\ndo pass", "plan").steps) == 2


FAULTS = [
    ("wen turn 3", "line 1: must be despite, when, do, until or at most, not 'wen'"),
    ("when", "line 1: nothing follows 'when'"),
    ("at most 3", "line 1: 'at most' needs a 'do' before it"),
    ("do pass\n\nuntil turn 3", "line 3: 'until' needs a 'do' before it"),
    ("do pass\nat most 0 times", "line 2: after 'at most' comes a number such as 3, not '0 times'"),
    ("do pass\nat most 99999", "line 2: after 'at most' comes a number such as 3, not '99999'"),
    ("despite rain", "line 1: after 'despite' comes hits, range or words, not 'rain'"),
    ("when turn 3", "the last step has no 'do'"),
    ("when turn\ndo pass", "line 1: 'turn' is not a condition such as turn 3, or asked, "),
    ("when unit DF flies\ndo pass", "line 1: must be unit NAME at HEX, alive, "),
    ("when hex 1503\ndo pass", "line 1: must be hex HEX empty, or held by "),
    ("when attack much\ndo pass", "line 1: must be a chance from 0% to 100%, not 'much'"),
    ("when attack 101%\ndo pass", "line 1: must be a chance from 0% to 100%, not '101%'"),
    ("when not\ndo pass", "line 1: 'not' is not a condition such as "),
    ("do pass\nuntil attack 40%", "line 2: after 'until' comes a fact such as "),
    ("do best of | fire DF at D", "line 1: a part of 'best of' is empty: separate orders "),
    ("do best fire", "line 1: must be best of ORDERS | ORDERS, attacks of 40%, with "),
    ("do march DF", "line 1: must be best of "),
    ("do march DF 1503 D", "line 1: must be best of "),
    ("do attacks of 40%\ndo pass", "line 2: 'attacks of 40%' must be the only 'do'"),
    ("do pass\n" * (PLAN_BYTES // 8 + 1), f"this plan is too long: the limit is {PLAN_BYTES:,} bytes"),
    (
        "# as we said\n" * PLAN_LINES + "do pass\n",
        f"a plan can have at most {PLAN_LINES} lines, not {PLAN_LINES + 1}",
    ),
    ("do pass\n\n" * (PLAN_STEPS + 1), f"a plan can have at most {PLAN_STEPS} steps, not {PLAN_STEPS + 1}"),
    ("\x1b[2Jwhen turn 3", "line 1: must be despite, when, do, until or at most, not '"),
    ("do pass\udcff", "is not UTF-8 text"),
]  # fmt: skip
"""Texts that are no plans, and what is said of each."""


@pytest.mark.parametrize(("text", "wrong"), FAULTS)
def test_faults(text: str, wrong: str) -> None:
    with pytest.raises(FileError) as refused:
        parse_plan(text, "p")
    assert str(refused.value).startswith(f"p: {wrong}")
    assert len(str(refused.value).splitlines()) == 1
    assert "\x1b" not in str(refused.value)
