"""A cluster of Dask: two workers, one of them killed in the middle."""

from __future__ import annotations

import os
from concurrent.futures import Future
from pathlib import Path

import pytest

from pbem.analysis.code_bundle import bundle_code
from pbem.analysis.dask_cluster import _CALL, DaskPool, dask_pool, run_packed_task
from pbem.analysis.study import open_study, run_study
from pbem.base.worker_pool import task_result
from pbem.errors import FileError
from support.markers import KILL
from support.processes import run_python
from support.small_studies import play_study, sides_of_units, study_plan


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
def test_a_worker_is_killed(scheduler: str, tmp_path: Path) -> None:
    of = study_plan("mortain", 80, editions=["it", "de"])
    expected = play_study(of, tmp_path / "alone")
    killed: list[int] = []
    with dask_pool(scheduler) as crew, open_study(tmp_path / "far", of) as results:
        assert isinstance(crew, DaskPool)
        workers = list(crew._client.run(os.getpid).values())
        assert len(workers) == 2

        def told(done: int, number: int) -> None:
            if 0 < done < number and not killed:
                killed.append(workers[0])
                os.kill(workers[0], KILL)

        results.write_tables(run_study(results, crew, bundle_code("mortain"), told), sides_of_units(of))
    assert killed
    assert play_study(of, tmp_path / "far") == expected


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
def test_a_third_game_travels(scheduler: str, fords: Path, tmp_path: Path) -> None:
    """The workers were started before the game was here."""
    of = study_plan("fords", 50)
    with dask_pool(scheduler) as crew, open_study(tmp_path / "far", of) as results:
        assert isinstance(crew, DaskPool)
        games = run_study(results, crew, bundle_code("fords"), lambda done, number: None)
        results.write_tables(games, sides_of_units(of))
    assert play_study(of, tmp_path / "far") == play_study(of, tmp_path / "alone")


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
def test_workers_that_come_later(tmp_path: Path) -> None:
    """A cluster without workers is told once, with what to do; when the first comes, the study is played."""
    from distributed import LocalCluster

    of, heard = study_plan("mortain", 4), list[tuple[str, str]]()
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=0, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", silence_logs=50
    ) as local:

        def hear(waiting: str, remedy: str) -> None:
            heard.append((waiting, remedy))
            if waiting:
                local.scale(1)

        with dask_pool(local.scheduler_address, hear) as crew, open_study(tmp_path / "far", of) as results:
            results.write_tables(
                run_study(results, crew, bundle_code("mortain"), lambda done, number: None),
                sides_of_units(of),
            )
    waiting, remedy = heard[0]
    assert waiting == "waiting for workers"
    assert f"dask worker {local.scheduler_address} --nthreads 1" in remedy
    assert [words for words, _ in heard if words] == ["waiting for workers"]
    assert play_study(of, tmp_path / "far") == play_study(of, tmp_path / "alone")


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
def test_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither at an address nor at the one in a file that a scheduler has left."""
    monkeypatch.setattr("pbem.analysis.dask_cluster._SECONDS", 0.5)
    stale = tmp_path / "scheduler.json"
    stale.write_text('{"address": "tcp://127.0.0.1:9"}')
    for address, words in (
        ("tcp://127.0.0.1:9", "tcp://127.0.0.1:9: no scheduler answers there"),
        (str(stale), "no scheduler answers at tcp://127.0.0.1:9, the address in this file"),
    ):
        with pytest.raises(FileError) as refused, dask_pool(address):
            pass
        assert words in str(refused.value)
        assert "dask scheduler" in refused.value.hint


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no such file, and this is not an address"),
        ("{", "is not a scheduler's file"),
        ("[1]", "is not a scheduler's file"),
    ],
)
def test_a_file_that_no_scheduler_wrote(tmp_path: Path, content: str | None, words: str) -> None:
    file = tmp_path / "scheduler.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(FileError, match=words) as refused, dask_pool(str(file)):
        pass
    assert f"dask scheduler --scheduler-file {file}" in refused.value.hint


def test_another_program_at_a_worker() -> None:
    """It is known before the task is looked at."""
    with pytest.raises(FileError, match="has a different version of this program") as refused:
        run_packed_task("0" * 64, b"no task")
    assert "pip install 'pbem[cluster]==" in refused.value.hint


def test_a_worker_without_the_program() -> None:
    """The call names nothing of ours that a worker would have to import before it can say what is wrong."""
    answered = Future[bytes]()
    answered.set_exception(ModuleNotFoundError("No module named 'pbem'"))
    with pytest.raises(FileError, match="has no pbem, or a different version"):
        task_result(answered)
    call = f"import sys; sys.modules['pbem'] = None; eval({_CALL!r}, {{'program': '', 'task': b''}})"
    assert "ModuleNotFoundError" in run_python("-c", call).stderr
