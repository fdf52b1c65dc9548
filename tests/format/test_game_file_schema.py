"""`schemas/game-file.schema.json`, written by hand, is a second account of FORMAT sections 3 and 4."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pbem.errors import FileError
from pbem.format.document import parse_document
from support.sample_log import BOARD, STATUS, sample_log

pytestmark = pytest.mark.thorough

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "game-file.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)

HEX, KEY = "ab" * 32, "ssh-ed25519 " + "A" * 68
VALUES: list[Any] = [
    *[
        None,
        True,
        False,
        0,
        1,
        -1,
        3,
        65_536,
        65_537,
        2**53 - 1,
        [],
        {},
        [{}],
        [[]],
        ["x"],
        {"draw": True},
        {"draw": False},
    ],
    *[
        {"takeback": 2},
        {"takeback": 2, "draw": True},
        {"takeback": None},
        {"takeback": -1},
        {"takeback": "2"},
        ["bound"],
        ["retract", "commanders", "bound"],
        ["bound", "bound"],
        ["Bound"],
        {"a": {"b": [None, "é"]}},
        {"name": "x", "sha256": HEX},
    ],
    *[
        "",
        "x",
        "us",
        "Us",
        "us\n",
        "a" * 16,
        "a" * 17,
        " ",
        "x" * 64,
        "x" * 65,
        "x" * 254,
        "x" * 255,
        "x\n",
        "\u202e",
        "\x85",
    ],
    *[
        "offer",
        "accept",
        "play",
        "propose",
        "answer",
        "resign",
        "mortain/1",
        "mortain/0",
        "mortain/1\n",
        "a" * 32,
        HEX,
        HEX + "\n",
    ],
    *[
        HEX.upper(),
        "A" * 86 + "==",
        "A" * 86 + "==\n",
        "A" * 85 + "B==",
        KEY,
        KEY + "\n",
        KEY + " me",
        "2024-02-03T04:05:06Z",
    ],
    *["2024-02-03T04:05:06", "2024-02-03T04:05:06Z\n", "😀" * 10],
]
"""Values of every sort; none that only a count of bytes or a calendar could tell apart."""


def sample() -> dict[str, dict[str, Any]]:
    """One entry of each kind, with every key that the kind has; a proposal of either sort."""
    offer, accept, _, play, _, takeback, answer, draw, *_, resign = (
        copy.deepcopy(entry.raw) for entry in sample_log()
    )
    for entry in (accept, play):
        entry |= {"position": HEX, "at": "2024-02-03T04:05:06Z", "x": {"y": 1}, "say": "words"}
    names = ("offer", "accept", "play", "takeback", "answer", "draw", "resign")
    return dict(zip(names, (offer, accept, play, takeback, answer, draw, resign), strict=True))


def places(value: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """The path of every key and item in an entry; what a game or a player fills freely is not entered."""
    for key, member in value.items():
        yield (key,)
        if key in ("seat", "scenario", "what"):
            yield from ((key, inner) for inner in member)
        if key == "orders":
            yield from ((key, n) for n in range(len(member)))


def file(entry: Any, **more: Any) -> dict[str, Any]:
    return {"pbem": 1, "log": [entry], **more}


def agree(value: dict[str, Any]) -> bool:
    """Whether the file is accepted, by the program and by the schema alike."""
    try:
        parse_document(value)
        accepted = True
    except FileError:
        accepted = False
    assert VALIDATOR.is_valid(value) == accepted, [error.message for error in VALIDATOR.iter_errors(value)]
    return accepted


def holder(value: Any, path: tuple[Any, ...]) -> Any:
    """The mapping or list that the last step of a path stands in."""
    for key in path[:-1]:
        value = value[key]
    return value


COMMON = ("n", "by", "prev", "sig", "at", "say", "x")
PLACES = [
    (name, path)
    for name, entry in sample().items()
    for path in places(entry)
    if name == "play" or path[0] not in COMMON
]
"""Every place of every kind; the keys that all kinds have once."""


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_a_whole_game_is_accepted() -> None:
    value = {"pbem": 1, "status": STATUS, "board": BOARD, "log": [entry.raw for entry in sample_log()]}
    VALIDATOR.validate(value)
    assert agree(value)


AFTER = {"game": HEX, "n": 3, "id": HEX}


def test_a_part_of_a_log_is_accepted() -> None:
    assert agree(file(sample()["play"], after=AFTER))
    assert agree(file(sample()["play"], after=AFTER | {"n": 0}, status={"turn": 3}))


@pytest.mark.parametrize("key", ["game", "n", "id", "unheard_of"])
def test_what_a_part_goes_on_from_with_another_value(key: str) -> None:
    """FORMAT 10: three keys and no other, two ids and a number."""
    for odd in VALUES:
        accepted = agree(file(sample()["play"], after=AFTER | {key: odd}))
        assert accepted == ((key, odd) in [("game", HEX), ("id", HEX)] or (key == "n" and _number(odd)))
    assert not agree(
        file(
            sample()["play"],
            after={name: value for name, value in AFTER.items() if name != key} if key in AFTER else {},
        )
    )


@pytest.mark.parametrize(
    ("what", "accepted"),
    [
        ({"retract": 2}, True),
        ({"retract": -1}, True),  # an integer: who writes it fails step 6
        ({"takeback": -1}, True),
        ({"retract": 2, "takeback": 2}, False),
        ({"retract": None}, False),
        ({"retract": "2"}, False),
        ({"retract": True}, False),
        ({"retract": [2]}, False),
    ],
)
def test_what_is_proposed_where_the_offer_names_retract(what: dict[str, Any], accepted: bool) -> None:
    """FORMAT 12: only an n that is no integer fails by its form."""
    offer = sample()["offer"] | {"needs": ["bound", "retract"]}
    value = file(offer)
    value["log"].append(sample()["takeback"] | {"what": what})
    assert agree(value) == accepted


def _number(value: Any) -> bool:
    return type(value) is int and value >= 0


@pytest.mark.parametrize("key", ["pbem", "after", "status", "board", "log", "unheard_of"])
def test_the_whole_of_a_file_with_another_value(key: str) -> None:
    for odd in VALUES:
        agree(file(sample()["offer"]) | {key: odd})


def test_a_file_without_one_of_its_keys() -> None:
    whole = file(sample()["offer"], status="", board="")
    accepted = {key: agree({other: item for other, item in whole.items() if other != key}) for key in whole}
    assert accepted == {"pbem": False, "log": False, "status": True, "board": True}


@pytest.mark.parametrize(
    ("name", "path"),
    [
        pytest.param(*place, marks=pytest.mark.long if number % 3 else (), id=str(place))
        for number, place in enumerate(PLACES)
    ],
)
class TestAgreement:
    """Whatever is done to one place of an entry, the schema and the program answer alike."""

    def test_another_value(self, name: str, path: tuple[Any, ...]) -> None:
        answers = []
        for odd in VALUES:
            entry = sample()[name]
            holder(entry, path)[path[-1]] = odd
            answers.append(agree(file(entry)))
        assert not all(answers)

    def test_a_key_gone_or_added(self, name: str, path: tuple[Any, ...]) -> None:
        entry = sample()[name]
        del holder(entry, path)[path[-1]]
        agree(file(entry))
        entry = sample()[name]
        place = holder(entry, path)
        if isinstance(place, dict):
            place["unheard_of"] = 1
            assert not agree(file(entry))


def test_every_key_of_the_schema_is_described() -> None:
    """A reader learns from each key what it means and which section of FORMAT says so."""
    for name, shape in {"file": SCHEMA, **SCHEMA["$defs"]}.items():
        for key, facts in shape.get("properties", {}).items():
            target = SCHEMA["$defs"].get(facts.get("$ref", "").rpartition("/")[2], {})
            words = facts.get("description") or target.get("description", "")
            assert "FORMAT section" in words or words or key == "kind", f"{name}.{key}"
