"""A commander's draft (FORMAT 11): honest, late, foreign, altered, clashing; nothing is lost by one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from msgspec import structs

from pbem.core.requests import Orders, Plain
from pbem.errors import DraftRefused, FileError, IllegalOrder, NotYourMove, OrderError, Unfinished
from pbem.format.document import Draft, draft_bytes, parse_draft
from pbem.format.yaml_reader import parse_yaml
from pbem.format.yaml_writer import dump_yaml
from pbem.games.rommel import RULES
from pbem.umpire import permissions, write
from pbem.umpire.commander_signatures import split_order
from pbem.umpire.drafts import (
    CommanderSeat,
    check_and_sign_draft,
    fitting_orders,
    join_drafts,
    missing_commanders,
    orders_within_command,
    verify_draft,
)
from pbem.umpire.verify import open_game
from support.commanders_game import (
    KEYS,
    begun_game,
    game_before_move,
    practice_orders,
    reopen,
    sign_part,
    write_play,
    write_reply,
)
from support.simulator import STRANGER, file_of, log_of

GRAZIANI = CommanderSeat("axis", 0)


@cache
def share() -> Orders:
    """What Graziani orders when the Axis moves."""
    game = game_before_move()
    assert game.state.pending_question
    return fitting_orders(
        game, game.state.pending_question, orders_within_command(game, GRAZIANI, practice_orders(game))
    )


def drafted(orders: Orders | None = None) -> Draft:
    """His draft."""
    return check_and_sign_draft(game_before_move(), KEYS["italian"], share() if orders is None else orders)


@cache
def rest() -> Orders:
    """What is left for the lead, that the rules allow after that."""
    game = game_before_move()
    assert game.state.pending_question
    left = [one for order in practice_orders(game) for one in split_order(order) if one not in share()]
    return fitting_orders(game, game.state.pending_question, left, before=share())


def test_a_draft_is_small_and_reads_back() -> None:
    data = draft_bytes(drafted())
    assert parse_draft(data) == drafted()
    assert len(draft_bytes(drafted(share()[:1]))) < 500


def test_drafts_and_the_leads_orders_make_one_entry() -> None:
    game = game_before_move()
    orders, parts = join_drafts(game, game.state, [drafted()], rest())
    after = reopen(write_play(game, orders, parts))
    assert after.entries[-1].raw["orders"] == [*share(), *rest()]
    assert after.entries[-1].raw["parts"] == [
        {"by": 0, "orders": share(), "sig": drafted().part.sig},
    ]
    assert [one.name for one in missing_commanders(game, game.state, [])] == ["Graziani"]
    assert missing_commanders(game, game.state, [drafted()]) == []


def test_a_draft_alone_is_enough() -> None:
    game = game_before_move()
    orders, parts = join_drafts(game, game.state, [drafted()], [])
    assert reopen(write_play(game, orders, parts)).entries[-1].raw["orders"] == share()


def test_a_commander_may_sign_that_he_orders_nothing() -> None:
    game = game_before_move()
    orders, parts = join_drafts(game, game.state, [drafted([])], [{"pass": True}])
    assert reopen(write_play(game, orders, parts)).entries[-1].raw["parts"] == parts
    with pytest.raises(OrderError, match="the drafts contain no orders"):
        join_drafts(game, game.state, [drafted([])], [])


def german() -> Plain:
    """An order of a German unit."""
    own = orders_within_command(game_before_move(), GRAZIANI, practice_orders(game_before_move()))
    return next(one for one in practice_orders(game_before_move()) if one not in own)


def altered(**part: Any) -> Draft:
    """The draft with something else in its part."""
    return structs.replace(drafted(), part=structs.replace(drafted().part, **part))


def moved(**after: Any) -> Draft:
    """The draft as if it went on from elsewhere."""
    return structs.replace(drafted(), after=structs.replace(drafted().after, **after))


def another_signs() -> Draft:
    part = sign_part(game_before_move(), "italian", share(), key=STRANGER)
    return altered(sig=part["sig"])


def units_of_others() -> Draft:
    orders: Orders = [
        one
        for one in practice_orders(game_before_move())
        if one not in orders_within_command(game_before_move(), GRAZIANI, practice_orders(game_before_move()))
    ]
    part = sign_part(game_before_move(), "italian", orders)
    return altered(orders=orders, sig=part["sig"])


REFUSED: dict[str, tuple[Callable[[], Draft], str]] = {
    "of another game": (lambda: moved(game="ab" * 32), "is for game abababab, but this is game"),
    "from another history": (lambda: moved(id="ab" * 32), "continues from another entry 14: abababab"),
    "from the future": (lambda: moved(n=40), "from entry 40, but your file ends with entry 14"),
    "from the past": (lambda: moved(n=11, id=game_before_move().ids[11]), "late: it continues from entry 11"),
    "by nobody": (lambda: altered(by=1), "by commander 1 of the Axis, who does not exist"),
    "of the other side": (lambda: altered(seat="allied"), "for the Allies, and they are not due"),
    "of no side": (lambda: altered(seat="polish"), "by commander 0 of polish"),
    "signed by another key": (another_signs, "not signed with its commander's key"),
    "with other orders": (lambda: altered(orders=share()[1:]), "or has been altered since"),
    "in another sequence": (lambda: altered(orders=share()[::-1]), "or has been altered since"),
    "with a unit of the Germans": (
        units_of_others,
        "a commander of italian units may not order german units (R9.1)",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    make, words = REFUSED[name]
    game = game_before_move()
    before = game.ids, game.state.position_digest()
    with pytest.raises(DraftRefused) as refusal:
        join_drafts(game, game.state, [make()], rest())
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert before == (game.ids, game.state.position_digest())
    orders, parts = join_drafts(game, game.state, [drafted()], rest())
    assert write_play(game, orders, parts), "the honest one comes in as ever"


def test_the_same_draft_twice() -> None:
    """As it comes by mail and lies in a file: it counts once."""
    game = game_before_move()
    once = join_drafts(game, game.state, [drafted()], rest())
    assert join_drafts(game, game.state, [drafted(), drafted()], rest()) == once


def test_two_drafts_of_one_commander() -> None:
    with pytest.raises(DraftRefused, match="two drafts by Graziani"):
        join_drafts(game_before_move(), game_before_move().state, [drafted(), drafted(share()[:1])], rest())


def test_a_draft_is_late_once_the_log_has_gone_on() -> None:
    game = game_before_move()
    orders, parts = join_drafts(game, game.state, [drafted()], rest())
    with pytest.raises(DraftRefused, match="late"):
        verify_draft(after := write_play(game, orders, parts), after.state, drafted())


def test_whose_order_came_first() -> None:
    """Two units into one hex: the lead's is refused, and both are named."""
    game = game_before_move()
    assert game.state.pending_question
    (italian, other) = _two_into_one_hex()
    with pytest.raises(IllegalOrder) as refusal:
        join_drafts(game, game.state, [drafted([italian])], [other])
    words = RULES.view.write_words
    assert refusal.value.rule == "R5.2"
    assert f"the lead may not order: {words([other])[0]}" in str(refusal.value)
    assert f"Graziani ordered first: {words([italian])[0]}" in str(refusal.value)


