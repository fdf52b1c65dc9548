"""The lobby in real browsers: a first visit, a whole game between two homes, every act, by pointer alone."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.format.entries import Answer, Offer, Play, Resign
from pbem.player.plans.plan_store import PlanStore
from support.board_player import ARRIVED, QUIET, BoardPlayer
from support.browsers import DONE, Browser, Firefox, run_firefox
from support.lobby_player import LobbyPlayer, visit
from support.mail_provider import run_mail_provider
from web.test_pages import Home, finish_own_scenario

pytestmark = pytest.mark.thorough

EXAMPLES = Path(__file__).parents[2] / "examples"
MOST_SECONDS = 60
MOST_CLICKS = 12

SET_UP = {"117Inf": "1301", "119Inf": "1303", "120Inf": "1302", "823TD": "1304", "SPTD": "1305"}


REMATCH = """
const done = arguments[0];
(function look() {
  if (document.querySelector("#begin[open]")) done(); else setTimeout(look, 20);
})();
"""

MAILED = """
const done = arguments[0];
(function look() {
  const said = document.getElementById("departure-done").textContent;
  if (said && !document.querySelector("[aria-busy=true]")) done(); else setTimeout(look, 20);
})();
"""


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """Another browser."""
    (folder / "profile").mkdir()
    with run_firefox(folder / "profile") as browser:
        browser.set_width(1280)
        yield browser


def first_visit(browser: Browser | Firefox, folder: Path) -> None:
    """From the first look at the lobby to orders signed, by the guide: each step is one click."""
    with visit(browser, folder) as player:
        begun = time.monotonic()
        assert not player.is_shown("#mine")
        player.click("#begin-guided")
        player.fill("#begin-name", "Anna")
        board = player.to_board("#begin-go")
        for step in range(1, 9):
            assert player.text("#guide p").startswith(f"{step} of 8: ")
            player.click(".here")
            if step == 7:
                spent, clicks = time.monotonic() - begun, player.clicks()
        assert player.text("#guide p").startswith("Now you know how")
        assert spent <= MOST_SECONDS
        assert clicks <= MOST_CLICKS
        (game,) = player.games()
        orders = game.entries[2].body
        assert isinstance(orders, Play)
        assert orders.by == "us"
        assert game.seats["us"].name == "Anna"
        player.click("#guide button")
        assert not player.is_shown("#guide")
        assert board.lines() == []
        player.to_lobby()
        assert player.text("#who") == "Anna"
        assert player.text("#games .mark") == "Your move: "


def test_a_first_visit_ends_with_orders_signed(browser: Browser, tmp_path: Path) -> None:
    browser.set_width(1280)
    first_visit(browser, tmp_path)


def test_a_first_visit_on_a_telephone(browser: Browser, tmp_path: Path) -> None:
    for width, height in ((390, 844), (844, 390)):
        browser.set_width(width, height)
        first_visit(browser, tmp_path / str(width))


def test_a_first_visit_in_firefox(tmp_path: Path) -> None:
    with firefox(tmp_path) as browser:
        first_visit(browser, tmp_path / "anna")


class TestASceptic:
    """Who looks at a forwarded game and never makes a key."""

    def test_sees_the_checks_and_the_game(self, browser: Browser, tmp_path: Path) -> None:
        browser.set_width(1280)
        with visit(browser, tmp_path) as player:
            assert player.open_file(EXAMPLES / "mortain-it-exits.yaml") == (
                "Everything passes: all ten checks."
            )
            assert player.text("#opened-state").startswith("the game is over: the Germans win")
            assert len(browser.run("return [...document.querySelectorAll('#opened-checks li')]")) == 10
            assert not player.is_shown("#join")
            assert not player.is_shown("#take")
            page = browser.run("return document.getElementById('opened-look').href")
            player.click("#opened .shut")
            browser.go(page)
            browser.wait(DONE)
            assert browser.run("return document.documentElement.dataset.proof") == "holds"
        assert not (tmp_path / "home" / "key").exists()
        assert not list(tmp_path.rglob("*.yaml"))

    def test_is_told_what_does_not_hold(self, browser: Browser, tmp_path: Path) -> None:
        browser.set_width(1280)
        text = (EXAMPLES / "mortain-it-exits.yaml").read_text("utf-8")
        altered = text.replace("beat: 1\n", "beat: 2\n", 1)
        (tmp_path / "note.txt").write_text("Lunch at one?")
        with visit(browser, tmp_path) as player:
            assert player.paste(altered).startswith("This game does not pass: check ")
            assert player.text("#opened-checks li.fails").startswith("FAILS: ")
            assert not player.is_shown("#opened-look")
            player.click("#opened .shut")
            assert player.open_file(tmp_path / "note.txt") == "there is no game in note.txt"
            assert player.paste(text) == "Everything passes: all ten checks."


def set_up(board: BoardPlayer) -> None:
    """Order the set-up of the Americans."""
    for unit, at in SET_UP.items():
        board.order(f"place {unit} {at}")


def carried(sender: LobbyPlayer, reader: Path) -> Path:
    """The file that the browser saves by a click, in the reader's folder for what arrives.

    Where the sender has nothing new to send, there is no such button, and the page is asked for it.
    """
    arrived = reader / "arrived"
    arrived.mkdir(parents=True, exist_ok=True)
    if sender.is_shown("#save-file"):
        saved = sender.browser.saved_by(lambda: sender.click("#save-file"))
        assert sender.text("#file-place").startswith("On this computer it is in ")
        return Path(shutil.move(saved, arrived / "game.yaml"))
    name, data = sender.browser.wait(
        "const done = arguments[0]; transport.ask('file').then((it) => done([it.name, atob(it.data)]));"
    )
    file = arrived / str(name)
    file.write_bytes(data.encode("latin-1"))
    return file


def play_to_the_end(browser: Browser | Firefox, folder: Path) -> None:
    """Anna offers, Bruno joins; words, a draw refused, an undo, a plan, a resignation; then a rematch."""
    anna, bruno = folder / "anna", folder / "bruno"
    with visit(browser, anna) as player:
        player.begin_offer("Anna", "us")
        assert player.is_shown("#departure")
        assert "invites you to play Stand at Mortain" in browser.run(
            "return document.getElementById('departure-letter').value"
        )
        assert player.text("#departure-place").endswith(f"{player.file()}.")
        player.to_board("#departure-board")
        file = carried(player, bruno)
    with visit(browser, bruno) as player:
        assert player.open_file(file) == "Everything passes: all ten checks."
        player.fill("#join-name", "Bruno")
        player.fill("#join-say", "Good luck!")
        player.to_board("#join button")
        file = carried(player, anna)
    with visit(browser, anna) as player:
        player.open_file(file)
        assert player.text("#opened-says") == "Good luck!"
        board = player.to_board("#take-on")
        set_up(board)
        player.fill("#say", "Let us begin.")
        board.sign()
        player.click("#signed summary")
        player.click("#unsign")
        assert board.lines() == [f"place {unit} {at}" for unit, at in SET_UP.items()], "undone, and kept"
        board.sign()
        player.click("#this-game summary")
        player.click("#verify")
        assert len(board.texts("#checks li")) == 10
        file = carried(player, bruno)
    return finish(browser, anna, bruno, file)


def pass_on(browser: Browser | Firefox, folder: Path, file: Path, reader: Path) -> Path:
    """Do what is due, without any action on the map, and hand the file to the other."""
    with visit(browser, folder) as player:
        player.open_file(file)
        board = player.to_board("#take-on")
        if board.choice("pass"):
            board.sign()
        else:
            board.act("share")
        return carried(player, reader)


def plan_by_clicks(player: LobbyPlayer, board: BoardPlayer) -> None:
    """Make a step of a plan out of the order in the list, and conditions of the game and of a clicked hex."""
    player.click("#plan summary")
    assert board.choice("pass")
    player.fill("#plan-when", "nothing in range")
    board.hex(SET_UP["117Inf"])
    player.fill("#plan-when", "unit 117Inf attacked")
    player.click("#plan-chosen li:last-child button")
    assert player.text("#plan-chosen li:last-child").startswith("when not unit 117Inf attacked")
    player.click("#plan-step p > button")
    plan = PlanStore(board.local_player.home).plan(board.game())
    assert plan.text == "when nothing in range\nwhen not unit 117Inf attacked\ndo pass"
    player.click("#plan-arm")
    assert PlanStore(board.local_player.home).is_armed_here(board.game())
    player.click("#plan-arm")
    player.click("#clear")


def look_at_the_page(player: LobbyPlayer) -> None:
    """From the card of the end to the page that tells and proves the game, and back."""
    browser = player.browser
    board = browser.run("return location.href")
    browser.go(browser.run("return document.querySelector('#ending a[href=page]').href"))
    browser.wait(DONE)
    assert browser.run("return document.documentElement.dataset.proof") == "holds"
    browser.go(board)
    browser.wait(ARRIVED)
    browser.wait(QUIET)


PROPOSALS = ("takeback", "draw")


REPORTED = """
const done = arguments[0];
(function look() {
  if (document.getElementById("report").getClientRects().length) done(); else setTimeout(look, 200);
})();
"""


def look_at_the_report(player: LobbyPlayer) -> None:
    """Where the game turned, computed when the player asks, and its page; and back."""
    browser = player.browser
    board = browser.run("return location.href")
    player.click("#look-over")
    browser.wait(REPORTED)
    assert player.is_shown("#look-chart svg")
    browser.go(browser.run("return document.getElementById('report').href"))
    browser.wait(DONE)
    assert browser.run("return Boolean(document.querySelector('#chances svg'))")
    browser.go(board)
    browser.wait(ARRIVED)
    browser.wait(QUIET)


def finish(browser: Browser | Firefox, anna: Path, bruno: Path, file: Path) -> None:
    """Anna takes a move back, as Bruno lets her, and proposes a draw, which he refuses; she resigns.

    He looks at the end, and wants a rematch.
    """
    file = pass_on(browser, bruno, file, anna)
    proposed = list[str]()
    while len(proposed) < len(PROPOSALS):
        with visit(browser, anna) as player:
            player.open_file(file)
            board = player.to_board("#take-on")
            act = PROPOSALS[len(proposed)]
            asked = bool(board.texts("#choices button"))
            if asked and board.texts(f"[data-act={act}]"):
                if not proposed:
                    plan_by_clicks(player, board)
                board.act(act)
                proposed.append(act)
            elif board.texts("[data-act=share]"):
                board.act("share")
            else:
                if not board.choice("pass") and not board.lines():  # her set-up was taken back
                    set_up(board)
                board.sign()
            file = carried(player, bruno)
        with visit(browser, bruno) as player:
            player.open_file(file)
            board = player.to_board("#take-on")
            if board.texts("[data-act=no]"):
                words = board.texts("#answers p")[0]
                assert words.startswith('"Anna" proposes')
                board.act("yes" if "take back" in words else "no")
            elif board.choice("pass"):
                board.sign()
            elif board.texts("[data-act=share]"):
                board.act("share")
            file = carried(player, anna)
    with visit(browser, anna) as player:
        player.open_file(file)
        board = player.to_board("#take-on")
        board.act("resign")
        assert player.text("#ending h3") == "You have lost"
        file = carried(player, bruno)
    with visit(browser, bruno) as player:
        player.open_file(file)
        board = player.to_board("#take-on")
        assert player.text("#ending h3") == "You have won"
        assert player.text("#ending-why") == "the Americans have resigned"
        bodies = [entry.body for entry in board.game().entries]
        assert [body.accept for body in bodies if isinstance(body, Answer)] == [True, False]
        assert isinstance(bodies[-1], Resign)
        look_at_the_page(player)
        look_at_the_report(player)
        player.click("#rematch")
        browser.wait(REMATCH)
        assert browser.run("return document.querySelector('[name=seat]:checked').value") == "us"
        player.click("#begin-go")
        assert player.is_shown("#departure")
    offers = [game for game in LobbyPlayer(browser, bruno).games() if len(game.entries) == 1]
    assert [(game.offer.by, game.offer.to) for game in offers] == [
        ("us", bodies[0].seat.key if isinstance(bodies[0], Offer) else "")
    ]


def test_a_rematch_of_a_scenario_that_the_other_has_made(browser: Browser, tmp_path: Path) -> None:
    """It is the first to choose from, with its sides, and changes none of those that ship."""
    game = finish_own_scenario(Home(tmp_path / "anna"), Home(tmp_path / "bruno"))
    browser.set_width(1280)
    with visit(browser, tmp_path / "bruno") as player:
        (rematch,) = browser.run("return [...document.querySelectorAll('.games button')]")
        rematch.click()
        assert browser.run("return document.getElementById('begin-scenario').value") == "a-victory-lost"
        assert sorted(player.text(f"#begin-seat label:nth-child({n})") for n in (1, 2)) == [
            "Germans",
            "Soviets",
        ]
        player.click("#begin-go")
        offers = [one.offer for one in player.games()]
        assert [(one.scenario.name, one.by) for one in offers] == [("a-victory-lost", "first")] * 2
        assert offers[0].scenario == offers[1].scenario
        assert game in {one.ids[0] for one in player.games()}
        assert browser.complaints() == []


def test_the_sides_are_those_of_the_scenario_that_is_chosen(browser: Browser, tmp_path: Path) -> None:
    browser.set_width(1280)
    with visit(browser, tmp_path) as player:
        player.click("#begin-offer")
        player.fill("#begin-name", "Anna")
        assert not player.is_shown("#begin-scenario"), "Mortain ships one"
        player.fill("#begin-game", "tabletop")
        assert player.is_shown("#begin-scenario")
        player.click("#begin-seat [value=second]")
        player.fill("#begin-scenario", "chits")
        assert player.text("#begin-seat") == "NorthSouth"
        player.click("#begin-go")
        assert player.is_shown("#departure")
        (game,) = player.games()
        assert (game.offer.scenario.name, game.offer.by) == ("chits", "second")


def mail_by_account(browser: Browser | Firefox, folder: Path) -> None:
    """From the dialog after the offer, through a real server, to a file that the other opens in his lobby.

    He joins, and mails that from the board.
    """
    anna, bruno = folder / "anna", folder / "bruno"
    with run_mail_provider("anna", "bruno") as office:
        for name, home in (("anna", anna), ("bruno", bruno)):
            (home / "home").mkdir(parents=True)
            (home / "home" / "config.yaml").write_text(office.config(name))
        with visit(browser, anna) as player:
            player.begin_offer("Anna", "us")
            player.fill("#departure-to", "bruno@example.org")
            player.click("#departure-server")
            browser.wait(MAILED)
            assert "bruno@example.org" in player.text("#departure-done")
        (mail,) = office.mails_of("bruno")
        (bruno / "offer.eml").write_bytes(mail)
        with visit(browser, bruno) as player:
            assert player.open_file(bruno / "offer.eml") == "Everything passes: all ten checks."
            player.fill("#join-name", "Bruno")
            player.to_board("#join button")
            player.fill("#to", "anna@example.org")
            player.click("#by-server")
            assert player.text("#sent") == 'Sent to "Anna" <anna@example.org>.'
        (mail,) = office.mails_of("anna")
    (anna / "joined.eml").write_bytes(mail)
    with visit(browser, anna) as player:
        assert player.open_file(anna / "joined.eml") == "Everything passes: all ten checks."
        assert player.is_shown("#take-on")


def test_a_game_is_mailed_by_the_players_account(browser: Browser, tmp_path: Path) -> None:
    browser.set_width(1280)
    mail_by_account(browser, tmp_path)


def test_a_game_is_mailed_by_the_players_account_in_firefox(tmp_path: Path) -> None:
    with firefox(tmp_path) as browser:
        mail_by_account(browser, tmp_path)


def mail_by_program(browser: Browser | Firefox, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The desktop's mail program opens with the game attached; here a script notes what it is told."""
    programs, told = folder / "programs", folder / "told"
    programs.mkdir()
    for name, does in (
        ("xdg-mime", "echo org.gnome.Evolution.desktop"),
        ("xdg-email", f'printf "%s\\n" "$@" >{told}'),
    ):
        (programs / name).write_text(f"#!/bin/sh\n{does}\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("DISPLAY", ":7")
    with visit(browser, folder / "anna") as player:
        player.begin_offer("Anna", "us")
        player.fill("#departure-to", "bruno@example.org")
        player.click("#departure-program")
        browser.wait(MAILED)
        words = told.read_text("utf-8").splitlines()
        assert words[-1] == "mailto:bruno@example.org"
        attached = Path(words[words.index("--attach") + 1])
        assert attached.read_bytes() == player.file().read_bytes()


def test_a_mail_program_opens(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser.set_width(1280)
    mail_by_program(browser, tmp_path, monkeypatch)


def test_a_mail_program_opens_in_firefox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with firefox(tmp_path) as browser:
        mail_by_program(browser, tmp_path, monkeypatch)


def test_a_game_from_offer_to_result_in_two_homes(browser: Browser, tmp_path: Path) -> None:
    browser.set_width(1280)
    play_to_the_end(browser, tmp_path)


@pytest.mark.long
def test_a_game_from_offer_to_result_in_firefox(tmp_path: Path) -> None:
    with firefox(tmp_path) as browser:
        play_to_the_end(browser, tmp_path)
