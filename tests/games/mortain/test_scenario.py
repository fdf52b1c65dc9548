"""The scenario file: what ships, and what is refused in a player's own."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import FileError
from pbem.format.canonical import canonical_form
from pbem.format.yaml_reader import parse_yaml
from pbem.games import mortain
from pbem.games.mortain.terms import options, scenario
from pbem.games.mortain.terms.scenario import SCENARIOS
from pbem.games.mortain.terms.setting import Factors
from support.faulty_scenarios import assert_faults_listed, assert_only_fault

OPTIONS = options.read(options.EDITIONS["it"])
MORTAIN = SCENARIOS.data("mortain")


@pytest.fixture
def data() -> Any:
    return copy.deepcopy(MORTAIN)


class TestShipped:
    """The shipped scenario is whole, and holds what its sources say."""

    def test_nothing_is_wrong_with_it(self, data: Any) -> None:
        assert [*map(str, SCENARIOS.check(data))] == []

    def test_it_bears_its_own_name(self, data: Any) -> None:
        assert data["name"] == "mortain"

    def test_another_name_is_refused(self) -> None:
        with pytest.raises(FileError, match=r"^scenario\.name: must be one of mortain, not \"arnhem\"$"):
            SCENARIOS.data("arnhem")

    def test_its_map_is_the_one_drawn_in_its_comment(self, data: Any) -> None:
        drawn = [
            ". . V . H . . . .",
            ". . H . . w w . .",
            ". w w C . . . w .",
            ". . . w . . w . .",
            ". . . . . w H . .",
        ]
        words = {".": "clear", "w": "woods", "V": "village", "C": "city", "H": "hill"}
        terrain = {
            f"{column}{row:02}": words[letter]
            for row, letters in enumerate(drawn, start=1)
            for column, letter in enumerate(letters.split(), start=11)
        }
        assert scenario.read(data, OPTIONS).terrain == terrain

    def test_five_us_units_are_on_the_map_and_three_come_later(self, data: Any) -> None:
        counters = scenario.read(data, OPTIONS).counters.values()
        by_start = {
            start: [c.name for c in counters if c.starts == start] for start in ("map", "west", "east")
        }
        assert by_start == {
            "map": ["117Inf", "119Inf", "120Inf", "823TD", "SPTD"],
            "west": ["CCA", "CCB", "CCR"],
            "east": ["17StuG", "37SS", "38SS", "2SS-A", "2SS-B", "DF", "D", "Tiger102"],
        }

    def test_a_counter_has_its_two_faces(self, data: Any) -> None:
        gun = scenario.read(data, OPTIONS).counters["823TD"]
        assert (gun.side, gun.kind, gun.full, gun.reduced) == ("us", "gun", Factors(5, 1), Factors(2, 1))

    def test_only_the_tiger_is_a_tiger(self, data: Any) -> None:
        counters = scenario.read(data, OPTIONS).counters.values()
        assert [counter.name for counter in counters if counter.tiger] == ["Tiger102"]

    def test_modifiers_and_support(self, data: Any) -> None:
        setting = scenario.read(data, OPTIONS)
        assert setting.modifiers == {"clear": 0, "woods": 1, "village": 1, "city": 2, "hill": 0}
        assert (setting.artillery, setting.air) == (3, 4)
        assert setting.labels["1501"] == "Hill 314"

    def test_a_copy_of_the_file_can_be_brought_as_ones_own(self, data: Any) -> None:
        """It is within the YAML subset of FORMAT 1, and has a canonical form (FORMAT 2)."""
        text = (Path(mortain.__file__).parent / "data" / "mortain.yaml").read_bytes()
        assert canonical_form(parse_yaml(text)) == canonical_form(data)


Change = Callable[[Any], Any]

FAULTS: list[tuple[str, Change, str]] = [
    (
        "a factor that is text",
        lambda d: d["units"]["17StuG"].update(full=["5", 3]),
        "scenario.units.17StuG.full[0]: must be a whole number from 0 to 20, not '5'",
    ),
    (
        "a factor out of range",
        lambda d: d["units"]["DF"].update(reduced=[2, 21]),
        "scenario.units.DF.reduced[1]: must be a whole number from 0 to 20, not 21",
    ),
    (
        "true for a number",
        lambda d: d["support"]["air"].update(value=True),
        "scenario.support.air.value: must be a whole number from 0 to 20, not true",
    ),
    (
        "one factor",
        lambda d: d["units"]["DF"].update(full=[3]),
        "scenario.units.DF.full: must be a list of 2, each a whole number from 0 to 20, not [3]",
    ),
    (
        "an unknown kind",
        lambda d: d["units"]["D"].update(kind="cavalry"),
        "scenario.units.D.kind: must be one of tank, infantry, gun, not 'cavalry'",
    ),
    (
        "an unknown terrain",
        lambda d: d["map"]["hexes"]["1403"].update(terrain="swamp"),
        "scenario.map.hexes.1403.terrain: must be one of clear, woods, village, city, hill, not 'swamp'",
    ),
    (
        "a key that is not known",
        lambda d: d["map"].update(scale=1),
        "scenario.map: there is no key 'scale' (it can be one of status, source, note, columns, "
        "rows, lower, otherwise, hexes, roads, modifiers)",
    ),
    (
        "a key that is missing",
        lambda d: d["units"]["D"].pop("status"),
        "scenario.units.D: the key 'status' is missing",
    ),
    (
        "a terrain without modifier",
        lambda d: d["map"]["modifiers"].pop("hill"),
        "scenario.map.modifiers: the key 'hill' is missing",
    ),
    (
        "a list for a mapping",
        lambda d: d.update(units=[]),
        "scenario.units: must be a mapping, not an empty list",
    ),
    (
        "a hex that is not on the map",
        lambda d: d["map"]["hexes"].update({"2001": d["map"]["hexes"]["1403"]}),
        'scenario.map.hexes.2001: "2001" is not a hex from 1101 to 1905',
    ),
    (
        "too many columns to draw",
        lambda d: d["map"].update(columns=[11, 20]),
        "scenario.map.columns: must name the first and last of 2 to 9 columns, not [11, 20]",
    ),
    (
        "rows the wrong way round",
        lambda d: d["map"].update(rows=[5, 1], hexes={}, roads=[]),
        "scenario.map.rows: must name the first and last of 1 to 9 rows, not [5, 1]",
    ),
    (
        "no room for the five units of the set-up",
        lambda d: d["map"].update(columns=[11, 12], rows=[1, 2], hexes={}, roads=[]),
        "scenario.map: hexes outside the easternmost column: 2; the five units need at least 3 (M2.1)",
    ),
    (
        "a westernmost column that sits lower",
        lambda d: d["map"].update(lower="odd", roads=[]),
        "scenario.map.lower: must not be odd: the westernmost column, 11, must not be a lower one",
    ),
    (
        "a road that jumps",
        lambda d: d["map"]["roads"][2].update(hexes=["1403", "1604"]),
        "scenario.map.roads[2].hexes[1]: 1604 is not next to 1403",
    ),
    (
        "a road off the map",
        lambda d: d["map"]["roads"][2].update(hexes=["1405", "1406"]),
        'scenario.map.roads[2].hexes[1]: "1406" is not a hex from 1101 to 1905',
    ),
    (
        "a unit whose name is a number",
        lambda d: d["units"].update({"102": d["units"].pop("D")}),
        'scenario.units.102: "102" is not a name of at most 8 letters, digits and hyphens, with at '
        "least one letter and no hyphen at the start",
    ),
    (
        "a unit whose name is too long",
        lambda d: d["units"].update({"Deutschland": d["units"].pop("D")}),
        'scenario.units.Deutschland: "Deutschland" is not a name of at most 8 letters, digits and '
        "hyphens, with at least one letter and no hyphen at the start",
    ),
    (
        "a name with an escape in it",
        lambda d: d["units"].update({"D\x1b[2J": d["units"].pop("D")}),
        'scenario.units["D\\u001b[2J"]: "D\\u001b[2J" is not a name of at most 8 letters, digits '
        "and hyphens, with at least one letter and no hyphen at the start",
    ),
    (
        "two names that differ in case alone",
        lambda d: d["units"].update({"df": d["units"].pop("D")}),
        "scenario.units.df: df differs from DF only in case",
    ),
    (
        "a name that is a word of the orders",
        lambda d: d["units"].update({"At": d["units"].pop("D")}),
        "scenario.units.At: At cannot be a name, because it is a word used in orders (at, faces, to)",
    ),
    (
        "a unit too few",
        lambda d: d["units"].pop("CCR"),
        "scenario.units: three US units must start in the west, not 2 (M1.1)",
    ),
    (
        "a unit too few on the map",
        lambda d: d["units"].pop("117Inf"),
        "scenario.units: five US units must start on the map, not 4 (M1.1)",
    ),
    (
        "no Tiger",
        lambda d: d["units"]["Tiger102"].update(tiger=False),
        "scenario.units: exactly one unit may have tiger: true, a German one; units that have it: 0 (M3.7)",
    ),
    (
        "combat commands from the first turn",
        lambda d: d["units"]["CCA"].update(arrives=1),
        "scenario.units.CCA.arrives: must be 2, not 1 (M4.4)",
    ),
    (
        "a source that is not in the table",
        lambda d: d["units"]["CCA"].update(source="postcard"),
        "scenario.units.CCA.source: must be one of rules_es, rules_en, report, "
        'old_hickory, historynet, yeide, spearhead, geonames, ours, not "postcard"',
    ),
]


class TestFaults:
    """What is wrong is named with its path, and it alone."""

    @pytest.mark.parametrize(("fault", "message"), [pytest.param(f, m, id=name) for name, f, m in FAULTS])
    def test_one_fault(self, data: Any, fault: Change, message: str) -> None:
        fault(data)
        assert_only_fault(SCENARIOS, lambda: scenario.read(data, OPTIONS), data, message)

    def test_a_german_in_the_west_breaks_three_rules(self, data: Any) -> None:
        data["units"]["D"]["starts"] = "west"
        assert [*map(str, SCENARIOS.check(data))] == [
            "scenario.units: eight German units must start in the east, not 7 (M1.1)",
            "scenario.units.D.starts: must be east, not west (M2.1, M2.2)",
            "scenario.units.D.arrives: must be 2, not 1 (M4.4)",
        ]

    def test_a_place_on_a_map_without_hexes(self, data: Any) -> None:
        data["map"] |= {"rows": [5, 1], "hexes": {"1403": data["map"]["hexes"]["1403"]}, "roads": []}
        assert [*map(str, SCENARIOS.check(data))] == [
            "scenario.map.rows: must name the first and last of 1 to 9 rows, not [5, 1]",
            'scenario.map.hexes.1403: "1403" is not on the map, which has no hexes',
        ]

    def test_every_fault_of_the_shape_is_named_at_once(self, data: Any) -> None:
        data["title"] = 7
        data["units"]["D"]["full"] = ["3", "3"]
        data["map"]["roads"][0]["hexes"][2] = None
        assert [problem.split(":")[0] for problem in map(str, SCENARIOS.check(data))] == [
            "scenario.title",
            "scenario.map.roads[0].hexes[2]",
            "scenario.units.D.full[0]",
            "scenario.units.D.full[1]",
        ]

    @pytest.mark.parametrize("thing", [None, True, 7, "mortain", [], {}])
    def test_what_is_no_scenario_at_all(self, thing: Any) -> None:
        assert SCENARIOS.check(thing)


@given(st.data())
def test_a_fault_is_found_wherever_the_shape_is_broken(draw: st.DataObject) -> None:
    assert_faults_listed(SCENARIOS, MORTAIN, draw, ["", "clear", "us", "1403"])
