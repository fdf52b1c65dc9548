"""A club's table on a cluster of Dask that loses a worker: the same bytes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.analysis.dask_cluster import DaskPool, dask_pool
from pbem.club import table_files
from pbem.club.classify import JUDGING_CODE, Batch
from pbem.club.collect import Cache
from pbem.club.provenance import TableRequest, make_table
from pbem.errors import FileError
from pbem.umpire.code_fingerprint import code_fingerprint
from pbem.web.club_page import club_page
from support.club_games import make_club_table, play_game, write_games
from support.markers import KILL

pytestmark = pytest.mark.thorough


@pytest.mark.filterwarnings("ignore")
def test_a_worker_is_killed(scheduler: str, tmp_path: Path) -> None:
    winners = ("german", "us", "")
    games = [play_game("a", "b", winners[number % 3], str(number)) for number in range(150)]
    folder = write_games(tmp_path / "games", *games)
    (folder / "rubbish.txt").write_text("no game")
    expected = make_club_table(folder)
    killed: list[int] = []
    with dask_pool(scheduler) as crew, Cache(None) as cache:
        assert isinstance(crew, DaskPool)
        workers = list(crew._client.run(os.getpid).values())

        def told(done: int, number: int) -> None:
            if 0 < done < number and not killed:
                killed.append(workers[0])
                os.kill(workers[0], KILL)

        request = TableRequest(places=(folder,), out=Path("nowhere"))
        found = make_table(request, cache, crew, told, code_fingerprint(JUDGING_CODE))
    assert killed
    for written in (table_files.games_csv, table_files.standings_csv, table_files.standings_json):
        assert written(found) == written(expected)
    assert club_page(found, {}) == club_page(expected, {})
    assert table_files.problems_csv(found.problems) == b"file,problem\nrubbish.txt,no game is in this file\n"


def test_another_program_is_refused() -> None:
    with pytest.raises(FileError, match="a different version of this program"):
        Batch((b"",), "0" * 64).carry_out()
