"""The browser edition: one file that opens from the disk and plays, with nothing installed, offline."""

from __future__ import annotations

import os
import subprocess
import sys
from base64 import b64decode, b64encode
from pathlib import Path
from shutil import copytree

import pytest

from pbem.errors import FileError
from pbem.format.entries import Play
from pbem.player.backup import encrypt, pack
from pbem.player.local_player import LocalPlayer
from pbem.umpire.verify import open_game
from pbem.web.invitation import invitation
from pbem.web.pages import Pages
from support.board_player import QUIET
from support.browsers import DONE, VERDICT, Browser, run_firefox
from support.edition_player import (
    STARTED,
    EditionPlayer,
    forget_all,
    restored_player,
    serve_folder,
    wait_until,
    without_network,
)
from support.lobby_player import answer_of
from support.markers import Posix, requires

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "mortain-it-exits.yaml"
MOST_BYTES = 14_000_000
MOST_SECONDS = 60

pytestmark = [pytest.mark.thorough, requires(Posix.BROWSER)]


@pytest.fixture
def browser(browser: Browser) -> Browser:
    """The Chromium, in which nothing is stored."""
    forget_all(browser)
    return browser


def test_one_file_passes_a_mail_limit(edition: Path) -> None:
    assert edition.stat().st_size <= MOST_BYTES


def test_the_lobby_is_seen_while_the_program_starts(edition: Path, browser: Browser) -> None:
    """Its title, what this is and what can be done, with how far the start is; nothing in it answers yet."""
    browser.set_width(1280)
    player = EditionPlayer(browser, edition)
    browser.go(edition.as_uri())
    state = "const {started} = document.documentElement.dataset, {inert} = document.getElementById('game');"
    progress = "return [started ?? null, inert, document.getElementById('progress').hidden]"
    assert browser.run(state + progress) == [None, True, False]
    player.enter()
    seen = [player.texts(css) for css in OF_THE_LOBBY]
    assert browser.run("return window.texts === undefined"), "it has no scripts"
    player.browser.leave_frame()
    browser.wait(STARTED)
    assert browser.run(state + progress)[1:] == [False, True]
    player.enter()
    assert seen == [player.texts(css) for css in OF_THE_LOBBY]
    assert all(seen)


OF_THE_LOBBY = ("title", "h1", "header .quiet", "#ways h2", "#ways p", "#ways button")


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


ON_TOP = """
const here = document.querySelector(".here");
const {x, y, width, height} = here.getBoundingClientRect();
const found = document.elementFromPoint(x + width / 2, y + height / 2);
return here === found || here.contains(found);
"""


@pytest.mark.parametrize("language", ["de-DE", "es-ES"])
def test_a_telephone_shows_where_to_click(edition: Path, browser: Browser, language: str) -> None:
    """Each step of the guide without scrolling, although the bar above the board wants to save everything."""
    with browser.as_telephone(), browser.reading(language):
        player = EditionPlayer(browser, edition)
        player.open()
        player.click("#begin-guided")
        player.fill("#begin-name", "Anna")
        player.click("#begin-go", page="#guide")
        assert player.around("return document.getElementById('save').hidden") is False
        player.await_page("#guide")
        for step in range(1, 9):
            assert player.text("#guide p").startswith(f"{step} ")
            player.await_layout()
            assert browser.run(ON_TOP), player.text("#guide p")
            browser.press(browser.find(".here"))
            browser.wait(QUIET)
        assert player.is_shown("#prompt")
        assert player.is_shown("#play")


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
    assert player.choose_file(altered) == "This game does not pass: check 5 fails."
    player.click("#opened .shut")
    assert player.choose_file(EXAMPLE) == "Everything passes: all ten checks."
    player.click("#opened-look", page="#proof-found")
    player.browser.wait(DONE)
    assert player.browser.run(VERDICT)[0] == "holds"
    player.click("#verdict")
    assert player.is_shown("#proof-found"), "a link within the page"
    player.around("document.getElementById('back').click()")
    player.await_page("#games li")


