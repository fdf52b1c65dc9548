"""How to play: the pages fit two screens, what they tell is what the rules do, and `docs/` has the same.

PYTHONPATH=tests python tests/test_how_to.py    writes the pages in `docs/` anew
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from cli.transcript import ROOT
from playout import signed

from pbem.core.requests import Ask, Orders
from pbem.core.rulebook import HOW_TO, shipped
from pbem.core.run import Position, Run
from pbem.core.sealing import Open, Seal
from pbem.games import load
from pbem.render.markdown import plain
from pbem.render.picture import board

TWO_SCREENS = 2 * 24 - 2
"""Lines of two screens of 80 x 24, of which each keeps one for the prompt."""

GAMES = ("mortain", "rommel")


def page(game: str) -> str:
    """How to play a game, as it ships."""
    return shipped(load(game).package, HOW_TO)


def told(game: str) -> list[tuple[str, str]]:
    """The lines of the first turn: a card or a side, and what was typed, in two columns."""
    [block] = re.findall(r"```\n(.*?)```", page(game), re.DOTALL)
    lines = block.splitlines()
    column = max(re.match(r"\S* +", line).end() for line in lines)  # type: ignore[union-attr]
    return [(line[:column].strip(), line[column:]) for line in lines]


def begun(game: str) -> Run:
    """A new game of the default edition."""
    rules = load(game)
    options = next(iter(rules.editions.values()))
    return Run(rules, Position(rules.begin(options, rules.scenarios.data(rules.scenarios.names[0]))))


def answer(run: Run, typed: str) -> None:
    """Give orders as typed."""
    assert isinstance(run.pending, Ask)
    run.answer(run.rules.view.read_words(run.pending, [typed]))


def settle(run: Run, *outcomes: object) -> None:
    """Let these cards or faces come."""
    for outcome in outcomes:
        assert run.pending is not None
        assert not isinstance(run.pending, Ask)
        run.decide(run.pending.outcomes.index(outcome))


def mortain() -> Run:
    """The first turn of Mortain, with the 4C of its text."""
    run = begun("mortain")
    for card, typed in told("mortain"):
        settle(run, *card.split())
        answer(run, typed)
    assert f"{float(run.rules.view.chance(run.state) or 0):.0%}" == "59%"
    settle(run, "4C")
    return run


def rommel() -> Run:
    """The first turn of Rommel y Montgomery, on a clear day, with the dice of its text."""
    run = begun("rommel")
    sealed: Orders = []
    while isinstance(ask := run.pending, Ask):
        chosen = sealed if isinstance(ask, Open) else run.rules.view.read_words(ask, ["setup historical"])
        sealed = chosen if isinstance(ask, Seal) else sealed
        run.answer(signed(ask, chosen))
    settle(run, 4)
    for side, typed in told("rommel"):
        assert isinstance(run.pending, Ask)
        assert run.pending.seat == side
        answer(run, typed)
        if typed.startswith("attack"):
            settle(run, 5, 3, 2, 5)
    return run


FIRST_TURNS: dict[str, Callable[[], Run]] = {"mortain": mortain, "rommel": rommel}


def docs(game: str) -> str:
    """The page in `docs/`: the text as it ships, where the rest is, a drawing, and the map after turn 1."""
    title, _, text = page(game).partition("\n\n")
    run = FIRST_TURNS[game]()
    picture = board(run.rules.view.legend(run.state)).strip("\n")
    legend = picture.index("\n\n", picture.index("Counters:"))
    return (
        f"{title}\n\n`pbem rules {game}` prints this text at a terminal. "
        f"[`RULES.md`](../pbem/games/{game}/RULES.md) has every rule, option and ruling: "
        f"`pbem rules {game} NUMBER` prints one of its rules or chapters, "
        f"`pbem rules {game} WORD` finds the rules that speak of something.\n\n"
        f"![The map with its counters, in the midst of a game](pictures/{game}.svg)\n\n"
        f"{text.strip()}\n\nThe map after that turn:\n\n```text\n{picture[:legend]}\n```\n"
    )


@pytest.mark.parametrize("game", GAMES)
class TestPages:
    """`HOWTO.md` of each game, and its page in `docs/`."""

    def test_fits_two_screens(self, game: str) -> None:
        lines = plain(page(game)).splitlines()
        assert len(lines) <= TWO_SCREENS
        assert max(map(len, lines)) <= 78

    def test_docs_have_it_with_the_map(self, game: str) -> None:
        assert (ROOT / "docs" / f"how-to-play-{game}.md").read_text("utf-8") == docs(game)


class TestFirstTurns:
    """What the text says came of the turn."""

    def test_mortain(self) -> None:
        run = mortain()
        assert run.state.units["DF"].reduced
        settle(run, "Joker")
        assert run.state.turn == 2

    def test_rommel(self) -> None:
        run = rommel()
        assert not run.state.on_map("7-Bers")
        assert not run.state.on_map("5-NZ")
        assert run.state.on_map("24-Aus")


if __name__ == "__main__":
    for name in GAMES:
        (ROOT / "docs" / f"how-to-play-{name}.md").write_text(docs(name), "utf-8")
