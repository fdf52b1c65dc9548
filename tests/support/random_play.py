"""Checks of what must hold in every game, by random play.

    python -m support.random_play mortain 1234        play game 1234 again, with every check
    python -m support.random_play mortain 0 20000     play 20,000 games, from seed 0 on

A failing game shows its seed. The digest covers every position, every order and the whole story.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from jsonschema import Draft202012Validator

from pbem.core.requests import Ask, Chance, Orders, Plain
from pbem.core.rules import OVER, Forecast
from pbem.core.run import Position, Run, public
from pbem.core.sealing import Open, Seal
from pbem.errors import OrderError, Unfinished
from pbem.format.canonical import canonical_form
from pbem.format.yaml_reader import parse_yaml
from pbem.games import load
from pbem.render.ascii_picture import ascii_picture
from support.hostile_orders import random_plain_data, spoil, spoil_text, words_in
from support.playout import (
    GameSetup,
    Move,
    check_interval,
    contract,
    is_rethrow,
    pending_question,
    play,
    random_players,
    replay_answer,
    restore_position,
    seal_of,
    set_up,
    settle,
    signed_orders,
)

SCHEMAS = Path(__file__).parents[2] / "schemas"
WIDTH = 78

FEW = 6
"""Odds are played out if the attack has at most this many outcomes to draw from."""

MOST_MOVES = 10_000
"""More than the moves of any game: one that reaches it would never end."""


@cache
def schema(name: str, what: str) -> Draft202012Validator | None:
    """The schema of a game's positions (`state`) or orders; None for another package's game without any."""
    folder: Path = getattr(contract(name), "SCHEMAS", SCHEMAS)
    file = folder / f"{name}-{what}.schema.json"
    if folder == SCHEMAS and not file.exists():
        return None
    return Draft202012Validator(json.loads(file.read_text("utf-8")))


def ships_well(name: str) -> None:
    """Each shipped scenario is in the YAML of FORMAT 1, as a player's own must be, and can be played."""
    rules = load(name)
    for one in rules.scenarios.names:
        data = rules.scenarios.data(one)
        written = parse_yaml(rules.scenarios.text(one).encode())
        assert written == data, "it is read otherwise than it is written"
        assert not rules.scenarios.check(data)
        assert data["name"] == one


def offers_are_legal(setup: GameSetup, move: Move, chooser: Random) -> None:
    """There is no dead end: something is offered, and `read` accepts all of it."""
    offered = list(setup.rules.offers(move.ask))
    assert offered, "nothing is offered"
    for orders in offered:
        move.ask.read(orders)
    Run(setup.rules, move.rest).answer(signed_orders(move.ask, chooser.choice(offered)))


def offers_are_accepted(setup: GameSetup, move: Move, chooser: Random) -> None:
    """A run accepts every answer offered, and continues."""
    for orders in setup.rules.offers(move.ask):
        run = Run(setup.rules, move.rest)
        run.answer(signed_orders(move.ask, orders))
        assert run.pending is not None or run.state.step == OVER


def what_may_follow_is_taken(setup: GameSetup, move: Move, chooser: Random) -> None:
    """Words that can follow orders are accepted with them, except those that must be ordered too."""
    view = setup.rules.view
    lines: list[str] = []
    for _ in range(4):
        orders = view.read_words(move.ask, lines) if lines else []
        further = list(view.further(move.ask, orders)) if view.further else []
        assert lines or further or not view.further, "nothing may be ordered"
        for line in chooser.sample(further, min(len(further), 8)):
            with suppress(Unfinished):
                move.ask.read(view.read_words(move.ask, [*lines, line]))
        lines += further and [chooser.choice(further)]


def a_fork_goes_on_alike(setup: GameSetup, move: Move, chooser: Random) -> None:
    """A fork, given the same answers, reaches the same state by the same story."""
    fork = replay_answer(setup.rules, move.rest, move)
    assert fork.state == move.state
    assert public(setup.rules, fork.state, pending_question(fork)) == move.now
    assert [tell.facts for tell in fork.told] == [tell.facts for tell in move.told]


