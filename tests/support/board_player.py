"""A player at `pbem play`: pbem as a process, its page in a browser, and orders given by clicks.

Whole games against the computer are played in this way, only by clicks.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pbem.core.requests import Orders
from pbem.player.local_player import LocalPlayer
from pbem.player.order_sheet import OrderSheet
from pbem.umpire import permissions
from pbem.umpire.game_state import Game, GameState
from pbem.web.board_session import ActionRequest, BoardSession, SignRequest
from support.browsers import Browser, Firefox

QUIET = """
const done = arguments[0];
(function look() {
  if (document.querySelector("[aria-busy=true]")) setTimeout(look, 5); else done();
})();
"""

ARRIVED = """
const done = arguments[0];
(function look() {
  if (document.querySelector("#prompt")?.textContent) done(); else setTimeout(look, 20);
})();
"""
"""The board has its state from the program, and says what to do."""

TOLD = """
const [entries, done] = arguments;
(function look() {
  if (document.getElementById("story").children.length >= entries) done(); else setTimeout(look, 20);
})();
"""
"""The story up to this many entries has arrived, and the map has stopped moving."""

SOON = "setTimeout(arguments[0], 50)"
"""A tap becomes a click a little later."""

APART = "setTimeout(arguments[0], 400)"
"""A second tap on a hex that comes sooner would zoom the map."""

STOPPED = "setTimeout(arguments[0], 500)"
"""A browser takes a tap just after a moving finger as a stop."""


CLEAR = """
return arguments[0].every((cell) => {
  const box = cell.getBoundingClientRect();
  return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === cell;
});
"""
"""Whether nothing covers these hexes, and they are in the window."""


def run_pbem_at_home(home: Path, *words: str, answers: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command as the player whose home is in the folder."""
    return subprocess.run(
        [sys.executable, "-m", "pbem", *words],
        cwd=home,
        env=player_environment(home),
        input=answers,
        capture_output=True,
        text=True,
        check=False,
    )


def begin_practice_game(home: Path, game: str, *words: str) -> Path:
    """A game of a new player in the folder against the computer. Returns its file."""
    assert run_pbem_at_home(home, "key").returncode == 0
    made = run_pbem_at_home(home, "new", game, "game.yaml", "--practice", *words)
    assert made.returncode == 0, made.stderr
    return home / "game.yaml"


def player_environment(home: Path) -> dict[str, str]:
    return {**os.environ, "PBEM_HOME": str(home / "home"), "PBEM_NAME": "Anna"}


def sign_at(sitting: BoardSession, words: str) -> BoardSession:
    """The board session, where these orders have been shown and then signed."""
    shown = sitting.confirm(ActionRequest(sitting.state.bound, lines=[words]))
    answer = sitting.sign(SignRequest(sitting.state.bound, shown["digest"]))
    assert "stale" not in answer
    return sitting


