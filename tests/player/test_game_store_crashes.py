"""Crashes and rivals, for real: children are killed by the kernel, and run at once."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from support.markers import Posix, requires
from support.processes import run_python

pytestmark = requires(Posix.FORK)

TESTS = Path(__file__).parent.parent


def run(play: str, folder: Path) -> Any:
    """What `support.store_crashes` reports of a play."""
    done = run_python("-m", "support.store_crashes", play, str(folder))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.thorough
class TestACrashLeavesTheOldFileOrTheNewOne:
    """Killed before any line of the shelf's code, a process leaves whole files; the next run gets through."""

    @pytest.mark.parametrize(
        ("action", "before", "after"),
        [
            ("keep_first", {}, {"game": "new"}),
            ("keep_more", {"game": "old", "players": "old"}, {"game": "new", "players": "old"}),
            ("remember", {"game": "old", "players": "old"}, {"game": "old", "players": "new"}),
        ],
    )
    def test_killed_at_every_line(
        self, action: str, before: dict[str, str], after: dict[str, str], tmp_path: Path
    ) -> None:
        *kills, last = run(action, tmp_path)
        assert all(kill["killed"] for kill in kills)
        assert not last["killed"]
        crashed = [kill["crashed"] for kill in kills]
        renamed = crashed.index(after)
        assert 20 < renamed < len(crashed), "the kills fall on both sides of the rename"
        assert crashed == [before] * renamed + [after] * (len(crashed) - renamed)
        assert [kill["next"] for kill in kills] == [after] * len(kills)
        assert [kill["left"] for kill in kills] == [0] * len(kills)

    def test_evidence_never_touches_the_game(self, tmp_path: Path) -> None:
        *kills, _ = run("show_fork", tmp_path)
        for kill in kills:
            assert sorted(kill["crashed"].values()) in (["old", "old"], ["fork", "old", "old"])
            assert kill["crashed"]["game"] == "old"
            assert sorted(kill["next"].values()) == ["fork", "old", "old"]
            assert kill["left"] == 0

    def test_killed_in_the_middle_of_the_bytes(self, tmp_path: Path) -> None:
        report = run("kill_in_mid_write", tmp_path)
        assert report["signal"] == signal.SIGXFSZ
        assert report["torn"] == [20_000]
        assert report["crashed"] == {"game": "old"}
        assert report["next"] == {"game": "new"}
        assert report["left"] == 0


class TestProgramsAtOnce:
    """`keep` compares and records in one step, whatever else runs."""

    def test_one_of_several_answers_is_kept(self, tmp_path: Path) -> None:
        report = run("race_to_answer", tmp_path)
        assert sorted(report["codes"]) == [0, 3, 3, 3, 3, 3]
        winner = report["codes"].index(0)
        assert report["kept"].splitlines()[-1] == f"us play {winner}"
        assert report["evidence"] == 5

    def test_no_player_is_forgotten(self, tmp_path: Path) -> None:
        report = run("race_to_remember", tmp_path)
        assert report["codes"] == [0] * 6
        assert report["players"] == {f"player {rival}": ["key"] for rival in range(6)}

    def test_a_reader_sees_whole_logs_that_only_grow(self, tmp_path: Path) -> None:
        assert run("race_to_grow", tmp_path)["codes"] == [0, 0, 0]
