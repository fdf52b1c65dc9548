"""The scenario file: what ships, and what is refused in a player's own."""

from __future__ import annotations

import copy
from collections import Counter as Tally
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import FileError
from pbem.format.canonical import canonical_form, digest
from pbem.format.yaml_reader import parse_yaml
from pbem.games.rommel.terms import options, scenario
from pbem.games.rommel.terms.scenario import SCENARIOS
from pbem.games.rommel.terms.setting import AIRCRAFT, ALLIED, AXIS, Counter
from support.faulty_scenarios import assert_faults_listed, assert_only_fault

OPTIONS = options.read(options.EDITIONS["nac"])
ALAMEIN = SCENARIOS.data("alamein")
SETTING = scenario.read(ALAMEIN, OPTIONS)

DRAWN = """
02   =  V  .  =  .  =  .  =  .  .  .  .  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~
03   .  A  =  .  =  .  =  .  =  =  =  V  .  =  .  =  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~
04   .  .  .  .  .  .  .  .  A  .  .  A  =  .  =  .  =  m  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~  ~
05   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  V  #  m  .  ~  ~  ~  ~  ~  ~  ~  ~  ~  .
06   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  V  V  m  #  =  .  =  ~  =  ~  =  =  =  P  =
07   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  m  m  .  P  .  =  .  =  .  .  .  A  .
08   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  m  m  .  =  .  .  .  A  .  .  .  .  .
09   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  m  m  .  =  .  .  .  .  .  .  .  .  .
10   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  m  m  .  =  .  .  .  .  .  A  .  .  .
11   Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  .  .  .  .  .  .  =  m  m  .  =  .  .  .  .  .  .  .  .  .
12   Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  .  .  .  m  m  .  =  .  .  .  .  .  .  .  .  .
13   Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  .  m  m  .  =  .  .  .  .  .  .  .  .  .
14   Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  m  .  .  .  .  .  .  .  .  .  .  .
15   Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  .  .  .  .  .  .  .  .  .  .
16   Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  Q  .  .  .  .  .  .  .  .
"""
"""The map as its comment draws it, rows 02 to 16."""


@pytest.fixture
def data() -> Any:
    return copy.deepcopy(ALAMEIN)


def drawn() -> dict[str, str]:
    """The letter of each hex of the drawing."""
    return {
        f"{column:02}{line[:2]}": letter
        for line in DRAWN.strip().splitlines()
        for column, letter in enumerate(line[2:].split(), start=1)
    }


