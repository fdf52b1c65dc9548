"""Commanders at the command line: named, given the game, drafting, joined; what is refused loses nothing."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.app import run
from pbem.format.yaml_reader import parse_yaml
from pbem.player.local_player import LocalPlayer
from pbem.web.board_page import board_page
from pbem.web.board_session import BoardSession
from support.terminal import ENTER, Screen

pytestmark = pytest.mark.thorough

HOMES = ("rommel", "graziani", "monty", "freyberg")


class Table:
    """Four people, each with a home; the file goes from hand to hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._set, self._capsys = monkeypatch, capsys
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
        for name in HOMES:
            key = self.types(name, "key").splitlines()[1]
            Path(f"{name}.pub").write_text(f"{key}\n")

    def types(self, who: str, *words: str, code: int = 0) -> str:
        """What somebody types, and reads."""
        self._set.setenv("PBEM_HOME", str(Path(who).absolute()))
        found = run(list(words))
        out = self._capsys.readouterr()
        assert found == code, out
        return out.out + out.err

    def begin(self) -> None:
        """Both sides are shared."""
        new = ("--seat", "axis", "--name", "Rommel", "--commander", "italian=graziani.pub")
        self.types("rommel", "new", "rommel", "g.yaml", *new, "--option", "air_subturns=1")
        self.types(
            "monty", "join", "g.yaml", "--name", "Monty", "--commander", "commonwealth,greek=freyberg.pub"
        )


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Table:
    monkeypatch.chdir(tmp_path)
    return Table(monkeypatch, capsys)


def test_who_commands_what_is_said(table: Table) -> None:
    table.begin()
    said = table.types("graziani", "show", "g.yaml")
    assert '"graziani" (italian) (you)' in said
    assert '"freyberg" (commonwealth, greek)' in said
    assert "Type: pbem orders g.yaml" in said
    assert '"graziani" (italian)' in table.types("rommel", "log", "g.yaml")
    for who in ("graziani", "rommel", "monty"):
        listed = " ".join(table.types(who, "games").split())
        assert 'Axis: "Rommel" with "graziani" (italian), Allied: "Monty" with "freyberg"' in listed
    assert "You are a commander in this game. Type: pbem orders g.yaml" in table.types("graziani")
    assert "You are a commander" not in table.types("rommel") + table.types("monty")


def test_his_units_come_first(table: Table) -> None:
    """In the lists of the map, the two nations of the Axis in another sequence for each of the two."""
    table.begin()
    for _ in range(2):
        table.types("rommel", "move", "g.yaml", "--setup", "historical")
    for name, first, second in (("graziani", "\nItalian", "\nGerman"), ("rommel", "\nGerman", "\nItalian")):
        lists = table.types(name, "show", "g.yaml", "--whole").partition("AXIS")[2]
        assert 0 <= lists.index(first) < lists.index(second)


def test_who_commands_what_stands_in_the_file_and_on_the_board(table: Table) -> None:
    """The page for reading takes them from the log that it has proved: `web/test_checker.py`."""
    table.begin()
    told = 'Axis: "graziani" (italian); Allied: "freyberg" (commonwealth, greek)'
    top: Any = parse_yaml(Path("g.yaml").read_bytes())
    assert top["status"]["commanders"] == told
    player = LocalPlayer(Path("rommel"))
    board = board_page(
        BoardSession(player, player.open(Path("g.yaml").read_bytes()), Path("g.yaml"))
    ).decode()
    assert f"commanders: {told}" in board.replace("&quot;", '"')


def test_a_draft_comes_into_the_entry(table: Table) -> None:
    table.begin()
    assert "Signed by you: place" in table.types(
        "graziani", "orders", "g.yaml", "--setup", "historical", "-o", "d"
    )
    assert Path("d").stat().st_size < 1000
    table.types("rommel", "move", "g.yaml", "--setup", "historical", "--with", "d", "--dry-run")
    said = table.types("rommel", "move", "g.yaml", "--setup", "historical", "--with", "d")
    assert '"graziani" (italian) signs: place' in said
    assert 'signed by "graziani" (italian)' in " ".join(said.split())
    assert "verified" in table.types("monty", "verify", "g.yaml")
    late = table.types("rommel", "move", "g.yaml", "--setup", "historical", "--with", "d", code=1)
    assert "this draft is late: it continues from entry 1" in late
    assert "3 entries" in table.types("rommel", "verify", "g.yaml")


def test_the_lead_may_go_on_without_a_draft(table: Table) -> None:
    table.begin()
    said = table.types("rommel", "move", "g.yaml", "--setup", "historical")
    assert 'no draft from "graziani" (italian) has arrived, so you give those orders' in said
    assert 'by the lead instead of "graziani" (italian): place' in " ".join(said.split())


