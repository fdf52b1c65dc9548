"""Every click answers: with orders, or with the reason why there is none. The board says both as data."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.core.legend import Cell, Margin
from pbem.games.rommel.rules.state import Phase
from pbem.player.local_player import LocalPlayer
from pbem.player.order_sheet import OrderSheet
from pbem.umpire import permissions
from pbem.web.board_session import ActionRequest, BoardSession, SignRequest
from pbem.web.order_options import OptionsRequest, OrderMenu, answer_click
from player.test_order_sheet import rommel_sheet
from support.board_player import begin_practice_game, play_at_board
from support.browsers import Browser
from support.markers import sample_rows

MOST_BYTES = 20_000
"""Of an answer, in Rommel too."""

ASKED = ("place", "activate", "axis_first_setup", "air", "ground_move")
"""The five positions: two of Mortain, three of Rommel, by what is asked."""


def board_session_at(home: Path, question: str) -> BoardSession:
    """A board at which this is asked, and the file behind it; orders until then are the sensible player's."""
    mortain = question in ("place", "activate")
    begin_practice_game(home, "mortain" if mortain else "rommel", "--seat", "us" if mortain else "axis")
    player = LocalPlayer(home / "home")
    (kept,) = player.store.games()
    sitting = BoardSession(player, player.open(kept.data), home / "game.yaml")
    chooser = random.Random(5)
    while (asked := sitting.state.table.pending_question) and asked.question != question:
        orders = sitting.state.game.rules.players["sensible"](asked, chooser)
        lines = sitting.state.game.rules.view.write_words(orders)
        shown = sitting.confirm(ActionRequest(sitting.state.bound, lines=lines))
        sitting.sign(SignRequest(sitting.state.bound, shown["digest"]))
    return sitting


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))


def silent(answer: dict[str, Any]) -> bool:
    """Whether an answer says nothing."""
    return not answer["options"] and not answer.get("refused", {}).get("error")


@pytest.mark.thorough
@pytest.mark.parametrize("question", sample_rows(ASKED, 2))
def test_each_unit_and_each_hex_is_answered(question: str, tmp_path: Path) -> None:
    sitting = board_session_at(tmp_path, question)
    asked = sitting.state.table.pending_question
    assert asked
    legend = sitting.state.legend
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    own = [piece.name for place in places for piece in place.pieces if piece.side == asked.seat]
    first = sitting.current_data()["able"][0]
    ask: Callable[..., OptionsRequest] = partial(OptionsRequest, sitting.state.bound)
    clicks = [ask(units=[name]) for name in own]
    clicks += [ask(hex=index) for index in range(len(legend.cells))]
    clicks += [ask(units=[first], hex=index) for index in range(len(legend.cells))]
    answers = [sitting.options(click) for click in clicks]
    assert sum(map(silent, answers)) == 0
    assert max(len(json.dumps(answer)) for answer in answers) <= MOST_BYTES
    assert any(answer.get("refused", {}).get("rule") for answer in answers), "a reason has its rule"
    assert len(json.dumps(sitting.look(ActionRequest(sitting.state.bound, faces=10**6)))) <= MOST_BYTES


def test_what_is_offered_is_what_may_be_typed(tmp_path: Path) -> None:
    """Each offered order is legal; its units and hexes are those that it names."""
    sitting = board_session_at(tmp_path, "activate")
    asked = permissions.unlock_state(sitting.state.game, sitting.player.key).pending_question
    assert asked
    numbers = [cell.number for cell in sitting.state.legend.cells]
    for name in sitting.current_data()["able"]:
        for words, by, at, attack, _ in sitting.options(OptionsRequest(sitting.state.bound, units=[name]))[
            "options"
        ]:
            asked.read(sitting.state.game.rules.view.read_words(asked, [words]))
            verb, *parts = words.split()
            assert name in by
            assert set(by) <= set(parts)
            assert attack == (verb == "fire")
            if verb == "move":
                assert [numbers[hex_] for hex_ in at] == parts[-1:]


def test_a_reason_names_its_rule(tmp_path: Path) -> None:
    sitting = board_session_at(tmp_path, "place")
    east = next(index for index, cell in enumerate(sitting.state.legend.cells) if cell.number == "1901")
    answer = sitting.options(OptionsRequest(sitting.state.bound, units=["117Inf"], hex=east))
    assert answer["options"] == []
    assert answer["refused"]["error"].startswith("M2.1")
    assert "outside the easternmost column" in answer["refused"]["rule"]


