"""M6, support: the facts of refusals, what is told, and what suppression covers."""

from __future__ import annotations

import pytest

from pbem.core.requests import Plain
from pbem.games.mortain.rules.support import is_suppressed, support_of
from pbem.games.mortain.terms import cards
from support.mortain_positions import draw_cards, event_facts, position, refusal, run_of

UNITS = {
    "117Inf": "1503",
    "119Inf": "1402",
    "DF": "1505",
    "D": "1505",
    "37SS": "1605",
    "38SS": "waiting",
    "2SS-A": "waiting",
}


@pytest.mark.parametrize(
    ("edition", "card", "orders", "facts"),
    [
        (
            "it",
            "2H",
            [{"artillery": ["DF", "D"]}, {"suppress": "1505"}],
            "M6.1: you ordered support two times; it may be used only once a turn",
        ),
        (
            "es",
            "9H",
            [{"move": "117Inf", "to": "1502"}, {"air": ["DF"]}],
            "M6.1: support replaces the whole activation, including that of 117Inf",
        ),
        ("it", "2H", [{"air": ["DF", "D"]}], "M6.2: the 2 of hearts provides artillery, not air"),
        ("it", "4H", [{"suppress": "1505"}], "M6.2: the 4 of hearts provides artillery, not air"),
        ("it", "9H", [{"air": ["117Inf"]}], "M6.3: 117Inf is not a German unit"),
        (
            "es",
            "9H",
            [{"air": ["DF", "D"]}],
            "M6.3: you named two targets (DF, D); support attacks only one German unit",
        ),
        ("de", "9H", [{"air": ["DF", "37SS"]}], "M6.3: DF and 37SS are not in the same hex"),
        ("it", "9H", [{"air": ["DF"]}], "M6.3: every unit in 1505 must be attacked; D is missing"),
        ("it", "9H", [{"air": ["38SS"]}], "M6.5: 38SS is off the map, not in a hex"),
    ],
)
def test_refusals_give_the_facts(edition: str, card: str, orders: Plain, facts: str) -> None:
    assert refusal(position(UNITS, edition=edition), card, orders) == facts


class TestM61:
    """Once a turn."""

    def test_used_already(self) -> None:
        state = position(UNITS, support="used")
        assert refusal(state, "9H", [{"suppress": "1505"}]) == (
            "M6.1: support has already been used this turn"
        )

    def test_no_allowance_to_spend(self) -> None:
        state = position(UNITS, options={"activation_rounding": "down"})
        assert refusal(state, "AH", [{"suppress": "1505"}]) == (
            "M6.1: the ace of hearts activates no unit, so support cannot replace one"
        )


class TestM62:
    """Air on the odd red cards and the jack, artillery on the others."""

    def test_every_red_card(self) -> None:
        hearts = [card for card in cards.DECK if card.endswith("H")]
        assert [card[:-1] for card in hearts if support_of(card) == "air"] == ["A", "3", "5", "7", "9", "J"]
        assert [card[:-1] for card in hearts if support_of(card) == "artillery"] == [
            "2",
            "4",
            "6",
            "8",
            "10",
            "Q",
            "K",
        ]


class TestM63:
    """One card for the whole hex, with the terrain modifier alone."""

    def test_the_story(self) -> None:
        """Artillery 3 on 1605, woods +1: 2 + 1 is at most 3; that the targets are suppressed adds nothing."""
        run = run_of(position({"117Inf": "1503", "DF": "1605", "D": "1605 reduced"}, suppressed="1605"))
        draw_cards(run, "QH")
        run.answer([{"artillery": ["DF", "D"]}])
        draw_cards(run, "2S")
        assert event_facts(run, "attack") == [
            {
                "by": "us",
                "way": "artillery",
                "firers": [],
                "targets": ["DF", "D"],
                "at": "1605",
                "factor": None,
                "strength": 3,
                "modifier": 1,
                "why": [["woods", 1]],
            }
        ]
        assert event_facts(run, "attack_card") == [{"card": "2S", "result": 3, "strength": 3}]
        assert event_facts(run, "hit") == [{"unit": "DF", "at": "1605"}]
        assert event_facts(run, "eliminated") == [{"unit": "D", "at": "1605"}]


class TestM64:
    """Suppression covers a hex and the six around it, Germans only, wherever they then are."""

    def test_the_seven_hexes(self) -> None:
        state = position({"117Inf": "1503", "DF": "waiting"}, suppressed="1603")
        covered = [
            at for at in state.setting.grid.numbers if is_suppressed(state.with_unit_at("DF", at), "DF")
        ]
        assert covered == ["1503", "1504", "1602", "1603", "1604", "1703", "1704"]
        assert not is_suppressed(state, "117Inf")
        assert not is_suppressed(state, "DF")

    def test_fire_beside_it(self) -> None:
        run = run_of(position({"117Inf": "1503", "DF": "1505"}))
        draw_cards(run, "9H")
        run.answer([{"fire": ["117Inf"], "at": "DF"}, {"suppress": "1505"}])
        draw_cards(run, "10C")
        assert [tell.event for tell in run.told] == ["card", "suppresses", "attack", "attack_card", "misses"]
        assert run.state.suppressed == "1505"
        assert run.state.support == "used"
