"""What a plan does at a decision: its conditions, its orders, and every reason for which it stops."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.base.limits import clock_limit
from pbem.core.run import Position, Run
from pbem.errors import FileError, OverBudget
from pbem.games.mortain import RULES as MORTAIN
from pbem.games.rommel import RULES
from pbem.games.rommel.rules.state import Phase
from pbem.games.rommel.terms.setting import ALLIED, AXIS
from pbem.player.plans.choice import Choice, attack_chance, choose, outlook
from pbem.player.plans.conditions import Moment, PlanContext
from pbem.player.plans.grammar import STOPS, parse_plan
from pbem.player.plans.ready_made import make_ready_made, ready_made_plans
from pbem.umpire.verify import open_game
from support import rommel_positions as desert
from support.mortain_positions import draw_cards, position, run_of

AFAR = {"DF": "1803", "2SS-A": "1703", "117Inf": "1201"}
NEAR = {"DF": "1505", "2SS-A": "1603", "117Inf": "1503", "SPTD": "1504 reduced"}
AT_ALAMEIN = {"AlSup-1": "2610", "61-Tre": "0302"}
"""Germans and Americans, out of range of one another, and face to face; supply, and an enemy far away."""


def mortain(units: dict[str, str], card: str = "8S", **changes: Any) -> PlanContext:
    """The German player at an activation card, just after his plan was armed."""
    run = run_of(position(units, **changes))
    draw_cards(run, card)
    return PlanContext(run, "german", (Moment(run.state),), {})


def rommel(step: Phase, units: dict[str, str], seat: str, **changes: Any) -> PlanContext:
    """A player of the other game at a question."""
    run = desert.run_of(desert.position(step, units, **changes))
    return PlanContext(run, seat, (Moment(run.state),), {})


def chosen_orders(sight: PlanContext, *lines: str) -> Choice:
    """What a plan of these lines does."""
    return choose(parse_plan("\n".join(lines), "plan"), sight)


def then(sight: PlanContext, state: Any, **moment: Any) -> PlanContext:
    """The same decision, before which the game went from `state` to where it is."""
    now = Moment(sight.run.state, **moment)
    return replace(sight, moments=(Moment(state), now))


def attack_target() -> PlanContext:
    """The Americans have fired at DF, and missed."""
    run = run_of(position(NEAR))
    draw_cards(run, "8H")
    before = run.state
    run.told.clear()
    run.answer([{"fire": ["117Inf"], "at": "DF"}])
    draw_cards(run, "10H", "8S")
    return PlanContext(
        run, "german", (Moment(before), Moment(run.state, tuple(run.told), noted_stops=STOPS)), {}
    )


class TestConditions:
    @pytest.mark.parametrize(
        "line",
        [
            "asked activate",
            "asked faces or activate",
            "card 8S",
            "card 7S or 8S",
            "colour black",
            "kind number",
            "allowance 4",
            "allowance 3 or more",
            "turn 1 or less",
            "suppressed none",
            "unit DF at 1505",
            "unit df alive",
            "unit SPTD reduced",
            "not unit DF reduced",
            "not unit D alive",
            "hex 1505 held by own",
            "hex 1503 held by us",
            "hex 1504 held by enemy",
            "hex 1801 empty",
            "attack 10%",
            "attack 10% DF 117Inf",
            "not attack 100% 117Inf",
            "not nothing in range",
            "not event hit",
            "not unit DF attacked",
        ],
    )
    def test_holds(self, line: str) -> None:
        """On a board where each is so, and its contrary therefore is not."""
        sight = mortain(NEAR)
        assert chosen_orders(sight, f"when {line}", "do pass").orders == [{"pass": True}]
        contrary = line.removeprefix("not ") if line.startswith("not ") else f"not {line}"
        refused = chosen_orders(sight, f"when {contrary}", "do pass")
        assert (refused.orders, refused.reasons) == ([], (f"step 1: not true: {contrary}",))

    def test_nothing_in_range(self) -> None:
        assert chosen_orders(mortain(AFAR), "when nothing in range", "do pass").words == "pass"

    def test_all_must_hold(self) -> None:
        choice = chosen_orders(mortain(AFAR), "when turn 1", "when turn 2", "do pass")
        assert choice.why == "no step applies at the moment"

    def test_an_attack_that_was(self) -> None:
        """By the traces of what was told: fire at the hex of a unit, whether it hit or not."""
        sight = attack_target()
        assert chosen_orders(sight, "when unit DF attacked", "do pass").step == 1
        assert chosen_orders(sight, "when event misses DF", "do pass").step == 1
        assert chosen_orders(sight, "when not unit 2SS-A attacked", "do pass").step == 1
        assert chosen_orders(sight, "when event misses 2SS-A", "do pass").step == 0


class TestOrders:
    def test_as_typed(self) -> None:
        choice = chosen_orders(mortain(AFAR), "do move DF 1802", "do move 2SS-A 1602")
        assert choice.words == "move DF 1802; move 2SS-A 1602"

    def test_not_half_done(self) -> None:
        """One of two movements is legal: neither is made, and no later step stands in for them."""
        choice = chosen_orders(mortain(AFAR), "do move DF 1802; move 2SS-A 1101", "", "do pass")
        assert (choice.orders, choice.step) == ([], 0)
        assert choice.why.startswith("the orders of step 1 are refused: M4.1: ")

    def test_no_pass_unless_it_says_so(self) -> None:
        assert chosen_orders(mortain(AFAR), "do attacks of 1%").why == "no step applies at the moment"
        assert chosen_orders(mortain(AFAR)).why == "it has no steps"

    def test_the_first_that_can_be_done(self) -> None:
        assert chosen_orders(mortain(AFAR), "do attacks of 1%", "", "do pass").step == 2

    def test_the_best_of_a_list(self) -> None:
        """By chance, among those that are legal."""
        sight = mortain(NEAR)
        shots = ["fire DF at 117Inf", "fire 2SS-A at 117Inf", "fire DF 2SS-A at 117Inf"]
        choice = chosen_orders(sight, f"do best of move DF 1101 | {' | '.join(shots)}")
        orders = [sight.rules.view.read_words(sight.question, [shot]) for shot in shots]
        assert choice.orders == max(orders, key=lambda each: attack_chance(sight, each))
        assert attack_chance(sight, orders[2]) > attack_chance(sight, orders[0]) > 0
        assert chosen_orders(sight, "do best of move DF 1101 | exit DF").reasons == (
            "step 1: none of the orders is legal",
        )

    def test_the_best_attack(self) -> None:
        """M3.8 allows one: it is the best there is, and at least as good as was said."""
        sight = mortain(NEAR)
        best = max(one.hit for one in sight.rules.view.odds(sight.question))
        choice = chosen_orders(sight, "do attacks of 10%")
        assert [one.hit for one in sight.rules.view.odds(sight.question) if one.orders == choice.orders] == [
            best
        ]
        assert chosen_orders(mortain(AFAR), "do attacks of 1%").reasons == (
            "step 1: no attack of 1% or more",
        )

    def test_march(self) -> None:
        """Each a step nearer, as many as the card allows; who is there stays."""
        sight = mortain({**AFAR, "2SS-B": "1805"}, "2S")
        assert chosen_orders(sight, "do march DF 1503 2SS-A 1503").words == "move DF 1703"
        assert chosen_orders(sight, "do march DF 1803 2SS-B 1805 2SS-A 1503").words == "move 2SS-A 1602"
        there = chosen_orders(sight, "do march DF 1803")
        assert there.reasons == ("step 1: no unit can get nearer to its hex",)

    def test_march_on_to_the_map(self) -> None:
        sight = mortain({"38SS": "waiting", "117Inf": "1201"})
        assert chosen_orders(sight, "do march 38SS 1703").words.startswith("enter 38SS ")


class TestEnds:
    def test_at_most(self) -> None:
        sight = replace(mortain(AFAR), done={1: 3})
        assert chosen_orders(sight, "do pass", "at most 4 times").step == 1
        assert chosen_orders(sight, "do pass", "at most 3 times").reasons == (
            "step 1: done 3 times, the limit",
        )
        assert chosen_orders(replace(sight, done={1: 1}), "do pass", "at most once").step == 0

    def test_until(self) -> None:
        sight = mortain(AFAR, turn=3)
        assert chosen_orders(sight, "do pass", "until turn 4 or more").step == 1
        assert chosen_orders(sight, "do pass", "until turn 3 or more").reasons == (
            "step 1: over: until turn 3 or more",
        )

    def test_until_is_for_good(self) -> None:
        """What was so at any time since the plan was armed ends the step."""
        sight = mortain(AFAR)
        before = position({**AFAR, "DF": "1604"})
        was = then(sight, before, noted_stops=STOPS)
        assert chosen_orders(was, "do pass", "until unit DF at 1604").step == 0
        assert chosen_orders(was, "do pass", "until unit DF at 1605").step == 1

    def test_until_an_event(self) -> None:
        run = run_of(position(AFAR, colours=("red", "black"), activated=("us", "german")))
        before = run.state
        draw_cards(run, "8S")
        sight = PlanContext(
            run, "german", (Moment(before), Moment(run.state, tuple(run.told), noted_stops=STOPS)), {}
        )
        assert chosen_orders(sight, "do pass", "until event card").step == 0
        assert chosen_orders(sight, "do pass", "until event joker_ends").step == 1


class TestStops:
    """Without being told to go on, it stops when something happened that the player would want to know."""

    def test_one_was_hit(self) -> None:
        sight = mortain({**AFAR, "DF": "1803 reduced"})
        hit = then(sight, position(AFAR))
        assert chosen_orders(hit, "do pass").why == "DF was hit"
        assert chosen_orders(hit, "despite hits", "do pass").step == 1
        seen = then(sight, position(AFAR), noted_stops=STOPS)
        assert chosen_orders(seen, "do pass").step == 1, "the player has decided since"

    def test_one_was_lost(self) -> None:
        sight = mortain({"2SS-A": "1703", "117Inf": "1201"})
        assert chosen_orders(then(sight, position(AFAR)), "do pass").why == "DF was hit"

    def test_all_who_were_hit_are_named(self) -> None:
        """What several steps went on despite is told at once."""
        sight = mortain({"DF": "1803 reduced", "117Inf": "1201"})
        assert chosen_orders(then(sight, position(AFAR)), "do pass").why == "2SS-A and DF were hit"

    def test_an_enemy_came_into_range(self) -> None:
        sight = mortain(NEAR)
        came = then(sight, position({**NEAR, "117Inf": "1101", "SPTD": "1101"}))
        assert chosen_orders(came, "do pass").why == "117Inf came into range of 2SS-A"
        assert chosen_orders(came, "despite range", "do pass").step == 1
        assert chosen_orders(then(sight, sight.state), "do pass").step == 1, "it was in range before"

    def test_a_step_may_go_on(self) -> None:
        """And no other: of two steps that are for now, the careful one stops."""
        sight = mortain({**AFAR, "DF": "1803 reduced"})
        hit = then(sight, position(AFAR))
        assert chosen_orders(hit, "do pass", "despite hits").step == 1
        assert chosen_orders(hit, "do pass", "despite range, words").why == "DF was hit"
        assert chosen_orders(hit, "when turn 1", "do pass", "", "do pass", "despite hits").why == "DF was hit"
        assert chosen_orders(hit, "when turn 2", "do pass", "", "do pass", "despite hits").step == 2
        assert chosen_orders(hit, "when turn 2", "do pass", "despite hits").why == "DF was hit"
        assert chosen_orders(hit, "do move DF 0101", "despite hits").why == "DF was hit"
        left = then(sight, position(AFAR), noted_stops=("range", "words"))
        assert chosen_orders(left, "do pass").why == "DF was hit", "whoever went on despite it has not looked"

    def test_words(self) -> None:
        sight = mortain(AFAR)
        said = then(sight, sight.state, has_message=True)
        assert chosen_orders(said, "do pass").why == "your opponent has sent a message"
        assert chosen_orders(said, "despite words", "do pass").step == 1


class TestTheOtherGame:
    def test_its_own_plan_is_offered(self) -> None:
        assert "grounded" in ready_made_plans(RULES)
        assert "grounded" not in ready_made_plans(MORTAIN)
        assert make_ready_made(MORTAIN, ["grounded"], 1, "plan") is None

    def test_the_page_on_plans_has_them_in_order(self) -> None:
        page = (Path(__file__).parents[2] / "docs" / "PLANS.md").read_text("utf-8")
        assert "`add fire 40%`, `add march all 2210`, `add grounded` and `add hold 40%`" in page
        assert "\n".join(RULES.view.plans()["grounded"].lines) in page

    def test_on_the_ground_until_the_movement(self) -> None:
        """A hit in the enemy's turn does not stop the aircraft's four turns, but the movement after them."""
        units = {"AlSup-1": "2610", "Spit-1": "2508", "PzIII-1": "0302"}
        plan = (*RULES.view.plans()["grounded"].lines, "", "do march all 2210")
        for step, found in ((Phase.AIR, 1), (Phase.MOVE, 0)):
            sight = rommel(step, {**units, "Sherman-1": "2510 struck"}, ALLIED, active=ALLIED)
            hit = then(sight, desert.position(step, {**units, "Sherman-1": "2510"}, active=ALLIED))
            choice = chosen_orders(hit, *plan)
            assert (choice.step, choice.why) == (found, "" if found else "Sherman-1 was hit")

    def test_all_shots_together(self) -> None:
        """R7: one answer has the fire of all; a plan gives every shot that is good enough."""
        units = {"88mm-1": "1705", "88mm-2": "1706", "Sherman-1": "1606", "Sherman-2": "1607"}
        sight = rommel(Phase.FIRE, units, AXIS, active=AXIS)
        choice = chosen_orders(sight, "when asked ground_fire", "do attacks of 10%")
        assert len(choice.orders) == 2
        sight.question.read(choice.orders)

    def test_march(self) -> None:
        """A way of several hexes, as far as the unit goes."""
        sight = rommel(
            Phase.MOVE, {"Sherman-1": "2510", "AlSup-1": "2610", "PzIII-1": "0302"}, ALLIED, active=ALLIED
        )
        choice = chosen_orders(sight, "when weather clear", "do march Sherman-1 2210")
        assert choice.words.startswith("move Sherman-1 ")
        assert choice.words.endswith(" 2210")
        assert len(choice.orders[0]["path"]) == 3

    @pytest.mark.parametrize(
        ("word", "who"),
        [
            ("all", {"Sherman-1", "20-Aus", "AlSup-1"}),
            ("British", {"Sherman-1", "AlSup-1"}),
            ("tank", {"Sherman-1"}),
            ("20-aus", {"20-Aus"}),
        ],
    )
    def test_many_march_together(self, word: str, who: set[str]) -> None:
        """All on the ground, those of a nation or of a kind; not the aircraft, and none of the enemy's."""
        units = {
            "Sherman-1": "2510",
            "20-Aus": "2511",
            "AlSup-1": "2610",
            "Spit-1": "2508",
            "PzIII-1": "0302",
        }
        sight = rommel(Phase.MOVE, units, ALLIED, active=ALLIED)
        choice = chosen_orders(sight, f"do march {word} 2210")
        assert {order["move"] for order in choice.orders} == who
        sight.question.read(choice.orders)

    def test_aircraft_do_not_march(self) -> None:
        units = {"Spit-1": "2508", "AlSup-1": "2610", "PzIII-1": "0302"}
        sight = rommel(Phase.AIR, units, ALLIED, active=ALLIED)
        assert chosen_orders(sight, "do march all 2210").why == "no step applies at the moment"
        assert chosen_orders(sight, "do march Spit-1 2210").words.startswith("fly Spit-1 ")

    def test_weather_that_clears_is_nobody_who_comes(self) -> None:
        """What may attack now and did not before, though neither has moved."""
        units = {"20-Aus": "2510", "AlSup-1": "2610", "PzIII-1": "2109", "AxSup-1": "1904"}
        sight = rommel(Phase.MOVE, units, ALLIED, active=ALLIED)
        storm = desert.position(Phase.MOVE, units, active=ALLIED, weather="storm")
        assert chosen_orders(then(sight, storm), "when not nothing in range", "do pass").step == 1
        assert chosen_orders(then(sight, storm), "do pass").step == 1
        came = desert.position(Phase.MOVE, {**units, "PzIII-1": "0302"}, active=ALLIED)
        assert chosen_orders(then(sight, came), "do pass").why == "PzIII-1 came into range of 20-Aus"

    def test_nothing_in_range(self) -> None:
        sight = rommel(
            Phase.MOVE, {"20-Aus": "2510", "AlSup-1": "2610", "61-Tre": "0302"}, ALLIED, active=ALLIED
        )
        assert chosen_orders(sight, "when nothing in range", "do pass").step == 1


