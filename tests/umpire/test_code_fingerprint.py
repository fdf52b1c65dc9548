"""A fingerprint is another as soon as code is that judges, or what it reads; nothing else changes it."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import pbem
from pbem.umpire import code_fingerprint as module
from pbem.umpire.code_fingerprint import code_fingerprint, judge_fingerprint


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a program of two packages, in place of ours."""
    for name, text in (("__init__.py", ""), ("rules/moves.py", "go = 1\n"), ("rules/map.json", "{}\n")):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, newline="\n")
    monkeypatch.setattr(pbem, "__path__", [str(tmp_path)])
    monkeypatch.setattr(module, "code_fingerprint", code_fingerprint.__wrapped__)
    monkeypatch.setattr(module, "entry_points", lambda group: [])
    return tmp_path


def of_code(*parts: str) -> str:
    """The fingerprint as it is now, past the cache."""
    return code_fingerprint.__wrapped__(parts or ("",))


def of_judge() -> str:
    return judge_fingerprint.__wrapped__()


@pytest.mark.parametrize(
    ("parts", "files"),
    [
        ((), ["__init__.py", "rules/map.json", "rules/moves.py"]),
        (("rules",), ["rules/map.json", "rules/moves.py"]),
        (("rules/moves.py", "__init__.py"), ["rules/moves.py", "__init__.py"]),
    ],
    ids=["of all", "of a package", "of two modules"],
)
def test_reckoned_by_hand(parts: tuple[str, ...], files: list[str]) -> None:
    """Each file's path and the digest of its content, in order."""
    content = {"__init__.py": b"", "rules/map.json": b"{}\n", "rules/moves.py": b"go = 1\n"}
    text = b"".join(name.encode() + b"\n" + sha256(content[name]).digest() for name in files)
    assert of_code(*parts) == sha256(text).hexdigest()


@pytest.mark.parametrize(
    ("change", "other"),
    [
        (lambda root: (root / "rules/moves.py").write_text("go = 2\n", newline="\n"), True),
        (lambda root: (root / "rules/map.json").write_text("[]\n", newline="\n"), True),
        (lambda root: (root / "rules/moves.py").rename(root / "rules/walks.py"), True),
        (lambda root: (root / "rules/moves.py").write_text("go = 1\n", newline="\r\n"), False),
        (lambda root: (root / "rules/RULES.md").write_text("Go.\n"), False),
    ],
    ids=["code", "data", "a name", "line ends", "a text for people"],
)
def test_what_changes_it(root: Path, change: Callable[[Path], object], other: bool) -> None:
    before = of_code(), of_judge()
    change(root)
    assert [one != two for one, two in zip(before, (of_code(), of_judge()), strict=True)] == [other, other]


def test_of_a_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of the program judges otherwise, or one with somebody else's game."""
    found = [of_judge()]
    monkeypatch.setattr(pbem, "__version__", "0.0.0")
    found.append(of_judge())
    fords = EntryPoint("fords", "fords:RULES", "pbem.games")
    monkeypatch.setattr(module, "entry_points", lambda group: [fords] if group == "pbem.games" else [])
    found.append(of_judge())
    assert len(set(found)) == 3
