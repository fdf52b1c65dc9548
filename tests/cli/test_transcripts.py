"""Every transcript prints what it says, with the exit code that it says; and `--json` prints JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.transcript import language, parted, perform, read

OTHERS = ("it", "de")
"""Languages that are tried thoroughly alone."""

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, id=file.stem, marks=pytest.mark.thorough if language(file) in OTHERS else ())
        for file in TRANSCRIPTS
    ],
)
def test_transcript(file: Path, tmp_path: Path) -> None:
    for step, printed in perform(read(file), tmp_path, language(file)):
        assert step.fits(printed), f"{file.name}, line {step.start}: {step.command}\n" + "\n".join(printed)
        if "--json" in step.command:
            json.loads(parted(printed)[0])
