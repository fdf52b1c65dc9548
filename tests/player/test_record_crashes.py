"""Records at home, where programs run at once and are killed, and where a home of 0.1.0 is taken over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.markers import Posix, requires
from support.processes import run_python

pytestmark = [requires(Posix.FORK), pytest.mark.thorough]

KILLED = 9

FACTS = {
    "watch": ("left", "taken"),
    "play": ("looked", "said", "planned", "armed"),
    "move": ("noted", "signed", "draw"),
}
"""What each program writes, in order; `play` begins orders as well, which an entry ends."""


def outcomes(play: str, folder: Path) -> list[dict[str, Any]]:
    """What `support.record_crashes` tells of each kill; nobody is killed in the last."""
    done = run_python("-m", "support.record_crashes", play, str(folder))
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    assert len(found) > 8
    return found


@pytest.mark.parametrize("victim", FACTS)
def test_watch_play_and_move_at_once(victim: str, tmp_path: Path) -> None:
    """One is killed anywhere: the others lose nothing, what it has done stays, and it can be done again."""
    found = outcomes(victim, tmp_path)
    for n, kill in enumerate(found, 1):
        killed = n < len(found)
        assert kill["codes"] == {role: KILLED if killed and role == victim else 0 for role in FACTS}
        crashed = kill["crashed"]
        for role in FACTS.keys() - {victim}:
            assert all(crashed[fact] for fact in FACTS[role]), (n, role)
        done = [crashed[fact] for fact in FACTS[victim]]
        assert done == sorted(done, reverse=True), "what is done is done in order"
        if victim == "move" and not crashed["signed"]:
            assert crashed["draft"], "orders in progress are there until an entry is stored"
        assert kill["again"] == 0
        assert all(kill["next"][fact] for facts in FACTS.values() for fact in facts), n
    begun = [sum(kill["crashed"][fact] for fact in FACTS[victim]) for kill in found]
    assert set(begun) == set(range(len(FACTS[victim]) + 1)), "kills before and after each fact"


def test_a_home_of_0_1_0_is_the_old_or_the_new(tmp_path: Path) -> None:
    """Killed anywhere, each game is known as it was; the next change ends the work."""
    found = outcomes("takes_over", tmp_path)
    before = found[0]["crashed"]
    assert before["layout"] == "1"
    assert before["records"] == [False, False]
    here, other = before["games"]
    assert (here["message"]["words"], here["deferred"]["draw"]) == ("A long week, sorry!", {"entries": 6})
    assert here["plan"]["text"].splitlines()[1] == "do pass"
    assert list(here["ledger"]["signed"].values()) == ["program"] * 3
    assert here["read"]["at"].startswith("f364ff45")
    assert (here.get("unconfirmed", False), other["unconfirmed"]) == (False, True)
    assert {name[:12]: fate for name, fate in other["mails"].items() if name[-2:] != ".2"} == {
        "db541f187931": {"sent": "2026-08-01T12:00:00+00:00", "returned": "550 no such user"},
        "italian-db54": {"refused": "552 too large"},
    }
    again = [fate for name, fate in other["mails"].items() if name[-2:] == ".2"]
    assert again == [{"sent": "2026-08-01T12:00:00+00:00"}], "the time of the file"
    changed = [{**here, "read": {"at": "f" * 64}}, other]
    for kill in found:
        crashed = kill["crashed"]
        assert crashed["games"] in ([here, other], changed)
        if crashed["layout"] == "1":
            assert crashed["records"] == [False, False], "an older program refuses the home first"
        if crashed["layout"] == "2":
            assert (crashed["records"], crashed["old"]) == ([True, True], [])
        assert kill["next"] == {"games": changed, "records": [True, True], "layout": "2", "old": []}
    assert [kill["code"] for kill in found] == [-KILLED] * (len(found) - 1) + [0]
    stages = {(*kill["crashed"]["records"], kill["crashed"]["layout"]) for kill in found}
    assert {(False, False, "2 from 1"), (False, True, "2 from 1"), (True, True, "2 from 1")} <= stages
