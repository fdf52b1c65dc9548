"""A player at `pbem play`: the program as a process, its page in a browser, and orders given by clicks."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pbem.core.requests import Orders
from pbem.desk import Desk
from pbem.desk.orders.sheet import OrderSheet
from pbem.umpire import Game, seated
from pbem.umpire.table import Table
from pbem.web.table import Signature, Sitting, Wish
from web.browser import Browser

QUIET = """
const done = arguments[0];
(function look() {
  if (document.body.hasAttribute("aria-busy")) setTimeout(look, 5); else done();
})();
"""


CLEAR = """
const cell = document.querySelector(arguments[0]);
const box = cell.getBoundingClientRect();
return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === cell;
"""
"""Whether nothing lies over a hex, and it is in the window."""


def pbem(home: Path, *words: str, answers: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command of the player who lives in the folder."""
    return subprocess.run(
        [sys.executable, "-m", "pbem", *words],
        cwd=home,
        env=surroundings(home),
        input=answers,
        capture_output=True,
        text=True,
        check=False,
    )


def begun(home: Path, game: str, *words: str) -> Path:
    """A practice game of a new player in the folder; its file."""
    assert pbem(home, "key").returncode == 0
    made = pbem(home, "new", game, "game.yaml", "--practice", *words)
    assert made.returncode == 0, made.stderr
    return home / "game.yaml"


def surroundings(home: Path) -> dict[str, str]:
    return {**os.environ, "PBEM_HOME": str(home / "home"), "PBEM_NAME": "Anna"}


def signed_at(sitting: Sitting, words: str) -> Sitting:
    """The board itself, at which these orders have been shown and then signed."""
    shown = sitting.confirm(Wish(sitting.at.bound, lines=[words]))
    answer = sitting.sign(Signature(sitting.at.bound, shown["digest"]))
    assert "stale" not in answer
    return sitting


