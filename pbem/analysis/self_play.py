"""Games between computer players: a game as a function of its seed, its record, and tasks of many games.

The cards and dice come from one stream of random numbers and each player's choices from another, so that two
games with one seed and different counter values stay alike for as long as possible.

A record knows no game: turns, losses and attacks come from the view's `turn` and `traces`, figures from the
legend. A task contains everything its games need: options, scenario, players and seeds; for a cluster, an
added game as well. A worker needs pbem, and no files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import sha256
from random import Random
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct

from pbem import games
from pbem.analysis.code_bundle import CodeBundle, check_program, load_bundled_rules
from pbem.base.worker_pool import same_program_hint
from pbem.core.legend import Legend
from pbem.core.requests import Ask, Chance, Orders, Plain, Question, Tell
from pbem.core.rules import Effort, Player, Rules, View
from pbem.core.run import Position, Run
from pbem.core.sealing import Open, Seal
from pbem.core.traces import Lost, Settled, Shot
from pbem.errors import FileError, OrderError
from pbem.messages import message_data
from pbem.texts import ENGLISH, Texts, speaking

tr = Texts("pbem")


_SALT = "0" * 64
"""The salt of every seal: nothing is secret here."""


def seeded_random(*parts: str | int) -> Random:
    """A random generator seeded with these parts, such as seed, cell, number of the game, and seat."""
    return Random(sha256("/".join(map(str, parts)).encode()).digest())


class SeatedPlayer(Struct, frozen=True):
    """A player at a seat: its name, its function, its random generator, and its playouts per decision."""

    name: str
    player: Player
    chooser: Random
    effort: Effort = ()


class RunDriver:
    """Advances a run, with the players at their seats, the source of draws, and the sealed orders."""

    def __init__(
        self,
        seated: Mapping[str, SeatedPlayer],
        draws: Random | Callable[[Chance[Any, Any]], int],
        sealed: Mapping[str, Orders] = MappingProxyType({}),
    ) -> None:
        """`draws` is a random generator or gives an outcome's index; `sealed` has orders by earlier seals."""
        self._seated = seated
        self._draws = draws
        self._sealed = dict(sealed)

    def answer_pending(self, run: Run) -> None:
        """Answer what the run is waiting for: a question, through its player, or a draw.

        Raises `FileError` if a player gives orders that the rules refuse.
        """
        pending = run.pending
        if isinstance(pending, Chance):
            run.decide(self._draw_outcome(pending))
        elif isinstance(pending, Ask):
            seated = self._seated[pending.seat]
            if isinstance(pending, Open) and pending.seal in self._sealed:
                orders = self._sealed[pending.seal]
            else:  # for an earlier seal that cannot be opened, choose new orders
                orders = seated.player(pending, seated.chooser, seated.effort)
            try:
                run.answer(self.orders_as_signed(pending, orders))
            except OrderError as error:
                raise FileError(
                    tr("the player '{player}' gives illegal orders: {error}", player=seated.name, error=error)
                ) from error

    def _draw_outcome(self, chance: Chance[Any, Any]) -> int:
        if isinstance(self._draws, Random):
            return self._draws.randrange(len(chance.outcomes))
        return self._draws(chance)

    def orders_as_signed(self, ask: Question, orders: Orders) -> Orders:
        """Orders in the form used in an entry: plain, as a seal, or as the opening of one."""
        if isinstance(ask, Open):
            return [{"open": {"salt": _SALT, "orders": orders}}]
        return self._seal(ask, orders) if isinstance(ask, Seal) else orders

    def _seal(self, ask: Seal[Any], orders: Orders) -> list[Plain]:
        """Check and keep orders that must stay hidden, and return their seal."""
        ask.read(orders)
        seal = f"{len(self._sealed):064x}"
        self._sealed[seal] = orders
        return [{"seal": seal}]


_COUNT = re.compile(r"(\d+)(?: of \d+)?(?: \(.*\))?")
"""A numeric figure of a legend: `3`, `3 of 5`, `1 of 5 (Fuka)`."""


class GameRecord(Struct, frozen=True, omit_defaults=True):
    """The record of a finished game.

    `winner` is None for a draw. `turns` is 0 in a game without turns. `figures` are those of the legend at
    the end of each turn, the last at the end of the game; `lost` has the turn in which each unit was
    eliminated; `fights` has the number of resolved attacks by hex. `options` are those set by the study.
    `said` is the reason as a message's data, if it has placeholders, so that it can be translated.
    """

    cell: int
    game: int
    winner: str | None
    reason: str
    rule: str
    turns: int
    decisions: int
    figures: dict[str, list[int]]
    lost: dict[str, int]
    fights: dict[str, int]
    options: dict[str, Plain] = {}
    said: Plain = None


def parse_record(line: bytes) -> GameRecord:
    """Parse a line of JSON. Raises `FileError` if it is not a record."""
    try:
        return msgspec.json.decode(line, type=GameRecord)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileError(tr("a result is damaged: {error}", error=error)) from error


