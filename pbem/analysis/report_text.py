"""A report on a game as text, with a chart of characters, and as data.

Its sentences say what won or lost the game, and where it was decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from pbem.analysis.playouts import PLAYOUT_PLAYER, Decision, Draws, MainLine
from pbem.analysis.statistics import Estimate
from pbem.analysis.turning_points import (
    GameReport,
    Stretch,
    can_tell_costs,
    clearest_change,
    costliest_decision,
    preferred_orders,
    significant_steps,
)
from pbem.core.requests import Orders
from pbem.core.sentences import joined
from pbem.render.safe_text import WIDTH, cut, safe_text, wrap
from pbem.render.story import orders_as_typed
from pbem.texts import Texts, number, percent
from pbem.umpire.game_facts import count_entries
from pbem.umpire.game_state import Game

tr = Texts("pbem")


_CHART_ROWS, _MAX_CHART_WIDTH = 10, 100
"""The number of rows of the chart above 0%, and its maximum width in columns."""

_MAX_EVENTS = 3
"""How many events are shown after a draw, the last ones."""

_EXACT_DEVIATION = 0.001
"""A smaller deviation is not shown: it is only rounding."""

_LETTERS = "ABCDEFGH"
"""The labels of the stretches, the largest first."""


def stretches_heading() -> str:
    """The heading above the stretches."""
    return tr("What turned the game, largest first")


def no_stretches_text() -> str:
    """The text if there are no stretches."""
    return tr("Nothing clearly changed the game. More playouts might show more.")


def figure_lines(game: Game, report: GameReport, width: int = WIDTH) -> list[str]:
    """The chart, the table and the stretches of a report, in lines of at most `width` columns."""
    lines = [*wrap_lines(introduction(game, report), width), ""]
    lines += [
        *_chart(report, min(width, _MAX_CHART_WIDTH)),
        "",
        *_align_table(side_table(game, report), width),
        "",
    ]
    lines += _stretch_lines(game, report, width)
    return lines


def introduction(game: Game, report: GameReport, seat: str = "") -> str:
    """What the figures mean, for `seat` or the first seat, and how many playouts they come from."""
    return tr(
        "The chance that {side} {side:wins|win}, from {playouts} playouts by the {player} player, "
        "{count} from each moment. A drawn game counts half. The brackets show how certain each "
        "figure is: 95% of the time the true value is between the two.",
        side=game.rules.side(seat or game.rules.seats[0]),
        playouts=number(report.playouts),
        player=PLAYOUT_PLAYER,
        count=_count_range(report),
    )


def wrap_lines(text: str, width: int, indent: int = 0) -> list[str]:
    """A text in lines."""
    return wrap(text, width, indent).split("\n")


def _count_range(report: GameReport) -> str:
    *earlier, last = report.counts
    numbers = sorted([*earlier, last] if last else earlier)  # 0 for the last: the result is known
    if numbers and numbers[0] < numbers[-1]:
        return tr("{least} to {most}", least=numbers[0], most=numbers[-1])
    return f"{numbers[0] if numbers else 0}"


def _chart(report: GameReport, width: int) -> list[str]:
    """The chance after each entry as `*`, its interval as `:`; below it the letters of the stretches."""
    line = report.line
    last = max(line.steps[-1].entry if line.steps else 0, 1)
    wide = width - 7
    columns: dict[int, Estimate] = {0: report.chances[0]}
    for step, chance in zip(line.steps, report.chances[1:], strict=True):
        columns[step.entry * (wide - 1) // last] = chance
    rows = []
    for row in range(_CHART_ROWS, -1, -1):
        label = percent(row / _CHART_ROWS) if row % (_CHART_ROWS // 2) == 0 else ""
        rows.append(f"{label:>5} |{''.join(_chart_row(columns, row, wide))}".rstrip())
    places: dict[int, str] = {}
    for letter, each in zip(_LETTERS, report.stretches, strict=False):
        begin, end = (line.steps[at].entry * (wide - 1) // last for at in (each.first, each.last))
        places |= {column: letter for column in range(begin, end + 1) if column not in places}
    letters = "".join(places.get(column, "-") for column in range(wide))
    below = cut(tr.sense("below a chart, at most five letters", "entry"), 5)
    return [*rows, f"{below:>5} +{letters}", f"       0{last:>{wide - 1}}"]


def _chart_row(columns: dict[int, Estimate], row: int, wide: int) -> Iterator[str]:
    """The marks of one row of the chart; between two entries the chance is constant."""
    now = columns[0]
    for column in range(wide):
        now = columns.get(column, now)
        low, high = (round(_CHART_ROWS * min(max(bound, 0), 1)) for bound in now.interval)
        yield "*" if round(_CHART_ROWS * now.mean) == row else ":" if low <= row <= high else " "


def side_table(game: Game, report: GameReport) -> list[list[str]]:
    """What luck and decisions changed for each side, in points of its own chance, under headings."""
    rows = [["", tr("starting chance"), tr("luck"), tr("own decisions"), tr("now")]]
    for seat, sign in zip(game.rules.seats, (1, -1), strict=True):
        at_first, now = (own_chance(report.chances[at], sign) for at in (0, -1))
        luck, decided = (describe_points(each, sign) for each in (report.luck, report.decisions[seat]))
        rows.append([f"{game.rules.side(seat):name}", at_first, luck, decided, now])
    return rows


def _align_table(rows: list[list[str]], width: int) -> list[str]:
    """A table in columns, or as sentences if it is too wide."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + 2 * len(widths) - 2 <= width:
        return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    (_, *heads), *sides = rows
    sentences = (
        f"{seat}: {', '.join(f'{head} {cell}' for head, cell in zip(heads, cells, strict=True))}"
        for seat, *cells in sides
    )
    return [part for text in sentences for part in wrap_lines(text, width, 4)]


