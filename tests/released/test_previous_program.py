"""Release 0.1.0 and today's program play each other, and today's takes over a home folder of 0.1.0.

Games that 0.1.0 has offered go on by the rules that it knows; today's offers it refuses by name (FORMAT 12).
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.test_versions import SUPPRESSION
from pbem.umpire.verify import open_game
from support.homes import Home, make_home, play_half_a_game
from support.programs import Program, altered_program, earlier_program, next_command

pytestmark = pytest.mark.thorough

BEFORE = "7d8f2b91091a208029514bc6518275ee9919be53"
"""Release 0.1.0."""


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    with earlier_program(tmp_path_factory.mktemp("before"), BEFORE) as running:
        yield running


@pytest.mark.parametrize(
    ("game", "seat", "joins_today"),
    [
        pytest.param("mortain", "german", True, id="mortain-today's joins"),
        pytest.param("rommel", "axis", False, id="rommel-today's has offered", marks=pytest.mark.long),
        pytest.param("mortain", "german", False, id="mortain-today's has offered"),
        pytest.param("rommel", "axis", True, id="rommel-today's joins", marks=pytest.mark.long),
    ],
)
def test_half_a_game(
    game: str, seat: str, joins_today: bool, before: Program, now: Program, tmp_path: Path
) -> None:
    """By mails, then by files, with a move taken back and a plan; then by today's program at both homes.

    0.1.0 makes the offer. Today's program joins it, or takes over the home of whoever has made it.
    """
    programs = (before, now) if joins_today else (now, before)
    anna, bruno = play_half_a_game(game, seat, programs, tmp_path, offers=before)
    assert not open_game(anna.data).offer.needs
    taken_over(anna if joins_today else bruno, now)
    both = replace(anna, program=now), replace(bruno, program=now)
    for giver, taker in (both[::-1], both):
        giver.play()
        giver.mail_to(taker, known=True)
    assert anna.ids == bruno.ids


def taken_over(old: Home, now: Program) -> None:
    """Today's program finds key, games, plan and bookmark of a home as the former one has left them."""
    new = replace(old, program=now)
    lasting = [old.folder / "home" / "key", *(old.folder / "home" / "games").rglob("*.yaml")]
    kept = [path.read_bytes() for path in lasting]
    for command, lasts in (
        (("key",), r"SHA256:\S+"),
        (("plan", old.file), r"(?m)^ +(?:\d|when|do|despite).*"),
    ):
        told = [re.findall(lasts, player.type(*command)) for player in (new, old)]
        assert told[0] == told[1] != []
    listed = [json.loads(player.type("games", "--json")) for player in (old, new)]
    known = [
        [{key: one[key] for key in ("game", "entries", "head", "file")} for one in every] for every in listed
    ]
    assert known[0] == known[1] != []
    assert old.file not in new.type("mail", "fetch"), "all mails have been read"
    assert [path.read_bytes() for path in lasting] == kept


@pytest.mark.long
@pytest.mark.parametrize("leads_before", [True, False], ids=["before leads", "today's leads"])
def test_a_commander(leads_before: bool, before: Program, now: Program, tmp_path: Path) -> None:
    """A lead's program is not that of the commander, nor of the other side, which sets up unseen.

    0.1.0 makes the offer.
    """
    programs = (before, now) if leads_before else (now, before)
    lead, other = make_home(programs[0], tmp_path / "anna"), make_home(programs[1], tmp_path / "bruno")
    commander = make_home(programs[1], tmp_path / "carla")
    key = next(line for line in commander.type("key").splitlines() if line.startswith("ssh-ed25519"))
    (lead.folder / "carla.pub").write_text(f"{key}\n", "utf-8")
    shared = ("--commander", "italian=carla.pub", "--name", "Anna")
    offering = replace(lead, program=before)
    offering.type("new", "rommel", "game.yaml", "--seat", "axis", *shared)
    offering.mail_to(other)
    other.type("join", "--name", "Bruno")
    turns = 0
    while sum(b"parts:" in line for line in lead.data.splitlines()) < 2:
        turns += 1
        assert turns < 5, "each set-up of the Axis is of both"
        other.play()
        if other.ids != lead.ids:
            other.mail_to(lead)
        if (command := next_command(lead.folder, lead.file)) and len(command) > 2:
            lead.hand_to(commander)
            commander.type("orders", commander.file, "--setup", "historical", "-o", f"{turns}.draft")
            shutil.copy(commander.folder / f"{turns}.draft", lead.folder)
            lead.type("move", lead.file, "--setup", "historical", "--with", f"{turns}.draft")
        else:
            lead.play()
        lead.mail_to(other)
    for player in (lead, other, commander):
        player.type("verify", player.file)
    assert lead.ids == other.ids


def test_an_offer_of_today(before: Program, now: Program, tmp_path: Path) -> None:
    """0.1.0 refuses it, says which extensions it needs and what to do, and leaves it alone (FORMAT 4)."""
    anna, bruno = make_home(now, tmp_path / "anna"), make_home(before, tmp_path / "bruno")
    anna.type("new", "mortain", "game.yaml", "--seat", "german", "--name", "Anna")
    offer = anna.data
    (bruno.folder / "game.yaml").write_bytes(offer)
    for command in ("show", "join", "verify"):
        told = " ".join(bruno.type(command, "game.yaml", code=1).split())
        assert "bound" in told
        assert "retract" in told
        assert "this takes a newer pbem than yours, which is 0.1.0" in told
        assert (bruno.folder / "game.yaml").read_bytes() == offer
    replace(bruno, program=now).type("join", "game.yaml", "--name", "Bruno")


def test_what_it_cannot_read(before: Program, now: Program, tmp_path: Path) -> None:
    """An offer by rules of a later version: told and left alone, and played by a program that has them."""
    with altered_program(tmp_path / "later", SUPPRESSION) as later:
        anna, bruno = make_home(later, tmp_path / "anna"), make_home(before, tmp_path / "bruno")
        anna.type("new", "mortain", "game.yaml", "--seat", "german", "--name", "Anna")
        mail = anna.mail_to(bruno, code=None)  # 1 before the first release, 0 since: an offer stops nothing
        (bruno.folder / "game.yaml").write_bytes(mail)
        kept = (bruno.folder / "home" / "key").read_bytes()
        for player, lacks in (
            (bruno, "this takes a newer pbem than yours"),
            (replace(bruno, program=now), "needs the rules 'mortain/2'"),
        ):
            for command in ("show", "join", "verify"):
                assert lacks in player.type(command, "game.yaml", code=1)
            assert (bruno.folder / "game.yaml").read_bytes() == mail
        assert (bruno.folder / "home" / "key").read_bytes() == kept
        replace(bruno, program=later).type("join", "game.yaml", "--name", "Bruno")
