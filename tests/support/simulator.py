"""Two players and a mailbox in memory, and what a cheat can do to the file between them.

Keys, nonces and clock are fixed: the same calls give the same bytes on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from hashlib import sha256, shake_256
from itertools import count
from typing import Any, TypeAlias

from pbem.core.requests import Orders, Plain, Question
from pbem.format.canonical import canonical_form
from pbem.format.draws import Chain, chain_seed
from pbem.format.keys import PrivateKey
from pbem.format.yaml_writer import dump_yaml
from pbem.games.mortain import RULES
from pbem.player.store.game_file import board_text, status_fields
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Claim, Entropy, Person, Terms

NAMES = {"german": "Gerda", "us": "Ulysses"}
KEYS = {seat: PrivateKey(sha256(name.encode()).digest()) for seat, name in NAMES.items()}
STRANGER = PrivateKey(sha256(b"a stranger").digest())

SHORT = {**RULES.editions["it"], "turns": 1}
"""One turn of the default edition: at most 53 beats, so the offer has 106."""

ChooseOrders: TypeAlias = Callable[[Question], Orders]
Log: TypeAlias = list[dict[str, Any]]


# Honest play


def entropy(label: str) -> Entropy:
    """Bytes that look random; the same for the same label."""
    numbers = count()
    return lambda size: shake_256(f"{label} {next(numbers)}".encode()).digest(size)


def person(seat: str, key: PrivateKey | None = None) -> Person:
    """The player who takes this seat."""
    return Person(NAMES[seat], key or KEYS[seat], f"{seat}@example.org")


def clock(game: Game | None) -> Claim:
    """One minute for each entry."""
    minutes = len(game.entries) if game else 0
    return Claim(at=f"2026-08-{1 + minutes // 1440:02}T{minutes // 60 % 24:02}:{minutes % 60:02}:00Z")


def offer_game(
    seat: str = "german",
    *,
    options: dict[str, Plain] = SHORT,
    own: Plain = None,
    to: str = "",
    label: str = "game",
    key: PrivateKey | None = None,
    extensions: Sequence[str] = (),
) -> Game:
    """A game offered by the player of this seat; `own` is the data of their own scenario."""
    terms = Terms(RULES, dict(options), own["name"] if own else RULES.scenarios.names[0], own)
    return write.offer(
        person(seat, key),
        seat,
        terms,
        entropy(f"{label} {seat}"),
        to=to,
        extensions=extensions,
        claim=clock(None),
    )


def accept_game(game: Game, *, label: str = "game", key: PrivateKey | None = None) -> Game:
    """The game with its free seat taken."""
    seat = game.state.writer
    assert seat is not None
    return write.accept(game, person(seat, key), entropy(f"{label} {seat}"), claim=clock(game))


def write_play(game: Game, orders: Orders | None = None, *, key: PrivateKey | None = None) -> Game:
    """One `play` of the seat that writes next: these orders, or only the due share."""
    assert game.state.writer is not None
    return write.play(game, key or KEYS[game.state.writer], orders, claim=clock(game))


def write_reply(game: Game, choose: ChooseOrders) -> Game:
    """One `play` of the seat that writes next, with everything it can include."""
    seat = game.state.writer
    assert seat is not None
    ask = permissions.unlock_state(game, KEYS[seat]).pending_question
    return write_play(game, choose(ask) if ask and ask.seat == seat else None)


def play_until(game: Game, choose: ChooseOrders, until: Callable[[Game], bool]) -> Game:
    """Reply by reply, until a condition holds."""
    while not until(game):
        game = write_reply(game, choose)
    return game


def is_over(game: Game) -> bool:
    """Whether the game has ended."""
    return game.state.ending is not None


def first_offer(ask: Question) -> Orders:
    """A terse player: the first placement offered, then only passes."""
    return next(RULES.offers(ask))


def practice_chooser(seed: int, player: str = "random") -> ChooseOrders:
    """A computer player with fixed choices."""
    chooser = random.Random(seed)
    return lambda ask: RULES.players[player](ask, chooser)


def mailed_file(game: Game) -> bytes:
    """The file that is mailed."""
    return write.to_bytes(game, status_fields(game), board_text(game))


def mailed_files(seat: str, choose: ChooseOrders, *, options: dict[str, Plain] = SHORT) -> Iterator[bytes]:
    """A whole game, mail by mail, the offer from this seat first: each reader has only the last file."""
    game = offer_game(seat, options=options)
    while True:
        data = mailed_file(game)
        yield data
        game = open_game(data)
        if is_over(game):
            return
        reader = game.state.writer
        if len(game.entries) == 1:
            game = accept_game(game)
        while game.state.writer == reader:
            game = write_reply(game, choose)


# Foul play


def log_of(game: Game) -> Log:
    """The entries as they are in the file, to be tampered with."""
    return deepcopy([entry.raw for entry in game.entries])


def file_of(log: Log) -> bytes:
    """A file with this log, whatever it contains."""
    document: dict[str, Plain] = {"pbem": 1, "log": log}
    return dump_yaml(document).encode()


def message(raw: dict[str, Any]) -> bytes:
    """The signed text of an entry (FORMAT 2)."""
    return b"pbem/1 entry\n" + canonical_form({key: value for key, value in raw.items() if key != "sig"})


def link_log(log: Log) -> Log:
    """Number the entries after the offer and link each to the one before it."""
    for n in range(1, len(log)):
        log[n]["n"] = n
        log[n]["prev"] = sha256(message(log[n - 1])).hexdigest()
    return log


def sign_log(log: Log, *cheats: str) -> Log:
    """Sign again the entries of the seats that cheat; without any, all. Only a stranger has other seats."""
    for raw in log:
        seat = raw.get("by", "")
        if seat in cheats or not cheats:
            raw["sig"] = KEYS.get(seat, STRANGER).sign(message(raw))
    return log


def forge_file(log: Log) -> bytes:
    """A file whose links and signatures are all valid, as if both players were in league."""
    return file_of(sign_log(link_log(log)))


def append_forged(game: Game, raw: dict[str, Any]) -> bytes:
    """The file with one more entry, made by hand, then correctly linked and signed."""
    return forge_file([*log_of(game), raw])


def true_share(game: Game, seat: str, beat: int) -> str:
    """This seat's secret for a beat, as it must write it."""
    nonce, name, beats = game.seats[seat].nonce, game.offer.game, game.offer.beats
    chain = Chain(chain_seed(KEYS[seat].seed, bytes.fromhex(nonce), name, seat), beats, name, seat)
    return chain.share(beat).hex()
