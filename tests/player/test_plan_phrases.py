"""Plans as players say them: the ten of docs/PLANS.md, and what their words mean at a position."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from pbem.core.rules import Rules
from pbem.errors import FileError
from pbem.games.mortain import RULES as MORTAIN
from pbem.games.rommel import RULES as ROMMEL
from pbem.games.rommel.rules.state import Phase
from pbem.games.rommel.terms.setting import ALLIED
from pbem.player.local_player import LocalPlayer
from pbem.player.plans.conditions import Moment, PlanContext
from pbem.player.plans.grammar import parse_plan
from pbem.player.plans.ready_made import check_plan, event_kinds
from pbem.umpire.game_state import Game
from player.test_parse_action import begin_games, desks
from player.test_plan_choice import AFAR, AT_ALAMEIN, NEAR, attack_target, chosen_orders, mortain, rommel
from support.mortain_positions import draw_cards, position, run_of
from support.transcripts import ROOT

__all__ = ["desks"]


@dataclass(frozen=True)
class Paper:
    """A plan on paper, and its lines."""

    said: str
    lines: str


def papers() -> list[Paper]:
    text = (ROOT / "docs" / "PLANS.md").read_text("utf-8")
    section = text.partition("## Ten plans as players say them")[2].partition("\n## ")[0]
    found = re.findall(r'^\d+\. ("[^\n]+)\n\n```\n(.*?)```', section, re.MULTILINE | re.DOTALL)
    return [Paper(said, lines) for said, lines in found]


def game_of(number: int, desks: tuple[LocalPlayer, LocalPlayer]) -> Game:
    return begin_games(MORTAIN if number <= 6 else ROMMEL, *desks)


def test_there_are_ten() -> None:
    assert len(papers()) == 10


@pytest.mark.parametrize("number", range(1, 11))
def test_on_paper(number: int, desks: tuple[LocalPlayer, LocalPlayer]) -> None:
    """It is read, its names are those of the game, and it is written as it was typed."""
    paper = papers()[number - 1]
    plan = parse_plan(paper.lines, "paper")
    asked = mortain(NEAR).question if number <= 6 else None  # a card was drawn, so there is an allowance
    check_plan(plan, game_of(number, desks), asked, "paper")
    assert plan.text == paper.lines.strip()


FACE_TO_FACE = {"AlSup-1": "2610", "61-Tre": "0302", "PzIII-1": "2509", "Sherman-1": "2510"}
FAR_AWAY = {"AlSup-1": "2610", "61-Tre": "0302", "PzIII-1": "2306", "Sherman-1": "2307"}
AMERICANS = {"DF": "1505", "2SS-A": "1603", "117Inf": "1503", "SPTD": "1504"}


def american(units: dict[str, str]) -> PlanContext:
    run = run_of(position(units))
    draw_cards(run, "8H")
    return PlanContext(run, "us", (Moment(run.state),), {})


def british(step: Phase, units: dict[str, str]) -> PlanContext:
    return rommel(step, units, ALLIED, active=ALLIED)


TRIED: list[tuple[int, Callable[[], PlanContext], str]] = [
    (1, lambda: mortain(AFAR), "pass"),
    (1, attack_target, ""),
    (2, lambda: mortain(NEAR), "fire"),  # 1603 is two hexes from 1403
    (2, lambda: mortain({**NEAR, "2SS-A": "1801"}), ""),
    (3, lambda: american(AMERICANS), "at 2SS-A"),
    (3, lambda: american({"DF": "1505", "117Inf": "1503"}), ""),
    (4, lambda: mortain({"DF": "1803", "D": "1804", "117Inf": "1201"}), "move DF 1703; move D 1704"),
    (4, attack_target, ""),
    (5, lambda: mortain(AFAR, "8S"), "move"),  # M3.3: four units
    (5, lambda: mortain(AFAR, "2S"), ""),  # one
    (6, lambda: mortain({"D": "1603", "DF": "1803", "117Inf": "1201"}), "pass"),
    (6, lambda: mortain({"D": "1603", "DF": "1602", "117Inf": "1201"}), ""),
    (6, lambda: mortain({"D": "1703", "DF": "1803", "117Inf": "1201"}), ""),
    (7, lambda: british(Phase.FIRE, FACE_TO_FACE), "fire Sherman-1 at PzIII-1"),
    (7, lambda: british(Phase.FIRE, FAR_AWAY), ""),  # an attack there is, and nobody near the road
    (8, lambda: british(Phase.AIR, {**FACE_TO_FACE, "Spit-1": "2508"}), "stand down"),
    (8, lambda: british(Phase.MOVE, {**FACE_TO_FACE, "Spit-1": "2508"}), ""),
    (9, lambda: british(Phase.FIRE, FACE_TO_FACE), "fire Sherman-1 at PzIII-1"),
    (9, lambda: british(Phase.FIRE, {**FACE_TO_FACE, "Sherman-1": "2510 struck"}), ""),
    (10, lambda: british(Phase.MOVE, {"20-Aus": "2510", **AT_ALAMEIN}), "move 20-Aus"),
    (10, lambda: british(Phase.FIRE, FACE_TO_FACE), ""),
]
"""The number of a plan, a position, and of what it orders there the words that matter; empty: it asks."""


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "sight", "words"), TRIED, ids=lambda one: str(one)[:20])
def test_tried(number: int, sight: Callable[[], PlanContext], words: str) -> None:
    """Each does at a position what its player says, and at another leaves it to him."""
    choice = chosen_orders(sight(), *papers()[number - 1].lines.strip().split("\n"))
    if words:
        assert words in choice.words
        assert choice.step == 1
    else:
        assert choice.orders == []
        assert choice.why


def test_each_is_tried_both_ways() -> None:
    assert {(number, bool(words)) for number, _, words in TRIED} == {
        (number, does) for number in range(1, 11) for does in (True, False)
    }


WRONG = {
    "until event attacked": "event",
    "until event fired": "event",
    "until any of DF, Nobody attacked": "Nobody",
    "until DF within 3 of 9999": "unit or hex",
    "until Nobody within 3 of 1403": "Nobody",
}


@pytest.mark.parametrize("line", WRONG)
def test_what_the_game_does_not_have_is_refused(line: str, desks: tuple[LocalPlayer, LocalPlayer]) -> None:
    with pytest.raises(FileError, match=WRONG[line]) as refused:
        check_plan(parse_plan(f"do pass\n{line}", "paper"), begin_games(MORTAIN, *desks), None, "paper")
    if " event " in line:
        hint = refused.value.hint
        assert "did you mean" in hint or {"attack", "eliminated", "hit"} <= set(re.split(r"[ ,]+", hint))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("do attacks of 30% on Nobody", "Nobody"),
        ("do move Nobody 1403", "'Nobody' is not a "),
        ("do pass; fly DF", "'fly' is not an order"),
        ("do best of pass | fire DF at Nobody", "Nobody"),
        ("do move DF 9999", "'9999' is not a hex"),
    ],
)
def test_what_is_done_has_names_too(text: str, why: str, desks: tuple[LocalPlayer, LocalPlayer]) -> None:
    game = begin_games(MORTAIN, *desks)
    with pytest.raises(FileError, match=why):
        check_plan(parse_plan(text, "paper"), game, game.state.pending_question, "paper")


def test_orders_that_answer_another_question_are_orders(desks: tuple[LocalPlayer, LocalPlayer]) -> None:
    """A plan is made for turns to come: what cannot be ordered now is no fault of it."""
    check_plan(
        parse_plan("do place 117Inf 1501 823TD 1403", "paper"), begin_games(MORTAIN, *desks), None, "paper"
    )


@pytest.mark.parametrize("rules", [MORTAIN, ROMMEL], ids=lambda rules: rules.name)
def test_events_are_those_that_the_rules_declare(rules: Rules) -> None:
    found = event_kinds(rules)
    assert {"victory", "attack"} & found
    assert found != event_kinds(ROMMEL if rules is MORTAIN else MORTAIN)


LINES = [
    "any",
    "any unit",
    "any unit sleeps",
    "any of attacked",
    "any of DF",
    "DF within of 1403",
    "DF within x of 1403",
    "DF within 3 of",
    "unit DF within 100 of 1403",
]


@pytest.mark.parametrize("line", LINES)
def test_what_is_no_condition(line: str) -> None:
    with pytest.raises(FileError):
        parse_plan(f"when {line}\ndo pass", "paper")


@pytest.mark.parametrize(
    ("line", "near", "afar"),
    [
        ("2SS-A within 1 of 117Inf", True, False),
        ("unit 2ss-a within 1 of 1503", True, False),
        ("117Inf within 3 of DF", True, False),
        ("DF within 0 of 1505", True, False),
        ("any unit within 1 of SPTD", True, False),
        ("any of DF, 2SS-A at 1603", True, False),
        ("any of 117Inf, SPTD reduced", True, False),
        ("any unit at 1703", False, True),
        ("any enemy within 1 of 2SS-A", True, False),
        ("any enemy at 1603", False, False),
        ("any enemy reduced", True, False),
        ("any unit reduced", False, False),
        ("any unit alive", True, True),
        ("not any unit at 1703", True, False),
    ],
)
def test_near_and_afar(line: str, near: bool, afar: bool) -> None:
    """By the distances of NEAR and AFAR, counted on the map."""
    for units, holds in ((NEAR, near), (AFAR, afar)):
        assert bool(chosen_orders(mortain(units), f"when {line}", "do pass").step) == holds, units


def test_attacks_on_some() -> None:
    sight = mortain(NEAR)
    everybody = chosen_orders(sight, "do attacks of 1%")
    on_one = chosen_orders(sight, "do attacks of 1% on 117Inf")
    assert "117Inf" in on_one.words
    assert "SPTD" not in on_one.words
    assert everybody.step == on_one.step == 1
    assert chosen_orders(sight, "do attacks of 1% on 120Inf").step == 0
    assert chosen_orders(sight, "do attacks of 1% on 120Inf, 117Inf").words == on_one.words


def test_one_until_of_several_is_enough() -> None:
    sight = mortain(NEAR)
    assert chosen_orders(sight, "do pass", "until turn 5", "until any unit at 1505").step == 0
    assert chosen_orders(sight, "do pass", "until turn 5", "until any unit at 1101").step == 1
    assert replace(sight, moments=(Moment(sight.state),)) == sight