class TestTrial:
    def test_every_card_counts_once(self) -> None:
        """The chances come to 1, and are those of the deck."""
        run = run_of(position(AFAR, deck=("2C", "3C", "4C", "8D", "9D", "Joker")))
        sight = PlanContext(run, "german", (Moment(run.state),), {})
        found = outlook(parse_plan("when colour black\ndo pass", "plan"), sight)
        chances = {one.words: (one.chance, one.outcomes) for one in found.prospects}
        assert sum(share for share, _ in chances.values()) == 1
        share, cards = chances["your plan orders pass (step 1)"]
        assert share >= Fraction(3, 6)
        assert {"2C", "3C", "4C"} <= set(cards)
        assert chances["the Americans decide"][0] >= Fraction(2, 6)

    def test_from_an_own_decision_on(self) -> None:
        found = outlook(parse_plan("do pass\nat most 1 times", "plan"), mortain(AFAR))
        assert found.first == ("now: your plan orders pass (step 1)",)
        assert "your plan stops and asks you: no step applies at the moment" in {
            one.words for one in found.prospects
        }

    def test_beyond_a_pass_of_the_other_side(self) -> None:
        run = run_of(position(AFAR))
        draw_cards(run, "8H")
        sight = PlanContext(run, "german", (Moment(run.state),), {})
        found = outlook(parse_plan("do pass", "plan"), sight)
        assert found.first == ("if the Americans pass:",)
        assert sum(one.chance for one in found.prospects) == 1

    def test_somebody_is_waiting(self) -> None:
        """A march of all to 900 hexes, in a whole game: a minute of work for one decision alone."""
        data = (Path(__file__).parents[2] / "examples" / "rommel-goes-on.yaml").read_bytes()
        moving = next(
            one
            for one in open_game(data).replayed_entries
            if one.question and one.question.question is Phase.MOVE
        )
        run = Run(RULES, Position(moving.state))
        hexes = [cell.number for cell in RULES.view.legend(run.state).cells]
        plan = parse_plan("do march " + " ".join(f"all {number}" for number in (hexes * 9)[:900]), "plan")
        sight = PlanContext(run, ALLIED, (Moment(run.state),), {})
        with clock_limit(0.1), pytest.raises(OverBudget, match="takes too long"):
            outlook(plan, sight)

    def test_nothing_is_changed(self) -> None:
        sight = mortain(AFAR)
        before = MORTAIN.public(sight.run.state)
        outlook(parse_plan("do pass", "plan"), sight)
        assert MORTAIN.public(sight.run.state) == before


def test_any_words() -> None:
    """A plan of words thrown together is refused, or it answers or stops, and comes back as it was."""
    chooser = Random(12)
    words = "when not do until at most 3 once despite hits asked activate unit DF at 1503 alive reduced "
    words += (
        "attacked hex empty held by own enemy attack 40% nothing in range event hit turn or more card 8S "
    )
    words += "best of | march attacks move fire 117Inf pass exit # ; , kind face 9999999999 \u202e"
    sight, plans = mortain(NEAR), 0
    for _ in range(1500):
        lines = [
            " ".join([verb, *chooser.choices(words.split(" "), k=chooser.randint(1, 5))])
            for verb in chooser.choices(("when", "do", "do", "until", "at most", ""), k=chooser.randint(1, 4))
        ]
        try:
            plan = parse_plan("\n".join(lines), "plan")
        except FileError:
            continue
        plans += 1
        assert parse_plan(plan.text, "plan") == plan, lines
        choice = choose(plan, sight)
        assert bool(choice.orders) != bool(choice.why), lines
        if choice.orders:
            sight.question.read(choice.orders)
    assert plans > 50
