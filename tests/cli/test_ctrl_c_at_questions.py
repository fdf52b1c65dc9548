"""Control-C and Control-D at every question that the program asks, at four sizes: one line, and nothing done.

One of `mail setup` needs a server that says something of a domain: `test_mail_setup.py`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from pbem.format.key_file import change_passphrase, read_key
from support.terminal import END, ENTER, INTERRUPT, Screen
from support.transcripts import Step, perform_steps

pytestmark = pytest.mark.thorough

SIZES = ((140, 40), (80, 24), (60, 24), (40, 30))
FLIGHT = (
    Step("anna", "pbem new rommel --seat axis", 0),
    Step("bruno", "pbem join rommel.yaml", 0),
    Step("anna", "pbem move rommel.yaml --setup historical", 0),
    Step("anna", "pbem move rommel.yaml --setup historical", 0),
    Step("bruno", "pbem move rommel.yaml --setup historical", 0),
    Step("anna", "pbem move rommel.yaml", 0),
    Step("bruno", "pbem move rommel.yaml --setup historical", 0),
    Step("anna", "pbem move rommel.yaml", 0),
    Step("bruno", "pbem move rommel.yaml 'fly Spit-1 to 2108'", 0),
    Step("anna", "pbem move rommel.yaml 'stand down'", 0),
    Step("bruno", "pbem show rommel.yaml", 0),  # so that his shelf has all before
)
OWN = (Step("anna", "pbem new mortain own.yaml --seat us", 0),)
JOINED = (*OWN, Step("anna", "pbem join own.yaml --solitaire", 0))
SCENARIO = (
    Step("bruno", "pbem scenario write own-scenario.yaml", 0),
    Step("bruno", "sed -i 's/^name: .*/name: own/; s/^title: .*/title: Own/' own-scenario.yaml", 0),
    Step("bruno", "pbem new mortain theirs.yaml --seat us --scenario own-scenario.yaml", 0),
)


class Question(NamedTuple):
    """A question, by the text that it ends with; the command that asks it, and what is typed before.

    `before` are commands that come first; `home` is the folder of the player.
    """

    command: tuple[str, ...]
    asks: str
    typed: tuple[tuple[str, str], ...] = ()
    before: tuple[Step, ...] = ()
    home: str = "anna"


NOBODY = "http://127.0.0.1:9"
"""Who asks a domain for its servers here gets no answer."""
MOVE = ("move", "mortain.yaml")
SETUP = ("mail", "setup", "anna@example.org")
READING = (("such as imap.example.org: ", "127.0.0.1:9"),)
SENDING = (*READING, (":587: ", "127.0.0.1:9"))
NAMED = (*SENDING, ("]: ", ""))
SETTINGS = (
    Step(
        "anna",
        "printf 'mail:\\n  address: anna@example.org\\n  imap:\\n    host: localhost\\n    port: 9\\n"
        "    security: tls\\n    user: anna\\n    password_command: [echo]\\n' > homes/anna/config.yaml",
        0,
    ),
)
BAD = (Step("anna", "printf 'From: b@example.org\\n\\npbem: 1\\nlog: cut\\n' > bad.eml", 0),)
QUESTIONS = {
    "order": Question(MOVE, "Order: "),
    "next order": Question(MOVE, "Order 2 (Return to finish): ", (("Order: ", "enter DF 1903"),)),
    "refused": Question(MOVE, "Order: enter DF 1801", (("Order: ", "enter DF 1801"),)),
    "sign": Question(MOVE, "Sign and save? [y/n]: ", (("Order: ", "pass"),)),
    "resign": Question(("resign", "mortain.yaml"), "? [y/n]: "),
    "newest": Question((*MOVE, "pass"), "that you know? [y/n]: ", home="forgetful"),
    "own offer": Question(("join", "own.yaml"), "sides? [y/n]: ", before=OWN),
    "undo a join": Question(("undo", "own.yaml"), "then? [y/n]: ", before=JOINED),
    "own scenario": Question(("join", "theirs.yaml"), "Play it? [y/n]: ", before=SCENARIO),
    "losses": Question(("move", "rommel.yaml", "stand down"), "anyway? [y/n]: ", before=FLIGHT, home="bruno"),
    "key": Question(("key", "--passphrase"), "New passphrase: "),
    "key again": Question(
        ("key", "--passphrase"), "Repeat for confirmation: ", (("New passphrase: ", "sesame"),)
    ),
    "backup": Question(("backup", "anna.age"), "or type your own: "),
    "passphrase": Question((*MOVE, "pass"), "Passphrase of your key: ", home="locked"),
    "address": Question(("mail", "send", "mortain.yaml"), 'Mail address of "Anna": ', home="bruno"),
    "own address": Question(("mail", "setup"), "Your mail address: "),
    "trust": Question(("mail", "trust", "mortain.yaml"), 'the key of "Bruno"? [y/n]: '),
}
QUESTIONS |= {
    "server to read": Question(SETUP, "such as imap.example.org: "),
    "server to send": Question(SETUP, ":587: ", READING),
    "login": Question(SETUP, "]: ", SENDING),
    "password": Question(SETUP, "prints it): ", NAMED),
    "command": Question(SETUP, "such as: pass show mail: ", (*NAMED, ("prints it): ", ""))),
    "other servers": Question(SETUP, "Replace their servers? [y/n]: ", before=SETTINGS),
    "whose mail": Question(
        ("mail", "send", "bad.eml", "--reply-problem"), "The sender's mail address: ", before=BAD
    ),
}
FEW = [(name, size) for name, size in zip(("order", "next order", "refused", "sign"), SIZES, strict=True)]
MORE = [(name, SIZES[number % len(SIZES)]) for number, name in enumerate(QUESTIONS)]
ALL = [pair for pair in product(QUESTIONS, SIZES) if pair not in (*FEW, *MORE)]


def cases() -> Iterator[Any]:
    """The prompt at one size a question; thorough, every question at one of them; long, all at all."""
    yield from (pytest.param(name, size, id=f"{name}-{size[0]}") for name, size in FEW)
    for name, size in MORE:
        if (name, size) not in FEW:
            yield pytest.param(name, size, id=f"{name}-{size[0]}", marks=pytest.mark.thorough)
    for name, size in ALL:
        yield pytest.param(name, size, id=f"{name}-{size[0]}", marks=pytest.mark.long)


def everything(table: Path) -> dict[str, bytes]:
    """All files but how far games were looked at, where they were opened, and what says what others say."""
    files = (file for file in table.rglob("*") if file.is_file() and file.name != "listed.json")
    return {str(file): _content(file) for file in files}


def _content(file: Path) -> bytes:
    if file.name != "record.json":
        return file.read_bytes()
    record = json.loads(file.read_bytes())
    return json.dumps(
        {part: record[part] for part in record.keys() - {"file", "read"}}, sort_keys=True
    ).encode()


def prepared(table: Path, question: Question) -> str:
    """The player's home, where the program will ask this."""
    homes = table / "homes"
    for _ in perform_steps(list(question.before), table):
        pass
    if question.home == "forgetful":
        shutil.copytree(homes / "anna", homes / "forgetful", ignore=shutil.ignore_patterns("games"))
    elif question.home == "locked":
        shutil.copytree(homes / "anna", homes / "locked")
        change_passphrase(homes / "locked/key", read_key(homes / "locked/key"), "sesame")
    return f"homes/{question.home}"


