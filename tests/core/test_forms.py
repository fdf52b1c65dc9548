"""The forms of orders: what is read, and that a refusal names the one value that is wrong."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from pbem.core.forms import Form, hexes, name, names, places, read, read_one
from pbem.core.hexes import Grid
from pbem.core.requests import Plain
from pbem.errors import IllegalOrder

GRID = Grid(11, 19, 1, 5, "even")


class March(NamedTuple):
    """A unit and its path."""

    unit: str
    path: tuple[str, ...]


FORMS = (
    Form("march", March, name, needed={"path": hexes(GRID)}),
    Form("wait", tuple, names),
    Form("place", dict, places(GRID)),
    Form("perhaps", dict, places(GRID, some=False)),
)
VERBS = tuple(form.verb for form in FORMS)


def refused(order: Plain) -> str:
    with pytest.raises(IllegalOrder) as refusal:
        read([order], FORMS, VERBS, "F1")
    return str(refusal.value.facts)


class TestRead:
    """From plain data to typed orders."""

    def test_each_by_its_form(self) -> None:
        orders = [{"march": "DF", "path": ["1101", "1102"]}, {"wait": ["D", "DF"]}, {"perhaps": {}}]
        assert read(orders, FORMS, VERBS, "F1") == (March("DF", ("1101", "1102")), ("D", "DF"), {})

    @pytest.mark.parametrize(
        ("order", "facts"),
        [
            ({"march": 3, "path": ["1101"]}, "in march, 3 is not a unit's name"),
            ({"march": "DF", "path": []}, "after march, an empty list is not a list of hexes"),
            ({"march": "DF", "path": ["1101", "1106"]}, "in march, '1106' is not a hex on the map"),
            ({"wait": ["DF", None]}, "in wait, null is not a unit's name"),
            ({"wait": ["DF", "D", "DF"]}, "'DF' is named twice in wait"),
            ({"place": {}}, "after place, an empty mapping is not units with their hexes"),
            ({"place": {"DF": 1101}}, "in place, 1101 is not a hex on the map"),
            ({"perhaps": {7: "1101"}}, "in perhaps, 7 is not a unit's name"),
            ({"perhaps": None}, "after perhaps, null is not units with their hexes"),
        ],
    )
    def test_the_value_that_is_wrong_is_named(self, order: Plain, facts: str) -> None:
        assert refused(order) == facts


class TestReadOne:
    """An answer of a single order."""

    def test_one(self) -> None:
        assert read_one([{"wait": ["DF"]}], FORMS, "wait", "F1") == ("DF",)

    def test_two(self) -> None:
        with pytest.raises(IllegalOrder, match=r"^F1: you gave 2 orders: give only one$"):
            read_one([{"wait": ["DF"]}, {"wait": ["D"]}], FORMS, "wait", "F1")

    def test_another_verb(self) -> None:
        with pytest.raises(IllegalOrder, match=r"^F1: you cannot order wait now; you can order: march$"):
            read_one([{"wait": ["DF"]}], FORMS, "march", "F1")

    def test_another_verb_in_ones_own_words(self) -> None:
        own = {"wait": "attendi", "stand down": "fine voli"}
        forms = (*FORMS, Form("stand_down", tuple, names))
        with pytest.raises(
            IllegalOrder, match=r"^F1: you cannot order attendi now; you can order: fine voli$"
        ):
            read_one([{"wait": ["DF"]}], forms, "stand_down", "F1", own.__getitem__)
