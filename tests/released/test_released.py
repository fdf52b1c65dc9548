"""What each release has left in the world is verified and played on from, for ever (docs/RELEASING.md)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from pbem.umpire.verify import open_game
from pbem.web.game_page import checker_page
from released.make import FOLDER, STUDY, WITH_PATHS
from support.browsers import Browser
from support.homes import Home
from support.programs import ROOT, Program
from support.simulator import is_over
from web.test_checker import checker_verdict as checked

RELEASES = sorted(path for path in (ROOT / "tests" / "released").iterdir() if (path / "games").is_dir())

pytestmark = [
    pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name),
    pytest.mark.thorough,
]


def players(program: Program, situation: Path, into: Path) -> dict[str, Home]:
    """A situation's players, by name, in another folder, and with their keys to themselves."""
    shutil.copytree(situation, into)
    for path in into.rglob("*"):
        if path.name in WITH_PATHS:
            path.write_text(path.read_text("utf-8").replace(FOLDER, str(into.parent)), "utf-8")
        if path.name == "key":
            path.chmod(0o600)
    for home in into.iterdir():
        for name in ("cur", "new", "tmp"):
            (home / "mail" / name).mkdir(parents=True, exist_ok=True)
    return {home.name: Home(program, home) for home in into.iterdir()}


def both(program: Program, release: Path, situation: str, into: Path) -> tuple[Home, Home]:
    """Anna and Bruno in a situation."""
    found = players(program, release / "homes" / situation, into / situation)
    return found["anna"], found["bruno"]


def play_on(anna: Home, bruno: Home) -> None:
    """By files, for some rounds; it is the same game for both, and verified."""
    for _ in range(MOST):
        for giver, taker in ((anna, bruno), (bruno, anna)):
            giver.play()
            giver.hand_to(taker)
        if is_over(open_game(anna.data)):
            break
    assert anna.ids == bruno.ids
    for player in (anna, bruno):
        assert "passes" in player.type("verify", player.file)


MOST = 30 if os.environ.get("PBEM_LONG") else 3
"""Times that a file goes to and fro; in a game it does so about fifty times."""


def test_finished_games(release: Path, now: Program, tmp_path: Path) -> None:
    for file in sorted((release / "games").glob("*.yaml")):
        done = now.run(tmp_path, "verify", str(file))
        assert not done.code, done.err
        assert is_over(open_game(file.read_bytes()))


def test_a_mail_on_its_way(release: Path, now: Program, tmp_path: Path) -> None:
    anna, bruno = both(now, release, "on_the_way", tmp_path)
    bruno.receive((bruno.folder / "late.eml").read_bytes())
    bruno.type("mail", "fetch")
    assert bruno.ids == anna.ids
    play_on(bruno, anna)


def test_a_part_that_came_early(release: Path, now: Program, tmp_path: Path) -> None:
    """It is joined once the mail before it has come."""
    anna, bruno = both(now, release, "awaited", tmp_path)
    assert anna.ids[: len(bruno.ids)] == bruno.ids != anna.ids
    assert "--reply-problem" in bruno.type()
    bruno.receive((bruno.folder / "late.eml").read_bytes())
    bruno.type("mail", "fetch")
    assert bruno.ids == anna.ids
    play_on(bruno, anna)


def test_a_set_up_under_a_seal(release: Path, now: Program, tmp_path: Path) -> None:
    anna, bruno = both(now, release, "sealed", tmp_path)
    assert b"seal" in anna.data
    play_on(bruno, anna)


def test_a_draft(release: Path, now: Program, tmp_path: Path) -> None:
    """The lead takes in what his commander has signed, and verifies it."""
    lead, _ = both(now, release, "shared", tmp_path)
    lead.type("move", lead.file, "--setup", "historical", "--with", "carla.draft")
    assert "passes" in lead.type("verify", lead.file)
    assert b"parts:" in lead.data


def test_a_take_back(release: Path, now: Program, tmp_path: Path) -> None:
    """It is granted: of whole entries in games of 0.1.0, of orders alone since (FORMAT 12)."""
    anna, bruno = both(now, release, "taken_back", tmp_path)
    asks, asked = (anna, bruno) if open_game(anna.data).state.writer == "german" else (bruno, anna)
    asked.type("answer", asked.file, "yes")
    asked.hand_to(asks)
    alone = b"retract" in anna.data
    granted = "have to be given again" if alone else "the game goes back to how it was after entry"
    assert granted in asks.type("log", asks.file)
    play_on(anna, bruno)


def test_a_plan_and_a_wish(release: Path, now: Program, tmp_path: Path) -> None:
    """Each plan is armed as it was; the wish and the words wait, and the wish can be withdrawn."""
    anna, bruno = both(now, release, "planned", tmp_path)
    for player in (anna, bruno):
        assert "armed" in player.type("plan", player.file).lower()
    (waits,) = (player for player in (anna, bruno) if "draw offer" in player.type("show", player.file))
    assert "A long week, sorry!" in waits.type("say", waits.file)
    waits.type("propose", waits.file, "draw", "--withdraw")
    play_on(anna, bruno)


def test_mails(release: Path, now: Program, tmp_path: Path) -> None:
    """A new home finds the game in them."""
    anna, bruno = both(now, release, "on_the_way", tmp_path)
    new = Home(now, tmp_path / "new")
    shutil.copytree(bruno.folder / "mail", new.folder / "mail")
    new.type("key")
    found = new.type("show", "mail")
    assert "Stand at Mortain" in found
    assert anna.ids[0][:12] in found


def test_a_study(release: Path, now: Program, tmp_path: Path) -> None:
    """The same command plays no game more, and its table is the same, byte for byte."""
    shutil.copytree(release / "study", tmp_path / "study")
    done = now.run(tmp_path, *STUDY)
    assert not done.code, done.err
    for name in ("games.csv", "games.jsonl"):
        assert (tmp_path / "study" / name).read_bytes() == (release / "study" / name).read_bytes()


def test_a_clubs_table(release: Path, now: Program, tmp_path: Path) -> None:
    """The same games make the same table; `pbem club check` finds nothing that differs."""
    done = now.run(
        tmp_path, "club", "check", str(release / "club" / "standings.json"), str(release / "games")
    )
    assert not done.code, done.out + done.err


def test_pages(release: Path, browser: Browser) -> None:
    """Each proves itself in a browser."""
    for page in sorted((release / "pages").glob("[!c]*.html")):
        assert browser.open(page).proof == "holds"


def test_pages_in_the_checker(release: Path, browser: Browser, tmp_path: Path) -> None:
    """Each holds in today's checker, which reads its map too."""
    (tmp_path / "check.html").write_bytes(checker_page())
    for page in sorted((release / "pages").glob("[!c]*.html")):
        browser.go((tmp_path / "check.html").as_uri())
        assert checked(browser, page)[:2] == ("holds", None)
