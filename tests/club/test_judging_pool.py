"""Files are judged in processes of their own: one that ends its process costs itself alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.base.workers import end_idle_worker
from pbem.club.collect import Problem, judging_pool
from support.club_games import file_of, make_club_table, play_game, write_games

PLANTED = str(Path(__file__).parents[1] / "support" / "planted_faults")

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="limits that Linux keeps itself")


@pytest.fixture(autouse=True)
def faults(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    end_idle_worker()
    monkeypatch.setenv("PYTHONPATH", PLANTED, prepend=os.pathsep)
    monkeypatch.setattr("pbem.club.collect.CLUB_SECONDS", 1.0)
    yield
    end_idle_worker()


def mail(fault: str) -> bytes:
    return f"From: a@example.org\nSubject: pbem\n\nplanted: {fault}\n".encode()


@pytest.mark.thorough
@pytest.mark.parametrize("number", [1, 2])
def test_each_costs_itself_alone(tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [play_game("a", "b", "german", str(number)) for number in range(3)]
    folder = write_games(tmp_path / "games", *games)
    (folder / "0.eml").write_bytes(mail("loop"))
    (folder / "1.eml").write_bytes(mail("crash"))
    with judging_pool(number) as crew:
        found = make_club_table(folder, crew=crew, home=tmp_path)
    assert found.problems == [
        Problem("0.eml", "could not be checked: it took more than 1 s of processor time, the limit"),
        Problem("1.eml", "could not be checked: the judging process crashed (SIGSEGV)"),
    ]
    assert len(found.standings.games) == 3
    with judging_pool(number) as crew:
        monkeypatch.setattr("pbem.base.workers.Worker._start", None)  # nothing is to be judged again
        assert make_club_table(folder, crew=crew, home=tmp_path).problems == found.problems


def test_nothing_to_judge_starts_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.base.workers.Worker._start", None)
    (tmp_path / "games").mkdir()
    with judging_pool(2) as crew:
        assert make_club_table(tmp_path / "games", crew=crew).standings.games == []


def test_same_table_as_in_this_process(tmp_path: Path) -> None:
    folder = write_games(
        tmp_path / "games", *(play_game("a", "b", "us", str(number)) for number in range(20))
    )
    (folder / "mail.eml").write_bytes(b"From: a@b\nSubject: pbem\n\n" + file_of(play_game("a", "c", "us")))
    with judging_pool(2) as crew:
        assert make_club_table(folder, crew=crew).source == make_club_table(folder).source
