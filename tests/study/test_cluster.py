"""A cluster of Dask: two workers, one of them killed in the middle."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from pbem.errors import FileError
from pbem.study.campaign import carry_out
from pbem.study.crews import Cluster, cluster
from pbem.study.folder import opened
from pbem.study.parcel import pack
from study.studies import plan, sides, table

pytestmark = pytest.mark.thorough


@pytest.mark.filterwarnings("ignore")
def test_a_worker_is_killed(scheduler: str, tmp_path: Path) -> None:
    of = plan("mortain", 80, editions=["it", "de"])
    expected = table(of, tmp_path / "alone")
    killed: list[int] = []
    with cluster(scheduler) as crew, opened(tmp_path / "far", of) as results:
        assert isinstance(crew, Cluster)
        workers = list(crew._client.run(os.getpid).values())
        assert len(workers) == 2

        def told(done: int, number: int) -> None:
            if 0 < done < number and not killed:
                killed.append(workers[0])
                os.kill(workers[0], signal.SIGKILL)

        results.finish(carry_out(of, results, crew, pack("mortain"), told), sides(of))
    assert killed
    assert table(of, tmp_path / "far") == expected


@pytest.mark.filterwarnings("ignore")
def test_a_third_game_travels(scheduler: str, fords: Path, tmp_path: Path) -> None:
    """The workers were started before the game was here."""
    of = plan("fords", 50)
    with cluster(scheduler) as crew, opened(tmp_path / "far", of) as results:
        assert isinstance(crew, Cluster)
        games = carry_out(of, results, crew, pack("fords"), lambda done, number: None)
        results.finish(games, sides(of))
    assert table(of, tmp_path / "far") == table(of, tmp_path / "alone")


@pytest.mark.filterwarnings("ignore")
def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.study.crews._CLUSTER_SECONDS", 0.5)
    with (
        pytest.raises(FileError, match=r"tcp://127\.0\.0\.1:9: does not answer"),
        cluster("tcp://127.0.0.1:9"),
    ):
        pass
