"""What the renderer gets: hexes, counters, who is off the map, and tracks; and where a unit can go."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from pbem.core.legend import Cell, Legend, Piece
from pbem.core.requests import Ask, Question
from pbem.errors import IllegalOrder
from pbem.games.rommel import RULES
from pbem.games.rommel.rules.state import Phase, State, Unit
from pbem.games.rommel.view.legend import legend
from pbem.games.rommel.view.reach import reach as reach_of
from pbem.render.ascii_map import crop_around
from pbem.render.ascii_picture import UNWRAPPED_WIDTH, ascii_picture, summarise_margins
from pbem.render.safe_text import keeping_accents
from pbem.texts import speaking
from support.rommel_positions import position


@pytest.fixture(scope="module")
def start() -> State:
    """Before the set-up."""
    state: State = RULES.begin(RULES.editions["nac"], RULES.scenarios.data("alamein"))
    return state


@pytest.fixture(scope="module")
def midgame(start: State) -> State:
    """Turn 3 in dust: a struck Panzer in supply, a fort out of it, a village lost under aircraft."""
    units = {
        **{name: Unit("eliminated") for name in start.units},
        "PzIII-1": Unit("1708", True),
        "AxSup-1": Unit("1710"),
        "61-Tre": Unit("0109"),
        "26-Aus": Unit("1704"),
        "7-Mot": Unit("2207"),
        "AlSup-1": Unit("2307"),
        "Ju87-1": Unit("1704"),
        "Ju88-1": Unit("1704"),
        "Spit-1": Unit("2508"),
    }
    return replace(
        start,
        step=Phase.MOVE,
        turn=3,
        weather="dust",
        units=units,
        forts=("0109",),
        cleared=("1808", "1908"),
    )


def cell(drawn: Legend, number: str) -> Cell:
    [found] = [cell for cell in drawn.cells if cell.number == number]
    return found


def asked(state: State, seat: str, question: str) -> Question:
    return Ask(replace(state, step=question, active=seat), "", seat, question, lambda orders: orders)


class TestMap:
    """Every hex, where it lies, and what the map has printed there."""

    def test_thirty_columns_of_sixteen(self, start: State) -> None:
        drawn = legend(start)
        assert (drawn.columns, drawn.rows, len(drawn.cells)) == (30, 16, 480)
        assert (cell(drawn, "1806").column, cell(drawn, "1806").row) == (17, 5)

    def test_the_sea_is_north_of_the_land_and_the_depression_south(self, start: State) -> None:
        """Column 13 has land from row 03 to row 11."""
        drawn = legend(start)
        found = {number: cell(drawn, number).terrain for number in ("1301", "1302", "1303", "1311", "1312")}
        assert found == {
            "1301": "sea",
            "1302": "sea",
            "1303": "clear",
            "1311": "clear",
            "1312": "depression",
        }

    def test_a_victory_point_that_is_a_village_too(self, start: State) -> None:
        found = cell(legend(start), "0202")
        assert (found.label, found.marks, found.terrain) == ("Fuka", "*", "clear")
        assert found.notes == ("Fuka (victory point, Axis village)", "road to 0303, 0102")

    def test_a_mined_hex(self, start: State) -> None:
        found = cell(legend(start), "1813")
        assert (found.marks, found.terrain) == ("", "mines")
        assert found.notes == ("mined",)

    def test_a_gun_that_fired_at_aircraft(self) -> None:
        """R7.2: only one that may not attack; 37AA-1, a mixed gun, may."""
        units = {"Bofors-1": "2310", "37AA-1": "2311"}
        drawn = legend(position(Phase.MOVE, units, fired_at_aircraft=("Bofors-1", "37AA-1")))
        assert cell(drawn, "2310").notes == (
            "Bofors-1 fired at aircraft this turn and may not attack (R7.2)",
        )
        assert cell(drawn, "2311").notes == ()

    def test_an_allied_village_and_an_airfield(self, start: State) -> None:
        drawn = legend(start)
        assert cell(drawn, "2107").marks == "@"
        assert cell(drawn, "2508").marks == "^"
        assert cell(drawn, "2508").notes == ("El Imayid (Allied airfield)",)

    def test_each_road_link_once(self, start: State) -> None:
        """The coast road has 30, the two tracks 7 and 6; the coast road and the first share one."""
        links = legend(start).links
        assert len(links) == len(set(links)) == 30 + 7 + 6 - 1
        assert ("1704", "1705") in links
        assert ("1705", "1704") not in links

    def test_cleared_mines(self, midgame: State) -> None:
        found = cell(legend(midgame), "1808")
        assert (found.terrain, found.notes) == ("cleared", ("cleared of mines",))

    def test_every_key_is_explained(self, midgame: State) -> None:
        drawn = legend(midgame)
        for one in drawn.cells:
            assert one.terrain in drawn.terrain
            assert set(one.marks) <= set(drawn.marks)
            for piece in one.pieces:
                assert {piece.kind} <= set(drawn.kinds)
                assert {piece.group} <= set(drawn.groups)
                assert {piece.layer} <= set(drawn.layers)

    def test_no_letter_stands_for_two_kinds(self, start: State) -> None:
        letters = list(legend(start).kinds.values())
        assert len(letters) == len(set(letters)) == 11

    def test_mechanised_infantry_in_mines(self, start: State) -> None:
        options = replace(start.setting.options, mechanised_in_mines=True)
        other = replace(start, setting=replace(start.setting, options=options))
        assert legend(start).terrain["mines"] == ("mines", "mined, for infantry alone (R5.6)")
        assert legend(other).terrain["mines"][1] == "mined, for infantry alone, mechanised too (R5.6)"


class TestPieces:
    """Counters show the factors of the face that is up, whose they are, and whether they are in supply."""

    def test_a_struck_tank(self, midgame: State) -> None:
        """R1.3: a Panzer III is 7-7, struck 3-7."""
        assert cell(legend(midgame), "1708").pieces == (
            Piece("PzIII-1", "axis", "tank", True, "3-7 A**", "german", "ground"),
        )

    def test_out_of_supply(self, midgame: State) -> None:
        """R5.4: 0109 is sixteen columns from the only Axis supply unit, in 1710; the limit is eight."""
        found = cell(legend(midgame), "0109")
        regiment = Piece("61-Tre", "axis", "infantry", False, "4-4", "italian", "ground", "!", size="III")
        assert found.pieces == (regiment,)
        assert (found.marks, found.notes) == ("]", ("fortification",))

    def test_nothing_is_out_of_supply_in_the_set_up(self, midgame: State) -> None:
        drawn = legend(replace(midgame, step=Phase.ALLIED_LAST_SETUP))
        assert all(piece.marks == "" for one in drawn.cells for piece in one.pieces)

    def test_aircraft_above_a_land_unit(self, midgame: State) -> None:
        """R5.4: 1704 is six hexes from the Allied supply unit in 2307; aircraft need none."""
        found = cell(legend(midgame), "1704")
        assert [(piece.name, piece.layer, piece.marks) for piece in found.pieces] == [
            ("26-Aus", "ground", ""),
            ("Ju87-1", "air", ""),
            ("Ju88-1", "air", ""),
        ]

    def test_supply_and_zones(self, midgame: State) -> None:
        """1705 is next to 26-Aus, five hexes from 1710 and six from 2307; 0110 is next to 61-Tre alone."""
        found = cell(legend(midgame), "1705")
        assert found.asides == ("supply: Allied, Axis", "zone: Allied")
        assert cell(legend(midgame), "0110").asides == ("zone: Axis",)
        assert cell(legend(midgame), "3016").asides == ()

    def test_supply_of_another_radius(self, midgame: State) -> None:
        """1705 is five hexes from 1710 and six from 2307; 61-Tre in 0109 is sixteen from 1710."""
        tables = {**RULES.scenarios.data("alamein"), "supply_radius": 5}
        near = replace(midgame, setting=RULES.begin(RULES.editions["nac"], tables).setting)
        assert cell(legend(near), "1705").asides[0] == "supply: Axis"
        far = replace(midgame.setting, supply_radius=16)
        assert cell(legend(replace(midgame, setting=far)), "0109").pieces[0].marks == ""


class TestMargins:
    """Who is off the map; an empty margin is left out."""

    @staticmethod
    def margins(state: State) -> dict[str, list[str]]:
        return {one.title: [piece.name for piece in one.pieces] for one in legend(state).margins}

    def test_before_the_set_up(self, start: State) -> None:
        found = self.margins(start)
        assert list(found) == ["Axis not yet placed", "Allied not yet placed"]
        assert found["Axis not yet placed"][:2] == ["125Inf", "382Inf"]
        assert found["Axis not yet placed"][-1] == "Fort-10"
        assert sum(map(len, found.values())) == len(start.setting.counters)

    def test_what_is_behind_the_screen_is_not_yet_placed(self, midgame: State) -> None:
        """R2.2: until the Axis opens its placement nobody sees it, fortifications neither."""
        units = {**midgame.units, "8-Bers": Unit("unplaced")}
        found = self.margins(replace(midgame, step=Phase.AXIS_OPEN, seal="ab" * 32, units=units, forts=()))
        assert found["Axis not yet placed"] == ["8-Bers", *(f"Fort-{n}" for n in range(1, 11))]

    @pytest.mark.parametrize(
        ("language", "counted"),
        [
            ("en", ("12 infantry", "8 tanks", "5 field guns", "10 fortifications")),
            ("es", ("12 de infantería", "8 tanques", "5 cañones de campaña", "10 fortificaciones")),
            ("it", ("12 di fanteria", "8 carri", "5 cannoni da campagna", "10 fortificazioni")),
            ("de", ("12 Infanterieeinheiten", "8 Panzer", "5 Feldgeschütze", "10 Befestigungen")),
        ],
    )
    def test_many_are_counted_by_kind_in_the_plural(
        self, start: State, language: str, counted: tuple[str, ...]
    ) -> None:
        with speaking(language), keeping_accents():
            said = " ".join(summarise_margins(legend(start), UNWRAPPED_WIDTH))
        for words in counted:
            assert f" {words}" in said

    def test_one_of_a_kind_is_in_the_singular(self, start: State) -> None:
        said = [legend(start).counted(kind, 1) for kind in legend(start).names]
        assert "1 tank" in said
        assert not [words for words in said if words.endswith("s")]

    def test_later(self, midgame: State) -> None:
        found = self.margins(midgame)
        assert list(found) == ["Axis eliminated", "Allied eliminated"]
        assert "61-Tre" not in found["Axis eliminated"]
        assert "62-Tre" in found["Axis eliminated"]


class TestFigures:
    """The tracks beside the map."""

    def test_before_the_set_up(self, start: State) -> None:
        assert dict(legend(start).figures) == {
            "Turn": "1 of 11",
            "Date": "23 October 1942",
            "Weather": "not yet known",
            "Phase": "the Axis sets up sixteen counters",
            "Allied points": "0 of 5",
            "Allied villages": "safe",
            "Edition": "nac",
        }

    def test_later(self, midgame: State) -> None:
        """R8.1: 26-Aus holds Kidney Ridge, 61-Tre stands in El Alamein."""
        units = {**midgame.units, "26-Aus": Unit("1706"), "61-Tre": Unit("2107")}
        found = dict(legend(replace(midgame, units=units)).figures)
        assert (found["Turn"], found["Date"]) == ("3 of 11", "25 October 1942")
        assert found["Weather"] == "dust"
        assert found["Phase"] == "the Allies move"
        assert found["Allied points"] == "1 of 5 (1706)"
        assert found["Allied villages"] == "lost 2107"

    @pytest.mark.parametrize(
        ("step", "phase"),
        [
            ("axis_open", "the screen is removed"),
            ("weather", "weather"),
            ("air", "the Axis flies, sub-turn 2 of 4"),
            ("landing", "aircraft land"),
            ("ground_fire", "the Axis fires"),
            ("ground_combat", "the Axis fights"),
            ("end_of_turn", "end of the turn"),
            ("over", "the game is over"),
        ],
    )
    def test_phases(self, midgame: State, step: str, phase: str) -> None:
        state = replace(midgame, step=step, active="axis", subturn=2)
        assert dict(legend(state).figures)["Phase"] == phase

    def test_every_step_has_a_phase(self, midgame: State) -> None:
        for step in RULES.sequence:
            assert dict(legend(replace(midgame, step=step)).figures)["Phase"]

    def test_options_that_are_no_edition(self, midgame: State) -> None:
        """R8.3: a game that goes on ends with turn 30."""
        options = replace(midgame.setting.options, after_last_turn="continue")
        state = replace(midgame, setting=replace(midgame.setting, options=options))
        found = dict(legend(state).figures)
        assert (found["Edition"], found["Turn"]) == ("own", "3 of 30")


class TestDates:
    """A turn is a day (R3.1), and the battle begins on 23 October 1942."""

    @pytest.mark.parametrize(
        ("turn", "day"),
        [
            (1, "23 October 1942"),
            (9, "31 October 1942"),
            (10, "1 November 1942"),
            (11, "2 November 1942"),
            (39, "30 November 1942"),
            (40, "1 December 1942"),
            (70, "31 December 1942"),
        ],
    )
    def test_through_the_year(self, midgame: State, turn: int, day: str) -> None:
        assert dict(legend(replace(midgame, turn=turn)).figures)["Date"] == day

    def test_none_after_it(self, midgame: State) -> None:
        assert "Date" not in dict(legend(replace(midgame, turn=71)).figures)


class TestNations:
    """R9.1: whose each counter is, on the map around a hex and in the list below it."""

    def test_around_a_hex(self, midgame: State) -> None:
        """1704 has two German bombers, 2207 a British unit; the list names each counter's nation."""
        seen = ascii_picture(crop_around(legend(midgame), "1704", 1))
        assert "/GERMAN \\" in seen
        assert "1704 Allied 26-Aus, Commonwealth infantry 5-4" in seen
        assert "Axis Ju87-1, German bomber 2-8" in seen
        assert "BRITISH" in ascii_picture(crop_around(legend(midgame), "2207", 1))

    def test_two_nations_of_a_side_in_a_hex(self, midgame: State) -> None:
        units = {**midgame.units, "26-Aus": Unit("2210"), "CR42-1": Unit("1704")}
        seen = ascii_picture(crop_around(legend(replace(midgame, units=units)), "1704", 1))
        assert "AXIS" in seen
        assert "Axis CR42-1, Italian bomber 2-8" in seen

    def test_the_list_of_the_whole_map_goes_by_nation(self, midgame: State) -> None:
        lines = ascii_picture(legend(midgame)).split("\n")
        headings = [word for line in lines for word in re.split("  +", line)]
        assert {"German", "Italian", "British", "Commonwealth"} <= set(headings)


