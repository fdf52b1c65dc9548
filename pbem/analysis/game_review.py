"""A game reviewed with the computer: the chance to win before and after an entry, and better orders.

The figures are those of a report (`turning_points`). A decision is pointed out if it cost its side more than
the margin of error, compared with the orders of the playouts' player. The sentences about an entry are made
here, for the terminal and for pages.

For a page the playouts are made piece by piece: the page requests the next piece and shows the progress, so
that a process with one thread, as in a browser, can do other things in between. A clock ends a piece, but
what comes next does not depend on it.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from pbem.analysis.playouts import PLAYOUT_PLAYER, Decision, MainLine, main_line
from pbem.analysis.report_text import (
    chance_data,
    describe_points,
    describe_step,
    other_orders,
    own_chance,
    step_data,
)
from pbem.analysis.turning_points import (
    GameReport,
    PlayoutTask,
    ReportBuilder,
    deciding_seat,
    run_playouts,
)
from pbem.core.requests import Orders
from pbem.core.rules import Rules
from pbem.core.sentences import capitalized
from pbem.render.story import orders_as_typed
from pbem.texts import Texts
from pbem.umpire.game_state import Game

tr = Texts("pbem")


def steps_of_entry(line: MainLine, entry: int) -> list[int]:
    """The steps made by an entry: its draws and its orders; none if it was undone."""
    return [at for at, step in enumerate(line.steps) if step.entry == entry]


def costly_decisions(rules: Rules, report: GameReport) -> list[int]:
    """The decisions that cost their side more than the margin of error, the most costly first."""
    costly = [at for at in report.differing_steps if _own_sign_of_change(rules, report, at) < 0]
    return sorted(costly, key=lambda at: (-abs(report.changes[at].mean), at))


def _own_sign_of_change(rules: Rules, report: GameReport, at: int) -> int:
    """1 if a decision clearly gained its own side something, -1 if it clearly cost it something, else 0."""
    change = report.changes[at]
    if at not in report.differing_steps or not change.is_significant:
        return 0
    return _sign(rules, deciding_seat(report.line.steps[at])) * (1 if change.mean > 0 else -1)


def _sign(rules: Rules, seat: str | None) -> int:
    """The sign that turns a change for the first seat into one for this seat."""
    return 1 if seat == rules.seats[0] else -1


class BetterOrders(Struct, frozen=True):
    """The orders of the playouts' player instead of a decision, with the step they replace.

    `is_shown` says whether the decision clearly cost something, so that these orders are better.
    """

    at: int
    orders: Orders
    is_shown: bool


class EntryReview(Struct, frozen=True):
    """The review of an entry: sentences for the player, and other orders for each of its decisions.

    `has_steps` says whether the entry ordered or drew anything that counts.
    """

    lines: tuple[str, ...]
    others: tuple[BetterOrders, ...] = ()
    has_steps: bool = True


def review_entry(game: Game, report: GameReport, entry: int, seat: str = "") -> EntryReview:
    """The review of an entry from its game's report; chances are those of `seat`, or of the first seat."""
    rules, line = game.rules, report.line
    steps = steps_of_entry(line, entry)
    if not steps:
        return EntryReview(
            (tr("Entry {entry} contains no decision, or has been taken back.", entry=entry),), has_steps=False
        )
    seat = seat or rules.seats[0]
    before, after = (own_chance(report.chances[at], _sign(rules, seat)) for at in (steps[0], steps[-1] + 1))
    others = [
        BetterOrders(at, orders, _own_sign_of_change(rules, report, at) < 0)
        for at in steps
        if at in report.differing_steps and (orders := other_orders(game, line, at)) is not None
    ]
    side = rules.side(seat)
    lines = [
        tr(
            "Before entry {entry}: {side} {side:wins|win} {chance} of the time.",
            entry=entry,
            side=side,
            chance=before,
        ),
        *(text for at in steps for text in _describe_step(game, report, at, seat, others)),
        tr("After it: {chance}.", chance=after),
    ]
    return EntryReview(tuple(lines), tuple(others))


def _describe_step(
    game: Game, report: GameReport, at: int, seat: str, others: Sequence[BetterOrders]
) -> list[str]:
    """A step, what it changed for a seat, and what the computer would have ordered instead."""
    step, what = report.line.steps[at], capitalized(describe_step(game, report.line, at))
    points = describe_points(report.changes[at], _sign(game.rules, seat))
    if not isinstance(step, Decision):
        return [tr("{what}: {points} points by luck.", what=what, points=points)]
    if report.line.orders(at) is None:
        return [tr("{what}: nobody can judge these orders yet.", what=what)]
    other = next((each for each in others if each.at == at), None)
    if other is None:
        return [f"{what}.", tr("The {player} player would have ordered the same.", player=PLAYOUT_PLAYER)]
    own = describe_points(report.changes[at], _sign(game.rules, step.ask.seat))
    side, orders = game.rules.side(step.ask.seat), orders_as_typed(game, other.orders)
    would = tr("The {player} player would have ordered: {orders}.", player=PLAYOUT_PLAYER, orders=orders)
    match _own_sign_of_change(game.rules, report, at):
        case -1:
            judgement = tr("That was worse for {side}: {points} points.", side=side, points=own)
        case 1:
            judgement = tr("That was better for {side}: {points} points.", side=side, points=own)
        case _:
            judgement = tr(
                "It is not clear which is better for {side}: {points} points.", side=side, points=own
            )
    return [f"{what}.", would, judgement]