def test_a_draft_that_lies_there_is_told(table: Table) -> None:
    table.begin()
    table.types("graziani", "orders", "g.yaml", "--setup", "historical")
    said = table.types("rommel", "move", "g.yaml", "--setup", "historical", "--dry-run")
    assert "there is a draft in rommel-" in said


ALLIED = ("british", "commonwealth", "greek")

NEW = "new rommel m --seat axis --commander "

REFUSED = (
    ("rommel", "new mortain m --seat us --commander us=monty.pub", 1, "M1: the sides of Stand at Mortain"),
    ("rommel", "new mortain m --seat us --shared", 1, "M1: the sides of Stand at Mortain cannot be shared"),
    ("rommel", f"{NEW} polish=monty.pub", 2, "french, german, italian, not 'polish'"),
    (
        "rommel",
        f"{NEW} greek=monty.pub",
        1,
        "the Axis has no group 'greek' to command: choose german or italian (R9.1)",
    ),
    ("rommel", f"{NEW} italian", 2, "'italian' is not GROUP=WHO, such as"),
    ("rommel", f"{NEW} italian=x", 2, "'x' contains no key: give the key that pbem key prints"),
    (
        "rommel",
        f"{NEW} italian=rommel.pub",
        1,
        "the commander of italian units has a key that is already in this game",
    ),
    (
        "rommel",
        f"{NEW} italian=graziani.pub --commander german=freyberg.pub --practice --commander greek=practice",
        1,
        "R9.2: besides the two leads, at most two commanders are allowed, for both sides together; "
        "with these there are 3",
    ),
    (
        "graziani",
        "orders g.yaml 'place 125Inf 1704'",
        3,
        "R9.1: a commander of italian units may not order",
    ),
    ("graziani", "orders g.yaml", 3, "there are no orders yet"),
    ("freyberg", "orders g.yaml pass", 4, "the Allies are not due to give orders now"),
    ("monty", "orders g.yaml pass", 4, "you do not command any units in this game"),
    ("graziani", "move g.yaml pass", 4, "you are a commander of the Axis, and "),
    ("rommel", "move g.yaml --with g.yaml", 1, "this is not a commander's draft"),
    ("rommel", "move g.yaml --with nowhere", 1, "cannot be read"),
    ("rommel", "show d", 1, "this is a commander's draft, not a game file"),
    ("rommel", "verify d", 1, "this is a commander's draft, not a game file"),
    ("rommel", "mail share g.yaml", 1, "there is no server to send with"),
)


def test_a_third_commander_is_refused_when_a_seat_is_taken(table: Table) -> None:
    """R9.2: three for the side that offers; a third with the second seat, which may be taken without."""
    three = [f"--commander={group}={who}.pub" for group, who in zip(ALLIED, HOMES[:3], strict=True)]
    said = table.types("freyberg", "new", "rommel", "three.yaml", "--seat", "allied", *three, code=1)
    assert "at most two commanders are allowed" in said
    assert not Path("three.yaml").exists()
    offer = ("new", "rommel", "two.yaml", "--seat", "allied", *three[:2])
    table.types("freyberg", *offer)
    before = Path("two.yaml").read_bytes()
    said = table.types("monty", "join", "two.yaml", "--commander", "italian=practice", code=1)
    assert "at most two commanders are allowed" in said
    assert Path("two.yaml").read_bytes() == before
    table.types("monty", "join", "two.yaml")
    assert "verified" in table.types("rommel", "verify", "two.yaml")


@pytest.mark.parametrize(("who", "words", "code", "said"), REFUSED)
def test_refused(table: Table, who: str, words: str, code: int, said: str) -> None:
    table.begin()
    table.types("graziani", "orders", "g.yaml", "--setup", "historical", "-o", "d")
    before = Path("g.yaml").read_bytes()
    assert said in table.types(who, *shlex.split(words), code=code)
    assert Path("g.yaml").read_bytes() == before


def test_an_offer_without_commanders_takes_none(table: Table) -> None:
    table.types("rommel", "new", "rommel", "g.yaml", "--seat", "axis", "--name", "R")
    said = table.types("monty", "join", "g.yaml", "--commander", "greek=freyberg.pub", code=1)
    assert "this game was offered without commanders" in said
    assert "needs: [bound, retract]" in Path("g.yaml").read_text()


def test_the_program_takes_one_nationality(table: Table) -> None:
    who = ("--seat", "axis", "--name", "Rommel", "--practice", "--commander", "italian=practice")
    table.types("rommel", "new", "rommel", "g.yaml", *who, "--option", "air_subturns=1")
    for _ in range(2):
        said = table.types("rommel", "move", "g.yaml", "--setup", "historical")
        assert "you give those orders" in said
    while "the computer signs: move" not in (said := table.types("rommel", "move", "g.yaml", "pass")):
        assert "the computer signs: no orders" in said
    assert 'signed by "Computer" (italian)' in " ".join(said.split())
    assert "verified" in table.types("rommel", "verify", "g.yaml")


