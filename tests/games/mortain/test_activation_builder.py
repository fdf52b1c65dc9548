"""Drafts give what the judge accepts, and nothing else: every order that there is, in many positions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from itertools import chain, combinations
from random import Random

import pytest
from msgspec.structs import replace

from pbem.core.requests import Orders, Plain, accepts
from pbem.games.mortain.players.basic import add_support, add_unit
from pbem.games.mortain.rules import activation
from pbem.games.mortain.rules.activation_builder import ActivationBuilder
from pbem.games.mortain.rules.sequence import can_act
from pbem.games.mortain.rules.state import State
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.setting import enemy
from support.playout import play, set_up

pytestmark = pytest.mark.thorough

CHUNKS = 8
GAMES = range(1600 if os.environ.get("PBEM_LONG") == "1" else 48)
OFTEN = 0.15
"""How many positions of a game are looked at."""


def positions(chunk: int) -> Iterator[tuple[State, Random]]:
    """Some positions of random games under options of all kinds, with any card, and support to be had."""
    for seed in GAMES[chunk::CHUNKS]:
        chooser = Random(f"drafts {seed}")
        for move in play(set_up("mortain", chooser), chooser):
            if move.ask.question == "activate" and chooser.random() < OFTEN:
                card = chooser.choice([card for card in cards.DECK if card != cards.JOKER])
                yield replace(move.ask.state, card=card, support="available"), chooser


def draft_of(state: State, chooser: Random) -> ActivationBuilder:
    """A list of some orders."""
    draft = ActivationBuilder(state)
    for _ in range(chooser.randrange(4)):
        able = list(filter(draft.may_act, state.army(draft.seat)))
        if not able or chooser.random() < 0.2:
            add_support(draft, chooser)
        else:
            add_unit(draft, chooser.choice(able), chooser)
    return draft


def every_order(state: State) -> Iterator[Plain]:
    """Every order of one unit, and every use of support on one or two units or on a stack, legal or not."""
    for name in state.units:
        for at in state.setting.grid.numbers:
            yield {"move": name, "to": at}
            yield {"enter": name, "at": at}
        yield {"exit": name}
        yield from ({"fire": [name], "at": target} for target in state.units)
    stacks = {state.stack(at) for at in state.setting.grid.numbers} - {()}
    for targets in sorted({*stacks, *(chain.from_iterable(combinations(state.units, n) for n in (1, 2)))}):
        yield {"artillery": list(targets)}
        yield {"air": list(targets)}
    yield from ({"suppress": at} for at in state.setting.grid.numbers)


def beside(order: Plain, draft: ActivationBuilder) -> Orders:
    """The list of a draft with one order more, movement in front."""
    orders = [each for each in draft.orders() if "pass" not in each]
    return [order, *orders] if order.keys() & {"move", "enter", "exit"} else [*orders, order]


def legal(state: State, orders: Orders) -> bool:
    """What the judge says."""
    return accepts(partial(activation.read, state), orders)


def plain(orders: list[Plain]) -> list[str]:
    """Orders that can be compared whatever their order."""
    return sorted(map(str, orders))


@pytest.mark.parametrize(
    "chunk", [0, 1, *(pytest.param(chunk, marks=pytest.mark.thorough) for chunk in range(2, CHUNKS))]
)
class TestAgainstTheJudge:
    """`activation.read` judges alone; a draft must come to the same by its own way."""

    def test_just_the_legal_orders_can_be_added(self, chunk: int) -> None:
        for state, chooser in positions(chunk):
            draft = draft_of(state, chooser)
            expected = [order for order in every_order(state) if legal(state, beside(order, draft))]
            assert plain(list(draft.additions())) == plain(expected), draft.orders()

    def test_just_the_legal_groups_can_fire(self, chunk: int) -> None:
        for state, chooser in positions(chunk):
            target = chooser.choice(state.army(enemy(cards.owner(state.card or ""))))
            army = state.army(cards.owner(state.card or ""))
            for firers in chain.from_iterable(combinations(army, n) for n in range(1, len(army) + 1)):
                draft = ActivationBuilder(state)
                for name in firers:
                    if draft.may_act(name) and target in draft.targets_of(name):
                        draft.add_firer(name, target)
                orders = [{"fire": list(firers), "at": target, "faces": "redraw"}]
                assert (draft.orders("redraw") == orders) == legal(state, orders), orders

    def test_whoever_has_something_to_order_is_asked(self, chunk: int) -> None:
        """M3.9, in every position with every card that there is."""
        for state, _ in positions(chunk):
            if can_act(state) != any(legal(state, [order]) for order in every_order(state)):
                raise AssertionError(state)
