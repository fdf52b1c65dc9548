"""Once more in another browser, with another implementation of Ed25519."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.board_player import BoardPlayer, begin_practice_game, play_at_board, play_mortain, play_rommel
from support.browsers import run_firefox
from support.game_pages import NAMES, alter_data, page_of
from support.markers import LONG
from support.page_alterations import DICE, edits
from web.test_page_alterations import DRAWN, TOP

VERDICT = """
const [done, root] = [arguments[0], document.documentElement];
const look = () => root.dataset.proof !== "unchecked"
  ? done(`${root.dataset.proof} ${root.dataset.failed ?? ""}`)
  : setTimeout(look, 20);
look();
"""

TABLE = """
{
  const map = document.getElementById("map");
  const cell = document.querySelectorAll(".cell")[12];
  const box = cell.getBoundingClientRect();
  const [clientX, clientY] = [box.x + box.width / 2, box.y + box.height / 2];
  for (let times = 0; times < 3; times += 1)
    map.dispatchEvent(new WheelEvent("wheel", {clientX, clientY, deltaY: -100, cancelable: true}));
  const under = document.elementFromPoint(clientX, clientY)?.dataset.hex;
  const nearer = cell.getBoundingClientRect().width / box.width;
  cell.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  const opened = document.getElementById("opened").textContent;
  for (const key of ["ArrowUp", "ArrowRight"])
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  return {
    table: document.documentElement.classList.contains("table"),
    hex: cell.dataset.hex,
    under,
    nearer,
    label: cell.getAttribute("aria-label"),
    opened,
    entry: document.getElementById("when").value,
    cards: document.querySelectorAll(".deck .outcome").length,
  };
}
"""


@pytest.mark.thorough
def test_examples_prove_themselves_and_an_altered_one_does_not(tmp_path: Path) -> None:
    with run_firefox(tmp_path) as browser:
        for name in NAMES[::-1] if os.environ.get("PBEM_LONG") else NAMES[:1]:
            (tmp_path / "game.html").write_text(page_of(name), "utf-8")
            browser.open(tmp_path / "game.html")
            assert browser.wait(VERDICT) == "holds ", name
        found = browser.run(TABLE)
        assert found["table"]
        assert found["hex"] == found["under"], "the wheel zooms where it points"
        assert found["nearer"] > 1.5
        assert found["cards"] == 53
        assert found["opened"].startswith(found["label"][:4])
        assert found["entry"] == "1"
        html = alter_data(page_of("mortain-es-resigns"), "log", lambda log: log[7].update(say="Coward!"))
        (tmp_path / "game.html").write_text(html, "utf-8")
        browser.open(tmp_path / "game.html")
        assert browser.wait(VERDICT) == "fails 7"


@pytest.mark.thorough
def test_what_an_edited_page_shows(tmp_path: Path) -> None:
    """As in Chromium; there `test_alterations.py` says what must be."""
    path = tmp_path / "game.html"
    with run_firefox(tmp_path) as browser:
        browser.set_width(1280)
        for edit in edits() if LONG else edits()[::9]:
            path.write_text(edit.edit(page_of(DICE)), "utf-8")
            browser.open(path)
            failed = "holds " if edit.page is None else f"fails {edit.page}"
            assert browser.wait(VERDICT) == failed, edit.name
            if edit.page is None:
                assert browser.run(DRAWN) == [0, "none"], edit.name
                continue
            words, colour, *looks = browser.run(TOP)
            assert words.startswith("FAILS, step"), edit.name
            assert colour == "rgb(168, 15, 28)", edit.name
            assert looks == ["rgb(253, 231, 231)", "16px", "1", True, True], edit.name


@contextmanager
def player_of(folder: Path, game: str, seat: str) -> Iterator[BoardPlayer]:
    """A player of a new practice game, at the board in a window of 1280 pixels."""
    begin_practice_game(folder, game, "--seat", seat)
    (folder / "profile").mkdir()
    with run_firefox(folder / "profile") as browser:
        browser.set_width(1280)
        with play_at_board(browser, folder) as player:
            yield player


@pytest.mark.thorough
def test_a_set_up_is_ordered_with_the_mouse_and_signed(tmp_path: Path) -> None:
    """By clicks and by dragging, from beside the map and on it; a hex that is forbidden says why."""
    with player_of(tmp_path, "mortain", "us") as player:
        player.click('[data-unit="117Inf"]')
        player.hex("1901")
        assert "M2.1" in player.texts("#refused")[0]
        for at in ("1301", "1303", "1302", "1304"):  # one unit after the other
            player.hex(at)
        player.drags = True
        player.order("place SPTD 1305")
        assert player.lines() == [
            "place 117Inf 1301",
            "place 119Inf 1303",
            "place 120Inf 1302",
            "place 823TD 1304",
            "place SPTD 1305",
        ]
        player.drag("1305", "1404")
        assert player.lines()[-1] == "place SPTD 1404"
        player.sign()
        assert len(player.game().entries) > 3


@pytest.mark.long
def test_a_whole_game_of_mortain_is_played_by_clicks(tmp_path: Path) -> None:
    with player_of(tmp_path, "mortain", "us") as player:
        play_mortain(player, random.Random(11))


@pytest.mark.long
def test_two_turns_of_rommel_are_played_by_clicks(tmp_path: Path) -> None:
    with player_of(tmp_path, "rommel", "axis") as player:
        play_rommel(player, random.Random(5), turns=2)
