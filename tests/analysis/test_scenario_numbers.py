"""Which numbers of a scenario may change, and its file with others."""

from __future__ import annotations

from typing import ClassVar

import pytest

from pbem import games
from pbem.analysis.scenario_tuning import (
    ValuePath,
    find_paths,
    number_at,
    path_text,
    replace_numbers,
    with_numbers,
)
from pbem.errors import FileError
from pbem.format.yaml_reader import parse_yaml

SCENARIO = games.load("mortain").scenarios
DATA = SCENARIO.data("mortain")


class TestOurs:
    def test_a_unit_has_the_numbers_of_both_faces_and_its_turn(self) -> None:
        assert [path_text(path) for path in find_paths(DATA, ["units.CCR"])] == [
            "units.CCR.arrives",
            "units.CCR.full[0]",
            "units.CCR.full[1]",
            "units.CCR.reduced[0]",
            "units.CCR.reduced[1]",
        ]

    def test_one_number(self) -> None:
        assert find_paths(DATA, ["units.117Inf.full[1]"]) == [("units", "117Inf", "full", 1)]
        assert number_at(DATA, ("units", "117Inf", "full", 1)) == 3

    @pytest.mark.parametrize(
        "name",
        [
            "map.modifiers.woods",  # known: the report has it
            "map.modifiers.hill.value",  # inferred
            "support",  # known, all of it
            "map.columns",  # inferred
            "title",  # no number
        ],
    )
    def test_what_is_known_or_inferred_never_changes(self, name: str) -> None:
        with pytest.raises(FileError, match="no reconstructed number"):
            find_paths(DATA, [name])

    def test_a_wrong_name(self) -> None:
        with pytest.raises(FileError, match=r'units\.CCX: there is no "CCX" here; there are 117Inf, 119Inf'):
            find_paths(DATA, ["units.CCX"])

    def test_rommel_has_known_values_too(self) -> None:
        """Where the status stands above: weather and fire say it of a row, units each for itself."""
        data = games.load("rommel").scenarios.data("alamein")
        for path in find_paths(data, ["units"]):
            part = data
            for key in path:
                part = part[key]
                assert not isinstance(part, dict) or part.get("status", "reconstruction") == "reconstruction"


class TestRewritten:
    NUMBERS: ClassVar[dict[ValuePath, int]] = {
        ("units", "117Inf", "full", 1): 5,
        ("units", "2SS-A", "reduced", 0): 2,
    }

    def test_says_what_the_changed_data_say(self) -> None:
        text = replace_numbers(SCENARIO.text("mortain"), self.NUMBERS, "other", ["tuned"])
        assert parse_yaml(text.encode()) == with_numbers(DATA, self.NUMBERS) | {"name": "other"}

    def test_all_else_stays_as_its_author_wrote_it(self) -> None:
        before = SCENARIO.text("mortain").splitlines()
        after = replace_numbers(SCENARIO.text("mortain"), self.NUMBERS, "other", ["tuned"]).splitlines()
        assert after[:2] == ["# tuned", "#"]
        pairs = zip(before, after[2:], strict=True)
        assert [(old, new) for old, new in pairs if old != new] == [
            ("name: mortain", "name: other"),
            (
                "    {side: us, kind: infantry, starts: map, arrives: 1, full: [1, 3], reduced: [1, 1],",
                "    {side: us, kind: infantry, starts: map, arrives: 1, full: [1, 5], reduced: [1, 1],",
            ),
            (
                "    {side: german, kind: tank, starts: east, arrives: 1, full: [6, 3], reduced: [4, 3],",
                "    {side: german, kind: tank, starts: east, arrives: 1, full: [6, 3], reduced: [2, 3],",
            ),
        ]

    def test_the_original_is_not_touched(self) -> None:
        with_numbers(DATA, self.NUMBERS)
        assert SCENARIO.data("mortain") == DATA