def numeric_figures(legend: Legend) -> dict[str, int]:
    """The numeric figures of a position, without the turn."""
    matches = {name: _COUNT.fullmatch(value) for name, value in legend.figures if name != legend.turn}
    return {name: int(match[1]) for name, match in matches.items() if match}


def play_game(run: Run, driver: RunDriver, cell: int, game: int) -> GameRecord:
    """Play a run to its end, and return its record. Raises `FileError`, as `answer_pending` does.

    The record is in English, whatever the reader's language.
    """
    with speaking(ENGLISH):
        return _play_and_record(run, driver, cell, game)


def _play_and_record(run: Run, driver: RunDriver, cell: int, game: int) -> GameRecord:
    watch = _Recorder(run.rules.view, run.state)
    decisions = 0
    while run.pending is not None:
        decisions += isinstance(run.pending, Ask)
        driver.answer_pending(run)
        for tell in run.told:
            watch.record_event(tell)
        run.told.clear()
        watch.check_turn(run.state)
    watch.record_figures(run.state)
    outcome = run.state.outcome
    return GameRecord(
        cell,
        game,
        outcome.winner,
        str(outcome.reason),
        outcome.rule,
        watch.turn,
        decisions,
        watch.figures,
        watch.lost,
        dict(sorted(watch.fights.items())),
        said=message_data(outcome.reason) if getattr(outcome.reason, "places", None) else None,
    )


class _Recorder:
    """Counts losses, attacks and figures while a game is played."""

    def __init__(self, view: View, state: Any) -> None:
        self._view = view
        self._traces = view.traces
        self._shot: Shot | None = None
        self.turn = view.turn(state) if view.turn else 0
        self.figures: dict[str, list[int]] = {}
        self.lost: dict[str, int] = {}
        self.fights: Counter[str] = Counter()

    def record_event(self, tell: Tell) -> None:
        """Count the traces of an event."""
        for trace in self._traces(tell) if self._traces else ():
            if isinstance(trace, Shot):
                self._shot = trace
            elif isinstance(trace, Settled) and self._shot is not None:
                self.fights[self._shot.at] += 1
                self._shot = None
            elif isinstance(trace, Lost):
                turn = self._view.turn(tell.state) if self._view.turn else 0
                self.lost.setdefault(trace.unit, turn)

    def check_turn(self, state: Any) -> None:
        """Record the figures if a new turn has begun."""
        now = self._view.turn(state) if self._view.turn else 0
        if now != self.turn and state.outcome is None:
            self.record_figures(state)
            self.turn = now

    def record_figures(self, state: Any) -> None:
        """Append the figures of a position at the end of a turn."""
        for name, number in numeric_figures(self._view.legend(state)).items():
            self.figures.setdefault(name, []).append(number)


class SelfPlayTask(Struct, frozen=True):
    """Games of a cell, by number. `key` is `StudyPlan.cell_key`; `bundle` is None on this computer."""

    rules: str
    scenario: Plain
    options: dict[str, Plain]
    players: dict[str, str]
    playouts: int
    seed: int
    key: str
    cell: int
    games: tuple[int, ...]
    bundle: CodeBundle | None = None

    def carry_out(self) -> bytes:
        """Play the games: one line of JSON each, in order. Raises `FileError` if that is impossible."""
        rules = _load_rules(self)
        start = rules.begin(self.options, self.scenario)
        lines = [
            msgspec.json.encode(_play_numbered_game(self, rules, start, number)) for number in self.games
        ]
        return b"".join(line + b"\n" for line in lines)


def _play_numbered_game(task: SelfPlayTask, rules: Rules, start: object, number: int) -> GameRecord:
    seated = {seat: _seat_player(task, rules.players, seat, number) for seat in rules.seats}
    driver = RunDriver(seated, seeded_random(task.seed, task.key, number, "draws"))
    return play_game(Run(rules, Position(start)), driver, task.cell, number)


def _seat_player(task: SelfPlayTask, players: Mapping[str, Player], seat: str, number: int) -> SeatedPlayer:
    name = task.players[seat]
    chooser = seeded_random(task.seed, task.key, number, seat)
    return SeatedPlayer(name, players[name], chooser, range(task.playouts))


def _load_rules(task: SelfPlayTask) -> Rules:
    """The rules of the task's game, from its bundle if it has one."""
    if task.bundle is None:
        return games.load(task.rules)
    check_program(task.bundle.program)
    versions = (
        load_bundled_rules(task.bundle)
        if task.bundle.archive
        else games.all_versions(task.rules.partition("/")[0])
    )
    if task.rules not in versions:
        known = ", ".join(versions)
        raise FileError(
            tr("a worker has {found} instead of {wanted}", found=known, wanted=task.rules),
            hint=same_program_hint(),
        )
    return versions[task.rules]