class TestPicture:
    """The whole map in a mail."""

    def test_plain_and_narrow(self, midgame: State) -> None:
        for line in ascii_picture(legend(midgame)).split("\n"):
            assert len(line) <= 78
            assert all(" " <= character <= "~" for character in line)

    def test_the_neighbourhood_of_the_breakthrough(self, midgame: State) -> None:
        """Columns 15 to 21 of rows 04 to 08, by hand: the roads, the mines and a lane in them, units."""
        lines = ascii_picture(legend(midgame)).split("\n")
        [first] = [index for index, line in enumerate(lines) if line.startswith("04 ")]
        hexes = [line[31:45].rstrip() for line in lines[first : first + 10]]
        assert hexes == [
            ".   i@  ~   ~",
            "  . B2#   ~",
            ".   *\\  #   ~",
            "  . | #\\  .",
            ".   *   #\\  .",
            "  * | #   .\\ /",
            ".   .   #   @",
            "  . | #   . |",
            ".   T   -   .",
            "  . | -   . |",
        ]

    def test_every_counter_is_listed_with_its_hex(self, midgame: State) -> None:
        text = ascii_picture(legend(midgame))
        assert re.search(r"^T 3-7 A\*\* struck: PzIII-1 1708 ", text, re.MULTILINE)
        for name, unit in midgame.units.items():
            if unit.at != "eliminated":
                assert f"{name} {unit.at}" in text


