"""Charts as Scalable Vector Graphics: bars for shares with their intervals, columns by turn, bars by unit.

They have the style sheet of the drawings, with the colours of the counters, and load nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from pbem.render.markup import escape
from pbem.texts import number

CHART_WIDTH = 560
"""The width of every chart, in its own units; a page scales it."""

_ROW, _NAME, _BAR = 46, 20, 18
"""The height of a row of shares, of its name, and of the bar below that."""

_NAMES_WIDTH = 170
"""The x where bars begin: left of it are the names of the rows."""

_COLUMN_HEIGHT = 170
"""The height of columns, from the base line up."""

Interval: TypeAlias = tuple[float, float]


class ShareBar(Struct, frozen=True):
    """A stacked bar: its name, the share of the first and of the second side, and the interval of each."""

    name: str
    first: float
    second: float
    first_interval: Interval
    second_interval: Interval


class Series(Struct, frozen=True):
    """A series of values: what they are, the values, and the CSS class of their colour."""

    name: str
    values: Sequence[float]
    style: str


def share_chart(title: str, rows: Sequence[ShareBar], sides: tuple[Series, Series]) -> str:
    """Stacked bars: the first side's share from the left, the second's from the right, draws between.

    A bracket on each shows the interval; the dashed line is half of all.
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
    for percent in (0, 25, 50, 75, 100):
        parts.append(_text(edge + span * percent // 100, bottom + 10, f"{percent} %", "middle", "small"))
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
    """A horizontal bar for each name, with its share in percent."""
    row, bar = 22, 14
    span = CHART_WIDTH - _NAMES_WIDTH - 60
    parts = []
    for index, (name, share) in enumerate(rows):
        y = 6 + index * row
        parts.append(_text(_NAMES_WIDTH - 8, y + 12, name, "end"))
        parts.append(_box(_NAMES_WIDTH, y, round(span * share), bar, style))
        parts.append(_text(_NAMES_WIDTH + span * share + 6, y + 12, f"{share:.0%}", "start", "small"))
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
    """An interval, over the middle of a bar: bright within dark, so that it shows on any colour."""
    path = f"M{low:.1f} {y + 3}v12M{low:.1f} {y + 9}H{high:.1f}M{high:.1f} {y + 3}v12"
    return f'<path class="under" d="{path}"/><path class="over" d="{path}"/>'


def _text(x: float, y: float, words: str, anchor: str, style: str = "") -> str:
    as_ = f"{style} {anchor}".strip()
    return f'<text x="{x:.0f}" y="{y:.0f}" class="{as_}">{escape(words)}</text>' if words else ""


def _short_number(value: float) -> str:
    """A number without decimals if it is whole or at least 10, else with one."""
    return number(value, ".0f" if value >= 10 or value == int(value) else ".1f")
