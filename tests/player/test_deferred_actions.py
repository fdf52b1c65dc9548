"""Wishes that wait: an offer of a draw, a resignation; when they are written, lapse, or wait for a word."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.errors import NotYourMove
from pbem.format.entries import Play, Propose, Resign
from pbem.player.actions import proposals
from pbem.player.actions.action import ActionContext
from pbem.player.actions.autoplay import save_automatic_entries
from pbem.player.actions.orders import GiveOrders
from pbem.player.actions.preconditions import why_not_possible
from pbem.player.actions.undo import undo
from pbem.player.local_player import LocalPlayer
from pbem.player.pending import Deferred, DeferredActions, deferred_for, may_sign_here
from pbem.player.plans.grammar import parse_plan
from pbem.player.plans.plan_store import PlanStore
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from support.correspondents import Correspondent, play_share_and_orders
from support.simulator import clock

PASS = [{"pass": True}]


@pytest.fixture
def his(both: tuple[Correspondent, Correspondent], game: Game) -> Game:
    """Anna has decided; it is for Bruno to write."""
    anna, _ = both
    while game.state.writer == "german":
        orders = None if permissions.has_forced_entry(game, anna.local_player.key) else PASS
        game = write.play(game, anna.local_player.key, orders, claim=clock(game))
    return anna.save(game)


def hers(game: Game, both: tuple[Correspondent, Correspondent]) -> Game:
    """Bruno has answered, and it is for Anna to write; she has got it."""
    anna, bruno = both
    assert game.state.writer == "us"
    return anna.save(play_share_and_orders(game, bruno.person()))


def play_on(game: Game, player: Correspondent) -> Game:
    """What the program writes by itself."""
    return save_automatic_entries(player.local_player, game, player.file)[0]


def on_second_computer(anna: Correspondent, game: Game, folder: Path) -> Correspondent:
    """Her second computer, which has her key and has got the game by mail."""
    home = folder / "second"
    home.mkdir(mode=0o700)
    shutil.copy(anna.local_player.key_path, home / "key")
    second = Correspondent("Anna", LocalPlayer(home), folder / "g.yaml")
    second.file.write_bytes(anna.file.read_bytes())
    second.local_player.record(game, second.file.read_bytes(), new=True, file=second.file)
    return second


class TestResignation:
    def test_it_waits_and_is_asked_again(
        self, both: tuple[Correspondent, Correspondent], his: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        anna, _ = both
        assert anna.type("resign", anna.file.name, "--yes") == 0
        assert "You will be asked to confirm your resignation when it is your turn to write." in type_words(
            capsys
        )
        game = his
        while game.state.writer != "german":
            game = play_on(hers(game, both), anna)
        assert deferred_for(anna.local_player, game).resign == "ask"
        assert not isinstance(game.entries[-1].body, Resign)
        assert isinstance(
            proposals.due_deferred_action(ActionContext(anna.local_player, game, anna.file)),
            proposals.ResignGame,
        )

    def test_for_certain_it_goes_behind_the_share(
        self, both: tuple[Correspondent, Correspondent], his: Game
    ) -> None:
        anna, _ = both
        assert anna.type("resign", anna.file.name, "--for-certain") == 0
        game = his
        while game.state.ending is None:
            game = play_on(game if game.state.writer == "german" else hers(game, both), anna)
        assert game.entries[-1].body.by == "german"
        assert isinstance(game.entries[-1].body, Resign)
        assert deferred_for(anna.local_player, game) == Deferred()

    def test_it_lapses_where_he_proposes(self, both: tuple[Correspondent, Correspondent], his: Game) -> None:
        anna, bruno = both
        game = his
        while game.state.writer != "us" or game.state.open_beat:
            who = anna if game.state.writer == "german" else bruno
            orders = None if permissions.has_forced_entry(game, who.local_player.key) else PASS
            game = write.play(game, who.local_player.key, orders, claim=clock(game))
        anna.save(game)
        assert anna.type("resign", anna.file.name, "--for-certain") == 0
        game = anna.save(write.propose(game, bruno.local_player.key, {"draw": True}, claim=clock(game)))
        assert deferred_for(anna.local_player, game) == Deferred(lapsed=True)
        assert play_on(game, anna).ids == game.ids

    def test_withdrawn(
        self, both: tuple[Correspondent, Correspondent], his: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        anna, _ = both
        anna.type("resign", anna.file.name, "--for-certain")
        assert anna.type("resign", anna.file.name, "--withdraw") == 0
        assert "Nothing is pending." in type_words(capsys)
        game = play_on(hers(his, both), anna)
        assert game.state.ending is None

    def test_of_a_game_that_is_over(
        self, both: tuple[Correspondent, Correspondent], his: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        anna, bruno = both
        anna.save(write.resign(his, bruno.local_player.key, claim=clock(his)))
        assert anna.type("resign", anna.file.name, "--yes") == 4
        assert "the Americans have resigned" in type_words(capsys)


class TestDraw:
    def test_it_goes_when_she_writes_next(self, both: tuple[Correspondent, Correspondent], his: Game) -> None:
        anna, _ = both
        assert anna.type("propose", anna.file.name, "draw") == 0
        game = his
        while not game.state.proposal:
            game = play_on(game if game.state.writer == "german" else hers(game, both), anna)
        body = game.entries[-1].body
        assert (body.by, isinstance(body, Propose)) == ("german", True)
        assert deferred_for(anna.local_player, game) == Deferred()

    def test_no_orders_before_it(self, both: tuple[Correspondent, Correspondent], game: Game) -> None:
        """It is answered first, so the plan rests as well."""
        anna, bruno = both
        plans = PlanStore(anna.local_player.home)
        plans.save(game, parse_plan("do pass", "plan"))
        plans.arm(game)
        DeferredActions(anna.local_player.home).save_draw(game)
        with pytest.raises(NotYourMove, match="your draw offer goes first") as refused:
            GiveOrders(ActionContext(anna.local_player, game, anna.file), PASS)
        assert "--withdraw" in (refused.value.hint or "")
        game = play_on(game, anna)
        assert game.state.proposal
        game = anna.save(write.answer(game, bruno.local_player.key, False, claim=clock(game)))
        game = play_on(game, anna)
        assert isinstance(game.entries[-1].body, Play), "now the plan answers"

    def test_after_a_refusal_it_waits_for_orders(
        self, both: tuple[Correspondent, Correspondent], game: Game
    ) -> None:
        anna, bruno = both
        game = write.propose(game, anna.local_player.key, {"draw": True}, claim=clock(game))
        game = anna.save(write.answer(game, bruno.local_player.key, False, claim=clock(game)))
        DeferredActions(anna.local_player.home).save_draw(game)
        hand = ActionContext(anna.local_player, game, anna.file)
        assert proposals.due_deferred_action(hand) is None
        assert why_not_possible(hand, "orders") is None
        assert play_on(game, anna).ids == game.ids

    def test_not_beside_a_proposal_that_asks_for_it(
        self, both: tuple[Correspondent, Correspondent], his: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """His is to be answered; of her own the answer is awaited."""
        anna, bruno = both
        game = his if not his.state.open_beat else write.play(his, bruno.local_player.key)
        while game.state.writer != "us" or game.state.open_beat:
            who = anna if game.state.writer == "german" else bruno
            orders = None if permissions.has_forced_entry(game, who.local_player.key) else PASS
            game = write.play(game, who.local_player.key, orders, claim=clock(game))
        anna.save(write.propose(game, bruno.local_player.key, {"draw": True}, claim=clock(game)))
        assert anna.type("propose", anna.file.name, "draw") == 4
        assert "answer this proposal first" in type_words(capsys)

    def test_words_go_along(self, both: tuple[Correspondent, Correspondent], his: Game) -> None:
        anna, _ = both
        anna.type("propose", anna.file.name, "draw", "--say", "Enough blood.")
        game = his
        while not game.state.proposal:
            game = play_on(game if game.state.writer == "german" else hers(game, both), anna)
        assert game.entries[-1].body.say == "Enough blood."


class TestTwoHomes:
    def test_only_the_one_that_decided_last_signs(
        self, both: tuple[Correspondent, Correspondent], game: Game, tmp_path: Path
    ) -> None:
        anna, _ = both
        DeferredActions(anna.local_player.home).save_resignation(game, certain=True)
        plans = PlanStore(anna.local_player.home)
        plans.save(game, parse_plan("do pass", "plan"))
        plans.arm(game)
        other = Correspondent(
            "Anna",
            LocalPlayer(shutil.copytree(anna.local_player.home, tmp_path / "copy")),
            tmp_path / "g.yaml",
        )
        assert may_sign_here(anna.local_player, game)
        assert not may_sign_here(other.local_player, game)
        assert play_on(game, other).ids == game.ids
        assert isinstance(play_on(game, anna).entries[-1].body, Resign)

    def test_a_home_that_only_got_the_game(
        self, both: tuple[Correspondent, Correspondent], game: Game, tmp_path: Path
    ) -> None:
        anna, _ = both
        second = on_second_computer(anna, game, tmp_path)
        DeferredActions(second.local_player.home).save_resignation(game, certain=True)
        assert play_on(game, second).ids == game.ids


def test_what_is_undone_waits_for_a_word(
    both: tuple[Correspondent, Correspondent], game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    """The offer that the program made for her came too soon."""
    anna, _ = both
    DeferredActions(anna.local_player.home).save_draw(game)
    offered = play_on(game, anna)
    assert offered.state.proposal
    undone = undo(anna.local_player, offered, anna.file, nobody_has_it=True)
    wish = deferred_for(anna.local_player, undone.game)
    assert (wish.draw, wish.suspended) == (False, ("draw",))
    assert play_on(undone.game, anna).ids == undone.game.ids
    assert why_not_possible(ActionContext(anna.local_player, undone.game, anna.file), "orders") is None
    anna.type("show", anna.file.name)
    assert "Your undo also withdrew your draw offer." in type_words(capsys)


def test_it_is_told_wherever_the_game_is_shown(
    both: tuple[Correspondent, Correspondent], his: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    anna, _ = both
    anna.type("propose", anna.file.name, "draw")
    for command in ([], ["games"], ["show", anna.file.name]):
        capsys.readouterr()
        assert anna.type(*command) == 0
        assert "Your draw offer goes out as soon as it is your turn to write." in type_words(capsys)
    assert anna.type("show", anna.file.name, "--json") == 0
    assert '"draw": true' in type_words(capsys)


def test_a_commander_has_none(both: tuple[Correspondent, Correspondent], his: Game, tmp_path: Path) -> None:
    """Nor has anybody else who you play no side."""
    other = Correspondent("Eve", LocalPlayer(tmp_path / "eve"), tmp_path / "g.yaml")
    (tmp_path / "eve").mkdir()
    other.local_player.make_key()
    other.file.write_bytes(both[0].file.read_bytes())
    for words in (("resign", "g.yaml", "--yes"), ("propose", "g.yaml", "draw")):
        assert other.type(*words) == 4
        assert not list((tmp_path / "eve").glob("games/*/record.json"))


def type_words(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join("".join(capsys.readouterr()).split())
