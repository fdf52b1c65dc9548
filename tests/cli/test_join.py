"""Joining: what an offer without `bound` lets its maker do is said before it is accepted (FORMAT 12)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.cli.app import run
from support.simulator import file_of, log_of, offer_game

WARNED = "if several people join this offer, its maker can see the first draw with each of them"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", "home")
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


def save_offer(folder: Path, *extensions: str) -> Path:
    file = folder / "mortain.yaml"
    file.write_bytes(file_of(log_of(offer_game(extensions=extensions))))
    return file


def test_without_bound_it_is_said_and_joined(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = save_offer(folder, "retract")
    assert run(["join", file.name, "--name", "Bruno"]) == 0
    assert capsys.readouterr().err.startswith(f"warning: {WARNED}")
    assert b"kind: accept" in file.read_bytes()


def test_who_looks_at_the_offer_is_warned_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = save_offer(folder)
    assert run(["show", file.name]) == 0
    assert WARNED in " ".join(capsys.readouterr().out.split())
    assert run(["show", file.name, "--json"]) == 0
    assert any(one.startswith(WARNED) for one in json.loads(capsys.readouterr().out)["remarks"])


def test_with_bound_nothing_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = save_offer(folder, "bound")
    for command in (["show", file.name], ["join", file.name, "--name", "Bruno"]):
        assert run(command) == 0
    assert WARNED not in "".join(" ".join(one.split()) for one in capsys.readouterr())


def test_nor_once_it_is_accepted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = save_offer(folder)
    assert run(["join", file.name, "--name", "Bruno"]) == 0
    capsys.readouterr()
    assert run(["show", file.name]) == 0
    assert WARNED not in " ".join(capsys.readouterr().out.split())
