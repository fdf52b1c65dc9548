"""What needs sockets or processes is nowhere in the browser edition, even where a home was set up for it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pbem.player.backup import encrypt, pack
from pbem.player.local_player import LocalPlayer
from support.board_player import run_pbem_at_home
from support.browsers import Browser
from support.edition_player import EditionPlayer, forget_all
from support.friends_game import ASK
from support.markers import Posix, requires

pytestmark = [pytest.mark.thorough, requires(Posix.BROWSER)]

EXAMPLES = Path(__file__).parents[2] / "examples"
SETTINGS = """\
mail:
  address: bruno@example.org
  imap: {host: imap.example.org, port: 993, security: tls, user: bruno}
  smtp: {host: smtp.example.org, port: 465, security: tls, user: bruno}
"""
WORD = "battery staple"

NEEDS_MORE = """
for (const one of document.querySelectorAll("details")) one.open = true;
const absent = "#mail, #departure-server, #by-server, #departure-place, #file-place";
const isSeen = (one) => one.getClientRects().length && one.textContent.trim();
return [
  [...document.querySelectorAll(absent)].filter(isSeen).map((one) => one.id),
  document.body.innerText + [...document.querySelectorAll("[title]")].map((one) => one.title).join("\\n"),
];
"""
"""What is seen of what the installed program has besides, and all that can be read."""

NOT_HERE = re.compile(r"pbem (mail|fetch|watch|send|study|report|picture)\b|IMAP|SMTP|PNG|password\b|crontab")


class Surfaces:
    """Looks at each surface that the player opens."""

    def __init__(self, player: EditionPlayer) -> None:
        self.player = player
        self.seen: list[str] = []

    def look(self, name: str) -> None:
        """Find nothing there that a browser cannot do."""
        shown, text = self.player.browser.run(NEEDS_MORE)
        assert not shown, (name, shown)
        assert text.strip()
        assert not NOT_HERE.findall(text), (name, [one for one in text.splitlines() if NOT_HERE.search(one)])
        self.seen.append(name)


def home_with_an_account(folder: Path) -> bytes:
    """The backup of an installed home with a mail account, and a game that Bruno offers."""
    folder.mkdir()
    for words in (("key",), ("new", "mortain", "game.yaml", "--seat", "us", "--name", "Bruno")):
        assert run_pbem_at_home(folder, *words).returncode == 0
    (folder / "home" / "config.yaml").write_text(SETTINGS)
    return encrypt(pack(LocalPlayer(folder / "home").home), WORD)


def test_what_a_browser_cannot_do_is_on_no_surface(edition: Path, browser: Browser, tmp_path: Path) -> None:
    forget_all(browser)
    browser.set_width(1280)
    player = EditionPlayer(browser, edition)
    surfaces = Surfaces(player)
    backup = tmp_path / "backup.age"
    backup.write_bytes(home_with_an_account(tmp_path / "installed"))
    player.open()
    surfaces.look("a first lobby")
    player.click("#open-settings")
    surfaces.look("settings")
    player.browser.choose_file("#restore-file", backup)
    player.fill("#restore-word", WORD)
    player.click("#restore button")
    surfaces.look("restored")
    player.open()
    surfaces.look("lobby")
    player.click("#open-settings")
    surfaces.look("settings with an account")
    player.click("#settings .shut")
    for kind in ("guided", "practice", "offer"):
        player.click(f"#begin-{kind}")
        surfaces.look(f"begin: {kind}")
        player.click("#begin .shut")
    assert player.choose_file(EXAMPLES / "mortain-it-exits.yaml") == "Everything passes: all ten checks."
    surfaces.look("an opened game")
    player.click("#opened .shut")
    look_at_an_offer(surfaces)
    look_at_practice(surfaces)
    assert len(surfaces.seen) == 18


def look_at_an_offer(surfaces: Surfaces) -> None:
    """The restored game, which asks whether it is the newest; how it is sent, and its board."""
    player = surfaces.player
    player.click("#games button")
    surfaces.look("a restored game")
    player.click("#take button")
    surfaces.look("a restored game is confirmed")
    player.click("#take button", page="#prompt")
    surfaces.look("the board of an offer")
    player.click("#home", page="#games li")
    player.click("#games button")
    surfaces.look("how it is sent")
    for asked in ("mail/find", "mail/save", "mail/watch"):
        answer = player.browser.wait(ASK, asked, json.dumps({}))
        assert answer["refused"]["error"] == "there is nothing here", asked
    player.click("#departure .shut")


def look_at_practice(surfaces: Surfaces) -> None:
    """The board with orders, a plan and a window to sign; a finished game, and its page."""
    player = surfaces.player
    player.begin_practice()
    player.order("place 117Inf 1301 119Inf 1303 120Inf 1302 823TD 1304 SPTD 1305")
    player.click("#finish")
    surfaces.look("a board")
    player.browser.run("document.getElementById('more').open = true")
    player.click('[data-act="resign"]')
    surfaces.look("signing")
    player.click("#sign")
    player.click("#sign")
    surfaces.look("the end")
    player.click("#home", page="#games li, #over li")
    surfaces.look("lobby after it")
    assert player.choose_file(EXAMPLES / "rommel-axis-wins.yaml") == "Everything passes: all ten checks."
    player.click("#opened-look", page="#proof-found")
    surfaces.look("a page")