class TestReach:
    """Where a unit may go, in steps (R4.2, R5.2)."""

    def test_rommel_says_where_units_can_go(self, midgame: State) -> None:
        question = asked(midgame, "allied", "ground_move")
        assert RULES.view.reach is not None
        assert RULES.view.reach(question, "7-Mot") == reach_of(question, "7-Mot") != {}

    def test_a_land_unit_in_its_movement(self, midgame: State) -> None:
        """R3.2: mechanised infantry of six goes five in dust, not counting roads."""
        reach = reach_of(asked(midgame, "allied", "ground_move"), "7-Mot")
        assert reach["2206"] == "1"
        assert reach["2212"] == "5"
        assert "2213" not in reach
        assert "2207" not in reach

    def test_a_land_unit_out_of_supply(self, midgame: State) -> None:
        assert reach_of(asked(midgame, "axis", "ground_move"), "61-Tre") == {}

    def test_an_aircraft_in_the_air_phase(self, midgame: State) -> None:
        """R3.2: a fighter of ten flies five in dust."""
        reach = reach_of(asked(midgame, "allied", "air"), "Spit-1")
        assert reach["2503"] == "5"
        assert "2502" not in reach

    def test_none_where_the_question_is_another(self, midgame: State) -> None:
        assert reach_of(asked(midgame, "allied", "air"), "7-Mot") == {}
        assert reach_of(asked(midgame, "allied", "ground_move"), "Spit-1") == {}
        assert reach_of(asked(midgame, "allied", "ground_fire"), "7-Mot") == {}

    def test_none_for_what_is_not_placed(self, start: State) -> None:
        assert reach_of(asked(start, "axis", "axis_first_setup"), "61-Tre") == {}

    @pytest.mark.parametrize("name", ["PzIII-1", "152-Hld", "nobody"])
    def test_units_of_the_side_only(self, midgame: State, name: str) -> None:
        """R10.2: a foreign, an eliminated, an unknown unit."""
        with pytest.raises(IllegalOrder, match=r"^R10\.2"):
            reach_of(asked(midgame, "allied", "ground_move"), name)