@contextmanager
def served(home: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The board while it is served: its address, good for once, and the program."""
    command = [sys.executable, "-u", "-m", "pbem", "play", "game.yaml", "--no-open"]
    with subprocess.Popen(
        command,
        cwd=home,
        env=surroundings(home),
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
def playing(browser: Browser, home: Path) -> Iterator[Player]:
    """The player at his page, until he stops the program; his browser has complained of nothing."""
    with served(home) as (address, program):
        browser.driver.get(address)
        _arrived(browser)
        player = Player(browser, home)
        yield player
        complaints = browser.complaints()
        browser.driver.get("about:blank")
        program.send_signal(signal.SIGINT)  # it would end with the page, but not at once: test_server.py
        assert program.wait(60) == 0
        assert not complaints


def _arrived(browser: Browser) -> None:
    """Wait until the board is there: the address leads to it by another."""
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(browser.driver, 60).until(
        lambda driver: driver.execute_script("return document.querySelector('#prompt')?.textContent")
    )


class Player:
    """Who plays at the page that is open in the browser."""

    def __init__(self, browser: Browser, home: Path) -> None:
        self.browser = browser
        self.desk = Desk(home / "home")
        self.typed = 0

    def game(self) -> Game:
        """The game as the shelf has it."""
        (kept,) = self.desk.shelf.games()
        return self.desk.open(kept.data)

    def table(self) -> Table:
        """The table as the player sees it."""
        return seated.unlock(self.game(), self.desk.key)

    def find(self, css: str) -> Any:
        """The first element that the selector fits."""
        return self.browser.driver.find_element("css selector", css)

    def texts(self, css: str) -> list[str]:
        """The texts of all elements that the selector fits."""
        script = "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)"
        found: list[str] = self.browser.run(script, css)
        return found

    def click(self, css: str) -> None:
        """Click on it, and wait for the answer."""
        element = self.find(css)
        self.browser.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()
        self.browser.wait(QUIET)

    def hex(self, number: str) -> None:
        """Click on a hex of the map."""
        script = """
          const {hexes} = JSON.parse(document.getElementById("scene").textContent);
          return hexes.findIndex(([number]) => number === arguments[0]);
        """
        cell = f'[data-hex="{self.browser.run(script, number)}"]'
        if not self.browser.run(CLEAR, cell):
            self.browser.run("board.frame([Number(document.querySelector(arguments[0]).dataset.hex)])", cell)
            if not self.browser.run(CLEAR, cell):
                self.press_escape()
        self.click(cell)

    def cell(self, number: str) -> Any:
        """The hex of that number on the map."""
        script = """
          const {hexes} = JSON.parse(document.getElementById("scene").textContent);
          const index = hexes.findIndex(([number]) => number === arguments[0]);
          return document.querySelector(`[data-hex="${index}"]`);
        """
        return self.browser.run(script, number)

    def drag(self, number: str, to: str) -> None:
        """Drag whoever lies in a hex to another one."""
        from selenium.webdriver import ActionChains

        self.browser.run("arguments[0].scrollIntoView({block: 'center'})", self.find("#map"))
        actions = ActionChains(self.browser.driver, duration=50)
        actions.click_and_hold(self.cell(number)).move_to_element(self.cell(to)).release().perform()
        self.browser.wait(QUIET)

    def choice(self, words: str) -> bool:
        """Click on an order among the choices, if it is there; units may stand in any order."""
        script = """
          const sorted = (words) => words.split(" ").sort().join(" ");
          return [...document.querySelectorAll("#choices [data-order]")]
            .find((each) => sorted(each.dataset.order) === sorted(arguments[0])) ?? null;
        """
        found = self.browser.run(script, words)
        if found is None:
            return False
        self.browser.run("arguments[0].scrollIntoView({block: 'center'})", found)
        found.click()
        self.browser.wait(QUIET)
        return True

    def wait(self) -> None:
        """Wait for the program's answer."""
        self.browser.wait(QUIET)

    def type(self, words: str) -> None:
        """Type an order."""
        from selenium.webdriver.common.keys import Keys

        self.find("#line").send_keys(words, Keys.ENTER)
        self.wait()

    def act(self, act: str) -> None:
        """Sign something else than orders."""
        self.browser.run("document.getElementById('more').open = true")
        self.click(f'[data-act="{act}"]')
        self.click("#sign")

    def bound(self) -> str:
        """The question that waits."""
        from pbem.desk.acts.act import Hand
        from pbem.web.position import Position

        return Position(Hand(self.desk, self.game()), ()).bound

    def where(self, unit: str) -> str:
        """The hex where a unit stands on the page."""
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
        """Give one order by clicks: its units, then the hex that it names, then the order among several."""
        before = self.lines()
        legend = self._legend()
        at = {piece.name: cell.number for cell in legend.cells for piece in cell.pieces}
        sides = {
            piece.name: piece.side for place in (*legend.cells, *legend.margins) for piece in place.pieces
        }
        asked = self.table().asked
        assert asked
        parts = words.split()
        units = [word for word in parts if sides.get(word) == asked.seat]
        if self.chosen() != units:
            self._choose(units, at)
        targets = [
            word for word in parts if word not in units and (word in at or re.fullmatch(r"\d{4}", word))
        ]
        if not self.choice(words) and targets:
            self.hex(at.get(targets[-1], targets[-1]))
            if self.lines() == before:
                self.choice(words)
        assert len(self.lines()) == len(before) + 1, (
            words,
            self.lines(),
            self.texts("#refused"),
            self.texts("#choices button"),
        )

    def _choose(self, units: Sequence[str], at: Mapping[str, str]) -> None:
        """Choose just these units, by clicks on the map or on their counters beside it."""
        if self.chosen():
            self.press_escape()
        if len(units) > 1:
            self.click("#together")
        for unit in units:
            seen = self.browser.driver.find_elements("css selector", f'#opened [data-unit="{unit}"]')
            if unit in at and not any(one.is_displayed() for one in seen):
                self.hex(at[unit])
            if unit not in self.chosen():
                self.click(f'[data-unit="{unit}"]')
            for other in self.chosen():
                if other not in units:
                    self.click(f'[data-unit="{other}"]')
        if len(units) > 1:
            self.click("#together")

    def chosen(self) -> list[str]:
        """The units that are chosen."""
        script = (
            "return [...document.querySelectorAll('[aria-pressed=true]')].map((each) => each.dataset.unit)"
        )
        found: list[str] = self.browser.run(script)
        return list(dict.fromkeys(found))

    def press_escape(self) -> None:
        """Choose nothing."""
        from selenium.webdriver.common.keys import Keys

        self.find("body").send_keys(Keys.ESCAPE)
        self.wait()

    def _legend(self) -> Any:
        """The position with the orders so far, as the page shows it, by the program's own reckoning."""
        return self._sheet().now.legend

    def _sheet(self) -> OrderSheet:
        sheet = OrderSheet(self.game(), self.table())
        sheet.add("\n".join(self.lines()))
        return sheet

    def sign(self) -> list[str]:
        """Look at the words, and sign them; the words."""
        words = self.texts("#whole-words li") or self.lines()
        self.click("#finish")
        assert not self.find("#confirm").is_displayed()
        return words

    def give(self, orders: Orders) -> list[str]:
        """Give orders by clicks and sign them; the words that were shown.

        Those that are legal only together with a later one are not offered, and are typed.
        """
        lines = self.game().rules.view.write_words(orders)
        while lines:
            verb, *rest = lines[0].split()
            if verb == "place":
                for unit, at in zip(rest[::2], rest[1::2], strict=True):
                    self.order(f"place {unit} {at}")
            elif self.offers(lines[0]):
                self.order(lines[0])
            else:
                self.type("; ".join(lines))
                self.typed += 1
                break
            del lines[0]
        return self.sign()

    def offers(self, words: str) -> bool:
        """Whether the program offers an order after those so far; units may stand in any order."""
        offered = [sorted(line.split()) for line in self._sheet().now.further]
        return sorted(words.split()) in offered
