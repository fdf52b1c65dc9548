"""What the browser edition stores, in a browser that is full or forgets, and after a hostile file."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from support.browsers import Browser, run_firefox
from support.edition_player import EditionPlayer, forget_all, restored_player, serve_folder
from support.markers import Posix, requires

pytestmark = [pytest.mark.thorough, requires(Posix.BROWSER)]

EXAMPLES = Path(__file__).parents[2] / "examples"
SET_UP = "place 117Inf 1301 119Inf 1303 120Inf 1302 823TD 1304 SPTD 1305"
NO_COOKIES = 'user_pref("network.cookie.cookieBehavior", 2);\n'
"""A Firefox that refuses its stores to pages."""


def give_room(browser: Browser, address: str, most: int | None) -> None:
    """Let an address store so many bytes; None: as many as before.

    Chromium asks anew how much room there is once nobody has the store open any more.
    """
    browser.go("about:blank")
    room = {"origin": address.rstrip("/")} | ({} if most is None else {"quotaSize": most})
    browser.driver.execute_cdp_cmd("Storage.overrideQuotaForOrigin", room)


NO_ROOM = "This browser has no space left, so you cannot sign anything"


def open_until(player: EditionPlayer, holds: Callable[[], bool]) -> None:
    """Open the page anew until something holds: a busy Chromium heeds another quota within half a minute."""
    for _ in range(20):
        player.open()
        if holds():
            return
        time.sleep(2)
    raise AssertionError(player.said())


@pytest.mark.long  # Chromium may take minutes to heed another quota, so it cannot be relied on every day
def test_what_finds_no_room_is_not_signed(edition: Path, browser: Browser, tmp_path: Path) -> None:
    """A full browser says so, saves all there is, and signs nothing until there is room."""
    browser.set_width(1280)
    with serve_folder(edition.parent / "folder") as address:
        player = EditionPlayer(browser, address)
        player.open()
        player.begin_practice()
        player.order(SET_UP)
        give_room(browser, address, 1)
        open_until(player, lambda: player.said().startswith(NO_ROOM))
        player.click("#games a.first", page="#prompt")
        asked, orders = player.text("#prompt"), player.texts("#list li")
        assert orders
        assert list(restored_player(tmp_path / "home", *player.save_everything()).store.games())
        for _ in range(2):  # the worker was started anew in between
            player.click("#finish")
            assert player.text("#alarm").startswith("This browser could not store that, so nothing was done.")
            assert (player.text("#prompt"), player.texts("#list li")) == (asked, orders)
        give_room(browser, address, None)
        open_until(player, lambda: "no space left" not in player.said())
        player.click("#games a.first", page="#prompt")
        assert (player.text("#prompt"), player.texts("#list li")) == (asked, orders)
        player.click("#finish")
        signed = player.text("#prompt")
        assert signed != asked
        player.open()
        player.click("#games a.first", page="#prompt")
        assert player.text("#prompt") == signed


def test_what_a_browser_does_not_promise_to_keep_is_told(edition: Path, browser: Browser) -> None:
    """After the first signed move, until everything is saved; once more where the browser has promised it."""
    forget_all(browser)
    player = EditionPlayer(browser, edition)
    for setting, told in (
        ("denied", "Your newest moves are only in this browser, which has not promised to keep them."),
        ("granted", "Your newest moves are only in this browser."),
    ):
        wish = {"permission": {"name": "persistent-storage"}, "setting": setting}
        browser.driver.execute_cdp_cmd("Browser.setPermission", wish)
        player.open()
        assert player.said() == ""
        player.begin_practice()
        assert player.said() == told
        player.save_everything()
        assert told not in player.said()
        player.click("#home", page="#games li")
    browser.driver.execute_cdp_cmd("Browser.resetPermissions", {})


def test_a_browser_that_stores_nothing_says_so(edition: Path, tmp_path: Path) -> None:
    """From the beginning; it plays all the same, and what is saved is all there is."""
    forgets = "This browser does not store anything: save everything before you close this page."
    profile = tmp_path / "profile"
    profile.mkdir()
    (profile / "prefs.js").write_text(NO_COOKIES)
    with run_firefox(profile) as browser:
        browser.set_width(1280)
        player = EditionPlayer(browser, edition)
        player.open()
        assert player.said() == forgets
        player.begin_practice()
        player.order(SET_UP)
        player.click("#finish")
        assert player.text("#alarm") == ""
        data, word = player.save_everything()
        assert player.said().endswith(forgets)
        (kept,) = restored_player(tmp_path / "home", data, word).store.games()
        assert kept
        player.open()
        assert not player.is_shown("#mine")


def mails_that_take_long() -> bytes:
    """A mailbox that takes a minute to judge: each mail has a long game, altered at its end."""
    whole = (EXAMPLES / "rommel-goes-on.yaml").read_bytes()
    at = whole.rindex(b'sig: "') + len(b'sig: "')
    head = b"From anna Sat Nov 28 10:00:00 2026\nFrom: anna@example.org\nSubject: our game\n\n"
    return b"".join(head + whole[:at] + b"%04d" % number + whole[at + 4 :] + b"\n\n" for number in range(60))


def test_what_keeps_the_program_busy_is_ended_by_the_clock(
    edition: Path, browser: Browser, tmp_path: Path
) -> None:
    """The program goes on with what is stored, orders in progress too; nobody waits for the file any more."""
    forget_all(browser)
    browser.set_width(1280)
    mails = tmp_path / "mails.mbox"
    mails.write_bytes(mails_that_take_long())
    player = EditionPlayer(browser, edition)
    player.open()
    player.begin_practice()
    player.order(SET_UP)
    asked, orders = player.text("#prompt"), player.texts("#list li")
    player.click("#home", page="#games li")
    assert player.around("return document.documentElement.dataset.clockSeconds") == "120"
    player.around("document.documentElement.dataset.clockSeconds = '3'")
    begun = time.monotonic()
    told = player.choose_file(mails)
    assert time.monotonic() - begun < 30, "the mails take longer"
    assert told.startswith("This took more than 3 seconds, so pbem stopped it and restarted.")
    player.around("document.documentElement.dataset.clockSeconds = '120'")
    assert player.choose_file(EXAMPLES / "mortain-it-exits.yaml") == "Everything passes: all ten checks."
    player.click("#opened .shut")
    player.click("#games a.first", page="#prompt")
    assert (player.text("#prompt"), player.texts("#list li")) == (asked, orders)
    player.click("#finish")
    assert player.text("#prompt") != asked
