"""Playouts: whole games of any installed game at random, each a function of its seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from random import Random
from typing import Any, Protocol, cast

from pbem.core.requests import Ask, Chance, Orders, Plain, Tell
from pbem.core.rules import OVER, Rules
from pbem.core.run import Position, Run, public
from pbem.games import load

MOST_DRAWS = 1_000
"""More than the draws of any beat: a playout that reaches it would never end."""


class Contract(Protocol):
    """What a game tells this suite, in the module `games.NAME.contract`."""

    OPTIONS: Mapping[str, Sequence[Plain]]
    """Every option, with the values to play."""
    MET: set[tuple[str, str]]
    """Events, and `asked`, each with its rule, that a few hundred games must meet."""

    def scatter(self, begun: Any, chooser: Random) -> Any:
        """Some state from which a game may go on."""

    def varied(self, ask: Ask[Any], orders: Orders, chooser: Random) -> Orders:
        """Legal orders like these, with what the practice players leave out."""

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
