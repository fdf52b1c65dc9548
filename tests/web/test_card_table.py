"""The table of a game without a map, played by clicks in Chromium: cards, dice, tracks, the end of a turn."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from pbem.games.tabletop import RULES
from pbem.games.tabletop.rules.hands import hand_of
from pbem.umpire.verify import open_game
from pbem.web.game_page import game_page
from support.board_player import ARRIVED, BoardPlayer, play_at_board, run_pbem_at_home, serve_board
from support.browsers import Browser, Firefox, run_firefox
from support.tabletop_games import begun, finished, hand, play, settled

pytestmark = pytest.mark.thorough

FILE = "game.yaml"

FALLEN = """
const done = arguments[0];
(function look() {
  const playing = document.documentElement.classList.contains("playing");
  if (!playing && document.querySelector("#fallen tr")) done(); else setTimeout(look, 50);
})();
"""
"""All dice that are news have fallen."""

FLOWS_OVER = "return document.documentElement.scrollWidth > innerWidth"


class TablePlayer(BoardPlayer):
    """Who plays at a table without a map."""

    def pick(self, name: str, place: str = "#card-table") -> None:
        """Click on something that lies there."""
        self.click(f'{place} [data-item="{name}"]')

    def fill(self, label: str, words: str) -> None:
        """Fill in a blank of the form that opens."""
        self.browser.wait(
            """
            const [label, words, done] = arguments;
            (function look() {
              const made = [...document.querySelectorAll("#order-blanks label")];
              const found = made.find((one) => one.firstChild.textContent.trim() === label);
              if (!found) return setTimeout(look, 20);
              found.lastElementChild.value = words;
              done();
            })();
            """,
            label,
            words,
        )

    def press(self, label: str) -> None:
        """Press a button of the form that opens."""
        script = """
          const [label, done] = arguments;
          (function look() {
            const found = [...document.querySelectorAll("#order-buttons button")]
              .find((one) => one.textContent === label);
            if (found) done(found); else setTimeout(look, 20);
          })();
        """
        self._press(self.browser.wait(script, label))

    def is_form_open(self) -> bool:
        return bool(self.browser.run("return document.getElementById('order-form').open"))

    def hand(self) -> list[str]:
        """The cards of the hand, as the page shows them."""
        return self.texts("#table-hands .playing-card")

    def end_turn(self) -> None:
        """Hand over, and sign."""
        self.click("#table-orders button")
        self.sign()


def begin_at_table(folder: Path, kind: str) -> tuple[Path, Path]:
    """The homes of two players who have both joined, and have the file."""
    anna, bruno = folder / "anna", folder / "bruno"
    for home in (anna, bruno):
        home.mkdir()
    made = run_pbem_at_home(
        anna, "new", "tabletop", FILE, "--seat", "first", "--name", "Anna", "--scenario", kind
    )
    assert made.returncode == 0, made.stderr
    carry(anna, bruno)
    joined = run_pbem_at_home(bruno, "join", FILE, "--name", "Bruno")
    assert joined.returncode == 0, joined.stderr
    carry(bruno, anna)
    return anna, bruno


def carry(home: Path, to: Path) -> None:
    """The file of one goes to the other, whose program takes it in."""
    shutil.copyfile(home / FILE, to / FILE)
    run_pbem_at_home(to, "show", FILE)


@contextmanager
def at_table(browser: Browser | Firefox, home: Path) -> Iterator[TablePlayer]:
    with play_at_board(browser, home):
        player = TablePlayer(browser, home)
        player.wait()
        yield player


def test_a_turn_by_clicks(browser: Browser, tmp_path: Path) -> None:
    """See a hand, play a card, roll labelled dice, draw, move a track, end the turn, sign."""
    anna, bruno = begin_at_table(tmp_path, "cards")
    assert run_pbem_at_home(anna, "move", FILE, "draw 3 from red; end").returncode == 0
    carry(anna, bruno)
    assert run_pbem_at_home(bruno, "move", FILE, 'draw 2 from blue; roll 2d6 "ambush"; end').returncode == 0
    carry(bruno, anna)
    browser.set_width(1280)
    with at_table(browser, anna) as player:
        browser.wait(FALLEN)
        assert player.texts("#fallen tr") != []
        assert len(player.hand()) == 3
        card = player.hand()[0]
        player.pick(card)
        assert "proves that it was in your hand" in player.texts("#order-notes")[0]
        player.fill("What it is for", 'ops, "now"')
        player.press("Play")
        assert not player.is_form_open()
        kept = player.hand()  # another of the same name may be among them
        assert len(kept) == 2
        assert player.texts(".open-card") == [card]
        player.pick("2d6")
        player.fill("What it is for, one roll per line", "Verdun, 3:1; +1\n\nYpres # 2:1\n")
        player.press("Roll")
        player.pick("red of Reds")
        player.fill("Cards", "2")
        player.press("Draw")
        player.pick("turn 1")
        player.pick("turn 1")
        player.pick("VP -1")
        player.click("#table-orders button")
        assert player.lines() == [
            f'play "{card}" for "ops, \'now\'"',
            'roll 2d6 "Verdun, 3:1; +1" "Ypres # 2:1"',
            "draw 2 from red",
            "set turn to 3",
            "set VP to -1",
            "end",
        ]
        assert not player.texts("#table-orders button"), "the table is handed over"
        assert not browser.run(FLOWS_OVER)
        player.sign()
        played = player.game().entries[-1].body.orders  # type: ignore[union-attr]
        assert {"roll": "2d6", "for": "Ypres # 2:1"} in (played or [])
        assert player.hand() == kept


def test_what_is_refused_stays_in_its_form(browser: Browser, tmp_path: Path) -> None:
    anna, _ = begin_at_table(tmp_path, "dice")
    browser.set_width(1280)
    with at_table(browser, anna) as player:
        player.pick("Other dice")
        player.press("Roll")
        assert "Dice, such as 4d6+1" in player.texts("#order-refused")[0]
        player.fill("Dice, such as 4d6+1", "21d6")
        player.press("Roll")
        assert "T4" in player.texts("#order-refused")[0]
        player.fill("Dice, such as 4d6+1", "4d6+1")
        player.press("Roll")
        assert player.lines() == ["roll 4d6+1"]
        player.click("#order-cancel") if player.is_form_open() else None
        player.pick("Note")
        log = tmp_path / "turn1.vlog"
        log.write_bytes(b"moves")
        browser.choose_file("#order-blanks input[type=file]", log)
        player.press("Note")
        assert player.lines()[1] == f'note "turn1.vlog" sha256 {sha256(b"moves").hexdigest()}'


def test_on_a_telephone(browser: Browser, tmp_path: Path) -> None:
    anna, _ = begin_at_table(tmp_path, "chits")
    with browser.as_telephone(), at_table(browser, anna) as player:
        player.pick("cup")
        player.press("Draw")
        player.pick("battle") if "battle" in player.texts(".die-kind") else player.pick("d6")
        player.press("Roll")
        player.click("#table-orders button")
        assert player.lines() == ["draw 1 from cup", "roll d6", "end"]
        assert not browser.run(FLOWS_OVER)
        player.sign()


def test_firefox(tmp_path: Path) -> None:
    """A roll with its purpose, a card, a track, and the file of a log."""
    anna, _ = begin_at_table(tmp_path, "chits")
    (tmp_path / "profile").mkdir()
    log = tmp_path / "turn1.vlog"
    log.write_bytes(b"moves")
    with run_firefox(tmp_path / "profile") as firefox, at_table(firefox, anna) as player:
        player.pick("2d6")
        player.fill("What it is for, one roll per line", "Verdun")
        player.press("Roll")
        player.pick("cup")
        player.press("Draw")
        player.pick("turn 1")
        player.pick("Note")
        firefox.choose_file("#order-blanks input[type=file]", log)
        player.press("Note")
        player.click("#table-orders button")
        digest = sha256(b"moves").hexdigest()
        note = f'note "turn1.vlog" sha256 {digest}'
        lines = ['roll 2d6 "Verdun"', "draw 1 from cup", "set turn to 2", note, "end"]
        assert player.lines() == lines
        player.sign()


@pytest.mark.long
@pytest.mark.parametrize("kind", RULES.scenarios.names)
def test_ten_turns_between_two_pages(browser: Browser, tmp_path: Path, kind: str) -> None:
    """Each has a page of his own; the file goes between them, up to the result and the opened hands."""
    homes = begin_at_table(tmp_path, kind)
    browser.set_width(1280)
    driver = browser.driver
    home_tab, tabs = driver.current_window_handle, []
    with ExitStack() as stack:
        for home in homes:
            address, _ = stack.enter_context(serve_board(home))
            driver.switch_to.new_window("tab")
            tabs.append(driver.current_window_handle)
            browser.set_width(1280)
            browser.go(address)
            browser.wait(ARRIVED)

        def come_to(number: int) -> TablePlayer:
            driver.switch_to.window(tabs[number])
            return reload(browser, homes[number])

        play_session(come_to, homes, kind, 10)
        for tab in tabs:
            driver.switch_to.window(tab)
            driver.close()
        driver.switch_to.window(home_tab)


TWO_BROWSERS = [
    ("cards", 2),
    *(pytest.param(kind, 10, marks=pytest.mark.long) for kind in RULES.scenarios.names),
]


@pytest.mark.parametrize(("kind", "turns"), TWO_BROWSERS)
def test_turns_between_chromium_and_firefox(browser: Browser, tmp_path: Path, kind: str, turns: int) -> None:
    """Both are open at once, each with the board of its own home, up to the result."""
    homes = begin_at_table(tmp_path, kind)
    (tmp_path / "profile").mkdir()
    with ExitStack() as stack:
        firefox = stack.enter_context(run_firefox(tmp_path / "profile"))
        browsers: list[Browser | Firefox] = [browser, firefox]
        for one, home in zip(browsers, homes, strict=True):
            address, _ = stack.enter_context(serve_board(home))
            one.set_width(1280)
            one.go(address)
            one.wait(ARRIVED)
        play_session(lambda number: reload(browsers[number], homes[number]), homes, kind, turns)
        assert [one.complaints() for one in browsers] == [[], []]
        browser.go("about:blank")


def reload(browser: Browser | Firefox, home: Path) -> TablePlayer:
    """The player at his page, which is loaded anew."""
    browser.go(browser.run("return location.href"))
    browser.wait(ARRIVED)
    player = TablePlayer(browser, home)
    player.wait()
    return player


def play_session(
    come_to: Callable[[int], TablePlayer], homes: tuple[Path, Path], kind: str, turns: int
) -> None:
    """So many turns, a result that both agree on, and what is sealed opened; the file goes to and fro."""
    for turn in range(turns):
        player = come_to(turn % 2)
        if turn > 1:
            player.browser.wait(FALLEN)
        play_a_turn(player, kind)
        carry(homes[turn % 2], homes[(turn + 1) % 2])
    for number, label in ((0, "Result"), (1, "Agree"), (0, "")):
        player = come_to(number)
        if label:
            player.browser.wait(FALLEN)
        finish_by_clicks(player, label)
        carry(homes[number], homes[1 - number])
    ending = open_game((homes[0] / FILE).read_bytes()).state.ending
    assert ending is not None
    assert (ending.way, ending.winner) == ("rules", "first")


def play_a_turn(player: TablePlayer, kind: str) -> None:
    """A card if there is one, two labelled rolls, a draw, the turn's track, and the end."""
    if player.hand():
        player.pick(player.hand()[0])
        player.press("Play")
    player.pick("2d6")
    player.fill("What it is for, one roll per line", "Verdun, 3:1\nYpres")
    player.press("Roll")
    if kind != "dice":
        player.click("#table-decks [data-item]")
        player.press("Draw")
    player.pick("turn 1")
    player.end_turn()


