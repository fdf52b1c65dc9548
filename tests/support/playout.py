"""Playouts: whole random games of any installed game, each a function of its seed."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Protocol, cast

import msgspec
from msgspec import convert
from msgspec.structs import replace

from pbem.core.requests import Ask, Chance, Orders, Plain, Question, Tell
from pbem.core.rules import OVER, Player, Rules
from pbem.core.run import Position, Run, public
from pbem.core.sealing import Open, Seal
from pbem.format.canonical import canonical_form
from pbem.games import load, names

SALT = bytes(32)
"""The salt of every seal: nothing is secret here."""

MOST_DRAWS = 1_000
"""More than the draws of any beat: a playout that reaches it would never end."""


GAMES = (300, 2_000)
"""How many games are played normally, and in a long run, unless a game's contract module says."""


class Contract(Protocol):
    """What a game provides for this suite, in a module `games.NAME.contract` here or `contract` of its own.

    It can also say how many `GAMES` to play, and where its `SCHEMAS` are if they are not among ours.
    """

    OPTIONS: Mapping[str, Sequence[Plain]]
    """Every option, with the values to play."""
    MET: set[tuple[str, str]]
    """Events, and `asked`, each with its rule, that a few hundred games must include; `MET_OF` a version."""

    PLAYERS: Mapping[str, Player]
    """Random players of a game without computer players; no other game has these."""

    def scatter(self, begun: Any, chooser: Random) -> Any:
        """Some state from which a game can continue."""

    def varied(self, ask: Question, orders: Orders, chooser: Random) -> Orders:
        """Legal orders like these, with what the computer players never do."""

    def hit(self, told: Sequence[Tell]) -> bool | None:
        """Whether an attack hit; None if it is not settled yet."""

    def check(self, begun: Any, before: Plain, told: Sequence[Tell], now: Plain) -> None:
        """Check what holds in every position, and between it and the one before."""


@cache
def contract(name: str) -> Contract:
    """What a game provides for this suite, for all its versions."""
    name, _, _ = name.partition("/")
    if find_spec(f"support.{name}_contract") is not None:
        return cast(Contract, import_module(f"support.{name}_contract"))
    package = load(name).package if name in names() else name
    return cast(Contract, import_module(f"{package}.contract"))


def restore_position(rules: Rules, begun: Any, position: Plain) -> Position:
    """The game at a question, from its public position only.

    A game can provide a function `restore(begun, position)` in its contract. Otherwise the position's values
    go into the fields of the state with the same names, and its step is the one with this question.
    """
    if (own := getattr(contract(rules.name), "restore", None)) is not None:
        return cast(Position, own(begun, position))
    types = {field.name: field.type for field in msgspec.structs.fields(begun)}
    known = {name: convert(position[name], types[name]) for name in types if name in position}
    for step in rules.sequence:
        rest = Position(replace(begun, **{**known, "step": step}))
        with suppress(Exception):  # a step that is impossible from there
            run = Run(rules, rest)
            if public(rules, run.state, pending_question(run)) == position:
                return rest
    raise AssertionError("no step asks so: give the contract a function `restore`")


def random_players(rules: Rules) -> Mapping[str, Player]:
    """The computer players of a game; or those of its contract, if it has none."""
    return rules.players or contract(rules.name).PLAYERS


def met_of(rules: Rules) -> set[tuple[str, str]]:
    """What a few hundred games by a version of the rules must include."""
    told = contract(rules.name)
    of_versions: Mapping[int, set[tuple[str, str]]] = getattr(told, "MET_OF", {})
    return of_versions.get(rules.version, told.MET)


def values_of(rules: Rules) -> dict[str, Sequence[Plain]]:
    """Every option of a version of the rules, with the values to play."""
    stated = next(iter(rules.editions.values()))
    return {option: values for option, values in contract(rules.name).OPTIONS.items() if option in stated}


def games_to_play(name: str, *, long: bool) -> int:
    """How many games of this kind to play."""
    few, many = getattr(contract(name), "GAMES", GAMES)
    return many if long else few


def is_rethrow(name: str, told: Sequence[Tell]) -> bool:
    """Whether dice are rolled again as if nothing had happened; such a game names the event in `AGAIN`."""
    return any((tell.event, tell.rule) == getattr(contract(name), "AGAIN", None) for tell in told)


