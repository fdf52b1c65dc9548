"""Where PyYAML has been built without libyaml, everything works, only slower."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.processes import run_python

ROOT = Path(__file__).parents[2]

WITHOUT = """
import sys
sys.modules["yaml._yaml"] = None
import yaml
assert not yaml.__with_libyaml__
assert not hasattr(yaml, "CSafeLoader")
from pbem.cli.app import main
main()
"""


@pytest.mark.parametrize("name", ["mortain-it-exits", "rommel-allied-wins"])
def test_a_game_is_verified(name: str, tmp_path: Path) -> None:
    file = ROOT / "examples" / f"{name}.yaml"
    done = run_python("-c", WITHOUT, "verify", str(file), PBEM_HOME=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "10 passes" in done.stdout
