"""What turned a game, held against what is plain to see or can be reckoned by hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import ClassVar
from xml.etree.ElementTree import fromstring

import pytest
from msgspec.structs import replace

from pbem.analysis import turning_points
from pbem.analysis.playouts import Decision, Draws, MainLine, SeededDraws, main_line
from pbem.analysis.report_text import describe_cost, describe_report, report_data
from pbem.analysis.statistics import Estimate
from pbem.analysis.turning_points import (
    Blunder,
    GameReport,
    PlayoutTask,
    costliest_decision,
    make_report,
    run_playouts,
    significant_steps,
)
from pbem.core.requests import Ask, Draw, Orders, Plain, Throw
from pbem.core.rules import Rules
from pbem.core.run import Position, Run, public
from pbem.format.canonical import digest
from pbem.games import load
from pbem.games.mortain import RULES
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.web.chances_panel import chances_panel
from pbem.web.game_page import game_page
from support.mortain_positions import draw_cards, position, run_of
from support.processes import run_python
from support.simulator import (
    accept_game,
    file_of,
    log_of,
    mailed_file,
    offer_game,
    play_until,
    practice_chooser,
)

EXAMPLES = Path(__file__).parents[2] / "examples"


def alone(rules: Rules, positions: MainLine, playouts: int) -> GameReport:
    """The report on a line, by this process."""
    crew = lambda tasks: [run_playouts(rules, positions, "a game", task) for task in tasks]  # noqa: E731
    return make_report(rules, positions, playouts, crew, lambda made, wanted: None)


def followed(
    run: Run, *steps: Orders | tuple[Plain, ...], sealed: dict[str, Orders] | None = None
) -> MainLine:
    """The line of a game from where a run stands: orders, and tuples of what is drawn."""
    moments = [run.position]
    made: list[Decision | Draws] = []
    for entry, step in enumerate(steps, 1):
        if isinstance(step, tuple):
            draw_cards(run, *step)
            made.append(Draws(entry, step, ()))
        else:
            assert isinstance(run.pending, Ask)
            made.append(Decision(entry, run.pending, step))
            run.answer(step)
        moments.append(run.position)
    return MainLine(tuple(moments), tuple(made), sealed or {})


class TestTheLine:
    """It ends where the umpire has brought the game: take-backs, seals, own scenarios and all."""

    @pytest.mark.parametrize("name", ["mortain-de-takebacks", "rommel-goes-on", "mortain-es-resigns"])
    def test_its_last_position_is_the_games(self, name: str) -> None:
        game = open_game((EXAMPLES / f"{name}.yaml").read_bytes())
        positions = main_line(game)
        assert len(positions.moments) == len(positions.steps) + 1
        run = Run(game.rules, positions.moments[-1])
        asked = run.pending if isinstance(run.pending, Ask) else None
        assert (
            digest(public(game.rules, run.state, asked), b"pbem/1 position\n") == game.state.position_digest()
        )

    def test_what_was_taken_back_is_not_on_it(self) -> None:
        game = open_game((EXAMPLES / "mortain-de-takebacks.yaml").read_bytes())
        entries = [step.entry for step in main_line(game).steps]
        given = [one.body.n for one in game.entries if getattr(one.body, "orders", None) is not None]
        assert entries == sorted(entries)
        assert set(given) - set(entries), "the example takes nothing back"


class TestABlunder:
    """Four Germans have left, a fifth stands at the edge with a card to go: he stays, and loses the game."""

    EDGE: ClassVar = {
        "DF": "1101",
        **dict.fromkeys(("D", "17StuG", "2SS-A", "2SS-B"), "exited"),
        "117Inf": "1905",
    }

    @pytest.fixture
    def positions(self) -> MainLine:
        state = replace(position(self.EDGE), turn=6, deck=("9S", "8H"))
        run = run_of(state)
        return followed(run, ("9S",), [{"pass": True}])

    def test_it_cost_the_whole_game(self, positions: MainLine) -> None:
        report = alone(RULES, positions, 40)
        assert costliest_decision(report, RULES.seats, "german") == Blunder(1, True)
        assert costliest_decision(report, RULES.seats, "us") is None
        [stretch] = report.stretches
        assert (stretch.first, stretch.last, stretch.key_step) == (1, 1, 1)
        assert significant_steps(report) == [1]
        assert report.changes[1].mean == pytest.approx(-1, abs=0.05)
        assert report.decisions["german"].mean == pytest.approx(-1, abs=0.05)
        assert [round(chance.mean, 1) for chance in report.chances] == [1, 1, 0]

    def test_what_the_sensible_player_orders_himself_costs_nothing(self, positions: MainLine) -> None:
        state = replace(position(self.EDGE), turn=6, deck=("9S", "8H"))
        won = followed(run_of(state), ("9S",), [{"exit": "DF"}])
        report = alone(RULES, won, 40)
        assert costliest_decision(report, RULES.seats, "german") is None
        assert report.stretches == ()
        assert report.decisions["german"].mean == pytest.approx(0, abs=1e-6)
        assert report.chances[-1].mean == pytest.approx(1)


class TestThreeFords:
    """Both guess, so all is reckoned in fractions. North's chance, with one raft and turns 1 and 2:

    before turn 2 a guess of three, 1/3; before turn 1, 1/3 (1/2 + 1/2 * 1/3) = 2/9. Once guard and raft have
    met on turn 1: 1/2 + 1/2 * 1/3 = 2/3, since three faces of six repel; after a face that does not, 1/3.
    """

    @pytest.fixture
    def report(self, fords: Path) -> GameReport:
        rules = load("fords/1")  # where both do guess
        scenario = rules.scenarios.data("fords")
        run = Run(rules, Position(rules.begin({"turns": 2, "rafts": 1}, scenario)))
        seal = "5" * 64
        cross: Orders = [{"cross": "0202"}]
        known = {seal: cross}
        positions = followed(run, [{"seal": seal}], [{"guard": "0202"}], sealed=known)
        run.answer([{"open": {"salt": "0" * 64, "orders": cross}}])
        thrown = followed(run, (1,))
        met = MainLine(
            (*positions.moments[:-1], *thrown.moments),
            (*positions.steps, Draws(3, (1,), ())),
            known,
        )
        return alone(rules, met, 2000)

    def test_chances_luck_and_decisions(self, report: GameReport) -> None:
        known = zip(report.chances, (2 / 9, 2 / 9, 2 / 3, 1 / 3), strict=True)
        parts = ((report.luck, -1 / 3), (report.decisions["north"], 4 / 9), (report.decisions["south"], 0))
        for found, true in (*known, *parts):
            assert abs(found.mean - true) < 3 * found.deviation + 1e-4
            assert found.deviation < 0.05
        whole = report.luck.mean + sum(each.mean for each in report.decisions.values())
        assert whole == pytest.approx(report.chances[-1].mean - report.chances[0].mean)


@pytest.fixture(scope="module")
def short() -> Game:
    """The first mails of a game of one turn, by players who order anything."""
    return play_until(accept_game(offer_game()), practice_chooser(3), lambda game: len(game.entries) == 8)


class TestTheSameEverywhere:
    def test_what_was_played_does_not_depend_on_who_plays_how_much(self, short: Game) -> None:
        positions = main_line(short)
        parts = [
            run_playouts(short.rules, positions, "a game", PlayoutTask(2, True, first, number))
            for first, number in ((0, 2), (2, 1))
        ]
        whole = run_playouts(short.rules, positions, "a game", PlayoutTask(2, True, 0, 3))
        assert [one for part in parts for one in part] == whole

    def test_each_seed_draws_its_own_way_and_all_outcomes_come(self) -> None:
        die = Throw(None, "R1", (1, 2, 3, 4, 5, 6))
        thrown = {seed: [fate(die) for _ in range(60)] for seed in "ab" for fate in [SeededDraws(seed)]}
        assert thrown["a"] != thrown["b"]
        assert set(thrown["a"]) == set(thrown["b"]) == {0, 1, 2, 3, 4, 5}

    def test_one_card_more_does_not_change_those_of_other_rules_nor_of_the_next_deck(self) -> None:
        def drawn(fate: SeededDraws, rule: str, size: int) -> int:
            return fate(Draw(None, rule, tuple(map(str, range(size)))))

        one, other = SeededDraws("a"), SeededDraws("a")
        assert drawn(one, "M3.2", 53) == drawn(other, "M3.2", 53)
        drawn(other, "M5.5", 52)
        assert drawn(one, "M3.2", 9) == drawn(other, "M3.2", 9)
        assert [drawn(one, "M5.5", 53) for _ in range(9)] == [drawn(other, "M5.5", 53) for _ in range(9)]

    @pytest.mark.thorough
    def test_two_processes_say_what_one_says(self, short: Game) -> None:
        positions, said = main_line(short), []
        for workers in (1, 2):
            with turning_points.playout_runner(short, positions, mailed_file(short), workers) as crew:
                found = make_report(short.rules, positions, 40, crew, lambda made, wanted: None)
            said.append(report_data(short, found))
        assert said[0] == said[1]


def made(
    game: Game,
    playouts: int,
    seconds: float = inf,
    progress: Callable[[int, int], None] = lambda made, wanted: None,
) -> GameReport:
    """The report on a game, by this process."""
    positions = main_line(game)
    crew = lambda tasks: (run_playouts(game.rules, positions, "a game", task) for task in tasks)  # noqa: E731
    return make_report(game.rules, positions, playouts, crew, progress, seconds)


ENDED_BY_THE_CLOCK = """
import sys
from pathlib import Path
from pbem.analysis.playouts import main_line
from pbem.analysis.turning_points import make_report, playout_runner
from pbem.umpire.verify import open_game
data = Path(sys.argv[1]).read_bytes()
game = open_game(data)
line = main_line(game)
with playout_runner(game, line, data, 2) as crew:
    report = make_report(game.rules, line, 10_000, crew, lambda made, wanted: None, 0.1)
