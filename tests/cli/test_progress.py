"""The progress bar of a long command: at a terminal and without one, and the time that it says is left."""

from __future__ import annotations

import sys

import pytest

from pbem.cli import progress
from pbem.cli.progress import SearchProgress, TimeLeft, _describe_pace, describe_games_done
from pbem.player import clock

WAITING = ("waiting for workers", "the cluster has no workers. To start one: dask worker tcp://h:8786")


def test_a_bar_that_waits_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it waits for stands in place of the time left, and what to do in a line of its own."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(progress, "_PAUSE", 0)
    bar = TimeLeft(describe_games_done)
    bar(0, 10)
    bar(5, 10)
    bar.show_waiting(*WAITING)
    shown = capsys.readouterr().err
    assert shown.endswith("5 of 10 games, waiting for workers")
    assert "To start one: dask worker" in " ".join(shown.split())
    bar(5, 10)
    assert capsys.readouterr().err.endswith("5 of 10 games, waiting for workers")
    bar.show_waiting("", "")
    bar(6, 10)
    assert "left" in capsys.readouterr().err.rpartition("\r")[2]
    bar.clear()


def test_without_a_terminal_the_line_alone(capsys: pytest.CaptureFixture[str]) -> None:
    bar = TimeLeft(describe_games_done)
    bar(0, 10)
    bar.show_waiting(*WAITING)
    assert capsys.readouterr().err == f"{WAITING[1]}\n"


@pytest.mark.parametrize(
    ("done", "more", "seconds", "words"),
    [
        (0, 100, 3.0, ""),  # nothing is known yet
        (10, 30, 5.0, ", 2 a second, 15 s left"),
        (100, 12_000, 4.0, ", 25 a second, 8 min left"),
        (5, 20_000, 4.0, ", 1.25 a second, 4 h left"),
        (10, 0, 5.0, ", 2 a second, 1 s left"),
    ],
)
def test_left(done: int, more: int, seconds: float, words: str) -> None:
    assert _describe_pace(done, more, seconds) == words


def test_a_search_is_shown_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where the search ends before its time, as that of a player who sees that all is clear."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(progress, "_PAUSE", 0)
    token = clock.search_display.set(SearchProgress())
    try:
        search = clock.count_within(60)
        assert [next(search), next(search)] == [0, 1]
        assert capsys.readouterr().err.endswith("the computer is thinking: 1 playout, 60.0 s left")
        search.close()
    finally:
        clock.search_display.reset(token)
    assert not capsys.readouterr().err.rpartition("\r")[2]
