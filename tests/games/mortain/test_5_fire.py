"""M5, fire: the facts of refusals, modifiers with their reasons, and what is told."""

from __future__ import annotations

import pytest

from pbem.core.requests import Ask, Draw, Plain
from pbem.core.run import public
from pbem.games.mortain import RULES
from support.mortain_positions import draw_cards, event_facts, position, refusal, run_of

STATE = position(
    {
        "117Inf": "1503",
        "120Inf": "1501",
        "SPTD": "1403",
        "DF": "1505",
        "D": "1701",
        "2SS-A": "1603",
        "38SS": "waiting",
        "Tiger102": "1504",
    }
)


@pytest.mark.parametrize(
    ("card", "order", "facts"),
    [
        ("KH", {"fire": ["117Inf"], "at": "SPTD"}, "M5.1: SPTD is not an enemy of 117Inf"),
        (
            "KH",
            {"fire": ["117Inf"], "at": "38SS"},
            "M5.1: 38SS is off the map and cannot be attacked",
        ),
        (
            "KS",
            {"fire": ["38SS"], "at": "SPTD"},
            "M5.1: 38SS is off the map and cannot fire",
        ),
        (
            "KH",
            {"fire": ["117Inf"], "at": "D"},
            "M5.2: D in 1701 is 3 hexes from 117Inf in 1503, whose range is 2",
        ),
        (
            "KH",
            {"fire": ["SPTD"], "at": "D"},
            "M5.2: D in 1701 is 4 hexes from SPTD in 1403, whose range is 2",
        ),
    ],
)
def test_refusals_give_the_facts(card: str, order: Plain, facts: str) -> None:
    assert refusal(STATE, card, [order]) == facts


class TestM53:
    """Along a side the line is blocked by both hexes or by either, as the option says."""

    @pytest.mark.parametrize(
        ("edge", "facts"),
        [
            ("both_block", ""),
            ("either_blocks", "M5.3: 117Inf in 1503 does not see D in 1703: blocked by 1602"),
        ],
    )
    def test_the_refusal_names_what_blocks(self, edge: str, facts: str) -> None:
        state = position({"117Inf": "1503", "D": "1703"}, options={"los_edge": edge})
        assert refusal(state, "KH", [{"fire": ["117Inf"], "at": "D"}]) == facts


class TestM55:
    """Each modifier with its reason, and those that are 0 left out."""

    @pytest.mark.parametrize(
        ("firers", "target", "expected"),
        [
            (["2SS-A"], "117Inf", [["all adjacent", -1]]),
            (["2SS-A", "DF"], "117Inf", []),
            (["2SS-A", "Tiger102"], "SPTD", [["city", 2], ["Tiger 102", -1]]),
            (["Tiger102"], "SPTD", [["city", 2], ["all adjacent", -1], ["Tiger 102", -1]]),
            (["Tiger102"], "117Inf", [["all adjacent", -1]]),
        ],
    )
    def test_reasons(self, firers: list[str], target: str, expected: list[list[Plain]]) -> None:
        run = run_of(STATE)
        draw_cards(run, "8S")
        run.answer([{"fire": firers, "at": target}])
        [attack] = event_facts(run, "attack")
        assert attack["why"] == expected
        assert attack["modifier"] == sum(number for _, number in expected)

    def test_suppressed_once(self) -> None:
        state = position({"117Inf": "1503", "DF": "1505", "D": "1505"}, suppressed="1605")
        run = run_of(state)
        draw_cards(run, "8S")
        run.answer([{"fire": ["DF", "D"], "at": "117Inf"}])
        assert event_facts(run, "attack") == [
            {
                "by": "german",
                "way": "fire",
                "firers": ["DF", "D"],
                "targets": ["117Inf"],
                "at": "1503",
                "factor": "AI",
                "strength": 6,
                "modifier": 1,
                "why": [["suppressed", 1]],
            }
        ]


