"""A plan by an answer: what its words come to, shown before anything is kept, and what is armed by it."""

from __future__ import annotations

import pytest

from pbem.errors import FileError, NotUnderstood
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.parse_action import action_from_reply, parse_reply_text
from pbem.player.pending import PendingMessages
from pbem.player.plans.plan_store import PlanStore, consult_armed_plan, entries_by_plan
from pbem.player.store.game_record import PlanRecord
from pbem.umpire.game_state import Game
from support.correspondents import Correspondent


def act(anna: Correspondent, game: Game, words: str) -> Action:
    return action_from_reply(ActionContext(anna.local_player, game), parse_reply_text(words))


def test_it_is_shown_and_nothing_is_kept(anna: Correspondent, game: Game) -> None:
    found = act(anna, game, "plan do pass")
    plan = "Your plan, which answers from now on:\n  do pass\nIt orders now: pass"
    assert found.description == f"{plan}\n      The Germans pass"
    assert found.confirmation == "first"
    assert PlanStore(anna.local_player.home).record(game) == PlanRecord()


def test_it_is_armed_and_answers(anna: Correspondent, game: Game) -> None:
    after = act(anna, game, "Plan do pass.").write()
    assert after is not None
    assert after.entries[-1].raw["orders"] == [{"pass": True}]
    anna.local_player.save(after, anna.file)
    assert [one.step for one in entries_by_plan(anna.local_player.home, after).values()] == [1]
    assert PlanStore(anna.local_player.home).is_armed_here(after)


def test_one_that_is_not_for_now_asks(anna: Correspondent, game: Game) -> None:
    found = act(anna, game, "plan when turn 5\ndo pass")
    assert found.description.endswith(
        "It asks you now: no step applies at the moment\n  step 1: not true: turn 5"
    )
    assert found.write() is None
    assert PlanStore(anna.local_player.home).is_armed_here(game)
    choice = consult_armed_plan(anna.local_player, game)
    assert choice is not None
    assert not choice.orders


def test_steps_on_several_lines(anna: Correspondent, game: Game) -> None:
    """Ready-made ones and steps in words, orders parted by a semicolon, and what is there before."""
    act(anna, game, "plan hold 40%").write()
    act(
        anna, game, "plan when turn 5\ndo move DF 1603; move D 1702\nat most once\nplan march all 1603"
    ).write()
    turn = "until turn 2 or more"
    assert PlanStore(anna.local_player.home).plan(game).text.split("\n\n") == [
        "do attacks of 40%",
        f"when attack 1%\ndo pass\n{turn}",
        "when turn 5\ndo move DF 1603\ndo move D 1702\nat most once",
        "do march all 1603",
    ]


def test_off_and_on_again(anna: Correspondent, game: Game) -> None:
    act(anna, game, "plan when turn 5\ndo pass").write()
    assert act(anna, game, "plan off\nsay: Sorry").write() is None
    assert PendingMessages(anna.local_player.home).pending_for(game, anna.local_player.key) == "Sorry"
    assert not PlanStore(anna.local_player.home).is_armed_here(game)
    assert act(anna, game, "plan").write() is None
    assert PlanStore(anna.local_player.home).is_armed_here(game)


def test_words_go_along(anna: Correspondent, game: Game) -> None:
    after = act(anna, game, "plan do pass\nsay: Your turn").write()
    assert after is not None
    assert after.entries[-1].raw["say"] == "Your turn"
    assert PendingMessages(anna.local_player.home).pending_for(after, anna.local_player.key) == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("plan", "there is no plan yet"),
        ("plan hold", "type the ready-made plan 'hold' like this: hold 40%"),
        ("plan until turn 3", "'until' needs a 'do' before it"),
        ("plan march DF 9999", "'9999' is not a hex of this game"),
        ("plan march Nobody 1603", "'Nobody' is not a unit or group of this game"),
    ],
)
def test_refused(anna: Correspondent, game: Game, words: str, told: str) -> None:
    with pytest.raises((FileError, NotUnderstood)) as caught:
        act(anna, game, words)
    assert told in str(caught.value)
    assert PlanStore(anna.local_player.home).record(game) == PlanRecord()
