"""The data that a game's package ships: as JSON where it has it, else the YAML that people write."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pbem.core import shipped
from pbem.core.shipped import data_of, text_of

YAML = "name: moors  # the default\nhexes: {'0101': marsh}\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package `moors`, with a scenario in YAML alone."""
    folder = tmp_path / "moors"
    (folder / "maps").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "maps" / "moors.yaml").write_text(YAML, newline="\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "moors", raising=False)  # that of the test before
    shipped._packaged_file.cache_clear()
    return folder


class TestData:
    @pytest.mark.parametrize("libyaml", [True, False])
    def test_without_json_the_yaml_is_read(
        self, package: Path, monkeypatch: pytest.MonkeyPatch, libyaml: bool
    ) -> None:
        if not libyaml:
            monkeypatch.delattr("yaml.CSafeLoader", raising=False)
        found = data_of("moors", "moors", "maps")
        assert found == {"name": "moors", "hexes": {"0101": "marsh"}}
        found["name"] = "mine"
        assert data_of("moors", "moors", "maps")["name"] == "moors", "new for every caller"
        assert text_of("moors", "moors", "maps") == YAML

    def test_the_json_is_read_where_it_is(self, package: Path) -> None:
        (package / "maps" / "moors.json").write_text('{"name": "packed"}')
        assert data_of("moors", "moors", "maps") == {"name": "packed"}
