"""Fingerprints of the code that verifies files and plays out games.

Two copies of pbem with the same fingerprint give the same verdicts; a cached verdict is valid for one
fingerprint.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path

import pbem
from pbem import games


@cache
def code_fingerprint(parts: Sequence[str] = ("",)) -> str:
    """The fingerprint of some packages and modules of pbem, given by their paths; by default, of all."""
    root = Path(pbem.__path__[0])
    digest = sha256()
    for part in parts:
        for path in _code_files(root / part):
            digest.update(f"{path.relative_to(root).as_posix()}\n".encode())
            digest.update(sha256(path.read_bytes().replace(b"\r\n", b"\n")).digest())
    return digest.hexdigest()


@cache
def judge_fingerprint(parts: Sequence[str] = ("",)) -> str:
    """A `code_fingerprint` that also covers pbem's version and the installed games of other distributions."""
    added = sorted(
        f"{point.name} {point.value} {_version(point)}" for point in entry_points(group=games.GROUP)
    )
    return sha256("\n".join([pbem.__version__, code_fingerprint(parts), *added]).encode()).hexdigest()


def _version(point: object) -> str:
    return str(getattr(getattr(point, "dist", None), "version", ""))


def _code_files(part: Path) -> list[Path]:
    """The files of a package, or the file of a module."""
    return [part] if part.is_file() else sorted(p for p in part.rglob("*") if p.suffix in (".py", ".json"))
