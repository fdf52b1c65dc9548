"""A report in words, with a chart of characters; and as data."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from pbem.core.sentences import joined
from pbem.render.words import WIDTH, cut, safe, wrap
from pbem.report import typed
from pbem.study.estimate import Estimate
from pbem.study.moments import Decision, Draws, Line
from pbem.study.playouts import PLAYER
from pbem.study.turning import Report, costliest, preferred, turning_points
from pbem.texts import Texts, number
from pbem.umpire import Game
from pbem.umpire.facts import counted

tr = Texts("pbem")

_HIGH, _MOST_WIDE = 10, 100
"""Lines of the chart above 0 %, and its columns at most."""

_STORY = 3
"""The number of events told of a draw, the last ones."""

_EXACT = 0.001
"""A smaller deviation is not told: it comes of reckoning alone."""

_LETTERS = "ABCDEFGH"
"""The turning points."""


def changed() -> str:
    """Above the turning points."""
    return tr("What changed it most")


def unsure() -> str:
    """The words where there are no turning points."""
    return tr("No draw or decision can be told to have changed it: more playouts may tell.")


def told(game: Game, report: Report, width: int = WIDTH) -> list[str]:
    """The report in lines of at most `width` columns."""
    points = sorted(turning_points(report)[: len(_LETTERS)])
    lines = [*_lines(introduction(game, report), width), ""]
    lines += [*_chart(report, points, min(width, _MOST_WIDE)), "", *_aligned(table(game, report), width), ""]
    lines += _turned(game, report, points, width)
    lines += [part for text in cost(game, report) for part in _lines(text, width, 4)]
    return [*lines, "", *_lines(paragraph(game, report), width)]


def introduction(game: Game, report: Report) -> str:
    """The words on what the figures are, and from how many playouts."""
    return tr(
        "The chance that {seat} wins, by {playouts} playouts in which the {player} player goes on for both "
        "sides, {count} from each moment. A drawn game counts half. Each figure is followed by where it lies "
        "in 95 of 100 cases.",
        seat=safe(game.rules.seats[0]),
        playouts=number(report.playouts),
        player=PLAYER,
        count=_counted(report),
    )


def _lines(text: str, width: int, indent: int = 0) -> list[str]:
    return wrap(text, width, indent).split("\n")


def _counted(report: Report) -> str:
    made = sorted(count for count in report.counts if count)
    if made and made[0] < made[-1]:
        return tr("{least} to {most}", least=made[0], most=made[-1])
    return f"{made[0] if made else 0}"


def _chart(report: Report, points: list[int], width: int) -> list[str]:
    """The chance after each entry, `*` between what is likely, `:`; below it the turning points."""
    line = report.line
    last = max(line.steps[-1].entry if line.steps else 0, 1)
    wide = width - 7
    columns: dict[int, Estimate] = {0: report.chances[0]}
    for step, chance in zip(line.steps, report.chances[1:], strict=True):
        columns[step.entry * (wide - 1) // last] = chance
    rows = []
    for row in range(_HIGH, -1, -1):
        label = f"{100 * row // _HIGH:>3} %" if row % (_HIGH // 2) == 0 else ""
        rows.append(f"{label:>5} |{''.join(_marks(columns, row, wide))}".rstrip())
    places = {
        line.steps[at].entry * (wide - 1) // last: letter
        for at, letter in zip(points, _LETTERS, strict=False)
    }
    letters = "".join(places.get(column, "-") for column in range(wide))
    below = cut(tr.sense("below a chart, at most five letters", "entry"), 5)
    return [*rows, f"{below:>5} +{letters}", f"       0{last:>{wide - 1}}"]


def _marks(columns: dict[int, Estimate], row: int, wide: int) -> Iterator[str]:
    """One line of the chart; between two entries the chance stays as it was."""
    now = columns[0]
    for column in range(wide):
        now = columns.get(column, now)
        low, high = (round(_HIGH * min(max(bound, 0), 1)) for bound in now.interval)
        yield "*" if round(_HIGH * now.mean) == row else ":" if low <= row <= high else " "


def table(game: Game, report: Report) -> list[list[str]]:
    """The worth of luck and decisions to each side, in points of its own chance, under a row of heads."""
    rows = [["", tr("chance at first"), tr("luck"), tr("own decisions"), tr("now")]]
    for seat, sign in zip(game.rules.seats, (1, -1), strict=True):
        begun, now = (own(report.chances[at], sign) for at in (0, -1))
        luck, decided = (points_of(each, sign) for each in (report.luck, report.decided[seat]))
        rows.append([safe(seat), begun, luck, decided, now])
    return rows


def _aligned(rows: list[list[str]], width: int) -> list[str]:
    """A table in columns; in sentences where it is too wide."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + 2 * len(widths) - 2 <= width:
        return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    (_, *heads), *sides = rows
    told = (
        f"{seat}: {', '.join(f'{head} {cell}' for head, cell in zip(heads, cells, strict=True))}"
        for seat, *cells in sides
    )
    return [part for text in told for part in _lines(text, width, 4)]


