"""FORMAT 11: commanders, and the parts of orders that they sign."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from msgspec import structs

from independent.minimal_verifier import Fails, verify
from pbem.core.requests import Orders
from pbem.core.sealing import Open
from pbem.errors import PbemError
from pbem.format.document import parse_document
from pbem.format.entries import Commander
from pbem.format.yaml_reader import parse_yaml
from pbem.games.mortain import RULES as MORTAIN
from pbem.render.story import describe_deed
from pbem.umpire import write
from pbem.umpire.commander_signatures import is_subsequence, orders_by_commander
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Person, Terms, to_bytes
from support.commanders_game import (
    KEYS,
    OPTIONS,
    RULES,
    begun_game,
    commander,
    forge_file,
    game_before_move,
    game_before_sealing,
    game_with_parts,
    offered_game,
    orders_of_groups,
    practice_orders,
    reopen,
    sign_part,
    write_play,
    write_reply,
)
from support.simulator import SHORT, STRANGER, entropy, log_of

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
        ([sign_part(game, "italian", some)], f'signed by "Graziani" (italian); by the lead instead: {left}'),
        (
            [sign_part(game, "italian", [])],
            '"Graziani" (italian) signs without giving orders; the lead orders: ',
        ),
        ([], 'by the lead instead of "Graziani" (italian): '),
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


class TestSeatTaken:
    """R9.1, R9.2, FORMAT 11: which commanders nobody may bring to a seat that he takes."""

    def test_a_game_without_shared_sides(self) -> None:
        lead = Person("Gerda", KEYS["axis"], commanders=(commander("italian"),))
        with pytest.raises(PbemError) as refused:
            write.offer(lead, "german", Terms(MORTAIN, SHORT, "mortain"), entropy("german"))
        assert str(refused.value) == "M1: the sides of Stand at Mortain cannot be shared"

    def test_a_game_offered_without_commanders(self) -> None:
        lead = Person("Rommel", KEYS["axis"])
        offered = write.offer(lead, "axis", Terms(RULES, OPTIONS, "alamein"), entropy("axis"))
        with pytest.raises(PbemError) as refused:
            take_seat(offered, commander("commonwealth"))
        assert str(refused.value) == "this game was offered without commanders"
        assert refused.value.hint == "the player who offers the game types: pbem new rommel --shared"

    @pytest.mark.parametrize(
        ("commanders", "words"),
        [
            (
                [commander("commonwealth"), commander("greek", key=STRANGER)],
                "R9.2: besides the two leads, at most two commanders are allowed, for both sides "
                "together; with these there are 3",
            ),
            (
                [commander("italian", key=STRANGER)],
                "the Allies have no group 'italian' to command: "
                "choose british, commonwealth, greek or french (R9.1)",
            ),
            (
                [commander("greek", "greek", key=STRANGER)],
                "greek units have two commanders of the Allies",
            ),
            (
                [commander("greek", "french", key=KEYS["italian"])],
                "the commander of greek, french units has a key that is already in this game",
            ),
            (
                [commander("greek", key=KEYS["allied"])],
                "the commander of greek units has a key that is already in this game",
            ),
        ],
        ids=["one too many", "of the enemy", "of one group twice", "the enemy's commander", "himself"],
    )
    def test_a_shared_game(self, commanders: list[Commander], words: str) -> None:
        with pytest.raises(PbemError) as refused:
            take_seat(offered_game(), *commanders)
        assert str(refused.value) == words

    def test_a_side_that_is_not_shared_though_the_other_is(self) -> None:
        sharing = structs.replace(RULES.sharing, groups={"axis": ("german", "italian")})
        offered = structs.replace(offered_game(), rules=structs.replace(RULES, sharing=sharing))
        with pytest.raises(PbemError) as refused:
            take_seat(offered, commander("commonwealth"))
        assert str(refused.value) == "the Allies may have no commanders (R9.1)"


def take_seat(offered: Game, *commanders: Commander) -> Game:
    """The Allies accept, with these commanders."""
    return write.accept(offered, Person("Monty", KEYS["allied"], commanders=commanders), entropy("allied"))


@pytest.mark.parametrize(
    ("part", "whole", "contained"),
    [
        ([], [{"pass": True}], True),
        ([{"fire": "A", "at": "X"}], [{"pass": True}, {"at": "X", "fire": "A"}], True),
        ([{"move": "A"}, {"move": "B"}], [{"move": "A"}, {"move": "C"}, {"move": "B"}], True),
        ([{"move": "B"}, {"move": "A"}], [{"move": "A"}, {"move": "C"}, {"move": "B"}], False),
        ([{"move": "A"}, {"move": "A"}], [{"move": "A"}], False),
        ([{"move": "A"}], [{"move": "B"}], False),
        ([{"move": "A", "to": "01"}], [{"move": "A", "to": "02"}], False),
        ([{"move": "A"}], [{"move": "A", "to": "02"}], False),
        ([{"place": {"A": "01"}}], [{"place": {"B": "02", "A": "01"}}], True),
        ([{"place": {"A": "01"}}], [{"place": {"B": "02", "A": "03"}}], False),
        ([{"place": {"A": "01"}}], [{"place": {"B": "02"}}], False),
        ([{"place": {}}], [{"place": {"A": "01"}}], False),
        ([{"place": {"A": "01"}}], [{"place": "A"}], False),
        ([{"place": {"A": "01"}}, {"place": {"B": "02"}}], [{"place": {"A": "01", "B": "02"}}], False),
    ],
)
def test_a_part_stands_in_the_whole(part: Orders, whole: Orders, contained: bool) -> None:
    """FORMAT 11: equal, or some members of an order's only mapping; each in its own, in one sequence."""
    assert is_subsequence(part, whole) == contained


class TestOrdersByCommander:
    """Who signed what: nothing before sealed orders are opened, nor of an entry without orders."""

    @staticmethod
    def placement(*, signed: bool) -> tuple[Game, Orders]:
        """The Axis has sealed a placement; what it holds of the Italians, which Graziani may have signed."""
        game = game_before_sealing()
        orders = practice_orders(game)
        own = orders_of_groups(game, orders, ("italian",))
        return write_play(game, orders, [sign_part(game, "italian", own)] if signed else []), own

    @pytest.mark.parametrize("signed", [True, False])
    def test_a_sealed_placement_until_it_is_opened(self, signed: bool) -> None:
        game, own = self.placement(signed=signed)
        assert list(orders_by_commander(game, game.replayed_entries[-1])) == []
        while not isinstance(game.state.pending_question, Open):
            game = write_reply(game)
        game = write_play(game)
        [one] = orders_by_commander(game, game.replayed_entries[-1])
        assert (one.commander.name, one.signed, one.in_place) == (
            ("Graziani", own, []) if signed else ("Graziani", None, own)
        )

    def test_an_entry_without_orders(self) -> None:
        game = write.propose(game_before_move(), KEYS["axis"], {"draw": True})
        shares = [one for one in game.replayed_entries[2:] if "orders" not in one.entry.raw]
        assert {one.entry.kind for one in shares} == {"play", "propose"}
        assert [list(orders_by_commander(game, one)) for one in shares] == [[]] * len(shares)
