"""Files of all kinds: every game in them is found, and what is wrong is a line that stops nothing."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbem.base.limits import MBOX_BYTES
from pbem.club import classify, table_files
from pbem.club.collect import CACHE_FILE, Cache, Problem, find_files
from pbem.errors import FileError, StorageError
from pbem.format.document import After, segment_bytes
from pbem.umpire.verify import open_game
from pbem.web.club_page import club_page
from support.club_games import begin_game, file_of, make_club_table, play_game, write_games
from support.markers import Posix, requires
from support.processes import run_python

CORPUS = Path(__file__).parents[1] / "mail" / "corpus"


def mail(game: bytes) -> bytes:
    return b"From: a@example.org\nSubject: our game\nContent-Type: text/plain\n\nHello!\n\n" + game


def mbox(*games: bytes) -> bytes:
    return b"".join(b"From a@example.org Mon Jan  4 12:00:00 2027\n" + mail(game) + b"\n" for game in games)


def test_mailboxes_maildirs_and_single_files(tmp_path: Path) -> None:
    games = [
        play_game("a", "b", winner, str(number)) for number, winner in enumerate(["german", "us", "", "us"])
    ]
    one, two, three, four = map(file_of, games)
    (tmp_path / "box.mbox").write_bytes(mbox(one, two, file_of(begin_game("a", "b", "0"))))
    for part in ("cur", "new", "tmp"):
        (tmp_path / "Maildir" / part).mkdir(parents=True)
    (tmp_path / "Maildir" / "cur" / "1.host:2,S").write_bytes(mail(three))
    (tmp_path / "Maildir" / "tmp" / "2.host").write_bytes(b"half of a ma")
    (tmp_path / "Maildir" / "dovecot.index").write_bytes(b"\0")
    (tmp_path / "single.yaml").write_bytes(four)
    found = make_club_table(tmp_path / "box.mbox", tmp_path / "Maildir", tmp_path / "single.yaml")
    assert sorted(game.head for game in found.standings.games) == sorted(game.ids[-1] for game in games)
    assert found.problems == []


def test_parts_of_a_log_are_put_together(tmp_path: Path) -> None:
    """Small mails, each with what the opponent lacked, in any order; one has nothing to go on from."""
    game = open_game(file_of(play_game("a", "b", "")))
    other = open_game(file_of(play_game("a", "c", "")))
    begun_ = file_of(begin_game("a", "b"))
    later = [segment_bytes(After(game.ids[0], n, game.ids[n]), game.entries[n + 1 : n + 2]) for n in (1, 2)]
    lost = segment_bytes(After(other.ids[0], 2, other.ids[2]), other.entries[3:])
    for name, data in zip("zyxw", (begun_, *later, lost), strict=True):
        (tmp_path / f"{name}.eml").write_bytes(mail(data))
    found = make_club_table(tmp_path)
    assert [one.head for one in found.standings.games] == [game.ids[-1]]
    assert found.problems == [
        Problem("w.eml", f"a part goes on from entry 2 of game {other.ids[0][:8]}, which is not here")
    ]


@pytest.mark.thorough
def test_the_corpus_of_mails(tmp_path: Path) -> None:
    """What mail programs do to a game; what they have destroyed is told, file by file."""
    found = make_club_table(*sorted(CORPUS.glob("*.eml"))[:40])
    assert found.standings.games
    assert {one.file for one in found.problems} >= {"archive-cut.eml", "armour-beginning-lost.eml"}


@requires(Posix.LINKS)
def test_bad_input_is_a_line_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = file_of(play_game("a", "b", "us"))
    folder = write_games(tmp_path / "games", play_game("a", "b", "us"))
    (folder / "broken.yaml").write_bytes(good[:-40])
    (folder / "forged.yaml").write_bytes(good.replace(b"name: a", b"name: x"))
    (folder / "foreign.jpg").write_bytes(b"\xff\xd8\xff\xe0" + bytes(100))
    (folder / "nested.yaml").write_bytes(b"pbem: 1\nlog: " + b"[" * 50_000)
    (folder / "newer.yaml").write_bytes(good.replace(b"mortain/1", b"mortain/9"))
    with (folder / "huge.mbox").open("wb") as huge:
        huge.truncate(MBOX_BYTES + 1)
    os.mkfifo(folder / "pipe")
    (folder / "gone").symlink_to(folder / "nowhere")
    (folder / ".hidden").write_bytes(b"not looked at")
    found = make_club_table(folder)
    told = {one.file: one.problem for one in found.problems}
    assert told.keys() == {
        "broken.yaml",
        "forged.yaml",
        "foreign.jpg",
        "nested.yaml",
        "newer.yaml",
        "huge.mbox",
        "pipe",
        "gone",
    }
    assert "needs the rules 'mortain/9'" in told["newer.yaml"]
    assert told["pipe"] == "is no ordinary file"
    assert told["huge.mbox"].startswith("has 67108865 bytes")
    assert all("\n" not in problem for problem in told.values())
    assert len(found.standings.games) == 1


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_what_may_not_be_read(tmp_path: Path) -> None:
    """A folder and a file of others are a line each."""
    with acting_as_nobody(), TemporaryDirectory() as place:
        folder = write_games(Path(place, "games"), play_game("a", "b", "us"))
        (folder / "closed").mkdir(mode=0)
        (folder / "closed.yaml").touch(mode=0)
        found = make_club_table(folder)
        (folder / "closed").rmdir()
    assert [(one.file, one.problem) for one in found.problems] == [
        ("closed", "cannot be read: Permission denied"),
        ("closed.yaml", "cannot be read: Permission denied"),
    ]
    assert len(found.standings.games) == 1


@contextmanager
def acting_as_nobody() -> Iterator[None]:
    """Within, modes hold for this process, also where root runs the tests."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names are text")