def own_estimate(chance: Estimate, sign: int) -> Estimate:
    """A chance of the first seat as that of the first seat (`sign` 1) or of the other (-1)."""
    return chance if sign > 0 else Estimate(1 - chance.mean, chance.deviation)


def own_chance(chance: Estimate, sign: int) -> str:
    """A side's own chance: `39% (28 to 50)`."""
    own = own_estimate(chance, sign)
    mean, (low, high) = own.mean, own.interval
    sure = chance.deviation < _EXACT_DEVIATION
    if sure:
        return _possible_percent(mean)
    bounds = {"low": round(100 * max(low, 0)), "high": round(100 * min(high, 1))}
    return tr("{chance} ({low} to {high})", chance=_possible_percent(mean), **bounds)


def _possible_percent(chance: float) -> str:
    """An estimated chance as a percentage, clipped, since an estimate can be below 0 or above 1."""
    return percent(min(max(chance, 0), 1))


def describe_points(change: Estimate, sign: int) -> str:
    """A change, in percentage points, as seen by a side: `+12 (3 to 21)`."""
    low, high = sorted(100 * sign * bound for bound in change.interval)
    points = f"{round(100 * sign * change.mean):+d}"
    if change.deviation < _EXACT_DEVIATION:
        return points
    return tr("{points} ({low} to {high})", points=points, low=f"{low:.0f}", high=f"{high:.0f}")


def _stretch_lines(game: Game, report: GameReport, width: int) -> list[str]:
    """Lines about the stretches, each with its key step, if any, and the events of that step."""
    if not report.stretches:
        return wrap_lines(no_stretches_text(), width)
    lines = [f"{stretches_heading()}:"]
    for letter, one in zip(_LETTERS, report.stretches, strict=False):
        lines += wrap_lines(f"{letter}  {describe_stretch(game, report, one)}", width, 3)
        if one.key_step is not None:
            lines += (
                wrap_lines(f"   {describe_key_step(game, report, one)}", width, 5)
                if one.first < one.last
                else []
            )
            lines += [
                cut(f"     {event}", width) for event in describe_draws(game, report.line.steps[one.key_step])
            ]
    return lines


def describe_stretch(game: Game, report: GameReport, one: Stretch) -> str:
    """A stretch: `entries 24 to 52, +35 (22 to 48) for the Germans: luck +20 (5 to 35), …`."""
    if one.first == one.last:
        where, what = entry_span(report, one), describe_turning_point(game, report, one.first)
        return tr("{where}, {what}", where=where, what=what)
    gainer, sign = _gainer(game, one.change)
    first, second = game.rules.seats
    return tr(
        "{where}, {points} for {side}: luck {luck}, decisions of {first} {by_first}, of {second} {by_second}",
        where=entry_span(report, one),
        points=describe_points(one.change, sign),
        side=game.rules.side(gainer),
        luck=describe_points(one.luck, sign),
        first=game.rules.side(first),
        by_first=describe_points(one.decisions[first], sign),
        second=game.rules.side(second),
        by_second=describe_points(one.decisions[second], sign),
    )


def entry_span(report: GameReport, one: Stretch) -> str:
    """The first and last entry of a stretch, in words."""
    first, last = (report.line.steps[at].entry for at in (one.first, one.last))
    if first == last:
        return tr("entry {entry}", entry=first)
    return tr("entries {first} to {last}", first=first, last=last)


