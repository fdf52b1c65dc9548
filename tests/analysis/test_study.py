"""The same table, whoever plays it and however often it is interrupted."""

from __future__ import annotations

import os
from concurrent.futures import Future
from pathlib import Path

import pytest

from pbem.analysis.study import GAMES_FILE, TABLE_FILE, StudyPlan, open_study, run_study, widest_interval
from pbem.base.worker_pool import InProcessPool, Task, local_pool
from pbem.errors import FileError
from support.markers import KILL
from support.small_studies import play_study, sides_of_units, study_plan

QUICK = study_plan("mortain", 16, editions=["it", "de"])


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What one process makes of it at one go."""
    return play_study(QUICK, tmp_path_factory.mktemp("alone"))


class Dying(InProcessPool):
    """A crew that is killed after so many tasks."""

    def __init__(self, tasks: int) -> None:
        self._tasks = tasks

    def submit(self, task: Task) -> Future[bytes]:
        if not self._tasks:
            raise KeyboardInterrupt
        self._tasks -= 1
        return super().submit(task)


def test_an_interrupted_study_goes_on(tmp_path: Path, expected: bytes) -> None:
    """After an interrupt, and after a crash in the middle of writing a line."""
    with pytest.raises(KeyboardInterrupt):
        play_study(QUICK, tmp_path, Dying(3))
    file = tmp_path / GAMES_FILE
    before = file.read_bytes()
    assert 0 < before.count(b"\n") < 16
    file.write_bytes(before[:-20])
    assert play_study(QUICK, tmp_path) == expected


def test_finished_studies_are_not_played_again(tmp_path: Path, expected: bytes) -> None:
    assert play_study(QUICK, tmp_path) == expected
    assert play_study(QUICK, tmp_path, Dying(0)) == expected


@pytest.mark.thorough
def test_processes_give_the_same_though_one_is_killed(tmp_path: Path, expected: bytes) -> None:
    killed: list[int] = []

    def told(done: int, number: int) -> None:
        if done and not killed:
            killed.append(next(iter(crew._pool._processes)))  # type: ignore[attr-defined]
            os.kill(killed[0], KILL)

    with local_pool(2) as crew, open_study(tmp_path, QUICK) as results:
        results.write_tables(run_study(results, crew, None, told), sides_of_units(QUICK))
    assert killed
    assert play_study(QUICK, tmp_path, Dying(0)) == expected


def test_a_cell_is_the_same_in_another_study(tmp_path: Path, expected: bytes) -> None:
    """Games are drawn by what decides them, so half a study is half of its lines."""
    half = study_plan("mortain", 8, editions=["it"])
    assert expected.startswith(play_study(half, tmp_path).partition(b"edition,")[0])


class Counting(InProcessPool):
    """A crew that counts the games that it plays."""

    def __init__(self) -> None:
        self.played = 0

    def submit(self, task: Task) -> Future[bytes]:
        done = super().submit(task)
        self.played += done.result().count(b"\n")
        return done


def test_a_study_goes_on_with_more(tmp_path: Path) -> None:
    """More games, then another edition, then values of an option of which one is the edition's own: what is
    there is not played again, and the games are those of a study that was so from the beginning."""
    steps = [
        (study_plan("mortain", 3, editions=["it"]), 3),
        (study_plan("mortain", 5, editions=["it"]), 2),
        (study_plan("mortain", 10, editions=["de", "it"]), 5),
        (study_plan("mortain", 20, editions=["de", "it"], changed={"turns": [5, 6]}), 10),
    ]
    for of, new in steps:
        crew = Counting()
        play_study(of, tmp_path / "on", crew)
        assert crew.played == new
    grown, afresh = tmp_path / "on", tmp_path / "afresh"
    play_study(steps[-1][0], afresh)
    assert sorted((grown / TABLE_FILE).read_bytes().splitlines()) == sorted(
        (afresh / TABLE_FILE).read_bytes().splitlines()
    )
    crew = Counting()
    play_study(steps[-1][0], grown, crew)
    assert crew.played == 0


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (study_plan("mortain", 2, seed=2), "already contains a different study"),
        (
            study_plan("mortain", 2, players=["sensible"]),
            "also contains games of 'it', which this command leaves out",
        ),
        (study_plan("mortain", 2, editions=["de"]), "also contains games of 'it'"),
        (study_plan("mortain", 1), "already contains 2 games for each cell; this command asks for fewer"),
        (study_plan("mortain", 2, editions=["it", "de"]), "--games 4"),
        (study_plan("mortain", 2, until=5.0), "already contains a different study"),
    ],
)
def test_what_would_lose_games_is_refused(tmp_path: Path, other: StudyPlan, words: str) -> None:
    of = study_plan("mortain", 2)
    before = play_study(of, tmp_path)
    with pytest.raises(FileError) as refused:
        play_study(other, tmp_path)
    assert words in f"{refused.value} {refused.value.hint}"
    assert "\n" not in str(refused.value)
    assert play_study(of, tmp_path, Dying(0)) == before


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    of = study_plan("mortain", 1)
    with open_study(tmp_path, of), pytest.raises(FileError, match="another pbem study is already running"):
        play_study(of, tmp_path)


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    of = study_plan("mortain", 1)
    play_study(of, tmp_path)
    with (tmp_path / GAMES_FILE).open("ab") as file:
        file.write(b'{"cell": 0}\n')
    with pytest.raises(FileError, match=r"games\.jsonl: a result is damaged"):
        play_study(of, tmp_path)


def test_until_every_interval_is_narrow(fords: Path, tmp_path: Path) -> None:
    """Both cells go on until theirs is, and no farther than is needed."""
    of = study_plan("fords", 10_000, changed={"rafts": [1, 2]}, until=8.0)
    with open_study(tmp_path, of) as results:
        games = run_study(results, InProcessPool(), None, lambda done, number: None)
        for cell, number in enumerate(games):
            records = list(results.records(cell, number))
            assert 100 * widest_interval(records) < 8
            assert 400 <= number <= 800
        results.write_tables(games, sides_of_units(of))
    assert len((tmp_path / GAMES_FILE).read_bytes().splitlines()) == sum(games)
