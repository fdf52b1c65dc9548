"""What a key's holder may do in a game: their seats, whether they write next, what their share unlocks."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import count

from pbem.core.requests import Orders, Question
from pbem.core.run import Position, Run
from pbem.core.sealing import Open
from pbem.errors import FileError, NotYourMove
from pbem.format.draws import Chain, chain_seed, derive_log_secret
from pbem.format.keys import PrivateKey, PublicKey
from pbem.messages import Messages
from pbem.umpire.game_state import Game, GameState, is_computed
from pbem.umpire.sealed_orders import seal_contents, unopened_seals

tr = Messages("pbem")


def writing_seat(game: Game, key: PrivateKey) -> str:
    """The seat that writes next, which this key must hold. Raises `NotYourMove` if it does not."""
    seat = game.state.writer
    if seat is None:
        assert game.state.ending is not None
        raise NotYourMove(tr("the game is over: {reason}", reason=game.state.ending.reason))
    if seat not in held_seats(game, key):
        raise NotYourMove(
            tr("{side} {side:writes|write} next, and you do not play that side", side=game.rules.side(seat))
        )
    return seat


def held_seats(game: Game, key: PrivateKey) -> tuple[str, ...]:
    """The seats held by this key: none, one, or both (solitaire)."""
    return tuple(name for name, seat in game.seats.items() if PublicKey.parse(seat.key) == key.public)


def has_forced_entry(game: Game, key: PrivateKey) -> bool:
    """Whether the holder of this key writes next and has nothing to decide.

    The entry is then a share, the opening of a seal, or orders computed by pbem. A side with commanders sends
    the share alone first, so that they know what they are giving orders for.
    """
    seat = game.state.writer
    if seat not in held_seats(game, key) or game.state.proposal or len(game.state.known) < 2:
        return False
    asked = unlock_state(game, key).pending_question
    if asked is None or asked.seat != seat or isinstance(asked, Open) or is_computed(game.rules, asked):
        return True
    return bool(game.state.open_beat and game.state.commanders.get(seat))


def unlock_state(game: Game, key: PrivateKey) -> GameState:
    """The state as the holder of this key may see it.

    The open beat is completed if the holder has to complete it, and what the rules let only them know by
    their own seals is included (`Rules.known`).

    Nothing is written: only `play` lets the share leave this computer. Everything for others, on screen, in a
    file or in a mail, is made from `game.state`.
    """
    state = game.state.fork()
    if game.rules.known:
        state.run = _with_own_knowledge(game, key, state.run)
    opened = state.open_beat
    if opened and not state.ending and state.writer in held_seats(game, key):
        seat = state.writer
        assert seat is not None
        state.complete_beat(seat, opened.number, own_chain(game, key, seat).share(opened.number))
    return state


def _with_own_knowledge(game: Game, key: PrivateKey, run: Run) -> Run:
    """The run from a state with the player's own knowledge, which later states keep."""
    known, position = game.rules.known, run.position
    assert known is not None
    own: dict[str, Orders] = {}
    for seat, seal in unopened_seals(game, key):
        try:
            own[seal] = seal_contents(game, key, seat, seal)["orders"]
        except FileError:  # sealed by another program, which kept the orders to itself: `show` says so
            continue
    private = Run(game.rules, Position(known(position.checkpoint, own), position.answers))
    private.told = list(run.told)
    return private


def computed_orders(game: Game, key: PrivateKey, asked: Question) -> Orders | None:
    """The orders that pbem computes for this player (`Rules.computed`); None if the player decides."""
    if game.rules.computed is None:
        return None
    return game.rules.computed(asked, _log_secret(game, key, asked.seat, "orders"))


def computed_entropy(game: Game, key: PrivateKey, seat: str) -> Callable[[int], bytes]:
    """Bytes to seal computed orders: not random, so that a player's computers write the same (FORMAT 6)."""
    numbers = count()
    return lambda size: _log_secret(game, key, seat, f"seal {next(numbers)}")[:size]


def _log_secret(game: Game, key: PrivateKey, seat: str, purpose: str) -> bytes:
    """32 bytes derived from key, game and log, different for each entry and purpose."""
    nonce = bytes.fromhex(game.seats[seat].nonce)
    return derive_log_secret(key.seed, nonce, game.offer.game, seat, game.ids[-1], purpose)


def own_chain(game: Game, key: PrivateKey, seat: str) -> Chain:
    """The chain of a seat held by this key."""
    return chain_of(key, game.seats[seat].nonce, game.offer.game, seat, game.offer.beats)


@lru_cache(maxsize=2)
def chain_of(key: PrivateKey, nonce: str, game: str, seat: str, beats: int) -> Chain:
    """A seat's chain, cached: a move needs it several times, and it takes one hash per beat."""
    return Chain(chain_seed(key.seed, bytes.fromhex(nonce), game, seat), beats, game, seat)
