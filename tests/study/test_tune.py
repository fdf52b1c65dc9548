"""Tuning: toward the wish, with few games, and checked by games that nothing was chosen by."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem import games
from pbem.study.crews import Alone
from pbem.study.tune import CHECK, Balance, Bench, Tuned, Wish, tuned
from pbem.study.values import ours
from study.studies import plan, task


def bench(wish: Wish) -> Bench:
    """Three Fords with one raft: the faces at which it is lost.

    Random guards meet it one time in three. So north wins p / 3 : 1 - (1 - p) / 3 with a chance p that it is
    lost then: 20 % with three faces of six, 14 % with two, as it is where two of the three are the same.
    """
    of = plan("fords", 1, changed={"rafts": [1]})
    return Bench(games.load("fords"), task(of, ()), ours(of.scenario, ["repelled_by"]), wish, Alone())


def search(wish: Wish, most: int = 5000) -> tuple[Tuned, list[str]]:
    said: list[str] = []
    return tuned(bench(wish), wish, most, said.append), said


@pytest.mark.thorough
def test_comes_nearer(fords: Path) -> None:
    wish = Wish("south", 0.86, 0.02)
    result, said = search(wish)
    faces = [4, 5, 6]
    for (_, number), face in result.numbers.items():
        faces[int(number)] = face
    assert len(set(faces)) == 2
    assert abs(result.before.share - 0.80) < 0.07  # three standard deviations
    assert abs(result.after.share - 0.86) < 0.033
    assert result.after.decided == CHECK
    assert said[0].startswith("as it is: ")
    assert said[1].startswith("repelled_by[")


def test_what_is_near_enough_stays(fords: Path) -> None:
    result, _ = search(Wish("south", 0.80, 0.08))
    assert result.numbers == {}
    assert result.games == 2 * CHECK


def test_trials_have_the_same_draws(fords: Path) -> None:
    """A scenario that differs in nothing that was met gives the very same games."""
    where = bench(Wish("south", 0.5, 0.02))
    assert where.start == (4, 5, 6)
    one = where.balance((4, 5, 6), 60)
    assert where.balance((6, 5, 4), 60) == one
    assert where.games == 120
    assert where.balance((4, 5, 6), 60) == one
    assert where.games == 120  # once played is enough
    assert where.balance((4, 5, 6), 60, "check") != Balance(0, 0)


def test_only_what_the_rules_take_is_tried(fords: Path) -> None:
    where = bench(Wish("south", 0.5, 0.02))
    assert where.playable((4, 5, 1))
    assert not where.playable((4, 5, 7))
