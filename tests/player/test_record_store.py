"""The record of a game at home: written whole, read again, refused where a newer program wrote it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.base.home import LAYOUT
from pbem.errors import StorageError
from pbem.player.actions.undo import undo
from pbem.player.store.game_record import NEW_RECORD, OrderDraft, ReadMark
from pbem.player.store.record_store import GameRecords, draft_of, set_draft
from pbem.umpire.game_state import Game
from player.test_plan_store import play_to_decision
from support.correspondents import Correspondent, begin_game, make_correspondents, play_share_and_orders

GAME, OTHER = "0" * 64, "1" * 64
LINES = ["activate 2SS-A move 1803", "2SS-B attack 1902", "zuerst das Späteste"]


@pytest.fixture
def both(tmp_path: Path) -> tuple[Correspondent, Correspondent]:
    return make_correspondents(tmp_path)


@pytest.fixture
def anna(both: tuple[Correspondent, Correspondent]) -> Correspondent:
    return both[0]


@pytest.fixture
def game(both: tuple[Correspondent, Correspondent]) -> Game:
    """Anna is to give orders, and has the game."""
    anna, bruno = both
    return anna.save(play_to_decision(begin_game(anna.person(), bruno.person()), anna, bruno))


class TestOrdersInProgress:
    def test_kept_in_order_as_typed(self, anna: Correspondent, game: Game) -> None:
        home = anna.local_player.home
        assert draft_of(home, game) == ()
        set_draft(home, game, LINES[:1])
        set_draft(home, game, LINES)
        assert draft_of(home, game) == tuple(LINES)

    def test_cleared(self, anna: Correspondent, game: Game) -> None:
        home = anna.local_player.home
        set_draft(home, game, LINES)
        set_draft(home, game, ())
        assert draft_of(home, game) == ()
        assert GameRecords(home).read(game.ids[0]).draft == OrderDraft()

    def test_an_entry_ends_them(self, anna: Correspondent, game: Game) -> None:
        """Before it is stored they do not fit; once it is they are deleted, and an undo brings none back."""
        player = anna.local_player
        set_draft(player.home, game, LINES)
        after = play_share_and_orders(game, anna.person())
        assert draft_of(player.home, after) == ()
        player.save(after, anna.file)
        before = undo(player, after, anna.file, nobody_has_it=True).game
        assert before.ids == game.ids
        assert draft_of(player.home, before) == ()

    def test_what_is_not_text_does_not_stop_them(self, anna: Correspondent, game: Game) -> None:
        """A terminal may send bytes that are no UTF-8."""
        set_draft(anna.local_player.home, game, ["move \udcff"])
        assert draft_of(anna.local_player.home, game) == ("move ?",)


class TestTheFile:
    def test_it_names_its_version_and_what_is_known(self, tmp_path: Path) -> None:
        records = GameRecords(tmp_path)
        records.change(GAME, lambda record: replace(record, read=ReadMark("a")))
        written = json.loads(records.path(GAME).read_bytes())
        assert (written["version"], written["read"]) == (1, {"at": "a"})
        assert not written.keys() & {"file", "unconfirmed", "message", "plan"}, "as in a new game"
        assert records.read(OTHER) == NEW_RECORD

    def test_a_change_that_changes_nothing_writes_nothing(self, tmp_path: Path) -> None:
        GameRecords(tmp_path).change(GAME, lambda record: replace(record, file=""))
        assert not (tmp_path / "games").exists()

    def test_a_change_that_fails_leaves_it(self, tmp_path: Path) -> None:
        records = GameRecords(tmp_path)
        before = records.change(GAME, lambda record: replace(record, file="game.yaml"))
        with pytest.raises(ZeroDivisionError):
            records.change(GAME, lambda record: replace(record, file=str(1 // 0)))
        assert records.read(GAME) == before

    def test_the_home_has_its_layout_from_the_first_record_on(self, tmp_path: Path) -> None:
        GameRecords(tmp_path).change(GAME, lambda record: replace(record, file="game.yaml"))
        assert (tmp_path / "layout").read_text() == f"{LAYOUT}\n"

    @pytest.mark.parametrize("text", ['{"version": 2}', '{"version": 2, "moods": ["glad"], "file": 3}'])
    def test_one_by_a_newer_program_is_left_alone(self, text: str, tmp_path: Path) -> None:
        path = GameRecords(tmp_path).path(GAME)
        path.parent.mkdir(parents=True)
        path.write_text(text)
        with pytest.raises(StorageError, match=r"record\.json was written by a newer pbem") as caught:
            GameRecords(tmp_path).change(GAME, lambda record: replace(record, file="game.yaml"))
        assert "newer pbem than yours" in str(caught.value.hint)
        assert path.read_text() == text

    @pytest.mark.parametrize("text", ["", "[]", '{"version": 1, "moods": []}', "[" * 100_000, "\udcff"])
    def test_a_damaged_one_is_named(self, text: str, tmp_path: Path) -> None:
        path = GameRecords(tmp_path).path(GAME)
        path.parent.mkdir(parents=True)
        path.write_bytes(text.encode(errors="surrogateescape"))
        with pytest.raises(StorageError, match=r"record\.json is damaged") as caught:
            GameRecords(tmp_path).read(GAME)
        assert str(caught.value.hint).startswith("move its folder away")
