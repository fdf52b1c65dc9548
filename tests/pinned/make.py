"""What a version of the rules has once judged, so that it judges so for ever.

    cd tests && python -m pinned.make mortain/1

writes `pinned/mortain-1.json`: once, with a new version, and never again once that version is released. Then
`test_pinned.py` holds every version to its file. It has all that a file's digests and draws see, and what is
refused: fixed games, at some positions legal and illegal orders with their verdicts, options and their beats,
the digests of the scenarios, the commanders' groups. No texts, no offers, no practice players.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from random import Random

import msgspec

from pbem.core.requests import Ask, Chance, Orders, Plain
from pbem.core.rules import Rules
from pbem.core.run import Position, Run, public
from pbem.core.sealing import Open, Seal
from pbem.errors import FileError, IllegalOrder, OrderError
from pbem.format.canonical import canonical_form
from pbem.games import load
from support.hostile_orders import spoil, words_in
from support.playout import GameSetup, Move, pending_question, play, seal_of, signed_orders, values_of

PINNED = Path(__file__).parent

GAMES, SEARCHED, TRIED, EACH, LONGEST = 40, 6, 12, 6, 400
"""How many games; in how many of them orders are tried, and where; how many of each kind, and how long.

Of a game with sixty counters a side there are fewer: `FEWER`.
"""

FEWER = {"rommel": 10}

SHORT = {"turns": 2, "last_turn": 3, "air_subturns": 2}
"""The most that options may be that make a game long."""


def brief(value: Plain) -> str:
    """A short digest of plain data."""
    return sha256(canonical_form(value)).hexdigest()[:12]


def file_of(pin: str) -> Path:
    """Where a version's pins are."""
    return PINNED / f"{pin.replace('/', '-')}.json"


def pins(rules: Rules) -> dict[str, Plain]:
    """All that is to be pinned of a version: what was asked of it, and what it said."""
    chooser = Random(rules.pin)
    return {
        "rules": rules.pin,
        "scenarios": {name: brief(rules.scenarios.data(name)) for name in rules.scenarios.names},
        "options": [[chosen, allowed(rules, chosen)] for chosen in _options(rules)],
        "sharing": sharing(rules),
        "games": [_game(rules, options, n, chooser) for n, options in enumerate(_played(rules, chooser))],
    }


def allowed(rules: Rules, options: dict[str, Plain]) -> Plain:
    """How many beats a game with these options has; or where they are wrong."""
    data = rules.scenarios.data(rules.scenarios.names[0])
    try:
        rules.begin(options, data)
        return rules.beats(options, data)
    except FileError as error:
        return error.where


def sharing(rules: Rules) -> Plain:
    """Who may command what beside the player of a seat, and the rule that says so."""
    plain: dict[str, Plain] = msgspec.json.decode(msgspec.json.encode(rules.sharing, enc_hook=str))
    return {key: value for key, value in plain.items() if key != "ordered"}


def _options(rules: Rules) -> Iterator[dict[str, Plain]]:
    """The editions; each with another value of an option, legal or not; with one left out, and one more."""
    for edition in rules.editions.values():
        yield dict(edition)
    base = dict(next(iter(rules.editions.values())))
    for option, values in values_of(rules).items():
        for value in (*values, None, True, 0, -1, 9, "no", [], [1], [3, 4]):
            yield {**base, option: value}
        yield {key: value for key, value in base.items() if key != option}
    yield {**base, "weather": "fog"}


def _played(rules: Rules, chooser: Random) -> Iterator[dict[str, Plain]]:
    """The options of the games: every edition, and then any values."""
    for edition in rules.editions.values():
        yield _short(dict(edition))
    for _ in range(FEWER.get(rules.name, GAMES) - len(rules.editions)):
        yield _short({option: chooser.choice(values) for option, values in values_of(rules).items()})


def _short(options: dict[str, Plain]) -> dict[str, Plain]:
    return {
        option: min(value, SHORT[option]) if option in SHORT else value for option, value in options.items()
    }


def _game(rules: Rules, options: dict[str, Plain], n: int, chooser: Random) -> dict[str, Plain]:
    """A game of practice players: its moves, and what is tried at some of its positions."""
    begun = rules.begin(options, rules.scenarios.data(rules.scenarios.names[0]))
    moves = list(play(GameSetup(rules, options, None, begun, (), begun), chooser))
    places = set(chooser.sample(range(len(moves)), min(TRIED if n < SEARCHED else 0, len(moves))))
    answers = [move.chosen for move in moves]
    tried = {str(at): list(_tried(rules, moves[at], answers, chooser)) for at in sorted(places)}
    played = {
        "options": options,
        "moves": [[move.chosen, list(move.numbers)] for move in moves],
        "tried": tried,
    }
    return {**played, **said(rules, played)}


