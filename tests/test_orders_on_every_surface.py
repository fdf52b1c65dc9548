"""Orders by command, prompt, board and answer: told alike before, and signed as the same bytes."""

from __future__ import annotations

import contextlib
import io
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest

from cli.test_ctrl_c_at_questions import FLIGHT
from pbem.cli.app import run
from pbem.player.actions.action import ActionContext
from pbem.player.actions.parse_action import action_from_reply, parse_reply_text
from pbem.player.local_player import LocalPlayer
from pbem.player.order_preview import effect_of
from pbem.player.order_reader import OrderReader
from pbem.player.sign import sign
from pbem.umpire import permissions
from pbem.web.board_session import ActionRequest, BoardSession, SignRequest
from support.status_cases import KEY, TODAY, StatusCase, is_hers, play_to_case
from support.status_surfaces import SituatedHome, flatten
from support.terminal import ENTER, Screen
from support.transcripts import perform_steps

pytestmark = pytest.mark.thorough

MOMENT = str(int(TODAY.timestamp()))


class At(NamedTuple):
    """A player at a question: his home and file in a folder, and orders as he types them."""

    folder: Path
    home: str
    file: str
    orders: str

    @property
    def player(self) -> LocalPlayer:
        return LocalPlayer(self.folder / self.home)

    @property
    def path(self) -> Path:
        return self.folder / self.file

    def elsewhere(self, folder: Path) -> At:
        """A copy, whose file is the player's own."""
        copy = self._replace(folder=shutil.copytree(self.folder, folder))
        for noted in copy.folder.glob("**/games/*/file"):
            noted.write_text(str(copy.path))
        return copy


Way: TypeAlias = Callable[[At, pytest.MonkeyPatch], str]


def by_command(at: At, monkeypatch: pytest.MonkeyPatch) -> str:
    out = io.StringIO()
    monkeypatch.setenv("PBEM_HOME", at.home)
    with contextlib.chdir(at.folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        assert run(["move", at.file, at.orders]) == 0
    return out.getvalue()


def by_prompt(at: At, _: pytest.MonkeyPatch) -> str:
    screen = Screen(at.folder, 80, 40, "move", at.file, PBEM_HOME=at.home, SOURCE_DATE_EPOCH=MOMENT)
    try:
        screen.wait_for_prompt()
        screen.type(at.orders + ENTER)
        screen.wait_for_question("Sign and save? [y/n]: ")
        told = screen.printed
        screen.type("y" + ENTER)
        screen.wait_for_line_or_end("Order: ")
        return told
    finally:
        screen.close()


def by_board(at: At, _: pytest.MonkeyPatch) -> str:
    sitting = BoardSession(at.player, at.player.open(at.path.read_bytes()), at.path)
    shown = sitting.confirm(ActionRequest(sitting.state.bound, lines=[at.orders]))
    sitting.sign(SignRequest(sitting.state.bound, shown["digest"]))
    return " ".join(flatten(shown))


def by_answer(at: At, _: pytest.MonkeyPatch) -> str:
    act = action_from_reply(
        ActionContext(at.player, at.player.open(at.path.read_bytes()), at.path), parse_reply_text(at.orders)
    )
    told = act.description
    assert sign(act)
    return told


WAYS: dict[str, Way] = {"command": by_command, "prompt": by_prompt, "board": by_board, "answer": by_answer}


def an_attack(folder: Path) -> At:
    """Mortain, with a chance."""
    game = play_to_case(lambda one: is_hers(one) and bool(odds(one)))
    SituatedHome(folder, StatusCase(game, ""))
    return At(folder, "home", "game.yaml", odds(game)[0])


def odds(game: Any) -> list[str]:
    asked = permissions.unlock_state(game, KEY).pending_question
    return [one.words for one in game.rules.view.odds(asked)]


def a_landing(folder: Path) -> At:
    """Rommel, with a warning: aircraft that stay in the air are lost."""
    for _ in perform_steps(list(FLIGHT), folder):
        pass
    return At(folder, "homes/bruno", "rommel.yaml", "stand down")


def an_attack_as_people_write_it(folder: Path) -> At:
    """Without hyphens, with what one says around an order."""
    at = an_attack(folder)
    return at._replace(orders=f"Please {at.orders.lower().replace('-', '')}!")


@pytest.mark.parametrize("begin", [an_attack, an_attack_as_people_write_it, a_landing])
def test_four_ways(begin: Callable[[Path], At], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", MOMENT)
    (tmp_path / "first").mkdir()
    at = begin(tmp_path / "first")
    game = at.player.open(at.path.read_bytes())
    asked = permissions.unlock_state(game, at.player.key)
    assert asked.pending_question
    lines = OrderReader(game, asked.pending_question).read([at.orders])
    weighed = effect_of(game, asked, game.rules.view.read_words(asked.pending_question, lines))
    signed = {}
    for name, way in WAYS.items():
        copy = at.elsewhere(tmp_path / name)
        told = " ".join(way(copy, monkeypatch).split())
        for line in (*weighed.chances, *weighed.warnings):
            assert " ".join(line.split()) in told, f"by {name}"
        signed[name] = copy.player.open(copy.path.read_bytes()).entries[len(game.entries)].raw
    assert weighed.chances or weighed.warnings
    assert all(raw == signed["command"] for raw in signed.values()), signed
