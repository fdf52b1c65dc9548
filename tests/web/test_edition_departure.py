"""How a file leaves the browser edition: share sheet, download, mail program, and a copy kept up to date."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from pbem.umpire.verify import open_game
from support.browsers import Browser
from support.edition_player import EditionPlayer, forget_all, restored_player, serve_folder, wait_until
from support.markers import Posix, requires

pytestmark = [pytest.mark.thorough, requires(Posix.BROWSER)]

SHARE_SHEET = """
const [refusal] = arguments;
window.shared ??= [];
const canShare = ({files}) =>
  files.every(({name, type}) => /[.](txt|html)$/.test(name) && type.startsWith("text/"));
const share = async ({files}) => {
  if (refusal) throw new DOMException("", refusal);
  for (const file of files) shared.push([file.name, await file.text()]);
};
for (const [name, value] of Object.entries({canShare, share}))
  Object.defineProperty(navigator, name, {value, configurable: true});
"""
"""A Chromium without a window has no share sheet; by what is written of one it takes these files alone."""

PICKER = """
window.asked = 0;
window.showSaveFilePicker = async ({suggestedName}) => {
  asked += 1;
  return (await navigator.storage.getDirectory()).getFileHandle(suggestedName, {create: true});
};
"""
"""A Chromium without a window has no dialog in which to choose a file; the file itself is a real one."""

COPY = """
const done = arguments[0];
navigator.storage.getDirectory()
  .then((folder) => folder.getFileHandle("pbem.age"))
  .then((handle) => handle.getFile())
  .then((file) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(file);
  });
"""


def offer(player: EditionPlayer) -> None:
    """Offer a game; the dialog that sends it is open then."""
    player.open()
    player.click("#begin-offer")
    player.fill("#begin-name", "Bruno")
    player.click("#begin-go")


def test_a_telephone_shares_files(edition: Path, browser: Browser) -> None:
    """Game and invitation; what the sheet refuses is saved, what the player breaks off is not."""
    forget_all(browser)
    with browser.as_telephone():
        player = EditionPlayer(browser, edition)
        offer(player)
        player.around(SHARE_SHEET, "")
        player.click("#departure-save")
        wait_until(lambda: player.around("return shared.length") == 1, "the shared file")
        [[name, text]] = player.around("return shared")
        assert name.endswith(".yaml.txt")
        assert open_game(text.encode()).seats
        player.click("#departure-invite")
        wait_until(lambda: player.around("return shared.length") == 2, "the invitation")
        name, text = player.around("return shared[1]")
        assert name == "invitation.html"
        assert text.startswith("<!doctype html>")
        for refusal in ("AbortError", "NotAllowedError"):
            player.around(SHARE_SHEET, refusal)
            player.click("#departure-save")
        wait_until(lambda: player.around("return saved.length") > 0, "what was refused")
        assert player.around("return saved.length") == 1
        assert open_game(player.saved())


def test_a_computer_downloads_files(edition: Path, browser: Browser) -> None:
    """By the browser's own downloads, even where there is a share sheet."""
    forget_all(browser)
    browser.set_width(1280)
    player = EditionPlayer(browser, edition)
    player.holds_files = False
    offer(player)
    player.around(SHARE_SHEET, "")
    points = 'return matchMedia("(pointer: coarse)").matches'
    wait_until(lambda: not player.around(points), "a mouse, where a test before had fingers")

    def save() -> None:
        player.click("#departure-save")
        assert not player.text("#alarm")
        assert player.around("return shared.length") == 0

    game = browser.saved_by(save)
    assert game.suffix == ".yaml"
    assert open_game(game.read_bytes()).seats
    invitation = browser.saved_by(lambda: player.click("#departure-invite"))
    assert invitation.name == "invitation.html"
    assert invitation.stat().st_size > edition.stat().st_size
    assert player.around("return shared.length") == 0


def test_the_mail_program_gets_address_and_subject(edition: Path, browser: Browser) -> None:
    """As a link; its text is in the clipboard, to be pasted."""
    forget_all(browser)
    browser.set_width(1280)
    allowed = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    browser.driver.execute_cdp_cmd("Browser.grantPermissions", allowed)
    player = EditionPlayer(browser, edition)
    offer(player)
    player.fill("#departure-to", "anna@example.org")
    browser.driver.get_log("performance")
    player.click("#departure-program")
    links = [urlsplit(link) for link in requested(browser, "mailto:")]
    assert [link.path for link in links] == ["anna%40example.org"]
    [subject] = parse_qs(links[0].query)["subject"]
    assert "Mortain" in subject


def test_the_letter_of_a_site_names_its_address(edition: Path, browser: Browser) -> None:
    """Where no invitation can be saved, the letter mentions none."""
    browser.set_width(1280)
    with serve_folder(edition.parent / "folder") as address:
        player = EditionPlayer(browser, address)
        offer(player)
        shown = player.browser.run("return document.getElementById('departure-letter').value")
        assert "invitation.html" not in shown
        assert f"open {address} in your browser." in " ".join(shown.split())
        assert not player.is_shown("#departure-invite")


def requested(browser: Browser, scheme: str) -> list[str]:
    """The addresses of this kind to which a page has led since it was asked last."""
    events: list[Any] = [
        json.loads(each["message"])["message"] for each in browser.driver.get_log("performance")
    ]
    found = [event["params"]["url"] for event in events if event["method"] == "Page.frameRequestedNavigation"]
    return [address for address in found if address.startswith(scheme)]


def test_a_chosen_file_is_kept_up_to_date(edition: Path, browser: Browser, tmp_path: Path) -> None:
    """A click chooses it; each signed move is in it a little later, in the next sitting too."""
    browser.set_width(1280)
    with serve_folder(edition.parent / "folder") as address:
        player = EditionPlayer(browser, address)
        player.open()
        player.around(PICKER)
        player.begin_practice()
        player.around("document.getElementById('save').click()")
        wait_until(lambda: "pbem.age has your key" in player.said(), "the copy")
        word = player.said().partition("passphrase: ")[2]
        first = newest_entries(player, tmp_path / "first", word)
        player.order("place 117Inf 1301 119Inf 1303 120Inf 1302 823TD 1304 SPTD 1305")
        player.click("#finish")
        wait_until(lambda: player.said() == "pbem.age has your newest moves as well.", "the move in the copy")
        assert not player.around("return document.getElementById('save').getClientRects().length")
        second = newest_entries(player, tmp_path / "second", word)
        assert second > first
        assert player.around("return asked") == 1
        player.open()
        player.click("#games a.first", page="#prompt")
        player.browser.run("document.getElementById('more').open = true")
        player.click('[data-act="resign"]')
        player.click("#sign")
        player.click("#sign")
        wait_until(lambda: player.said() == "pbem.age has your newest moves as well.", "the end in the copy")
        assert newest_entries(player, tmp_path / "third", word) > second


def newest_entries(player: EditionPlayer, folder: Path, word: str) -> int:
    """How many entries the game in the copy has."""
    player.browser.leave_frame()
    data = b64decode(player.browser.wait(COPY).partition(",")[2])
    player.enter()
    home = restored_player(folder, data, word)
    (kept,) = home.store.games()
    return len(home.open(kept.data).entries)
