"""A game of Rommel y Montgomery with shared sides: four people, each with a key (FORMAT 11)."""

from __future__ import annotations

import random
from functools import cache
from hashlib import sha256
from typing import Any

from pbem.core.requests import Orders, Plain
from pbem.core.sealing import Open, Seal
from pbem.format.entries import Commander
from pbem.format.keys import PrivateKey
from pbem.games import load
from pbem.umpire import permissions, write
from pbem.umpire.commander_signatures import part_message as part_message
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Person, Terms
from support.simulator import Log, entropy, file_of, link_log, log_of, message

NAMES = {"axis": "Rommel", "allied": "Monty", "italian": "Graziani", "commonwealth": "Freyberg"}
RULES = load("rommel/1")  # the vector has that version
KEYS = {seat: PrivateKey(sha256(name.encode()).digest()) for seat, name in NAMES.items()}
OPTIONS: dict[str, Plain] = {**RULES.editions["nac"], "turns": 2, "air_subturns": 1}


def commander(group: str, *more: str, key: PrivateKey | None = None) -> Commander:
    """The commander of these groups."""
    return Commander(name=NAMES.get(group, group), key=str((key or KEYS[group]).public), of=[group, *more])


@cache
def offered_game() -> Game:
    """The Axis offers; Graziani commands the Italians."""
    lead = Person(NAMES["axis"], KEYS["axis"], commanders=(commander("italian"),))
    return write.offer(lead, "axis", Terms(RULES, OPTIONS, "alamein"), entropy("axis"))


@cache
def begun_game() -> Game:
    """The Allied has accepted; Freyberg commands the Commonwealth."""
    lead = Person(NAMES["allied"], KEYS["allied"], commanders=(commander("commonwealth"),))
    return write.accept(offered_game(), lead, entropy("allied"))


def practice_orders(game: Game, seed: int = 1) -> Orders:
    """The orders of a computer player."""
    asked = permissions.unlock_state(game, KEYS[game.state.writer or ""]).pending_question
    assert asked is not None
    return RULES.players["sensible"](asked, random.Random(seed))


def orders_of_groups(game: Game, orders: Orders, groups: tuple[str, ...]) -> Orders:
    """The orders of a list that only command these groups; of a placement, its units of these groups."""
    asked = game.state.pending_question
    assert asked is not None
    found = []
    for order in orders:
        mine = order
        if "place" in order:
            counters = asked.state.setting.counters
            mine = {
                "place": {name: at for name, at in order["place"].items() if counters[name].nation in groups}
            }
        if mine != {"place": {}} and frozenset() != RULES.sharing.ordered(asked.state, mine) <= set(groups):
            found.append(mine)
    return found


def sign_part(
    state: Game, group: str, orders: Orders, *, key: PrivateKey | None = None, **other: Any
) -> dict[str, Plain]:
    """A part by the commander of this group; `other` replaces what is signed."""
    seat = state.state.writer
    facts = {"game": state.ids[0], "prev": state.ids[-1], "seat": seat, "by": 0, "orders": orders, **other}
    return {"by": 0, "orders": orders, "sig": (key or KEYS[group]).sign(part_message(**facts))}


def write_play(game: Game, orders: Orders | None = None, parts: list[dict[str, Plain]] | None = None) -> Game:
    """One play of the lead who writes next."""
    key = KEYS[game.state.writer or ""]
    return write.play(game, key, orders, entropy=entropy("salt"), parts=parts or ())


def write_reply(game: Game) -> Game:
    """One play of a computer player: the next duty, or orders."""
    asked = game.state.pending_question
    writes = asked and not game.state.open_beat and not isinstance(asked, Open)
    return write_play(game, practice_orders(game) if writes else None)


@cache
def game_before_sealing() -> Game:
    """It is the Axis's turn for the placement that it seals."""
    game = begun_game()
    while not isinstance(game.state.pending_question, Seal):
        game = write_reply(game)
    return game


@cache
def game_before_move() -> Game:
    """It is the Axis's turn to move, and no beat is open."""
    game = game_before_sealing()
    while not (
        game.state.pending_question
        and game.state.pending_question.question == "ground_move"
        and game.state.writer == "axis"
        and not game.state.open_beat
    ):
        game = write_reply(game)
    return game


def forge_file(log: Log) -> bytes:
    """A file with valid links and signatures, except those of its parts."""
    for raw in link_log(log):
        raw["sig"] = KEYS[raw["by"]].sign(message(raw))
    return file_of(log)


def reopen(game: Game) -> Game:
    """The game as a reader receives it."""
    return open_game(file_of(log_of(game)))


@cache
def game_with_parts() -> Game:
    """The game of `tests/vectors/commanders.yaml`: Graziani signs a placement, a sealed one, and a move."""
    game = begun_game()
    while True:
        asked = game.state.pending_question
        gives = asked is not None and not game.state.open_beat and not isinstance(asked, Open)
        if not gives or game.state.writer != "axis":
            game = write_reply(game)
            continue
        assert asked is not None
        orders = practice_orders(game)
        game = write_play(
            game, orders, [sign_part(game, "italian", orders_of_groups(game, orders, ("italian",)))]
        )
        if asked.question == "ground_move":
            return game
