"""FORMAT 11: commanders, and the parts of orders that they sign."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from independent.minimal_verifier import Fails, verify
from pbem.core.sealing import Open
from pbem.format.document import parse_document
from pbem.format.yaml_reader import parse_yaml
from pbem.games.rommel import RULES
from pbem.render.story import describe_deed
from pbem.umpire.verify import open_game
from pbem.umpire.write import to_bytes
from support.commanders_game import (
    begun_game,
    forge_file,
    game_before_move,
    game_before_sealing,
    game_with_parts,
    orders_of_groups,
    practice_orders,
    reopen,
    sign_part,
    write_play,
    write_reply,
)
from support.simulator import log_of

ROOT = Path(__file__).parents[2]
VECTOR = ROOT / "tests" / "vectors" / "commanders.yaml"
SCHEMA = ROOT / "schemas" / "game-file.schema.json"


def test_a_part_in_a_play_verifies() -> None:
    game = game_before_move()
    orders = practice_orders(game)
    part = sign_part(game, "italian", orders_of_groups(game, orders, ("italian",)))
    assert part["orders"], "the Italians move"
    after = write_play(game, orders, [part])
    assert reopen(after).entries[-1].raw["parts"] == [part]


def test_parts_of_sealed_orders_come_out_with_them() -> None:
    game = game_before_sealing()
    orders = practice_orders(game)
    part = sign_part(game, "italian", orders_of_groups(game, orders, ("italian",)))
    assert part["orders"]
    after = write_play(game, orders, [part])
    assert "parts" not in after.entries[-1].raw
    while not isinstance(after.state.pending_question, Open):
        after = write_reply(after)
    opened = write_play(after)
    assert opened.entries[-1].raw["parts"] == [part]
    assert reopen(opened).ids == opened.ids


def test_the_story_tells_by_whom_orders_were_signed() -> None:
    game = game_before_move()
    orders = practice_orders(game)
    own = orders_of_groups(game, orders, ("italian",))
    assert len(own) > 1
    some, left = own[:-1], "; ".join(RULES.view.write_words(own[-1:]))
    for part, words in (
        ([sign_part(game, "italian", own)], 'signed by "Graziani" (italian)'),
        ([sign_part(game, "italian", some)], f'signed by "Graziani" (italian); by the lead: {left}'),
        (
            [sign_part(game, "italian", [])],
            '"Graziani" (italian) signs that he orders nothing; the lead orders: ',
        ),
        ([], 'by the lead in place of "Graziani" (italian): '),
    ):
        after = write_play(game, orders, part)
        assert words in describe_deed(after, after.replayed_entries[-1])


def test_the_story_of_a_placement() -> None:
    game = begun_game()
    orders = practice_orders(game)
    after = write_play(
        game, orders, [sign_part(game, "italian", orders_of_groups(game, orders, ("italian",)))]
    )
    assert 'signed by "Graziani" (italian)' in describe_deed(after, after.replayed_entries[-1])
    assert "by the lead" not in describe_deed(after, after.replayed_entries[-1])


def test_the_vector() -> None:
    """`tests/vectors/commanders.yaml`, which `docs/VERIFY.md` checks with stock tools, is such a game."""
    assert open_game(VECTOR.read_bytes()).ids == game_with_parts().ids
    document = parse_document(parse_yaml(VECTOR.read_bytes()))
    board = str(document.board).rstrip("\n")
    assert VECTOR.read_bytes() == to_bytes(game_with_parts(), document.status, board)


def test_an_independent_verifier() -> None:
    """A program that knows no game agrees, and refuses a part that somebody else has signed."""
    data = VECTOR.read_bytes()
    verify(data)
    log = log_of(game_with_parts())
    parts = [raw["parts"][0] for raw in log if raw.get("parts")]
    assert len(parts) > 2
    for part in parts:
        part["orders"] = [*part["orders"], {"pass": True}]
        with pytest.raises(Fails, match="part"):
            verify(forge_file(log))
        part["orders"].pop()
    verify(forge_file(log))


def test_the_schema_agrees() -> None:
    value = parse_yaml(VECTOR.read_bytes())
    Draft202012Validator(json.loads(SCHEMA.read_text())).validate(value)