def check_interval(name: str, check: str, usual: int) -> int:
    """At which moves a check is made: a game can make one rarer, in `SELDOM`."""
    seldom: Mapping[str, int] = getattr(contract(name), "SELDOM", {})
    return seldom.get(check, usual)


@dataclass(frozen=True)
class GameSetup:
    """A game before its first move: rules and options, the hexes of its map, and its start."""

    rules: Rules
    options: dict[str, Plain]
    scenario: Plain
    begun: Any
    hexes: tuple[str, ...]
    start: Any


@dataclass(frozen=True)
class Move:
    """One answer, and its results up to the next question or the end of the game.

    `rest` is the game before it, `before` and `now` the public positions, `numbers` settle the chances.
    `orders` are signed as they are; `chosen`, which `ask.read` judges, differ from them under a seal.
    """

    rest: Position
    ask: Question
    before: Plain
    chosen: Orders
    orders: Orders
    numbers: tuple[int, ...]
    told: tuple[Tell, ...]
    state: Any
    now: Plain


def set_up(name: str, chooser: Random) -> GameSetup:
    """An edition, or options of all kinds; a new game, or one in progress."""
    rules = load(name)
    options = dict(rules.editions[chooser.choice(list(rules.editions))])
    if chooser.random() < 0.75:
        options = {option: chooser.choice(values) for option, values in values_of(rules).items()}
    scenario = rules.scenarios.data(chooser.choice(rules.scenarios.names))
    begun = rules.begin(options, scenario)
    start = contract(name).scatter(begun, chooser) if chooser.random() < 0.8 else begun
    hexes = tuple(cell.number for cell in rules.view.legend(begun).cells)
    return GameSetup(rules, options, scenario, begun, hexes, start)


def play(setup: GameSetup, chooser: Random) -> Iterator[Move]:
    """Play a game to its end, each seat by a computer player; sealed orders are opened automatically."""
    rules = setup.rules
    known = random_players(rules)
    players = {seat: known[chooser.choice(list(known))] for seat in rules.seats}
    sealed: dict[str, Orders] = {}
    run = Run(rules, Position(setup.start))
    settle(run, chooser)
    while isinstance(run.pending, Ask):
        run.told.clear()
        rest, ask, before = run.position, run.pending, public(rules, run.state, run.pending)
        if isinstance(ask, Open):
            chosen = sealed[ask.seal]
        else:
            chosen = contract(rules.name).varied(ask, players[ask.seat](ask, chooser), chooser)
        if isinstance(ask, Seal):
            ask.read(chosen)
            sealed[seal_of(chosen)] = chosen
        orders = signed_orders(ask, chosen)
        run.answer(orders)
        numbers = settle(run, chooser)
        now = public(rules, run.state, pending_question(run))
        yield Move(rest, ask, before, chosen, orders, numbers, tuple(run.told), run.state, now)


def signed_orders(ask: Question, orders: Orders) -> Orders:
    """Orders as they are signed: themselves, or their seal, or its opening (FORMAT section 8)."""
    if isinstance(ask, Seal):
        return [{"seal": seal_of(orders), "box": b64encode(SALT).decode()}]
    if isinstance(ask, Open):
        return [{"open": {"salt": SALT.hex(), "orders": orders}}]
    return orders


def seal_of(orders: Orders) -> str:
    """The seal of hidden orders: a hash that goes with them, though of no game or seat."""
    return sha256(SALT + canonical_form(orders)).hexdigest()


def settle(run: Run, chooser: Random) -> tuple[int, ...]:
    """Settle every chance up to the next question by random numbers."""
    numbers: list[int] = []
    while isinstance(run.pending, Chance):
        assert len(numbers) < MOST_DRAWS, "the draws never end"
        numbers.append(chooser.getrandbits(64))
        run.decide(numbers[-1])
    return tuple(numbers)


def pending_question(run: Run) -> Question | None:
    """The pending question; None when the game is over."""
    assert isinstance(run.pending, Ask) or run.state.step == OVER
    return run.pending if isinstance(run.pending, Ask) else None


def replay_answer(rules: Rules, rest: Position, move: Move) -> Run:
    """A run that continues from a rest with the same answer and the same chances."""
    run = Run(rules, rest)
    run.told.clear()
    run.answer(move.orders)
    for number in move.numbers:
        run.decide(number)
    return run
