"""The conditions that the board offers for a step of a plan: of the game, and of a clicked hex."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.web.board_session import BoardSession
from pbem.web.plan_panel import PlanRequest
from web.test_order_options import board_session_at


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))


def ask(sitting: BoardSession, act: Any = "look", text: str = "", hex: int = -1) -> dict[str, Any]:
    return sitting.plan(PlanRequest(sitting.state.bound, act, text, hex))


@pytest.mark.thorough
@pytest.mark.parametrize(("question", "order"), [("activate", "pass"), ("ground_move", "pass")])
def test_a_plan_may_have_whatever_is_offered(tmp_path: Path, question: str, order: str) -> None:
    """As it is, and negated: of the game, of every hex where somebody is, and of one that is empty."""
    sitting = board_session_at(tmp_path, question)
    cells = sitting.state.legend.cells
    held = [at for at, cell in enumerate(cells) if cell.pieces]
    empty = next(at for at, cell in enumerate(cells) if not cell.pieces)
    offered = ask(sitting)["conditions"]
    for at in (*held, empty):
        offered += ask(sitting, hex=at)["here"]
    assert len(offered) > 5 * len(held)
    for first in range(0, len(offered), 80):
        lines = [f"when {no}{one}" for one in offered[first : first + 80] for no in ("", "not ")]
        kept = ask(sitting, "keep", "\n".join([*lines, f"do {order}"]))
        assert kept["text"] == "\n".join([*lines, f"do {order}"])


def test_a_hex_offers_what_is_there(tmp_path: Path) -> None:
    sitting = board_session_at(tmp_path, "activate")
    cells = sitting.state.legend.cells
    held = next(index for index, cell in enumerate(cells) if any(piece.side == "us" for piece in cell.pieces))
    unit, at = next(piece.name for piece in cells[held].pieces if piece.side == "us"), cells[held].number
    assert f"unit {unit} attacked" in ask(sitting, hex=held)["here"]
    assert f"hex {at} empty" not in ask(sitting, hex=held)["here"]
    empty = next(index for index, cell in enumerate(cells) if not cell.pieces)
    assert f"hex {cells[empty].number} held by enemy" in ask(sitting, hex=empty)["here"]
    assert ask(sitting, hex=len(cells))["here"] == []