def the_position_says_all(setup: GameSetup, move: Move, chooser: Random) -> None:
    """A game rebuilt from its public position has the same question, and continues in the same way."""
    rules = setup.rules
    rest = restore_position(rules, setup.begun, move.before)
    rebuilt = Run(rules, rest)
    assert public(rules, rebuilt.state, pending_question(rebuilt)) == move.before
    rebuilt = replay_answer(rules, rest, move)
    assert public(rules, rebuilt.state, pending_question(rebuilt)) == move.now
    assert [tell.event for tell in rebuilt.told] == [tell.event for tell in move.told]


def the_game_holds(setup: GameSetup, move: Move, chooser: Random) -> None:
    """The game's own invariants hold; it has an outcome if and only if it is over."""
    contract(setup.rules.name).check(setup.begun, move.before, move.told, move.now)
    outcome = move.state.outcome
    assert (outcome is None) == (move.now["asks"] is not None)
    assert outcome is None or outcome.winner in (None, *setup.rules.seats)


def words_come_back(setup: GameSetup, move: Move, chooser: Random) -> None:
    """Orders written as words are read as the same orders; for a seal, as those it hides."""
    words = setup.rules.view.write_words(move.chosen)
    assert setup.rules.view.read_words(move.ask, words) == move.chosen, words


def all_is_told(setup: GameSetup, move: Move, chooser: Random) -> None:
    """Every event, question, aim and forecast is described in printable lines; facts are plain data."""
    view = setup.rules.view
    told = map(view.story, move.told)
    aims = view.aim(move.state) if view.aim else []
    assert bool(aims) == (view.aim is not None and move.state.step != OVER)
    forecast = view.forecast(move.ask, move.chosen) if view.forecast else Forecast()
    coming = (*aims, *forecast.chances, *forecast.warnings)
    for line in (view.prompt(move.ask), *view.write_words(move.orders), *told, *coming):
        assert line.strip(), "an empty line"
        assert line.isprintable(), line
    for tell in move.told:
        canonical_form(dict(tell.facts))


def shapes_fit_the_schemas(setup: GameSetup, move: Move, chooser: Random) -> None:
    """Positions and orders match their schemas."""
    for what, said in (("state", move.now), ("orders", move.orders)):
        if (shape := schema(setup.rules.name, what)) is not None:
            shape.validate(said)


def the_board_fits(setup: GameSetup, move: Move, chooser: Random) -> None:
    """The board is plain ASCII, and no line of it is too long for a mail."""
    for line in ascii_picture(setup.rules.view.legend(move.state)).splitlines():
        assert len(line) <= WIDTH, line
        assert line.isascii(), line


def garbage_breaks_nothing(setup: GameSetup, move: Move, chooser: Random) -> None:
    """Orders of any kind are refused by an `OrderError` and change nothing, or lead to a valid position."""
    words = [*words_in(move.before), *setup.hexes]
    for orders in (random_plain_data(chooser), *(spoil(move.orders, words, chooser) for _ in range(4))):
        assert all(isinstance(line, str) for line in setup.rules.view.write_words(orders))
        run = Run(setup.rules, move.rest)
        run.told.clear()
        try:
            run.answer(orders)
        except OrderError:
            assert run.position == move.rest
            assert public(setup.rules, run.state, pending_question(run)) == move.before
        else:
            settle(run, chooser)
            now = public(setup.rules, run.state, pending_question(run))
            canonical_form(now)  # this is plain data, which is not checked again for built-in games
            contract(setup.rules.name).check(setup.begun, move.before, run.told, now)
    if isinstance(move.ask, Seal):
        for _ in range(4):
            with suppress(OrderError):
                move.ask.read(spoil(move.chosen, words, chooser))