@contextmanager
def serve_board(home: Path, file: str = "game.yaml") -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Serve the board, or the lobby. Yields its address, which works once, and the process."""
    command = [sys.executable, "-u", "-m", "pbem", "play", *([file] if file else []), "--no-open"]
    with subprocess.Popen(
        command,
        cwd=home,
        env=player_environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as program:
        try:
            assert program.stdout
            read = ""
            while not (found := re.search(r"http://\S+", read)):
                line = program.stdout.readline()
                assert line, f"no address: {read}"
                read += line
            yield found[0], program
        finally:
            program.terminate()


@contextmanager
def play_at_board(browser: Browser | Firefox, home: Path) -> Iterator[BoardPlayer]:
    """A player at their page, until they stop pbem; checks that the browser had no complaints."""
    with serve_board(home) as (address, program):
        browser.go(address)
        browser.wait(ARRIVED)
        player = BoardPlayer(browser, home)
        yield player
        complaints = browser.complaints()
        browser.go("about:blank")
        program.send_signal(signal.SIGINT)  # it would end with the page, but not at once: test_server.py
        assert program.wait(60) == 0
        assert complaints == [], complaints


class BoardPlayer:
    """A player at the page open in the browser."""

    def __init__(self, browser: Browser | Firefox, home: Path) -> None:
        self.browser = browser
        self.local_player = LocalPlayer(home / "home")
        self.drags = False
        self._pressed: Any = None

    def game(self) -> Game:
        """The game as stored."""
        return self.local_player.open(self.stored())

    def stored(self) -> bytes:
        """The bytes of the only stored game."""
        (kept,) = self.local_player.store.games()
        return kept.data

    def table(self) -> GameState:
        """The game state as the player sees it."""
        return permissions.unlock_state(self.game(), self.local_player.key)

    def find(self, css: str) -> Any:
        """The first element that matches the selector."""
        return self.browser.find(css)

    def texts(self, css: str) -> list[str]:
        """The texts of all elements that match the selector."""
        script = "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)"
        found: list[str] = self.browser.run(script, css)
        return found

    def click(self, css: str, *, more: bool = False) -> None:
        """Click on an element, and wait for the answer; `more` holds shift, to choose another unit."""
        self._press(self.find(css), more=more)

    def hex(self, number: str, *, more: bool = False) -> None:
        """Click on a hex of the map; where hexes are too small for a finger, its first tap zooms in."""
        if self.browser.touched and self.browser.run("return camera.isTooSmall()"):
            self._press(self.uncovered(number))
        self._press(self.uncovered(number), more=more)

    def _press(self, element: Any, *, more: bool = False) -> None:
        self.browser.run("arguments[0].scrollIntoView({block: 'center'})", element)
        if self.browser.touched:
            if more:
                self.browser.run("document.getElementById('together').checked = true")
            if element == self._pressed:
                self.browser.wait(APART)
            self._pressed = element
            self.browser.finger(self.browser.middle(element))
            self.browser.wait(SOON)
        else:
            self.browser.press(element, shift=more)
        self.browser.wait(QUIET)

    def count_presses(self) -> None:
        """From now on, count how often the mouse or a finger is pressed."""
        self.browser.run(
            "window.presses = 0; addEventListener('pointerdown', () => { presses += 1; }, true);"
        )

    def presses(self) -> int:
        """How often it was pressed since the last call."""
        found: int = self.browser.run("const found = presses; presses = 0; return found")
        return found

    def cell(self, number: str) -> Any:
        """The hex with that number on the map."""
        script = """
          const {hexes} = JSON.parse(document.getElementById("scene").textContent);
          const index = hexes.findIndex(([number]) => number === arguments[0]);
          return document.querySelector(`[data-hex="${index}"]`);
        """
        return self.browser.run(script, number)

    def uncovered(self, *numbers: str) -> Any:
        """The first of these hexes, once all are in the window and uncovered."""
        self.browser.run("dispatchEvent(new Event('wheel'))")  # a map that plays news is moving
        cells = [self.cell(number) for number in numbers]
        if not self.browser.run(CLEAR, cells):
            self.browser.run("board.frame(arguments[0].map((cell) => Number(cell.dataset.hex)))", cells)
            if not self.browser.run(CLEAR, cells):
                self.press_escape()
        return cells[0]

    def drag(self, number: str, to: str) -> None:
        """Drag the units in a hex to another one."""
        self.uncovered(number, to)
        if self.browser.touched:
            (x, y), (to_x, to_y) = map(self.browser.middle, (self.cell(number), self.cell(to)))
            self.browser.finger((x, y), ((x + to_x) / 2, (y + to_y) / 2), (to_x, to_y))
            self.browser.wait(STOPPED)
        else:
            self.browser.drag(self.cell(number), self.cell(to))
        self.browser.wait(QUIET)

    def choice(self, words: str) -> bool:
        """Click on an order among the choices, if it is there; units may be in any order."""
        script = """
          const sorted = (words) => words.split(" ").sort().join(" ");
          return [...document.querySelectorAll(":is(#choices, #ready) [data-order]")]
            .find((each) => sorted(each.dataset.order) === sorted(arguments[0])) ?? null;
        """
        from selenium.common.exceptions import StaleElementReferenceException

        while (found := self.browser.run(script, words)) is not None:
            with suppress(StaleElementReferenceException):  # an update has redrawn the choices meanwhile
                self._press(found)
                return True
        return False

    def wait(self) -> None:
        """Wait for pbem's answer."""
        self.browser.wait(QUIET)

    def type(self, words: str) -> None:
        """Type an order."""
        from selenium.webdriver.common.keys import Keys

        self.find("#line").send_keys(words, Keys.ENTER)
        self.wait()

    def act(self, act: str) -> None:
        """Sign something other than orders."""
        self.browser.run("document.getElementById('more').open = true")
        self.click(f'[data-act="{act}"]')
        self.click("#sign")
        if act == "resign":  # confirmed twice
            self.click("#sign")

    def bound(self) -> str:
        """The pending question."""
        from pbem.player.actions.action import ActionContext
        from pbem.web.board_state import BoardState

        return BoardState(ActionContext(self.local_player, self.game()), ()).bound

    def where(self, unit: str) -> str:
        """The hex of a unit on the page."""
        script = """
          return [...document.querySelectorAll("#cells use")]
            .map((cell) => cell.getAttribute("aria-label"))
            .find((words) => words.includes(`${arguments[0]},`)).slice(0, 4);
        """
        found: str = self.browser.run(script, unit)
        return found

    def lines(self) -> list[str]:
        """The orders so far."""
        return [text.rstrip("↑↓×") for text in self.texts("#list li")]

    def order(self, words: str) -> None:
        """Give one order by clicks: its units, then the hex it names, then the order among several.

        An order for several units is first looked for at its hex. With `drags`, a unit is dragged there.
        """
        before = self.lines()
        legend = self._legend()
        at = {piece.name: cell.number for cell in legend.cells for piece in cell.pieces}
        sides = {
            piece.name: piece.side for place in (*legend.cells, *legend.margins) for piece in place.pieces
        }
        asked = self.table().pending_question
        assert asked
        parts = words.split()
        units = [word for word in parts if sides.get(word) == asked.seat]
        targets = [
            word for word in parts if word not in units and (word in at or re.fullmatch(r"\d{4}", word))
        ]
        to = at.get(targets[-1], targets[-1]) if targets else ""
        if self.drags and to and len(units) == 1:
            self._drag_one(units[0], at.get(units[0], ""), to)
        elif not (len(units) > 1 and self._at_hex(to, words)):
            if self.chosen() != units:
                self._choose(units, at)
            if not self.choice(words) and to:
                self.hex(to)
        if self.lines() == before:
            self.choice(words)
        assert len(self.lines()) == len(before) + 1, (
            words,
            self.lines(),
            self.texts("#refused"),
            self.texts("#choices button"),
        )

    def _at_hex(self, to: str, words: str) -> bool:
        """Click on a hex while no unit is chosen, and on the order there. Returns whether there is one."""
        self.press_escape()
        self.hex(to)
        return self.choice(words)

    def _drag_one(self, unit: str, at: str, to: str) -> None:
        """Drag a unit from its hex, or from off the map; a unit without orders goes first."""
        if not at:
            counter = self.find(f'[data-unit="{unit}"]')
            self.browser.run("arguments[0].scrollIntoView({block: 'center'})", counter)
            self.browser.drag(counter, self.uncovered(to))
            self.wait()
            return
        ordered = " ".join(self.lines()).split()
        there = [piece.name for cell in self._legend().cells if cell.number == at for piece in cell.pieces]
        first = sorted(there, key=lambda name: name in ordered)[0]
        if self.chosen() != [unit] and unit != first:
            self._choose([unit], dict.fromkeys(there, at))
        self.drag(at, to)

    def choose(self, *units: str) -> None:
        """Choose exactly these units."""
        self._choose(units, {unit: self.where(unit) for unit in units})

    def _choose(self, units: Sequence[str], at: Mapping[str, str]) -> None:
        """Choose exactly these units, by clicks on the map or on their counters beside it."""
        if self.chosen():
            self.press_escape()
        for unit in units:
            more = bool(self.chosen())
            if unit in at and not self._opened(unit):
                self.hex(at[unit], more=more)
            if unit not in self.chosen():
                self.click(f'[data-unit="{unit}"]', more=more)
            for other in self.chosen():
                if other not in units:
                    self.click(f'[data-unit="{other}"]', more=True)

    def _opened(self, unit: str) -> bool:
        """Whether a unit's hex is open, with its counter there to be clicked."""
        script = """
          return [...document.querySelectorAll("#opened [data-unit]")].some((one) => {
            const {x, y, width, height} = one.getBoundingClientRect();
            return one.dataset.unit === arguments[0]
              && one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
          });
        """
        return bool(self.browser.run(script, unit))

    def chosen(self) -> list[str]:
        """The units that are chosen."""
        script = (
            "return [...document.querySelectorAll('[aria-pressed=true]')].map((each) => each.dataset.unit)"
        )
        found: list[str] = self.browser.run(script)
        return list(dict.fromkeys(found))

    def press_escape(self) -> None:
        """Stop choosing units."""
        self.browser.escape()
        self.wait()

    def _legend(self) -> Any:
        """The position with the orders so far, as the page shows it, computed here."""
        return self.sheet().current.legend

    def sheet(self) -> OrderSheet:
        """The orders so far, computed here."""
        sheet = OrderSheet(self.game(), self.table())
        sheet.add("\n".join(self.lines()))
        return sheet

    def whole(self) -> bool:
        """Whether the orders can be signed."""
        return not self.browser.run("return document.getElementById('finish').disabled")

    def sign(self) -> list[str]:
        """Sign what is shown. Returns the words shown."""
        words = self.texts("#whole-words li") or self.lines()
        self.click("#finish")
        assert not self.browser.run("return document.getElementById('confirm').open")
        return words

    def give(self, orders: Orders) -> list[str]:
        """Give orders by clicks and sign them. Returns the words shown."""
        for line in self.game().rules.view.write_words(orders):
            verb, *rest = line.split()
            if verb == "place":
                for unit, at in zip(rest[::2], rest[1::2], strict=True):
                    self.order(f"place {unit} {at}")
            else:
                self.order(line)
        return self.sign()


