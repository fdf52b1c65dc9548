"""A crash while one undoes, or while an entry leaves, loses nothing, and lets no two of one number go."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from support.processes import run_python

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the children are forked"),
]


def kills(play: str, folder: Path) -> list[dict[str, Any]]:
    """What `support.undo_crashes` tells of each kill; the last run of each kind got through."""
    done = run_python("-m", "support.undo_crashes", play, str(folder))
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    assert [kill["killed"] for kill in found] == [True] * (len(found) - 2) + [False] * 2
    assert len(found) > 10
    return found


def test_killed_while_undoing(tmp_path: Path) -> None:
    """The next undo ends the work, whether the first had begun or not."""
    found = kills("undoes", tmp_path)
    for kill in found:
        if kill["then"] == "undone_then":
            assert kill["refused"] == ""
            assert kill["now"] == kill["file"] == -1
            assert not kill["armed"]
            assert kill["words"] == "Good luck!"
            assert kill["wishes"] == ["draw"]
            assert not kill["leaves"]
        else:
            assert kill["one"], "what is on the shelf may leave"
            assert not kill["undone"]
            assert not kill["other"]
    mails = [kill["mails"] for kill in found if "mails" in kill]
    assert mails[-1] == 0
    assert sum(mails) <= 1, "a mail that a kill has left tells of no entry on the shelf: nothing sends it"
    assert {kill["was"] for kill in found if "was" in kill} == {0, -1}, "kills on both sides of the rename"


def test_killed_while_it_leaves(tmp_path: Path) -> None:
    """What may have left is not undone; before that moment it is, or it is not known any more."""
    found = kills("sends", tmp_path)
    for kill in found:
        if kill["then"] == "undone_then":
            assert kill["was"] == 0
            assert kill["leaves"] == bool(kill["refused"]), "one or the other, and never both"
            assert kill["now"] == kill["file"] == (0 if kill["refused"] else -1)
            assert kill["refused"] or not kill["left"]
        else:
            assert kill["one"]
            assert not kill["undone"]
    undone = [kill for kill in found if kill["then"] == "undone_then" and not kill["refused"]]
    assert undone, "a kill before anything was noted costs nothing"