def describe_key_step(game: Game, report: GameReport, one: Stretch) -> str:
    """The key step of a stretch, which must have one, in words."""
    assert one.key_step is not None
    entry, what = report.line.steps[one.key_step].entry, describe_turning_point(game, report, one.key_step)
    return tr("mostly at entry {entry}, {what}", entry=entry, what=what)


def _gainer(game: Game, change: Estimate) -> tuple[str, int]:
    """The seat that gained from a change, and the sign of its points."""
    return (game.rules.seats[0], 1) if change.mean > 0 else (game.rules.seats[1], -1)


def describe_turning_point(game: Game, report: GameReport, at: int) -> str:
    """A turning point: `+10 (4 to 16) for the Americans: drawn queen of spades`."""
    change = report.changes[at]
    gainer, sign = _gainer(game, change)
    points, what = describe_points(change, sign), describe_step(game, report.line, at)
    return tr("{points} for {side}: {what}", points=points, side=game.rules.side(gainer), what=what)


def describe_step(game: Game, line: MainLine, at: int) -> str:
    """A step: who ordered what, or what was drawn."""
    step = line.steps[at]
    if isinstance(step, Draws):
        return tr(
            "drawn {outcomes}",
            outcomes=", ".join(safe_text(game.rules.view.drawn([outcome])) for outcome in step.outcomes),
        )
    orders = line.orders(at)
    side = game.rules.side(step.ask.seat)
    return f"{tr('sealed orders') if orders is None else orders_as_typed(game, orders)} ({side:name})"


def describe_draws(game: Game, step: Decision | Draws) -> list[str]:
    """The last events of a draw; if there are combats, only those and the events after each."""
    if isinstance(step, Decision):
        return []
    view = game.rules.view
    fights = {place for place, tell in enumerate(step.tells) if view.combat and view.combat(tell)}
    shown = [tell for place, tell in enumerate(step.tells) if {place, place - 1} & fights] or step.tells
    return [safe_text(view.story(tell)) for tell in shown[-_MAX_EVENTS:]]


def report_data(game: Game, report: GameReport) -> dict[str, Any]:
    """The report for programs: chances and changes are those of the first seat, from 0 to 1."""
    line = report.line
    return {
        "game": game.ids[0],
        "head": game.ids[-1],
        "chance_of": game.rules.seats[0],
        "player": PLAYOUT_PLAYER,
        "playouts": report.playouts,
        "ended_by_clock": report.ended_by_clock,
        "begun": chance_data(report.chances[0]),
        "steps": [step_data(game, report, at) for at in range(len(line.steps))],
        "luck": _estimate_data(report.luck),
        "decided": {seat: _estimate_data(change) for seat, change in report.decisions.items()},
        "turned": [line.steps[at].entry for at in sorted(significant_steps(report))],
        "stretches": [
            {
                "first": line.steps[one.first].entry,
                "last": line.steps[one.last].entry,
                "change": _estimate_data(one.change),
                "luck": _estimate_data(one.luck),
                "decided": {seat: _estimate_data(change) for seat, change in one.decisions.items()},
                "most": None if one.key_step is None else line.steps[one.key_step].entry,
            }
            for one in report.stretches
        ],
    }


def step_data(game: Game, report: GameReport, at: int) -> dict[str, Any]:
    """A step of the game for programs, with the chance after it."""
    step = report.line.steps[at]
    return {
        "entry": step.entry,
        **({"draws": list(step.outcomes)} if isinstance(step, Draws) else {"seat": step.ask.seat}),
        "words": describe_step(game, report.line, at),
        "change": _estimate_data(report.changes[at]),
        "chance": chance_data(report.chances[at + 1]),
        "seeds": report.counts[at + 1],
    }


def _estimate_data(estimate: Estimate) -> dict[str, float]:
    low, high = estimate.interval
    return {"mean": round(estimate.mean, 4), "low": round(low, 4), "high": round(high, 4)}


def chance_data(estimate: Estimate) -> dict[str, float]:
    """An estimate of a chance as plain data, from 0 to 1."""
    return {name: min(max(value, 0.0), 1.0) for name, value in _estimate_data(estimate).items()}


_TRIES = 20
"""How many times to ask a player for other orders, since a random choice can repeat itself."""


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
    """Sentences about what won the game and what lost it or, without a winner, what cost each side most."""
    ending = game.state.ending
    winner = ending.winner if ending else None
    if winner is None:
        return [text for seat in game.rules.seats for text in describe_cost(game, report, seat)]
    [loser] = set(game.rules.seats) - {winner}
    return [_describe_win(game, report, winner, loser), *describe_cost(game, report, loser)]


