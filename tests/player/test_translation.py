"""What pbem.player says, heard in a language of marks: outside of them stand names, and words of plans."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.errors import FileError, PbemError, StorageError
from pbem.games.mortain import RULES as MORTAIN
from pbem.games.rommel import RULES as ROMMEL
from pbem.player.actions.action import ActionContext
from pbem.player.actions.parse_action import action_from_reply as read_answer
from pbem.player.actions.parse_action import parse_reply_text
from pbem.player.pending import PendingMessages
from pbem.player.plans.choice import outlook
from pbem.player.plans.grammar import Plan, parse_plan
from pbem.player.plans.plan_store import PlanStore, consult_plan, plan_context
from pbem.player.plans.ready_made import add_to_plan, ready_made_plans
from pbem.player.store.game_store import GameStore
from pbem.umpire import permissions
from pbem.umpire.game_state import Game
from player.test_plan_grammar import FAULTS
from support.correspondents import Correspondent
from support.marked_language import words_outside_marks
from support.store_logs import parse_store_log, store_log

pytestmark = pytest.mark.usefixtures("pseudo")

OF_A_PLAN = re.compile(
    r"'[^']*'|\b(p|asked|unit|hex|attack|nothing in range|nothing|event|or|despite|when|do|until|at most|hits"
    r"|range|words|turn|more|DFF|foo|any)\b"
)
"""What was found, and the words of plans; "or" between them is the program's, of `joined`."""

GAME = re.compile(
    r"\b(german|us|play|accept|offer|move|pass|DF|\d?[0-9a-f]{8}|turn 2 or more|yaml|home)\b|([A-Z]:\\|/)\S+"
)
"""Seats, kinds of entries, orders, ids and places."""


@pytest.mark.parametrize("text", [text for text, _ in FAULTS])
def test_what_is_no_plan(text: str) -> None:
    with pytest.raises(FileError) as refused:
        parse_plan(text, "p")
    assert words_outside_marks(str(refused.value), OF_A_PLAN) == set()


class TestShelf:
    @pytest.mark.parametrize(
        "shown",
        [
            ("us offer", "german accept"),
            ("us offer", "german accept", "us play B"),
            ("us offer", "german accept", "us play B", "german play C"),
            ("us offer", "german accept B", "us play A"),
        ],
    )
    def test_an_older_log_or_another(self, tmp_path: Path, shown: tuple[str, ...]) -> None:
        shelf = GameStore(tmp_path, parse_store_log)
        shelf.record(store_log("us offer", "german accept", "us play A"), new=True)
        with pytest.raises(StorageError) as refused:
            shelf.record(store_log(*shown))
        assert words_outside_marks(str(refused.value), GAME) == set()
        assert words_outside_marks(refused.value.hint, GAME) == set()

    def test_a_new_game(self, tmp_path: Path) -> None:
        with pytest.raises(StorageError) as refused:
            GameStore(tmp_path, parse_store_log).record(store_log("us offer"))
        assert words_outside_marks(f"{refused.value} {refused.value.hint}", GAME) == set()

    def test_none_or_several(self, tmp_path: Path) -> None:
        shelf = GameStore(tmp_path, parse_store_log)
        for name in range(40):
            shelf.record(store_log(f"us offer {name}"), new=True)
        for prefix in ("0", "zz"):
            with pytest.raises(StorageError) as refused:
                shelf.find(prefix)
            assert words_outside_marks(re.sub(r"[0-9a-f]{16}|'zz'", "", str(refused.value))) == set()


class TestAnswers:
    @pytest.mark.parametrize(
        "typed", ["resign", "propose draw", "say: hello", "plan off", "", "plan quiet", "plan do pass"]
    )
    def test_what_it_comes_to(self, anna: Correspondent, game: Game, typed: str) -> None:
        try:
            said = read_answer(ActionContext(anna.local_player, game), parse_reply_text(typed)).description
        except PbemError as refused:
            said = f"{refused} {refused.hint}"
        assert words_outside_marks(said, GAME, OF_A_PLAN, re.compile(r"plan|quiet|hold|marks:")) == set()

    def test_of_a_proposal(self, both: tuple[Correspondent, Correspondent], game: Game) -> None:
        anna, bruno = both
        proposed = read_answer(
            ActionContext(anna.local_player, game), parse_reply_text("propose draw")
        ).write()
        assert proposed is not None
        for typed in ("yes", "no"):
            act = read_answer(ActionContext(bruno.local_player, proposed), parse_reply_text(typed))
            assert words_outside_marks(act.description, GAME) == set()
        with pytest.raises(PbemError) as refused:
            read_answer(ActionContext(bruno.local_player, proposed), parse_reply_text("pass"))
        assert (
            words_outside_marks(f"{refused.value} {refused.value.hint}", GAME, re.compile("yes|no")) == set()
        )


class TestPlans:
    @pytest.mark.parametrize("line", ["quiet", "fire 90%", "do move DF 1603", "do best of exit DF | exit DF"])
    def test_why_it_does_nothing(self, anna: Correspondent, game: Game, line: str) -> None:
        PlanStore(anna.local_player.home).save(
            game, add_to_plan(game, Plan(), ["at most once"] if not line else [line])
        )
        choice = consult_plan(anna.local_player, game)
        assert choice is not None
        for said in (choice.why, *choice.reasons):
            assert words_outside_marks(re.sub("M[0-9.]+:.*", "", said), GAME, OF_A_PLAN) == set()

    def test_what_it_would_do(self, anna: Correspondent, game: Game) -> None:
        plans = PlanStore(anna.local_player.home)
        plans.save(game, add_to_plan(game, Plan(), ["do pass"]))
        seen = plan_context(
            game, anna.local_player, permissions.unlock_state(game, anna.local_player.key), plans.record(game)
        )
        found = outlook(plans.plan(game), seen)
        for said in (*found.first, *(one.words for one in found.prospects)):
            assert words_outside_marks(said, GAME) == set()

    def test_what_is_ready_made(self) -> None:
        assert {
            word
            for rules in (MORTAIN, ROMMEL)
            for said in ready_made_plans(rules).values()
            for word in words_outside_marks(said)
        } == set()

    @pytest.mark.parametrize(
        "line", ["when unit DFF alive", "when hex 9 empty", "when foo 3", "do march DFF 1"]
    )
    def test_a_name_that_is_none(self, anna: Correspondent, game: Game, line: str) -> None:
        from pbem.player.plans.ready_made import check_plan, plan_location

        plan = parse_plan(line if line.startswith("do") else f"{line}\ndo pass", "p")
        with pytest.raises(FileError) as refused:
            check_plan(plan, game, None, plan_location())
        assert words_outside_marks(str(refused.value), OF_A_PLAN) == set()


def test_words_that_cannot_wait(anna: Correspondent, game: Game) -> None:
    with pytest.raises(PbemError) as refused:
        PendingMessages(anna.local_player.home).save(game, anna.local_player.key, "x" * 100_000)
    assert (
        words_outside_marks(f"{refused.value} {refused.value.hint}", re.compile("pbem say --remove")) == set()
    )
