"""The section of the page that says what turned the game, with a chart whose points lead to the entries."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.study.estimate import Estimate
from pbem.study.moments import Decision
from pbem.study.retold import changed, cost, introduction, own, paragraph, table, turn, unsure, words
from pbem.study.turning import Report, turning_points
from pbem.texts import Texts
from pbem.umpire import Game
from pbem.web.document import text

tr = Texts("pbem")

_WIDE, _HIGH, _LEFT, _TOP = 640, 200, 40, 10
"""The size of the chart, and the place of 100 % at the first entry."""

_RADIUS = 3.5


_SECTION = """\
<p>{introduction}</p>
{chart}
<table><tr>{head}</tr>{sides}</table>
{turned}
{told}
"""


def chances(game: Game, report: Report) -> str:
    """The content of the drawer `chances`."""
    head, *sides = table(game, report)
    points = "".join(_turned(game, report, at) for at in sorted(turning_points(report)))
    listed = f"<h3>{text(changed())}</h3>\n<ul>{points}</ul>"
    return _SECTION.format(
        introduction=text(introduction(game, report)),
        chart=chart(game, report),
        head="".join(f"<th>{text(cell)}</th>" for cell in head),
        sides="".join(f"<tr>{''.join(f'<td>{text(cell)}</td>' for cell in side)}</tr>" for side in sides),
        turned=listed if points else f"<p>{text(unsure())}</p>",
        told="\n".join(f"<p>{text(words)}</p>" for words in (*cost(game, report), paragraph(game, report))),
    )


def _turned(game: Game, report: Report, at: int) -> str:
    entry = report.line.steps[at].entry
    link = f'<a href="#{entry}">{text(tr("entry {entry}", entry=entry))}</a>'
    return f"<li>{link}: {text(turn(game, report, at))}</li>"


def chart(game: Game, report: Report) -> str:
    """The chance after each entry within its interval, as SVG; each decision is a point that leads to it."""
    line = report.line
    entries = [0, *(step.entry for step in line.steps)]
    last = max(entries[-1], 1)
    middle, low, high = "", "", []
    for entry, chance in zip(entries, report.chances, strict=True):
        x = _x(entry, last)
        bottom, top = chance.interval
        middle += f"{x} {_y(chance.mean)} "
        low += f"{x} {_y(bottom)} "
        high.append(f"{x} {_y(top)}")
    label = tr("Chance of {seat} after each entry", seat=game.rules.seats[0])
    band = f"{low}{' '.join(reversed(high))}"
    return (
        f'<svg id="chart" viewBox="0 0 {_WIDE + _LEFT + 20} {_HIGH + _TOP + 30}" role="group" '
        f'aria-label="{text(label)}">\n{_axes(last)}\n'
        f'<polygon class="likely" points="{band}"/><polyline points="{middle.strip()}"/>\n'
        f"{''.join(_points(game, report, last))}\n</svg>"
    )


def _axes(last: int) -> str:
    """The lines of some chances, and the numbers of some entries."""
    lines = "".join(
        f'<path d="M{_LEFT} {_y(share)}h{_WIDE}"/><text x="{_LEFT - 4}" y="{_y(share)}">{share:.0%}</text>'
        for share in (0, 0.25, 0.5, 0.75, 1)
    )
    step = next(size for size in (5, 10, 20, 50, 100, 200, 500, last) if last / size <= 10 or size == last)
    numbers = "".join(
        f'<text class="entry" x="{_x(entry, last)}" y="{_HIGH + _TOP + 20}">{entry}</text>'
        for entry in range(0, last + 1, step)
    )
    return f'<g class="axes">{lines}{numbers}</g>'


def _points(game: Game, report: Report, last: int) -> Iterator[str]:
    """A link for each decision and each turning point."""
    line = report.line
    turned = set(turning_points(report))
    for at, (step, chance) in enumerate(zip(line.steps, report.chances[1:], strict=True)):
        if at in turned or isinstance(step, Decision):
            what = words(game, line, at)
            told = tr("entry {entry}: {chance}; {what}", entry=step.entry, chance=_chance(chance), what=what)
            kind = ' class="turned"' if at in turned else ""
            place = f'cx="{_x(step.entry, last)}" cy="{_y(chance.mean)}" r="{_RADIUS + 2 * (at in turned)}"'
            yield f'<a href="#{step.entry}"{kind}><title>{text(told)}</title><circle {place}/></a>'


def _chance(chance: Estimate) -> str:
    return own(chance, 1)


def _x(entry: int, last: int) -> str:
    return f"{_LEFT + _WIDE * entry / last:.1f}"


def _y(chance: float) -> str:
    return f"{_TOP + _HIGH * (1 - min(max(chance, 0), 1)):.1f}"
