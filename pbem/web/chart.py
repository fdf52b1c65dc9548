"""A chart over the entries of a game, as SVG: a line, and points that lead to their entries."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.web.document import to_html

_CHART_WIDTH, _CHART_HEIGHT, _CHART_LEFT, _CHART_TOP = 330, 150, 36, 10
"""The size of the chart's area, and the place of its top left corner."""

_POINT_RADIUS = 3


class ChartPoint(Struct, frozen=True):
    """A point that links to its entry: its value, from 0 to 1, and its tooltip.

    One that is `turned` is larger.
    """

    entry: int
    value: float
    words: str
    highlighted: bool = False


class Chart(Struct, frozen=True):
    """A chart: id and label, the last entry, labelled horizontal lines (`across`), its line and points.

    All values are from 0, at the bottom, to 1. `band` has the bounds of each value of the line.
    """

    id: str
    label: str
    last: int
    across: Sequence[tuple[float, str]]
    line: Sequence[tuple[int, float]]
    points: Sequence[ChartPoint]
    band: Sequence[tuple[float, float]] = ()

    def as_svg(self) -> str:
        """The chart as SVG; `replay.js` moves its cursor to the entry that is shown."""
        last = max(self.last, 1)
        middle = " ".join(f"{_x(entry, last)} {_y(value)}" for entry, value in self.line)
        width, height = _CHART_WIDTH + _CHART_LEFT + 20, _CHART_HEIGHT + _CHART_TOP + 30
        scale = f"{_CHART_LEFT} {_CHART_WIDTH} {last}"
        return (
            f'<svg id="{self.id}" class="chart" viewBox="0 0 {width} {height}" '
            f'role="group" aria-label="{to_html(self.label)}">\n{self._axes(last)}\n{self._band(last)}'
            f'<polyline points="{middle}"/>\n'
            f'<path class="cursor" d="M0 {_CHART_TOP}v{_CHART_HEIGHT}" data-scale="{scale}"/>\n'
            f"{''.join(_point(point, last) for point in self.points)}\n</svg>"
        )

    def _axes(self, last: int) -> str:
        """The horizontal lines with their labels, and the numbers of some entries."""
        lines = "".join(
            f'<path d="M{_CHART_LEFT} {_y(value)}h{_CHART_WIDTH}"/>'
            f'<text x="{_CHART_LEFT - 4}" y="{_y(value)}">{to_html(words)}</text>'
            for value, words in self.across
        )
        step = next(
            size for size in (5, 10, 20, 50, 100, 200, 500, last) if last / size <= 10 or size == last
        )
        numbers = "".join(
            f'<text class="entry" x="{_x(entry, last)}" y="{_CHART_HEIGHT + _CHART_TOP + 20}">{entry}</text>'
            for entry in range(0, last + 1, step)
        )
        return f'<g class="axes">{lines}{numbers}</g>'

    def _band(self, last: int) -> str:
        """The area between the bounds, if there are bounds."""
        if not self.band:
            return ""
        bounds = list(zip(self.line, self.band, strict=True))
        low = [f"{_x(entry, last)} {_y(bottom)}" for (entry, _), (bottom, _) in bounds]
        high = [f"{_x(entry, last)} {_y(top)}" for (entry, _), (_, top) in bounds]
        return f'<polygon class="likely" points="{" ".join((*low, *reversed(high)))}"/>'


def _point(point: ChartPoint, last: int) -> str:
    kind = ' class="turned"' if point.highlighted else ""
    place = f'cx="{_x(point.entry, last)}" cy="{_y(point.value)}" r="{_POINT_RADIUS + 2 * point.highlighted}"'
    return f'<a href="#{point.entry}"{kind}><title>{to_html(point.words)}</title><circle {place}/></a>'


def _x(entry: int, last: int) -> str:
    return f"{_CHART_LEFT + _CHART_WIDTH * entry / last:.1f}"


def _y(value: float) -> str:
    return f"{_CHART_TOP + _CHART_HEIGHT * (1 - min(max(value, 0), 1)):.1f}"