def test_an_order_that_is_illegal_by_itself() -> None:
    """Nobody came first: the refusal names him alone who gave it."""
    order: Plain = {"move": "Ramcke-B", "path": ["0101"]}
    with pytest.raises(IllegalOrder) as refusal:
        join_drafts(game_before_move(), game_before_move().state, [drafted()], [order])
    said = (
        "R5.2: 0101 is not adjacent to 1713, on the path of Ramcke-B, so the lead may not order: "
        "move Ramcke-B 0101"
    )
    assert str(refusal.value) == said


def test_an_order_that_contradicts_his_own() -> None:
    """So does the refusal of two that one man gave."""
    order: Plain = {"move": "Ramcke-B", "path": ["1813"]}
    assert order in rest()
    with pytest.raises(IllegalOrder) as refusal:
        join_drafts(game_before_move(), game_before_move().state, [drafted()], [order, order])
    said = "R5.2: Ramcke-B may move only once a turn, so the lead may not order: move Ramcke-B 1813"
    assert str(refusal.value) == said


def test_two_refusals_are_alike_if_their_orders_are() -> None:
    def refused(*path: str) -> object:
        with pytest.raises(IllegalOrder) as refusal:
            join_drafts(
                game_before_move(),
                game_before_move().state,
                [drafted()],
                [{"move": "Ramcke-B", "path": ["0101", *path]}],
            )
        return refusal.value.facts

    assert refused() == refused()
    assert refused() != refused("0102")


def _two_into_one_hex() -> tuple[Any, Any]:
    """An order of an Italian unit, and one of a German unit, that end in one hex, each legal alone."""
    game = game_before_move()
    asked, routes = game.state.pending_question, RULES.view.routes
    assert asked
    assert routes
    counters, army = asked.state.setting.counters, asked.state.setting.armies["axis"]
    ends: dict[str, dict[str, Any]] = {}
    for name, counter in counters.items():
        if name in army and asked.state.at(name).isdigit():
            for at, orders in routes(asked, name).items():
                if len(orders) == 1:
                    ends.setdefault(at, {})[counter.nation] = orders[0]
    return next((both["italian"], both["german"]) for both in ends.values() if len(both) == 2)


