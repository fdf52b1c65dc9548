"""One game of a study: what is kept of it, and that nothing but its seed decides it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem import games
from pbem.analysis.self_play import (
    GameRecord,
    RunDriver,
    SeatedPlayer,
    numeric_figures,
    parse_record,
    play_game,
    seeded_random,
)
from pbem.core.run import Position, Run
from pbem.errors import FileError
from support.processes import run_python
from support.small_studies import study_plan, study_task

HERE = Path(__file__).parents[1]


def records(game: str, number: int, **others: object) -> list[GameRecord]:
    """The first games of a small study."""
    lines = study_task(study_plan(game, number, **others), range(number)).carry_out()  # type: ignore[arg-type]
    return [parse_record(line) for line in lines.splitlines()]


class TestWhatIsKept:
    """Held against the position at the end, which says the same in another way."""

    @pytest.mark.parametrize(("game", "played_games"), [("mortain", 6), ("rommel", 1)])
    def test_losses_and_turns(self, game: str, played_games: int) -> None:
        rules = games.load(game)
        of = study_plan(game, played_games)
        for number in range(played_games):
            seated = {
                seat: SeatedPlayer("random", rules.players["random"], seeded_random(1, number, seat))
                for seat in rules.seats
            }
            run = Run(rules, Position(rules.begin(of.cells[0].options, of.scenario)))
            record = play_game(run, RunDriver(seated, seeded_random(1, number)), 0, number)
            end = run.state
            assert record.winner == end.outcome.winner
            assert record.turns == end.turn
            assert {len(each) for each in record.figures.values()} == {end.turn}
            assert {name: each[-1] for name, each in record.figures.items()} == numeric_figures(
                rules.view.legend(end)
            )
            margins = [each for each in rules.view.legend(end).margins if "eliminated" in each.title]
            assert record.lost.keys() == {piece.name for margin in margins for piece in margin.pieces}
            assert all(1 <= turn <= end.turn for turn in record.lost.values())
            assert record.fights.keys() <= set(end.setting.grid.numbers)

    def test_three_fords(self, fords: Path) -> None:
        """No traces: nothing is said of losses and fights. Rafts are a figure of its legend, by turn."""
        for record in records("fords", 8):
            rafts = record.figures["Rafts"]
            assert len(rafts) == record.turns
            assert rafts == sorted(rafts, reverse=True)
            assert (record.lost, record.fights) == ({}, {})
            assert record.winner == ("south" if "crossed" in record.reason else "north")

    def test_figures_are_numbers_of_the_legend(self) -> None:
        rules = games.load("rommel")
        state = rules.begin(rules.editions["nac"], rules.scenarios.data("alamein"))
        assert numeric_figures(rules.view.legend(state)) == {"Allied points": 0}


class TestOnlyTheSeedDecides:
    @pytest.mark.parametrize(
        ("game", "player"),
        [
            ("mortain", "sensible"),
            *(
                pytest.param(
                    game, player, marks=pytest.mark.thorough if player == "strong" else pytest.mark.long
                )
                for game in ("mortain", "rommel")
                for player in games.load(game).players
            ),
        ],
    )
    def test_the_order_of_sets_does_not(self, game: str, player: str) -> None:
        """Another process has another order of sets; its games are the same."""
        code = (
            "import sys; from support.small_studies import public_position\n"
            "print(public_position(*sys.argv[1:]))"
        )
        first, second = (run_python("-c", code, game, player, PYTHONHASHSEED=seed) for seed in ("1", "2"))
        assert (first.returncode, first.stderr) == (0, "")
        assert first.stdout == second.stdout
        assert json.loads(first.stdout)["turn"] >= 1

    def test_a_game_does_not_depend_on_those_before_it(self) -> None:
        of = study_plan("mortain", 4)
        assert (
            study_task(of, [3]).carry_out() == study_task(of, [2, 3]).carry_out().splitlines(keepends=True)[1]
        )

    def test_seeds_and_games_differ(self) -> None:
        one, other = records("mortain", 5), records("mortain", 5, seed=2)
        assert len({repr((game.reason, game.decisions, game.fights)) for game in [*one, *other]}) == 10


def test_a_player_that_breaks_the_rules_is_named() -> None:
    rules = games.load("mortain")
    of = study_plan("mortain", 1)
    lout = SeatedPlayer("lout", lambda ask, chooser, effort=(): [{"move": "nobody"}], seeded_random(1))
    hand = RunDriver(dict.fromkeys(rules.seats, lout), seeded_random(1))
    with pytest.raises(FileError, match="the player 'lout' gives illegal orders"):
        play_game(Run(rules, Position(rules.begin(of.cells[0].options, of.scenario))), hand, 0, 0)
