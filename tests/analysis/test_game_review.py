"""An entry looked over: what is said of a plain blunder, who may look, and that pieces add up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.analysis import game_review
from pbem.analysis.game_review import (
    GameReview,
    costly_decisions,
    entry_review_data,
    explain_figures,
    review_entry,
    steps_of_entry,
)
from pbem.analysis.playouts import MainLine, main_line
from pbem.analysis.report_text import other_orders, report_data
from pbem.analysis.turning_points import GameReport, make_report, run_playouts
from pbem.core.requests import Orders
from pbem.games.mortain import RULES
from pbem.player.local_player import LocalPlayer, may_be_reviewed
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from support.mortain_positions import position, run_of
from support.simulator import accept_game, offer_game, play_until, practice_chooser

from .test_turning_points import EXAMPLES, TestABlunder, followed


@pytest.fixture(scope="module")
def short() -> Game:
    """The first mails of a game by players who order anything."""
    return play_until(accept_game(offer_game()), practice_chooser(3), lambda game: len(game.entries) == 8)


def report_on(line: MainLine, steps: list[int] | None = None, playouts: int = 60) -> GameReport:
    """The report on a line of Mortain, by this process."""
    run = lambda tasks: [run_playouts(RULES, line, "a game", task) for task in tasks]  # noqa: E731
    return make_report(RULES, line, playouts, run, lambda made, wanted: None, steps=steps)


def at_the_edge(orders: Orders) -> MainLine:
    """Four Germans have left, a fifth stands at the edge with a card to go, and is ordered to do this."""
    state = replace(position(TestABlunder.EDGE), turn=6, deck=("9S", "8H"))
    return followed(run_of(state), ("9S",), orders)


class TestABlunderIsCalledOut:
    """He stays, and loses a game that was won: entry 1 is the card, entry 2 the pass."""

    def test_for_its_own_side(self, short: Game) -> None:
        report = report_on(at_the_edge([{"pass": True}]))
        assert costly_decisions(RULES, report) == [1]
        lines = review_entry(short, report, 2, "german").lines
        assert re.match(r"Before entry 2: the Germans win (9\d|100)% \(\d\d to 100\) of the time\.", lines[0])
        assert lines[1:3] == ("Pass (German).", "The sensible player would have ordered: exit DF.")
        assert re.match(
            r"That was worse for the Germans: -(9\d|100) \(-1\d\d to -[89]\d\) points\.", lines[3]
        )
        assert re.match(r"After it: \d% \(0 to \d\d\)\.", lines[4])

    def test_for_the_other_side(self, short: Game) -> None:
        """The chances are the other's, and the loss is still told as that of who has decided."""
        report = report_on(at_the_edge([{"pass": True}]))
        lines = review_entry(short, report, 2, "us").lines
        assert re.match(r"Before entry 2: the Americans win \d% \(0 to \d\d\) of the time\.", lines[0])
        assert re.match(
            r"That was worse for the Germans: -(9\d|100) \(-1\d\d to -[89]\d\) points\.", lines[3]
        )
        assert re.match(r"After it: (9\d|100)% \(\d\d to 100\)\.", lines[4])

    def test_with_all_playouts_at_that_entry(self, short: Game) -> None:
        line = at_the_edge([{"pass": True}])
        report = report_on(line, steps_of_entry(line, 2))
        assert costly_decisions(RULES, report) == [1]
        assert report.counts[0] == 0
        assert report.counts[1] >= 25
        assert explain_figures(report, 2).startswith(
            f"Playouts at this entry, by the sensible player: {report.counts[1]}."
        )
        [step] = entry_review_data(short, report, 2)["steps"]
        assert (step["costly"], step["other"]) == (True, [{"exit": "DF"}])

    def test_what_the_computer_orders_too_is_not(self, short: Game) -> None:
        report = report_on(at_the_edge([{"exit": "DF"}]))
        assert costly_decisions(RULES, report) == []
        found = review_entry(short, report, 2)
        assert found.others == ()
        assert "The sensible player would have ordered the same." in found.lines

    def test_what_a_card_has_changed_is_luck(self, short: Game) -> None:
        found = review_entry(short, report_on(at_the_edge([{"pass": True}])), 1)
        assert found.lines[1].startswith("Drawn 9 of spades: ")
        assert found.lines[1].endswith(" points by luck.")


class TestOtherOrders:
    def test_the_same_in_another_sequence_are_the_same(self) -> None:
        game = open_game((EXAMPLES / "mortain-it-exits.yaml").read_bytes())
        line = main_line(game)
        [at] = steps_of_entry(line, 30)
        given = line.orders(at)
        assert given
        assert len(given) == 2
        assert other_orders(game, line, at) is None

    def test_an_entry_that_decides_nothing(self, short: Game) -> None:
        found = review_entry(short, report_on(at_the_edge([{"pass": True}])), 0)
        assert not found.has_steps
        assert found.lines == ("Entry 0 contains no decision, or has been taken back.",)


class TestPieces:
    def test_they_add_up_to_the_report(self, short: Game, monkeypatch: pytest.MonkeyPatch) -> None:
        """Piece by piece the same playouts are made, in the same order, as for a report of their number."""
        monkeypatch.setattr(game_review, "PIECE_SECONDS", 0.0001)
        monkeypatch.setattr(game_review, "REVIEW_SECONDS", 0.3)
        review, shares = GameReview(short), list[float]()
        while review.share_done() < 1:
            review.run_piece()
            shares.append(review.share_done())
        assert shares == sorted(shares)
        assert len(shares) > 1
        found = review.report()
        run = lambda tasks: (run_playouts(short.rules, review.line, short.ids[0], task) for task in tasks)  # noqa: E731
        whole = make_report(short.rules, review.line, found.playouts, run, lambda made, wanted: None)
        assert report_data(short, replace(found, ended_by_clock=False)) == report_data(short, whole)

    def test_an_entry_gets_playouts_of_its_own(self, short: Game, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(game_review, "ENTRY_SEEDS", 3)
        monkeypatch.setattr(game_review, "REVIEW_SECONDS", 60)
        review = GameReview(short)
        while review.share_done(2) < 1:
            review.run_piece(2)
        [at] = steps_of_entry(review.line, 2)
        assert review.report().counts[at] == 3
        assert sum(review.report().counts) == 6
        assert review.share_done(0) == 1, "there is nothing to be looked at"


class TestFairPlay:
    """The computer never looks over a game in progress against a person."""

    def test_a_person(self, short: Game, tmp_path: Path) -> None:
        assert not may_be_reviewed(short, LocalPlayer(tmp_path))
        over = open_game((EXAMPLES / "mortain-it-exits.yaml").read_bytes())
        assert may_be_reviewed(over, LocalPlayer(tmp_path))

    def test_a_game_that_the_computer_does_not_play(self, tmp_path: Path) -> None:
        over = open_game((EXAMPLES / "tabletop-hands-opened.yaml").read_bytes())
        assert not may_be_reviewed(over, LocalPlayer(tmp_path))