def test_one_unit_placed_twice() -> None:
    game = begun_game()
    placed = orders_within_command(game, GRAZIANI, practice_orders(game))
    other = {"place": dict.fromkeys(list(placed[0]["place"])[:1], "0101")}
    with pytest.raises(OrderError, match="Graziani ordered it first, and the lead ordered something else"):
        join_drafts(game, game.state, [check_and_sign_draft(game, KEYS["italian"], placed)], [other])


def test_a_placement_that_is_not_whole_yet() -> None:
    """R2.1: it clashes with nothing, so nobody is named."""
    game = begun_game()
    placed = orders_within_command(game, GRAZIANI, practice_orders(game))
    with pytest.raises(Unfinished) as refusal:
        join_drafts(game, game.state, [check_and_sign_draft(game, KEYS["italian"], placed)], [])
    assert str(refusal.value).startswith("R2.1: still to place: ")


def test_a_placement_signed_in_two_orders() -> None:
    """No program of ours signs so: the whole has one order, which cannot hold both in their sequence."""
    game = begun_game()
    [placed] = orders_within_command(game, GRAZIANI, practice_orders(game))
    (part, *parts) = split_order(placed)
    orders: Orders = [part, {"place": {name: at for one in parts for name, at in one["place"].items()}}]
    draft = check_and_sign_draft(game, KEYS["italian"], [placed])
    signed = structs.replace(draft.part, orders=orders, sig=sign_part(game, "italian", orders)["sig"])
    with pytest.raises(DraftRefused) as refusal:
        join_drafts(game, game.state, [structs.replace(draft, part=signed)], practice_orders(game))
    assert str(refusal.value) == "the complete orders do not contain this draft's orders in their sequence"


class TestDrafting:
    """What a commander may not even sign."""

    def test_units_of_others(self) -> None:
        with pytest.raises(
            IllegalOrder, match=r"R9\.1: a commander of italian units may not order german units"
        ):
            drafted([german()])

    def test_what_the_rules_refuse(self) -> None:
        with pytest.raises(IllegalOrder, match="R5"):
            drafted([share()[0], share()[0]])

    def test_one_who_commands_nothing(self) -> None:
        with pytest.raises(NotYourMove, match="you do not command any units"):
            check_and_sign_draft(game_before_move(), STRANGER, share())

    def test_out_of_turn(self) -> None:
        with pytest.raises(NotYourMove, match="the Allies are not due"):
            check_and_sign_draft(game_before_move(), KEYS["commonwealth"], [])

    def test_before_the_lead_has_opened_the_beat(self) -> None:
        game = game_before_move()
        while not (game.state.open_beat and game.state.writer == "axis"):
            game = write_reply(game)
        with pytest.raises(NotYourMove, match="must first add its half of the open draw"):
            check_and_sign_draft(game, KEYS["italian"], [])


def test_the_share_of_a_shared_side_goes_first_and_alone() -> None:
    """So commanders see what their side is asked; a side without commanders gives it with its orders."""
    before = open_game(file_of(log_of(game_before_move())[:-1]))
    asked = permissions.unlock_state(before, KEYS["axis"]).pending_question
    assert (before.state.open_beat is not None, asked and asked.question) == (True, "ground_move")
    with pytest.raises(NotYourMove, match="must first add its half"):
        check_and_sign_draft(before, KEYS["italian"], share())
    assert permissions.has_forced_entry(before, KEYS["axis"])
    after = write.play(before, KEYS["axis"])
    assert check_and_sign_draft(after, KEYS["italian"], share()).part.orders == share()
    assert not permissions.has_forced_entry(after, KEYS["axis"])
    before.state.commanders = {**before.state.commanders, "axis": ()}
    assert not permissions.has_forced_entry(before, KEYS["axis"])


SHAPES: dict[str, tuple[Callable[[Any], object], str]] = {
    "no draft": (lambda raw: raw.pop("part"), "this is not a draft"),
    "with a log": (lambda raw: raw.update(log=[]), "this is not a draft"),
    "of another version": (lambda raw: raw.update(pbem=2), "has version 2"),
    "of no version": (lambda raw: raw.update(pbem="1"), "this is not a draft"),
    "after nothing": (lambda raw: raw.update(after={}), "after"),
    "with an unknown key": (lambda raw: raw["part"].update(say="Avanti!"), "there is no key 'say'"),
    "by somebody before the first": (lambda raw: raw["part"].update(by=-1), "part.by"),
    "with orders that are no list": (lambda raw: raw["part"].update(orders={}), "part.orders"),
    "without a signature": (lambda raw: raw["part"].pop("sig"), "the key 'sig' is missing"),
    "with half a signature": (lambda raw: raw["part"].update(sig="AAAA"), "part.sig"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_what_is_no_draft(name: str) -> None:
    change, words = SHAPES[name]
    raw: Any = parse_yaml(draft_bytes(drafted()))
    change(raw)
    with pytest.raises(FileError) as refusal:
        parse_draft(dump_yaml(raw).encode())
    assert words in str(refusal.value)
