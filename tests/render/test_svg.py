"""The drawing: well-formed whatever the words, loading nothing, and with all in it that the legend has."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from pbem.core.hexes import Grid
from pbem.core.legend import Branch, Colour, Legend, Scenery, Sign, Track
from pbem.render import svg_counters, svg_map, svg_style
from pbem.render.png import svg_to_png
from pbem.render.svg import svg_picture
from pbem.render.svg_counters import Faces
from pbem.umpire import verify
from render.test_ascii_picture import legends
from support.markers import Posix, requires
from support.sample_position import MORTAIN, german, us

NAMESPACE = "{http://www.w3.org/2000/svg}"
EXAMPLES = Path(__file__).parents[2] / "examples"
HOSTILE = "\"'><script>alert(1)</script><!--]]>&lt;\u202e\x00\x1b[31m\ud800"


def root(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in root(svg).iter(f"{NAMESPACE}text")]


def titles(svg: str) -> list[str]:
    return [element.text or "" for element in root(svg).iter(f"{NAMESPACE}title")]


@pytest.fixture(scope="module", params=["mortain-it-draw", "rommel-goes-on"])
def legend(request: pytest.FixtureRequest) -> Legend:
    game = verify.open_game((EXAMPLES / f"{request.param}.yaml").read_bytes())
    found: Legend = game.rules.view.legend(game.state.run.state)
    return found


def test_everything_of_the_position_is_in_the_drawing(legend: Legend) -> None:
    svg = svg_picture(legend, "a title")
    words, names = texts(svg), titles(svg)
    assert "a title" in words
    for cell in legend.cells:
        assert cell.number in words
        assert cell.label in ["", *words]
        shown = [name for name in names if name.endswith(f", in {cell.number}")]
        assert len(shown) == min(len(cell.pieces), svg_map.MAX_COUNTERS)
        assert all(any(piece.name in name for name in names) for piece in cell.pieces)
    for margin in legend.margins:
        assert margin.title in words
        for piece in margin.pieces:
            assert any(name.startswith(f"{piece.name}, ") for name in names)
    tracked = {track.name for track in legend.tracks}
    for name, value in legend.figures:
        assert name in words if name in tracked else f"{name}: {value}" in words


def test_a_drawing_uses_what_it_has_and_nothing_else(legend: Legend) -> None:
    svg = svg_picture(legend, "")
    drawn = root(svg)
    ids = [element.get("id") for element in drawn.iter() if element.get("id")]
    used = {element.get("href", "") for element in drawn.iter(f"{NAMESPACE}use")}
    assert len(ids) == len(set(ids))
    assert used <= {f"#{name}" for name in ids}


def test_a_drawing_loads_nothing_and_a_strict_page_may_hold_it(legend: Legend) -> None:
    svg = svg_picture(legend, "")
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"url\(|@import|@font-face|<script|<image|\son\w+=|\sstyle=", svg)


@given(legends())
@settings(max_examples=60)
def test_any_words_make_a_well_formed_drawing(legend: Legend) -> None:
    root(svg_picture(legend, legend.sides["us"]))


def test_hostile_words_are_text() -> None:
    cell = replace(MORTAIN.cells[0], label=HOSTILE, pieces=(us(HOSTILE, HOSTILE, HOSTILE),), marks="<")
    spoilt = replace(
        MORTAIN,
        cells=(cell,),
        sides={"us": HOSTILE, "german": HOSTILE},
        marks={"<": HOSTILE},
        figures=((HOSTILE, HOSTILE),),
        tracks=(Track(HOSTILE, (HOSTILE,), 0),),
        reduced=HOSTILE,
        factors=HOSTILE,
    )
    svg = svg_picture(spoilt, HOSTILE)
    tags = {element.tag.removeprefix(NAMESPACE) for element in root(svg).iter()}
    assert tags == {tag.removeprefix(NAMESPACE) for tag in map_tags()}
    assert "\u202e" not in svg


def map_tags() -> set[str]:
    """The tags of a drawing of one hex with nothing strange in it."""
    cell = replace(MORTAIN.cells[0], label="x", pieces=(us("x", "x", "x"),), marks="<")
    return {
        element.tag
        for element in root(svg_picture(replace(MORTAIN, cells=(cell,), marks={"<": "x"}), "x")).iter()
    }


def test_there_is_a_picture_for_every_word_of_the_legend() -> None:
    assert set(svg_map.GROUND) == set(get_args(Scenery))
    assert set(svg_map.SIGNS) == set(get_args(Sign))
    assert {*svg_counters.BRANCH_LINES, *svg_counters.BRANCH_SHAPES} == set(get_args(Branch))
    assert set(svg_style.CARDBOARD) == set(get_args(Colour))


def test_neighbours_on_the_map_are_neighbours_in_the_drawing(legend: Legend) -> None:
    numbers = [cell.number for cell in legend.cells]
    first, last = numbers[0], numbers[-1]
    grid = Grid(int(first[:2]), int(last[:2]), int(first[2:]), int(last[2:]), "even")
    drawn = {frozenset((one.number, two.number)) for one, two, _, _ in svg_map.common_sides(legend)}
    assert drawn == {frozenset((at, near)) for at in numbers for near in grid.adjacent(at)}


def face(legend: Legend, **changes: object) -> str:
    faces = Faces()
    faces.face_id(legend, replace(us("CCA", "tank", "4-4"), **changes))
    return faces.symbols()


def test_whoever_sees_no_colours_tells_sides_and_faces_apart() -> None:
    def shapes(symbols: str) -> list[str]:
        return re.findall(r' d="([^"]*)"', symbols)

    whole = shapes(face(MORTAIN))
    assert shapes(face(MORTAIN, reduced=True)) != whole
    assert shapes(face(MORTAIN, side="german")) != whole
    assert shapes(face(MORTAIN, kind="infantry")) != whole


def test_a_kind_without_a_symbol_shows_its_letter() -> None:
    assert ">Z</text>" in face(MORTAIN, kind="zouaves")


@pytest.mark.parametrize(("size", "strokes"), [("", 0), ("II", 2), ("III", 3), ("X", 1), ("XX", 2)])
def test_the_size_of_a_unit_stands_over_its_symbol(size: str, strokes: int) -> None:
    with_size, without = (face(MORTAIN, kind="infantry", size=each) for each in (size, ""))
    assert with_size.count(" -16") - without.count(" -16") == strokes


def test_names_of_places_have_one_size_and_stay_off_the_neighbours(legend: Legend) -> None:
    """A long name is as wide as there is room between the counters left and right; a short one is not."""
    names = [
        each
        for each in root(svg_picture(legend, "")).iter(f"{NAMESPACE}text")
        if each.get("class") == "label"
    ]
    assert names
    for each in names:
        assert each.get("font-size") is None
        assert (each.get("textLength") == "92") == (len(each.text or "") > 12)


def test_a_road_goes_on_to_the_edge_of_the_map() -> None:
    """In the middle of the map it ends where it ends: at Heights, 1705."""
    game = verify.open_game((EXAMPLES / "mortain-it-draw.yaml").read_bytes())
    found: Legend = game.rules.view.legend(game.state.run.state)
    path = root(svg_picture(found, "")).find(f".//{NAMESPACE}path[@class='road']")
    assert path is not None
    at = {cell.number: svg_map.hex_centre(found, cell) for cell in found.cells}
    drawn = path.get("d") or ""
    (x, y), (west_x, west_y) = at["1705"], at["1105"]
    assert f"L{x} {y}" in drawn
    assert f"Q{west_x} {west_y} " in drawn  # through the middle, and out


def test_each_face_is_drawn_once() -> None:
    faces = Faces()
    one, two = german("D", "infantry", "3-3"), german("DF", "infantry", "3-3")
    assert faces.face_id(MORTAIN, one) == faces.face_id(MORTAIN, one) != faces.face_id(MORTAIN, two)
    assert faces.symbols().count("<g id=") == 2


def test_light_and_dark_have_the_same_colours_and_all_that_are_used(legend: Legend) -> None:
    assert set(svg_style.LIGHT) == set(svg_style.DARK)
    used = set(re.findall(r"var\(--([\w-]+)\)", svg_picture(legend, "")))
    assert used <= set(svg_style.LIGHT)


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", svg_style.CARDBOARD)
def test_factors_stand_out_from_the_cardboard(colour: Colour) -> None:
    assert contrast(*svg_style.CARDBOARD[colour]) >= 4.5


@pytest.mark.parametrize("scheme", [svg_style.LIGHT, svg_style.DARK], ids=["light", "dark"])
def test_words_stand_out_from_the_paper_and_names_from_the_ground(scheme: dict[str, str]) -> None:
    """WCAG 2.2, 1.4.3 and 1.4.11: 4.5 : 1 for words, 3 : 1 for outlines and arrows."""
    assert contrast(scheme["ink"], scheme["paper"]) >= 7
    for ground in ("plain", "field", "desert", "woods", "built", "hill", "water", "low"):
        for name in ("ink", "faint"):
            assert contrast(scheme[name], scheme[ground]) >= 4.5, (name, ground)
        for name in ("lit-edge", "first-side", "second-side", "alarm"):
            assert contrast(scheme[name], scheme[ground]) >= 3, (name, ground)


def test_paper_needs_no_custom_properties(legend: Legend) -> None:
    plain = svg_style.resolve_colours(svg_picture(legend, ""))
    assert "var(" not in plain
    assert "@media" not in plain
    root(plain)


@requires(Posix.FONTS)
def test_a_png_has_its_words(legend: Legend) -> None:
    svg = svg_picture(legend, "Words")
    without = re.sub(r"<text[^>]*>[^<]*</text>", "", svg)
    made = svg_to_png(svg, 400)
    assert made.startswith(b"\x89PNG")
    assert made != svg_to_png(without, 400)