print(report.ended_by_clock)
"""


class TestHowMany:
    """As many playouts as were asked for, or as fit into the time."""

    @pytest.mark.parametrize("playouts", [1, 40, 97])
    def test_never_more_than_were_announced(self, short: Game, playouts: int) -> None:
        shown = list[tuple[int, int]]()
        found = made(short, playouts, progress=lambda made, wanted: shown.append((made, wanted)))
        assert shown[0] == (0, playouts), "at once, since the first playouts may take long"
        assert all(made <= wanted for made, wanted in shown)
        assert shown[-1] == (playouts, playouts)
        assert found.playouts in (playouts, playouts + 1), "the last decision may take two"
        assert not found.ended_by_clock

    def test_none_too_many_where_nothing_has_happened(self) -> None:
        assert made(accept_game(offer_game()), 5).playouts == 5

    @pytest.mark.parametrize("seconds", [0.0, 0.5])
    def test_the_clock_ends_it_and_the_same_number_says_the_same(self, short: Game, seconds: float) -> None:
        shown = list[tuple[int, int]]()
        cut = made(short, 10_000, seconds, lambda made, wanted: shown.append((made, wanted)))
        assert cut.ended_by_clock
        assert cut.playouts < 10_000
        assert shown[-1][0] == shown[-1][1] == cut.playouts, "the bar is full"
        whole = made(short, cut.playouts)
        assert report_data(short, whole) | {"ended_by_clock": True} == report_data(short, cut)

    @pytest.mark.thorough
    def test_nobody_waits_for_the_workers_that_the_clock_has_ended(self) -> None:
        """A file that is larger than a pipe holds does not keep the program from ending."""
        example = EXAMPLES / "rommel-goes-on.yaml"
        assert example.stat().st_size > 2**16
        done = run_python("-c", ENDED_BY_THE_CLOCK, str(example))
        assert (done.stdout, done.stderr) == ("True\n", ""), "nor does a thread of theirs complain"

    def test_a_round_that_is_broken_off_has_been_spread_evenly(self) -> None:
        """Of eight moments and more the newest comes first; after eight playouts none is far from one."""
        over = open_game((EXAMPLES / "mortain-it-exits.yaml").read_bytes())
        early = open_game(file_of(log_of(over)[:40]))
        counts = made(early, 8).counts
        tried = [at for at, number in enumerate(counts) if number]
        assert tried[-1] == len(counts) - 1
        gaps = [later - sooner for sooner, later in pairwise([0, *tried])]
        assert max(gaps) <= len(counts) // 2


class TestWords:
    """Of the blunder above: the game lends its names alone."""

    @pytest.fixture
    def report(self) -> GameReport:
        state = replace(position(TestABlunder.EDGE), turn=6, deck=("9S", "8H"))
        return alone(RULES, followed(run_of(state), ("9S",), [{"pass": True}]), 40)

    def test_the_terminal(self, short: Game, report: GameReport) -> None:
        lines = describe_report(short, report, 78)
        assert max(map(len, lines)) <= 78
        assert max(map(len, describe_report(short, report, 40))) <= 40
        words = " ".join(" ".join(lines).split())
        assert re.search(r"A entry 2, \+(9\d|100) \(9\d to 1\d\d\) for the Americans: pass \(German\)", words)
        cost = r"cost the Germans most was in entry 2, pass \(German\): -(9\d|100) \(.*?\) points\."
        assert re.search(cost, words)
        assert "No decision of the Americans cost them anything" in words
        assert "The sensible player would have ordered: exit DF." in words
        assert "The Americans have been ahead since entry 2. The game turned most in entry 2." in words

    def test_so_few_playouts_cannot_tell_that_nothing_was_lost(self, short: Game, report: GameReport) -> None:
        """Neither where a decision was not judged, nor where it may have cost something after all."""
        line, us = report.line, "us"
        [pass_] = (at for at, each in enumerate(line.steps) if isinstance(each, Decision))
        step = line.steps[pass_]
        assert isinstance(step, Decision)
        ours = replace(step, ask=replace(step.ask, seat=us))
        theirs = replace(line, steps=[*line.steps[:pass_], ours, *line.steps[pass_ + 1 :]])
        wide, narrow = (
            replace(report, line=theirs, playouts=3, changes=(Estimate(0.0, deviation),) * len(line.steps))
            for deviation in (0.2, 0.001)
        )
        for few in (wide, replace(narrow, judged_steps=frozenset())):
            assert describe_cost(short, few, us) == [
                "3 playouts are too few to tell whether a decision of the Americans cost them anything."
            ]
        assert describe_cost(short, narrow, us)[0].startswith(
            "No decision of the Americans cost them anything"
        )

    def test_the_chart(self, short: Game, report: GameReport) -> None:
        """The chance stays as it was from one entry to the next; a letter is below what turned it."""
        known = [Estimate(chance, 1e-9) for chance in (1.0, 0.0, 1.0)]
        lines = describe_report(short, replace(report, chances=tuple(known)), 40)
        chart = lines[lines.index("") + 1 :]
        assert chart[0] == " 100% |" + "*" * 16 + " " * 16 + "*"
        assert chart[5] == "  50% |"
        assert chart[10] == "   0% |" + " " * 16 + "*" * 16
        assert chart[11] == "entry +" + "-" * 32 + "A"

    def test_each_point_of_the_pages_chart_leads_to_its_entry(self, short: Game, report: GameReport) -> None:
        section = chances_panel(short, report)
        drawn = fromstring(section[section.index("<svg") : section.index("</svg>") + 6])
        assert [link.get("href") for link in drawn.findall("a")] == ["#2"]
        assert "pass (German)" in "".join(drawn.find("a").itertext())  # type: ignore[union-attr]
        assert game_page(short, section).count(section.encode()) == 1
