"""Games played by clicks in a real Chromium, against the practice opponent and by mail."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import pytest

from pbem.format.entries import Play
from pbem.player.order_sheet import OrdersRefused
from pbem.player.plans.plan_store import PlanStore
from support.board_player import (
    BoardPlayer,
    begin_practice_game,
    play_at_board,
    play_mortain,
    play_rommel,
    run_pbem_at_home,
)
from support.browsers import Browser

pytestmark = pytest.mark.thorough

MOST_CLICKS = 3
"""For a decision of Mortain that is one order, in the middle."""

SET_UP = {"117Inf": "1301", "119Inf": "1303", "120Inf": "1302", "823TD": "1304", "SPTD": "1305"}


@pytest.fixture
def home(browser: Browser, tmp_path: Path) -> Path:
    """A player of Mortain, asked for the set-up of the US side, with a window of 1280 pixels."""
    begin_practice_game(tmp_path, "mortain", "--seat", "us")
    browser.set_width(1280)
    return tmp_path


def place_all(player: BoardPlayer) -> None:
    """Order the set-up."""
    for unit, at in SET_UP.items():
        player.order(f"place {unit} {at}")


def turn_signed(player: BoardPlayer) -> None:
    """Set up and sign; the program answers."""
    place_all(player)
    assert len(player.lines()) == 5
    words = player.sign()
    assert words == ["place 117Inf 1301 119Inf 1303 120Inf 1302 823TD 1304 SPTD 1305"]
    game = player.game()
    bodies = [entry.body for entry in game.entries]
    ours = [body for body in bodies if isinstance(body, Play) and body.orders and body.by == "us"]
    assert game.rules.view.write_words(ours[0].orders or []) == words
    assert game.state.writer == "us"  # the program has answered
    assert player.lines() == []
    assert not player.browser.run("return document.documentElement.scrollWidth > innerWidth")


def test_a_turn_ordered_by_clicks_is_signed_and_answered(browser: Browser, home: Path) -> None:
    with play_at_board(browser, home) as player:
        turn_signed(player)


def test_a_turn_is_ordered_by_finger(browser: Browser, home: Path) -> None:
    """On a telephone: taps choose and send, and a unit that is chosen goes along with the finger."""
    with browser.as_telephone(), play_at_board(browser, home) as player:
        player.order("place 117Inf 1301")
        assert player.chosen() == ["119Inf"], "the next one"
        player.hex("1303")
        player.press_escape()
        player.hex("1301")
        assert player.chosen() == ["117Inf"]
        player.drag("1301", "1302")
        assert player.lines() == ["place 117Inf 1302", "place 119Inf 1303"]
        player.hex("1302")
        player.hex("1901")
        assert "M2.1" in player.texts("#refused")[0]
        player.click("#refused .rule")
        assert player.find("#ruling").is_displayed()
        player.click("#clear")
        turn_signed(player)


def test_only_the_question_stays_above_scrolled_orders(browser: Browser, home: Path) -> None:
    """On a telephone a long list of what is due would cover the orders to choose from."""
    above = """
      const drawers = document.getElementById("drawers");
      drawers.scrollTop = drawers.scrollHeight;
      const { top } = drawers.getBoundingClientRect();
      return ["prompt", "due"].map((id) => document.getElementById(id).getBoundingClientRect().bottom > top);
    """
    with browser.as_telephone(), play_at_board(browser, home) as player:
        player.order("place 117Inf 1301")
        assert player.texts("#due li")
        assert browser.run(above) == [True, False]


def test_orders_are_undone_put_in_order_and_cleared(browser: Browser, home: Path) -> None:
    with play_at_board(browser, home) as player:
        player.order("place 117Inf 1301")
        player.order("place 119Inf 1303")
        player.order("place 120Inf 1302")
        player.click("[aria-label='Move up: place 120Inf 1302']")
        assert player.lines() == ["place 117Inf 1301", "place 120Inf 1302", "place 119Inf 1303"]
        assert player.texts("#due li") == ["2 units are left to place: 823TD, SPTD"]
        player.click("#undo")
        player.click("[aria-label='Remove: place 117Inf 1301']")
        assert player.lines() == ["place 120Inf 1302"]
        browser.driver.refresh()  # orders that are not signed are still there
        player.wait()
        assert player.lines() == ["place 120Inf 1302"]
        player.hex("1302")
        assert player.find('#opened [data-unit="120Inf"]')
        player.click("#clear")
        assert player.lines() == []
        assert len(player.game().entries) == 2


def test_a_refusal_tells_its_rule_and_changes_nothing(browser: Browser, home: Path) -> None:
    with play_at_board(browser, home) as player:
        player.order("place 117Inf 1301")
        player.type("place 119Inf 1901")
        assert "M2.1" in player.texts("#refused")[0]
        assert "outside the easternmost column" in player.texts("#ruling p")[0]
        assert player.lines() == ["place 117Inf 1301"]
        player.type("<b>place</b> 119Inf 1901")
        assert "<b>place</b>" in player.texts("#refused")[0]


def test_the_keyboard_alone_places_a_unit(browser: Browser, home: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    with play_at_board(browser, home) as player:
        player.find('[data-unit="117Inf"]').send_keys(Keys.ENTER)
        player.find('[data-hex="0"]').send_keys(Keys.ARROW_DOWN)
        browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
        player.wait()
        assert player.lines() == ["place 117Inf 1102"]


def test_a_counter_is_dragged_to_its_hex(browser: Browser, home: Path) -> None:
    from selenium.webdriver import ActionChains

    with play_at_board(browser, home) as player:
        counter, at = player.find('[data-unit="SPTD"]'), player.find('[data-hex="0"]')
        ActionChains(browser.driver).drag_and_drop(counter, at).perform()
        player.wait()
        assert player.lines() == ["place SPTD 1101"]


def test_words_are_shown_before_they_are_signed(browser: Browser, home: Path) -> None:
    """One click signs what is shown, whatever was typed; an order that was typed besides is shown first."""
    said = '</script><script>alert(1)</script> "Good luck" \u202egnp'
    with play_at_board(browser, home) as player:
        place_all(player)
        words = " ".join(f"{unit} {at}" for unit, at in SET_UP.items())
        assert player.texts("#whole-words li") == [f"place {words}"]
        player.find("#say").send_keys(said)
        player.find("#line").send_keys("place SPTD 1304")
        player.click("#finish")
        changed = words.replace("1305", "1304")
        assert player.texts("#words li") == [f"place {changed}"]
        player.click("#not-yet")
        player.click("#undo")
        player.click("#finish")
        ours = player.game().entries[2].body
        assert isinstance(ours, Play)
        assert ours.say == said
        assert player.game().rules.view.write_words(ours.orders or []) == [f"place {words}"]


def test_a_plan_is_made_looked_at_and_armed(browser: Browser, home: Path) -> None:
    """Its orders are taken into the list, and signed as any others; a fault is told."""
    with play_at_board(browser, home) as player:
        browser.run("for (const id of ['plan', 'plan-expert']) document.getElementById(id).open = true")
        player.wait()
        assert not player.find("#plan-take").is_enabled()
        player.find("#plan-word").send_keys("hold")
        player.click("#plan-add button")
        assert "hold 40%" in player.texts("#plan-says")[0]
        player.find("#plan-word").clear()
        words = " ".join(f"{unit} {at}" for unit, at in SET_UP.items())
        player.find("#plan-word").send_keys(f"do place {words}")
        player.click("#plan-add button")
        assert player.texts("#plan-says p") == [f"It would now order: place {words}"]
        player.click("#plan-take")
        player.find("#plan-text").send_keys("\nat most once")
        assert not player.find("#plan-arm").is_enabled(), "what has been changed is kept first"
        player.click("#plan-keep")
        player.click("#plan-arm")
        assert player.texts("#plan-says p")[0].startswith("Armed on this computer")
        assert PlanStore(player.local_player.home).is_armed_here(player.game())
        assert player.sign() == [f"place {words}"]
        assert "ask you: " in player.texts("#plan-says")[0]


def test_a_window_that_the_game_has_left_behind_is_told(browser: Browser, home: Path) -> None:
    with play_at_board(browser, home) as player:
        place_all(player)
        other = "place 117Inf 1101 119Inf 1102 120Inf 1103 823TD 1104 SPTD 1105"
        assert run_pbem_at_home(home, "move", "game.yaml", other).returncode == 0
        entries = player.game().entries
        player.click("#finish")
        alarm = player.texts("#alarm")[0]  # none where the page has caught up by itself
        assert not alarm or "has moved on" in alarm
        assert player.lines() == []
        assert player.game().entries == entries
        assert player.table().pending_question


@pytest.mark.long
@pytest.mark.parametrize("finger", [False, True])
def test_a_set_up_and_two_turns_of_rommel_are_ordered_by_clicks(
    browser: Browser, tmp_path: Path, finger: bool
) -> None:
    """The set-up ready-made, half of it sealed; to each hex the program finds the way. Nothing is typed."""
    begin_practice_game(tmp_path, "rommel", "--seat", "axis")
    chooser = random.Random(5)
    with pointing(browser, finger), play_at_board(browser, tmp_path) as player:
        play_rommel(player, chooser, turns=2)


@pytest.mark.long
def test_an_aircraft_flies_by_finger_and_by_a_path_by_hand(browser: Browser, tmp_path: Path) -> None:
    """One of a stack, chosen out of the fan, is sent far off: the next tap counts there."""
    begin_practice_game(tmp_path, "rommel", "--seat", "axis")
    with browser.as_telephone(), play_at_board(browser, tmp_path) as player:
        while not player.texts("#prompt")[0].startswith("Choose an aircraft"):
            if player.choice("setup historical"):
                player.sign()
            else:
                assert player.choice("pass")
                player.sign()
        flights = [
            words for words in player.sheet().current.possible_additions if words.startswith("fly CR42-1 to ")
        ]
        far = max((words for words in flights if len(words.split()) == 4), key=lambda words: words[-4:])
        player.order(far)
        assert player.where("CR42-1") == far[-4:]
        at = int(player.where("Bf109-1"))
        way = [f"{at - number:04}" for number in (1, 2, 1)]
        player.order(f"fly Bf109-1 to {way[0]}")
        player.press_escape()
        player.choose("Bf109-1")
        for number in way:
            player.hex(number, more=True)
        assert player.choice(f"fly Bf109-1 {' '.join(way)}")
        assert player.lines()[1:] == [f"fly Bf109-1 {' '.join(way)}"]
        assert player.where("Bf109-1") == way[-1]


def test_two_full_stacks_change_places_by_dragging(browser: Browser, tmp_path: Path) -> None:
    """M4.2: the first to go is too many until another one leaves, which the page tells."""
    browser.set_width(1280)
    full = {"117Inf": "1301", "119Inf": "1301", "120Inf": "1302", "823TD": "1302"}
    exchange = "move 117Inf 1302; move 120Inf 1301"
    for attempt in map(str, range(10)):  # until a card activates two units before the Germans hit one
        home = tmp_path / attempt
        home.mkdir()
        begin_practice_game(home, "mortain", "--seat", "us")
        with play_at_board(browser, home) as player:
            player.type("place 117Inf 1301 119Inf 1301 120Inf 1302 823TD 1302 SPTD 1104")
            player.sign()
            while full.items() <= placed(player).items() and not legal(player, exchange):
                assert player.choice("pass")
                player.sign()
            if not full.items() <= placed(player).items():
                continue
            player.drag("1301", "1302")
            assert player.lines() == ["move 117Inf 1302"]
            assert "M4.2" in player.texts("#due")[0]
            player.drag("1302", "1301")
            assert player.lines() == ["move 117Inf 1302", "move 120Inf 1301"]
            assert player.whole()
            return
    raise AssertionError("a unit was hit in each of ten games")


def placed(player: BoardPlayer) -> dict[str, str]:
    """The hex of each counter on the map at the question before the player."""
    legend = player.game().rules.view.legend(player.sheet().asked.state)
    return {piece.name: cell.number for cell in legend.cells for piece in cell.pieces}


def legal(player: BoardPlayer, words: str) -> bool:
    """Whether orders may be signed now."""
    try:
        player.sheet().add(words)
    except OrdersRefused:
        return False
    return True


@contextmanager
def pointing(browser: Browser, finger: bool) -> Iterator[None]:
    """A wide window and a mouse, or a telephone and a finger."""
    if finger:
        with browser.as_telephone():
            yield
    else:
        browser.set_width(1280)
        yield


@pytest.mark.long
@pytest.mark.parametrize(
    ("seat", "drags", "finger"), [("us", False, False), ("german", True, False), ("us", False, True)]
)
def test_a_whole_game_of_mortain_is_played_by_clicks(
    browser: Browser, tmp_path: Path, seat: str, drags: bool, finger: bool
) -> None:
    """From the set-up to the end; nothing is typed. An order takes two clicks or a drag, to sign takes one.

    How many a decision takes in the middle depends on the cards: `docs/BENCHMARKS.md` has it.
    """
    begin_practice_game(tmp_path, "mortain", "--seat", seat)
    chooser = random.Random(11)
    with pointing(browser, finger), play_at_board(browser, tmp_path) as player:
        player.drags = drags
        assert median(play_mortain(player, chooser)) <= MOST_CLICKS


def test_a_third_game_needs_nothing_more(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Orders that name no unit: a click on the hex is the order."""
    site = tmp_path / "site"
    third = Path(__file__).parents[1] / "third_game"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-deps"]
    subprocess.run([*pip, "--target", str(site), str(third)], check=True)
    monkeypatch.setenv("PYTHONPATH", str(site))
    begin_practice_game(tmp_path, "fords", "--seat", "south")
    browser.set_width(1280)
    with play_at_board(browser, tmp_path) as player:
        player.hex("0102")
        assert player.lines() == ["cross 0102"]
        assert player.sign() == ["cross 0102"]
        assert any("0102" in line for line in player.texts("#news li"))


