"""Benchmark of plans: how many mails of a game need a person, with the ready-made plans and without.

    cd tests && python -m benchmarks.plans [--quick]

Sensible computer players play whole games, once by hand and once with plans armed on both sides. An armed
plan plays whatever the sensible player would have done; if it stops, the player decides. After each decision
by hand the player arms the plan again, for the present turn, in the same session.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.run import Figure, report
from pbem.base.files import make_folder
from pbem.core.rules import Rules
from pbem.core.sealing import Open
from pbem.format.key_file import change_passphrase
from pbem.format.keys import PrivateKey
from pbem.games import mortain, rommel
from pbem.player.actions.autoplay import write_planned_orders
from pbem.player.local_player import LocalPlayer
from pbem.player.plans.grammar import Plan
from pbem.player.plans.plan_store import PlanStore, entries_by_plan
from pbem.player.plans.ready_made import make_ready_made
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Person, Terms
from support.simulator import KEYS, entropy

FULL, QUICK = 12, 1
"""The number of games of each kind."""


@dataclass(frozen=True)
class Played:
    """A finished game: its mails, those with orders that a person gave, and the winner."""

    mails: int
    by_hand: int
    winner: str


def figures(games: int) -> Iterator[Figure]:
    """Every figure, each as soon as it is measured."""
    for rules in (mortain.RULES, rommel.RULES):
        alone = [_played(rules, number, None) for number in range(games)]
        yield from _counted(f"{rules.name}, by hand", alone)
        stops = [_played(rules, number, ()) for number in range(games)]
        yield from _counted(f"{rules.name}, plans", stops)
        yield _share(f"{rules.name}, plans", alone, stops)
        bold = [_played(rules, number, ("hits", "range")) for number in range(games)]
        yield from _counted(f"{rules.name}, plans despite hits and range", bold)
        yield _share(f"{rules.name}, plans despite hits and range", alone, bold)


def _counted(what: str, games: list[Played]) -> Iterator[Figure]:
    yield Figure(f"{what}: mails", f"{median(game.mails for game in games):.0f}")
    yield Figure(f"{what}: mails decided by hand", f"{median(game.by_hand for game in games):.0f}")
    winners = [game.winner for game in games]
    won = ", ".join(f"{name} {winners.count(name)}" for name in sorted(set(winners)))
    yield Figure(f"{what}: won by", won)


def _share(what: str, alone: list[Played], planned: list[Played]) -> Figure:
    """Decisions by hand with plans and without: the two medians."""
    with_plans, without = (median(game.by_hand for game in games) for games in (planned, alone))
    return Figure(f"{what} / by hand", f"{with_plans / without:.2f}", "<= 0.5")


def _played(rules: Rules, number: int, despite: tuple[str, ...] | None) -> Played:
    """A game; `despite` are the events its plans ignore, None for no plans."""
    with TemporaryDirectory() as folder:
        keys = dict(zip(rules.seats, KEYS.values(), strict=True))
        homes = {seat: LocalPlayer(Path(folder) / seat) for seat in rules.seats}
        for seat, player in homes.items():
            make_folder(player.home)
            change_passphrase(player.key_path, keys[seat], "")
        game = _begun(rules, number, keys)
        chooser = Random(number)
        while not game.state.ending:
            seat = str(game.state.writer)
            game = _answered(game, homes[seat], seat, chooser, despite)
        planned = {one for player in homes.values() for one in entries_by_plan(player.home, game)}
        return _figures_of(game, planned)


def _begun(rules: Rules, number: int, keys: dict[str, PrivateKey]) -> Game:
    """A game with both seats taken; all editions in turn."""
    editions = list(rules.editions.values())
    terms = Terms(rules, dict(editions[number % len(editions)]), rules.scenarios.names[0])
    first, second = (Person(seat, keys[seat]) for seat in rules.seats)
    game = write.offer(first, first.name, terms, entropy(f"first {number}"))
    return write.accept(game, second, entropy(f"second {number}"))


def _answered(
    game: Game, player: LocalPlayer, seat: str, chooser: Random, despite: tuple[str, ...] | None
) -> Game:
    """The game with one more entry of this seat."""
    if permissions.has_forced_entry(game, player.key):
        return write.play(game, player.key)
    if despite is not None and (after := write_planned_orders(player, game)) is not None:
        return after
    asked = permissions.unlock_state(game, player.key).pending_question
    mine = asked is not None and asked.seat == seat and not isinstance(asked, Open)
    orders = game.rules.players["sensible"](asked, chooser) if asked and mine else None
    after = write.play(game, player.key, orders, entropy=entropy(f"{len(game.entries)}"))
    if despite is not None and mine:
        plans = PlanStore(player.home)
        plans.save(after, _ready(after, seat, despite))
        plans.arm(after)
    return after


def _ready(game: Game, seat: str, despite: tuple[str, ...]) -> Plan:
    """Ready-made plans together: fire, march to win, hold, or otherwise wait out this turn.

    In Rommel, aircraft stay on the ground if no strike is good enough, which is that game's own plan.
    """
    turn = game.rules.view.turn
    assert turn is not None
    now = turn(game.state.run.state)
    march = _march if game.rules.name == "mortain" else _desert_march
    own = [[name] for name in game.rules.view.plans()]
    chosen = [["fire", "40%"], *march(game, seat), *own, ["hold", "40%"], ["quiet"]]
    found = [make_ready_made(game.rules, words, now, "plan") for words in chosen]
    return Plan(tuple(step for one in found if one for step in one.steps), despite)


def _march(game: Game, seat: str) -> list[list[str]]:
    """The Germans of Mortain march west, each along its row; the US side decides its moves by hand."""
    if seat != "german":
        return []
    legend = game.rules.view.legend(game.state.run.state)
    west = {cell.row: cell.number for cell in legend.cells if cell.column == 0}
    units = [(p.name, west.get(cell.row)) for cell in legend.cells for p in cell.pieces if p.side == seat]
    waiting = [p.name for m in legend.margins if "waiting" in m.title for p in m.pieces if p.side == seat]
    margins = [(name, west[0]) for name in waiting]
    pairs = [word for name, goal in [*units, *margins] if goal for word in (name, goal)]
    return [["march", *pairs]] if pairs else []


def _desert_march(game: Game, seat: str) -> list[list[str]]:
    """Each side of Rommel marches all its units towards what the other holds: the points or the villages."""
    legend = game.rules.view.legend(game.state.run.state)
    goals = [cell for cell in legend.cells if {"allied": "*", "axis": "@"}[seat] in cell.marks]
    middle = sorted(goals, key=lambda cell: cell.row)[len(goals) // 2]
    return [["march", "all", middle.number]]


def _figures_of(game: Game, planned: set[str]) -> Played:
    mails = [list(mail) for _, mail in groupby(game.entries, lambda entry: entry.body.by)]
    by_hand = [any(_by_hand(entry.raw) and entry.id not in planned for entry in mail) for mail in mails]
    assert game.state.ending is not None
    return Played(len(mails), sum(by_hand), game.state.ending.winner or "draw")


def _by_hand(raw: dict[str, Any]) -> bool:
    """Whether an entry has orders that somebody decided; an opening was decided earlier."""
    return any("open" not in order for order in raw.get("orders") or ())


if __name__ == "__main__":
    report(figures(QUICK if "--quick" in sys.argv[1:] else FULL))
