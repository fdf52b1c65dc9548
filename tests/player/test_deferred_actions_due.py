"""Wishes whose moment has come: what is written first, who is asked, what rests, and where it is told."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from pbem.core.requests import Ask
from pbem.errors import NotYourMove
from pbem.format.entries import Propose, Resign
from pbem.games.rommel import RULES as ROMMEL
from pbem.player.actions import proposals
from pbem.player.actions.action import ActionContext
from pbem.player.actions.orders import GiveOrders
from pbem.player.actions.parse_action import action_from_reply as read_answer
from pbem.player.actions.parse_action import parse_reply_text as words_of
from pbem.player.actions.undo import undo
from pbem.player.local_player import LocalPlayer
from pbem.player.pending import DeferredActions, deferred_for, may_sign_here
from pbem.player.plans.grammar import parse_plan
from pbem.player.plans.plan_store import PlanStore, consult_plan
from pbem.player.sign import sign
from pbem.player.store.signed_entries import SendChannel
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from player.test_deferred_actions import PASS, on_second_computer, play_on, type_words
from support.correspondents import Correspondent, fixed_entropy, play_share_and_orders
from support.simulator import clock


def refused(game: Game, anna: Correspondent, bruno: Correspondent) -> Game:
    """Her offer of a draw was refused, so the next waits for her orders."""
    game = write.propose(game, anna.local_player.key, {"draw": True}, claim=clock(game))
    return anna.save(write.answer(game, bruno.local_player.key, False, claim=clock(game)))


def beat_open(game: Game, both: tuple[Correspondent, Correspondent], *, decides: bool) -> Game:
    """On to where she owes a share, and may give orders with it, or not."""
    anna, bruno = both
    for _ in range(200):
        game = play_share_and_orders(game, (anna if game.state.writer == "german" else bruno).person())
        owes = game.state.writer == "german" and game.state.open_beat
        if owes and permissions.has_forced_entry(game, anna.local_player.key) != decides:
            return anna.save(game)
    raise AssertionError("no such moment in this game")


def two_set_ups(anna: Correspondent, bruno: Correspondent) -> Game:
    """Rommel y Montgomery at the first of two set-ups, which Anna both gives."""
    options = dict(next(iter(ROMMEL.editions.values())))
    terms = write.Terms(ROMMEL, options, ROMMEL.scenarios.names[0])
    game = write.offer(anna.person(), "axis", terms, fixed_entropy("anna"))
    game = write.accept(game, bruno.person(), fixed_entropy("bruno"))
    assert asked_of(game, anna)
    return anna.save(game)


def asked_of(game: Game, player: Correspondent) -> Ask[Any, Any]:
    asked = permissions.unlock_state(game, player.local_player.key).pending_question
    assert isinstance(asked, Ask)
    return asked


def armed(player: Correspondent, game: Game) -> None:
    plans = PlanStore(player.local_player.home)
    plans.save(game, parse_plan("do pass", "plan"))
    plans.arm(game)


def kinds(before: Game, after: Game) -> list[str]:
    """What has been written since: `share` for one that stands alone."""
    found = []
    for one in after.entries[len(before.entries) :]:
        is_share = one.kind == "play" and "orders" not in one.raw
        found.append("share" if is_share else one.kind)
    return found


class TestTheShareGoesFirst:
    """Its card may win the game for whoever wants to give it up."""

    @pytest.mark.parametrize("decides", [False, True])
    def test_by_itself(self, both: tuple[Correspondent, Correspondent], game: Game, decides: bool) -> None:
        anna, _ = both
        game = beat_open(game, both, decides=decides)
        DeferredActions(anna.local_player.home).save_resignation(game, certain=True)
        after = play_on(game, anna)
        assert kinds(game, after)[0] == "share"
        if decides:
            assert kinds(game, after) == ["share", "resign"]

    @pytest.mark.parametrize("decides", [False, True])
    def test_by_move(self, both: tuple[Correspondent, Correspondent], game: Game, decides: bool) -> None:
        anna, _ = both
        game = beat_open(game, both, decides=decides)
        DeferredActions(anna.local_player.home).save_resignation(game, certain=True)
        assert anna.type("move", anna.file.name) == 0
        after = anna.local_player.open(anna.file.read_bytes())
        assert kinds(game, after)[0] == "share"
        assert isinstance(after.entries[-1].body, Resign) == decides

    def test_then_she_is_asked(
        self, both: tuple[Correspondent, Correspondent], game: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        anna, _ = both
        game = beat_open(game, both, decides=True)
        DeferredActions(anna.local_player.home).save_resignation(game, certain=False)
        assert anna.type("move", anna.file.name) == 0
        assert kinds(game, anna.local_player.open(anna.file.read_bytes())) == ["share"]
        assert "You wanted to resign. If you still do: pbem resign game.yaml. If not:" in type_words(capsys)


class TestDraw:
    def test_it_goes_right_behind_her_orders(self, both: tuple[Correspondent, Correspondent]) -> None:
        """Where she is asked again, nobody asks her for orders that would then be refused."""
        anna, bruno = both
        game = two_set_ups(anna, bruno)
        game = refused(game, anna, bruno)
        DeferredActions(anna.local_player.home).save_draw(game)
        orders = ROMMEL.players["sensible"](asked_of(game, anna), random.Random(1))
        after = sign(GiveOrders(ActionContext(anna.local_player, game, anna.file), orders))
        assert after is not None
        assert kinds(game, after) == ["play", "propose"]
        assert after.ids == anna.local_player.open(anna.file.read_bytes()).ids

    def test_words_said_with_move_go_along(
        self, both: tuple[Correspondent, Correspondent], game: Game
    ) -> None:
        anna, _ = both
        DeferredActions(anna.local_player.home).save_draw(game)
        assert anna.type("move", anna.file.name, "--say", "Enough?") == 0
        body = anna.local_player.open(anna.file.read_bytes()).entries[-1].body
        assert isinstance(body, Propose)
        assert body.say == "Enough?"

    def test_not_beside_one_that_waits_for_an_answer(
        self, both: tuple[Correspondent, Correspondent], game: Game
    ) -> None:
        """Whoever is offered a draw answers that; and whoever has offered one has done so."""
        anna, bruno = both
        offered = write.propose(game, anna.local_player.key, {"draw": True}, claim=clock(game))
        bruno.save(offered)
        for player in (anna, bruno):
            player.local_player.record(offered, player.local_player.rewrite(offered), new=True)
            with pytest.raises(NotYourMove):
                proposals.propose_or_defer_draw(ActionContext(player.local_player, offered, player.file))
            assert DeferredActions(player.local_player.home).is_empty(offered.ids[0])

    def test_beside_a_take_back_it_waits(self, both: tuple[Correspondent, Correspondent], game: Game) -> None:
        anna, bruno = both
        offered = write.propose(game, anna.local_player.key, {"takeback": 1}, claim=clock(game))
        bruno.save(offered)
        proposals.propose_or_defer_draw(ActionContext(bruno.local_player, offered, bruno.file)).write()
        assert deferred_for(bruno.local_player, offered).draw

    def test_by_mail_it_may_be_said_at_any_time_too(
        self, both: tuple[Correspondent, Correspondent], game: Game
    ) -> None:
        anna, bruno = both
        game = refused(game, anna, bruno)
        act = read_answer(ActionContext(anna.local_player, game, anna.file), words_of("propose draw"))
        assert act.write() is None
        assert deferred_for(anna.local_player, game).draw


class TestThePlanRests:
    @pytest.mark.parametrize("what", ["draw", "resign"])
    def test_as_long_as_something_waits(
        self,
        both: tuple[Correspondent, Correspondent],
        game: Game,
        what: str,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        anna, _ = both
        armed(anna, game)
        if what == "draw":
            DeferredActions(anna.local_player.home).save_draw(game)
        else:
            DeferredActions(anna.local_player.home).save_resignation(game, certain=False)
        choice = consult_plan(anna.local_player, game)
        assert choice is not None
        assert not choice.orders
        assert anna.type("plan", anna.file.name, "--explain") == 0
        assert f"It stops here: your {'draw offer' if what == 'draw' else 'resignation'}" in type_words(
            capsys
        )

    def test_it_may_be_armed_all_the_same(
        self, both: tuple[Correspondent, Correspondent], game: Game
    ) -> None:
        """By an answer or at the prompt: what it says now is that the draw goes first."""
        anna, _ = both
        DeferredActions(anna.local_player.home).save_draw(game)
        act = read_answer(ActionContext(anna.local_player, game, anna.file), words_of("plan do pass"))
        assert "your draw offer" in act.description
        assert act.write() is None
        assert PlanStore(anna.local_player.home).is_armed_here(game)


class TestTwoHomes:
    def test_a_copy_that_has_signed_a_share_alone_has_decided_nothing(
        self, both: tuple[Correspondent, Correspondent], game: Game, tmp_path: Path
    ) -> None:
        """Nor one that has mailed what the first has signed."""
        anna, _ = both
        game = beat_open(game, both, decides=True)
        for name in ("signs", "mails"):
            other = Correspondent(
                "Anna",
                LocalPlayer(shutil.copytree(anna.local_player.home, tmp_path / name)),
                tmp_path / "g.yaml",
            )
            if name == "signs":
                after = write.play(game, anna.local_player.key)
                other.local_player.save(after, other.file)
            else:
                after = game
                other.local_player.note_departure(game, SendChannel.SERVER)
            assert not may_sign_here(other.local_player, after)
            assert may_sign_here(anna.local_player, game)

    def test_it_is_told_that_it_waits_for_her_there(
        self,
        both: tuple[Correspondent, Correspondent],
        game: Game,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        anna, _ = both
        second = on_second_computer(anna, game, tmp_path)
        DeferredActions(second.local_player.home).save_draw(game)
        armed(second, game)
        for command in ([], ["games"], ["show", "g.yaml"]):
            capsys.readouterr()
            assert second.type(*command) == 0
            told = type_words(capsys)
            assert "Your draw offer is waiting for you here" in told, command
            assert "pbem propose g.yaml draw" in told
        DeferredActions(second.local_player.home).withdraw(game, "draw")
        assert second.type("show", "g.yaml") == 0
        assert "Your plan is waiting for you here" in type_words(capsys)
        assert play_on(game, second).ids == game.ids
        assert second.type("move", "g.yaml", "--plan") == 0, "her own word is enough"
        after = second.local_player.open(second.file.read_bytes())
        assert len(after.ids) > len(game.ids)
        assert may_sign_here(second.local_player, after)


class TestTold:
    def test_a_resignation_may_be_written_after_a_refusal(
        self, both: tuple[Correspondent, Correspondent], game: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        anna, bruno = both
        game = refused(game, anna, bruno)
        DeferredActions(anna.local_player.home).save_resignation(game, certain=False)
        DeferredActions(anna.local_player.home).save_draw(game)
        for command in (["games"], ["show", anna.file.name]):
            capsys.readouterr()
            anna.type(*command)
            told = type_words(capsys)
            assert "You wanted to resign. If you still do: pbem resign game.yaml" in told
            assert "Your draw offer goes out as soon as it is your turn to write." in told

    def test_one_that_is_certain_is_not_asked_about(
        self, both: tuple[Correspondent, Correspondent], game: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        anna, _ = both
        DeferredActions(anna.local_player.home).save_resignation(game, certain=True)
        anna.type("show", anna.file.name)
        assert "Your resignation has to go first: pbem resign game.yaml. To withdraw it:" in type_words(
            capsys
        )

    def test_that_it_has_lapsed(
        self, both: tuple[Correspondent, Correspondent], game: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """As long as what he proposes waits for her answer."""
        anna, bruno = both
        while game.state.writer != "us" or permissions.has_forced_entry(game, bruno.local_player.key):
            who = anna if game.state.writer == "german" else bruno
            orders = None if permissions.has_forced_entry(game, who.local_player.key) else PASS
            game = write.play(game, who.local_player.key, orders, claim=clock(game))
        DeferredActions(anna.local_player.home).save_resignation(game, certain=True)
        game = anna.save(write.propose(game, bruno.local_player.key, {"draw": True}, claim=clock(game)))
        anna.type("show", anna.file.name)
        assert "Your resignation has been cancelled" in type_words(capsys)
        game = anna.save(write.answer(game, anna.local_player.key, False, claim=clock(game)))
        anna.type("show", anna.file.name)
        assert "lapsed" not in type_words(capsys)


def test_orders_undone_suspend_what_waits(both: tuple[Correspondent, Correspondent], game: Game) -> None:
    """Else the offer would go at once in their place."""
    anna, bruno = both
    game = refused(game, anna, bruno)
    DeferredActions(anna.local_player.home).save_draw(game)
    DeferredActions(anna.local_player.home).save_resignation(game, certain=True)
    after = write.play(game, anna.local_player.key, PASS, claim=clock(game))
    anna.local_player.save(after, anna.file)
    undone = undo(anna.local_player, after, anna.file, nobody_has_it=True).game
    assert deferred_for(anna.local_player, undone).suspended
    assert play_on(undone, anna).ids == undone.ids
    DeferredActions(anna.local_player.home).save_draw(undone)
    wish = deferred_for(anna.local_player, undone)
    assert wish.draw
    assert not wish.resign or wish.suspended, "the other still waits for her word"
