"""What a reader must remember (FORMAT section 6), and the players' keys (section 4)."""

import json
import os
import re
from pathlib import Path

import pytest
from filelock import FileLock

import pbem.base.files
from pbem.base.home import home
from pbem.errors import CompetingAccept, ForkedFile, OlderFile, StorageError, UndoneEntry, UnknownGame
from pbem.format.document import document_bytes
from pbem.player.local_player import log_lines
from pbem.player.store.game_store import GameStore
from pbem.player.store.log_relation import Log, LogLine, Relation
from pbem.player.store.signed_entries import SendChannel
from pbem.umpire.verify import open_game
from support.markers import Posix, requires
from support.processes import run_python
from support.store_logs import parse_store_log, store_log

EXAMPLES = Path(__file__).parents[2] / "examples"

OPENING = ("us offer", "ger accept")
LATER = (*OPENING, "us play A", "ger play B")


@pytest.fixture
def shelf(tmp_path: Path) -> GameStore:
    return GameStore(tmp_path / "home", parse_store_log)


@pytest.fixture
def kept(shelf: GameStore) -> Log:
    """The log that the shelf holds."""
    kept = store_log(*LATER)
    shelf.record(kept, new=True)
    return kept


def files(folder: Path) -> dict[str, bytes]:
    """The files of a shelf by their paths, without the lock."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "lock"
    }


def unwanted(data: bytes) -> tuple[LogLine, ...]:
    """A reader of kept files that should not be asked."""
    raise AssertionError("the file was parsed")


class TestRelation:
    """A file extends the kept log if it begins with all of its entries; ids are compared, never bytes."""

    @pytest.mark.parametrize(
        ("shown", "relation"),
        [
            (store_log(*LATER), Relation.EQUAL),
            (store_log(*LATER, note="another picture"), Relation.EQUAL),
            (store_log(*LATER, "us play C"), Relation.EXTENDS),
            (store_log(*LATER[:3]), Relation.OLDER),
            (store_log(*LATER[:1]), Relation.OLDER),
            (store_log(*LATER[:3], "ger play other"), Relation.FORKED),
            (store_log(*LATER[:3], "ger play other", "us play C"), Relation.FORKED),
            (store_log(*OPENING, "us play other"), Relation.FORKED),
            (store_log("us offer another", "ger accept"), Relation.NEW),
        ],
    )
    def test_relation_to_the_kept_log(
        self, shown: Log, relation: Relation, shelf: GameStore, kept: Log, tmp_path: Path
    ) -> None:
        before = files(tmp_path)
        assert shelf.relation(shown) is relation
        assert files(tmp_path) == before

    def test_empty_shelf(self, shelf: GameStore, tmp_path: Path) -> None:
        assert shelf.relation(store_log(*LATER)) is Relation.NEW
        assert not (tmp_path / "home").exists()

    def test_an_unchanged_file_is_not_parsed(self, kept: Log, tmp_path: Path) -> None:
        shelf = GameStore(tmp_path / "home", unwanted)
        assert shelf.relation(kept) is Relation.EQUAL
        shelf.record(kept)

    @pytest.mark.parametrize(("entries", "relation"), [(31, Relation.EXTENDS), (80, Relation.EQUAL)])
    def test_nor_one_that_was_the_same_file_before(
        self, entries: int, relation: Relation, tmp_path: Path
    ) -> None:
        """Its status and map were others; the text of its log is the beginning of that of the new one."""
        game = open_game((EXAMPLES / "mortain-it-exits.yaml").read_bytes())
        before = Log(document_bytes(None, "", game.entries[:entries]), log_lines(game.entries[:entries]))
        GameStore(tmp_path / "home", unwanted).record(before, new=True)
        shelf = GameStore(tmp_path / "home", unwanted)
        now = Log((EXAMPLES / "mortain-it-exits.yaml").read_bytes(), log_lines(game.entries))
        assert shelf.relation(now) is relation
        for other in (
            Log(now.data.replace(b"cinque uscite", b"sei uscite"), now.lines),  # some word in entry 0
            Log(now.data.replace(b"\n", b"\r\n"), now.lines),
            Log(b"pbem: 1\nlog: [{n: 0}]\n", now.lines),
            Log(now.data, now.lines[:-1]),
        ):
            with pytest.raises(AssertionError, match="was parsed"):
                shelf.relation(other)


class TestKeep:
    """For each game the shelf keeps the longest log that passed verification."""

    def test_layout(self, shelf: GameStore, kept: Log, tmp_path: Path) -> None:
        assert files(tmp_path) == {f"home/games/{kept.game}/game.yaml": kept.data}

    def test_longer_log(self, shelf: GameStore, kept: Log, tmp_path: Path) -> None:
        longer = store_log(*LATER, "us play C")
        shelf.record(longer)
        assert files(tmp_path) == {f"home/games/{kept.game}/game.yaml": longer.data}

    def test_equal_log_in_other_bytes_changes_nothing(
        self, shelf: GameStore, kept: Log, tmp_path: Path
    ) -> None:
        shelf.record(store_log(*LATER, note="another picture"))
        assert files(tmp_path) == {f"home/games/{kept.game}/game.yaml": kept.data}

    def test_equal_bytes_need_no_writing(self, shelf: GameStore, kept: Log, tmp_path: Path) -> None:
        (tmp_path / "home" / "lock").unlink(missing_ok=True)  # Windows keeps none
        shelf.record(kept)
        assert not (tmp_path / "home" / "lock").exists()

    def test_unknown_game_is_kept_only_when_confirmed(self, shelf: GameStore, tmp_path: Path) -> None:
        with pytest.raises(UnknownGame, match=r"new to this computer; the file ends with entry 3, by ger$"):
            shelf.record(store_log(*LATER))
        assert not (tmp_path / "home").exists()

    def test_confirmation_opens_no_door_to_an_older_file(self, shelf: GameStore, kept: Log) -> None:
        with pytest.raises(OlderFile):
            shelf.record(store_log(*OPENING), new=True)


class TestOlderFile:
    """It will not play on an older file, and keeps both as evidence."""

    def test_account_and_evidence(self, shelf: GameStore, kept: Log, tmp_path: Path) -> None:
        older = store_log(*LATER[:3])
        with pytest.raises(OlderFile) as caught:
            shelf.record(older)
        assert str(caught.value) == (
            "this file is older than yours: it ends with entry 2, yours with entry 3"
        )
        game = f"home/games/{kept.game}"
        evidence = f"{game}/evidence/{older.lines[2].id}.yaml"
        assert files(tmp_path) == {f"{game}/game.yaml": kept.data, evidence: older.data}
        assert not caught.value.hint


class TestForkedFile:
    """Two entries of one seat with equal n and prev and different ids prove that this seat forked."""

    def refused(self, shelf: GameStore, shown: Log) -> str:
        with pytest.raises(ForkedFile) as caught:
            shelf.record(shown)
        return str(caught.value)

    def test_account_and_evidence(self, shelf: GameStore, kept: Log, tmp_path: Path) -> None:
        forked = store_log(*LATER[:3], "ger play other", "us play C")
        with pytest.raises(ForkedFile) as caught:
            shelf.record(forked)
        assert str(caught.value) == (
            "from entry 3 on, this file has a different history from yours: ger has signed both "
            "versions of entry 3, and the two signatures prove it; the one in this file counts, "
            "because us has continued it. This file ends with entry 4, yours with entry 3"
        )
        game = f"home/games/{kept.game}"
        evidence = f"{game}/evidence/{forked.lines[4].id}.yaml"
        assert files(tmp_path) == {f"{game}/game.yaml": kept.data, evidence: forked.data}
        assert caught.value.hint == f"both are kept as proof in {tmp_path / 'home/games'}"

    @pytest.mark.parametrize(
        ("shown", "verdict"),
        [
            (store_log(*LATER[:3], "ger play other"), "prove it; us has not continued either yet"),
            (
                store_log(*LATER[:3], "ger play other", "ger play more"),
                "prove it; us has not continued either yet",
            ),
            (
                store_log(*OPENING, "us play other"),
                "prove it; yours counts, because ger has continued it",
            ),
            (
                store_log(*OPENING, "us play other", "us play more", "ger play more"),
                "prove it; ger has continued both",
            ),
        ],
    )
    def test_who_forked_and_which_log_counts(
        self, shown: Log, verdict: str, shelf: GameStore, kept: Log
    ) -> None:
        assert verdict in self.refused(shelf, shown)

    def test_another_accept__accuses_nobody(self, shelf: GameStore, kept: Log) -> None:
        """An offerer answers one accept, the first recorded; any other accept of that offer is a fork."""
        with pytest.raises(CompetingAccept) as caught:
            shelf.record(store_log("us offer", "ger accept by another"))
        assert str(caught.value) == (
            "this file has a different accept of the offer from your saved game, and an offer can "
            "be accepted only once: yours counts, because us has continued it"
        )

    @pytest.mark.parametrize(
        ("kept", "shown", "counts"),
        [
            ([], [], "the one that us received first counts"),
            ([], ["us play A"], "the one in this file counts, because us has continued it"),
            (["us play A"], ["us play A"], "the two signatures prove it"),
        ],
    )
    def test_which_accept_counts(
        self, kept: list[str], shown: list[str], counts: str, shelf: GameStore
    ) -> None:
        """The shelf may be the accepter's, who cannot know which the offerer got first."""
        shelf.record(store_log(*OPENING, *kept), new=True)
        assert self.refused(shelf, store_log("us offer", "ger accept again", *shown)).endswith(counts)

    def test_one_who_accepts_twice(self, shelf: GameStore) -> None:
        """Under one key: then it is he who has forked."""
        first, second = (store_log("us offer", "ger accept", note) for note in ("ger play A", "ger play B"))
        again = LogLine("f" * 64, "ger", "accept", first.lines[1].key)
        shelf.record(first, new=True)
        account = self.refused(shelf, Log(second.data, (second.lines[0], again, *second.lines[2:])))
        assert "ger has signed both versions of entry 1" in account

    def test_an_offerer_who_plays_with_both(self, shelf: GameStore, kept: Log) -> None:
        """The other entries of that number are by two people, whatever seat they took."""
        account = self.refused(
            shelf, store_log("us offer", "ger accept by another", "us play A", "ger play B")
        )
        assert "a different accept of the offer from yours" in account
        assert "both versions of entry 2 are signed by us" in account

    def test_after_a_fork_the_kept_log_goes_on(self, shelf: GameStore, kept: Log) -> None:
        self.refused(shelf, store_log(*LATER[:3], "ger play other"))
        shelf.record(store_log(*LATER, "us play C"))
        assert shelf.relation(store_log(*LATER)) is Relation.OLDER

    def test_every_fork_is_kept(self, shelf: GameStore, kept: Log, tmp_path: Path) -> None:
        for other in ("C", "D", "C"):
            self.refused(shelf, store_log(*LATER[:3], f"ger play {other}"))
        assert len(list(tmp_path.rglob("evidence/*"))) == 2