def own(chance: Estimate, sign: int) -> str:
    """A side's own chance: `39% (28 to 50)`."""
    mean, (low, high) = chance.mean, chance.interval
    if sign < 0:
        mean, low, high = 1 - mean, 1 - high, 1 - low
    sure = chance.deviation < _EXACT
    if sure:
        return f"{_percent(mean)}%"
    bounds = {"low": _percent(low), "high": _percent(high)}
    return tr("{chance}% ({low} to {high})", chance=_percent(mean), **bounds)


def _percent(chance: float) -> int:
    return round(100 * min(max(chance, 0), 1))


def points_of(change: Estimate, sign: int) -> str:
    """The worth of something to a side: `+12 (3 to 21)`."""
    low, high = sorted(100 * sign * bound for bound in change.interval)
    points = f"{round(100 * sign * change.mean):+d}"
    if change.deviation < _EXACT:
        return points
    return tr("{points} ({low} to {high})", points=points, low=f"{low:.0f}", high=f"{high:.0f}")


def _turned(game: Game, report: Report, points: list[int], width: int) -> list[str]:
    """The turning points, as they came."""
    if not points:
        return _lines(unsure(), width)
    lines = [f"{changed()}:"]
    for at, letter in zip(points, _LETTERS, strict=False):
        entry, what = report.line.steps[at].entry, turn(game, report, at)
        lines += _lines(f"{letter}  {tr('entry {entry}, {what}', entry=entry, what=what)}", width, 3)
        lines += [cut(f"     {event}", width) for event in story(game, report.line.steps[at])]
    return lines


def turn(game: Game, report: Report, at: int) -> str:
    """A turning point: `+10 (4 to 16) for us: drawn queen of spades`."""
    change = report.changes[at]
    gainer, sign = (game.rules.seats[0], 1) if change.mean > 0 else (game.rules.seats[1], -1)
    points, what = points_of(change, sign), words(game, report.line, at)
    return tr("{points} for {seat}: {what}", points=points, seat=safe(gainer), what=what)


def words(game: Game, line: Line, at: int) -> str:
    """A step in words: who ordered what, or what was drawn."""
    step = line.steps[at]
    if isinstance(step, Draws):
        return tr(
            "drawn {outcomes}",
            outcomes=", ".join(safe(game.rules.view.drawn([one])) for one in step.outcomes),
        )
    orders = line.orders(at)
    return f"{safe(step.ask.seat)}: {tr('sealed orders') if orders is None else typed(game, orders)}"


def story(game: Game, step: Decision | Draws) -> list[str]:
    """The results of a draw, its fights before all else."""
    if isinstance(step, Decision):
        return []
    view = game.rules.view
    fights = {place for place, tell in enumerate(step.told) if view.combat and view.combat(tell)}
    shown = [tell for place, tell in enumerate(step.told) if {place, place - 1} & fights] or step.told
    return [safe(view.story(tell)) for tell in shown[-_STORY:]]