def finish_by_clicks(player: TablePlayer, label: str) -> None:
    """Propose a result, or agree to it; then open what is sealed, where that is due."""
    if label:
        player.pick(label)
        if player.is_form_open():
            player.press(label)
        player.sign()
    if player.texts('[data-act="share"]'):
        player.act("share")


def test_the_page_of_a_game_shows_the_table_and_no_hand(browser: Browser, tmp_path: Path) -> None:
    game = play(begun(), {"draw": 3, "from": "red"}, {"roll": "2d6", "for": "Verdun"}, {"end": True})
    game = settled(play(game, {"end": True}))
    page = tmp_path / "page.html"
    page.write_bytes(game_page(game))
    browser.set_width(1280)
    verdict = browser.open(page)
    assert verdict.proof == "holds"
    assert browser.run("return document.querySelector('.pile').textContent").startswith("10")
    assert not browser.run("return document.querySelector('#card-table button')")
    browser.run("replay.go(replay.lastStep())")
    shown = browser.run("return document.getElementById('fallen').textContent")
    assert "Verdun" in shown
    assert hand(game, "red")
    assert hand_of(game.state.run.state, "red") is None
    page.write_bytes(game_page(finished(game)))
    assert browser.open(page).proof == "holds"
    assert browser.complaints() == []