def _tried(rules: Rules, move: Move, answers: Sequence[Orders], chooser: Random) -> Iterator[Orders]:
    """Orders to be tried at a position: offered ones, two at once, those given elsewhere, and spoilt ones."""
    offered = list(rules.offers(move.ask))
    words = words_in(move.before)
    for orders in chain(
        chooser.sample(offered, min(EACH, len(offered))),
        (chooser.choice(offered) + chooser.choice(offered) for _ in range(EACH)),
        chooser.sample(answers, min(EACH, len(answers))),
        (_misdirected(chooser.choice([move.chosen, *offered]), words, chooser) for _ in range(3 * EACH)),
        (spoil(move.chosen, words, chooser) for _ in range(EACH // 2)),
    ):
        if len(canonical_form(orders)) < LONGEST:
            yield orders


def _misdirected(orders: Plain, words: Sequence[str], chooser: Random) -> Plain:
    """Orders of the same form in which a unit or a hex may be another."""
    match orders:
        case dict():
            return {key: _misdirected(value, words, chooser) for key, value in orders.items()}
        case list():
            return [_misdirected(value, words, chooser) for value in orders]
        case str() if chooser.random() < 0.4:
            return chooser.choice([word for word in words if word.isdecimal() == orders.isdecimal()] or words)
    return orders


def said(rules: Rules, game: dict[str, Plain]) -> dict[str, Plain]:
    """What a version says to a game: of every move, and of what is tried."""
    run = Run(rules, Position(rules.begin(game["options"], rules.scenarios.data(rules.scenarios.names[0]))))
    sealed: dict[str, Orders] = {}
    judged: list[Plain] = []
    verdicts: dict[str, Plain] = {}
    for n, (chosen, numbers) in enumerate(game["moves"]):
        ask = run.pending
        assert isinstance(ask, Ask), f"move {n}: nothing is asked"
        if tried := game["tried"].get(str(n)):
            verdicts[str(n)] = [_verdict(run, orders) for orders in tried]
        if isinstance(ask, Seal):
            sealed[seal_of(chosen)] = chosen
        before = brief(public(rules, run.state, ask))
        run.answer(signed_orders(ask, sealed[ask.seal] if isinstance(ask, Open) else chosen))
        judged.append([ask.seat, str(ask.question), ask.rule, before, *_settled(run, numbers)])
    outcome = run.state.outcome
    over = None if outcome is None else [outcome.winner, outcome.rule]
    end = brief(public(rules, run.state, pending_question(run)))
    return {"judged": judged, "verdicts": verdicts, "end": end, "outcome": over}


def _settled(run: Run, numbers: Sequence[int]) -> list[Plain]:
    """Settle the chances up to the next question; of each its rule, how many outcomes, and in which order."""
    left = iter(numbers)
    found = []
    while isinstance(run.pending, Chance):
        found.append([run.pending.rule, len(run.pending.outcomes), brief(list(run.pending.outcomes))])
        run.decide(next(left))
    return found


def departure(rules: Rules, pinned: dict[str, Plain]) -> str:
    """What a version says otherwise than is pinned, in a few words; empty if nothing."""
    shipped = {name: brief(rules.scenarios.data(name)) for name in rules.scenarios.names}
    if {name: shipped.get(name) for name in pinned["scenarios"]} != pinned["scenarios"]:
        return "a scenario"
    for chosen, known in pinned["options"]:
        if (found := allowed(rules, chosen)) != known:
            return f"options {chosen}: {found}, once {known}"
    if (found := sharing(rules)) != pinned["sharing"]:
        return f"commanders: {found}, once {pinned['sharing']}"
    return next(filter(None, (_parting(rules, n, game) for n, game in enumerate(pinned["games"]))), "")


def _parting(rules: Rules, n: int, game: dict[str, Plain]) -> str:
    """Where a pinned game goes another way; empty if nowhere."""
    try:
        found = msgspec.json.decode(msgspec.json.encode(said(rules, game)))
    except (AssertionError, OrderError, FileError, StopIteration) as error:
        return f"game {n} cannot be played: {error!r}"
    for move, (now, known) in enumerate(zip(found["judged"], game["judged"], strict=True)):
        if now != known:
            return f"game {n}, move {move}: {now}, once {known}"
    for move, verdicts in found["verdicts"].items():
        for orders, now, known in zip(game["tried"][move], verdicts, game["verdicts"][move], strict=True):
            if now != known:
                return f"game {n}, move {move}, tried {orders}: {now}, once {known}"
    return "" if all(found[key] == game[key] for key in ("end", "outcome")) else f"game {n}, its end"


def _verdict(run: Run, orders: Orders) -> Plain:
    """The rule that forbids orders; else the position that they lead to, and whose groups are in them."""
    ask = run.pending
    assert isinstance(ask, Ask)
    try:
        ask.read(orders)
    except IllegalOrder as refused:
        return refused.rule
    except OrderError as refused:
        return type(refused).__name__
    groups = [sorted(run.rules.sharing.ordered(run.state, order)) for order in orders]
    fork = run.fork()
    if not isinstance(ask, Open):
        fork.answer(signed_orders(ask, orders))
    pending = fork.pending if isinstance(fork.pending, Ask) else None
    return [brief(public(run.rules, fork.state, pending)), groups]


if __name__ == "__main__":
    for pin in sys.argv[1:]:
        file_of(pin).write_bytes(msgspec.json.encode(pins(load(pin))) + b"\n")
