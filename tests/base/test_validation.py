"""What is wrong with plain data: every fault with its place, none told by a sentence of msgspec's."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from pbem.base.validation import convert, describe_value, faults, key_path, quote_value
from pbem.errors import FileError

Hex = Annotated[str, Meta(pattern=r"\A[0-9]{4}\Z", description="a hex such as 1504")]


class Gun(Struct, frozen=True, forbid_unknown_fields=True):
    range: Annotated[int, Meta(ge=1, le=9)]
    kind: Literal["flak", "field"] = "field"


class Army(Struct, frozen=True, forbid_unknown_fields=True, tag="army"):
    name: str
    guns: dict[Annotated[str, Meta(max_length=3, description="a short name")], Gun]
    at: tuple[Hex, ...] = ()
    march: tuple[Hex, Hex] | None = None
    chief: Gun | None = None
    notes: dict[str, Any] = {}


GOOD: dict[str, Any] = {"type": "army", "name": "8th", "guns": {"88": {"range": 9, "kind": "flak"}}}


def told(data: Any) -> list[str]:
    return [str(error) for error in faults(data, Army, "army")]


class TestFaults:
    @pytest.mark.parametrize(
        "more",
        [{}, {"march": None}, {"march": ["1504", "1505"]}, {"chief": {"range": 1}}, {"notes": {"a": [None]}}],
    )
    def test_none(self, more: dict[str, Any]) -> None:
        assert told(GOOD | more) == []
        assert convert(GOOD | more, Army, "army").name == "8th"

    @pytest.mark.parametrize(
        ("more", "words"),
        [
            ({"nmae": "9th"}, ["army: there is no key 'nmae'"]),
            ({"type": "navy"}, ["army.type: must be army, not 'navy'"]),
            ({"name": None}, ["army.name: must be a text, not null"]),
            ({"chief": 1}, ["army.chief: must be a mapping of range, kind, not 1"]),
            ({"chief": {}}, ["army.chief: the key 'range' is missing"]),
            (
                {"chief": {"range": True}},
                ["army.chief.range: must be a whole number from 1 to 9, not true"],
            ),
            ({"guns": []}, ["army.guns: must be a mapping, not an empty list"]),
            (
                {"guns": {"a b": {"range": 0, "kind": "coast"}, "c": 3}},
                [
                    'army.guns["a b"].range: must be a whole number from 1 to 9, not 0',
                    "army.guns[\"a b\"].kind: must be flak or field, not 'coast'",
                    "army.guns.c: must be a mapping of range, kind, not 3",
                ],
            ),
            ({"guns": {"long": {"range": 1}}}, ["army.guns: the key 'long' must be a short name"]),
            (
                {"at": ["1504", "x", 4]},
                [f"army.at[{n}]: must be a hex such as 1504, not {v}" for n, v in ((1, "'x'"), (2, 4))],
            ),
            (
                {"march": ["1504"]},
                ['army.march: must be a list of 2, each a hex such as 1504, not ["1504"]'],
            ),
            ({"march": ["1504", ""]}, ["army.march[1]: must be a hex such as 1504, not ''"]),
        ],
    )
    def test_each_with_its_place(self, more: dict[str, Any], words: list[str]) -> None:
        assert told(GOOD | more) == words
        with pytest.raises(FileError) as caught:
            convert(GOOD | more, Army, "army")
        assert str(caught.value) == words[0]

    def test_unknown_keys_then_missing_ones(self) -> None:
        assert told({"x": 1}) == [
            "army: there is no key 'x'",
            "army: the key 'type' is missing",
            "army: the key 'name' is missing",
            "army: the key 'guns' is missing",
        ]

    def test_a_slip_of_the_typist_is_guessed(self) -> None:
        assert next(faults(GOOD | {"nmae": "9th"}, Army, "")).hint == "did you mean 'name'?"


class TestValues:
    @pytest.mark.parametrize(
        ("value", "words"),
        [
            ("x" * 40, f"'{'x' * 40}'"),
            ("x" * 41, f"'{'x' * 30}'… (41 characters)"),
            ("a\x1b[2J\n", r"'a\x1b[2J\n'"),
            ({}, "an empty mapping"),
            ([1], "a list"),
            (False, "false"),
            (None, "null"),
            (-3, "-3"),
        ],
    )
    def test_shown(self, value: Any, words: str) -> None:
        assert str(describe_value(value)) == words

    @pytest.mark.parametrize(
        ("value", "words"),
        [
            ([6, "3"], '[6, "3"]'),
            ("é\n", r'"\u00e9\n"'),
            ("x" * 39, f'"{"x" * 35}..."'),
            ([1] * 40, "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,...]"),
        ],
    )
    def test_quoted(self, value: Any, words: str) -> None:
        assert quote_value(value) == words

    def test_a_path_shows_no_key_that_is_no_plain_word_as_it_is(self) -> None:
        assert key_path("", "units") == "units"
        assert key_path("units", "2SS-A") == "units.2SS-A"
        assert key_path("units", "a.b\n") == r'units["a.b\n"]'
