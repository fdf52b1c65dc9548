"""FORMAT 11: commanders, and the parts of orders that they sign."""

from __future__ import annotations

from pbem.core.sealing import Open
from pbem.games.rommel import RULES
from pbem.report import deed
from umpire.shared import before_sealing, begun, chosen, moving, own_part, reopened, reply, signed, turn


def test_a_part_in_a_play_verifies() -> None:
    game = moving()
    orders = chosen(game)
    part = signed(game, "italian", own_part(game, orders, ("italian",)))
    assert part["orders"], "the Italians move"
    after = turn(game, orders, [part])
    assert reopened(after).entries[-1].raw["parts"] == [part]


def test_parts_of_sealed_orders_come_out_with_them() -> None:
    game = before_sealing()
    orders = chosen(game)
    part = signed(game, "italian", own_part(game, orders, ("italian",)))
    assert part["orders"]
    after = turn(game, orders, [part])
    assert "parts" not in after.entries[-1].raw
    while not isinstance(after.table.asked, Open):
        after = reply(after)
    opened = turn(after)
    assert opened.entries[-1].raw["parts"] == [part]
    assert reopened(opened).ids == opened.ids


def test_the_story_tells_by_whom_orders_were_signed() -> None:
    game = moving()
    orders = chosen(game)
    own = own_part(game, orders, ("italian",))
    assert len(own) > 1
    some, left = own[:-1], "; ".join(RULES.view.write_words(own[-1:]))
    for part, words in (
        ([signed(game, "italian", own)], 'signed by "Graziani" (italian)'),
        ([signed(game, "italian", some)], f'signed by "Graziani" (italian) save, by the lead: {left}'),
        ([signed(game, "italian", [])], '"Graziani" (italian) signs that he orders nothing, and the lead: '),
        ([], 'by the lead in place of "Graziani" (italian): '),
    ):
        after = turn(game, orders, part)
        assert words in deed(after, after.chapters[-1])


def test_the_story_of_a_placement() -> None:
    game = begun()
    orders = chosen(game)
    after = turn(game, orders, [signed(game, "italian", own_part(game, orders, ("italian",)))])
    assert 'signed by "Graziani" (italian)' in deed(after, after.chapters[-1])
    assert "by the lead" not in deed(after, after.chapters[-1])
