"""What the holder of a key may do in a game: his seats, whether he writes next, what his share unlocks."""

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
    """Whether the holder of this key writes next and has nothing to decide.

    Then it is a share, a seal to open, or orders that the program computes for the player.

    A side with commanders sends the share alone first, so that they know what they give orders for.
    """
    seat = game.state.writer
    if seat not in held_seats(game, key) or game.state.proposal or len(game.state.known) < 2:
        return False
    asked = unlock_state(game, key).pending_question
    if asked is None or asked.seat != seat or isinstance(asked, Open) or is_computed(game.rules, asked):
        return True
    return bool(game.state.open_beat and game.state.commanders.get(seat))


def unlock_state(game: Game, key: PrivateKey) -> GameState:
    """The state as the holder of this key may see it: with the open beat completed, if he has to complete it,
    and with what the rules let him know alone, by his own seals (`Rules.known`).

    Nothing is written: the share leaves this computer only with `play`. What is shown to others, or is in
    a file or a mail for them, comes from `game.state`.
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
    """The run from a state with the player's own knowledge, which all that follows from it keeps."""
    known, position = game.rules.known, run.position
    assert known is not None
    own: dict[str, Orders] = {}
    for seat, seal in unopened_seals(game, key):
        try:
            own[seal] = seal_contents(game, key, seat, seal)["orders"]
        except FileError:  # sealed by another program, which has kept them: `show` says so
            continue
    private = Run(game.rules, Position(known(position.checkpoint, own), position.answers))
    private.told = list(run.told)
    return private


def computed_orders(game: Game, key: PrivateKey, asked: Question) -> Orders | None:
    """The orders that this player's program gives by itself; None if the player decides."""
    if game.rules.computed is None:
        return None
    return game.rules.computed(asked, _log_secret(game, key, asked.seat, "orders"))


def computed_entropy(game: Game, key: PrivateKey, seat: str) -> Callable[[int], bytes]:
    """What seals computed orders: no chance, so two computers of a player write the same entry (FORMAT 6)."""
    numbers = count()
    return lambda size: _log_secret(game, key, seat, f"seal {next(numbers)}")[:size]


def _log_secret(game: Game, key: PrivateKey, seat: str, purpose: str) -> bytes:
    """32 bytes that follow from key, game and log, different at every entry and for every purpose."""
    nonce = bytes.fromhex(game.seats[seat].nonce)
    return derive_log_secret(key.seed, nonce, game.offer.game, seat, game.ids[-1], purpose)


def own_chain(game: Game, key: PrivateKey, seat: str) -> Chain:
    """The chain of the seat that this key holds."""
    return chain_of(key, game.seats[seat].nonce, game.offer.game, seat, game.offer.beats)


@lru_cache(maxsize=2)
def chain_of(key: PrivateKey, nonce: str, game: str, seat: str, beats: int) -> Chain:
    """A seat's chain, cached: a move needs it several times, and it takes a hash for every beat."""
    return Chain(chain_seed(key.seed, bytes.fromhex(nonce), game, seat), beats, game, seat)