@pytest.mark.parametrize(("name", "size"), list(cases()))
def test_interrupted(table: Path, screens: list[Screen], name: str, size: tuple[int, int]) -> None:
    question = QUESTIONS[name]
    home = prepared(table, question)
    before = everything(table)
    for key in (INTERRUPT, END):
        screen = Screen(
            table,
            *size,
            *question.command,
            PBEM_HOME=home,
            PBEM_PASSPHRASE="",
            https_proxy=NOBODY,
            no_proxy="",
        )
        screens.append(screen)
        for asked, answer in question.typed:
            screen.wait_for_question(asked)
            screen.type(answer + ENTER)
        screen.wait_for_question(question.asks)
        if name == "refused":
            screen.type("\x01\x0b")  # Control-D ends an empty line only
            screen.wait_for("", "Order: ", exactly=True)
        screen.type(key)
        assert screen.wait_for_end() == 1
        assert screen.text.rstrip().endswith("\nerror: stopped")
        for typed in table.rglob("setup.json"):  # what a set-up was told is kept for the next
            typed.unlink()
        for record in table.rglob("record.json"):  # and orders in progress
            kept = msgspec.json.decode(record.read_bytes())
            kept.pop("draft", None)
            record.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")
        assert everything(table) == before


def test_while_nothing_is_asked(table: Path, screens: list[Screen]) -> None:
    """What is pasted ends with Control-D; Control-C stops the program like a question."""
    before = everything(table)
    screen = Screen(table, 80, 24, "show", "-")
    screens.append(screen)
    screen.wait_for_question("then press Ctrl-D")
    screen.type(INTERRUPT)
    assert screen.wait_for_end() == 1
    assert screen.text.rstrip().endswith("\nerror: stopped")
    assert everything(table) == before
