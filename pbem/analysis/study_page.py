"""A study as one HTML page with charts, which loads nothing, runs no script, and has a dark mode.

The charts are Scalable Vector Graphics: bars for shares with their intervals, columns by turn, bars by unit,
in the style sheet of the drawings and the colours of the counters.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TypeAlias

from msgspec import Struct

from pbem.analysis.findings import DRAW, Findings, Tally, TallyRow
from pbem.analysis.study_text import (
    findings_paragraph,
    hundredths,
    length_unit,
    share_with_interval,
    study_command,
)
from pbem.render.svg import tinted_map
from pbem.render.svg_style import counter_colour, css_class, escape, style_sheet
from pbem.texts import Texts, number, percent, spoken

tr = Texts("pbem")


CHART_WIDTH = 560
"""The width of every chart, in its own units, which a page scales."""

_ROW, _NAME, _BAR = 46, 20, 18
"""The height of a row of shares, of its name, and of the bar below that."""

_NAMES_WIDTH = 170
"""The x where bars begin; the names of the rows are to its left."""

_COLUMN_HEIGHT = 170
"""The height of columns above the base line."""

Interval: TypeAlias = tuple[float, float]


class ShareBar(Struct, frozen=True):
    """A stacked bar: its name, the shares of the two sides, and the interval of each."""

    name: str
    first: float
    second: float
    first_interval: Interval
    second_interval: Interval


class Series(Struct, frozen=True):
    """A series of values: its name, the values, and the CSS class of its colour."""

    name: str
    values: Sequence[float]
    style: str


def share_chart(title: str, rows: Sequence[ShareBar], sides: tuple[Series, Series]) -> str:
    """Stacked bars: the first side's share from the left, the second's from the right, draws between.

    A bracket on each shows the interval; the dashed line is at one half.
    """
    first, second = sides
    span, edge = CHART_WIDTH - 40, 20
    parts = [_key([first, second])]
    top = 34
    for index, row in enumerate(rows):
        y = top + index * _ROW
        left, right = round(span * row.first), round(span * row.second)
        parts.append(_text(edge, y + 14, row.name, "start"))
        y += _NAME
        parts.append(_box(edge, y, left, _BAR, first.style))
        parts.append(_box(edge + span - right, y, right, _BAR, second.style))
        low, high = row.first_interval
        parts.append(_bracket(edge + span * low, edge + span * high, y))
        low, high = row.second_interval
        parts.append(_bracket(edge + span * (1 - high), edge + span * (1 - low), y))
    middle, bottom = edge + span // 2, top + len(rows) * _ROW
    parts.append(f'<path class="half" d="M{middle} {top + _NAME - 6}V{bottom - 4}"/>')
    for mark in (0, 25, 50, 75, 100):
        parts.append(_text(edge + span * mark // 100, bottom + 10, f"{mark} %", "middle", "small"))
    return _chart(title, bottom + 18, parts)


def column_chart(title: str, labels: Sequence[str], series: Sequence[Series], below: str) -> str:
    """Columns side by side for each label; `below` names the axis. The highest fills the chart."""
    highest = max((value for each in series for value in each.values), default=0.0) or 1.0
    left, top = 40, 34
    step = (CHART_WIDTH - left - 10) / max(len(labels), 1)
    wide = min(40.0, 0.8 * step / max(len(series), 1))
    base = top + _COLUMN_HEIGHT + 16
    parts = [_key(series)]
    for place, label in enumerate(labels):
        middle = left + step * (place + 0.5)
        parts.append(_text(middle, base + 18, label, "middle", "small"))
        for index, each in enumerate(series):
            value = each.values[place] if place < len(each.values) else 0.0
            high = _COLUMN_HEIGHT * value / highest
            x = middle + wide * (index - len(series) / 2)
            parts.append(_box(round(x), round(base - high), round(wide), round(high), each.style))
            if wide >= 20:
                parts.append(_text(x + wide / 2, base - high - 4, _short_number(value), "middle", "small"))
    parts.append(f'<path class="base" d="M{left} {base}H{CHART_WIDTH - 10}"/>')
    parts.append(_text(CHART_WIDTH / 2, base + 38, below, "middle", "small"))
    return _chart(title, base + 46, parts)


def bar_chart(title: str, rows: Sequence[tuple[str, float]], style: str) -> str:
    """A horizontal bar for each name, with its share as a percentage."""
    row, bar = 22, 14
    span = CHART_WIDTH - _NAMES_WIDTH - 60
    parts = []
    for index, (name, share) in enumerate(rows):
        y = 6 + index * row
        parts.append(_text(_NAMES_WIDTH - 8, y + 12, name, "end"))
        parts.append(_box(_NAMES_WIDTH, y, round(span * share), bar, style))
        parts.append(_text(_NAMES_WIDTH + span * share + 6, y + 12, percent(share), "start", "small"))
    return _chart(title, 12 + row * len(rows), parts)


def _chart(title: str, high: int, parts: Sequence[str]) -> str:
    head = f'<svg class="chart" viewBox="0 0 {CHART_WIDTH} {high}" role="img"><title>{escape(title)}</title>'
    return f"{head}{''.join(parts)}</svg>"


def _key(series: Sequence[Series]) -> str:
    """The legend of the colours, in a line at the top."""
    return "".join(_key_entries(series))


def _key_entries(series: Sequence[Series]) -> Iterator[str]:
    x = 8
    for each in series:
        yield _box(x, 6, 14, 14, each.style) + _text(x + 20, 18, each.name, "start")
        x += 44 + 8 * len(each.name)


def _box(x: int, y: int, wide: int, high: int, style: str) -> str:
    return f'<path class="{style} edge" d="M{x} {y}h{wide}v{high}h{-wide}z"/>' if wide and high else ""


def _bracket(low: float, high: float, y: int) -> str:
    """An interval, over the middle of a bar: bright with a dark edge, visible on any colour."""
    path = f"M{low:.1f} {y + 3}v12M{low:.1f} {y + 9}H{high:.1f}M{high:.1f} {y + 3}v12"
    return f'<path class="under" d="{path}"/><path class="over" d="{path}"/>'


def _text(x: float, y: float, words: str, anchor: str, style: str = "") -> str:
    as_ = f"{style} {anchor}".strip()
    return f'<text x="{x:.0f}" y="{y:.0f}" class="{as_}">{escape(words)}</text>' if words else ""


def _short_number(value: float) -> str:
    """A number without decimals if it is whole or at least 10, else with one decimal."""
    return number(value, ".0f" if value >= 10 or value == int(value) else ".1f")


_STYLES = """
:root{color-scheme:light dark;--ink:#1c1d1a;--paper:#fbfaf5;--faint:#6d6f66}
@media screen and (prefers-color-scheme:dark){:root{--ink:#ecebe4;--paper:#16181a;--faint:#a3a59c}}
body{margin:0 auto;max-width:60rem;padding:.75rem;background:var(--paper);color:var(--ink);
font:1rem/1.45 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.25rem;border-bottom:1px solid var(--faint)}h3{font-size:1rem}
svg{display:block;width:100%;height:auto}.chart{max-width:44rem}
.wide{overflow-x:auto}table{border-collapse:collapse;overflow-wrap:normal}
th,td{padding:.15rem .6rem;text-align:right;border-bottom:1px solid var(--faint);white-space:nowrap}
th:first-child,td:first-child{text-align:left}.chart text{font-size:14px}.chart text.small{font-size:12px}
.chart .start{text-anchor:start}.chart .end{text-anchor:end}.chart .edge{stroke:var(--rim);stroke-width:1}
.half{stroke:var(--alarm);stroke-width:2;stroke-dasharray:5 4}.base{stroke:var(--ink)}
.under{fill:none;stroke:#fff;stroke-width:5}.over{fill:none;stroke:#b3261e;stroke-width:2}
summary{cursor:pointer;padding:.4rem 0}code{overflow-wrap:anywhere}
"""

_NEUTRAL = "c-grey"
"""The CSS class for whatever belongs to no side."""


def study_html(findings: Findings) -> bytes:
    """The bytes of the HTML file. Names in a scenario or an added game are escaped, never markup."""
    games = findings.all.games
    title = tr.plural(
        "{title}: a study of {games} game",
        "{title}: a study of {games} games",
        games,
        title=findings.rules.title,
        games=number(games),
    )
    style = style_sheet() + _STYLES
    policy = f"default-src 'none'; style-src 'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'"
    body = "\n".join(_body(findings, title))
    return (
        f'<!doctype html>\n<html lang="{spoken()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    ).encode()


def _body(findings: Findings, title: str) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>\n<p>{escape(findings_paragraph(findings))}</p>"
    yield f"<h2>{escape(tr('Who wins'))}</h2>"
    yield _wins_chart(findings, tr("Wins, with {chance} intervals", chance=percent(0.95)), findings.cells)
    for name, rows in findings.groups.items():
        head, title = _group_titles(name)
        yield f"<h3>{escape(head)}</h3>{_wins_chart(findings, title, rows)}"
    yield _shares_table(findings)
    if findings.all.fights:
        yield f"<h2>{escape(tr('Where it is fought'))}</h2>"
        yield f"<p>{escape(tr('Attacks in each hex, per game.'))}</p>\n{_attacks_map(findings)}"
    yield f"<h2>{escape(tr('How it goes'))}</h2>"
    yield from _course_charts(findings, findings.all)
    if len(findings.cells) > 1:
        yield f"<h2>{escape(tr('One by one'))}</h2>"
        for row in findings.cells:
            charts = "\n".join(_course_charts(findings, row.tally))
            yield f"<details><summary>{escape(row.name)}</summary>\n{charts}\n</details>"
    yield f"<h2>{escape(tr('To repeat this study'))}</h2>"
    yield f"<p><code>{escape(study_command(findings))}</code></p>"


def _group_titles(name: str) -> tuple[str, str]:
    """The headings of a group of cells, and of its chart."""
    match name:
        case "edition":
            return tr("By edition"), tr("Wins by edition")
        case "players":
            return tr("By players"), tr("Wins by players")
    option = name.removeprefix("option_")
    return tr("By {option}", option=option), tr("Wins by {option}", option=option)


def _side_series(findings: Findings) -> list[Series]:
    """A series without values for each seat: its name and colour."""
    sides = findings.legend.sides
    return [
        Series(
            findings.seat_name(seat),
            (),
            css_class(counter_colour(findings.legend, seat)) if seat in sides else _NEUTRAL,
        )
        for seat in findings.rules.seats
    ]


def _wins_chart(findings: Findings, title: str, rows: list[TallyRow]) -> str:
    seat, other_seat = findings.rules.seats
    first, second = _side_series(findings)
    share_bars = [
        ShareBar(
            row.name,
            row.tally.share(seat),
            row.tally.share(other_seat),
            row.tally.interval(seat),
            row.tally.interval(other_seat),
        )
        for row in rows
    ]
    return share_chart(title, share_bars, (first, second))


def _shares_table(findings: Findings) -> str:
    """The shares of the charts as a table."""
    wins = [tr("{seat} wins, %", seat=findings.seat_name(seat)) for seat in findings.rules.seats]
    heads = ["", tr("games"), *wins, tr("draws, %"), length_unit(findings)]
    rows = [*findings.cells, *(row for rows in findings.groups.values() for row in rows)]
    rows += [TallyRow(tr("all"), findings.all)] if len(findings.cells) > 1 else []
    lines = [_table_row("th", heads), *(_table_row("td", _row_cells(findings, row)) for row in rows)]
    return f'<div class="wide"><table>{"".join(lines)}</table></div>'


def _row_cells(findings: Findings, row: TallyRow) -> list[str]:
    tally = row.tally
    wins = [share_with_interval(tally, seat) for seat in findings.rules.seats]
    length = number(tally.length, ".1f")
    return [row.name, number(tally.games), *wins, hundredths(tally.share(DRAW)), length]


def _table_row(tag: str, cells: list[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _course_charts(findings: Findings, tally: Tally) -> Iterator[str]:
    """Charts of length, losses and figures by turn, and of how often each unit is eliminated."""
    last = max(tally.turns, default=0)
    turns = [str(turn) for turn in range(1, last + 1)]
    if turns:
        ended = [100 * tally.turns[turn] / tally.games for turn in range(1, last + 1)]
        series = Series(tr("games that end, %"), ended, _NEUTRAL)
        yield _with_heading(
            tr("Length"), column_chart(tr("Length of the games"), turns, [series], tr("turn"))
        )
    if turns and tally.lost:
        lost = [
            Series(tr("{seat} units", seat=side.name), tally.losses(seat), side.style)
            for seat, side in zip(findings.rules.seats, _side_series(findings), strict=True)
        ]
        drawn = column_chart(tr("Units lost by the end of each turn"), turns, lost, tr("turn"))
        yield _with_heading(tr("Lost so far"), drawn)
    for figure in tally.figures() if turns else ():
        name = findings.translate(figure)
        series = Series(tr("{figure}, mean", figure=name), tally.figure(figure), _NEUTRAL)
        title = tr("{figure} at the end of each turn", figure=name)
        yield _with_heading(name, column_chart(title, turns, [series], tr("turn")))
    for seat, side in zip(findings.rules.seats, _side_series(findings), strict=True):
        if units := findings.lost_units(seat):
            rows = [(unit, tally.deaths[unit] / tally.games) for unit in units]
            drawn = bar_chart(tr("{seat} units eliminated", seat=side.name), rows, side.style)
            yield _with_heading(tr("{seat} units: how often each is eliminated", seat=side.name), drawn)


def _with_heading(head: str, chart: str) -> str:
    return f"<h3>{escape(head)}</h3>{chart}"


def _attacks_map(findings: Findings) -> str:
    """The map, tinted by the mean number of attacks in each hex."""
    tally = findings.all
    most = max(tally.fights.values())
    means = {at: count / tally.games for at, count in tally.fights.items()}
    tints = {
        at: (0.75 * tally.fights[at] / most, number(mean, ".1f") if mean >= 0.05 else "")
        for at, mean in means.items()
    }
    return tinted_map(findings.legend, tints, tr("Where attacks are made"))