class TestShipped:
    """The shipped scenario is whole, and holds what its comments say."""

    def test_nothing_is_wrong_with_it(self) -> None:
        assert SCENARIOS.check(ALAMEIN) == []

    def test_it_bears_its_own_name(self) -> None:
        assert ALAMEIN["name"] == "alamein"

    def test_another_name_is_refused(self) -> None:
        with pytest.raises(FileError, match=r"^scenario\.name: must be one of alamein, not \"tobruk\"$"):
            SCENARIOS.data("tobruk")

    def test_the_drawing_in_its_comment_is_this_one(self) -> None:
        text = SCENARIOS.text("alamein")
        assert all(f"#  {line}" in text for line in DRAWN.strip().splitlines())

    def test_land_sea_and_depression(self) -> None:
        assert SETTING.land == {at for at, letter in drawn().items() if letter not in "~Q"}
        assert len(SETTING.land) == 295

    def test_places(self) -> None:
        letters = drawn()
        airfields = [at for side in (AXIS, ALLIED) for at in SETTING.airfields[side]]
        assert sorted(SETTING.victory_points) == sorted(at for at in letters if letters[at] == "V")
        assert sorted(SETTING.villages[ALLIED]) == sorted(at for at in letters if letters[at] == "P")
        assert sorted(airfields) == sorted(at for at in letters if letters[at] == "A")
        assert SETTING.villages[AXIS] == {"0202": "Fuka", "1203": "El Daba", "1704": "Sidi Abd el Rahman"}
        assert SETTING.victory_points["1606"] == "Tel el Aqqaqir"

    def test_mines_lie_two_deep(self) -> None:
        letters = drawn()
        assert SETTING.mines == {at for at in letters if letters[at] in "m#"}
        assert len(SETTING.mines) == 20

    def test_zones(self) -> None:
        assert SETTING.zones[AXIS] == {at for at in SETTING.land if at < "20"}
        assert SETTING.zones[ALLIED] == {at for at in SETTING.land if at > "21"}
        assert (len(SETTING.zones[AXIS]), len(SETTING.zones[ALLIED])) == (178, 107)

    def test_roads(self) -> None:
        """Three roads of 31, 8 and 7 hexes, two of which share a link, on every hex that is drawn as one."""
        assert len(SETTING.roads) == 2 * (30 + 7 + 6 - 1)
        assert all((b, a) in SETTING.roads and SETTING.grid.distance(a, b) == 1 for a, b in SETTING.roads)
        on = {at for link in SETTING.roads for at in link}
        assert {at for at, letter in drawn().items() if letter in "=#"} <= on
        assert ("1704", "1705") in SETTING.roads
        assert ("1606", "1705") not in SETTING.roads

    def test_how_many_counters(self) -> None:
        """Part of the reconstruction, with what play has added: two supply a side, two mixed Allied guns."""
        tally = Tally((counter.side, kind_of(counter)) for counter in SETTING.counters.values())
        assert tally == {
            (AXIS, "land"): 46,
            (AXIS, "supply"): 3 + 2,
            (AXIS, "fort"): 10,
            (AXIS, "air"): 7,
            (ALLIED, "land"): 48 + 2,
            (ALLIED, "supply"): 4 + 2,
            (ALLIED, "air"): 9,
        }

    def test_nations(self) -> None:
        land = Tally(counter.nation for counter in SETTING.counters.values() if kind_of(counter) == "land")
        assert land == {
            "german": 22,
            "italian": 24,
            "british": 32 + 2,
            "commonwealth": 13,
            "greek": 1,
            "french": 2,
        }

    def test_a_tank_has_its_striped_twin(self) -> None:
        assert SETTING.counters["Sherman-2"] == Counter(
            "Sherman-2", ALLIED, "british", "tank", 8, 7, "S", 3, struck_combat=4, struck_movement=7
        )

    def test_a_striped_tank_has_half_the_factor(self) -> None:
        tanks = [counter for counter in SETTING.counters.values() if counter.kind == "tank"]
        assert len(tanks) == 22
        assert all(tank.struck_combat == tank.combat // 2 for tank in tanks)
        assert all(tank.struck_movement == tank.movement for tank in tanks)

    def test_bombers_are_those_of_the_text(self) -> None:
        """Units of 2-8 and 3-8 bomb; so nothing else that flies has these factors."""
        for counter in SETTING.counters.values():
            if counter.flies:
                assert ((counter.combat, counter.movement) in ((2, 8), (3, 8))) == (counter.kind == "bomber")

    def test_weather(self) -> None:
        """Dust and storm one in six each, clear four in six."""
        assert SETTING.weather == {2: "dust", 3: "clear", 4: "clear", 5: "storm"}

    def test_the_fire_table(self) -> None:
        reach = {row: fire.reach for row, fire in SETTING.fire.items()}
        assert reach == {"tank1": 2, "tank2": 2, "tank3": 3, "field": 4, "anti_tank": 2, "mixed": 3}
        assert SETTING.fire["mixed"].hits == {"one": (3, 4), "two": (3, 4), "three": (2, 3)}
        assert SETTING.fire["field"].hits == {"soft": (3,), "fort": (5,), "one": (2,), "two": (2,)}

    def test_a_tuned_value_says_what_it_was(self) -> None:
        notes = {name: unit.get("note", "") for name, unit in ALAMEIN["units"].items()}
        assert notes["Bf109-1"] == "Tuned by play, from 5-10."
        tuned = {name for name, note in notes.items() if note.startswith("Tuned by play")}
        assert {"AxSup-4", "AlSup-6", "37AA-1", "MC202-2", "Spit-1"} <= tuned

    def test_a_copy_of_the_file_can_be_brought_as_ones_own(self) -> None:
        """It is within the YAML subset of FORMAT 1, and has a canonical form (FORMAT 2)."""
        text = (Path(scenario.__file__).parents[1] / "data" / "alamein.yaml").read_bytes()
        assert canonical_form(parse_yaml(text)) == canonical_form(ALAMEIN)


def kind_of(counter: Counter) -> str:
    if counter.kind in AIRCRAFT:
        return "air"
    return counter.kind if counter.kind in ("supply", "fort") else "land"


Change = Callable[[Any], Any]

NAMES = (
    "a name of at most 12 letters, digits and hyphens, with at least one letter and no hyphen at the start"
)

FAULTS: list[tuple[str, Change, str]] = [
    (
        "a factor that is text",
        lambda d: d["units"]["125Inf"].update(factors=["4", 4]),
        "scenario.units.125Inf.factors[0]: must be a whole number from 0 to 20, not '4'",
    ),
    (
        "one factor",
        lambda d: d["units"]["125Inf"].update(factors=[4]),
        "scenario.units.125Inf.factors: must be a list of 2, each a whole number from 0 to 20, not [4]",
    ),
    (
        "a nation that is not here",
        lambda d: d["units"]["125Inf"].update(nation="polish"),
        "scenario.units.125Inf.nation: must be one of "
        "german, italian, british, commonwealth, greek, french, not 'polish'",
    ),
    (
        "a side for a nation",
        lambda d: d["units"]["125Inf"].update(side="axis"),
        "scenario.units.125Inf: there is no key 'side' (it can be one of status, source, note, "
        "nation, kind, factors, letter, stars, struck)",
    ),
    (
        "a block of one hex",
        lambda d: d["map"]["mines"].update(blocks=[["1804"]]),
        'scenario.map.mines.blocks[0]: must be a list of 2, each a text, not ["1804"]',
    ),
    (
        "a face that the die has not",
        lambda d: d["weather"].update(dust=[1]),
        "scenario.weather.dust[0]: must be a face of the die, from 2 to 5, not 1",
    ),
    (
        "a target that is not in the table",
        lambda d: d["fire"]["field"]["hits"].update(tank=[2]),
        "scenario.fire.field.hits: there is no key 'tank' (it can be one of soft, fort, one, two, three)",
    ),
    (
        "a row missing from the table",
        lambda d: d["fire"].pop("mixed"),
        "scenario.fire: the key 'mixed' is missing",
    ),
    (
        "a range of nothing",
        lambda d: d["fire"]["mixed"].update(range=0),
        "scenario.fire.mixed.range: must be a whole number from 1 to 9, not 0",
    ),
    (
        "too many columns",
        lambda d: d["map"].update(columns=[1, 41]),
        "scenario.map.columns: must name the first and last of 2 to 40 columns, not [1, 41]",
    ),
    (
        "a westernmost column that sits lower",
        lambda d: d["map"].update(lower="odd"),
        "scenario.map.lower: must not be odd: the westernmost column, 1, must not be a lower one",
    ),
    (
        "a block off the map",
        lambda d: d["map"]["land"]["blocks"].append(["2910", "3110"]),
        'scenario.map.land.blocks[12][1]: "3110" is not a hex from 0101 to 3016',
    ),
    (
        "a block that begins in the north-east",
        lambda d: d["map"]["mines"].update(blocks=[["1904", "1810"]]),
        "scenario.map.mines.blocks[0]: the north-west hex comes first, but 1904 is listed before 1810",
    ),
    (
        "a block that begins in the south-west",
        lambda d: d["map"]["mines"].update(blocks=[["1810", "1904"]]),
        "scenario.map.mines.blocks[0]: the north-west hex comes first, but 1810 is listed before 1904",
    ),
    (
        "an airfield in the sea",
        lambda d: d["map"]["airfields"].update({"2501": d["map"]["airfields"]["2508"]}),
        "scenario.map.airfields.2501: 2501 is not a land hex",
    ),
    (
        "a village off the map",
        lambda d: d["map"]["villages"].update({"9999": d["map"]["villages"]["0202"]}),
        'scenario.map.villages.9999: "9999" is not a hex from 0101 to 3016',
    ),
    (
        "a victory point on the Allied side",
        lambda d: d["map"]["victory_points"].update({"2107": d["map"]["victory_points"].pop("0202")}),
        "scenario.map.victory_points.2107: 2107 must be in the Axis zone (R8.1)",
    ),
    (
        "four victory points",
        lambda d: d["map"]["victory_points"].pop("0202"),
        "scenario.map.victory_points: there must be 5 victory points, not 4 (R8.1)",
    ),
    (
        "one Allied village",
        lambda d: d["map"]["villages"].pop("2107"),
        "scenario.map.villages: there must be 2 Allied villages, not 1 (R8.1)",
    ),
    (
        "a road that jumps",
        lambda d: d["map"]["roads"][1].update(hexes=["1704", "1706"]),
        "scenario.map.roads[1].hexes[1]: 1706 is not next to 1704",
    ),
    (
        "a road into the sea",
        lambda d: d["map"]["roads"][1].update(hexes=["1704", "1703"]),
        "scenario.map.roads[1].hexes[1]: 1703 is not a land hex",
    ),
    (
        "zones that overlap",
        lambda d: d["map"]["zones"]["allied"].update(blocks=[["1901", "3016"]]),
        "scenario.map.zones: 1905 is in both zones; it may be in only one (R2)",
    ),
    (
        "no room in the Allied zone",
        lambda d: d["map"]["zones"]["allied"].update(blocks=[["2101", "2516"]]),
        "scenario.map.zones.allied: land counters and fortifications need 56 hexes "
        "without mines, victory point, village or airfield; there are 49 (R2.4)",
    ),
    (
        "too few airfields",
        lambda d: d["map"]["airfields"].pop("2710"),
        "scenario.map.airfields: the 9 Allied aircraft need an airfield "
        "for every 4 of them; there are 2 (R2.4)",
    ),
    (
        "too few airfields of the Axis",
        lambda d: [d["map"]["airfields"].pop(at) for at in ("0203", "0904")],
        "scenario.map.airfields: the 7 Axis aircraft need an airfield "
        "for every 4 of them; there are 1 (R2.4)",
    ),
    (
        "a unit whose name is a number",
        lambda d: d["units"].update({"125": d["units"].pop("125Inf")}),
        f'scenario.units.125: "125" is not {NAMES}',
    ),
    (
        "a unit whose name is too long",
        lambda d: d["units"].update({"Panzergrenadier": d["units"].pop("125Inf")}),
        f'scenario.units.Panzergrenadier: "Panzergrenadier" is not {NAMES}',
    ),
    (
        "a name with an escape in it",
        lambda d: d["units"].update({"D\x1b[2J": d["units"].pop("125Inf")}),
        f'scenario.units["D\\u001b[2J"]: "D\\u001b[2J" is not {NAMES}',
    ),
    (
        "two names that differ in case alone",
        lambda d: d["units"].update({"382inf": d["units"].pop("125Inf")}),
        "scenario.units.382inf: 382inf differs from 382Inf only in case",
    ),
    (
        "a name that is a word of the orders",
        lambda d: d["units"].update({"On": d["units"].pop("125Inf")}),
        "scenario.units.On: On cannot be a name, because it is a word used in orders (at, bomb, "
        "clear, dogfight, down, on, to)",
    ),
    (
        "a unit that cannot lose",
        lambda d: d["units"]["AxSup-1"].update(factors=[0, 6]),
        "scenario.units.AxSup-1.factors[0]: must be at least 1, not 0, or ties would never end (R6.3)",
    ),
    (
        "a striped tank that cannot lose",
        lambda d: d["units"]["M14-1"].update(struck=[0, 6]),
        "scenario.units.M14-1.struck[0]: must be at least 1, not 0, or ties would never end (R6.3)",
    ),
    (
        "a tank without letter",
        lambda d: d["units"]["M14-1"].pop("letter"),
        'scenario.units.M14-1.letter: a tank has one letter, not "" (R1.1)',
    ),
    (
        "a tank without asterisks",
        lambda d: d["units"]["M14-1"].pop("stars"),
        "scenario.units.M14-1.stars: must be 1 to 3 for a tank, not 0 (R1.1)",
    ),
    (
        "two striped counters of one letter",
        lambda d: d["units"]["M14-2"].update(struck=[3, 6]),
        "scenario.units.M14-2.struck: [3, 6] here, but [2, 6] for M14-1: "
        "tanks of one nationality and letter have the same struck twin (R1.1)",
    ),
    (
        "infantry with asterisks",
        lambda d: d["units"]["125Inf"].update(stars=1),
        "scenario.units.125Inf.stars: only a tank may have this: 1 (R1.1)",
    ),
    (
        "an aircraft that stays",
        lambda d: d["units"]["Ju88-1"].update(factors=[3, 0]),
        "scenario.units.Ju88-1.factors[1]: must be at least 1, not 0 (R4.2)",
    ),
    (
        "an Allied fortification",
        lambda d: d["units"]["Fort-1"].update(nation="greek"),
        "scenario.units.Fort-1.nation: must be german or italian, not greek (R2.2)",
    ),
    (
        "no Allied supply",
        lambda d: [d["units"].pop(f"AlSup-{number}") for number in range(1, 7)],
        "scenario.units: the Allies need at least one supply counter (R5.4)",
    ),
    (
        "no supply of the Axis",
        lambda d: [d["units"].pop(f"AxSup-{number}") for number in range(1, 6)],
        "scenario.units: the Axis needs at least one supply counter (R5.4)",
    ),
    (
        "too few for the first placement",
        lambda d: [d["units"].pop(name) for name in land(d, ("german", "italian"))[15:]],
        "scenario.units: the Axis needs at least 16 land counters besides supply, not 15 (R2.1)",
    ),
    (
        "none before the last placement",
        lambda d: [
            d["units"].pop(name) for name in land(d, ("british", "commonwealth", "greek", "french"))[10:]
        ],
        "scenario.units: the Allies must have more than 16 land counters, not 16: the last 16 are placed "
        "apart (R2.3)",
    ),
    (
        "a face with two kinds of weather",
        lambda d: d["weather"].update(dust=[2, 3]),
        "scenario.weather: face 3 must be in exactly one list, not in 2 (R3.1)",
    ),
    (
        "a face without weather",
        lambda d: d["weather"].update(storm=[]),
        "scenario.weather: face 5 must be in exactly one list, not in 0 (R3.1)",
    ),
    (
        "a face that hits twice",
        lambda d: d["fire"]["field"]["hits"].update(soft=[3, 3]),
        "scenario.fire.field.hits.soft: a face may be named only once, not as in [3, 3] (R7.1)",
    ),
    (
        "guns that reach nothing",
        lambda d: d.update(flak_range=0),
        "scenario.flak_range: must be a whole number from 1 to 9, not 0",
    ),
    (
        "supply that reaches for ever",
        lambda d: d.update(supply_radius=100),
        "scenario.supply_radius: must be a whole number from 1 to 99, not 100",
    ),
    (
        "bombs that cannot hit",
        lambda d: d.update(bombing={"infantry": []}),
        "scenario.bombing.infantry: must be one or more faces of the die, from 2 to 5, not an empty list",
    ),
    (
        "bombs on a face that the die has not",
        lambda d: d.update(bombing={"tank1": [3, 6]}),
        "scenario.bombing.tank1: must be one or more faces of the die, from 2 to 5, not [3, 6]",
    ),
    (
        "bombs that hit twice",
        lambda d: d.update(bombing={"supply": [3, 3]}),
        "scenario.bombing.supply: a face may be named only once, not as in [3, 3] (R4.5)",
    ),
    (
        "bombs on what is no land unit",
        lambda d: d.update(bombing={"fighter": [3]}),
        "scenario.bombing: there is no key 'fighter' (it can be one of infantry, parachute, "
        "mechanised, field, anti_tank, mixed, anti_aircraft, supply, tank1, tank2, tank3)",
    ),
    (
        "a source that is not in the table",
        lambda d: d["fire"]["field"].update(source="board"),
        f'scenario.fire.field.source: must be one of {", ".join(ALAMEIN["sources"])}, not "board"',
    ),
    (
        "a source that is not in the table, of a block of mines",
        lambda d: d["map"]["zones"]["axis"].update(source="board"),
        f'scenario.map.zones.axis.source: must be one of {", ".join(ALAMEIN["sources"])}, not "board"',
    ),
]


def land(data: Any, nations: tuple[str, ...]) -> list[str]:
    """Land counters of some nations that are neither supply nor fortification."""
    others = ("supply", "fort", *AIRCRAFT)
    return [
        name
        for name, unit in data["units"].items()
        if unit["nation"] in nations and unit["kind"] not in others
    ]


class TestTablesThatMayBeAbsent:
    """R4.4, R4.5, R5.4: what the text gives in words stands in a scenario only if it says otherwise."""

    def test_what_ships_has_none_of_them(self) -> None:
        """Its digest, which every finished game names, stays what it was."""
        assert not {"flak_range", "supply_radius", "bombing"} & ALAMEIN.keys()
        assert digest(ALAMEIN) == "a67141384b74d9ba1c2642a81d90cdcadeb5657d9686fc67a247275784272ca6"
        assert (SETTING.flak_range, SETTING.supply_radius, SETTING.bombing) == (3, 8, {})

    def test_a_scenario_that_says_what_is_so_anyhow_plays_the_same(self, data: Any) -> None:
        data |= {"flak_range": 3, "supply_radius": 8, "bombing": {}}
        assert [*map(str, SCENARIOS.check(data))] == []
        assert scenario.read(data, OPTIONS) == SETTING

    def test_all_of_them(self, data: Any) -> None:
        data |= {"flak_range": 9, "supply_radius": 1, "bombing": {"infantry": [3, 4], "tank3": [5]}}
        assert [*map(str, SCENARIOS.check(data))] == []
        found = scenario.read(data, OPTIONS)
        assert (found.flak_range, found.supply_radius) == (9, 1)
        assert found.bombing == {"infantry": (3, 4), "tank3": (5,)}


def test_a_letter_of_two_nations_may_have_two_striped_counters(data: Any) -> None:
    """R1.1: colour and letter together say which it is."""
    for name in ("M14-1", "M14-2", "M14-3", "M14-4"):
        assert data["units"][name]["struck"] != data["units"]["PzIII-1"]["struck"]
        data["units"][name]["letter"] = data["units"]["PzIII-1"]["letter"]
    assert [*map(str, SCENARIOS.check(data))] == []


class TestFaults:
    """What is wrong is named with its path, and it alone."""

    @pytest.mark.parametrize(("fault", "message"), [pytest.param(f, m, id=name) for name, f, m in FAULTS])
    def test_one_fault(self, data: Any, fault: Change, message: str) -> None:
        fault(data)
        assert_only_fault(SCENARIOS, lambda: scenario.read(data, OPTIONS), data, message)

    def test_every_fault_of_the_shape_is_named_at_once(self, data: Any) -> None:
        data["title"] = 7
        data["units"]["125Inf"]["factors"] = ["3", "3"]
        data["map"]["roads"][0]["hexes"][2] = None
        assert [problem.split(":")[0] for problem in map(str, SCENARIOS.check(data))] == [
            "scenario.title",
            "scenario.map.roads[0].hexes[2]",
            "scenario.units.125Inf.factors[0]",
            "scenario.units.125Inf.factors[1]",
        ]

    @pytest.mark.parametrize("thing", [None, True, 7, "alamein", [], {}])
    def test_what_is_no_scenario_at_all(self, thing: Any) -> None:
        assert SCENARIOS.check(thing)


@given(st.data())
def test_a_fault_is_found_wherever_the_shape_is_broken(draw: st.DataObject) -> None:
    assert_faults_listed(SCENARIOS, ALAMEIN, draw, ["", "fort", "axis", "1704"])
