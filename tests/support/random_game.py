"""A random game from offer to end without any package of the tests: for Python in a browser."""

from __future__ import annotations

import os
from random import Random

from pbem.core.sealing import Open
from pbem.format.keys import PrivateKey
from pbem.games import load
from pbem.player.store.game_file import game_file_bytes
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Person, Terms

MOST_ENTRIES = 400
"""A longer game is not played to its end."""


def play_random_game(name: str, seed: int) -> Game:
    """The game between two random players, with draws from the system's random numbers."""
    rules, chooser = load(name), Random(seed)
    keys = {seat: PrivateKey(os.urandom(32)) for seat in rules.seats}
    first, second = rules.seats
    terms = Terms(rules, dict(next(iter(rules.editions.values()))), rules.scenarios.names[0])
    offered = write.offer(Person("Anna", keys[first]), first, terms, os.urandom)
    game = write.accept(offered, Person("Bruno", keys[second]), os.urandom)
    while not game.state.ending and len(game.entries) < MOST_ENTRIES:
        seat = game.state.writer
        assert seat is not None
        asked = permissions.unlock_state(game, keys[seat]).pending_question
        orders = None
        if asked and asked.seat == seat and not isinstance(asked, Open):
            orders = rules.players["random"](asked, chooser)
        game = write.play(game, keys[seat], orders)
    return game


def random_game_file(name: str, seed: int) -> bytes:
    """The file of such a game."""
    return game_file_bytes(play_random_game(name, seed))