def _describe_win(game: Game, report: GameReport, winner: str, loser: str) -> str:
    """A sentence about the causes of a win: luck, the winner's decisions, the loser's."""
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
                "Luck did most to win the game for {side}: {luck}, against {own} through "
                "{side:its|their} own decisions and {others} through those of {other}.",
                **facts,
            )
        case 1:
            return tr(
                "The decisions of {side} did most to win the game for {side:it|them}: {own}, "
                "against {luck} through luck and {others} through the decisions of {other}.",
                **facts,
            )
        case 2:
            return tr(
                "The decisions of {other} did most to win the game for {side}: {others}, against "
                "{luck} through luck and {own} through {side:its|their} own decisions.",
                **facts,
            )
    return tr(
        "What won the game for {side}: luck {luck}, {side:its|their} own decisions {own}, those of "
        "{other} {others}. It takes more playouts to tell which of these mattered most.",
        **facts,
    )


def describe_cost(game: Game, report: GameReport, seat: str) -> list[str]:
    """Sentences about the decision that cost a seat most, and what the sensible player would have ordered."""
    blunder = costliest_decision(report, game.rules.seats, seat)
    if blunder is None:
        if not can_tell_costs(report, game.rules.seats, seat):
            return [
                tr.plural(
                    "One playout cannot tell whether a decision of {side} cost {side:it|them} anything.",
                    "{number} playouts are too few to tell whether a decision of {side} cost "
                    "{side:it|them} anything.",
                    report.playouts,
                    side=game.rules.side(seat),
                )
            ]
        return [
            tr(
                "No decision of {side} cost {side:it|them} anything compared with what the "
                "{player} player would have ordered.",
                side=game.rules.side(seat),
                player=PLAYOUT_PLAYER,
            )
        ]
    line, step = report.line, report.line.decision(blunder.at)
    better = other_orders(game, line, blunder.at)
    facts: dict[str, object] = {
        "entry": step.entry,
        "what": describe_step(game, line, blunder.at),
        "points": describe_points(report.changes[blunder.at], 1 if seat == game.rules.seats[0] else -1),
        "side": game.rules.side(seat),
    }
    if blunder.is_clear:
        costly = tr(
            "The decision that cost {side} most was in entry {entry}, {what}: {points} points.", **facts
        )
    elif report.changes[blunder.at].is_significant:
        costly = tr(
            "A decision that cost {side} a lot, perhaps the most, was in entry {entry}, {what}: "
            "{points} points.",
            **facts,
        )
    else:
        costly = tr(
            "No decision of {side} stands out. The most costly might be entry {entry}, {what}: "
            "{points} points, so perhaps nothing.",
            **facts,
        )
    if better is None:
        return [costly]
    orders = orders_as_typed(game, better)
    return [
        costly,
        tr("The {player} player would have ordered: {orders}.", player=PLAYOUT_PLAYER, orders=orders),
    ]


def other_orders(game: Game, line: MainLine, at: int) -> Orders | None:
    """What the playouts' player would have ordered instead of a decision.

    None if it would always have given the same orders, in any sequence, or if the orders are still sealed.
    """
    given = sorted(map(repr, line.orders(at) or []))
    seeds = (f"{game.ids[0]}/{at}/{number}" for number in range(_TRIES))
    preferred = (preferred_orders(game.rules, line, at, seed) for seed in seeds)
    return next((each for each in preferred if each and sorted(map(repr, each)) != given), None)


def report_paragraph(game: Game, report: GameReport) -> str:
    """The whole game in a few sentences."""
    first, second = map(game.rules.side, game.rules.seats)
    mails = 1 + sum(earlier.body.by != later.body.by for earlier, later in pairwise(game.entries))
    begun, now = (_possible_percent(report.chances[at].mean) for at in (0, -1))
    by_luck, by_first, by_second = (
        f"{round(100 * each.mean):+d}" for each in (report.luck, *report.decisions.values())
    )
    entries = count_entries(len(game.entries))
    sentences = [
        tr.plural("{entries} in {number} mail.", "{entries} in {number} mails.", mails, entries=entries),
        tr(
            "The chance of {first} changed from {begun} to {now}: {by_luck} through luck, "
            "{by_first} through {first:its|their} own decisions, {by_second} through those of "
            "{second}.",
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
    """A sentence about who has been ahead since when; none if nothing has been decided or drawn yet."""
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
    """A sentence about what decided the game; none if no stretch is significant."""
    if not report.stretches:
        return []
    changes = dict(enumerate(stretch.change for stretch in report.stretches))
    sizes = {at: Estimate(abs(change.mean), change.deviation) for at, change in changes.items()}
    if clearest_change(sizes, 1) == 0:
        return [tr("The game turned most in {where}.", where=entry_span(report, report.stretches[0]))]
    return [
        tr(
            "The game turned in {where}.",
            where=joined([entry_span(report, stretch) for stretch in report.stretches]),
        )
    ]
