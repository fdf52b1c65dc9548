"""The schemas agree with the program: what it accepts and writes is valid, and what is not is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from pbem.core.requests import Ask, Chance
from pbem.core.run import Position, Run, public
from pbem.core.sealing import Open, Seal
from pbem.errors import IllegalOrder
from pbem.games.rommel import RULES
from pbem.games.rommel.rules.state import Phase, Unit
from pbem.games.rommel.terms.scenario import SCENARIOS
from pbem.games.rommel.terms.setting import RESERVED
from support.faulty_scenarios import place_in
from support.playout import set_up, signed_orders

ROOT = Path(__file__).parents[3]
SEAL = "5e" * 32


def schema(name: str) -> Draft202012Validator:
    text = (ROOT / "schemas" / f"rommel-{name}.schema.json").read_text("utf-8")
    return Draft202012Validator(json.loads(text))


SCENARIO, STATE, ORDERS = schema("scenario"), schema("state"), schema("orders")


class TestTheSchemasThemselves:
    """They are JSON Schema 2020-12, and every key of the file says what it is."""

    @pytest.mark.parametrize("validator", [SCENARIO, STATE, ORDERS], ids=["scenario", "state", "orders"])
    def test_valid(self, validator: Draft202012Validator) -> None:
        Draft202012Validator.check_schema(validator.schema)

    @pytest.mark.parametrize("validator", [SCENARIO, STATE], ids=["scenario", "state"])
    def test_every_key_is_described(self, validator: Draft202012Validator) -> None:
        whole: Any = validator.schema
        shapes = whole["$defs"]

        def described(part: Any) -> bool:
            if "description" in part or "const" in part:
                return True
            return "$ref" in part and described(shapes[part["$ref"].rpartition("/")[2]])

        keys = list(properties(whole))
        assert len(keys) > 10
        assert [key for key, part in keys if not described(part)] == []


def properties(part: Any) -> Iterator[tuple[str, Any]]:
    """Every key that a schema names, anywhere in it."""
    if isinstance(part, dict):
        found = part.get("properties")
        if isinstance(found, dict):
            yield from found.items()
        for inner in part.values():
            yield from properties(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from properties(inner)


class TestScenario:
    """The schema of scenarios and `Scenarios.check` see the same shape."""

    def test_what_ships_is_valid(self) -> None:
        SCENARIO.validate(RULES.scenarios.data("alamein"))

    @pytest.mark.thorough
    @pytest.mark.parametrize(
        ("path", "value"),
        [
            ("units 125Inf factors", ["4", 4]),
            ("units 125Inf factors", [4, 4, 4]),
            ("units 125Inf factors", [4, 21]),
            ("units 125Inf kind", "cavalry"),
            ("units 125Inf nation", "axis"),
            ("units 125Inf status", "likely"),
            ("units 125Inf colour", "black"),
            ("units PzIII-1 stars", 4),
            ("units PzIII-1 struck", 3),
            ("units PzIII-1 letter", 1),
            ("map columns", [1]),
            ("map lower", "both"),
            ("map land blocks", ["0102"]),
            ("map mines blocks", [["1804"]]),
            ("map zones neutral", {"blocks": [], "status": "known", "source": "ours"}),
            ("map villages 0202 side", "german"),
            ("map victory_points 0202 side", "axis"),
            ("map airfields 0203 name", None),
            ("map airfields 02O3", {"name": "x", "side": "axis", "status": "known", "source": "ours"}),
            ("map roads", {}),
            ("map scale", 1),
            ("weather dust", 2),
            ("weather dust", [6]),
            ("weather rain", [2]),
            ("fire field range", 10),
            ("fire field hits tank", [2]),
            ("fire field hits soft", [True]),
            ("fire infantry", {}),
            ("sources ours", 1),
            ("name", "Alamein"),
            ("title", "x" * 61),
            ("date", "1942"),
            ("flak_range", 10),
            ("flak_range", "3"),
            ("supply_radius", 0),
            ("bombing", [3]),
            ("bombing", {"tank": [3]}),
            ("bombing", {"infantry": []}),
            ("bombing", {"infantry": 3}),
            ("bombing", {"infantry": [1]}),
        ],
    )
    def test_a_broken_value_fails_in_both(self, path: str, value: Any) -> None:
        data = RULES.scenarios.data("alamein")
        part, last = place_in(data, path)
        part[last] = value
        assert not SCENARIO.is_valid(data)
        assert SCENARIOS.check(data)

    def test_the_tables_that_may_be_absent(self) -> None:
        tables = {"flak_range": 2, "supply_radius": 12, "bombing": {"infantry": [3, 4], "tank1": [5]}}
        data = {**RULES.scenarios.data("alamein"), **tables}
        SCENARIO.validate(data)
        assert SCENARIOS.check(data) == []

    @pytest.mark.parametrize(
        "path",
        [
            "name",
            "title",
            "sources",
            "weather storm",
            "weather status",
            "fire mixed",
            "fire mixed hits",
            "fire mixed source",
            "map rows",
            "map status",
            "map land",
            "map land blocks",
            "map mines source",
            "map zones allied",
            "map roads",
            "map villages 0202 side",
            "map victory_points 0202 name",
            "units 125Inf nation",
            "units 125Inf factors",
        ],
    )
    def test_a_missing_value_fails_in_both(self, path: str) -> None:
        data = RULES.scenarios.data("alamein")
        part, last = place_in(data, path)
        del part[last]
        assert not SCENARIO.is_valid(data)
        assert SCENARIOS.check(data)

    @pytest.mark.parametrize("name", ["125", "-D", "D D", "Panzergrenadier", "", *RESERVED, "At", "CLEAR"])
    def test_a_bad_name_fails_in_both(self, name: str) -> None:
        data = RULES.scenarios.data("alamein")
        data["units"][name] = data["units"].pop("125Inf")
        assert not SCENARIO.is_valid(data)
        assert SCENARIOS.check(data)


def game(seed: int) -> Iterator[Run]:
    """A game between two players who give any legal orders, at each question and at its end."""
    chooser = Random(seed)
    setup = set_up("rommel", chooser)
    run = Run(RULES, Position(setup.start if seed else setup.begun))
    hidden: Any = None
    while run.pending is not None:
        if isinstance(run.pending, Chance):
            run.decide(chooser.getrandbits(64))
            continue
        yield run
        orders = hidden
        if not isinstance(run.pending, Open):
            orders = RULES.players["random"](run.pending, chooser)
        if isinstance(run.pending, Seal):
            hidden = orders
        run.answer(signed_orders(run.pending, orders))
    yield run


def standing(run: Run) -> dict[str, Any]:
    """The public position of a run."""
    return public(RULES, run.state, run.pending if isinstance(run.pending, Ask) else None)


def question(step: Phase) -> Run:
    """A question of a turn: two units of each side face to face, an aircraft of each in the air."""
    begun = RULES.begin(RULES.editions["nac"], RULES.scenarios.data("alamein"))
    placed = {"PzIII-1": "1505", "DAK-Art": "1405", "Ju88-1": "1605", "AxSup-1": "1404"}
    placed |= {"Sherman-1": "1605", "20-Aus": "1504", "Well-1": "1408", "AlSup-1": "1608"}
    units = {name: Unit(placed.get(name, "eliminated")) for name in begun.units}
    state = replace(begun, step=step, active="allied", weather="clear", units=units)
    return Run(RULES, Position(replace(state, subturn=1 if step == Phase.AIR else 0)))


class TestPositions:
    """Every position of a game fits, at every kind of question and at its end."""

    @pytest.mark.parametrize("seed", range(4))
    def test_a_whole_game(self, seed: int) -> None:
        for number, run in enumerate(game(seed)):
            if number < 6 or number % 5 == 0 or run.pending is None:
                STATE.validate(standing(run))

    @pytest.mark.thorough
    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("turn", 0),
            ("weather", "rain"),
            ("subturn", 5),
            ("units", {"125Inf": {"at": "nowhere", "struck": False}}),
            ("units", {"125Inf": {"at": "1604"}}),
            ("forts", ["1604", "1604"]),
            ("forts", [1604]),
            ("cleared", "1805"),
            ("seal", "5e"),
            ("aa", {"88mm-1": "fighters"}),
            ("stood_down", ["german"]),
            ("landing", {"Ju88-1": None}),
            ("obliged", {"125Inf": []}),
            ("fired", None),
            ("asks", {"seat": "axis", "question": "landing", "rule": "R4.6"}),
            ("step", "air"),
        ],
    )
    def test_what_no_position_can_hold(self, key: str, value: Any) -> None:
        position = standing(question(Phase.MOVE))
        STATE.validate(position)
        position[key] = value
        assert not STATE.is_valid(position)


class TestOrders:
    """What is offered and answered fits; what R10.1 refuses for its shape does not."""

    @pytest.mark.parametrize("seed", range(4))
    def test_a_whole_game(self, seed: int) -> None:
        for number, run in enumerate(game(seed)):
            if isinstance(run.pending, Ask) and (number < 6 or number % 7 == 0):
                if not isinstance(run.pending, Open):
                    ORDERS.validate(RULES.players["random"](run.pending, Random(number)))
                for orders in islice(RULES.offers(run.pending), 0, 40, 9):
                    ORDERS.validate(orders)

    @pytest.mark.parametrize(
        "orders",
        [
            [{"seal": SEAL}],
            [{"seal": SEAL, "box": "aGVsbG8="}],
            [{"open": {"salt": SEAL, "orders": [{"place": {"125Inf": "1605"}}]}}],
            [{"place": {"125Inf": "1605"}}, {"aa": "hold", "units": ["88mm-1"]}],
            [{"stand_down": True}, {"land": {"Ju88-1": "1204"}}, {"aa": "all"}],
            [{"fly": "Ju88-1", "path": ["1505"]}, {"bomb": "Ju88-1"}, {"land": {"Ju88-1": "1204"}}],
            [{"dogfight": ["Bf109-1"], "on": ["Spit-1", "Hurri-1"]}],
            [{"move": "125Inf", "path": ["1605", "1706"], "clear": ["1805"]}, {"aa": "bombers"}],
            [{"fire": "88mm-1", "at": "Sherman-2"}],
            [{"attack": ["20-Aus", "24-Aus"], "on": ["61-Tre"]}],
            [{"aa": "hold"}, {"pass": True}],
        ],
    )
    def test_every_order(self, orders: Any) -> None:
        ORDERS.validate(orders)

    @pytest.mark.thorough
    @pytest.mark.parametrize("step", [Phase.AIR, Phase.MOVE, Phase.FIRE, Phase.COMBAT])
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
            [{"aa": "hold"}],
            [{"pass": True}, {"aa": "fighters"}],
            [{"pass": True}, {"aa": "hold", "units": []}],
            [{"move": "20-Aus"}],
            [{"move": "20-Aus", "path": []}],
            [{"move": "20-Aus", "path": "1503"}],
            [{"move": "20-Aus", "path": [1503]}],
            [{"move": ["20-Aus"], "path": ["1503"]}],
            [{"move": "20-Aus", "path": ["1503"], "clear": []}],
            [{"move": "20-Aus", "path": ["1503"]}, {"pass": True}],
            [{"move": "20-Aus", "path": ["1503"]}, {"fire": "Sherman-1", "at": "PzIII-1"}],
            [{"fire": "Sherman-1"}],
            [{"fire": ["Sherman-1"], "at": "PzIII-1"}],
            [{"attack": "20-Aus", "on": ["PzIII-1"]}],
            [{"attack": ["20-Aus", "20-Aus"], "on": ["PzIII-1"]}],
            [{"attack": ["20-Aus"], "on": []}],
            [{"fly": "Well-1", "path": ["1508"], "to": "1508"}],
            [{"bomb": ["Well-1"]}],
            [{"bomb": "Well-1"}, {"pass": True}],
            [{"land": {}}],
            [{"land": {"Well-1": "2508"}}, {"land": {"Well-1": "2508"}}],
            [{"stand_down": True}, {"stand_down": True}],
            [{"retreat": "20-Aus"}],
        ],
    )
    def test_what_is_malformed(self, step: Phase, orders: Any) -> None:
        run = question(step)
        with pytest.raises(IllegalOrder, match=r"^R10\.1: "):
            run.answer(orders)
        assert not ORDERS.is_valid(orders)

    def test_a_flight_beside_standing_down_is_refused_too(self) -> None:
        """R4.1, not R10.1: each is well formed."""
        orders = [{"stand_down": True}, {"fly": "Well-1", "path": ["1508"]}]
        with pytest.raises(IllegalOrder, match=r"^R4\.1: "):
            question(Phase.AIR).answer(orders)
        assert not ORDERS.is_valid(orders)

    @pytest.mark.parametrize(
        "orders",
        [
            [{"seal": SEAL.upper()}],
            [{"seal": SEAL[2:]}],
            [{"seal": SEAL, "salt": SEAL}],
            [{"seal": SEAL, "box": ""}],
            [{"seal": SEAL, "box": "aGVsbG8"}],
            [{"seal": SEAL}, {"aa": "hold"}],
        ],
    )
    def test_what_is_no_seal(self, orders: Any) -> None:
        run = next(run for run in game(0) if isinstance(run.pending, Seal))
        with pytest.raises(IllegalOrder, match=r"^R10\.1: "):
            run.answer(orders)
        assert not ORDERS.is_valid(orders)

    @pytest.mark.parametrize(
        "orders",
        [
            [{"open": {"salt": SEAL}}],
            [{"open": {"salt": "salt", "orders": [{"place": {"125Inf": "1605"}}]}}],
            [{"open": {"salt": SEAL, "orders": []}}],
            [{"open": {"salt": SEAL, "orders": [{"place": {}}]}}],
            [{"open": {"salt": SEAL, "orders": [{"place": {"125Inf": "1605"}}], "seal": SEAL}}],
            [{"open": {"salt": SEAL, "orders": [{"place": {"125Inf": "1605"}}]}}, {"aa": "hold"}],
        ],
    )
    def test_what_is_no_opening(self, orders: Any) -> None:
        run = next(run for run in game(0) if isinstance(run.pending, Open))
        with pytest.raises(IllegalOrder, match=r"^R10\.1: "):
            run.answer(orders)
        assert not ORDERS.is_valid(orders)
