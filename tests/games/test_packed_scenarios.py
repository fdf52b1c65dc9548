"""What the program reads of a shipped scenario is what its YAML says to people."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.pack_scenarios import SHIPPED, packed_json


@pytest.mark.parametrize("source", SHIPPED, ids=lambda path: "-".join(path.parts[-3::2]))
def test_the_json_says_what_the_yaml_says(source: Path) -> None:
    beside = source.with_suffix(".json")
    assert beside.exists(), "make it: cd tests && python -m support.pack_scenarios"
    assert beside.read_bytes() == packed_json(source), (
        "make it anew: cd tests && python -m support.pack_scenarios"
    )


def test_every_game_ships_something() -> None:
    assert {source.parts[-3] for source in SHIPPED} == {"mortain", "rommel", "tabletop"}