class TestM56:
    """Hit at most the strength: DF and D have 3 AI each, so 6."""

    @pytest.mark.parametrize(("card", "events"), [("6D", ["hit"]), ("7D", ["misses"])])
    def test_the_edge(self, card: str, events: list[str]) -> None:
        run = run_of(position({"117Inf": "1503", "DF": "1505", "D": "1505"}))
        draw_cards(run, "8S")
        run.answer([{"fire": ["DF", "D"], "at": "117Inf"}])
        draw_cards(run, card)
        assert event_facts(run, "attack_card") == [{"card": card, "result": int(card[0]), "strength": 6}]
        assert [tell.event for tell in run.told][-1:] == events


class TestM57:
    """On a face card the firer draws again or takes a miss, when asked each time anew."""

    def test_asked_each_time(self) -> None:
        run = run_of(STATE)
        draw_cards(run, "8H")
        run.answer([{"fire": ["117Inf"], "at": "DF", "faces": "ask"}])
        for card in ("JC", "KD"):
            draw_cards(run, card)
            assert isinstance(run.pending, Ask)
            assert public(RULES, run.state, run.pending)["asks"] == {
                "seat": "us",
                "question": "faces",
                "rule": "M5.7",
            }
            assert RULES.public(run.state)["attack"] == {
                "by": "us",
                "way": "fire",
                "firers": ["117Inf"],
                "targets": ["DF"],
                "faces": "ask",
            }
            assert list(RULES.offers(run.pending)) == [[{"faces": "redraw"}], [{"faces": "miss"}]]
            run.answer([{"faces": "redraw"}])
        draw_cards(run, "4C")
        assert [facts["choice"] for facts in event_facts(run, "face")] == ["redraw", "redraw"]
        assert event_facts(run, "hit") == [{"unit": "DF", "at": "1505"}]

    def test_a_miss_taken_goes_back_to_the_deck(self) -> None:
        run = run_of(STATE)
        draw_cards(run, "8H")
        run.answer([{"fire": ["117Inf"], "at": "DF", "faces": "miss"}])
        draw_cards(run, "QS")
        assert isinstance(run.pending, Draw)
        assert event_facts(run, "misses") == [{"targets": ["DF"], "reason": "face"}]
        assert RULES.public(run.state)["attack"] is None


class TestM58:
    """The joker misses and ends the turn, or is set aside and replaced."""

    def test_it_ends(self) -> None:
        run = run_of(position({"117Inf": "1503", "DF": "1505"}, activated=("german",)))
        draw_cards(run, "8H")
        run.answer([{"fire": ["117Inf"], "at": "DF"}])
        draw_cards(run, "Joker")
        events = [tell.event for tell in run.told]
        assert events[2:] == ["attack_card", "misses", "joker_ends", "turn_ends", "turn_begins"]
        assert event_facts(run, "joker_ends") == [{"during": "combat"}]

    def test_it_is_set_aside(self) -> None:
        run = run_of(position({"117Inf": "1503", "DF": "1505"}))
        draw_cards(run, "8H")
        run.answer([{"fire": ["117Inf"], "at": "DF"}])
        draw_cards(run, "Joker", "4S")
        assert event_facts(run, "joker_aside") == [{"during": "combat"}]
        assert event_facts(run, "hit") == [{"unit": "DF", "at": "1505"}]
        assert run.state.aside == ("Joker",)

    def test_no_card_to_replace_it(self) -> None:
        run = run_of(position({"117Inf": "1503", "DF": "1505"}, deck=("8H", "Joker")))
        draw_cards(run, "8H")
        run.answer([{"fire": ["117Inf"], "at": "DF"}])
        draw_cards(run, "Joker")
        assert event_facts(run, "misses") == [{"targets": ["DF"], "reason": "deck"}]
        assert event_facts(run, "deck_out") == [{"turn": 1}]
        assert run.state.turn == 2