def cost(game: Game, report: Report) -> list[str]:
    """The decision that cost its side most, and what the sensible player would have ordered, in sentences."""
    at = costliest(report, game.rules.seats[0])
    if at is None:
        text = tr(
            "No decision cost its side anything against what the {player} player would order.", player=PLAYER
        )
        return [text]
    line, step = report.line, report.line.decision(at)
    sign = 1 if step.ask.seat == game.rules.seats[0] else -1
    better = preferred(game.rules, line, at, f"{game.ids[0]}/{at}/0") or []
    told: dict[str, object] = {
        "entry": step.entry,
        "what": words(game, line, at),
        "points": points_of(report.changes[at], sign),
        "seat": safe(step.ask.seat),
    }
    if report.changes[at].sure:
        most = tr("The decision that cost most: entry {entry}, {what}: {points} points for {seat}.", **told)
    else:
        most = tr(
            "The decision that cost most: entry {entry}, {what}: {points} points for {seat}, so perhaps "
            "nothing.",
            **told,
        )
    orders = typed(game, better)
    return [most, tr("The {player} player would have ordered: {orders}.", player=PLAYER, orders=orders)]


def paragraph(game: Game, report: Report) -> str:
    """The whole game in some sentences."""
    first, second = map(safe, game.rules.seats)
    mails = 1 + sum(one.body.by != other.body.by for one, other in pairwise(game.entries))
    begun, now = (_percent(report.chances[at].mean) for at in (0, -1))
    by_luck, by_first, by_second = (
        f"{round(100 * each.mean):+d}" for each in (report.luck, *report.decided.values())
    )
    entries = [str(report.line.steps[at].entry) for at in sorted(turning_points(report))]
    written = counted(len(game.entries))
    sentences = [
        tr.plural("{entries} in {number} mail.", "{entries} in {number} mails.", mails, entries=written),
        tr(
            "The chance of {first} went from {begun}% to {now}%: {by_luck} by luck, {by_first} by its own "
            "decisions, {by_second} by those of {second}.",
            first=first,
            begun=begun,
            now=now,
            by_luck=by_luck,
            by_first=by_first,
            by_second=by_second,
            second=second,
        ),
        *_ahead(game, report),
        *_turns(entries),
    ]
    return " ".join(sentences)


def _ahead(game: Game, report: Report) -> list[str]:
    """A sentence on who has been ahead since when; none where nothing has been decided or drawn."""
    leads = [chance.mean > 0.5 for chance in report.chances]
    if len(leads) < 2:
        return []
    side = safe(game.rules.seats[not leads[-1]])
    turned = max((at for at, lead in enumerate(leads) if lead != leads[-1]), default=None)
    if turned is None:
        return [tr("{seat} has been ahead from the beginning.", seat=side)]
    entry = report.line.steps[turned].entry
    return [tr("{seat} has been ahead since entry {entry}.", seat=side, entry=entry)]


def _turns(entries: list[str]) -> list[str]:
    """A sentence on where the game turned; none where it did not."""
    match entries:
        case []:
            return []
        case [entry]:
            return [tr("It turned most at entry {entry}.", entry=entry)]
    return [tr("It turned most at entries {entries}.", entries=joined(entries))]


def as_data(game: Game, report: Report) -> dict[str, Any]:
    """The report for a program: chances and changes are those of the first seat, from 0 to 1."""
    line = report.line
    return {
        "game": game.ids[0],
        "head": game.ids[-1],
        "chance_of": game.rules.seats[0],
        "player": PLAYER,
        "playouts": report.playouts,
        "begun": _chance(report.chances[0]),
        "steps": [
            {
                "entry": step.entry,
                **({"draws": list(step.outcomes)} if isinstance(step, Draws) else {"seat": step.ask.seat}),
                "words": words(game, line, at),
                "change": _plain(report.changes[at]),
                "chance": _chance(report.chances[at + 1]),
                "seeds": report.counts[at + 1],
            }
            for at, step in enumerate(line.steps)
        ],
        "luck": _plain(report.luck),
        "decided": {seat: _plain(change) for seat, change in report.decided.items()},
        "turned": [line.steps[at].entry for at in sorted(turning_points(report))],
    }


def _plain(estimate: Estimate) -> dict[str, float]:
    low, high = estimate.interval
    return {"mean": round(estimate.mean, 4), "low": round(low, 4), "high": round(high, 4)}


def _chance(estimate: Estimate) -> dict[str, float]:
    """An estimate of a chance as plain data, from 0 to 1."""
    return {name: min(max(value, 0.0), 1.0) for name, value in _plain(estimate).items()}
