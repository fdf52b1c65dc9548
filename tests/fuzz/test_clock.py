"""The clock finds what is slow and what hangs, says where, and keeps it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fuzz import clock
from fuzz.clock import Clock, Slow, run_clocked
from support.markers import Posix, requires


def spend(seconds: float) -> None:
    """Work for so long."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def judge_all(seconds: dict[bytes, float]) -> Callable[[Clock], int]:
    def work(by: Clock) -> int:
        for data, one in seconds.items():
            by.judge(data, lambda one=one: spend(one))  # type: ignore[misc]
        return len(seconds)

    return work


def test_quick_mutants_are_judged(tmp_path: Path) -> None:
    assert run_clocked(tmp_path, judge_all({b"a": 0, b"b": 0.01})) == 2


def test_a_slow_mutant_is_named_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "FLOOR", 0.02)
    with pytest.raises(Slow) as caught:
        run_clocked(tmp_path, judge_all({b"a": 0, b"slow": 0.05, b"b": 0}))
    path = Path(str(caught.value).split()[-1])
    assert path.parent == tmp_path
    assert path.read_bytes() == b"slow"


def test_ten_times_nothing_is_not_slow(tmp_path: Path) -> None:
    assert run_clocked(tmp_path, judge_all({b"a": 0, b"b": 0.05, b"c": 0})) == 3


@requires(Posix.FORK)
def test_what_hangs_in_c_is_ended_named_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "MOST", 0.2)
    with pytest.raises(Slow) as caught:
        run_clocked(tmp_path, lambda by: by.judge(b"endless", lambda: set().isdisjoint(range(2**53))))
    assert (tmp_path / "kept-endless").read_bytes() == b"endless"
    assert str(tmp_path / "kept-endless") in str(caught.value)
    assert "test_clock.py" in str(caught.value)  # where it was


@requires(Posix.FORK)
def test_any_other_failure_is_told_with_its_mutant(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="ZeroDivisionError") as caught:
        run_clocked(tmp_path, lambda by: by.judge(b"bad", lambda: 1 // 0))
    assert (tmp_path / "kept-failed").read_bytes() == b"bad"
    assert not isinstance(caught.value, Slow)
