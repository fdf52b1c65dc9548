"""FORMAT 12 in a page: games with `bound` and `retract` prove themselves; what is altered in them is red."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from independent.test_minimal_verifier import FOLDER, SECTION_12
from pbem.core.run import public
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.web.game_page import game_page, positions_data
from support.browsers import Browser, run_firefox
from support.game_pages import Change, alter_data
from support.games_with_retractions import AXIS_KEYS, granted_retractions, mortain_game, rommel_game
from support.simulator import file_of, log_of
from web.test_checker import checker_verdict
from web.test_firefox import VERDICT as PROVEN
from web.test_proof import assert_fails, opened

TOLD, ANSWER, NAMED = 7, 21, 18
"""The seed of a game of Rommel in which entry 21 grants to take back the orders of entry 18, whose share has
completed a beat: where the rules asked for them nobody has signed."""

SIGNED = 5
"""The seed of a game of Mortain with four retractions, each to where the entry named has signed."""

GAMES: dict[str, Callable[[], Game]] = {
    "mortain": lambda: mortain_game(SIGNED),
    "mortain to its end": lambda: mortain_game(3),
    "rommel": lambda: rommel_game(TOLD),
    "rommel, two told": lambda: rommel_game(11),
    "rommel, named twice": lambda: rommel_game(2),
}


@cache
def page(name: str) -> str:
    return game_page(GAMES[name]()).decode()


def test_these_games_have_what_is_tested() -> None:
    assert granted_retractions(GAMES["rommel"]()) == {ANSWER: NAMED, 23: 16}
    assert len(granted_retractions(GAMES["mortain"]())) == 4
    twice = list(granted_retractions(GAMES["rommel, named twice"]()).values())
    assert len(set(twice)) < len(twice)
    assert all("beat" not in GAMES[name]().entries[1].raw for name in GAMES)


class TestPositionsData:
    """What a page holds of positions behind a granted retraction."""

    def test_where_the_entry_named_has_signed_it(self) -> None:
        """Its orders led to chance, so its position is that of the question (FORMAT 7)."""
        changes = positions_data(GAMES["mortain"]())
        assert [changes[n] for n in granted_retractions(GAMES["mortain"]())] == [None] * 4

    def test_where_nobody_has(self) -> None:
        """The page tells it: the units where they stood before the orders of entry 18, and the question."""
        told = positions_data(GAMES["rommel"]())[ANSWER]
        assert told is not None
        assert positions_data(GAMES["rommel"]())[23] is None

    def test_one_that_is_retracted_again_is_told_once(self) -> None:
        game = GAMES["rommel"]()
        log = log_of(game)[: ANSWER + 1]
        again = retracted_again(open_game(file_of(log)))
        changes = positions_data(again)
        assert changes[ANSWER] is not None
        assert changes[-1] is None


def retracted_again(game: Game) -> Game:
    """The same orders are taken back once more."""
    writer = game.state.writer or ""
    proposed = write.propose(game, AXIS_KEYS[writer], {"retract": NAMED})
    return write.answer(proposed, AXIS_KEYS[game.state.opponent(writer)], True)


@pytest.mark.thorough  # in a browser, as all below
@pytest.mark.parametrize("name", GAMES)
def test_the_page_proves_itself(browser: Browser, tmp_path: Path, name: str) -> None:
    verdict = opened(browser, tmp_path, page(name))
    assert (verdict.proof, verdict.failed) == ("holds", None), verdict
    assert browser.complaints() == []
    told = browser.run("return document.getElementById('not-proven').textContent")
    assert "A take-back led there" not in told or name.startswith("rommel")
    assert ("the map after entry 4, 7, 21, 22, 29. A take-back" in told) == (name == "rommel")


@pytest.mark.thorough
def test_the_page_of_orders_retracted_twice(browser: Browser, tmp_path: Path) -> None:
    game = open_game(file_of(log_of(GAMES["rommel"]())[: ANSWER + 1]))
    verdict = opened(browser, tmp_path, game_page(retracted_again(game)).decode())
    assert (verdict.proof, verdict.failed) == ("holds", None), verdict


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["mortain", "rommel"])
def test_it_proves_itself_wherever_the_game_stands(checking: Browser, tmp_path: Path, name: str) -> None:
    """Also while beat 1 is due, and while a retraction waits for its answer."""
    log = log_of(GAMES[name]())
    answers = granted_retractions(GAMES[name]())
    for length in (1, 2, 3, 4, 5, *(n + more for n in answers for more in (0, 1, 2))):
        path = tmp_path / f"{length}.html"
        path.write_bytes(game_page(open_game(file_of(log[:length]))))
        checking.run("document.getElementById('checked').replaceChildren()")
        found = checker_verdict(checking, path)
        assert found[:2] == ("holds", None), (length, found)


@pytest.mark.thorough
def test_firefox(tmp_path: Path) -> None:
    with run_firefox(tmp_path) as firefox:
        for name in ("mortain", "rommel"):
            path = tmp_path / "game.html"
            path.write_text(page(name), "utf-8")
            firefox.go(path.as_uri())
            assert firefox.wait(PROVEN) == "holds "


def other_place(data: list[Any]) -> None:
    """In the position that is told a unit stands elsewhere."""
    unit = next(iter(data[ANSWER]["units"]))
    data[ANSWER]["units"][unit] = {"at": ["0101"]}


def gone(n: int) -> Change:
    return lambda data: data.__setitem__(n, None)


def added(n: int) -> Change:
    return lambda data: data.__setitem__(n, {"turn": [3]})


ALTERED: dict[str, tuple[str, str, Change, int, str]] = {
    "what is told of where orders were asked for": ("rommel", "positions", other_place, ANSWER, "not drawn"),
    "nothing told of it": ("rommel", "positions", gone(ANSWER), ANSWER, "the position is missing"),
    "told where it was signed": ("mortain", "positions", added(9), 9, "nobody has signed"),
    "told a second time": ("rommel", "positions", added(23), 23, "nobody has signed"),
}
"""Game, data, what is done to them, the entry that fails, a word."""


@pytest.mark.thorough
@pytest.mark.parametrize("attack", ALTERED)
def test_altered(browser: Browser, tmp_path: Path, attack: str) -> None:
    name, data, change, entry, word = ALTERED[attack]
    assert_fails(browser, tmp_path, alter_data(page(name), data, change), entry, word)


@pytest.mark.thorough
def test_the_map_of_a_position_that_nobody_signs_is_told(
    browser: Browser, checking: Browser, tmp_path: Path
) -> None:
    """A page with another position there and the map to it holds, and says of which entry that is told."""
    html = alter_data(page("rommel"), "positions", other_weather)
    path = tmp_path / "altered.html"
    path.write_text(html, "utf-8")
    assert checker_verdict(checking, path)[:2] == ("holds", None)
    assert "the map after entry 4, 7, 21, 22, 29." in checking.run("return document.body.textContent")
    assert opened(browser, tmp_path, html).proof == "holds"


def other_weather(data: list[Any]) -> None:
    """The checks of the map do not read the weather. Entry 30 is the next that signs from there."""
    game = GAMES["rommel"]()
    rest = game.replayed_entries[30].rest
    assert rest is not None
    data[ANSWER]["weather"] = ["storm"]
    data[30]["weather"] = [public(game.rules, *rest)["weather"]]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["mortain", "rommel"])
def test_the_map_behind_each_retraction(browser: Browser, tmp_path: Path, name: str) -> None:
    """A unit more on it than in the position, signed or told."""
    for n in granted_retractions(GAMES[name]()):
        html = alter_data(page(name), "scene", unit_twice(n))
        assert_fails(browser, tmp_path, html, n, "is not drawn as")


def unit_twice(n: int) -> Change:
    """A counter lies in another hex too, from that entry on."""

    def change(scene: Any) -> None:
        cells: dict[str, list[int]] = {}
        for frame in scene["frames"][: n + 1]:
            cells |= frame.get("cells", {})
        (face, *_) = next(faces for faces in cells.values() if faces)
        free = next(str(at) for at in range(len(scene["hexes"])) if not cells.get(str(at)))
        scene["frames"][n].setdefault("cells", {})[free] = [face]

    return change


LOG_ALONE = {
    "accept_retracted_accepts_again": ["fails", 6, 3],  # pbem too has the place of a kind in step 3
}
"""Where the checker names another step or entry than the index of the vectors."""


@pytest.mark.thorough
def test_the_forty_logs(checking: Browser) -> None:
    """`tests/vectors/section12`: what the log alone shows."""
    files = [(FOLDER / "section12" / f"{name}.yaml").read_bytes() for name in SECTION_12]
    for (name, row), found in zip(SECTION_12.items(), checking.check(files), strict=True):
        step, entry = row["expect"]["log"] or (None, None)
        expected = LOG_ALONE.get(name, ["fails" if step else "holds", entry, step])
        assert found[:3] == expected, (name, found)