class TestStanding:
    """Whoever only looks is told how a file stands to his own copy, in the words of a refusal."""

    @pytest.mark.parametrize(
        ("shown", "told"),
        [
            (store_log(*LATER), ""),
            (store_log(*LATER, note="another picture"), ""),
            (store_log("us offer another"), ""),
            (
                store_log(*LATER, "us play C"),
                "this file is newer than yours: it ends with entry 4, yours with entry 3",
            ),
        ],
    )
    def test_what_is_taken(self, shown: Log, told: str, shelf: GameStore, kept: Log) -> None:
        assert shelf.standing(shown) == (shelf.relation(shown), told)

    @pytest.mark.parametrize("shown", [store_log(*LATER[:3]), store_log(*LATER[:3], "ger play other")])
    def test_what_is_refused(self, shown: Log, shelf: GameStore, kept: Log, tmp_path: Path) -> None:
        before = files(tmp_path)
        _, told = shelf.standing(shown)
        assert files(tmp_path) == before
        with pytest.raises(StorageError, match=f"^{re.escape(told)}$"):
            shelf.record(shown)


class TestGamesAndFind:
    """The kept games, in the order of their ids, and one of them by the beginning of its id."""

    @pytest.fixture
    def several(self, shelf: GameStore) -> list[Log]:
        logs = [store_log(f"us offer {n}") for n in range(20)]  # more games than hexadecimal digits
        for each in logs:
            shelf.record(each, new=True)
        return sorted(logs, key=lambda each: each.game)

    def test_games(self, shelf: GameStore, several: list[Log]) -> None:
        assert [(kept.game, kept.data) for kept in shelf.games()] == [(one.game, one.data) for one in several]
        assert all(kept.path.read_bytes() == kept.data for kept in shelf.games())

    def test_no_games(self, shelf: GameStore) -> None:
        assert list(shelf.games()) == []

    def test_what_is_not_a_game_is_passed_over(self, shelf: GameStore, kept: Log, tmp_path: Path) -> None:
        (tmp_path / "home" / "games" / ("0" * 64)).mkdir()
        (tmp_path / "home" / "games" / ".DS_Store").write_bytes(b"")
        assert [each.game for each in shelf.games()] == [kept.game]

    @pytest.mark.parametrize("length", [12, 64])
    def test_find(self, length: int, shelf: GameStore, several: list[Log]) -> None:
        for each in several:
            assert shelf.find(each.game[:length].upper()).game == each.game

    def test_ambiguous(self, shelf: GameStore, several: list[Log]) -> None:
        firsts = [each.game[0] for each in several]
        digit = next(digit for digit in firsts if firsts.count(digit) > 1)
        matching = [each.game[:16] for each in several if each.game[0] == digit]
        with pytest.raises(StorageError) as caught:
            shelf.find(digit)
        assert str(caught.value) == f"{len(matching)} games begin with '{digit}': {', '.join(matching)}"

    def test_none(self, shelf: GameStore, several: list[Log]) -> None:
        with pytest.raises(StorageError, match=r"^none of your saved games begins with '\.\./\\x1b'$"):
            shelf.find("../\x1b")


