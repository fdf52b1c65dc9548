"""The browser edition: one file that opens from the disk and plays, with nothing installed, offline."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pbem.format.entries import Play
from pbem.umpire.verify import open_game
from support.browsers import DONE, VERDICT, Browser, run_firefox
from support.edition_player import EditionPlayer, without_network
from support.markers import Posix, requires

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "mortain-it-exits.yaml"
MOST_BYTES = 14_000_000
MOST_SECONDS = 60

pytestmark = [pytest.mark.thorough, requires(Posix.BROWSER)]


@pytest.fixture
def edition() -> Path:
    """What `.ci/browser` has made and checked under node."""
    file = ROOT / "dist" / "browser" / "pbem.html"
    assert file.exists(), "make it first: .ci/browser"
    return file


def test_one_file_passes_a_mail_limit(edition: Path) -> None:
    assert edition.stat().st_size <= MOST_BYTES


def test_a_sitting_in_chromium(edition: Path, browser: Browser, tmp_path: Path) -> None:
    browser.set_width(1280)
    with without_network(browser):
        player = EditionPlayer(browser, edition)
        first_turn(player, tmp_path)
        look_at_games(player, tmp_path)


def test_a_sitting_in_firefox(edition: Path, tmp_path: Path) -> None:
    (tmp_path / "profile").mkdir()
    with run_firefox(tmp_path / "profile") as browser:
        browser.set_width(1280)
        with without_network(browser):
            player = EditionPlayer(browser, edition)
            first_turn(player, tmp_path)
            look_at_games(player, tmp_path)


def first_turn(player: EditionPlayer, folder: Path) -> None:
    """A first visit to signed orders, by pointer; close and open; save; the installed program verifies it."""
    player.open()
    assert not player.is_shown("#mine")
    player.click("#begin-guided")
    player.fill("#begin-name", "Anna")
    player.click("#begin-go", page="#guide")
    for step in range(1, 9):
        assert player.text("#guide p").startswith(f"{step} of 8: ")
        player.click(".here")
    assert player.text("#guide p").startswith("Now you know how")
    asked = player.text("#prompt")
    player.open()
    assert player.text("#who") == "Anna"
    assert player.text("#games .mark") == "Your move: "
    player.click("#games a.first", page="#prompt")
    assert player.text("#prompt") == asked
    player.click("#this-game summary")
    player.click("#save-game")
    file = folder / "game.yaml"
    file.write_bytes(player.saved())
    command = [sys.executable, "-m", "pbem", "verify", str(file)]
    assert subprocess.run(command, check=False).returncode == 0
    orders = open_game(file.read_bytes()).entries[2].body
    assert isinstance(orders, Play)
    assert orders.by == "us"


def look_at_games(player: EditionPlayer, folder: Path) -> None:
    """Open a file with an alteration, and the file itself, whose page proves itself."""
    player.click("#home", page="#games li")
    whole = EXAMPLE.read_bytes()
    at = whole.rindex(b'sig: "') + 6
    altered = folder / "altered.yaml"
    altered.write_bytes(whole[:at] + (b"B" if whole[at : at + 1] == b"A" else b"A") + whole[at + 1 :])
    assert player.choose_file(altered) == "This is not a game that holds: check 5 fails."
    player.click("#opened .shut")
    assert player.choose_file(EXAMPLE) == "Everything holds: all ten checks."
    player.click("#opened-look", page="#proof-found")
    player.browser.wait(DONE)
    assert player.browser.run(VERDICT)[0] == "holds"
    player.click("#verdict")
    assert player.is_shown("#proof-found"), "a link within the page"
    player.around("document.getElementById('back').click()")
    player.await_page("#games li")
