"""Entry points are found wherever the standard library finds them; it is not asked where there are none."""

from __future__ import annotations

import sys
import zipfile
from importlib.machinery import PathFinder
from importlib.metadata import MetadataPathFinder
from pathlib import Path

import pytest

from pbem.base.entry_points import find_entry_points

TEXT = "[other]\na = b:c\n\n[our.group]\nfords = fords:RULES\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which modules are searched for."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "nowhere")])
    monkeypatch.setattr(sys, "meta_path", [PathFinder])
    # The backport of `importlib.metadata`, which another test may import, takes this away.
    found = MetadataPathFinder.find_distributions
    monkeypatch.setattr(PathFinder, "find_distributions", found, raising=False)
    return tmp_path


def installed_in(folder: Path) -> list[str]:
    """The names in our group, once a distribution lies in a folder."""
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text("Name: fords\nVersion: 1\n")
    (folder / "entry_points.txt").write_text(TEXT)
    return [point.name for point in find_entry_points("our.group")]


@pytest.mark.parametrize("name", ["fords-1.dist-info", "fords-1.egg-info", "fords-1.DIST-INFO"])
def test_in_a_folder(folder: Path, name: str) -> None:
    assert installed_in(folder / name) == ["fords"]


def test_in_the_current_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [""])
    assert installed_in(folder / "fords-1.dist-info") == ["fords"]


def test_in_an_egg(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(folder / "fords-1.egg")])
    assert installed_in(folder / "fords-1.egg" / "EGG-INFO") == ["fords"]


def test_in_an_archive(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = folder / "all.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("fords-1.dist-info/METADATA", "Name: fords\nVersion: 1\n")
        packed.writestr("fords-1.dist-info/entry_points.txt", TEXT)
    monkeypatch.setattr(sys, "path", [str(archive)])
    assert [point.name for point in find_entry_points("our.group")] == ["fords"]


def test_by_a_finder_of_somebody_else(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that knows distributions is asked, by way of the standard library."""

    class Finder:
        asked = False

        def find_spec(self, name: str, path: object = None, target: object = None) -> None:
            """Finds no module."""

        def find_distributions(self, context: object) -> list[object]:
            Finder.asked = True
            return []

    monkeypatch.setattr(sys, "meta_path", [Finder(), PathFinder])
    assert list(find_entry_points("our.group")) == []
    assert Finder.asked


@pytest.mark.parametrize("text", ["", "[our]\na = b:c\n", "[other]\nour.group = b:c\n"])
def test_the_standard_library_is_not_asked_in_vain(
    folder: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "other-1.dist-info").mkdir()
    (folder / "other-1.dist-info" / "entry_points.txt").write_text(text)
    (folder / "plain-1.egg-info").write_text("Name: plain\n")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: pytest.fail("asked"))
    assert list(find_entry_points("our.group")) == []
