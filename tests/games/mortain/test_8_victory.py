"""M8, victory: how games end, in words."""

from __future__ import annotations

from pbem.core.run import Run
from pbem.games.mortain import RULES
from support.mortain_positions import draw_cards, event_facts, position, run_of

EXITED = dict.fromkeys(("37SS", "38SS", "17StuG", "2SS-A"), "exited")


def ended(run: Run) -> tuple[str | None, str, str]:
    """How it ended: the winner, why, and the rule."""
    outcome = run.state.outcome
    return outcome.winner, str(outcome.reason), outcome.rule


class TestM81:
    """The German wins at the end with enough exits, or if no US unit is on the map."""

    def test_no_us_unit_on_the_map(self) -> None:
        run = run_of(position({"CCA": "waiting", "DF": "1505"}, turn=6, activated=("german", "us")))
        draw_cards(run, "Joker")
        assert ended(run) == ("german", "no US unit is on the map", "M8.1")


class TestM82:
    """Otherwise the US wins."""

    def test_too_few_exits(self) -> None:
        run = run_of(position({"117Inf": "1503", "DF": "1505", **EXITED}, turn=6, activated=("german", "us")))
        draw_cards(run, "Joker")
        reason = "four German units have exited, of 5 needed"
        assert ended(run) == ("us", reason, "M8.2")
        assert event_facts(run, "victory") == [{"winner": "us", "reason": reason}]


class TestM83:
    """What can no longer change ends the game at once."""

    def test_the_deciding_exit_leaves_the_fire_undone(self) -> None:
        run = run_of(position({"117Inf": "1503", "DF": "1101", "D": "1505", **EXITED}))
        draw_cards(run, "8S")
        run.answer([{"exit": "DF"}, {"fire": ["D"], "at": "117Inf"}])
        assert run.pending is None
        assert ended(run) == ("german", "five German units have exited", "M8.3")
        assert [tell.event for tell in run.told] == ["card", "exits", "victory"]
        assert RULES.public(run.state)["card"] is None

    def test_the_last_us_unit(self) -> None:
        run = run_of(position({"117Inf": "1503 reduced", "DF": "1505"}))
        draw_cards(run, "8S")
        run.answer([{"fire": ["DF"], "at": "117Inf"}])
        draw_cards(run, "3D")
        assert ended(run) == ("german", "no US unit is left", "M8.3")
        assert RULES.public(run.state)["attack"] is None

    def test_not_the_last_while_another_waits(self) -> None:
        run = run_of(position({"117Inf": "1503 reduced", "CCA": "waiting", "DF": "1505"}))
        draw_cards(run, "8S")
        run.answer([{"fire": ["DF"], "at": "117Inf"}])
        draw_cards(run, "3D")
        assert run.state.outcome is None

    def test_the_last_german_unit(self) -> None:
        run = run_of(position({"117Inf": "1503", "DF": "1505 reduced"}))
        draw_cards(run, "8H")
        run.answer([{"fire": ["117Inf"], "at": "DF"}])
        draw_cards(run, "4D")
        reason = "no German unit is left, and no German units have exited"
        assert ended(run) == ("us", reason, "M8.3")
