"""T6: liars of five kinds are named by `verify`, by the page, and by the checker, each for his lie."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.core.requests import Orders
from pbem.errors import VerificationError
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.web.game_page import game_page
from support.browsers import Browser
from support.game_pages import alter_data, data_in
from support.tabletop_games import (
    KEYS,
    begun,
    drawn,
    finished,
    forged_play,
    hand,
    lie,
    not_held,
    open_as,
    opening,
    outcome,
    play,
    sealing,
    settled,
)
from web.test_checker import checker_verdict

pytestmark = pytest.mark.thorough

NONSENSE: Orders = [{"shuffle": [0] * 13}]


def a_card_not_held() -> Game:
    game = drawn()
    return finished(lie(game, [{"play": not_held(game)}]))


def nonsense_sealed() -> Game:
    game = begun(sealed=False)
    seal = sealing(game, NONSENSE)
    game = write.play_computed(lie(game, seal), KEYS["first"])
    game = play(play(game, {"result": "Blues"}), {"agree": True})
    return open_as(game, {seal[0]["seal"]: NONSENSE})


def both_lie() -> Game:
    game = play(begun(), {"draw": 1, "from": "red"}, {"end": True})
    game = settled(play(game, {"draw": 1, "from": "blue"}, {"end": True}))
    game = play(lie(game, [{"play": not_held(game)}]), {"end": True})
    held = hand(game, "blue") or []
    other = next(card for card in ("Fortress", "Night march") if card not in held)
    return finished(lie(game, [{"discard": other}]))


def another_order_opened() -> bytes:
    game = play(play(drawn(), {"result": "Reds"}), {"agree": True})
    return forged_play(play(game), opening([{"shuffle": list(range(13))}]))


def a_seal_given_again() -> bytes:
    game = begun()
    before = game.entries[3].body.orders or []  # type: ignore[union-attr]
    return forged_play(lie(game, [{"shuffle": "red"}]), before)


@pytest.mark.parametrize(
    ("liar", "winner", "said"),
    [
        (a_card_not_held, "second", ["of red was named but not in hand"]),
        (nonsense_sealed, "first", ["the seal of blue does not contain an ordering of its cards"]),
        (
            both_lie,
            None,
            ["of red was named but not in hand", "of blue was named but not in hand"],
        ),
    ],
)
def test_a_liar_loses_and_is_named(
    checking: Browser, tmp_path: Path, liar: Callable[[], Game], winner: str | None, said: list[str]
) -> None:
    game = liar()
    assert outcome(game)[0] == winner
    if winner:
        assert said[0] in outcome(game)[1]
    page = tmp_path / "page.html"
    page.write_bytes(game_page(game))
    assert checker_verdict(checking, page)[:2] == ("holds", None)
    shown = checking.run("return document.getElementById('checked').textContent")
    assert checking.open(page).proof == "holds"
    panel = checking.run("return document.getElementById('players').textContent")
    for words in said:
        assert words in shown
        assert words in panel
    assert checking.complaints() == []


@pytest.mark.parametrize(
    ("liar", "step", "said"),
    [
        (another_order_opened, 9, "salt and orders do not match the seal"),
        (a_seal_given_again, 7, "this seal has been used before"),
    ],
)
def test_a_liar_is_refused(checking: Browser, liar: Callable[[], bytes], step: int, said: str) -> None:
    data = liar()
    with pytest.raises(VerificationError) as refused:
        open_game(data)
    assert refused.value.step == step
    [[state, failed, found, problem]] = checking.check([data])
    assert (state, failed, found, problem) == ("fails", refused.value.entry, step, said)


def test_an_honest_owner_is_believed(checking: Browser, tmp_path: Path) -> None:
    game = drawn()
    card = (hand(game, "red") or [""])[0]
    page = tmp_path / "page.html"
    page.write_bytes(game_page(finished(play(game, {"play": card}))))
    assert checking.open(page).proof == "holds"
    panel = checking.run("return document.getElementById('players').textContent")
    assert "Reds: every card named from red was in hand" in panel
    assert "Blues: every card named from blue was in hand" in panel


def test_a_page_that_lets_a_liar_win_fails(checking: Browser, tmp_path: Path) -> None:
    """Somebody who writes a page, and signs positions, by rules of his own."""
    found = checking.run(
        """
        const position = (state) => ({state, entry: 9});
        const deck = {shuffles: [{sources: ["a", "b"], order: [1, 0]}], claims: ["#0", "!a"]};
        const before = {decks: {red: {...deck, shuffles: [{sources: ["a", "b"], seal: "s"}]}}, outcome: null};
        const after = (winner) => position({decks: {red: deck}, outcome: {winner}});
        const seals = [{entry: 9, seat: "first", seal: "s", salt: "", orders: ""}];
        return ["first", "second", null].map((winner) => {
          try {
            return hands.find("tabletop/1", [position(before), after(winner)], seals)[0].card;
          } catch (fault) {
            return fault.step;
          }
        });
        """
    )
    assert found == [7, "a", 7]


def test_a_signed_position_cannot_be_altered_on_a_page(checking: Browser, tmp_path: Path) -> None:
    """Claims and draws are in positions that both have signed."""
    page = game_page(a_card_not_held()).decode()
    positions: list[Any] = data_in(page, "positions")
    entry = max(n for n, change in enumerate(positions) if change and "#" in str(change.get("decks", "")))

    def with_another_track(positions: list[Any]) -> None:
        positions[entry] = {**positions[entry], "tracks": [{"turn": 9}]}

    altered = tmp_path / "altered.html"
    altered.write_text(alter_data(page, "positions", with_another_track))
    verdict = checking.open(altered)
    assert (verdict.proof, verdict.failed) == ("fails", str(entry))
