"""A game that begins with chance: the accept itself opens beat 1 (FORMAT 4). Mortain does not begin so.

And one that is over before it begins, or where somebody takes the seat that is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, cast

import pytest
from msgspec.structs import replace as replace_struct

from pbem.core.requests import Ask, Orders, Plain, Throw
from pbem.core.rules import OVER, Outcome, Rules, Step
from pbem.core.sides import Side, unnamed
from pbem.format.draws import Chain, beat_seed, chain_seed, draw_number
from pbem.format.entries import BOUND, Accept, Offer, Play, Scenario, Seat
from pbem.umpire import write
from pbem.umpire.apply_entry import apply_entry
from pbem.umpire.game_state import EntryRefused, GameState
from pbem.umpire.write import Person, Terms
from support.simulator import KEYS, entropy

GAME = "00" * 16
SIG = "A" * 86 + "=="
CHAINS = {seat: Chain(sha256(seat.encode()).digest(), 4, GAME, seat) for seat in ("high", "low")}


@dataclass(frozen=True)
class State:
    step: str
    die: int = 0
    called: str = ""

    @property
    def outcome(self) -> Outcome | None:
        return Outcome(self.called, "it was called", "D3") if self.called else None


async def throw(state: State) -> State:
    return replace(state, step="call", die=await Throw(state, "D1", (1, 2, 3, 4, 5, 6)))


async def call(state: State) -> State:
    called = await Ask(state, "D2", "low", "call", read)
    return replace(state, step=OVER, called=called)


def read(orders: Orders) -> str:
    [order] = orders
    return str(order["call"])


class Dicing:
    """A die is thrown before anything is asked; then low calls."""

    seats = ("high", "low")
    name, pin = "dicing", "dicing/1"
    sequence: Mapping[str, Step] = {"throw": throw, "call": call}
    settles_results, known, computed = False, None, None

    def public(self, state: State) -> dict[str, Any]:
        return {"die": state.die, "called": state.called}

    def begin(self, options: Mapping[str, Plain], data: Plain) -> State:
        return State("throw")

    def beats(self, options: Mapping[str, Plain], data: Plain) -> int:
        return 4

    def side(self, seat: str) -> Side:
        return unnamed(seat)

    def with_sides_of(self, data: Plain) -> Dicing:
        return self


def seat(name: str) -> Seat:
    key = "ssh-ed25519 " + "A" * 68
    return Seat(name=name, key=key, nonce="00" * 32, anchor=CHAINS[name].anchor.hex())


OFFER = Offer(
    n=0,
    by="high",
    sig=SIG,
    game=GAME,
    rules="dicing/1",
    options={},
    scenario=Scenario(name="dicing", sha256="00" * 32),
    beats=4,
    seat=seat("high"),
)


def offered() -> GameState:
    table = GameState(cast(Rules, Dicing()), GAME, State("throw"), 4)
    apply_entry(table, OFFER)
    return table


def share(name: str, beat: int) -> dict[str, Any]:
    return {"beat": beat, "share": CHAINS[name].share(beat).hex()}


def test_an_accept_must_open_the_first_beat() -> None:
    with pytest.raises(EntryRefused) as refused:
        apply_entry(offered(), Accept(n=1, by="low", sig=SIG, seat=seat("low")))
    assert (refused.value.step, str(refused.value.found)) == (6, "an entry without one")


def test_the_offerer_completes_it_and_both_secrets_make_the_die() -> None:
    table = offered()
    apply_entry(table, Accept(n=1, by="low", sig=SIG, seat=seat("low"), **share("low", 1)))
    assert (table.writer, table.position_digest()) == ("high", None)
    apply_entry(table, Play(n=2, by="high", sig=SIG, **share("high", 1)))
    seed = beat_seed(GAME, 1, {name: CHAINS[name].share(1) for name in CHAINS})
    assert table.run.state.die == draw_number(seed, 0) % 6 + 1
    assert table.writer == "low"
    apply_entry(table, Play(n=3, by="low", sig=SIG, orders=[{"call": "low"}]))
    assert [table.ending and table.ending.winner, table.pending_question] == ["low", None]


def test_the_accept_that_is_written_opens_it() -> None:
    """With the accepter's own share of beat 1, and no position, since the rules have not asked yet."""
    terms = Terms(cast(Rules, Dicing()), {}, "dicing", {"name": "dicing"})
    offered = write.offer(Person("Hilda", KEYS["german"]), "high", terms, entropy("high"))
    game = write.accept(offered, Person("Louis", KEYS["us"]), entropy("low"))
    name, nonce = game.offer.game, bytes.fromhex(game.seats["low"].nonce)
    chain = Chain(chain_seed(KEYS["us"].seed, nonce, name, "low"), 4, name, "low")
    raw = game.entries[1].raw
    assert (raw["beat"], raw["share"], "position" in raw) == (1, chain.share(1).hex(), False)
    assert game.state.writer == "high"
    assert write.play(game, KEYS["german"]).state.run.state.die in range(1, 7)


class TestBound:
    """FORMAT 12: where the offer names `bound`, the accept opens nothing, and the offering seat does."""

    @staticmethod
    def accepted() -> GameState:
        table = GameState(cast(Rules, Dicing()), GAME, State("throw"), 4, (BOUND,))
        apply_entry(table, replace_struct(OFFER, needs=[BOUND]))
        apply_entry(table, Accept(n=1, by="low", sig=SIG, seat=seat("low")))
        return table

    def test_the_offering_seat_opens_it(self) -> None:
        """No position until the rules first ask; then the other calls in the entry that completes."""
        table = self.accepted()
        assert (table.is_beat_due, table.writer, table.position_digest()) == (True, "high", None)
        apply_entry(table, Play(n=2, by="high", sig=SIG, **share("high", 1)))
        assert (table.is_beat_due, table.writer, table.position_digest()) == (False, "low", None)
        apply_entry(table, Play(n=3, by="low", sig=SIG, orders=[{"call": "low"}], **share("low", 1)))
        seed = beat_seed(GAME, 1, {name: CHAINS[name].share(1) for name in CHAINS})
        assert table.run.state.die == draw_number(seed, 0) % 6 + 1
        assert table.ending

    def test_an_accept_with_a_share_is_refused(self) -> None:
        table = GameState(cast(Rules, Dicing()), GAME, State("throw"), 4, (BOUND,))
        apply_entry(table, replace_struct(OFFER, needs=[BOUND]))
        with pytest.raises(EntryRefused) as refused:
            apply_entry(table, Accept(n=1, by="low", sig=SIG, seat=seat("low"), **share("low", 1)))
        assert refused.value.step == 6


def test_a_game_that_is_over_before_it_begins() -> None:
    """No option of ours makes one; another's may."""
    table = GameState(cast(Rules, Dicing()), GAME, State(OVER, called="low"), 4)
    with pytest.raises(EntryRefused) as refused:
        apply_entry(table, OFFER)
    said = "the game is over (D3: it was called), and an offer of high follows"
    assert (refused.value.step, str(refused.value.found)) == (10, said)


def test_an_accept_by_who_has_offered() -> None:
    with pytest.raises(EntryRefused) as refused:
        apply_entry(offered(), Accept(n=1, by="high", sig=SIG, seat=seat("high")))
    found = refused.value
    assert (found.step, str(found.expected), str(found.found)) == (
        6,
        "an entry of low",
        "an accept of high",
    )
