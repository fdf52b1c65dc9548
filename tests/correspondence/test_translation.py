"""What goes wrong with mail is said in the player's language: in the code, and of mails that are damaged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem import mail
from pbem.correspondence.judge_mail import judge
from pbem.correspondence.parse_incoming import read_games
from pbem.mail.parse_mail import parse_mail
from pbem.mail.settings import read_providers
from support.catalogues import TABLES, SourceMessage, messages
from support.correspondents import Correspondent
from support.marked_language import CLOSE, OPEN

PBEM = Path(mail.__file__).parents[1]
CORPUS = sorted((Path(__file__).parents[1] / "mail" / "corpus").glob("*.eml"))
NEVER_SHOWN = {"autoconfig.py"}
"""What a domain says wrongly of its servers is nothing to the player."""

OTHERS = re.compile("Stand at Mortain|found unexpected end of stream")
"""A title, and what the reader of YAML says itself."""


def english(said: str) -> list[str]:
    """Outside of the marks, words in a row: names stand alone, quoted, or with commas between them."""
    rest = re.sub(f'{OPEN}[^{CLOSE}]*{CLOSE}|"[^"]*"', "|", OTHERS.sub("", said))
    return re.findall(r"[a-z]+ [a-z]+", rest)


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_what_is_found_in_a_mail(path: Path, anna: Correspondent) -> None:
    """The mails of all the programs that we know, and what they have done to a game."""
    found = parse_mail(path.read_bytes(), "x")
    said = [*found.finding.faults, *(one.place for one in found.finding.candidates)]
    said += [verdict.description for verdict in judge(anna.local_player, read_games(found))]
    assert [words for one in said for words in english(str(one))] == []


@pytest.mark.thorough
def test_how_to_come_by_a_password() -> None:
    """The table's words are found for the catalogues, and said in the player's language."""
    (table,) = TABLES
    known = messages(PBEM)
    for one in read_providers():
        assert one.password
        assert table in known[SourceMessage(one.password)]


@pytest.mark.usefixtures("pseudo")
def test_advice() -> None:
    first, *_ = read_providers()
    assert first.advice == f"{OPEN}{first.password}{CLOSE}"