def test_all_is_kept_and_moves_to_the_installed_program_and_back(
    edition: Path, browser: Browser, tmp_path: Path
) -> None:
    """Save everything, with a key under a passphrase; `pbem restore` takes it, and its backup comes back."""
    browser.set_width(1280)
    with without_network(browser):
        player = EditionPlayer(browser, edition)
        player.open()
        player.begin_practice()
        assert player.around("return document.getElementById('save').hidden") is False
        first, word = player.save_everything()
        assert player.around("return document.getElementById('save').hidden") is True
        restored = restored_player(tmp_path / "one", first, word)
        (kept,) = restored.store.games()
        game = restored.open(kept.data)
        assert game.seats["us"].key == str(restored.key.public)
        player.click("#home", page="#open-settings")
        player.click("#open-settings")
        player.browser.run("for (const one of document.querySelectorAll('details')) one.open = true")
        for field in ("#protect-word", "#protect-again"):
            player.fill(field, "correct horse")
        player.click("#protect button")
        player.fill("#backup-word", "battery staple")
        player.click("#backup button")
        second = restored_player(tmp_path / "two", player.saved(), "battery staple")
        assert second.is_key_protected
        second.unlock("correct horse")
        assert second.key.public == restored.key.public
        back = tmp_path / "back.age"
        back.write_bytes(encrypt(pack(second.home), "battery staple"))
        player.browser.choose_file("#restore-file", back)
        player.fill("#restore-word", "wrong passphrase")
        player.click("#restore button")
        assert player.text("#settings .problem").startswith("the backup: the passphrase does not open it")
        player.fill("#restore-word", "battery staple")
        player.click("#restore button")
        assert player.text("#settings-done").startswith("Restored your key and 1 game.")
        player.open()
        assert player.is_shown("#unlock")
        player.fill("#unlock-word", "correct horse")
        player.click("#unlock button")
        assert not player.is_shown("#unlock")
        assert player.text("#games p strong") == "Stand at Mortain"


def test_a_worker_that_dies_is_started_anew(edition: Path, browser: Browser) -> None:
    """The orders in progress are still there, and what is done next is done."""
    browser.set_width(1280)
    player = EditionPlayer(browser, edition)
    player.open()
    player.begin_practice()
    player.order("place 117Inf 1301")
    assert player.texts("#list li")[0].startswith("place 117Inf 1301")
    player.browser.run("parent.postMessage({id: 1e6, ask: 'look', body: '\\ud800'}, '*')")  # no page asks so
    player.order("place 119Inf 1303")
    assert [words[:17] for words in player.texts("#list li")] == ["place 117Inf 1301", "place 119Inf 1303"]
    assert ["surrogates not allowed" in one for one in browser.complaints()] == [True], "why it has died"


LOOKED_OVER = """
const done = arguments[0];
(function look() {
  if (document.querySelector("#look-chart svg")) done(); else setTimeout(look, 50);
})();
"""


def test_a_practice_game_is_looked_over_with_the_one_worker(edition: Path, browser: Browser) -> None:
    """In pieces, between which the board answers: an order that is typed meanwhile is in the list at once."""
    browser.set_width(1280)
    player = EditionPlayer(browser, edition)
    player.open()
    player.begin_practice()
    player.click("#this-game summary")
    player.click("#look-over")
    player.order("place 117Inf 1301")
    assert player.texts("#list li")[0].startswith("place 117Inf 1301")
    assert player.is_shown("#look-share"), "the order did not wait for it"
    browser.wait(LOOKED_OVER)
    assert player.is_shown("#look-chart svg")
    assert not player.is_shown("#look-share")


def test_one_tab_at_a_time_writes(edition: Path, browser: Browser) -> None:
    player = EditionPlayer(browser, edition)
    player.open()
    first = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    browser.go(edition.as_uri())
    said = "return document.getElementById('said').textContent"
    wait_until(lambda: browser.run(said).startswith("pbem is open in another tab."), "the other tab")
    other = browser.driver.current_window_handle
    browser.driver.switch_to.window(first)
    browser.driver.close()
    browser.driver.switch_to.window(other)
    browser.wait(STARTED)
    player.enter()
    assert player.text("h1") == "pbem"


