"""The gist of a report, in sentences: what won the game, what lost it, and where it turned."""

from __future__ import annotations

from itertools import pairwise

from pbem.core.sentences import joined
from pbem.render.story import orders_as_typed
from pbem.render.words import WIDTH
from pbem.study.estimate import Estimate
from pbem.study.playouts import PLAYOUT_PLAYER
from pbem.study.report_text import (
    describe_points,
    describe_step,
    entry_span,
    figure_lines,
    whole_percent,
    wrap_lines,
)
from pbem.study.stretches import clearest_change
from pbem.study.turning_points import GameReport, costliest_decision, preferred_orders
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_facts import count_entries

tr = Texts("pbem")

_TRIES = 20
"""The number of times the player is asked for other orders: one that chooses at random may repeat itself."""


def describe_report(game: Game, report: GameReport, width: int = WIDTH) -> list[str]:
    """The whole report in lines of at most `width` columns."""
    gist = [part for text in verdict(game, report) for part in wrap_lines(text, width, 4)]
    return [
        *figure_lines(game, report, width),
        "",
        *gist,
        "",
        *wrap_lines(report_paragraph(game, report), width),
    ]


def verdict(game: Game, report: GameReport) -> list[str]:
    """Sentences on what won it for the winner and lost it for the loser; without a winner, what cost each."""
    ending = game.state.ending
    winner = ending.winner if ending else None
    if winner is None:
        return [text for seat in game.rules.seats for text in describe_cost(game, report, seat)]
    [loser] = set(game.rules.seats) - {winner}
    return [_describe_win(game, report, winner, loser), *describe_cost(game, report, loser)]


def _describe_win(game: Game, report: GameReport, winner: str, loser: str) -> str:
    """A sentence on the causes of a win: luck, the winner's decisions, the loser's."""
    sign = 1 if winner == game.rules.seats[0] else -1
    causes = [report.luck, report.decisions[winner], report.decisions[loser]]
    luck, own, others = (describe_points(each, sign) for each in causes)
    facts = {
        "side": game.rules.side(winner),
        "other": game.rules.side(loser),
        "luck": luck,
        "own": own,
        "others": others,
    }
    match clearest_change(dict(enumerate(causes)), sign):
        case 0:
            return tr(
                "What won it for {side} was most of all luck, {luck}; {side:its|their} own decisions {own}, "
                "those of {other} {others}.",
                **facts,
            )
        case 1:
            return tr(
                "What won it for {side} were most of all {side:its|their} own decisions, {own}; luck {luck}, "
                "those of {other} {others}.",
                **facts,
            )
        case 2:
            return tr(
                "What won it for {side} were most of all the decisions of {other}, {others}; luck {luck}, "
                "{side:its|their} own {own}.",
                **facts,
            )
    return tr(
        "What won it for {side}: luck {luck}, {side:its|their} own decisions {own}, those of {other} "
        "{others}; which of these most, so many playouts do not tell.",
        **facts,
    )


def describe_cost(game: Game, report: GameReport, seat: str) -> list[str]:
    """Sentences on the decision that cost a seat most, and what the sensible player would have ordered."""
    blunder = costliest_decision(report, game.rules.seats, seat)
    if blunder is None:
        return [
            tr(
                "No decision of {side} cost {side:it|them} anything against what the {player} player would "
                "order.",
                side=game.rules.side(seat),
                player=PLAYOUT_PLAYER,
            )
        ]
    line, step = report.line, report.line.decision(blunder.at)
    seeds = (f"{game.ids[0]}/{blunder.at}/{number}" for number in range(_TRIES))
    better = next(
        filter(None, (preferred_orders(game.rules, line, blunder.at, seed) for seed in seeds)), None
    )
    facts: dict[str, object] = {
        "entry": step.entry,
        "what": describe_step(game, line, blunder.at),
        "points": describe_points(report.changes[blunder.at], 1 if seat == game.rules.seats[0] else -1),
        "side": game.rules.side(seat),
    }
    if blunder.is_clear:
        costly = tr("The decision that cost {side} most: entry {entry}, {what}: {points} points.", **facts)
    elif report.changes[blunder.at].is_significant:
        costly = tr(
            "A decision that cost {side} much, perhaps most: entry {entry}, {what}: {points} points.", **facts
        )
    else:
        costly = tr(
            "No decision of {side} stands out; perhaps entry {entry}, {what}: {points} points, so perhaps "
            "nothing.",
            **facts,
        )
    if better is None:
        return [costly]
    orders = orders_as_typed(game, better)
    return [
        costly,
        tr("The {player} player would have ordered: {orders}.", player=PLAYOUT_PLAYER, orders=orders),
    ]


def report_paragraph(game: Game, report: GameReport) -> str:
    """The whole game in some sentences."""
    first, second = map(game.rules.side, game.rules.seats)
    mails = 1 + sum(earlier.body.by != later.body.by for earlier, later in pairwise(game.entries))
    begun, now = (whole_percent(report.chances[at].mean) for at in (0, -1))
    by_luck, by_first, by_second = (
        f"{round(100 * each.mean):+d}" for each in (report.luck, *report.decisions.values())
    )
    entries = count_entries(len(game.entries))
    sentences = [
        tr.plural("{entries} in {number} mail.", "{entries} in {number} mails.", mails, entries=entries),
        tr(
            "The chance of {first} went from {begun}% to {now}%: {by_luck} by luck, {by_first} by "
            "{first:its|their} own decisions, {by_second} by those of {second}.",
            first=first,
            begun=begun,
            now=now,
            by_luck=by_luck,
            by_first=by_first,
            by_second=by_second,
            second=second,
        ),
        *_lead_sentences(game, report),
        *_turn_sentences(report),
    ]
    return " ".join(sentences)


def _lead_sentences(game: Game, report: GameReport) -> list[str]:
    """A sentence on who has been ahead since when; none where nothing has been decided or drawn yet."""
    leads = [chance.mean > 0.5 for chance in report.chances]
    if len(leads) < 2:
        return []
    side = game.rules.side(game.rules.seats[not leads[-1]])
    turned = max((at for at, lead in enumerate(leads) if lead != leads[-1]), default=None)
    if turned is None:
        return [tr("{side:The} {side:has|have} been ahead from the beginning.", side=side)]
    entry = report.line.steps[turned].entry
    return [tr("{side:The} {side:has|have} been ahead since entry {entry}.", side=side, entry=entry)]


def _turn_sentences(report: GameReport) -> list[str]:
    """A sentence on where the game turned; none where no stretch is significant."""
    if not report.stretches:
        return []
    changes = dict(enumerate(stretch.change for stretch in report.stretches))
    sizes = {at: Estimate(abs(change.mean), change.deviation) for at, change in changes.items()}
    if clearest_change(sizes, 1) == 0:
        return [tr("It turned most in {where}.", where=entry_span(report, report.stretches[0]))]
    return [
        tr(
            "It turned in {where}.",
            where=joined([entry_span(report, stretch) for stretch in report.stretches]),
        )
    ]