def typed_garbage_is_refused(setup: GameSetup, move: Move, chooser: Random) -> None:
    """Anything typed is read as orders or refused with an `OrderError`."""
    for line in setup.rules.view.write_words(move.chosen):
        with suppress(OrderError):
            setup.rules.view.read_words(move.ask, [spoil_text(line, chooser)])


def odds_are_exact(setup: GameSetup, move: Move, chooser: Random) -> None:
    """Odds are chances of legal orders that can be typed; with few cards, exactly those of all outcomes."""
    found = setup.rules.view.odds(move.ask)
    for odds in found:
        assert 0 <= odds.hit <= 1
        assert setup.rules.view.read_words(move.ask, [odds.words]) == odds.orders
        move.ask.read(odds.orders)
    for odds in chooser.sample(found, min(len(found), 3)):
        run = Run(setup.rules, move.rest)
        run.told.clear()
        run.answer(signed_orders(move.ask, odds.orders))
        if not isinstance(run.pending, Chance) or len(run.pending.outcomes) <= FEW:
            assert odds.hit == _frequency(run, odds.orders), odds


def _frequency(run: Run, orders: Orders) -> Fraction:
    """How often the attack hits over all outcomes, if a question gets the same answer again."""
    hits, again = _chances(run, orders, ())
    assert not any(again)
    return hits


Node: TypeAlias = tuple[Any, str, tuple[Any, ...]]
"""A chance: the state, the rule and the outcomes."""


def _chances(run: Run, orders: Orders, path: tuple[Node, ...]) -> tuple[Fraction, list[Fraction]]:
    """How often the attack hits, and how often each chance on the path here comes up again.

    Dice that are rolled again might never end: a return to an earlier chance is divided out there.
    """
    verdict = contract(run.rules.name).hit(run.told)
    if verdict is not None:
        return Fraction(verdict), [Fraction(0)] * len(path)
    if isinstance(run.pending, Ask):
        run.answer(orders)
        return _chances(run, orders, path)
    assert isinstance(run.pending, Chance)
    node = (run.state, run.pending.rule, run.pending.outcomes)
    if is_rethrow(run.rules.name, run.told):
        return Fraction(0), [Fraction(number == path.index(node)) for number in range(len(path))]
    hits, again = Fraction(0), [Fraction(0)] * (len(path) + 1)
    for outcome, times in Counter(run.pending.outcomes).items():
        fork = run.fork()
        fork.decide(run.pending.outcomes.index(outcome))
        more, back = _chances(fork, orders, (*path, node))
        chance = Fraction(times, len(run.pending.outcomes))
        hits += chance * more
        again = [have + chance * come for have, come in zip(again, back, strict=True)]
    *again, here = again
    return hits / (1 - here), [come / (1 - here) for come in again]


def overlays_fit_the_map(setup: GameSetup, move: Move, chooser: Random) -> None:
    """Overlays are on the map, one character per hex; threats are chances; routes can be typed."""
    view, state = setup.rules.view, move.ask.state
    legend = view.legend(state)
    hexes = [cell.number for cell in legend.cells]
    overlays = [lay(state) for lay in (view.zones, view.supply) if lay]
    if view.sight:
        overlays.append(view.sight(state, chooser.choice(hexes)))
    for overlay in overlays:
        assert overlay.figures.keys() <= set(hexes)
        assert all(len(figure) == 1 for figure in overlay.figures.values())
    for threat in view.threats(state, chooser.choice(setup.rules.seats)) if view.threats else ():
        assert 0 < threat.hit <= 1
        assert {threat.at, *threat.by.values()} <= set(hexes)
    units = [piece.name for cell in legend.cells for piece in cell.pieces if piece.side == move.ask.seat]
    if view.reach and view.routes and units:
        unit = chooser.choice(units)
        routes = view.routes(move.ask, unit)
        assert routes.keys() == view.reach(move.ask, unit).keys() <= set(hexes)
        for orders in chooser.sample(sorted(routes.values(), key=str), min(len(routes), 3)):
            assert view.read_words(move.ask, view.write_words(orders)) == orders


