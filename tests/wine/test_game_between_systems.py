"""Linux and Windows play each other, and a home goes from one to the other."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from support.homes import Home, play_half_a_game
from support.programs import Program, current_program
from support.windows_program import WindowsProgram

pytestmark = pytest.mark.wine


@pytest.fixture(scope="module")
def linux() -> Iterator[Program]:
    with current_program() as running:
        yield running


@pytest.fixture(scope="module")
def windows() -> Iterator[Program]:
    with WindowsProgram() as running:
        yield running


@pytest.mark.long
@pytest.mark.parametrize("windows_offers", [True, False])
@pytest.mark.parametrize(("game", "seat"), [("mortain", "german"), ("rommel", "axis")])
def test_a_game(
    game: str, seat: str, windows_offers: bool, linux: Program, windows: Program, tmp_path: Path
) -> None:
    """By mails and files, with a take-back and plans; then each home goes on, copied, on the other system."""
    programs = (windows, linux) if windows_offers else (linux, windows)
    anna, bruno = play_half_a_game(game, seat, programs, tmp_path)
    copies = moved(anna, programs[1], tmp_path), moved(bruno, programs[0], tmp_path)
    for giver, taker in (copies[::-1], copies):
        giver.play()
        giver.mail_to(taker, known=True)
    assert copies[0].ids == copies[1].ids
    assert len(copies[0].ids) > len(anna.ids)
    assert copies[0].ids[: len(anna.ids)] == anna.ids
    to_the_end(copies)


def to_the_end(players: tuple[Home, Home]) -> None:
    """They play by mail, and now and then hand the file over; both programs find the same result proven."""
    giver, taker = players
    for number in count():
        giver.play()
        if giver.ids == taker.ids:
            giver, taker = taker, giver
            giver.play()
            if giver.ids == taker.ids:
                break
        if number % 5:
            giver.mail_to(taker, known=True)
        else:
            giver.hand_to(taker)
        giver, taker = taker, giver
    for player in players:
        told = player.type("verify", player.file)
        assert "10 passes" in told
        assert "the game is over" in told
    assert giver.data == taker.data


def moved(player: Home, program: Program, folder: Path) -> Home:
    """The player at another computer, where a program finds all that is his in a copy of his folder."""
    copied = shutil.copytree(player.folder, folder / "elsewhere" / player.folder.name)
    settings = copied / "home" / "config.yaml"
    before, after = f"{player.program.drive}{player.folder}", f"{program.drive}{copied}"
    settings.write_text(settings.read_text("utf-8").replace(before, after), "utf-8")
    new = replace(player, program=program, folder=copied)
    for command in (["key"], ["plan", player.file], ["show", player.file, "--json"]):
        assert told(new, *command) == told(player, *command)
    return new


def told(player: Home, *command: str) -> str:
    """What the program tells a player, with paths as POSIX writes them, from his folder on."""
    text = player.type(*command).replace("\\\\", "/").replace("\\", "/")
    return text.replace(f"{player.program.drive}{player.folder}/", "")