def test_an_invitation_is_all_that_a_friend_needs(edition: Path, browser: Browser, tmp_path: Path) -> None:
    """Anna invites with the installed program; Bruno opens the one file, joins, and she gives the game up."""
    browser.set_width(1280)
    anna = Pages(LocalPlayer(tmp_path / "anna"), tmp_path)
    game = answer_of(anna, "begin", game="mortain", seat="us", name="Anna")["page"][:-1]
    offer = tmp_path / "offer.yaml"
    offer.write_bytes(b64decode(answer_of(anna, "file", game=game)["data"]))
    command = [sys.executable, "-m", "pbem", "page", offer.name, "--invite", str(edition)]
    home = {**os.environ, "PBEM_HOME": str(tmp_path / "anna")}
    subprocess.run(command, cwd=tmp_path, env=home, check=True)
    with without_network(browser):
        player = EditionPlayer(browser, tmp_path / "invitation.html")
        player.open()
        player.await_page("#opened[open]")
        assert "Stand at Mortain" in player.text("#opened-title")
        assert player.is_shown("#opened-map")
        player.fill("#join-name", "Bruno")
        player.click("#join button", page="#prompt")
        player.click("#home", page="#games li")
        assert not player.is_shown("#opened"), "the offer is his game now"
        player.click("#games button")
        player.click("#departure-save")
        back = {"name": "back.yaml", "data": b64encode(player.saved()).decode()}
        assert answer_of(anna, "open", **back)["role"] == "play"
        assert answer_of(anna, "take", game=game, newest=True)["page"] == f"{game}/"
        bound = answer_of(anna, f"{game}/look", bound="")["bound"]
        shown = answer_of(anna, f"{game}/confirm", bound=bound, act="resign")
        answer_of(anna, f"{game}/sign", bound=bound, digest=shown["digest"])
        (tmp_path / "end.yaml").write_bytes(b64decode(answer_of(anna, "file", game=game)["data"]))
        player.click("#departure .shut")
        assert player.choose_file(tmp_path / "end.yaml") == "Everything passes: all ten checks."
        player.click("#take button", page="#ending h3")
        assert player.is_shown("#ending")


def test_an_offer_from_the_browser(edition: Path, browser: Browser) -> None:
    """What Bruno saves is what the installed program would write; and he mails it by his mail program."""
    browser.set_width(1280)
    allowed = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    browser.driver.execute_cdp_cmd("Browser.grantPermissions", allowed)
    player = EditionPlayer(browser, edition)
    player.open()
    player.click("#begin-offer")
    player.fill("#begin-name", "Bruno")
    player.click("#begin-go")
    player.click("#departure-invite")
    written = player.saved()
    player.click("#departure-save")
    offered = open_game(player.saved())
    assert offered.seats.popitem()[1].name == "Bruno"
    assert written == invitation(edition, offered)
    with pytest.raises(FileError, match=r"this is not pbem\.html"):
        invitation(EXAMPLE, offered)
    with pytest.raises(FileError, match="the game has already begun"):
        invitation(edition, open_game(EXAMPLE.read_bytes()))
    player.fill("#departure-to", "anna@example.org")
    player.click("#departure-program")
    assert player.text("#departure-done") == (
        "Your mail program is opening: paste the letter into it, and send it."
    )
    player.browser.leave_frame()
    pasted = browser.wait(
        "const done = arguments[0]; navigator.clipboard.readText().then(done, (e) => done(String(e)))"
    )
    assert "Save invitation.html and open it in your browser" in pasted
    assert "-----BEGIN PBEM" in pasted


def test_the_folder_on_a_server_works_without_it_from_then_on(
    edition: Path, browser: Browser, tmp_path: Path
) -> None:
    browser.set_width(1280)
    folder = tmp_path / "folder"
    copytree(edition.parent / "folder", folder)
    with serve_folder(folder) as address:
        browser.go(address)
        browser.wait(STARTED)
        browser.wait("const done = arguments[0]; navigator.serviceWorker.ready.then(() => done())")
    browser.go(address)
    browser.wait(STARTED)
    browser.enter_frame("#game")
    assert browser.run("return document.querySelector('h1').textContent") == "pbem"
    browser.leave_frame()
    assert browser.run("return document.querySelector('link[rel=manifest]').href").startswith(address)
