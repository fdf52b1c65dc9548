"""The benchmarks run, and print every figure; how large the figures are is not tested."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_the_quick_run_prints_every_ratio() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.run", "--quick"],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    for line in ("pbem verify / minimal verifier", "pbem show / bare imports", "an entry of 100 / one of 10"):
        assert f"\n{line}" in done.stdout
