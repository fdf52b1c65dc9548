"""The layout of a page for reading or playing a game: top bar, controls, drawers, and charts.

`drawers.js` opens and closes the drawers; without it all are shown below each other. A chart is SVG over the
entries of a game: a line, and points that link to their entries.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.render.story import describe_commander
from pbem.texts import Texts
from pbem.umpire.game_state import Game
from pbem.web.html_file import to_html

tr = Texts("pbem")


_CHART_WIDTH, _CHART_HEIGHT, _CHART_LEFT, _CHART_TOP = 330, 150, 36, 10
"""The size of the chart's area, and the position of its top left corner."""

_POINT_RADIUS = 3


class ChartPoint(Struct, frozen=True):
    """A point that links to its entry: its value, from 0 to 1, and its tooltip.

    A `turned` point is larger.
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
        """The chart as SVG below its label; `replay.js` moves its cursor to the entry shown."""
        last = max(self.last, 1)
        middle = " ".join(f"{_x(entry, last)} {_y(value)}" for entry, value in self.line)
        width, height = _CHART_WIDTH + _CHART_LEFT + 20, _CHART_HEIGHT + _CHART_TOP + 30
        scale = f"{_CHART_LEFT} {_CHART_WIDTH} {last}"
        return (
            f'<p class="quiet">{to_html(self.label)}</p>\n'
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


class Drawer(Struct, frozen=True):
    """A drawer: its id, its title, and its content as HTML. With `shut` it is initially closed."""

    id: str
    title: str
    content: str
    shut: bool = False


def stage_content(game: Game, drawing: str) -> str:
    """The drawn map; for a game without one, its table, which `card-table.js` fills."""
    if game.rules.view.card_table is None:
        return drawing
    return f"""\
{drawing}
<div id="card-table">
<table id="fallen" aria-label="{to_html(tr("Dice"))}" aria-live="polite"></table>
<div id="table-hands"></div>
<div id="table-orders" role="group" aria-label="{to_html(tr("Orders"))}"></div>
<div id="table-dice" role="group" aria-label="{to_html(tr("Dice"))}"></div>
<div id="table-tracks"></div>
<div id="table-decks"></div>
</div>"""


def page_layout(
    game: Game, bar: str, stage: str, controls: str, drawers: list[Drawer], above: str = ""
) -> str:
    """The body of a page, from parts in HTML. `above` is shown above the drawers, whichever are open."""
    label = tr("Map") if game.rules.view.card_table is None else tr.sense("where a game is played", "Table")
    return f"""\
<header id="bar">
{bar}
</header>
<main>
<section id="board" aria-label="{to_html(label)}">
<ul id="figures" tabindex="0" aria-label="{to_html(tr("Position"))}"></ul>
<div id="stage">
{stage}
<div id="large" aria-hidden="true"></div>
</div>
<p id="now" aria-live="polite"></p>
{controls}
</section>
<div id="drawers">
{above}<div id="opened" aria-live="polite"></div>
{"".join(map(_drawer_html, drawers))}</div>
</main>
<nav id="tabs" aria-label="{to_html(tr("Drawers"))}"></nav>
"""


def _drawer_html(drawer: Drawer) -> str:
    shut = " data-shut" if drawer.shut else ""
    return f"""\
<section class="drawer" id="{drawer.id}" aria-label="{to_html(drawer.title)}"{shut}>
<h2>{to_html(drawer.title)}</h2>
{drawer.content}
</section>
"""


def controls(game: Game, more: str = "") -> str:
    """The controls of the replay and of the map; `more` is HTML."""
    last = len(game.entries) - 1
    combat = f'<option value="combat">{to_html(tr("combat"))}</option>\n' if game.rules.view.combat else ""
    return f"""\
<div id="controls">
<div id="steps" role="group" aria-label="{to_html(tr("Replay"))}">
{_button("to-first", "|<", tr("To the beginning"))}
{_button("back", "<", tr.sense("one step", "Back"))}
{_button("play", "▶", tr("Play"))}
{_button("on", ">", tr.sense("one step", "Forward"))}
{_button("to-last", ">|", tr("To the end"))}
</div>
<input type="range" id="when" min="0" max="{last}" value="{last}" aria-label="{to_html(tr("Entry"))}">
<div id="manner">
<label>{to_html(tr.sense("steps of a replay", "by"))} <select id="pace">
<option value="entry">{to_html(tr("entry"))}</option>
<option value="event">{to_html(tr("event"))}</option>
{combat}<option value="turn">{to_html(tr("turn"))}</option>
</select></label>
<select id="speed" aria-label="{to_html(tr("Speed"))}">
<option value="3000">{to_html(tr.sense("speed", "slow"))}</option>
<option value="1500" selected>{to_html(tr.sense("speed", "normal"))}</option>
<option value="500">{to_html(tr.sense("speed", "fast"))}</option>
</select>
<button type="button" id="play-turn">{to_html(tr("One turn"))} ▶</button>
{_commander_select(game)}</div>
{_zoom_buttons()}{more}
</div>
"""


def _button(name: str, sign: str, words: str) -> str:
    """A button with a symbol, and a label for screen readers."""
    label = to_html(words)
    return f'<button type="button" id="{name}" aria-label="{label}" title="{label}">{to_html(sign)}</button>'


def _zoom_buttons() -> str:
    """The buttons that zoom the map."""
    return f"""\
<div id="zoom" role="group" aria-label="{to_html(tr("Size of the map"))}">
{_button("closer", "+", tr("Zoom in"))}
{_button("farther", "−", tr("Zoom out"))}
{_button("whole", "⤢", tr("Whole map"))}
</div>"""


def _commander_select(game: Game) -> str:
    """The choice of whose counters are on top in a hex, if commanders share a side (FORMAT 11)."""
    names = [
        describe_commander(commander) for seat in game.seats.values() for commander in seat.commanders or ()
    ]
    options = "".join(
        f'<option value="{number}">{to_html(name)}</option>' for number, name in enumerate(names)
    )
    if not names:
        return ""
    every = f'<option value="">{to_html(tr("anybody"))}</option>'
    label = to_html(tr.sense("whose counters come", "first"))
    return f'<label>{label} <select id="first">{every}{options}</select></label>\n'
