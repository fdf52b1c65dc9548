"""A report in words, with a chart of characters; and as data."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from pbem.render.words import WIDTH, cut, safe, wrap
from pbem.report import typed
from pbem.study.estimate import Estimate
from pbem.study.moments import Decision, Draws, Line
from pbem.study.playouts import PLAYER
from pbem.study.turning import Report, costliest, preferred, turning_points
from pbem.umpire import Game
from pbem.umpire.facts import counted

_HIGH, _MOST_WIDE = 10, 100
"""Lines of the chart above 0 %, and its columns at most."""

_STORY = 3
"""So many events are told of a draw, the last ones."""

_EXACT = 0.001
"""A smaller deviation is not told: it comes of reckoning alone."""

CHANGED = "What changed it most"
"""Above the turning points."""

UNSURE = "No draw or decision can be told to have changed it: more playouts may tell."
"""Where there are no turning points."""

_LETTERS = "ABCDEFGH"
"""The turning points."""


def told(game: Game, report: Report, width: int = WIDTH) -> list[str]:
    """The report in lines of at most `width` columns."""
    points = sorted(turning_points(report)[: len(_LETTERS)])
    lines = [*_lines(introduction(game, report), width), ""]
    lines += [*_chart(report, points, min(width, _MOST_WIDE)), "", *_aligned(table(game, report), width), ""]
    lines += _turned(game, report, points, width)
    lines += [part for text in cost(game, report) for part in _lines(text, width, 4)]
    return [*lines, "", *_lines(paragraph(game, report), width)]


def introduction(game: Game, report: Report) -> str:
    """What the figures are, and from how many playouts."""
    return (
        f"The chance that {safe(game.rules.seats[0])} wins, by {report.playouts:,} playouts in which the "
        f"{PLAYER} player goes on for both sides, {_counted(report)} from each moment. A drawn game "
        "counts half. Each figure is followed by where it lies in 95 of 100 cases."
    )


def _lines(text: str, width: int, indent: int = 0) -> list[str]:
    return wrap(text, width, indent).split("\n")


def _counted(report: Report) -> str:
    made = sorted(count for count in report.counts if count)
    return f"{made[0]} to {made[-1]}" if made and made[0] < made[-1] else f"{made[0] if made else 0}"


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
    return [*rows, f"entry +{letters}", f"       0{last:>{wide - 1}}"]


def _marks(columns: dict[int, Estimate], row: int, wide: int) -> Iterator[str]:
    """One line of the chart; between two entries the chance stays as it was."""
    now = columns[0]
    for column in range(wide):
        now = columns.get(column, now)
        low, high = (round(_HIGH * min(max(bound, 0), 1)) for bound in now.interval)
        yield "*" if round(_HIGH * now.mean) == row else ":" if low <= row <= high else " "


def table(game: Game, report: Report) -> list[list[str]]:
    """What luck and decisions were worth to each side, in points of its own chance, under a row of heads."""
    rows = [["", "chance at first", "luck", "own decisions", "now"]]
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
    return f"{_percent(mean)}%" if sure else f"{_percent(mean)}% ({_percent(low)} to {_percent(high)})"


def _percent(chance: float) -> int:
    return round(100 * min(max(chance, 0), 1))


def points_of(change: Estimate, sign: int) -> str:
    """What something was worth to a side: `+12 (3 to 21)`."""
    low, high = sorted(100 * sign * bound for bound in change.interval)
    mean = round(100 * sign * change.mean)
    return f"{mean:+d}" if change.deviation < _EXACT else f"{mean:+d} ({low:.0f} to {high:.0f})"


def _turned(game: Game, report: Report, points: list[int], width: int) -> list[str]:
    """The turning points, as they came."""
    if not points:
        return _lines(UNSURE, width)
    lines = [f"{CHANGED}:"]
    for at, letter in zip(points, _LETTERS, strict=False):
        heading = f"{letter}  entry {report.line.steps[at].entry}, {turn(game, report, at)}"
        lines += _lines(heading, width, 3)
        lines += [cut(f"     {event}", width) for event in story(game, report.line.steps[at])]
    return lines


def turn(game: Game, report: Report, at: int) -> str:
    """A turning point: `+10 (4 to 16) for us: drawn QS 10H`."""
    change = report.changes[at]
    gainer, sign = (game.rules.seats[0], 1) if change.mean > 0 else (game.rules.seats[1], -1)
    return f"{points_of(change, sign)} for {safe(gainer)}: {words(game, report.line, at)}"


def words(game: Game, line: Line, at: int) -> str:
    """A step in words: who ordered what, or what was drawn."""
    step = line.steps[at]
    if isinstance(step, Draws):
        return f"drawn {' '.join(safe(str(outcome)) for outcome in step.outcomes)}"
    orders = line.orders(at)
    return f"{safe(step.ask.seat)}: {'sealed orders' if orders is None else typed(game, orders)}"


def story(game: Game, step: Decision | Draws) -> list[str]:
    """What came of a draw, its fights before all else."""
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
        return [f"No decision cost its side anything against what the {PLAYER} player would order."]
    line, step = report.line, report.line.decision(at)
    sign = 1 if step.ask.seat == game.rules.seats[0] else -1
    better = preferred(game.rules, line, at, f"{game.ids[0]}/{at}/0") or []
    sure = "" if report.changes[at].sure else ", so perhaps nothing"
    return [
        f"The decision that cost most: entry {step.entry}, {words(game, line, at)}: "
        f"{points_of(report.changes[at], sign)} points for {safe(step.ask.seat)}{sure}.",
        f"The {PLAYER} player would have ordered: {typed(game, better)}.",
    ]


def paragraph(game: Game, report: Report) -> str:
    """The whole game in some sentences."""
    first, second = map(safe, game.rules.seats)
    mails = 1 + sum(one.body.by != other.body.by for one, other in pairwise(game.entries))
    begun, now = (_percent(report.chances[at].mean) for at in (0, -1))
    by_luck, by_first, by_second = (
        f"{round(100 * each.mean):+d}" for each in (report.luck, *report.decided.values())
    )
    entries = [str(report.line.steps[at].entry) for at in sorted(turning_points(report))]
    sentences = [
        f"{counted(len(game.entries))} in {mails} mails.",
        f"The chance of {first} went from {begun}% to {now}%: {by_luck} by luck, {by_first} by its own "
        f"decisions, {by_second} by those of {second}.",
        *_ahead(game, report),
        *([f"It turned most at {_listed(entries)}."] if entries else []),
    ]
    return " ".join(sentences)


def _ahead(game: Game, report: Report) -> list[str]:
    """Who has been ahead since when, in a sentence; none where nothing has been decided or drawn."""
    leads = [chance.mean > 0.5 for chance in report.chances]
    if len(leads) < 2:
        return []
    side = safe(game.rules.seats[not leads[-1]])
    turned = max((at for at, lead in enumerate(leads) if lead != leads[-1]), default=None)
    since = "from the beginning" if turned is None else f"since entry {report.line.steps[turned].entry}"
    return [f"{side} has been ahead {since}."]


def _listed(entries: list[str]) -> str:
    *others, last = entries
    return f"entries {', '.join(others)} and {last}" if others else f"entry {last}"


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
    """The same of a chance, which is from 0 to 1."""
    return {name: min(max(value, 0.0), 1.0) for name, value in _plain(estimate).items()}