Check: TypeAlias = Callable[[GameSetup, Move, Random], None]

CHECKS: tuple[tuple[int, Check], ...] = (
    (1, the_game_holds),
    (1, words_come_back),
    (1, all_is_told),
    (4, odds_are_exact),
    (16, offers_are_legal),
    (16, what_may_follow_is_taken),
    (16, overlays_fit_the_map),
    (4, a_fork_goes_on_alike),
    (4, the_position_says_all),
    (4, garbage_breaks_nothing),
    (4, typed_garbage_is_refused),
    (50, shapes_fit_the_schemas),
    (50, the_board_fits),
    (200, offers_are_accepted),
)
"""Every check, and at which moves it is usually made: at each, at every fourth …"""


def check_game(name: str, seed: int) -> str:
    """Play a game and check it. Returns its digest. Raises whatever a violated rule raises."""
    chooser, judge = Random(seed), Random(f"checks of game {seed}")
    setup = set_up(name, chooser)
    most = setup.rules.beats(setup.options, setup.scenario) // 2
    moves: list[Move] = []
    for number, move in enumerate(play(setup, chooser), start=seed):
        moves.append(move)
        for every, check in CHECKS:
            if number % check_interval(name, check.__name__, every) == 0:
                check(setup, move, judge)
        assert len(moves) < MOST_MOVES
    begins_with_chance = isinstance(Run(setup.rules, Position(setup.start)).pending, Chance)
    used = begins_with_chance + sum(bool(move.numbers) for move in moves)
    assert used <= most, f"{used} beats, of {most} that a game may use (FORMAT 4)"
    check_replay(setup, moves)
    check_secrecy(setup, moves, judge)
    story: Plain = [[move.now, move.orders, list(map(setup.rules.view.story, move.told))] for move in moves]
    return hashlib.sha256(canonical_form(story)).hexdigest()


def check_replay(setup: GameSetup, moves: Sequence[Move]) -> None:
    """Check that the answers and the chances, from the first question on, lead to the same end."""
    if not moves:
        return
    run = Run(setup.rules, moves[0].rest)
    for move in moves:
        assert public(setup.rules, run.state, pending_question(run)) == move.before
        run.answer(move.orders)
        for number in move.numbers:
            run.decide(number)
    assert run.state == moves[-1].state
    assert run.pending is None


def check_secrecy(setup: GameSetup, moves: Sequence[Move], chooser: Random) -> None:
    """Check that as long as a seal is closed nothing public depends on its content, and that it opens.

    Another seal of the game might have the same content: the two are then indistinguishable, and nothing is
    tried.
    """
    given = {seal_of(move.chosen) for move in moves if isinstance(move.ask, Seal)}
    for number, move in enumerate(moves):
        if isinstance(move.ask, Seal):
            hidden = random_players(setup.rules)["random"](move.ask, chooser)
            if seal_of(hidden) in given:
                continue
            run = replay_answer(setup.rules, move.rest, replace(move, orders=signed_orders(move.ask, hidden)))
            for later in moves[number + 1 :]:
                shown = _text(public(setup.rules, run.state, pending_question(run)))
                assert shown.replace(seal_of(hidden), seal_of(move.chosen)) == _text(later.before)
                if isinstance(later.ask, Open):
                    run.answer(signed_orders(later.ask, hidden))
                    break
                run = replay_answer(setup.rules, run.position, later)


def _text(position: Plain) -> str:
    return canonical_form(position).decode()


def main(name: str, first: str, count: str = "1") -> None:
    """Check games from a seed on, and print a digest of them all."""
    digests = hashlib.sha256()
    ships_well(name)
    for seed in range(int(first), int(first) + int(count)):
        try:
            digests.update(check_game(name, seed).encode())
        except Exception:
            sys.stderr.write(f"game {seed} fails; again: python -m support.random_play {name} {seed}\n")
            raise
    sys.stdout.write(f"{count} games hold, {digests.hexdigest()}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
