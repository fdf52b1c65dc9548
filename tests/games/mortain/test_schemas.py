"""The schemas agree with the program: what it accepts and writes is valid, and what is not is not."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from pbem.core.requests import Ask
from pbem.core.run import Position, Run, public
from pbem.errors import IllegalOrder
from pbem.games.mortain import RULES
from pbem.games.mortain.rules.state import Unit
from support.faulty_scenarios import place_in
from support.mortain_positions import random_game

ROOT = Path(__file__).parents[3]


def schema(name: str) -> Draft202012Validator:
    text = (ROOT / "schemas" / f"mortain-{name}.schema.json").read_text("utf-8")
    return Draft202012Validator(json.loads(text))


SCENARIO, STATE, ORDERS = schema("scenario"), schema("state"), schema("orders")


class TestTheSchemasThemselves:
    """They are JSON Schema 2020-12."""

    @pytest.mark.parametrize("validator", [SCENARIO, STATE, ORDERS], ids=["scenario", "state", "orders"])
    def test_valid(self, validator: Draft202012Validator) -> None:
        Draft202012Validator.check_schema(validator.schema)


class TestScenario:
    """The schema of scenarios and `scenario.check` see the same shape."""

    def test_what_ships_is_valid(self) -> None:
        SCENARIO.validate(RULES.scenarios.data("mortain"))

    @pytest.mark.parametrize(
        ("path", "value"),
        [
            ("units 17StuG full", ["5", 3]),
            ("units 17StuG full", [5, 3, 1]),
            ("units 17StuG full", [5, 21]),
            ("units 17StuG kind", "cavalry"),
            ("units 17StuG status", "likely"),
            ("units 17StuG colour", "black"),
            ("units 17StuG tiger", 0),
            ("map columns", [11]),
            ("map lower", "both"),
            ("map hexes 1403 terrain", "swamp"),
            ("map hexes 1403 label", None),
            ("map hexes 14O3", {"terrain": "hill", "status": "known", "source": "ours"}),
            ("map roads", {}),
            ("map modifiers swamp", {"value": 1, "status": "known", "source": "ours"}),
            ("map modifiers woods value", 10),
            ("map scale", 1),
            ("support air value", True),
            ("sources ours", 1),
            ("name", "Mortain"),
            ("title", "x" * 61),
            ("date", "1944"),
        ],
    )
    def test_a_broken_value_fails_in_both(self, path: str, value: Any) -> None:
        data = RULES.scenarios.data("mortain")
        part, last = place_in(data, path)
        part[last] = value
        assert not SCENARIO.is_valid(data)
        assert RULES.scenarios.check(data)

    @pytest.mark.parametrize(
        "path",
        [
            "name",
            "title",
            "sources",
            "support air",
            "map rows",
            "map otherwise",
            "map modifiers hill",
            "map status",
            "map hexes 1403 source",
            "map hexes 1403 terrain",
            "units DF side",
            "units DF reduced",
            "units DF",
        ],
    )
    def test_a_missing_value_fails_in_both(self, path: str) -> None:
        data = RULES.scenarios.data("mortain")
        part, last = place_in(data, path)
        del part[last]
        assert not SCENARIO.is_valid(data)
        assert RULES.scenarios.check(data)

    @pytest.mark.parametrize("name", ["102", "at", "Faces", "TO", "-D", "D D", "Deutschland", ""])
    def test_a_bad_name_fails_in_both(self, name: str) -> None:
        data = RULES.scenarios.data("mortain")
        data["units"][name] = data["units"].pop("D")
        assert not SCENARIO.is_valid(data)
        assert RULES.scenarios.check(data)


def face_card_question() -> Run:
    """DF has fired at 117Inf with `faces: ask`, and the king of clubs has come."""
    start = RULES.begin(RULES.editions["it"], RULES.scenarios.data("mortain"))
    units = {**start.units, "DF": Unit("1403"), "117Inf": Unit("1402")}
    run = Run(RULES, Position(replace(start, step="card", deck=("2C", "KC", "3C"), units=units)))
    run.decide(0)
    run.answer([{"fire": ["DF"], "at": "117Inf", "faces": "ask"}])
    run.decide(0)
    return run


def standing(run: Run) -> dict[str, Any]:
    """The public position of a run."""
    return public(RULES, run.state, run.pending if isinstance(run.pending, Ask) else None)


class TestPositions:
    """Every position of a game fits, at every kind of question and at its end."""

    @pytest.mark.parametrize("edition", RULES.editions)
    def test_a_whole_game(self, edition: str) -> None:
        for number, run in enumerate(random_game(edition, 11)):
            if number % 7 == 0 or run.pending is None:
                STATE.validate(standing(run))

    def test_a_question_about_a_face_card(self) -> None:
        position = standing(face_card_question())
        STATE.validate(position)
        assert position["attack"] is not None
        assert position["asks"] == {"seat": "german", "question": "faces", "rule": "M5.7"}

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("turn", 0),
            ("deck", ["1C"]),
            ("deck", ["AC", "AC"]),
            ("aside", ["AC"]),
            ("card", "Joker"),
            ("support", True),
            ("suppressed", 1604),
            ("exits", 9),
            ("activated", {"german": True}),
            ("colours", ["black"]),
            ("attack", {}),
            ("units", {"DF": {"at": "nowhere", "face": "full"}}),
            ("units", {"DF": {"at": "1604"}}),
            ("asks", {"seat": "us", "question": "faces", "rule": "M5.8"}),
            ("step", "card"),
        ],
    )
    def test_what_no_position_can_hold(self, key: str, value: Any) -> None:
        position = standing(face_card_question())
        position[key] = value
        assert not STATE.is_valid(position)


class TestOrders:
    """What is offered and answered fits; what M9.1 refuses for its shape does not."""

    @pytest.mark.parametrize("edition", RULES.editions)
    def test_a_whole_game(self, edition: str) -> None:
        for number, run in enumerate(random_game(edition, 12)):
            if isinstance(run.pending, Ask) and number % 7 == 0:
                ORDERS.validate(RULES.players["random"](run.pending, Random(number)))
                for orders in islice(RULES.offers(run.pending), 0, None, 9):
                    ORDERS.validate(orders)

    def test_both_answers_to_a_face_card(self) -> None:
        run = face_card_question()
        assert isinstance(run.pending, Ask)
        for orders in RULES.offers(run.pending):
            ORDERS.validate(orders)

    @pytest.mark.parametrize(
        "orders",
        [
            None,
            {},
            [],
            [{}],
            ["pass"],
            [{"pass": False}],
            [{"pass": True}, {"pass": True}],
            [{"pass": True, "at": "1403"}],
            [{"move": "DF"}],
            [{"move": "DF", "to": 1503}],
            [{"move": ["DF"], "to": "1503"}],
            [{"enter": "DF", "to": "1901"}],
            [{"fire": "DF", "at": "117Inf"}],
            [{"fire": [], "at": "117Inf"}],
            [{"fire": ["DF", "DF"], "at": "117Inf"}],
            [{"fire": ["DF"], "at": "117Inf", "faces": "never"}],
            [{"artillery": "DF"}],
            [{"suppress": "1604", "faces": "miss"}],
            [{"faces": "ask"}],
            [{"retreat": "DF"}],
        ],
    )
    def test_what_is_malformed(self, orders: Any) -> None:
        start = RULES.begin(RULES.editions["it"], RULES.scenarios.data("mortain"))
        run = Run(RULES, Position(replace(start, step="card", deck=("2C",))))
        run.decide(0)
        with pytest.raises(IllegalOrder, match=r"^M9\.1: "):
            run.answer(orders)
        assert not ORDERS.is_valid(orders)


class TestRulesPage:
    """RULES.md and the data agree."""

    @pytest.mark.parametrize("edition", RULES.editions)
    def test_the_formula_for_beats(self, edition: str) -> None:
        options = RULES.editions[edition]
        assert RULES.beats(options, RULES.scenarios.data("mortain")) == 2 * 53 * 6
