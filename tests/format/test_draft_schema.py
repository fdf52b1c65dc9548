"""`schemas/draft.schema.json`, written by hand, is a second account of the draft of FORMAT section 11."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from format.test_game_file_schema import HEX, VALUES, holder
from pbem.errors import FileError
from pbem.format.document import parse_draft
from pbem.format.yaml_writer import dump_yaml

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "draft.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)


def draft() -> Any:
    """A draft of one order."""
    part = {"seat": "axis", "by": 0, "orders": [{"move": "Ari-A", "path": ["1306"]}], "sig": "A" * 86 + "=="}
    return {"pbem": 1, "after": {"game": HEX, "n": 3, "id": HEX}, "part": part}


def agree(value: Any) -> bool:
    """Whether the draft is accepted, by the program and by the schema alike."""
    try:
        parse_draft(dump_yaml(value).encode())
        accepted = True
    except FileError:
        accepted = False
    assert VALIDATOR.is_valid(value) == accepted, [error.message for error in VALIDATOR.iter_errors(value)]
    return accepted


def places(value: Any) -> Iterator[tuple[Any, ...]]:
    """The path of every key, and of the one order; what an order says is the game's."""
    for key, member in value.items():
        yield (key,)
        if isinstance(member, dict):
            yield from ((key, *inner) for inner in places(member))
        if key == "orders":
            yield (key, 0)


PLACES = list(places(draft()))


def test_it_is_accepted() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert agree(draft())
    assert agree(draft() | {"part": draft()["part"] | {"orders": []}})


@pytest.mark.parametrize("path", PLACES, ids=str)
class TestAgreement:
    """Whatever is done to one place of a draft, the schema and the program answer alike."""

    def test_another_value(self, path: tuple[Any, ...]) -> None:
        answers = []
        for odd in VALUES:
            value = draft()
            holder(value, path)[path[-1]] = odd
            answers.append(agree(value))
        assert not all(answers)

    def test_a_key_gone_or_added(self, path: tuple[Any, ...]) -> None:
        value = draft()
        del holder(value, path)[path[-1]]
        assert agree(value) == (path == ("part", "orders", 0))
        if isinstance(path[-1], str):
            value = draft()
            holder(value, path)["unheard_of"] = 1
            assert not agree(value)


def test_every_key_of_the_schema_is_described() -> None:
    for shape in (SCHEMA, *SCHEMA["properties"].values()):
        for key, facts in shape.get("properties", {}).items():
            assert "FORMAT section" in facts["description"], key
