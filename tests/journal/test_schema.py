"""`schemas/game-file.schema.json` is written by hand: a second account of FORMAT sections 3 and 4 that must agree."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from journal.games import BOARD, STATUS, sample_log
from pbem.errors import FileError
from pbem.journal.document import read_entries

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


def base() -> dict[str, Any]:
    """A file with every kind of entry and every key."""
    entries = [copy.deepcopy(entry.raw) for entry in sample_log()]
    for entry in entries:
        if entry["kind"] in ("accept", "play"):
            entry |= {"position": HEX, "at": "2024-02-03T04:05:06Z", "x": {"y": 1}, "say": "words"}
    return {"pbem": 1, "status": STATUS, "board": BOARD, "log": entries}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every key and item in a file; what a game or a player fills freely is not entered."""
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, member in members:
        yield (*path, key)
        if key not in ("status", "options", "data", "x"):
            yield from places(member, (*path, key))


def agree(value: dict[str, Any]) -> bool:
    """Whether the file is accepted, by the program and by the schema alike."""
    try:
        read_entries(value)
        accepted = True
    except FileError:
        accepted = False
    assert VALIDATOR.is_valid(value) == accepted, [error.message for error in VALIDATOR.iter_errors(value)]
    return accepted


def holder(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        value = value[key]
    return value


PLACES = sorted({tuple(path) for path in places(base())}, key=str)


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_a_whole_game_is_accepted() -> None:
    VALIDATOR.validate(base())
    assert agree(base())


@pytest.mark.parametrize("path", PLACES, ids=str)
class TestAgreement:
    """Whatever is done to one place of a file, the schema and the program answer alike."""

    def test_another_value(self, path: tuple[Any, ...]) -> None:
        answers = []
        for odd in VALUES:
            value = base()
            holder(value, path)[path[-1]] = odd
            answers.append(agree(value))
        assert not all(answers) or path[-1] in ("status", "board", "orders")

    def test_a_key_gone_or_added(self, path: tuple[Any, ...]) -> None:
        value = base()
        del holder(value, path)[path[-1]]
        agree(value)
        value = base()
        place = holder(value, path)
        if isinstance(place, dict):
            place["unheard_of"] = 1
            assert not agree(value) or "orders" in path


def test_every_key_of_the_schema_is_described() -> None:
    """A reader learns from each key what it means and which section of FORMAT says so."""
    for name, shape in {"file": SCHEMA, **SCHEMA["$defs"]}.items():
        for key, facts in shape.get("properties", {}).items():
            target = SCHEMA["$defs"].get(facts.get("$ref", "").rpartition("/")[2], {})
            words = facts.get("description") or target.get("description", "")
            assert "FORMAT section" in words or words or key == "kind", f"{name}.{key}"
