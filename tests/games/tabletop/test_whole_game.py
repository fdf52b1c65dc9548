"""Ten turns of each kind of scenario, between two homes that hand over a file, as players type them."""

from __future__ import annotations

import contextlib
import io
import shutil
from pathlib import Path

import pytest

from pbem.cli.app import run
from pbem.games.tabletop import RULES
from pbem.games.tabletop.rules.hands import hand_of
from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions
from pbem.umpire.verify import open_game

FILE = "game.yaml"


class Table:
    """Anna and Bruno, each with a home and a copy of the file."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.monkeypatch = folder, monkeypatch
        for who in ("anna", "bruno"):
            (folder / who).mkdir()

    def type(self, who: str, *words: str) -> str:
        """What a command prints, which must not fail."""
        out = io.StringIO()
        self.monkeypatch.setenv("PBEM_HOME", str(self.folder / who / "home"))
        with (
            contextlib.chdir(self.folder / who),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(out),
        ):
            code = run(list(words))
        assert not code, out.getvalue()
        return out.getvalue()

    def mail(self, who: str, to: str) -> None:
        shutil.copyfile(self.folder / who / FILE, self.folder / to / FILE)

    def hand(self, who: str, deck: str) -> list[str]:
        """The hand as this player's home knows it."""
        player = LocalPlayer(self.folder / who / "home")
        game = open_game((self.folder / who / FILE).read_bytes())
        return hand_of(permissions.unlock_state(game, player.key).run.state, deck) or []


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    return Table(tmp_path, monkeypatch)


TURNS = {
    "dice": 'roll 2d6 “Verdun, 3:1; +1” "Ypres, 2:1"; roll 2battle "assault"; set turn +1; end',
    "cards": 'draw 1 from {deck}; roll d10 "barrage"; set turn +1; end',
    "chits": 'draw 1 from cup; note "he moves, and fires # twice"; set turn +1; end',
}


@pytest.mark.parametrize("kind", RULES.scenarios.names)
def test_ten_turns(kind: str, table: Table) -> None:
    table.type("anna", "new", "tabletop", FILE, "--seat", "first", "--name", "Anna", "--scenario", kind)
    table.mail("anna", "bruno")
    table.type("bruno", "join", FILE, "--name", "Bruno")
    table.mail("bruno", "anna")
    for turn in range(10):
        who, to, deck = ("bruno", "anna", "blue") if turn % 2 else ("anna", "bruno", "red")
        line = TURNS[kind].format(deck=deck)
        if kind == "cards" and (cards := table.hand(who, deck)):
            line = f'play "{cards[0]}" for ops; {line}'
        shown = table.type(who, "show", FILE, "--whole")
        assert f"turn: {turn + 1}" in shown
        before = (table.folder / who / FILE).stat().st_size
        table.type(who, "move", FILE, line)
        assert (table.folder / who / FILE).stat().st_size - before < 8_000
        table.mail(who, to)
    side = RULES.scenarios.data(kind)["sides"][0]
    table.type("anna", "move", FILE, f'result {side} for "on points"')
    table.mail("anna", "bruno")
    table.type("bruno", "move", FILE, "agree")
    for who, to in (("bruno", "anna"), ("anna", "bruno")):
        if kind == "cards":
            table.type(who, "move", FILE)
            table.mail(who, to)
    game = open_game((table.folder / "bruno" / FILE).read_bytes())
    assert game.state.ending is not None
    assert (game.state.ending.way, game.state.ending.winner) == ("rules", "first")
    assert "on points" in table.type("bruno", "log", FILE, "--csv")
    again = "pbem new tabletop --seat first" + (f" --scenario {kind}" if kind != "dice" else "")
    assert again in table.type("bruno", "show", FILE, "--whole")
