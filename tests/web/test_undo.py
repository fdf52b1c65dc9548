"""Undo at the board, as the page asks for it: what nobody has got goes, what may have left stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import NotYourMove
from pbem.player.local_player import practice_player
from pbem.player.pending import PendingMessages
from pbem.player.plans.grammar import parse_plan
from pbem.player.plans.plan_store import PlanStore
from pbem.player.practice import play_to_next_decision
from pbem.player.store.signed_entries import SendChannel
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Person
from pbem.web.board_session import ActionRequest, BoardSession, SignRequest
from pbem.web.departure import UndoRequest
from pbem.web.order_options import OptionsRequest
from player.test_plan_store import play_to_decision
from support.board_player import sign_at
from support.correspondents import (
    LASTING,
    Correspondent,
    begin_game,
    fixed_entropy,
    make_correspondents,
    offer_game,
)


@pytest.fixture
def anna(tmp_path: Path) -> Correspondent:
    return make_correspondents(tmp_path)[0]


@pytest.fixture
def game(anna: Correspondent, tmp_path: Path) -> Game:
    """Anna has a decision before her; her plan is armed, and words wait."""
    bruno = make_correspondents(tmp_path / "other")[1]
    game = anna.save(play_to_decision(begin_game(anna.person(), bruno.person()), anna, bruno))
    plans = PlanStore(anna.local_player.home)
    plans.save(game, parse_plan("do pass", "plan"))
    plans.arm(game)
    PendingMessages(anna.local_player.home).save(game, anna.local_player.key, "Good luck!")
    return game


@pytest.fixture
def sitting(game: Game, anna: Correspondent) -> BoardSession:
    """She has signed at her board that she passes."""
    sitting = BoardSession(anna.local_player, game, anna.file)
    assert sitting.current_data()["undo"] == [], "the last entry is the opponent's"
    return sign_at(sitting, "pass")


def stored_game(anna: Correspondent) -> Game:
    (kept,) = anna.local_player.store.games()
    return anna.local_player.open(kept.data)


def first_offered(sitting: BoardSession) -> str:
    """The first order that the board offers."""
    now = sitting.current_data()
    found = sitting.options(OptionsRequest(sitting.state.bound, units=now["able"][:1]))["options"]
    words: str = [*found, *now["free"]][0][0]
    return words


def test_it_is_told_and_done(sitting: BoardSession, game: Game, anna: Correspondent) -> None:
    n = len(game.ids)
    assert len(stored_game(anna).ids) == n + 1
    entry, stake, question = sitting.current_data()["undo"]
    assert entry.startswith(f"To be undone: {n} German (pass")
    assert f"a different entry {n}" in stake
    assert question == f"Are you sure that nobody has received {anna.file} since then?"
    now = sitting.undo(UndoRequest(sitting.state.bound))
    assert stored_game(anna).ids == anna.local_player.open(anna.file.read_bytes()).ids == game.ids
    assert "orders" in now["acts"]
    assert now["undo"] == []
    kept, disarmed, suspended, words = now["undone"]
    assert "never share it" in kept
    assert disarmed.startswith("Your plan has been disarmed")
    assert not PlanStore(anna.local_player.home).record(game).is_armed
    assert suspended.endswith("--again")
    assert words.strip() == '"Good luck!"'
    assert "undone" not in sitting.current_data()


def test_other_orders_then(sitting: BoardSession, game: Game, anna: Correspondent) -> None:
    first = stored_game(anna).ids[-1]
    sitting.undo(UndoRequest(sitting.state.bound))
    sign_at(sitting, first_offered(sitting))
    assert len(stored_game(anna).ids) == len(game.ids) + 1
    assert stored_game(anna).ids[-1] != first


def test_a_window_left_behind_undoes_nothing(sitting: BoardSession, anna: Correspondent) -> None:
    """It shows the question of before."""
    told = sitting.undo(UndoRequest("0" * 64))
    assert told["stale"].endswith("nothing was undone")
    assert len(stored_game(anna).ids) == len(sitting.state.game.ids)


def test_what_has_left_meanwhile_stays(sitting: BoardSession, anna: Correspondent) -> None:
    """It was mailed from a terminal while the page offered it."""
    assert sitting.current_data()["undo"]
    anna.local_player.note_departure(sitting.state.game, SendChannel.SERVER)
    with pytest.raises(NotYourMove, match="was mailed: a server has it"):
        sitting.undo(UndoRequest(sitting.state.bound))
    assert sitting.current_data()["undo"] == []
    assert stored_game(anna).ids == sitting.state.game.ids


def test_against_the_program_a_take_back_serves(tmp_path: Path, anna: Correspondent) -> None:
    program = Person("Practice", practice_player(anna.local_player).key)
    game = play_to_next_decision(
        write.accept(offer_game(anna.person(), LASTING), program, fixed_entropy("bruno")), anna.local_player
    )
    while game.state.writer != "german" or permissions.has_forced_entry(game, anna.local_player.key):
        game = play_to_next_decision(game, anna.local_player)
    sitting = BoardSession(anna.local_player, anna.save(game), anna.file)
    sign_at(sitting, first_offered(sitting))
    assert sitting.current_data()["undo"] == []
    with pytest.raises(NotYourMove, match="both sides' keys are on this computer"):
        sitting.undo(UndoRequest(sitting.state.bound))
    while not sitting.current_data()[
        "backs"
    ]:  # by the cards: what leaves a beat open is no place to go back to
        if "share" in sitting.state.actions:
            shown = sitting.confirm(ActionRequest(sitting.state.bound, act="share"))
            sitting.sign(SignRequest(sitting.state.bound, shown["digest"]))
        else:
            sign_at(sitting, first_offered(sitting))
    assert "takeback" in sitting.state.actions
