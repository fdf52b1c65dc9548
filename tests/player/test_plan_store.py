"""Plans at home: armed, carried out, counted in the log, and stopped by what the opponent does."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from types import FrameType
from typing import Any

import pytest
from msgspec import structs

from pbem.base import files
from pbem.errors import StorageError
from pbem.player import local_player
from pbem.player.actions.autoplay import write_planned_orders
from pbem.player.pending import PendingMessages
from pbem.player.plans import plan_store as plan
from pbem.player.plans.conditions import PlanContext
from pbem.player.plans.grammar import parse_plan
from pbem.player.plans.plan_store import (
    PlanStore,
    consult_armed_plan,
    entries_by_plan,
    plan_context,
    state_to_decide,
)
from pbem.player.store import game_store
from pbem.player.store.game_file import game_file_bytes as page
from pbem.player.store.game_record import PlanRecord
from pbem.player.store.record_store import GameRecords
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from support.correspondents import Correspondent, begin_game, play_share_and_orders
from support.simulator import clock


def play_to_decision(game: Game, anna: Correspondent, bruno: Correspondent) -> Game:
    """On to Anna's next decision, her shares and all of Bruno's written."""
    while True:
        if game.state.writer in permissions.held_seats(game, bruno.local_player.key):
            game = play_share_and_orders(game, bruno.person())
        elif permissions.has_forced_entry(game, anna.local_player.key):
            game = write.play(game, anna.local_player.key)
        else:
            return game


def game_with_armed_plan(both: tuple[Correspondent, Correspondent], *lines: str) -> Game:
    """A game that waits for a decision of Anna, whose plan has these lines."""
    anna, bruno = both
    game = play_to_decision(begin_game(anna.person(), bruno.person()), anna, bruno)
    anna.save(game)
    plans = PlanStore(anna.local_player.home)
    plans.save(game, parse_plan("\n".join(lines), "plan"))
    plans.arm(game)
    return game


def carry_out_plan(game: Game, player: Correspondent) -> Game:
    """The game after what the plan does."""
    after = write_planned_orders(player.local_player, game)
    assert after is not None
    player.local_player.save(after, player.file)
    return after


def spoken_to(game: Game, anna: Correspondent, bruno: Correspondent) -> Game:
    """A game whose plan answers, at the next decision of Anna after Bruno has said something."""
    while True:
        if game.state.writer in permissions.held_seats(game, bruno.local_player.key):
            asked = permissions.unlock_state(game, bruno.local_player.key).pending_question
            if asked and asked.seat == "us":
                break
            game = write.play(game, bruno.local_player.key)
        elif permissions.has_forced_entry(game, anna.local_player.key):
            game = write.play(game, anna.local_player.key)
        else:
            game = carry_out_plan(game, anna)
    said = structs.replace(clock(game), say="Look here")
    return play_to_decision(
        write.play(game, bruno.local_player.key, [{"pass": True}], claim=said), anna, bruno
    )


def seen(game: Game, player: Correspondent) -> PlanContext:
    """What the player's plan looks at."""
    table = state_to_decide(game, player.local_player)
    assert table is not None
    return plan_context(game, player.local_player, table, PlanStore(player.local_player.home).record(game))


