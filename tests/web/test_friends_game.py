"""A friend's game from invitation to result: Anna has installed the program, Bruno has `pbem.html` alone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support.browsers import Browser
from support.edition_player import EditionPlayer, forget_all, restored_player, without_network
from support.friends_game import Anna, Bruno
from support.markers import Posix, requires

pytestmark = [pytest.mark.thorough, requires(Posix.BROWSER)]

SEATS = {"mortain": ("us", "german"), "rommel": ("allied", "axis")}
TURNS = {"mortain": 6, "rommel": 11}

CASES = [
    ("mortain", 1, "Bruno"),
    *(
        pytest.param(game, turns, offers, marks=pytest.mark.long)
        for game, whole in TURNS.items()
        for turns in (1, whole)
        for offers in ("Anna", "Bruno")
        if (turns, game, offers) != (1, "mortain", "Bruno")
    ),
]
"""Each game, how many turns it has, and who offers it: every day a short one."""


@pytest.mark.parametrize(("game", "turns", "offers"), CASES)
def test_from_invitation_to_result(
    game: str, turns: int, offers: str, edition: Path, browser: Browser, tmp_path: Path
) -> None:
    """Offering, joining and looking at the result by pointer; the game ends by its rules."""
    forget_all(browser)
    browser.set_width(1280)
    chooser = random.Random(7)
    with without_network(browser):
        anna = Anna(tmp_path / "anna", chooser)
        page = EditionPlayer(browser, edition)
        if offers == "Anna":
            invite(anna, game, turns, edition)
            page.edition = anna.folder / "invitation.html"
            join(page)
        else:
            page.open()
            anna.receive(offer(page, game, turns))
            anna.type("join", "game.yaml", "--name", "Anna")
        bruno = Bruno(page, restored_player(tmp_path / "bruno", *page.save_everything()), chooser)
        if offers == "Anna":
            (joined,) = bruno.home.store.games()
            anna.receive(bruno.play(joined.game))
        while not anna.game().state.ending:
            anna.receive(bruno.play(bruno.receive(anna.play())))
        assert page.choose_file(anna.folder / "game.yaml") == "Everything passes: all ten checks."
        page.click("#take button", page="#ending h3")
        assert page.is_shown("#ending")
        shown = page.text("#ending-why")
    ending = anna.game().state.ending
    assert ending
    assert ending.way == "rules"
    assert shown == str(ending.reason)
    anna.type("verify", "game.yaml")


def invite(anna: Anna, game: str, turns: int, edition: Path) -> None:
    """Anna offers a game by commands, and writes the invitation."""
    anna.type("new", game, "game.yaml", "--seat", SEATS[game][0], "--option", f"turns={turns}")
    anna.type("page", "game.yaml", "--invite", str(edition))


def join(page: EditionPlayer) -> None:
    """Bruno opens the invitation, joins by pointer, and goes to the lobby."""
    page.open()
    page.await_page("#opened[open]")
    page.fill("#join-name", "Bruno")
    page.click("#join button", page="#prompt")
    page.click("#home", page="#games li")


def offer(page: EditionPlayer, game: str, turns: int) -> bytes:
    """Bruno offers a game by pointer; its file."""
    page.click("#begin-offer")
    page.fill("#begin-name", "Bruno")
    page.fill("#begin-game", game)
    page.click(f"#begin-seat [value={SEATS[game][0]}]")
    page.browser.run("for (const one of document.querySelectorAll('#begin details')) one.open = true")
    page.fill("#begin-options [data-option=turns]", str(turns))
    page.click("#begin-go")
    page.click("#departure-save")
    saved = page.saved()
    page.click("#departure .shut")
    return saved
