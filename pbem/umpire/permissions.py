"""What the holder of a key may do in a game: his seats, whether he writes next, what his share unlocks."""

from __future__ import annotations

from functools import lru_cache

from pbem.core.sealing import Open
from pbem.errors import NotYourMove
from pbem.format.draws import Chain, chain_seed
from pbem.format.keys import PrivateKey, PublicKey
from pbem.messages import Messages
from pbem.umpire.game_state import Game, GameState

tr = Messages("pbem")


def writing_seat(game: Game, key: PrivateKey) -> str:
    """The seat that writes next, if this key holds it. Raises `NotYourMove`."""
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
    """The seats that this key holds: none, one, or both (solitaire)."""
    return tuple(name for name, seat in game.seats.items() if PublicKey.parse(seat.key) == key.public)


def has_forced_entry(game: Game, key: PrivateKey) -> bool:
    """Whether the holder of this key writes next and has nothing to decide: a share, or a seal to open.

    A side with commanders sends the share alone first, so that they know what they give orders for.
    """
    seat = game.state.writer
    if seat not in held_seats(game, key) or game.state.proposal or len(game.state.known) < 2:
        return False
    asked = unlock_state(game, key).pending_question
    if asked is None or asked.seat != seat or isinstance(asked, Open):
        return True
    return bool(game.state.open_beat and game.state.commanders.get(seat))


def unlock_state(game: Game, key: PrivateKey) -> GameState:
    """The state as the holder of this key may see it: with the open beat completed, if he has to complete it.

    Nothing is written: the share leaves this computer only with `play`.
    """
    state = game.state.fork()
    opened = state.open_beat
    if opened and not state.ending and state.writer in held_seats(game, key):
        seat = state.writer
        assert seat is not None
        state.complete_beat(seat, opened.number, own_chain(game, key, seat).share(opened.number))
    return state


def own_chain(game: Game, key: PrivateKey, seat: str) -> Chain:
    """The chain of the seat that this key holds."""
    return chain_of(key, game.seats[seat].nonce, game.offer.game, seat, game.offer.beats)


@lru_cache(maxsize=2)
def chain_of(key: PrivateKey, nonce: str, game: str, seat: str, beats: int) -> Chain:
    """A seat's chain, cached: a move needs it several times, and it takes a hash for every beat."""
    return Chain(chain_seed(key.seed, bytes.fromhex(nonce), game, seat), beats, game, seat)