def test_the_program_takes_one_nationality_of_its_own_side(table: Table) -> None:
    who = ("--seat", "axis", "--name", "Rommel", "--practice", "--commander", "commonwealth,greek=practice")
    said = table.types("rommel", "new", "rommel", "g.yaml", *who, "--option", "air_subturns=1")
    assert '"Computer" (commonwealth, greek)' in said
    for _ in range(2):
        table.types("rommel", "move", "g.yaml", "--setup", "historical")
    assert 'signed by "Computer" (commonwealth, greek)' in " ".join(
        table.types("rommel", "log", "g.yaml").split()
    )
    assert "verified" in table.types("rommel", "verify", "g.yaml")


@pytest.mark.thorough
def test_at_the_prompt(table: Table) -> None:
    """The commander is asked for his own units; the lead takes his draft in by a word."""
    table.begin()
    screen = Screen(Path(), 100, 40, "orders", "g.yaml", PBEM_HOME="graziani")
    screen.wait_for_prompt('What you sign is a draft for "Rommel": your orders for italian.')
    screen.type("place 125Inf 1704" + ENTER)
    screen.wait_for_prompt("R9.1: a commander of italian units may not order")
    screen.type("\x15setup historical" + ENTER)
    screen.wait_for_prompt("", "Order 2 (Return to finish): ")
    screen.type(ENTER)
    screen.wait_for("Orders: ", "Sign and save? [y/n]: ")
    screen.type("y" + ENTER)
    assert screen.wait_for_end() == 0
    screen.close()
    screen = Screen(Path(), 100, 40, "move", "g.yaml", PBEM_HOME="rommel")
    screen.wait_for_prompt('"graziani" (italian) has signed: place')
    screen.type("drafts" + ENTER)
    screen.wait_for_prompt("Not finished yet. ")
    screen.type("setup historical" + ENTER)
    screen.wait_for("Orders: ", "Sign and save? [y/n]: ")  # now nothing is missing
    screen.type("y" + ENTER)
    screen.wait_for_prompt("place everything that is left")
    screen.type("quit" + ENTER)
    assert screen.wait_for_end() == 0
    screen.close()
    told = table.types("monty", "log", "g.yaml")
    assert 'signed by "graziani" (italian)' in " ".join(told.split())


@pytest.mark.thorough
def test_the_program_commands_at_the_prompt(table: Table) -> None:
    """What it orders is taken in once the lead has done, and he sees it before he signs."""
    who = ("--seat", "axis", "--name", "Rommel", "--practice", "--commander", "italian=practice")
    table.types("rommel", "new", "rommel", "g.yaml", *who, "--option", "air_subturns=1")
    for _ in range(2):
        table.types("rommel", "move", "g.yaml", "--setup", "historical")
    while "ground_move" not in table.types("rommel", "show", "g.yaml", "--json"):
        table.types("rommel", "move", "g.yaml", "pass")
    screen = Screen(Path(), 100, 80, "move", "g.yaml", PBEM_HOME="rommel")  # the map and all lines fit
    screen.wait_for_prompt("is the computer: it gives orders to what you leave it")
    screen.type("pass" + ENTER)
    screen.wait_for('"Computer" (italian) has signed: move ', "Sign and save? [y/n]: ")
    screen.type("y" + ENTER)
    screen.wait_for_prompt("")
    screen.type("quit" + ENTER)
    screen.close()
    told = table.types("rommel", "log", "g.yaml")
    assert 'signed by "Computer" (italian)' in " ".join(told.split())


def test_a_commander_sees_what_his_units_may_do_first(table: Table) -> None:
    who = ("--seat", "axis", "--name", "Rommel", "--practice", "--commander", "italian=graziani.pub")
    table.types("rommel", "new", "rommel", "g.yaml", *who, "--option", "air_subturns=1")
    for _ in range(2):
        table.types("rommel", "move", "g.yaml", "--setup", "historical")
    while "move UNIT to HEX" not in table.types("rommel", "moves", "g.yaml"):
        table.types("rommel", "move", "g.yaml", "pass")
    said = table.types("graziani", "moves", "g.yaml")
    own = said.partition("Units you command:\n")[2].partition("All units of your side:\n")[0]
    assert "move 62-Tre" in own or "move 27-Pav" in own, "either may have been bombed"
    assert "move Ramcke-" not in own
    assert "move Ramcke-" in said
    assert "Units you command" not in table.types("rommel", "moves", "g.yaml")
