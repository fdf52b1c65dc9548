"""Random games with `bound` and `retract` (FORMAT 12), and proposals of both kinds of take-back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

from pbem.core.rules import Rules
from pbem.core.sealing import Open
from pbem.format.entries import BOUND, RETRACT, Answer, Propose
from pbem.format.keys import PrivateKey
from pbem.games.mortain import RULES as MORTAIN
from pbem.games.rommel import RULES as ROMMEL
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game, GameState
from pbem.umpire.write import Person, Terms
from support.simulator import KEYS, accept_game, entropy, is_over, offer_game

BOTH = (BOUND, RETRACT)
AXIS_KEYS = {"allied": PrivateKey(b"A" * 32), "axis": PrivateKey(b"X" * 32)}


@cache
def mortain_game(seed: int, *, entries: int = 90) -> Game:
    """Mortain, one turn, offered by either side."""
    game = accept_game(
        offer_game(Random(seed).choice(("german", "us")), extensions=BOTH, label=f"retracted {seed}")
    )
    return play_at_random(game, MORTAIN, KEYS, seed, entries)


@cache
def rommel_game(seed: int, *, entries: int = 60) -> Game:
    """Rommel, one turn; its set-up is sealed, and its shares often come with orders that need no chance."""
    seat = Random(seed).choice(("allied", "axis"))
    terms = Terms(ROMMEL, {**ROMMEL.editions["nac"], "turns": 1}, "alamein")
    label = f"retracted {seed}"
    person = Person("R", AXIS_KEYS[seat])
    game = write.offer(person, seat, terms, entropy(f"{label} {seat}"), extensions=BOTH)
    other = "axis" if seat == "allied" else "allied"
    game = write.accept(game, Person("M", AXIS_KEYS[other]), entropy(f"{label} {other}"))
    return play_at_random(game, ROMMEL, AXIS_KEYS, seed, entries)


def play_at_random(game: Game, rules: Rules, keys: Mapping[str, PrivateKey], seed: int, entries: int) -> Game:
    """Play up to this many entries; now and then the writer proposes a take-back, granted or not."""
    chooser = Random(seed)
    while not is_over(game) and len(game.entries) < entries:
        writer = game.state.writer or ""
        what = _take_back(game, chooser) if chooser.random() < 0.2 else None
        if what:
            game = write.propose(game, keys[writer], what)
            granted = chooser.random() < 0.8
            game = write.answer(game, keys[game.state.opponent(writer)], granted)
            continue
        asked = permissions.unlock_state(game, keys[writer]).pending_question
        decides = asked is not None and asked.seat == writer and not isinstance(asked, Open)
        orders = rules.players["random"](asked, chooser) if decides and asked else None
        game = write.play(game, keys[writer], orders, entropy=entropy(f"salt {seed} {len(game.entries)}"))
    return game


def _take_back(game: Game, chooser: Random) -> dict[str, Any] | None:
    """A take-back that can be proposed now, usually of the newest orders; None if none can."""
    state = game.state
    if state.open_beat or state.is_beat_due or state.barred == state.writer or _is_short(state):
        return None
    ordered = [n for n in range(len(game.entries)) if state.may_retract(n)]
    rested = [n for n in range(len(game.entries)) if state.may_take_back_to(n)]
    kinds = {"retract": ordered, "takeback": rested}
    kind = chooser.choice([name for name, entries in kinds.items() if entries] or [""])
    return {kind: chooser.choice(kinds[kind][-5:])} if kind else None


def _is_short(state: GameState) -> bool:
    """FORMAT 6.7: whether fewer than half of the beats are left."""
    return 2 * (state.limit - len(state.beats)) < state.limit


def granted_retractions(game: Game) -> dict[int, int]:
    """The entries with orders that were retracted, by the answers that granted it."""
    bodies = [entry.body for entry in game.entries]
    return {
        n: before.what.retract
        for n, (before, body) in enumerate(pairwise(bodies), 1)
        if isinstance(before, Propose) and isinstance(body, Answer) and body.accept
        if before.what.retract is not None
    }
