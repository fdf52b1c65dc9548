"""What axe-core finds on the screens of lobby, board and page, in light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.web.game_page import checker_page
from support.board_player import begin_practice_game, play_at_board, run_pbem_at_home
from support.browsers import Browser
from support.game_pages import page_of
from support.lobby_player import visit
from web.test_card_table import at_table, begin_at_table
from web.test_club_page import club
from web.test_review import LOOKED_AT, LOOKED_OVER, POINT, SET_UP
from web.test_scenario_form import field, make_a_scenario

pytestmark = pytest.mark.thorough

EXAMPLES = Path(__file__).parents[2] / "examples"
AXE = Path(__file__).parents[2] / ".ci" / "node_modules" / "axe-core" / "axe.min.js"

WIDE, TALL, FLAT = (1280, 800), (390, 844), (844, 390)

FIND = """
const [done] = arguments;
axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => done(violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map((node) => node.html.slice(0, 120)).join(" | ")}`)));
"""


CHECKED = """
const [number, done] = arguments;
(function look() {
  const found = document.querySelectorAll("#checked > [data-proof]");
  if (found.length >= number) done(); else setTimeout(look, 50);
})();
"""


@pytest.fixture
def screen(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The browser at a size, of somebody who likes the light or the dark."""
    if not AXE.exists():
        pytest.skip("needs axe-core: npm ci --prefix .ci")
    scheme, width, height = request.param
    browser.set_width(width, height)
    with liking(browser, scheme):
        yield browser


def screens(*sizes: tuple[int, int]) -> pytest.MarkDecorator:
    """Sizes of the screen, light and dark in turn; every size in both with --long.

    What is too faint depends on the colours, and what does not fit on the size: seldom does both.
    """
    rows = [
        pytest.param(
            (scheme, *size),
            marks=() if (n + dark) % 2 == 0 else pytest.mark.long,
            id=f"{scheme}-{size[0]}-{size[1]}",
        )
        for n, size in enumerate(sizes)
        for dark, scheme in enumerate(("light", "dark"))
    ]
    return pytest.mark.parametrize("screen", rows, indirect=True)


@contextmanager
def liking(browser: Browser, scheme: str) -> Iterator[None]:
    """The browser tells each page that its user likes this colour scheme."""
    emulate, feature = "Emulation.setEmulatedMedia", "prefers-color-scheme"
    browser.driver.execute_cdp_cmd(emulate, {"features": [{"name": feature, "value": scheme}]})
    try:
        yield
    finally:
        browser.driver.execute_cdp_cmd(emulate, {"features": [{"name": feature, "value": ""}]})


def serious_faults(browser: Browser) -> list[str]:
    """The serious faults of what is shown, each rule with some of the elements."""
    browser.run("for (const one of document.getAnimations()) one.finish()")
    browser.run(AXE.read_text("utf-8"))
    found: list[str] = browser.wait(FIND)
    return found


@screens(WIDE, TALL, FLAT)
def test_a_board_at_any_size(screen: Browser, tmp_path: Path) -> None:
    """A set-up, with a unit that is chosen, a refusal with its rule, and the window that asks to sign."""
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    with play_at_board(screen, tmp_path) as player:
        assert serious_faults(screen) == []
        player.type("place 117Inf 1901")
        player.click("#refused button.rule")
        player.click('[data-unit="119Inf"]')
        assert serious_faults(screen) == []
        for order in ("117Inf 1301", "119Inf 1303", "120Inf 1302", "823TD 1403", "SPTD 1304"):
            player.type(f"place {order}")
        screen.run("for (const one of document.querySelectorAll('details')) one.open = true")
        assert serious_faults(screen) == []
        player.sign()
        assert serious_faults(screen) == []
        screen.run("document.getElementById('more').open = true")
        player.click('[data-act="resign"]')
        assert serious_faults(screen) == []


@screens(WIDE, TALL)
def test_a_game_that_is_looked_over(screen: Browser, tmp_path: Path) -> None:
    """The chart, and an entry with the orders that the computer would have given."""
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    assert run_pbem_at_home(tmp_path, "move", "game.yaml", SET_UP).returncode == 0
    with play_at_board(screen, tmp_path):
        screen.run("document.getElementById('look-over').click()")
        assert serious_faults(screen) == [], "while a bar shows how far it is"
        screen.wait(LOOKED_OVER)
        screen.run(POINT, 2)
        screen.wait(LOOKED_AT, "Before entry 2: ")
        assert serious_faults(screen) == []


@screens(WIDE)
def test_a_board_with_many_counters(screen: Browser, tmp_path: Path) -> None:
    begin_practice_game(tmp_path, "rommel", "--seat", "allied")
    with play_at_board(screen, tmp_path) as player:
        assert serious_faults(screen) == []
        player.find("#ready button").click()
        player.wait()
        assert serious_faults(screen) == []


@screens(WIDE, TALL)
def test_a_table_and_the_form_of_an_order(screen: Browser, tmp_path: Path) -> None:
    """Tracks, dice and decks; a roll that is filled in, and one that is refused."""
    anna, _ = begin_at_table(tmp_path, "dice")
    with at_table(screen, anna) as player:
        assert serious_faults(screen) == []
        player.pick("2d6")
        assert serious_faults(screen) == []
        player.click("#order-cancel")
        player.pick("Other dice")
        player.press("Roll")
        assert player.texts("#order-refused") != [""]
        assert serious_faults(screen) == []


@pytest.mark.parametrize("name", ["club.html", "season.html"])
@screens(WIDE, TALL)
def test_the_page_of_a_club(screen: Browser, tmp_path: Path, name: str) -> None:
    page = club(tmp_path).with_name(name)
    screen.go(page.as_uri())
    screen.run("for (const one of document.querySelectorAll('details')) one.open = true")
    assert serious_faults(screen) == []


@screens(WIDE, TALL)
def test_a_page(screen: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page_of("rommel-allied-wins"), "utf-8")
    screen.open(path)
    for tab in screen.run("return document.querySelectorAll('#tabs [aria-expanded=false]')"):
        screen.run("arguments[0].click()", tab)
    found = serious_faults(screen)
    screen.run("localStorage.clear()")
    assert found == []


@screens(WIDE, TALL)
def test_the_checker(screen: Browser, tmp_path: Path) -> None:
    path = tmp_path / "check.html"
    path.write_bytes(checker_page())
    screen.go(path.as_uri())
    assert serious_faults(screen) == []
    altered = tmp_path / "altered.yaml"
    altered.write_bytes(
        (EXAMPLES / "rommel-axis-wins.yaml").read_bytes().replace(b"kind: play", b"kind: plan", 1)
    )
    for number, file in enumerate((EXAMPLES / "mortain-it-exits.yaml", altered), start=1):
        screen.choose_file("#files", file)
        screen.wait(CHECKED, number)
    screen.run("for (const one of document.querySelectorAll('details')) one.open = true")
    assert serious_faults(screen) == []


@screens(WIDE, TALL)
def test_the_lobby(screen: Browser, tmp_path: Path) -> None:
    """Empty, and with the window that begins a game."""
    with visit(screen, tmp_path) as player:
        assert serious_faults(screen) == []
        screen.run("for (const one of document.querySelectorAll('details')) one.open = true")
        assert serious_faults(screen) == []
        player.click("#begin-offer")
        assert serious_faults(screen) == []
        screen.run("document.getElementById('begin').close()")
        assert player.open_file(EXAMPLES / "mortain-it-exits.yaml")
        assert serious_faults(screen) == []


@screens(WIDE, TALL)
def test_the_forms_of_the_lobby(screen: Browser, tmp_path: Path) -> None:
    """Settings with mail, a scenario and what is wrong with it, and what is to be sent."""
    with visit(screen, tmp_path) as player:
        player.click("#open-settings")
        screen.run("for (const one of document.querySelectorAll('dialog details')) one.open = true")
        player.fill("#mail-address", "anna@example.invalid")
        player.click("#mail-find button")
        assert serious_faults(screen) == []
        screen.run("document.querySelector('dialog[open]').close()")
        make_a_scenario(player)
        player.click("#begin-own")
        player.fill(field("side2"), "")
        player.click("#scenario-made .first")
        assert screen.run("return document.querySelectorAll('[aria-invalid=true]').length") == 1
        assert serious_faults(screen) == []
        player.fill(field("side2"), "Germans")
        player.click("#scenario-made .first")
        player.click("#begin-go")
        assert player.is_shown("#departure")
        assert serious_faults(screen) == []