def test_a_flight_goes_over_the_hexes_that_are_clicked() -> None:
    sheet = rommel_sheet(Phase.AIR, {"Bf109-1": "1204"}, active="axis")
    clicked = partial(by_clicks, sheet, ["Bf109-1"])
    assert clicked("1205", "1305", "1205") == ["fly Bf109-1 1205 1305 1205"]
    assert clicked("1205", "1408") == "R4.2: 1408 is not adjacent to 1205 on the path of Bf109-1"
    sheet.add("fly Bf109-1 to 1304")
    assert clicked("1205", "1305") == ["fly Bf109-1 1205 1305"], "instead of the other"


def test_aircraft_that_have_come_one_by_one_attack_together() -> None:
    """R4.5: who flies into the zone of an enemy may attack him beside another."""
    sheet = rommel_sheet(Phase.AIR, {"Bf109-1": "1204", "Bf109-2": "1204", "Spit-1": "1806"}, active="axis")
    for unit, to in (("Bf109-1", "1706"), ("Bf109-2", "1805")):
        (order,) = (words for words in by_clicks(sheet, [unit], to) if "dogfight" not in words)
        sheet.add(order)
    assert sheet.current.missing_orders.startswith("R4.3")
    both = ["Bf109-1", "Bf109-2"]
    assert by_clicks(sheet, both, "1806") == ["dogfight Bf109-1 Bf109-2 on Spit-1"]
    sheet.add("dogfight Bf109-1 Bf109-2 on Spit-1")
    assert sheet.current.is_whole


def test_each_of_three_compulsory_attacks_shows_its_chance() -> None:
    """R5.5, R6.2: 5 against 3 wins 91% of the time, 5 against 7 19%; the others need not be ordered yet."""
    beside = {"20-Aus": "1809", "24-Aus": "1807", "26-Aus": "1708", "61-Tre": "1709", "PzIII-1": "1707"}
    obliged = {"20-Aus": ("61-Tre",), "24-Aus": ("PzIII-1",), "26-Aus": ("61-Tre",)}
    sheet = rommel_sheet(Phase.COMBAT, beside, obliged=obliged)

    def chances(*units: str) -> dict[str, str]:
        menu = OrderMenu(sheet.current, sheet.asked.seat)
        answer = answer_click(menu, OptionsRequest("", units=list(units)), sheet)
        return {words: chance for words, _, _, _, chance in answer["options"]}

    assert chances("24-Aus")["attack 24-Aus on PzIII-1"] == "19%"
    sheet.add("attack 24-Aus on PzIII-1")
    assert chances("20-Aus")["attack 20-Aus on 61-Tre"] == "91%"
    assert chances("20-Aus", "26-Aus") == {"attack 20-Aus 26-Aus on 61-Tre": "100%"}


def by_clicks(sheet: OrderSheet, units: list[str], *way: str) -> Any:
    """The orders that these units and hexes mean, or why none."""
    numbers = {cell.number: index for index, cell in enumerate(sheet.current.legend.cells)}
    *over, at = (numbers[one] for one in way)
    answer = answer_click(
        OrderMenu(sheet.current, sheet.asked.seat), OptionsRequest("", units=units, hex=at, over=over), sheet
    )
    return [words for words, *_ in answer["options"]] or answer["refused"]["error"]


def test_a_word_that_is_begun_is_completed(tmp_path: Path) -> None:
    sitting = board_session_at(tmp_path, "place")
    typed = sitting.options(OptionsRequest(sitting.state.bound, typed="pl 117"))["typed"]
    assert typed == ["pl 117Inf"]


CLICKED = """
const [place, from, to, chooseFirst, done] = arguments;
const seen = () => JSON.stringify([
  [...document.querySelectorAll("#list li, #choices button")].map((each) => each.textContent),
  [...document.querySelectorAll("[aria-pressed=true], .cell.chosen")]
    .map((each) => each.dataset.unit ?? each.dataset.hex),
  document.getElementById("refused").hidden ? "" : document.getElementById("refused").textContent,
]);
const quiet = async () => {
  while (document.body.hasAttribute("aria-busy")) await new Promise((then) => setTimeout(then, 2));
};
const find = (index) => document.querySelectorAll(place)[index];
(async () => {
  const silent = [];
  for (let index = from; index < to && find(index); index += 1) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}));
    await quiet();
    if (chooseFirst) document.querySelector("#told [data-unit]:not(.idle)")?.click();
    await quiet();
    const before = seen();
    find(index)?.dispatchEvent(new MouseEvent("click", {bubbles: true}));
    await quiet();
    if (seen() === before) silent.push(`${place} ${index}`);
    if (document.querySelector("#list li")) document.getElementById("clear").click();
    await quiet();
  }
  done(silent);
})();
"""
"""Click on these hexes or units, when nothing or the first unit is chosen: which say nothing?"""

