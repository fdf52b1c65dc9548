"""What each release since 0.2.0 has left besides: take-backs of orders, hidden hands, orders in progress, a
browser's backup, and a season with adjudged games (docs/RELEASING.md).
"""

from __future__ import annotations

import json
import re
import shutil
from base64 import b64decode
from pathlib import Path

import pytest

from pbem.umpire.verify import open_game
from released.make import UNFINISHED
from released.test_released import RELEASES, both, play_on
from support.browsers import Browser
from support.edition_player import EditionPlayer, forget_all, restored_player
from support.homes import Home
from support.programs import ROOT, Program
from support.simulator import is_over
from support.terminal import ENTER, Screen

pytestmark = [
    pytest.mark.parametrize(
        "release", [path for path in RELEASES if path.name != "0.1.0"], ids=lambda path: path.name
    ),
    pytest.mark.thorough,
]


def test_orders_that_were_undone(release: Path, now: Program, tmp_path: Path) -> None:
    """The draw that they opened was made again; the orders in their place stand (FORMAT 12)."""
    anna, bruno = both(now, release, "undone", tmp_path)
    assert open_game(anna.data).offer.needs == ["bound", "retract"]
    for player in (anna, bruno):
        log = player.type("log", player.file)
        assert re.search(r"the orders of entry \d+ have to be given again", log)
        assert log.count("a take-back has undone it") == 2
    play_on(anna, bruno)


def test_hidden_hands(release: Path, now: Program, tmp_path: Path) -> None:
    """Each side sees its own cards alone and plays one; at the end both hands are opened and proven."""
    anna, bruno = both(now, release, "hidden", tmp_path)
    assert len(hand(bruno, "blue")) == 2
    anna.type("move", anna.file)
    anna.hand_to(bruno)
    for giver, taker, deck in ((anna, bruno, "red"), (bruno, anna, "blue")):
        card = hand(giver, deck)[0]
        assert card not in taker.type("show", taker.file, "--whole")
        giver.type("move", giver.file, f'play "{card}"; end')
        giver.hand_to(taker)
        assert card in taker.type("log", taker.file)
    anna.type("move", anna.file, 'result Reds for "on points"')
    anna.hand_to(bruno)
    bruno.type("move", bruno.file, "agree")
    for giver, taker in ((bruno, anna), (anna, bruno)):
        giver.type("move", giver.file)
        giver.hand_to(taker)
    assert is_over(open_game(anna.data))
    for player in (anna, bruno):
        assert "passes" in player.type("verify", player.file)


def hand(player: Home, deck: str) -> list[str]:
    """The cards that the player's own screen shows him of a deck."""
    shown = " ".join(player.type("show", player.file, "--whole").split())
    found = re.search(rf"Your hand of {deck}, \d+ cards?: (.*?) (?:red|blue) of ", shown)
    assert found, shown
    return found[1].split("; ")


def test_orders_in_progress(release: Path, now: Program, tmp_path: Path) -> None:
    """The prompt goes on after the order that was typed before, and signs it."""
    anna, bruno = both(now, release, "unfinished", tmp_path)
    home = str(bruno.folder / "home")
    prompt = Screen(bruno.folder, 80, 40, "move", bruno.file, PBEM_HOME=home, PBEM_NAME="Bruno")
    prompt.wait_for("Order 2", "Order 2")
    prompt.type(ENTER)
    prompt.wait_for_question("Sign and save? [y/n]: ")
    assert UNFINISHED in prompt.text
    prompt.type("y" + ENTER)
    assert prompt.wait_for_end() == 0
    prompt.close()
    assert UNFINISHED in bruno.type("log", bruno.file)
    bruno.hand_to(anna)
    play_on(anna, bruno)


def test_a_browsers_backup_at_home(release: Path, tmp_path: Path) -> None:
    """An installed pbem restores it with its passphrase."""
    player = restored_player(tmp_path / "home", *backup(release))
    assert len(list(player.store.games())) == 1


def test_a_browsers_backup_in_a_browser(release: Path, browser: Browser) -> None:
    """Today's browser edition restores it, and the practice game in it goes on."""
    data, passphrase = backup(release)
    forget_all(browser)
    player = EditionPlayer(browser, ROOT / "dist" / "browser" / "pbem.html")
    player.restore(data, passphrase)
    before = ids(player)
    player.order("pass")
    player.click("#finish")
    after = ids(player)
    assert after[: len(before)] == before != after


def ids(player: EditionPlayer) -> tuple[str, ...]:
    """The ids of the entries in the file that the browser has of the game on the board."""
    return open_game(b64decode(player.ask("file")["data"])).ids


def backup(release: Path) -> tuple[bytes, str]:
    """The backup and its passphrase."""
    folder = release / "backup"
    return (folder / "pbem.age").read_bytes(), (folder / "passphrase").read_text("utf-8").strip()


def test_a_season_with_adjudged_games(release: Path, now: Program, tmp_path: Path) -> None:
    """One is adjudged for silence and one by the director; the same games make the same table."""
    shutil.copytree(release / "season", tmp_path / "season")
    folder = tmp_path / "season"
    before = json.loads((folder / "club" / "standings.json").read_bytes())
    assert sorted(one["by"] for one in before["adjudged"]) == ["director", "silence"]
    done = now.run(folder, "club", "check", "club/standings.json", "games", "--season", "season.yaml")
    assert not done.code, done.out + done.err
