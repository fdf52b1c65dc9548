"""The benchmarks run and print every figure; the size of the figures is not tested."""

from __future__ import annotations

import pytest

from support.markers import Posix, requires
from support.processes import run_python

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize(
    ("module", "ratios"),
    [
        pytest.param(
            "run",
            (
                "pbem --help / import typer",
                "completion of 'pbem ve' / import typer",
                "pbem verify / minimal verifier",
                "pbem show / bare imports",
                "decisions adjudicated / plies of python-chess",
                "decisions played / plies of python-chess",
                "an entry of 100 / one of 10",
            ),
            marks=requires(Posix.TIMES),
        ),
        pytest.param(
            "commands",
            ("pbem --version / import typer", "pbem page, Rommel / pbem log, Rommel"),
            marks=requires(Posix.TIMES),
        ),
        pytest.param(
            "browser",
            ("to the lobby, cold, s", "signed and answered, s", "    / installed"),
            marks=requires(Posix.BROWSER),
        ),
        pytest.param(
            "waiting",
            ("pbem page / pbem log, Rommel", "pbem mail fetch, 2 games among 20 mails, s"),
            marks=[requires(Posix.TIMES), pytest.mark.long],
        ),
        pytest.param(
            "mail",
            ("bytes of the third mail", "fetch / imaplib alone, 50 other mails"),
            marks=pytest.mark.long,
        ),
        pytest.param(
            "mailbox",
            ("first look at 1,000 mails, s", "a look after it, s"),
            marks=pytest.mark.long,
        ),
        pytest.param(
            "board",
            (
                "Mortain: clicks a decision of one order, median / most",
                "Mortain: an answer, bytes, median / most",
            ),
            marks=[requires(Posix.BROWSER), pytest.mark.long],
        ),
        pytest.param(
            "plans", ("mortain, plans / by hand", "rommel, plans / by hand"), marks=pytest.mark.long
        ),
        pytest.param(
            "rommel",
            ("pbem verify / minimal verifier", "mails with a decision, per turn"),
            marks=[requires(Posix.TIMES), pytest.mark.long],
        ),
        pytest.param(
            "players", ("mortain, sensible: a game", "rommel, sensible: an answer"), marks=pytest.mark.long
        ),
        pytest.param(
            "study",
            ("2 cores / 1 core", "overhead of Dask, ms of processor a game"),
            marks=pytest.mark.long,
        ),
        pytest.param(
            "club",
            ("one worker / bare loop, processor time", "one worker / two workers, on the wall"),
            marks=[requires(Posix.TIMES), pytest.mark.long],
        ),
    ],
)
def test_the_quick_run_prints_every_ratio(module: str, ratios: tuple[str, ...]) -> None:
    done = run_python("-m", f"benchmarks.{module}", "--quick")
    assert done.returncode == 0, done.stderr
    for line in ratios:
        assert f"\n{line}" in done.stdout