def explain_figures(report: GameReport, entry: int) -> str:
    """How the figures of an entry were made, and how certain they are."""
    steps = steps_of_entry(report.line, entry)
    number = max((report.counts[at + after] for at in steps for after in (0, 1)), default=0)
    return tr(
        "Playouts at this entry, by the {player} player: {number}. A drawn game counts half. The "
        "brackets show how certain each figure is: 95% of the time the true value is between the "
        "two.",
        number=number,
        player=PLAYOUT_PLAYER,
    )


def entry_review_data(game: Game, report: GameReport, entry: int) -> dict[str, Any]:
    """The review of an entry for programs: chances and changes are those of the first seat, from 0 to 1."""
    others = {each.at: each for each in review_entry(game, report, entry).others}
    steps = steps_of_entry(report.line, entry)
    return {
        "game": game.ids[0],
        "entry": entry,
        "chance_of": game.rules.seats[0],
        "player": PLAYOUT_PLAYER,
        "playouts": report.playouts,
        "before": chance_data(report.chances[steps[0]]) if steps else None,
        "steps": [
            {
                **step_data(game, report, at),
                "other": others[at].orders if at in others else None,
                "costly": at in others and others[at].is_shown,
            }
            for at in steps
        ],
    }


# Piece by piece

REVIEW_SECONDS = 15.0
"""The most seconds for the whole game, or for one entry; all the playouts can be finished before."""

ENTRY_SEEDS = 100
"""The number of seeds from each moment of a reviewed entry."""

PIECE_SECONDS = 0.2
"""The seconds after which a piece ends."""


class GameReview:
    """The playouts made so far of a game: for the whole game, and for reviewed entries."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.line = main_line(game)
        self._builder = ReportBuilder(game.rules, self.line)
        self._most = game.rules.playouts
        self._round: deque[int] = deque()
        self._seeds: Counter[int] = Counter()
        self._seconds: defaultdict[int | None, float] = defaultdict(float)  # by entry; None: the whole game
        self._report: GameReport | None = None

    def share_done(self, entry: int | None = None) -> float:
        """The progress of the review of the whole game, or of an entry, from 0 to 1."""
        if entry is None:
            made = self._builder.playouts_made / self._most
            share = max(made, self._seconds[None] / REVIEW_SECONDS)
            return min(share, 1.0) if self._builder.judges_at else 1.0
        moments = self._moments_of(entry)
        shares = [min(self._seeds[at] / ENTRY_SEEDS for at in moments)] if moments else [1.0]
        return min(max(*shares, self._seconds[entry] / REVIEW_SECONDS), 1.0)

    def run_piece(self, entry: int | None = None) -> None:
        """Make the next playouts for the whole game or an entry. Raises `FileError`, as `play_out` does."""
        begun = time.monotonic()
        while self.share_done(entry) < 1 and time.monotonic() - begun < PIECE_SECONDS:
            self._run_seed(self._next_moment(entry))
        self._seconds[entry] += time.monotonic() - begun

    def _next_moment(self, entry: int | None) -> int:
        """The moment for the next playout: an entry's with the fewest so far, else the next of a round."""
        if entry is not None:
            return min(self._moments_of(entry), key=lambda at: (self._seeds[at], at))
        if not self._round:
            self._round.extend(task.at for task in self._builder.next_tasks())
        return self._round.popleft()

    def _moments_of(self, entry: int) -> list[int]:
        steps = steps_of_entry(self.line, entry)
        return sorted({near for step in steps for near in self._builder.moments_beside(step)})

    def _run_seed(self, at: int) -> None:
        """Make the playouts with the next seed from a moment."""
        task = PlayoutTask(at, self._builder.judges_at[at], self._seeds[at], 1)
        results = run_playouts(self.game.rules, self.line, self.game.ids[0], task)
        self._builder.add_results(task, results)
        self._seeds[at] += 1
        self._report = None

    def report(self) -> GameReport:
        """The report from all playouts so far."""
        if self._report is None:
            self._report = self._builder.build(self._builder.playouts_made < self._most)
        return self._report
