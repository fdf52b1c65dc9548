"""Keystrokes and screen lines for each decision of a game against the computer, played at a terminal.

    cd tests && python -m benchmarks.prompt [--quick] [BEFORE]

It plays one game of Stand at Mortain against the computer, at 80 x 24, typing like somebody who knows what
they want: as few letters as Tab completes, if that is fewer keys. With BEFORE, a folder with an earlier pbem
that did not collect orders one by one, the same game is played there as well: all orders on one line, Return
for yes, and the arrow and Return for the next `pbem move`. Orders come from the sensible player with a fixed
seed, and keys and nonces are fixed, so both play the same game.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import mean, median
from tempfile import TemporaryDirectory

from benchmarks.run import Figure, report
from pbem.format.key_file import read_key
from pbem.player.order_sheet import OrderSheet, OrdersRefused, complete_order
from pbem.umpire import permissions
from pbem.umpire.verify import open_game
from support.terminal import ENTER, TAB, Screen
from support.transcripts import Step, perform_steps

FILE = "practice.yaml"
BEGUN = [Step("anna", f"pbem new mortain {FILE} --practice --seat german", 0)]
AGAIN = 2
"""The keys that repeat a command: the arrow and Return."""


class Count:
    """The keys of each decision, and the lines it takes on the screen, from question to question."""

    def __init__(self) -> None:
        self.keys: list[int] = []
        self.lines: list[int] = []


def now(folder: Path) -> OrderSheet | None:
    """The player's pending question; None when the game is over."""
    game = open_game((folder / FILE).read_bytes())
    table = permissions.unlock_state(game, read_key(folder / "homes/anna/key", None))
    return None if game.state.ending else OrderSheet(game, table)


def choice(question: OrderSheet) -> list[str]:
    """The player's orders, in words."""
    entries = len(question.game.entries)
    rules, chooser = question.game.rules, Random(sha256(b"%d" % entries).hexdigest())
    return rules.view.write_words(rules.players["sensible"](question.asked, chooser))


def shortest(phrases: list[str], order: str) -> str:
    """The keys for one order: of each word as much as Tab needs, if that is fewer keys than the whole."""
    typed, keys = "", ""
    words = order.split()
    for word in words:
        whole = word if word is words[-1] else f"{word} "
        beginnings = (word[:length] for length in range(len(word)))
        completing = next(
            (one for one in beginnings if complete_order(phrases, typed + one)[1] == [word]), None
        )
        keys += whole if completing is None or len(completing) + 1 >= len(whole) else completing + TAB
        typed += f"{word} "
    return keys


def lines_of(question: OrderSheet, orders: list[str]) -> list[str]:
    """The orders as they can be typed: one by one, or all at once if they are legal only together."""
    trial = OrderSheet(question.game, question.table)
    try:
        for order in orders:
            trial.add(order)
    except OrdersRefused:
        return ["; ".join(orders)]
    return orders


def play_now(folder: Path, most: int) -> Count:
    """The game at today's prompt."""
    count, screen = Count(), Screen(folder, 80, 24, "move", FILE)
    screen.wait_for("", "Order: ", exactly=True)
    while (question := now(folder)) and len(count.keys) < most:
        before, lines = screen.keys_typed, len(screen.printed.splitlines())
        for line in lines_of(question, choice(question)):
            screen.type(shortest(question.current.possible_additions, line) + ENTER)
            question.add(line)
            ready = "Sign and save? [y/n]: " if not question.current.possible_additions else None
            screen.wait_for(
                "", ready or f"Order {len(question.current.lines) + 1}, or Return: ", exactly=True
            )
        if question.current.possible_additions:
            screen.type(ENTER)
            screen.wait_for("", "Sign and save? [y/n]: ", exactly=True)
        screen.type("y" + ENTER)
        screen.wait_for_line_or_end("Order: ")
        count.keys.append(screen.keys_typed - before)
        count.lines.append(len(screen.printed.splitlines()) - lines)
    screen.close()
    return count


def play_before(program: Path) -> Callable[[Path, int], Count]:
    """The game at the earlier prompt of the pbem in that folder."""

    def play(folder: Path, most: int) -> Count:
        count = Count()
        while (question := now(folder)) and len(count.keys) < most:
            screen = Screen(folder, 80, 24, "move", FILE, PYTHONPATH=str(program))
            screen.wait_for("Orders, parted by")
            screen.type("; ".join(choice(question)) + ENTER)
            screen.wait_for("Do it?")
            screen.type(ENTER)
            assert screen.wait_for_end() == 0
            count.keys.append(screen.keys_typed + AGAIN)
            count.lines.append(len(screen.printed.rstrip().splitlines()) + 1)
            screen.close()
        return count

    return play


def figures(programs: dict[str, Callable[[Path, int], Count]], most: int) -> Iterator[Figure]:
    """Every figure of each program."""
    with TemporaryDirectory() as made:
        begun = Path(made) / "begun"
        begun.mkdir()
        for _ in perform_steps(BEGUN, begun):
            pass
        for name, play in programs.items():
            folder = shutil.copytree(begun, Path(made) / name)
            count = play(folder, most)
            yield Figure(f"{name}: decisions", str(len(count.keys)))
            yield Figure(f"{name}: keys for a decision, mean", f"{mean(count.keys):.1f}")
            yield Figure(f"{name}: keys for a decision, median", f"{median(count.keys):g}")
            yield Figure(f"{name}: lines of screen for a decision, mean", f"{mean(count.lines):.1f}")
            yield Figure(f"{name}: lines of screen for a decision, most", str(max(count.lines)))


if __name__ == "__main__":
    given = [one for one in sys.argv[1:] if one != "--quick"]
    os.environ["SOURCE_DATE_EPOCH"] = "1785585600"
    played: dict[str, Callable[[Path, int], Count]] = {"now": play_now}
    if given:
        played["before"] = play_before(Path(given[0]).resolve())
    report(figures(played, 4 if "--quick" in sys.argv else 1000))
