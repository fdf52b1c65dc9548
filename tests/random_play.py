"""Whole games at random, each a function of its seed, and what must hold in every one of them.

    python tests/random_play.py mortain 1234            play game 1234 again, with every check
    python tests/random_play.py mortain 0 20000         play so many games, from a seed on

A game that fails shows its seed. The digest covers every position, every order and the whole story.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeAlias, cast

from hostile import anything, spoilt, spoilt_text
from jsonschema import Draft202012Validator

from pbem.core.requests import Ask, Chance, Orders, Plain, Tell
from pbem.core.rules import OVER, Rules
from pbem.core.run import Position, Run, public
from pbem.errors import OrderError
from pbem.games import load
from pbem.journal.canonical import canonical
from pbem.render import board

SCHEMAS = Path(__file__).parents[1] / "schemas"
WIDTH = 78
MOST_DRAWS = 1_000
"""More than the draws of any beat: a game that reaches it never ends."""

FEW_CARDS = 6
"""Odds are played out where no more outcomes than these are left."""


class Contract(Protocol):
    """What a game tells this suite, in the module `games.NAME.contract`."""

    OPTIONS: Mapping[str, Sequence[Plain]]
    """Every option, with the values to play."""
    MET: set[tuple[str, str]]
    """Events, and `asked`, each with its rule, that a few hundred games must meet."""

    def scatter(self, begun: Any, chooser: Random) -> Any:
        """Some state from which a game may go on."""

    def varied(self, ask: Ask[Any], orders: Orders, chooser: Random) -> Orders:
        """Legal orders like these, with what the game's random player leaves out."""

    def restore(self, begun: Any, position: Plain) -> Position:
        """The game as it stands at a question, from its public position alone."""

    def hit(self, told: Sequence[Tell]) -> bool | None:
        """Whether an attack has hit; None while it is not settled."""

    def check(self, begun: Any, before: Plain, told: Sequence[Tell], now: Plain) -> None:
        """What holds in every position, and between it and the one before."""


@cache
def contract(name: str) -> Contract:
    """What a game tells this suite."""
    return cast(Contract, import_module(f"games.{name}.contract"))


@cache
def schema(name: str, what: str) -> Draft202012Validator:
    """The schema of a game's positions (`state`) or orders."""
    return Draft202012Validator(json.loads((SCHEMAS / f"{name}-{what}.schema.json").read_text("utf-8")))


@dataclass(frozen=True)
class Setup:
    """A game before its first move: the rules and the options, and where this one starts."""

    rules: Rules
    options: dict[str, Plain]
    scenario: Plain
    begun: Any
    start: Any


@dataclass(frozen=True)
class Move:
    """One answer, and what came of it up to the next question or the end of the game.

    `rest` is the game before it, `before` and `now` the public positions, `numbers` settle the chances.
    """

    rest: Position
    ask: Ask[Any]
    before: Plain
    orders: Orders
    numbers: tuple[int, ...]
    told: tuple[Tell, ...]
    state: Any
    now: Plain


def set_up(name: str, chooser: Random) -> Setup:
    """An edition, or options of all kinds; a new game, or one in the middle."""
    rules = load(name)
    options = dict(rules.editions[chooser.choice(list(rules.editions))])
    if chooser.random() < 0.75:
        options = {option: chooser.choice(values) for option, values in contract(name).OPTIONS.items()}
    scenario = rules.scenario(chooser.choice(rules.scenarios))
    begun = rules.begin(options, scenario)
    start = contract(name).scatter(begun, chooser) if chooser.random() < 0.8 else begun
    return Setup(rules, options, scenario, begun, start)


def play(setup: Setup, chooser: Random) -> Iterator[Move]:
    """Play a game to its end, each seat by one of the practice players."""
    rules = setup.rules
    players = {seat: rules.players[chooser.choice(list(rules.players))] for seat in rules.seats}
    run = Run(rules, Position(setup.start))
    settle(run, chooser)
    while isinstance(run.pending, Ask):
        run.told.clear()
        rest, ask, before = run.position, run.pending, public(rules, run.state, run.pending)
        orders = contract(rules.name).varied(ask, players[ask.seat](ask, chooser), chooser)
        run.answer(orders)
        numbers = settle(run, chooser)
        now = public(rules, run.state, asked(run))
        yield Move(rest, ask, before, orders, numbers, tuple(run.told), run.state, now)