class TestByMail:
    """Two players, the other one at a terminal."""

    @pytest.fixture
    def two(self, browser: Browser, tmp_path: Path) -> tuple[Path, Path]:
        """The German, who has the set-up before him, and the American."""
        browser.set_width(1280)
        homes = tmp_path / "german", tmp_path / "us"
        for home in homes:
            home.mkdir()
            assert run_pbem_at_home(home, "key").returncode == 0
        german, us = homes
        assert run_pbem_at_home(german, "new", "mortain", "game.yaml", "--seat", "german").returncode == 0
        self.mailed(german, us)
        joined = run_pbem_at_home(us, "join", "game.yaml")
        assert joined.returncode == 0, joined.stderr
        return homes

    @staticmethod
    def mailed(sender: Path, reader: Path) -> None:
        """The file goes from one to the other."""
        (reader / "game.yaml").write_bytes((sender / "game.yaml").read_bytes())

    def test_what_is_signed_is_there_to_be_mailed(self, browser: Browser, two: tuple[Path, Path]) -> None:
        german, us = two
        with play_at_board(browser, us) as player:
            assert not player.find("#post").is_displayed()
            place_all(player)
            player.sign()
            assert player.find("#post").is_displayed()
            fetched = browser.wait(
                "const done = arguments[0];"
                "server.ask('file').then((one) => done([one.name, atob(one.data)]));"
            )
            assert fetched == ["game.yaml", (us / "game.yaml").read_text("utf-8")]
            assert "your opponent" not in player.texts("#post-words")[0]
            player.find("#to").send_keys("german@example.org")
            problem = browser.wait(
                "const [bound, done] = arguments;"
                "server.ask('mail', {bound, how: 'program', to: 'german@example.org'})"
                ".then((it) => done(it.refused.error));",
                player.bound(),
            )
            assert problem.startswith("pbem cannot attach a file with any mail program here: attach ")
        self.mailed(us, german)
        assert run_pbem_at_home(german, "show", "game.yaml").returncode == 0

    def test_a_letter_that_the_browser_does_not_copy_can_be_copied_by_hand(
        self, browser: Browser, two: tuple[Path, Path]
    ) -> None:
        """It says so in the reader's language, not in the browser's words; the letter is in a field."""
        _, us = two
        with play_at_board(browser, us) as player:
            place_all(player)
            player.sign()
            assert not player.find("#letter").is_displayed()
            browser.run(
                "navigator.clipboard.writeText = () => Promise.reject(new DOMException('Write denied.'));"
                "document.execCommand = () => false;"
            )
            player.click("#copy-letter")
            player.wait()
            assert player.texts("#sent") == [
                "The browser does not let pbem copy. Copy the letter above by hand."
            ]
            letter = player.find("#letter")
            assert letter.is_displayed()
            assert letter.get_attribute("value").startswith('Your move, "Anna".')

    def test_a_slip_is_undone_before_it_is_mailed(self, browser: Browser, two: tuple[Path, Path]) -> None:
        """The orders come back as they were typed, to be put right; what was made a mail of stays."""
        _, us = two
        with play_at_board(browser, us) as player:
            player.click("#signed summary")
            assert "joins the game" in player.texts("#at-stake p")[0]
            place_all(player)
            player.sign()
            assert player.lines() == []
            player.click("#signed summary")
            assert "place 117Inf 1301" in player.texts("#at-stake p")[0]
            assert "Are you sure that nobody has received" in player.texts("#at-stake p")[-1]
            player.click("#unsign")
            assert len(player.game().entries) == 2
            assert "never share it" in player.texts("#undone p")[0]
            assert len(player.lines()) == 5
            assert not player.find("#post").is_displayed()
            player.click("[aria-label='Remove: place 119Inf 1303']")
            player.order("place 119Inf 1302")
            assert player.sign() == ["place 117Inf 1301 120Inf 1302 823TD 1304 SPTD 1305 119Inf 1302"]
            assert (
                run_pbem_at_home(
                    us, "mail", "send", "game.yaml", "--to", "anna@example.org", "--eml", "out.eml"
                ).returncode
                == 0
            )
            player.click("#signed summary")
            player.click("#unsign")
            assert player.texts("#alarm")[0] == "pbem wrote a mail with entry 2 for you to send"
            assert len(player.game().entries) == 3

    @pytest.mark.long
    def test_proposals_are_made_and_answered(self, browser: Browser, two: tuple[Path, Path]) -> None:
        german, us = two
        with play_at_board(browser, us) as player:
            player.act("draw")
            assert player.game().state.proposal
        self.mailed(us, german)
        with play_at_board(browser, german) as player:
            assert "proposes" in player.texts("#answers p")[0]
            player.act("no")
            assert player.game().state.proposal is None
        self.mailed(german, us)
        with play_at_board(browser, us) as player:
            player.act("resign")
            ending = player.game().state.ending
            assert ending
            assert ending.winner == "german"
            assert player.texts("#prompt")[0].startswith("the game is over")