def play_mortain(player: BoardPlayer, chooser: random.Random) -> list[int]:
    """Play to the end. Returns the clicks of each decision that was one order."""
    alone: list[int] = []
    player.count_presses()
    while not (game := player.game()).state.ending:
        orders = orders_by_click(player, chooser)
        wanted = [sorted(words.split()) for words in game.rules.view.write_words(orders)]
        assert [sorted(words.split()) for words in player.give(orders)] == wanted
        wait_for_page(game, player)
        presses = player.presses()
        if len(orders) == 1:
            alone.append(presses)
    assert player.texts("#prompt")[0].startswith("the game is over")
    return alone


def wait_for_page(game: Game, player: BoardPlayer) -> None:
    """Wait until the page has received the news."""
    entries = len(player.game().entries)
    assert entries > len(game.entries), player.texts("#refused")
    player.browser.wait(TOLD, entries)


def orders_by_click(player: BoardPlayer, chooser: random.Random) -> Orders:
    """Orders of the sensible player up to the first that no click gives: half of an exchange (M4.2)."""
    asked = player.table().pending_question
    assert asked
    rules = player.game().rules
    given: Orders = []
    sheet = OrderSheet(player.game(), player.table())
    for order in rules.players["sensible"](asked, chooser):
        if "place" in order:
            return [order]
        (words,) = rules.view.write_words([order])
        if sorted(words.split()) not in [sorted(line.split()) for line in sheet.current.possible_additions]:
            break
        sheet.add(words)
        given.append(order)
    return given if sheet.current.is_whole else [{"pass": True}]


