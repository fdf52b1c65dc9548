"""What `.ci/lock` has written down: each package by its digest, and from no particular place."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

CI = Path(__file__).parents[1] / ".ci"
LOCKS = sorted((CI / "requirements").glob("*.txt"))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_python_packages(lock: Path) -> None:
    """Each line is one release of a package, with digests; no address, no option of pip."""
    text = re.sub(r" *#.*", "", lock.read_text("utf-8")).replace("\\\n", " ")
    entries = [line for line in text.splitlines() if line.strip()]
    assert entries
    release = re.compile(r"[a-z0-9-]+==[\w.]+( ; [^-]+?)?( +--hash=sha256:[0-9a-f]{64})+ *")
    assert [entry for entry in entries if not release.fullmatch(entry)] == []


@pytest.mark.parametrize(
    ("folder", "among"),
    [(CI, {"prettier", "typescript"}), (CI.parent / "browser", {"pyodide", "@noble/curves", "esbuild"})],
    ids=["tools", "browser"],
)
def test_packages_of_npm(folder: Path, among: set[str]) -> None:
    """Each package has a digest, and none an address to get it from."""
    packages = json.loads((folder / "package-lock.json").read_text("utf-8"))["packages"]
    del packages[""]  # our own
    assert {f"node_modules/{name}" for name in among} <= set(packages)
    for name, package in packages.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name
