"""The drawer of the board in which the computer reviews a game, piece by piece.

The page requests pieces until the whole game, or an entry, is done. It then gets the chart, the moves that
cost most, and for an entry the chances before and after it, with the computer's own orders drawn on the map.
Results are kept only while pbem runs: computing them again takes seconds and gives the same, and nothing on
disk can be out of date.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from pbem.analysis import report_text
from pbem.analysis.game_review import (
    BetterOrders,
    GameReview,
    costly_decisions,
    explain_figures,
    review_entry,
)
from pbem.analysis.turning_points import GameReport
from pbem.core.requests import Chance
from pbem.core.run import Run
from pbem.core.sealing import Seal
from pbem.errors import PbemError
from pbem.player.local_player import LocalPlayer, may_be_reviewed
from pbem.render.safe_text import safe_text
from pbem.render.story import orders_as_typed
from pbem.texts import Texts
from pbem.umpire.game_state import Game
from pbem.web.chances_panel import chances_chart, entry_link
from pbem.web.html_file import to_html
from pbem.web.scene import FaceList, TraceWriter, public_legend, scene_data

tr = Texts("pbem")

_MAX_REVIEWS = 8

_reviews: dict[str, GameReview] = {}
"""The reviews begun since pbem started, by the ids of the last entries."""


class ReviewRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for the next piece: of an entry, or of the whole game.

    `faces` is the number of counters' faces the page has.
    """

    entry: int | None = None
    faces: int = 0


class OtherOrders(Struct, frozen=True):
    """The orders the computer would have given, in a sentence, and on the map."""

    words: str
    shown: dict[str, Any]
    traces: list[Any]


class Reviewed(Struct, frozen=True):
    """How much is reviewed, from 0 to 1, and the results once it is all done.

    `chart` and `moves` are HTML about the whole game; `lines`, `others` and `note` are about an entry.
    """

    done: float
    chart: str = ""
    moves: str = ""
    lines: list[str] = []
    others: list[OtherOrders] = []
    note: str = ""
    faces: dict[str, Any] | None = None


def continue_review(player: LocalPlayer, game: Game, cast: FaceList, request: ReviewRequest) -> Reviewed:
    """Review the next piece of a game. Raises `PbemError` if the computer must not review the game."""
    if not may_be_reviewed(game, player):
        raise PbemError(tr("the computer does not review a game against a person before it is over"))
    entry = request.entry
    if entry is not None and not 0 <= entry < len(game.entries):
        raise PbemError(tr("there is no entry {found}: 0 to {last}", found=entry, last=len(game.entries) - 1))
    review = _review_of(game)
    review.run_piece(entry)
    done = review.share_done(entry)
    if done < 1:
        return Reviewed(done)
    own = player.seats(game)
    seat = own[0] if len(own) == 1 else ""
    if entry is None:
        report = review.report()
        return Reviewed(1, chances_chart(game, report, seat), _describe_moves(game, report, seat))
    found = review_entry(game, review.report(), entry, seat)
    return Reviewed(
        1,
        lines=list(map(safe_text, found.lines)),
        others=[_other_orders(game, review, one, cast) for one in found.others],
        note=explain_figures(review.report(), entry) if found.has_steps else "",
        faces=cast.faces_from(request.faces),
    )


def finished_report(game: Game) -> GameReport | None:
    """The report on a fully reviewed game; None if it is not."""
    review = _reviews.get(game.ids[-1])
    return review.report() if review and review.share_done() >= 1 else None


def _review_of(game: Game) -> GameReview:
    """The review of a game, begun now if necessary."""
    head = game.ids[-1]
    if head not in _reviews:
        while len(_reviews) >= _MAX_REVIEWS:
            del _reviews[next(iter(_reviews))]
        _reviews[head] = GameReview(game)
    return _reviews[head]


def _describe_moves(game: Game, report: GameReport, seat: str) -> str:
    """The moves that cost their side most, each with a link to its entry, and what decided the game."""
    costly = [
        f"<li>{entry_link(report, at, _describe_costly(game, report, at))}</li>"
        for at in costly_decisions(game.rules, report)
    ]
    title = to_html(tr("Costly moves"))
    none = to_html(
        tr("No move stands out: none has clearly cost anything. Choose an entry to look more closely.")
    )
    moves = f"<h3>{title}</h3>\n<ul>{''.join(costly)}</ul>" if costly else f"<p>{none}</p>"
    said = "\n".join(f"<p>{to_html(words)}</p>" for words in report_text.verdict(game, report))
    about = f'<p class="quiet">{to_html(report_text.introduction(game, report, seat))}</p>'
    return f"{moves}\n{said}\n{about}"


def _describe_costly(game: Game, report: GameReport, at: int) -> str:
    step = report.line.decision(at)
    sign = 1 if step.ask.seat == game.rules.seats[0] else -1
    return tr(
        "entry {entry}: {points} points, {what}",
        entry=step.entry,
        points=report_text.describe_points(report.changes[at], sign),
        what=report_text.describe_step(game, report.line, at),
    )


def _other_orders(game: Game, review: GameReview, other: BetterOrders, cast: FaceList) -> OtherOrders:
    """Orders that were not given, on the map up to a card or die; sealed orders change nothing there."""
    rules, line = game.rules, review.line
    ask = line.decision(other.at).ask
    run = Run(rules, line.moments[other.at])
    run.told.clear()
    if not isinstance(ask, Seal):
        run.answer(other.orders)
    asked = None if run.pending is None or isinstance(run.pending, Chance) else run.pending
    legend = public_legend(rules, run.state, asked)
    shown = scene_data(cast, legend, rules.view.prompt(ask))
    writer = TraceWriter(game, legend)
    words = tr("The computer would have ordered: {orders}", orders=orders_as_typed(game, other.orders))
    return OtherOrders(words, shown, [trace for tell in run.told for trace in writer.traces_of(tell)])