class TestPlayers:
    """A program remembers name and key, and warns when a known name comes with another key."""

    def test_keys_of_a_name_in_the_order_of_their_coming(self, shelf: GameStore) -> None:
        assert shelf.keys_of("Erwin") == ()
        for name, key in (("Erwin", "key 2"), ("Omar", "key 1"), ("Erwin", "key 1"), ("Erwin", "key 2")):
            shelf.note_key(name, key)
        assert shelf.keys_of("Erwin") == ("key 2", "key 1")
        assert shelf.keys_of("Omar") == ("key 1",)

    @pytest.mark.parametrize("name", ["Er\u200bwin", "ERWIN", "\u3164Erwin ", "\uff25rwin", "Erwin\ufe0f"])
    def test_a_difference_that_nobody_sees(self, name: str, shelf: GameStore) -> None:
        shelf.note_key("Erwin", "key 1")
        assert shelf.keys_of(name) == ("key 1",)
        shelf.note_key(name, "key 2")
        assert shelf.keys_of("Erwin") == shelf.keys_of(name) == ("key 1", "key 2")

    def test_spellings_that_were_kept_apart(self, shelf: GameStore, tmp_path: Path) -> None:
        """As older versions wrote them: read together, and left as they are."""
        path = tmp_path / "home" / "players.json"
        path.parent.mkdir()
        path.write_text('{"Ana": ["key 1"], "Ana\u200b": ["key 2", "key 1"]}', "utf-8")
        assert shelf.keys_of("ANA") == ("key 1", "key 2")
        shelf.note_key("ana", "key 3")
        assert json.loads(path.read_text("utf-8")) == {
            "Ana": ["key 1", "key 3"],
            "Ana\u200b": ["key 2", "key 1"],
        }

    def test_names_are_any_text(self, shelf: GameStore, tmp_path: Path) -> None:
        for name in ("../../Émile", 'quo"te', "\U0001f396"):
            shelf.note_key(name, "key")
            assert shelf.keys_of(name) == ("key",)
        assert list(files(tmp_path)) == ["home/players.json"]

    def test_a_known_pair_is_not_written_again(self, shelf: GameStore, tmp_path: Path) -> None:
        shelf.note_key("Erwin", "key")
        (tmp_path / "home" / "lock").unlink(missing_ok=True)  # Windows keeps none
        shelf.note_key("Erwin", "key")
        assert not (tmp_path / "home" / "lock").exists()

    @pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"Erwin": "key"}', b'{"Erwin": [1]}', b'"\xff"'])
    def test_damaged(self, data: bytes, shelf: GameStore, tmp_path: Path) -> None:
        path = tmp_path / "home" / "players.json"
        path.parent.mkdir()
        path.write_bytes(data)
        with pytest.raises(StorageError, match=r"players\.json is damaged: "):
            shelf.keys_of("Erwin")
        with pytest.raises(StorageError, match=r"players\.json is damaged: "):
            shelf.note_key("Erwin", "key")
        assert path.read_bytes() == data