def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    """Files from another computer may be named in another code, and a name may be made to harm."""
    for name in (b"\xff\xe4.txt", b"=cmd.txt", b"<script>.txt", b"two\nlines.txt"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_bytes(b"none")
    found = make_club_table(tmp_path)
    lines = table_files.problems_csv(found.problems).decode().splitlines()
    assert lines[1:] == [
        f"{name}.txt,no game is in this file" for name in ("<script>", "'=cmd", "two lines", "??")
    ]
    assert b"<script>.txt" not in club_page(found, {})


def test_what_nobody_has_thought_of_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(data: bytes) -> None:
        raise ZeroDivisionError("at the worst moment")

    monkeypatch.setattr(classify, "open_game", fails)
    [problem] = make_club_table(write_games(tmp_path, play_game("a", "b", "us"))).problems
    assert problem.problem == "could not be checked: ZeroDivisionError: at the worst moment"


def test_a_place_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="nowhere: does not exist"):
        make_club_table(tmp_path / "nowhere")


def test_a_folder_without_games(tmp_path: Path) -> None:
    found = make_club_table(tmp_path)
    assert (found.standings.rows, found.standings.games, found.problems) == ([], [], [])


def test_own_tables_are_no_games(tmp_path: Path) -> None:
    write_games(tmp_path, play_game("a", "b", "us"))
    for name in ("games.csv", "standings.json", "club.html", "pages/game.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("ours")
    assert make_club_table(tmp_path, out=tmp_path).problems == []


class TestCache:
    def test_nothing_is_verified_twice(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = write_games(
            tmp_path / "games", *(play_game("a", "b", "us", str(number)) for number in range(3))
        )
        (folder / "none.txt").write_text("none")
        first = make_club_table(folder, home=tmp_path / "home")
        monkeypatch.setattr(classify, "classify_file", None)  # whoever verifies now fails
        again = make_club_table(folder, home=tmp_path / "home")
        assert (again.source, again.problems) == (first.source, first.problems)

    def test_another_program_verifies_anew(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = write_games(tmp_path / "games", play_game("a", "b", "us"))
        make_club_table(folder, home=tmp_path / "home")
        opened: list[bytes] = []
        monkeypatch.setattr(classify, "open_game", lambda data: opened.append(data) or open_game(data))  # type: ignore[func-returns-value]
        monkeypatch.setattr("pbem.club.collect.judge_fingerprint", lambda parts: "another")
        make_club_table(folder, home=tmp_path / "home")
        assert len(opened) == 1

    def test_all_that_judges_a_file_is_another_program(self) -> None:
        """Whatever is loaded to judge a file, and lies in this program, is in the fingerprint."""
        code = (
            "import sys; from pbem.club import classify\n"
            "classify.classify_file(b'From a'); print(*sys.modules)"
        )
        loaded = [
            name.split(".") for name in run_python("-c", code).stdout.split() if name.startswith("pbem.")
        ]
        handing_out = {"analysis"}
        assert {room for _, room, *_ in loaded} <= {
            one.removesuffix(".py") for one in classify.JUDGING_CODE
        } | handing_out

    def test_a_damaged_one_is_begun_anew(self, tmp_path: Path) -> None:
        (tmp_path / CACHE_FILE).write_bytes(b"SQLite format 3\0" + bytes(200))
        folder = write_games(tmp_path / "games", play_game("a", "b", "us"))
        assert len(make_club_table(folder, home=tmp_path).standings.games) == 1
        assert len(make_club_table(folder, home=tmp_path).standings.games) == 1

    def test_rules_that_are_not_here_are_not_remembered(self, tmp_path: Path) -> None:
        """They may be here tomorrow."""
        folder = tmp_path / "games"
        folder.mkdir()
        good = file_of(play_game("a", "b", "us"))
        (folder / "newer.yaml").write_bytes(good.replace(b"mortain/1", b"mortain/9"))
        make_club_table(folder, home=tmp_path / "home")
        with closing(sqlite3.connect(tmp_path / "home" / CACHE_FILE)) as kept:
            assert kept.execute("SELECT count(*) FROM found").fetchone() == (0,)

    def test_one_that_cannot_be_written_is_told(self, tmp_path: Path) -> None:
        with Cache(tmp_path) as cache:
            cache._database.execute("PRAGMA query_only = ON")
            with pytest.raises(StorageError, match=r"club\.sqlite cannot be used"):
                cache.put(b"digest", classify.FileFindings())

    def test_what_a_crash_has_left_is_gone_on_with(self, tmp_path: Path) -> None:
        """An interrupt in the middle: what was verified before it is still known."""
        folder = write_games(
            tmp_path / "games", *(play_game("a", "b", "us", str(number)) for number in range(40))
        )

        class Interrupted(Exception):
            pass

        def told(done: int, number: int) -> None:
            if done:
                raise Interrupted

        from pbem.base.worker_pool import InProcessPool
        from pbem.club.collect import collect_games

        with Cache(tmp_path) as cache, pytest.raises(Interrupted):
            collect_games(find_files([folder]), cache, InProcessPool(), told)
        with Cache(tmp_path) as cache:
            known = cache._database.execute("SELECT count(*) FROM found").fetchone()[0]
        assert 0 < known < 40
