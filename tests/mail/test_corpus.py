"""Every mangled mail is read to the very entries that were signed, or refused with one precise line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from mail.corpus.make import NEWER, OLDER, corpus
from pbem.correspondence.open_file import open_file
from pbem.errors import PbemError
from pbem.format.yaml_reader import parse_yaml
from pbem.mail.parse_mail import may_hold_a_game, parse_mail
from pbem.player.local_player import LocalPlayer
from support.markers import Posix, requires

FOLDER = Path(__file__).parent / "corpus"
CASES: Any = parse_yaml((FOLDER / "cases.yaml").read_bytes())


@pytest.fixture
def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalPlayer:
    """An empty home, in the folder of the corpus."""
    monkeypatch.chdir(FOLDER)
    return LocalPlayer(tmp_path)


@pytest.mark.parametrize("name", CASES["read"])
def test_read(player: LocalPlayer, name: str) -> None:
    assert open_file(player, Path(name)).game.ids == NEWER.ids


@pytest.mark.parametrize("name", CASES["read_older"])
def test_read_as_an_older_log(player: LocalPlayer, name: str) -> None:
    assert open_file(player, Path(name)).game.ids == OLDER.ids


@pytest.mark.parametrize("name", CASES["refused"])
def test_refused_with_one_precise_line(player: LocalPlayer, name: str) -> None:
    with pytest.raises(PbemError) as refusal:
        open_file(player, Path(name))
    account = ".*".join(map(re.escape, CASES["refused"][name].split("...")))
    assert re.fullmatch(account, str(refusal.value))


def test_none_that_holds_a_game_is_passed_over_unparsed() -> None:
    for name, data in corpus():
        assert may_hold_a_game(data) or not parse_mail(data, name).finding.candidates, name


class TestIndex:
    """The files, the index and the script that makes the files agree."""

    def test_every_file_is_named_once(self) -> None:
        named = [*CASES["read"], *CASES["read_older"], *CASES["refused"]]
        others = {"cases.yaml", "make.py", "__init__.py", "__pycache__"}
        assert sorted(named) == sorted(path.name for path in FOLDER.iterdir() if path.name not in others)

    @requires(Posix.ZLIB)
    def test_files_are_as_the_script_makes_them(self) -> None:
        for name, data in corpus():
            assert (FOLDER / name).read_bytes() == data, f"{name}: see make.py to make it again"
