"""What a player is told: nothing that has happened since his last decision is lost, wherever he looks."""

from __future__ import annotations

import pytest

from pbem.player.actions.action import ActionContext
from pbem.player.actions.orders import GiveOrders, GiveShare
from pbem.player.actions.proposals import ResignGame
from pbem.player.sign import sign
from pbem.player.status import game_status, is_end_unseen, news
from pbem.player.store.record_store import ReadMarker
from pbem.umpire import permissions
from pbem.umpire.game_state import Game
from support.correspondents import Correspondent

PASS = [{"pass": True}]


def numbers(player: Correspondent, game: Game) -> list[int]:
    return [one.entry.body.n for one in news(player.local_player, game)]


def by(player: Correspondent, game: Game) -> bool:
    return game.state.writer in permissions.held_seats(game, player.local_player.key)


def written(both: tuple[Correspondent, Correspondent], game: Game, say: str = "") -> Game:
    """The game with one entry more: a share where one is owed, else a pass with these words; kept by both."""
    writer = next(one for one in both if by(one, game))
    hand = ActionContext(writer.local_player, game, writer.file)
    owes = permissions.has_forced_entry(game, writer.local_player.key)
    after = GiveShare(hand).write() if owes else GiveOrders(hand, PASS, say).write()
    for one in both:
        one.local_player.save(after, one.file, new=True)
    return after


@pytest.fixture
def words_before_a_share(both: tuple[Correspondent, Correspondent], game: Game) -> tuple[Game, int]:
    """Bruno has said something with his decision, and the program has written Anna's share since."""
    anna, _ = both
    said = -1
    for _ in range(60):
        share = by(anna, game) and permissions.has_forced_entry(game, anna.local_player.key)
        game = written(both, game, "Well met." if not by(anna, game) else "")
        body = game.entries[-1].body
        said = body.n if getattr(body, "say", None) else said
        if share and said == body.n - 1:
            return game, said
    raise AssertionError("no share of Anna's has come right after words of Bruno's")


def test_a_share_loses_no_news(
    both: tuple[Correspondent, Correspondent], words_before_a_share: tuple[Game, int]
) -> None:
    game, said = words_before_a_share
    assert said in numbers(both[0], game)


def test_show_and_the_letter_tell_the_words(
    both: tuple[Correspondent, Correspondent],
    words_before_a_share: tuple[Game, int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    anna, _ = both
    capsys.readouterr()
    assert anna.type("show", anna.file.name) == 0
    assert "Well met." in capsys.readouterr().out


def test_his_own_decision_comes_with_what_came_of_it(
    both: tuple[Correspondent, Correspondent], game: Game
) -> None:
    anna, _ = both
    assert sign(GiveOrders(ActionContext(anna.local_player, game, anna.file), PASS)) is not None
    after = anna.local_player.open(anna.file.read_bytes())
    decision = len(after.entries) - 1
    after = written(both, after)
    assert numbers(anna, after)[0] == decision


def test_who_looks_twice_is_told_the_same(both: tuple[Correspondent, Correspondent], game: Game) -> None:
    anna, _ = both
    game = written(both, written(both, game))
    first = numbers(anna, game)
    ReadMarker(anna.local_player.home).save_mark(game)
    assert numbers(anna, game) == first
    later = written(both, game)
    assert numbers(anna, later) == [len(game.entries)]


def test_what_is_unlocked_is_no_news_of_the_file(
    both: tuple[Correspondent, Correspondent], words_before_a_share: tuple[Game, int]
) -> None:
    game, _ = words_before_a_share
    for player in both:
        told = game_status(player.local_player, game)
        assert told.unlocked_events == tuple(permissions.unlock_state(game, player.local_player.key).run.told)


def test_a_resignation_is_news_until_it_is_looked_at(
    both: tuple[Correspondent, Correspondent], game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    anna, bruno = both
    over = ResignGame(ActionContext(anna.local_player, game, anna.file)).write()
    for one in both:
        one.local_player.save(over, one.file, new=True)
    capsys.readouterr()
    for command in ((), ("games",)):
        assert bruno.type(*command) == 0
        assert "NEW  Stand at Mortain" in " ".join(capsys.readouterr().out.split(" "))
    assert is_end_unseen(bruno.local_player, over.ids[0], over.ids[-1])
    ReadMarker(bruno.local_player.home).save_mark(over)
    assert bruno.type() == 0
    assert "NEW" not in capsys.readouterr().out


def test_what_is_asked_is_told_with_what_a_share_unlocks(
    both: tuple[Correspondent, Correspondent], game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not that a share is owed, where the card that it completes lets the player act."""
    for _ in range(60):
        writer = next(one for one in both if by(one, game))
        if game.state.open_beat and not permissions.has_forced_entry(game, writer.local_player.key):
            break
        game = written(both, game)
    capsys.readouterr()
    assert writer.type() == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "activate" in said
    assert "nothing to decide" not in said