def settle(run: Run, chooser: Random) -> tuple[int, ...]:
    """Settle every chance up to the next question by random numbers."""
    numbers: list[int] = []
    while isinstance(run.pending, Chance):
        assert len(numbers) < MOST_DRAWS, "the draws never end"
        numbers.append(chooser.getrandbits(64))
        run.decide(numbers[-1])
    return tuple(numbers)


def asked(run: Run) -> Ask[Any] | None:
    """What is asked; None when the game is over."""
    assert isinstance(run.pending, Ask) or run.state.step == OVER
    return run.pending if isinstance(run.pending, Ask) else None


def answered(rules: Rules, rest: Position, move: Move) -> Run:
    """A run that goes on from a rest with the same answer and the same chances."""
    run = Run(rules, rest)
    run.told.clear()
    run.answer(move.orders)
    for number in move.numbers:
        run.decide(number)
    return run


# What must hold at a question. Each gets a chooser of its own, so that it does not touch the game.


def offers_are_legal(setup: Setup, move: Move, chooser: Random) -> None:
    """There is no dead end: something is offered, and `read` takes all of it."""
    offered = list(setup.rules.offers(move.ask))
    assert offered, "nothing is offered"
    for orders in offered:
        move.ask.read(orders)
    Run(setup.rules, move.rest).answer(chooser.choice(offered))


def offers_are_accepted(setup: Setup, move: Move, chooser: Random) -> None:
    """A run takes every one of the answers offered, and goes on."""
    for orders in setup.rules.offers(move.ask):
        run = Run(setup.rules, move.rest)
        run.answer(orders)
        assert run.pending is not None or run.state.step == OVER


def a_fork_goes_on_alike(setup: Setup, move: Move, chooser: Random) -> None:
    """A fork, answered alike, comes to the same state by the same story."""
    fork = answered(setup.rules, move.rest, move)
    assert fork.state == move.state
    assert public(setup.rules, fork.state, asked(fork)) == move.now
    assert [tell.facts for tell in fork.told] == [tell.facts for tell in move.told]


def the_position_says_all(setup: Setup, move: Move, chooser: Random) -> None:
    """A game rebuilt from its public position is at the same question, and goes on alike."""
    rules = setup.rules
    rest = contract(rules.name).restore(setup.begun, move.before)
    rebuilt = Run(rules, rest)
    assert public(rules, rebuilt.state, asked(rebuilt)) == move.before
    rebuilt = answered(rules, rest, move)
    assert public(rules, rebuilt.state, asked(rebuilt)) == move.now
    assert [tell.event for tell in rebuilt.told] == [tell.event for tell in move.told]


def the_game_holds(setup: Setup, move: Move, chooser: Random) -> None:
    """What the game says always holds, holds; it has an outcome if and only if it is over."""
    contract(setup.rules.name).check(setup.begun, move.before, move.told, move.now)
    outcome = setup.rules.outcome(move.state)
    assert (outcome is None) == (move.now["asks"] is not None)
    assert outcome is None or outcome.winner in (None, *setup.rules.seats)


def words_come_back(setup: Setup, move: Move, chooser: Random) -> None:
    """Orders written as words are read as the same orders."""
    words = setup.rules.write_words(move.orders)
    assert setup.rules.read_words(move.ask, words) == move.orders, words


def all_is_told(setup: Setup, move: Move, chooser: Random) -> None:
    """Every event and every question is told in one line of printable text; facts are plain data."""
    for line in (setup.rules.prompt(move.ask), *map(setup.rules.story, move.told)):
        assert line.strip(), "an empty line"
        assert line.isprintable(), line
    for tell in move.told:
        canonical(dict(tell.facts))


def shapes_fit_the_schemas(setup: Setup, move: Move, chooser: Random) -> None:
    """Positions and orders are as their schemas describe them."""
    schema(setup.rules.name, "state").validate(move.now)
    schema(setup.rules.name, "orders").validate(move.orders)


def the_board_fits(setup: Setup, move: Move, chooser: Random) -> None:
    """The board is plain ASCII, and no line of it is too long for a mail."""
    for line in board(setup.rules.legend(move.state)).splitlines():
        assert len(line) <= WIDTH, line
        assert line.isascii(), line


