"""A take-back can be wished for at any time: it waits at home until it may be proposed (FORMAT 6.6)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.errors import NotYourMove
from pbem.format.entries import BOUND, RETRACT
from pbem.player.actions.action import ActionContext
from pbem.player.actions.autoplay import save_automatic_entries
from pbem.player.actions.orders import GiveOrders
from pbem.player.actions.proposals import DeferProposal, parse_proposal
from pbem.player.pending import DeferredActions, deferred_for
from pbem.player.plans.plan_store import why_plan_rests
from pbem.player.status import describe_deferred, game_status
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from player.conftest import both
from support.correspondents import LASTING, Correspondent
from support.simulator import accept_game, clock, offer_game

__all__ = ["both"]

Both = tuple[Correspondent, Correspondent]


def is_to_decide(player: Correspondent, game: Game) -> bool:
    """Whether the player writes next, and has something to decide."""
    key = player.local_player.key
    return game.state.writer in permissions.held_seats(game, key) and not permissions.has_forced_entry(
        game, key
    )


def play_on(both: Both, game: Game, stop: Callable[[Game], bool]) -> Game:
    """Do what is offered first, and give every share, until it stops."""
    for _ in range(60):
        if stop(game):
            return game
        player = next(
            one for one in both if game.state.writer in permissions.held_seats(game, one.local_player.key)
        )
        key = player.local_player.key
        orders = None
        if is_to_decide(player, game):
            asked = permissions.unlock_state(game, key).pending_question
            assert asked
            orders = next(game.rules.offers(asked))
        game = write.play(game, key, orders, claim=clock(game))
    raise AssertionError("it has never come to that")


@pytest.fixture
def game(both: Both) -> Game:
    """A game that Anna has offered, in which she has ordered, and Bruno is to decide."""
    anna, bruno = both
    offered = offer_game(options=LASTING, key=anna.local_player.key, extensions=(BOUND, RETRACT))
    begun = accept_game(offered, key=bruno.local_player.key)
    ordered = play_on(
        both,
        begun,
        lambda one: any(
            play.body.by == "german" and getattr(play.body, "orders", None) for play in one.entries
        ),
    )
    return anna.save(play_on(both, ordered, lambda one: is_to_decide(bruno, one)))


def hand(player: Correspondent, game: Game) -> ActionContext:
    return ActionContext(player.local_player, game, player.file)


def test_it_waits_and_is_proposed_as_soon_as_it_may(both: Both, game: Game) -> None:
    """Its terms are those of the moment when it was wished for, whatever she orders later."""
    anna, bruno = both
    wished = parse_proposal(hand(anna, game), "last")
    assert isinstance(wished, DeferProposal)
    wished.write()
    terms = deferred_for(anna.local_player, game).takeback
    assert set(terms) == {"retract"}
    assert "Your take-back is waiting" in " ".join(
        describe_deferred(game_status(anna.local_player, game), anna.file)
    )
    resting = why_plan_rests(anna.local_player, game)
    assert resting
    assert "take-back" in resting.why
    hers = play_on(both, game, lambda one: is_to_decide(anna, one))
    anna.local_player.save(hers, anna.file)
    after, _ = save_automatic_entries(anna.local_player, hers, anna.file)
    proposal = after.state.proposal
    assert proposal
    assert (proposal.by, proposal.what, proposal.entry) == ("german", "retract", terms["retract"])
    assert not deferred_for(anna.local_player, after).is_pending
    granted = write.answer(after, bruno.local_player.key, True)
    assert granted.state.writer == "german"


def test_it_goes_before_orders(both: Both, game: Game) -> None:
    anna, _ = both
    DeferredActions(anna.local_player.home).save_takeback(game, {"retract": 2})
    hers = play_on(both, game, lambda one: is_to_decide(anna, one))
    with pytest.raises(NotYourMove, match="your take-back goes first"):
        GiveOrders(hand(anna, hers), [{"pass": True}])


def test_it_is_withdrawn(both: Both, game: Game) -> None:
    anna, _ = both
    DeferredActions(anna.local_player.home).save_takeback(game, {"retract": 2})
    assert anna.type("propose", anna.file.name, "--withdraw") == 0
    assert not deferred_for(anna.local_player, game).takeback


def test_it_lapses_once_the_opponents_own_is_granted(both: Both, game: Game) -> None:
    anna, bruno = both
    DeferredActions(anna.local_player.home).save_takeback(game, {"retract": 2})
    proposed = write.propose(game, bruno.local_player.key, {"retract": 2})
    assert deferred_for(anna.local_player, write.answer(proposed, anna.local_player.key, False)).takeback
    granted = write.answer(proposed, anna.local_player.key, True)
    assert not deferred_for(anna.local_player, granted).takeback


def test_what_may_never_be_undone_is_refused_at_once(both: Both, game: Game) -> None:
    anna, _ = both
    with pytest.raises(NotYourMove, match="not to entry 0"):
        parse_proposal(hand(anna, game), "entry 0")
