"""How much is tested: without more, what takes Python alone and two minutes; with PBEM_CI=1, everything.

A test marked `thorough` takes long, or tries once more what others try already; those that need a mail server
are skipped where there is none. `.ci/run` leaves nothing out.
"""

from __future__ import annotations

import os

import pytest

EVERYTHING = os.environ.get("PBEM_CI") == "1" or os.environ.get("PBEM_LONG") == "1"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "thorough: takes long; left out unless PBEM_CI=1")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Say what is tested, once."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(session.config, "workerinput"):
        what = (
            "everything" if EVERYTHING else "all that needs no server, in two minutes (PBEM_CI=1: everything)"
        )
        reporter.write_line(f"Testing {what}.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if EVERYTHING:
        return
    left_out = [item for item in items if item.get_closest_marker("thorough")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
