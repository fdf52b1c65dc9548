"""Every transcript prints what it says, with the exit code that it says; and `--json` prints JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from systems import Posix, want

from cli.transcript import language, open_to_others, parted, perform, read, unmasked

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
        want(NEEDS[file.stem])
    with unmasked():
        for step, printed in perform(read(file), tmp_path, language(file)):
            assert step.fits(printed), f"{file.name}, line {step.start}: {step.command}\n" + "\n".join(
                printed
            )
            if "--json" in step.command:
                json.loads(parted(printed)[0])
    assert open_to_others(tmp_path) == []
