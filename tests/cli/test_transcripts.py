"""Every transcript prints what it says, with the exit code that it says; and `--json` prints JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.markers import Posix, skip_without
from support.transcripts import (
    files_open_to_others,
    language_of,
    perform_steps,
    read_steps,
    split_exit_code,
    without_umask,
)

EVERYDAY = (
    "begin",
    "first_game",
    "look",
    "no_account",
    "orders",
    "practice",
    "rules",
    "way_in",
)
"""What is tried with the README's own command; the others with PBEM_CI=1."""

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))

NEEDS = {"bad_files": Posix.ERRORS, "names": Posix.SHELL}
"""What those need that tell how a system names a fault, or quotes a name."""


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, id=file.stem, marks=() if file.stem in EVERYDAY else pytest.mark.thorough)
        for file in TRANSCRIPTS
    ],
)
def test_transcript(file: Path, tmp_path: Path) -> None:
    if file.stem in NEEDS:
        skip_without(NEEDS[file.stem])
    with without_umask():
        for step, printed in perform_steps(read_steps(file), tmp_path, language_of(file), file.stem):
            assert step.fits(printed), f"{file.name}, line {step.start}: {step.command}\n" + "\n".join(
                printed
            )
            if "--json" in step.command:
                json.loads(split_exit_code(printed)[0])
    assert files_open_to_others(tmp_path) == []