@requires(Posix.MODES)
class TestPrivacy:
    """The shelf is its owner's alone, whatever is written first."""

    def test_after_a_game(self, kept: Log, tmp_path: Path) -> None:
        assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700

    def test_after_a_player(self, shelf: GameStore, tmp_path: Path) -> None:
        shelf.note_key("Erwin", "key")
        assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700


class TestTrouble:
    """A shelf that cannot be read or written is one line for the player."""

    @pytest.mark.parametrize(
        "data", [b"not a log\n", b"", b"# no entries\n", store_log("us offer another").data]
    )
    def test_damaged_copy_is_never_written_over(
        self, data: bytes, shelf: GameStore, kept: Log, tmp_path: Path
    ) -> None:
        path = tmp_path / "home" / "games" / kept.game / "game.yaml"
        path.write_bytes(data)
        longer = store_log(*LATER, "us play C")
        with pytest.raises(StorageError, match=r"^your saved game .*game\.yaml is "):
            shelf.relation(longer)
        with pytest.raises(StorageError, match=r"^your saved game .*game\.yaml is "):
            shelf.record(longer)
        assert path.read_bytes() == data

    @requires(Posix.ERRORS)
    def test_home_is_a_file(self, shelf: GameStore, tmp_path: Path) -> None:
        (tmp_path / "home").write_bytes(b"")
        with pytest.raises(StorageError, match="cannot read"):
            shelf.record(store_log(*LATER), new=True)
        with pytest.raises(StorageError, match="cannot read"):
            list(shelf.games())
        with pytest.raises(StorageError, match="cannot read"):
            shelf.note_key("Erwin", "key")

    def test_the_lock_is_held_elsewhere(
        self, shelf: GameStore, kept: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pbem.base.files, "LOCK_SECONDS", 0.1)
        with (
            FileLock(tmp_path / "home" / "lock"),
            pytest.raises(StorageError, match=r"^another pbem is writing in .*home$"),
        ):
            shelf.record(store_log(*LATER, "us play C"))
        shelf.record(store_log(*LATER, "us play C"))

    def test_the_lock_cannot_be_made(self, shelf: GameStore, kept: Log, tmp_path: Path) -> None:
        (tmp_path / "home" / "lock").unlink(missing_ok=True)  # Windows keeps none
        (tmp_path / "home" / "lock").mkdir()
        with pytest.raises(StorageError, match=r"^cannot lock .*home: "):
            shelf.record(store_log(*LATER, "us play C"))