def play_rommel(player: BoardPlayer, chooser: random.Random, turns: int) -> None:
    """Play the set-up, ready-made and half of it sealed, and this many turns; pbem finds each path."""
    questions: list[str] = []
    flights = 0
    while True:
        game, asked = player.game(), player.table().pending_question
        assert asked
        turn = game.rules.view.turn
        assert turn
        if turn(asked.state) > turns:
            break
        questions.append(asked.question)
        orders = game.rules.players["sensible"](asked, chooser)
        if asked.question.endswith("setup"):
            assert player.choice("setup historical")
        elif "air" in asked.question:
            flights += give_flights(player, game.rules.view.write_words(orders))
        else:
            for words in game.rules.view.write_words(orders):
                verb, unit, *rest = words.split()
                player.order(f"move {unit} to {rest[-1]}" if verb == "move" else words)
        player.sign()
        wait_for_page(game, player)
    assert {"axis_first_setup", "axis_screen_setup", "ground_move"} <= set(questions)
    assert flights > 3


def give_flights(player: BoardPlayer, lines: list[str]) -> int:
    """Give the orders of an air sub-turn that are offered one by one, or a pass. Returns how many."""
    for words in lines:
        verb, *rest = words.split()
        order = f"fly {rest[0]} to {rest[-1]}" if verb == "fly" else words
        if order in player.sheet().current.possible_additions:
            player.order(order)
    given = len(player.lines())
    if not player.whole():
        player.click("#clear")
        player.press_escape()
        assert player.choice("pass")
        given = 0
    return given