def garbage_changes_nothing(setup: Setup, move: Move, chooser: Random) -> None:
    """Whatever comes as orders is taken or refused with an `OrderError`, and then nothing has changed."""
    for orders in (anything(chooser), spoilt(move.orders, chooser), spoilt(move.orders, chooser)):
        assert all(isinstance(line, str) for line in setup.rules.write_words(orders))
        run = Run(setup.rules, move.rest)
        try:
            run.answer(orders)
        except OrderError:
            assert run.position == move.rest
            assert public(setup.rules, run.state, asked(run)) == move.before


def typed_garbage_is_refused(setup: Setup, move: Move, chooser: Random) -> None:
    """Whatever is typed is read as orders or refused with an `OrderError`."""
    for line in setup.rules.write_words(move.orders):
        with suppress(OrderError):
            setup.rules.read_words(move.ask, [spoilt_text(line, chooser)])


def odds_are_exact(setup: Setup, move: Move, chooser: Random) -> None:
    """Odds are chances of legal orders that can be typed; with few cards, just what all outcomes give."""
    found = setup.rules.odds(move.ask)
    for odds in found:
        assert 0 <= odds.hit <= 1
        assert setup.rules.read_words(move.ask, [odds.words]) == odds.orders
        move.ask.read(odds.orders)
    if found:
        odds = chooser.choice(found)
        run = Run(setup.rules, move.rest)
        run.told.clear()
        run.answer(odds.orders)
        if not isinstance(run.pending, Chance) or len(run.pending.outcomes) <= FEW_CARDS:
            assert odds.hit == _frequency(run), odds


def _frequency(run: Run) -> Fraction:
    """How often the attack hits, of all ways that chance can go."""
    verdict = contract(run.rules.name).hit(run.told)
    if verdict is not None:
        return Fraction(verdict)
    assert isinstance(run.pending, Chance)
    outcomes = len(run.pending.outcomes)
    hits = Fraction(0)
    for number in range(outcomes):
        fork = run.fork()
        fork.decide(number)
        hits += _frequency(fork)
    return hits / outcomes


Check: TypeAlias = Callable[[Setup, Move, Random], None]

CHECKS: tuple[tuple[int, Check], ...] = (
    (1, the_game_holds),
    (1, words_come_back),
    (1, all_is_told),
    (4, odds_are_exact),
    (16, offers_are_legal),
    (4, a_fork_goes_on_alike),
    (4, the_position_says_all),
    (8, garbage_changes_nothing),
    (4, typed_garbage_is_refused),
    (50, shapes_fit_the_schemas),
    (50, the_board_fits),
    (200, offers_are_accepted),
)
"""Every check, and at which moves it is made: at each, at every fourth …"""


def check_game(name: str, seed: int) -> str:
    """Play a game and check it; return its digest. Raises whatever a broken rule raises."""
    chooser = Random(seed)
    setup = set_up(name, chooser)
    moves = []
    for number, move in enumerate(play(setup, chooser), start=seed):
        moves.append(move)
        for every, check in CHECKS:
            if number % every == 0:
                check(setup, move, Random(number))
    check_length(setup, moves)
    check_replay(setup, moves)
    story: Plain = [[move.now, move.orders, list(map(setup.rules.story, move.told))] for move in moves]
    return hashlib.sha256(canonical(story)).hexdigest()


def check_length(setup: Setup, moves: Sequence[Move]) -> None:
    """FORMAT 4: a game uses at most half of its beats. One is used before the first question."""
    used = 1 + sum(bool(move.numbers) for move in moves)
    assert used <= setup.rules.beats(setup.options, setup.scenario) // 2, f"{used} beats"


def check_replay(setup: Setup, moves: Sequence[Move]) -> None:
    """The answers and the chances alone, from the first question on, lead to the same end."""
    if not moves:
        return
    run = Run(setup.rules, moves[0].rest)
    for move in moves:
        assert public(setup.rules, run.state, asked(run)) == move.before
        run.answer(move.orders)
        for number in move.numbers:
            run.decide(number)
    assert run.state == moves[-1].state
    assert run.pending is None


def main(name: str, first: str, count: str = "1") -> None:
    """Check games from a seed on, and print a digest of them all."""
    digests = hashlib.sha256()
    for seed in range(int(first), int(first) + int(count)):
        try:
            digests.update(check_game(name, seed).encode())
        except Exception:
            sys.stderr.write(f"game {seed} fails; again: python tests/random_play.py {name} {seed}\n")
            raise
    sys.stdout.write(f"{count} games hold, {digests.hexdigest()}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