CLICKS = 50
"""So many at a time, so that the browser's driver need not wait long."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    "question", [one if one == "activate" else pytest.param(one, marks=pytest.mark.long) for one in ASKED]
)
def test_no_click_on_the_board_is_silent(question: str, browser: Browser, tmp_path: Path) -> None:
    sitting = board_session_at(tmp_path, question)
    browser.set_width(1280)
    with play_at_board(browser, tmp_path) as player:
        units = player.browser.run("return document.querySelectorAll('[data-unit]').length")
        for place, number in (("[data-hex]", len(sitting.state.legend.cells)), ("[data-unit]", units)):
            for begin in range(0, number, CLICKS):
                for choose in (False, True):
                    assert player.browser.wait(CLICKED, place, begin, begin + CLICKS, choose) == []


@pytest.mark.thorough
def test_the_way_to_a_hex_is_shown_before_the_click(browser: Browser, tmp_path: Path) -> None:
    """As the order draws it once it is in the list; the map forgets it when the pointer leaves."""
    from selenium.webdriver import ActionChains
    from selenium.webdriver.support.wait import WebDriverWait

    sitting = board_session_at(tmp_path, "ground_move")
    cells = sitting.state.legend.cells
    places = {piece.name: cell.number for cell in cells for piece in cell.pieces}
    able = sitting.current_data()["able"]
    name = max(
        able,
        key=lambda one: len(sitting.options(OptionsRequest(sitting.state.bound, units=[one]))["options"]),
    )
    ask: Callable[..., OptionsRequest] = partial(OptionsRequest, sitting.state.bound, units=[name])
    ways = {
        at: sitting.options(ask(hex=at, ahead=True))["ahead"]
        for *_, [at], _, _ in sitting.options(ask())["options"]
    }
    at = max(ways, key=lambda at: len(ways[at][0][1]))
    [[words, *_]] = sitting.options(ask(hex=at))["options"]
    assert ways[at] == sitting.look(ActionRequest(sitting.state.bound, lines=[words]))["done"]
    sitting.look(ActionRequest(sitting.state.bound))  # else the page would begin with that order
    [[kind, hexes, _, unit]] = ways[at]
    assert (kind, hexes[-1], len(hexes) > 2, unit) == ("way", at, True, name)
    browser.set_width(1280)
    with play_at_board(browser, tmp_path) as player:
        player.hex(places[name])
        assert player.chosen() == [name]
        drawn = "return document.querySelectorAll('#traces .head').length"
        onto = player.uncovered(cells[at].number)
        ActionChains(browser.driver).move_to_element(onto).perform()
        WebDriverWait(browser.driver, 20).until(lambda _: browser.run(drawn) == 1)
        ActionChains(browser.driver).move_to_element(player.find("#prompt")).perform()
        WebDriverWait(browser.driver, 20).until(lambda _: browser.run(drawn) == 0)


@pytest.mark.thorough
def test_only_ready_made_set_ups_have_pictures(tmp_path: Path) -> None:
    """R2.3: what the guns may do is asked beside them, and is none."""
    begin_practice_game(tmp_path, "rommel", "--seat", "axis")
    player = LocalPlayer(tmp_path / "home")
    (kept,) = player.store.games()
    sitting = BoardSession(player, player.open(kept.data), tmp_path / "game.yaml")
    data = sitting.current_data()
    assert data["ready"]
    assert all(words.startswith("setup ") for words in data["ready"])
    assert len(data["ready"]) < len(data["free"])


@pytest.mark.thorough
def test_the_figures_are_of_the_position_and_say_what_the_orders_change(tmp_path: Path) -> None:
    sitting = board_session_at(tmp_path, "ground_move")
    before = sitting.look(ActionRequest(sitting.state.bound))["shown"]["figures"]
    assert all(len(figure) == 2 for figure in before)
    after = sitting.look(ActionRequest(sitting.state.bound, lines=["pass"]))["shown"]["figures"]
    assert [figure[:2] for figure in after] == before
    assert any(len(figure) == 3 for figure in after), after
