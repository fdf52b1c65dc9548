"""The board opens the first draw by itself, which decides nothing, and says so (FORMAT 12, `bound`)."""

from __future__ import annotations

import shutil

from pbem.games.mortain import RULES
from pbem.player.actions.action import sign_offer
from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Terms
from pbem.web.board_session import BoardSession
from player.conftest import anna, both
from support.correspondents import LASTING, Correspondent
from support.simulator import clock, entropy, file_of, log_of

__all__ = ["anna", "both"]

SAID = "pbem has started draw 1 for you: there was nothing to decide."


def offer_and_set_up(anna: Correspondent, bruno: Correspondent) -> tuple[Game, Game]:
    """Anna's offer, saved at her home, and the game once Bruno has joined and set up."""
    offered = anna.save(sign_offer(anna.person(), "german", Terms(RULES, dict(LASTING), "mortain")))
    joined = write.accept(offered, bruno.person(), entropy("bruno"), claim=clock(offered))
    asked = joined.state.pending_question
    assert asked
    orders = next(joined.rules.offers(asked))
    return offered, write.play(joined, bruno.local_player.key, orders, claim=clock(joined))


def test_when_it_opens(both: tuple[Correspondent, Correspondent]) -> None:
    anna, bruno = both
    _, game = offer_and_set_up(anna, bruno)
    anna.local_player.save(game, anna.file)
    sitting = BoardSession(anna.local_player, game, anna.file)
    shown = sitting.current_data()
    assert len(sitting.state.game.entries) == len(game.entries) + 1
    assert sitting.state.game.state.open_beat
    assert shown["notes"][0] == SAID
    saved = anna.local_player.open(anna.file.read_bytes())
    assert saved.ids == sitting.state.game.ids


def test_when_it_comes_to_an_open_board(both: tuple[Correspondent, Correspondent]) -> None:
    """And the note goes once the draw is completed."""
    anna, bruno = both
    offered, game = offer_and_set_up(anna, bruno)
    joined = anna.local_player.open(_cut(game, 2))
    anna.local_player.save(joined, anna.file)
    sitting = BoardSession(anna.local_player, joined, anna.file)
    assert SAID not in sitting.current_data()["notes"]
    anna.local_player.save(game, anna.file)
    assert sitting.current_data()["notes"][0] == SAID
    drawn = write.play(sitting.state.game, bruno.local_player.key)
    anna.local_player.save(drawn, anna.file)
    assert SAID not in sitting.current_data()["notes"]
    assert offered.ids == drawn.ids[:1]


def test_not_where_the_offer_was_made_elsewhere(both: tuple[Correspondent, Correspondent]) -> None:
    """There another accept may have been answered: the player is asked to do it."""
    anna, bruno = both
    _, game = offer_and_set_up(anna, bruno)
    laptop = LocalPlayer(anna.local_player.home.parent / "laptop")
    laptop.home.mkdir()
    shutil.copy(anna.local_player.home / "key", laptop.home)
    file = anna.file.parent / "laptop.yaml"
    file.write_bytes(file_of(log_of(game)))
    laptop.record(game, file.read_bytes(), new=True)
    sitting = BoardSession(laptop, game, file)
    assert sitting.state.game.ids == game.ids
    assert "share" in sitting.current_data()["acts"]
    assert permissions.has_forced_entry(game, laptop.key)


def _cut(game: Game, entries: int) -> bytes:
    return file_of(log_of(game)[:entries])