class TestArmed:
    def test_it_answers(self, both: tuple[Correspondent, Correspondent]) -> None:
        game = game_with_armed_plan(both, "do pass")
        after = carry_out_plan(game, both[0])
        assert after.ids[:-1] == game.ids
        assert after.entries[-1].raw["orders"] == [{"pass": True}]
        assert after.entries[-1].raw["at"], "an entry without a clock would show that a program wrote it"
        assert [one.step for one in entries_by_plan(both[0].local_player.home, after).values()] == [1]

    def test_not_before(self, both: tuple[Correspondent, Correspondent]) -> None:
        game = game_with_armed_plan(both, "do pass")
        PlanStore(both[0].local_player.home).disarm(game)
        assert write_planned_orders(both[0].local_player, game) is None
        assert write_planned_orders(both[1].local_player, game) is None, "Bruno has no plan"

    def test_a_change_disarms(self, both: tuple[Correspondent, Correspondent]) -> None:
        game = game_with_armed_plan(both, "do pass")
        PlanStore(both[0].local_player.home).save(game, parse_plan("do pass", "plan"))
        assert consult_armed_plan(both[0].local_player, game) is None

    def test_not_on_another_computer(
        self, both: tuple[Correspondent, Correspondent], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A home that is copied takes the plan along, and two answers would be a fork."""
        game = game_with_armed_plan(both, "do pass")
        monkeypatch.setattr(plan, "this_computer", lambda: "another")
        assert write_planned_orders(both[0].local_player, game) is None

    def test_nothing_where_nothing_is_asked(self, both: tuple[Correspondent, Correspondent]) -> None:
        game = carry_out_plan(game_with_armed_plan(both, "do pass"), both[0])
        assert consult_armed_plan(both[0].local_player, game) is None

    def test_words_that_wait_go_along(self, both: tuple[Correspondent, Correspondent]) -> None:
        game = game_with_armed_plan(both, "do pass")
        PendingMessages(both[0].local_player.home).save(game, both[0].local_player.key, "Hello")
        after = carry_out_plan(game, both[0])
        assert after.entries[-1].raw["say"] == "Hello"
        assert PendingMessages(both[0].local_player.home).pending_for(after, both[0].local_player.key) == ""

    def test_a_damaged_file_is_named(self, both: tuple[Correspondent, Correspondent]) -> None:
        game = game_with_armed_plan(both, "do pass")
        record = GameRecords(both[0].local_player.home).path(game.ids[0])
        record.write_text('{"version": 1, "plan": {"text": 3}}')
        with pytest.raises(StorageError, match=r"record\.json is damaged: "):
            write_planned_orders(both[0].local_player, game)


class TestStops:
    def test_a_proposal_is_for_the_player(self, both: tuple[Correspondent, Correspondent]) -> None:
        game = game_with_armed_plan(both, "despite words, hits, range", "do pass")
        game = carry_out_plan(game, both[0])
        while game.state.writer not in permissions.held_seats(
            game, both[1].local_player.key
        ) or permissions.has_forced_entry(game, both[1].local_player.key):
            if game.state.writer in permissions.held_seats(game, both[1].local_player.key):
                game = write.play(game, both[1].local_player.key)
            elif permissions.has_forced_entry(game, both[0].local_player.key):
                game = write.play(game, both[0].local_player.key)
            else:
                game = carry_out_plan(game, both[0])
        proposed = write.propose(game, both[1].local_player.key, {"draw": True}, claim=clock(game))
        choice = consult_armed_plan(both[0].local_player, proposed)
        assert choice is not None
        assert (choice.orders, choice.why) == ([], "the Americans propose a draw")
        refused = write.answer(proposed, both[0].local_player.key, False, claim=clock(proposed))
        assert write_planned_orders(both[0].local_player, play_to_decision(refused, *both)) is not None, (
            "and goes on after the answer"
        )

    def test_words_of_the_opponent(self, both: tuple[Correspondent, Correspondent]) -> None:
        anna, bruno = both
        game = spoken_to(game_with_armed_plan(both, "do pass"), anna, bruno)
        choice = consult_armed_plan(anna.local_player, game)
        assert choice is not None
        assert choice.why == "your opponent has sent a message"
        own = write.play(game, anna.local_player.key, [{"pass": True}], claim=clock(game))
        assert write_planned_orders(anna.local_player, play_to_decision(own, anna, bruno)) is not None, (
            "she has decided herself"
        )

    def test_a_step_that_goes_on_leaves_it_to_the_next(
        self, both: tuple[Correspondent, Correspondent]
    ) -> None:
        """What one step goes on despite nobody has looked at: it stops the next one, until somebody does."""
        anna, bruno = both
        game = spoken_to(game_with_armed_plan(both, "do pass", "despite words"), anna, bruno)
        for _ in range(2):
            game = play_to_decision(carry_out_plan(game, anna), anna, bruno)
            assert seen(game, anna).stop_reason(()) == "your opponent has sent a message"
        game = play_to_decision(
            write.play(game, anna.local_player.key, [{"pass": True}], claim=clock(game)), anna, bruno
        )
        assert seen(game, anna).stop_reason(()) == ""


class TestCounting:
    def test_at_most(self, both: tuple[Correspondent, Correspondent]) -> None:
        anna, bruno = both
        game = game_with_armed_plan(both, "do pass", "at most 2 times")
        for _ in range(2):
            game = play_to_decision(carry_out_plan(game, anna), anna, bruno)
        assert write_planned_orders(anna.local_player, game) is None
        PlanStore(anna.local_player.home).arm(game)
        assert write_planned_orders(anna.local_player, game) is not None, "armed again, it counts anew"

    def test_what_was_never_saved_does_not_count(self, both: tuple[Correspondent, Correspondent]) -> None:
        anna, bruno = both
        game = game_with_armed_plan(both, "do pass", "at most once")
        for _ in range(3):
            assert write_planned_orders(anna.local_player, game) is not None
        game = play_to_decision(carry_out_plan(game, anna), anna, bruno)
        assert write_planned_orders(anna.local_player, game) is None

    def test_the_notes_do_not_grow(self, both: tuple[Correspondent, Correspondent]) -> None:
        game = game_with_armed_plan(both, "do pass")
        for second in range(5):
            os.environ["SOURCE_DATE_EPOCH"] = str(1_785_585_600 + second)
            assert write_planned_orders(both[0].local_player, game) is not None
        del os.environ["SOURCE_DATE_EPOCH"]
        kept: PlanRecord = PlanStore(both[0].local_player.home).record(game)
        assert len(kept.written) == 1


CODE = {module.__file__ for module in (plan, local_player, game_store, files)}


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the children are forked")
def test_killed_at_every_line(both: tuple[Correspondent, Correspondent]) -> None:
    """However often it is killed on the way, a step that may be done once is done once; see PBEM_LONG."""
    anna, bruno = both
    game = game_with_armed_plan(both, "do pass", "at most once", "", "do pass", "at most once")
    place = anna.file.parent / "lines"
    assert child(anna, lambda n: place.write_text(str(n)), game) == 0
    lines = int(place.read_text())
    assert lines > 50
    for n in range(1, lines + 1, 1 if os.environ.get("PBEM_LONG") else 9):
        anna.local_player.store.find(game.ids[0]).path.write_bytes(page(game))
        PlanStore(anna.local_player.home).arm(game)
        assert child(anna, partial(die, n), game) == KILLED
        (kept,) = anna.local_player.store.games()
        now = anna.local_player.open(kept.data)
        for _ in range(4):
            now = play_to_decision(now, anna, bruno)
            anna.local_player.save(now, anna.file)
            if (after := write_planned_orders(anna.local_player, now)) is not None:
                anna.local_player.save(after, anna.file)
                now = after
        steps = [one.step for one in entries_by_plan(anna.local_player.home, now).values()]
        assert steps == [1, 2], n


KILLED = 99


def die(at: int, number: int) -> None:
    """End the process before that line."""
    if number == at:
        os._exit(KILLED)


def child(anna: Correspondent, act: Callable[[int], Any], game: Game) -> int:
    """The exit code of a process that carries the plan out once, and acts before each of its lines."""
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    seen: set[tuple[str, int]] = set()
    numbers = count(1)

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename not in CODE:
            return None
        line = frame.f_code.co_filename, frame.f_lineno
        if event == "line" and line not in seen:
            seen.add(line)
            act(next(numbers))
        return trace

    sys.settrace(trace)
    after = write_planned_orders(anna.local_player, game)
    if after is not None:
        anna.local_player.save(after, anna.file)
    os._exit(0)


def test_a_trial_that_takes_too_long(
    both: tuple[Correspondent, Correspondent],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    game_with_armed_plan(both, "do pass")
    monkeypatch.setattr("pbem.cli.plan.TRY_SECONDS", 0.0)
    assert both[0].type("plan", "game.yaml", "--try") == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[0] == "error: pbem could not try the plan out within 0 seconds"
