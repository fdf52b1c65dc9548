"""Games at the tabletop between two keys, honest or with a program that lies for its owner."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

from pbem.core.requests import Orders, Plain
from pbem.core.sealing import Open
from pbem.errors import OrderError
from pbem.format.canonical import canonical_form
from pbem.format.encrypted_boxes import seal_digest
from pbem.format.entries import sign_entry
from pbem.format.keys import PrivateKey
from pbem.games.tabletop import RULES
from pbem.games.tabletop.rules.hands import hand_of
from pbem.umpire import permissions, write
from pbem.umpire.game_state import EntryRefused, Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Person, Terms
from support.simulator import entropy, file_of, log_of

KEYS = {"first": PrivateKey(sha256(b"Anna").digest()), "second": PrivateKey(sha256(b"Bruno").digest())}

NO_SALT = bytes(32)


def terms(scenario: str | dict[str, Plain] = "cards", exchanges: int = 40) -> Terms:
    """A shipped scenario, or a player's own."""
    options: dict[str, Plain] = {"exchanges": exchanges}
    if isinstance(scenario, str):
        return Terms(RULES, options, scenario)
    return Terms(RULES, options, str(scenario["name"]), scenario)


def begun(
    scenario: str | dict[str, Plain] = "cards",
    exchanges: int = 40,
    *,
    sealed: bool = True,
    extensions: Sequence[str] = (),
) -> Game:
    """A game that both have joined; if `sealed`, each program has sealed what it has to."""
    anna = Person("Anna", KEYS["first"])
    game = write.offer(anna, "first", terms(scenario, exchanges), entropy("first"), extensions=extensions)
    game = write.accept(game, Person("Bruno", KEYS["second"]), entropy("second"))
    for _ in range(2 if sealed else 0):
        for key in KEYS.values():
            game = write.play_computed(game, key)
    return game


def play(game: Game, *orders: Plain, **lists: Orders) -> Game:
    """The next play by the player to write: these orders, or the next duty if there are none."""
    key = KEYS[game.state.writer or ""]
    after = write.play(game, key, list(orders) or None, entropy=entropy(str(len(game.entries))))
    return write.play_computed(after, key)


def settled(game: Game) -> Game:
    """The game after all due shares and openings."""
    while not game.state.ending and permissions.has_forced_entry(game, KEYS[game.state.writer or ""]):
        game = play(game)
    return game


def finished(game: Game, side: str = "Reds") -> Game:
    """The game after a result both agree on, and after all seals have been opened."""
    return settled(play(play(settled(game), {"result": side}), {"agree": True}))


def hand(game: Game, deck: str) -> list[str] | None:
    """The hidden hand of a deck as its owner's program knows it."""
    owner = game.state.run.state.owner(deck)
    return hand_of(permissions.unlock_state(game, KEYS[owner]).run.state, deck)


def drawn(number: int = 3) -> Game:
    """The Reds have drawn, and it is their turn again."""
    game = play(begun(), {"draw": number, "from": "red"}, {"end": True})
    return settled(play(game, {"end": True}))


def not_held(game: Game) -> str:
    """A card of the red deck that its owner does not hold."""
    held = hand(game, "red") or []
    cards: tuple[str, ...] = game.state.run.state.setting.packs["red"].cards
    return next(card for card in cards if card not in held)


def lie(game: Game, orders: Orders) -> Game:
    """The next play, signed by a program that checks only what both players can check."""
    return open_game(forged_play(game, orders))


def forged_play(game: Game, orders: Orders) -> bytes:
    """The file with such a play, whether or not anybody accepts it."""
    seat = game.state.writer or ""
    state, chain = game.state.fork(), permissions.own_chain(game, KEYS[seat], seat)
    fields: dict[str, Plain] = {"orders": orders}
    if opened := state.open_beat:
        state.complete_beat(seat, opened.number, chain.share(opened.number))
        fields |= {"beat": opened.number, "share": chain.share(opened.number).hex()}
    with suppress(OrderError, EntryRefused):  # verification then gives the reason
        state.apply_orders(seat, orders)
    if state.opens_beat(seat):
        fields |= {"beat": state.next_beat, "share": chain.share(state.next_beat).hex()}
    return forged(game, {**fields, "position": state.position_digest()})


def forged(game: Game, fields: dict[str, Plain]) -> bytes:
    """A file with one more play by the player to write, signed whatever it contains."""
    seat = game.state.writer or ""
    head: dict[str, Plain] = {"n": len(game.entries), "by": seat, "kind": "play", "prev": game.ids[-1]}
    entry = sign_entry({**head, **fields}, KEYS[seat].sign)
    return file_of([*log_of(game), entry.raw])


def sealing(game: Game, orders: Orders) -> Orders:
    """A seal, without a box, of any orders by the player to write; `opening` opens it."""
    seat = game.state.writer or ""
    return [{"seal": seal_digest(game.offer.game, seat, NO_SALT, canonical_form(orders))}]


def opening(orders: Orders) -> Orders:
    """The orders that open such a seal."""
    return [{"open": {"salt": NO_SALT.hex(), "orders": orders}}]


def open_as(game: Game, sealed: dict[str, Orders]) -> Game:
    """The game after all openings, where the seals in `sealed` have no box: their orders by seal."""
    while (asked := game.state.pending_question) and isinstance(asked, Open):
        game = lie(game, opening(sealed[asked.seal])) if asked.seal in sealed else play(game)
    return game


def verified(game: Game) -> Game:
    """The game as anybody who receives the file verifies it."""
    return open_game(file_of(log_of(game)))


def outcome(game: Game) -> tuple[str | None, str]:
    """The winner and the reason, for a game that has ended by its rules."""
    ending: Any = verified(game).state.ending
    return ending.winner, str(ending.reason)
