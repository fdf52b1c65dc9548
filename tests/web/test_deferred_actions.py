"""Wishes at the board: said at any time, told beside the question, and before orders where they may go."""

from __future__ import annotations

from pbem.player.pending import DeferredActions, deferred_for
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.web.board_session import ActionRequest, BoardSession, SignRequest, WithdrawRequest
from pbem.web.board_state import OfferedAction
from player.conftest import anna, both, game
from support.correspondents import Correspondent
from support.simulator import clock

__all__ = ["anna", "both", "game"]


def signs(sitting: BoardSession, act: OfferedAction) -> list[str]:
    """What she was shown before she signed."""
    draft = sitting.confirm(ActionRequest(sitting.state.bound, act))
    sitting.sign(SignRequest(sitting.state.bound, draft["digest"]))
    words: list[str] = draft["words"]
    return words


def test_at_his_move(anna: Correspondent, game: Game) -> None:
    """Nothing is written, and nothing is lost by saying it twice."""
    while game.state.writer == "german":
        orders = None if permissions.has_forced_entry(game, anna.local_player.key) else [{"pass": True}]
        game = write.play(game, anna.local_player.key, orders, claim=clock(game))
    sitting = BoardSession(anna.local_player, anna.save(game), anna.file)
    assert sitting.current_data()["acts"] == ["draw", "takeback", "resign"]
    told = "You resign as soon as you can. pbem asks you again then."
    assert signs(sitting, "resign") == [told]
    assert signs(sitting, "draw") == [
        "You offer a draw as soon as you can. Until then the offer is waiting here."
    ]
    notes = " ".join(sitting.current_data()["notes"])
    assert "You will be asked to confirm your resignation when it is your turn to write." in notes
    assert "Your draw offer goes out as soon as it is your turn to write." in notes
    assert (deferred_for(anna.local_player, game).draw, deferred_for(anna.local_player, game).resign) == (
        True,
        "ask",
    )
    assert sitting.state.game.ids == game.ids
    assert sitting.current_data()["waits"] == ["draw", "resign"]
    shown = sitting.withdraw(WithdrawRequest(sitting.state.bound, "resign"))
    assert shown["waits"] == ["draw"]
    assert not any("resignation" in note for note in shown["notes"])
    assert not deferred_for(anna.local_player, game).resign


def test_an_offer_goes_before_orders(anna: Correspondent, game: Game) -> None:
    DeferredActions(anna.local_player.home).save_draw(game)
    sitting = BoardSession(anna.local_player, game, anna.file)
    shown = sitting.current_data()
    assert "orders" not in shown["acts"]
    assert shown["able"] == shown["free"] == []
    assert any(line.startswith("Your draw offer has to go first: pbem propose ") for line in shown["notes"])
    assert signs(sitting, "draw") == ["You propose a draw."]
    assert sitting.state.game.state.proposal
    assert not deferred_for(anna.local_player, sitting.state.game).draw
