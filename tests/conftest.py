"""How much is tested: what takes Python alone, about two minutes; with PBEM_CI=1 servers and browsers
too; with PBEM_LONG=1 everything.

A test marked `thorough` takes long, or tries once more what others try already; one marked `long` tries all
of what others try some. Those that need a mail server are skipped where there is none. `.ci/run` skips
nothing: on Linux, as root, all can run, so there a skipped test fails.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import sys
import warnings
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

LONG = bool(os.environ.get("PBEM_LONG"))
THOROUGH = LONG or any(
    os.environ.get(name) for name in ("PBEM_CI", "PBEM_FILES", "PBEM_MAILS", "PBEM_EXTREMES")
)
LEFT_OUT = [
    *([] if THOROUGH else ["thorough"]),
    *([] if LONG else ["long"]),
    *([] if os.environ.get("PBEM_WINDOWS") else ["wine"]),
    *([] if sys.platform == "win32" else ["windows"]),
]
NOTHING_SKIPPED = os.environ.get("PBEM_CI") == "1" and sys.platform == "linux" and os.geteuid() == 0

# Tests start hundreds of commands, and where none may write its byte code each compiles the whole program.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

WHOLLY_LEFT_OUT = re.compile(rf"^pytestmark = .*pytest\.mark\.({'|'.join(LEFT_OUT) or '-'})\b", re.MULTILINE)
"""In a module of which every test is left out."""

THOROUGH_FIXTURES = {"browser", "office", "pseudo"}
"""Whoever opens a browser, asks a mail server, or looks for what is left untranslated, is thorough."""

# The program waits until each file of a player is on the disk; the tests' folders may be in memory.
MEMORY = "/dev/shm"
if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2**30:
    os.environ["TMPDIR"] = MEMORY

# The program says what the tests expect whatever the language of whoever runs them.
os.environ["PBEM_LANG"] = "en"

# No test fails because a machine is busy.
hypothesis.settings.register_profile(
    "unhurried",
    deadline=None,
    max_examples=100 if LONG else 30,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("unhurried")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # nothing that is collected now is garbage, and there are 10,000 tests
    config.addinivalue_line("markers", "thorough: takes long; left out unless PBEM_CI=1")
    config.addinivalue_line("markers", "windows: what only Windows has; left out elsewhere")
    config.addinivalue_line("markers", "wine: asks a program of Windows; left out but by .ci/windows")
    config.addinivalue_line("markers", "long: takes very long; left out unless PBEM_LONG=1")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # Started in the background (`pytest &`): the programs that we start and stop would hear no Control-C.
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Say what is tested, once."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(session.config, "workerinput"):
        what = "what needs Python alone, in about two minutes (PBEM_CI=1: more; PBEM_LONG=1: everything)"
        if THOROUGH:
            what = (
                "everything"
                if LONG
                else "with servers and browsers (PBEM_LONG=1: everything, all its values)"
            )
        reporter.write_line(f"Testing {what}.")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where all tests are wanted, do not import a module of which none runs: each worker would."""
    is_module = collection_path.suffix == ".py" and config.args_source is config.ArgsSource.TESTPATHS
    return True if is_module and WHOLLY_LEFT_OUT.search(collection_path.read_text("utf-8")) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if not THOROUGH_FIXTURES.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker("thorough")
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        (left_out if any(map(item.get_closest_marker, LEFT_OUT)) else kept).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def compiled() -> None:
    """The catalogues as they stand, whatever was compiled when the program was installed."""
    from support.catalogues import compile_all  # here, because few tests need it, and it needs Babel

    compile_all()


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Every test begins in English, whatever the one before has spoken; so do the fixtures of a module."""
    from pbem.texts import ENGLISH, speak

    speak(ENGLISH)
    yield
    speak(ENGLISH)


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a cluster of Dask with two workers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Dask and its own packages
        from distributed import LocalCluster

        with LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", silence_logs=50
        ) as local:
            yield local.scheduler_address


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    """All is said in a language that marks what `tr` has said: `words_outside_marks` finds the rest."""
    from pbem import texts
    from support.marked_language import (  # here, because few tests need it, and it needs Babel
        PSEUDO,
        marked_catalogue,
    )

    monkeypatch.setitem(texts.LANGUAGES, PSEUDO, PSEUDO)
    for customs in (texts.SIGNS, texts.DATES, texts.TIMES):
        monkeypatch.setitem(customs, PSEUDO, customs["de"])
    monkeypatch.setitem(texts.MONTHS, PSEUDO, "1 2 3 4 5 6 7 8 9 10 11 12")
    monkeypatch.setattr(texts, "_catalogue", lambda package, _: marked_catalogue(package))
    texts.speak(PSEUDO)


def _fail_if_skipped(report: Any) -> None:
    """Make a failure of a test or a module that was skipped."""
    if NOTHING_SKIPPED and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"with PBEM_CI=1 nothing may be skipped. {reason}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _fail_if_skipped(report)
    return report
