"""A third party's game goes along to a computer that has it not."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.analysis.code_bundle import GAME_CODE, CodeBundle, bundle_code
from pbem.errors import FileError
from pbem.umpire.code_fingerprint import code_fingerprint
from support.small_studies import study_plan, study_task

FAR = """
import pickle, sys
assert not any("site" in folder and "packages" not in folder for folder in sys.path)
from pbem import games
assert "fords" not in games.names()
sys.stdout.buffer.write(pickle.load(sys.stdin.buffer)())
"""


def test_a_game_travels_with_its_task(fords: Path, tmp_path: Path) -> None:
    """Another process, without the game, gives the same lines; the call travels as executors send one."""
    of = study_plan("fords", 5)
    call = study_task(of, range(5), bundle=bundle_code("fords")).carry_out
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    far = subprocess.run(
        [sys.executable, "-c", FAR],
        input=pickle.dumps(call),
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert far.stdout == study_task(of, range(5)).carry_out()
    assert far.stdout.count(b"\n") == 5


def test_ours_do_not_travel() -> None:
    assert bundle_code("mortain") == CodeBundle(code_fingerprint(GAME_CODE))


def test_another_program_is_refused() -> None:
    """Its games would differ, and nobody would see it."""
    with pytest.raises(FileError, match="a different version of this program"):
        study_task(study_plan("mortain", 1), [0], bundle=CodeBundle("0" * 64)).carry_out()


def test_another_version_of_the_rules_is_refused(fords: Path) -> None:
    from msgspec.structs import replace

    with pytest.raises(FileError, match="a worker has fords/2, fords/1 instead of fords/9"):
        replace(
            study_task(study_plan("fords", 1), [0], bundle=bundle_code("fords")), rules="fords/9"
        ).carry_out()