class TestHome:
    """`PBEM_HOME` moves the key and the shelf."""

    def test_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PBEM_HOME", "games/mine")
        assert home() == Path("games/mine")

    @pytest.mark.parametrize("named", ["", None])
    def test_in_the_home_folder(self, named: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("PBEM_HOME", raising=False)
        if named is not None:
            monkeypatch.setenv("PBEM_HOME", named)
        assert home() == Path.home() / ".pbem"

    def test_a_user_without_home_folder(self) -> None:
        """Not every container gives its user one."""
        if os.name == "nt" or os.geteuid() != 0:
            pytest.skip("only root can become a user who does not exist")
        done = run_python(
            "-c",
            "import os, pbem.base.home, pbem.errors\n"
            "os.setuid(54_321)\n"
            "os.environ.pop('HOME', None)\n"
            "os.environ.pop('PBEM_HOME', None)\n"
            "try: pbem.base.home.home()\n"
            "except pbem.errors.StorageError as error: print(error)\n",
        )
        assert done.stdout == "this user has no home folder\n", done.stderr


def test_starting_needs_no_lock_library() -> None:
    """filelock takes longer to import than all the rest, and `show` of an unchanged file does without."""
    done = run_python(
        "-c",
        "import sys, pbem.player.store.game_store\n"
        "print('pbem.base.files' in sys.modules, 'filelock' in sys.modules)",
    )
    assert done.stdout == "True False\n", done.stderr


class TestRetract:
    """The last entries are taken from the shelf, and kept as evidence, as long as nobody can have them."""

    @pytest.fixture
    def joined(self, shelf: GameStore) -> Log:
        """An offer by another, which `ger` has accepted here."""
        joined = store_log(*OPENING)
        shelf.record(store_log(*OPENING[:1]), new=True)
        shelf.record(joined, own=["ger"])
        return joined

    def test_what_was_signed_is_kept(self, shelf: GameStore, joined: Log, tmp_path: Path) -> None:
        offer = store_log(*OPENING[:1])
        evidence = shelf.retract(joined, offer)
        assert evidence.read_bytes() == joined.data
        assert shelf.find(offer.game).data == offer.data
        again = GameStore(tmp_path / "home", parse_store_log)
        assert again.relation(joined) is Relation.UNDONE
        with pytest.raises(UndoneEntry, match="continues with entry 1, which you have undone"):
            again.record(joined)

    def test_another_may_join_then(self, shelf: GameStore, joined: Log) -> None:
        shelf.retract(joined, store_log(*OPENING[:1]))
        other = store_log(OPENING[0], "ger accept by another")
        shelf.record(other)
        with pytest.raises(UndoneEntry):
            shelf.record(joined)
        assert shelf.find(other.game).data == other.data

    def test_not_what_the_shelf_does_not_hold(self, shelf: GameStore, kept: Log) -> None:
        with pytest.raises(StorageError, match="nothing was undone"):
            shelf.retract(store_log(*OPENING), store_log(*OPENING[:1]))
        assert shelf.find(kept.game).data == kept.data

    def test_not_what_was_signed_elsewhere(self, shelf: GameStore) -> None:
        joined = store_log(*OPENING)
        shelf.record(joined, new=True)
        with pytest.raises(StorageError, match="entry 1 was signed on another computer"):
            shelf.retract(joined, store_log(*OPENING[:1]))

    def test_not_what_has_left(self, shelf: GameStore, joined: Log) -> None:
        shelf.note_departure(joined.game, [line.id for line in joined.lines], SendChannel.SERVER)
        with pytest.raises(StorageError, match="entry 1 was mailed"):
            shelf.retract(joined, store_log(*OPENING[:1]))
        assert shelf.find(joined.game).data == joined.data

    def test_what_is_undone_does_not_leave(self, shelf: GameStore, joined: Log) -> None:
        """Another program had it in hand: the lock decides which of the two was first."""
        shelf.retract(joined, store_log(*OPENING[:1]))
        with pytest.raises(UndoneEntry, match="entry 1 was undone"):
            shelf.note_departure(joined.game, [line.id for line in joined.lines], SendChannel.PAGE)


class TestAnUndoneEntryIsAnswered:
    """The opponent had it after all. That line counts on which he has signed; no entry of it is lost."""

    UNDONE = (*OPENING, "us play A")
    ANSWERED = (*UNDONE, "ger play X")
    INSTEAD = (*OPENING, "us play B")

    @pytest.fixture
    def undone(self, shelf: GameStore) -> GameStore:
        shelf.record(store_log(*OPENING), new=True)
        shelf.record(store_log(*self.UNDONE), own=["us"])
        shelf.retract(store_log(*self.UNDONE), store_log(*OPENING))
        return shelf

    def test_before_anything_else_was_signed(self, undone: GameStore) -> None:
        assert undone.relation(store_log(*self.ANSWERED)) is Relation.ANSWERED
        undone.record(store_log(*self.ANSWERED))
        assert undone.find("").data == store_log(*self.ANSWERED).data

    def test_what_was_signed_instead_gives_way(self, undone: GameStore, tmp_path: Path) -> None:
        """Also where that has left: he may go on from either, once."""
        instead = store_log(*self.INSTEAD)
        undone.record(instead, own=["us"])
        undone.note_departure(instead.game, [line.id for line in instead.lines], SendChannel.SERVER)
        undone.record(store_log(*self.ANSWERED))
        assert undone.find("").data == store_log(*self.ANSWERED).data
        evidence = tmp_path / "home/games" / instead.game / "evidence"
        assert (evidence / f"{instead.lines[-1].id}.yaml").read_bytes() == instead.data
        assert undone.relation(instead) is Relation.UNDONE
        assert undone.relation(store_log(*self.INSTEAD, "ger play Y")) is Relation.FORKED

    def test_not_once_he_has_signed_on_the_other(self, undone: GameStore) -> None:
        undone.record(store_log(*self.INSTEAD), own=["us"])
        undone.record(store_log(*self.INSTEAD, "ger play Y"))
        assert undone.relation(store_log(*self.ANSWERED)) is Relation.FORKED
        with pytest.raises(ForkedFile):
            undone.record(store_log(*self.ANSWERED))

    def test_nor_where_the_shelf_has_it_from_elsewhere(self, undone: GameStore) -> None:
        """What another computer of the player has signed may have left it."""
        undone.record(store_log(*self.INSTEAD))
        assert undone.relation(store_log(*self.ANSWERED)) is Relation.FORKED


class TestFile:
    """Where the player's own file lies is noted, and believed by nobody."""

    def test_noted(
        self, shelf: GameStore, kept: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert shelf.file_of(kept.game) is None
        monkeypatch.chdir(tmp_path)
        shelf.note_file(kept.game, Path("Stand at Mörtain.yaml"))
        assert shelf.file_of(kept.game) == tmp_path / "Stand at Mörtain.yaml"

    def test_one_game_a_file(self, shelf: GameStore, kept: Log, tmp_path: Path) -> None:
        """A file that is another game's now is the first one's no more."""
        other = store_log("us offer another")
        shelf.record(other, new=True)
        shelf.note_file(kept.game, tmp_path / "game.yaml")
        shelf.note_file(other.game, tmp_path / "game.yaml")
        assert shelf.file_of(kept.game) is None
        assert shelf.file_of(other.game) == tmp_path / "game.yaml"

    def test_nothing_depends_on_it(self, shelf: GameStore, kept: Log) -> None:
        shelf.note_file("0" * 64, Path("of a game that is not there"))
        shelf.record(store_log(*LATER, "us play C"))

    def test_ids_by_their_beginning(self, shelf: GameStore, kept: Log) -> None:
        assert shelf.ids(kept.game[:4]) == [kept.game]
        assert shelf.ids("x") == []
