"""Whatever mails come in: no traceback, no fault that is ours, and the good mail behind them is always filed.

PBEM_LONG=1 tries 5,000 mails, PBEM_MAILS as many as it says.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
from contextlib import redirect_stderr, redirect_stdout
from functools import cache, partial
from pathlib import Path

import pytest

from correspondence.test_commander_drafts import LeadAtHome, signed_draft
from correspondence.test_fetch import game_mail
from fuzz.clock import FLOOR, Clock, end_after, run_clocked
from fuzz.mail_mutants import Mutants
from fuzz.pieces import VECTORS
from pbem.cli.app import run
from pbem.correspondence.judge_mail import judge
from pbem.correspondence.parse_incoming import read_games
from pbem.format.document import draft_bytes, parse_draft
from pbem.mail.parse_mail import parse_mail
from pbem.player.local_player import LocalPlayer
from pbem.umpire.log_segment import segment_after
from pbem.umpire.verify import open_game
from pbem.web.game_page import game_page
from support.correspondents import (
    Correspondent,
    begin_game,
    make_correspondents,
    offer_game,
    play_share_and_orders,
)
from support.simulator import mailed_file
from support.transcripts import write_key

MAILS = int(os.environ.get("PBEM_MAILS", "5000" if os.environ.get("PBEM_LONG") == "1" else "250"))
A_FOLDER = 50
"""Mails of a folder before the good one."""

FIRST = 1
"""How many of the folders are always tried."""

_NAME = re.compile(r"mortain-[0-9a-f]{8}\.yaml")
_HOME = {"key", "key.pub", "layout", "games", "mail", "offers", "lock", "players.json", "contacts.json"}


@cache
def others() -> tuple[bytes, ...]:
    """What else comes by mail: a shared game of Rommel, a part of its log, a draft, and a page."""
    shared = (VECTORS / "commanders.yaml").read_bytes()
    game = open_game(shared)
    return shared, segment_after(game, len(game.entries) - 3), draft_bytes(signed_draft()), game_page(game)


@pytest.fixture(scope="module")
def anna_and_bruno(tmp_path_factory: pytest.TempPathFactory) -> tuple[Correspondent, Correspondent]:
    """With the same keys every time, and so the same mails."""
    folder = tmp_path_factory.mktemp("players")
    for player in make_correspondents(folder):
        write_key(player.local_player.key_path, player.name)
    anna, bruno = (
        Correspondent(name, LocalPlayer(folder / name / "home"), folder / name) for name in ("Anna", "Bruno")
    )
    return anna, bruno


@pytest.mark.parametrize(
    "number",
    [
        *range(FIRST),
        *(pytest.param(n, marks=pytest.mark.thorough) for n in range(FIRST, max(FIRST, MAILS // A_FOLDER))),
    ],
)
def test_a_folder_of_mails(
    anna_and_bruno: tuple[Correspondent, Correspondent],
    number: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    anna, bruno = anna_and_bruno
    good = offer_game(anna.person(name=f"Anna {number}"))
    game = begin_game(anna.person(), bruno.person())
    newest = segment_after(play_share_and_orders(game, anna.person()), len(game.entries) - 2)
    mutants = Mutants(number, mailed_file(game), newest, *others())
    files = [mutants.mail() for _ in range(A_FOLDER)]
    files.append(b"Subject: my offer\n\nHere it is.\n\n" + mailed_file(good))
    for name in ("box/new", "box/cur", "box/tmp", "folder", "mutants"):
        (tmp_path / name).mkdir(parents=True)
    shutil.copytree(bruno.local_player.home, tmp_path / "home")
    if number % 2:  # then parts of its log are put behind it, else they are refused
        bruno_at_home = LocalPlayer(tmp_path / "home")
        bruno_at_home.record(game, mailed_file(game), new=True)
    for n, data in enumerate(files):
        (tmp_path / "box" / "new" / f"{n:04}.host").write_bytes(data)
    monkeypatch.chdir(tmp_path / "folder")
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))

    def work(clock: Clock) -> tuple[int, str, str]:
        """Judge each mail by the clock, then fetch them all: the code, what is told, what is complained."""
        for data in files:
            clock.judge(data, partial(_judged, data, LocalPlayer(tmp_path / "home")))
        told, complained = io.StringIO(), io.StringIO()
        with redirect_stdout(told), redirect_stderr(complained), end_after(A_FOLDER * FLOOR):
            code = run(["mail", "fetch", "--from", str(tmp_path / "box")])
        return code, told.getvalue(), complained.getvalue()

    code, told, complained = run_clocked(tmp_path / "mutants", work)
    assert code in (0, 1)
    assert "could not be checked: " not in complained
    assert all(line.isprintable() for line in (told + complained).split("\n"))
    assert (tmp_path / "home" / "offers" / f"{good.ids[0]}.yaml").read_bytes() == mailed_file(good)
    assert len(
        json.loads((tmp_path / "home" / "mail" / "state.json").read_text())[str(tmp_path / "box")]
    ) == len(files)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["box", "folder", "home", "mutants"]
    assert [path.read_bytes() for path in sorted((tmp_path / "box").rglob("*.host"))] == files
    assert all(_NAME.fullmatch(path.name) for path in (tmp_path / "folder").iterdir())
    assert {path.name for path in (tmp_path / "home").iterdir()} <= _HOME


def _judged(data: bytes, player: LocalPlayer) -> int:
    """How many verdicts a mail brings."""
    return len(judge(player, read_games(parse_mail(data, "a mail"))))


@pytest.mark.thorough
def test_a_lead_gets_no_draft_but_his_commanders(tmp_path: Path) -> None:
    """Mails with drafts for a question that waits, spoilt: each is kept as it was signed, or not at all."""
    honest = [signed_draft(number) for number in range(3)]
    mutants = Mutants(0, *map(draft_bytes, honest))
    rommel = LeadAtHome(tmp_path, "axis")
    before = (rommel.folder / "game.yaml").read_bytes()
    good = game_mail(draft_bytes(honest[1]))
    mails = [mutants.mail() if number % 2 else mutants.changed(good) for number in range(MAILS // 2)]
    for arrival in rommel.receive(*mails):
        assert "could not be checked: " not in arrival.verdict.description
        assert arrival.verdict.description.isprintable()
    kept = [parse_draft((rommel.folder / name).read_bytes()) for name in rommel.drafts()]
    assert honest[1] in kept
    assert all(one in honest for one in kept)
    assert (rommel.folder / "game.yaml").read_bytes() == before
