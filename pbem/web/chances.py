"""The drawer of the page on what turned the game, with a chart whose points link to the entries."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.study import report_text, verdicts
from pbem.study.estimate import Estimate
from pbem.study.moments import Decision
from pbem.study.stretches import Stretch
from pbem.study.turning_points import Report, turning_points
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.web.chart import Chart, Point
from pbem.web.document import text

tr = Texts("pbem")

_SECTION = """\
<p>{introduction}</p>
{chart}
<table><tr>{head}</tr>{sides}</table>
{turned}
{told}
"""


def chances(game: Game, report: Report) -> str:
    """The content of the drawer `chances`."""
    head, *sides = report_text.table(game, report)
    points = "".join(_turned(game, report, stretch) for stretch in report.stretches)
    paragraphs = [*verdicts.verdict(game, report), verdicts.paragraph(game, report)]
    listed = f"<h3>{text(report_text.changed())}</h3>\n<ul>{points}</ul>"
    return _SECTION.format(
        introduction=text(report_text.introduction(game, report)),
        chart=chart(game, report),
        head="".join(f"<th>{text(cell)}</th>" for cell in head),
        sides="".join(f"<tr>{''.join(f'<td>{text(cell)}</td>' for cell in side)}</tr>" for side in sides),
        turned=listed if points else f"<p>{text(report_text.unsure())}</p>",
        told="\n".join(f"<p>{text(words)}</p>" for words in paragraphs),
    )


def _turned(game: Game, report: Report, stretch: Stretch) -> str:
    """A stretch that turned the game, and the moment with most of the change; both link to their entries."""
    links = _linked(report, stretch.first, report_text.stretch(game, report, stretch))
    if stretch.most is not None and stretch.first < stretch.last:
        links += f"<br>{_linked(report, stretch.most, report_text.most(game, report, stretch))}"
    return f"<li>{links}</li>"


def _linked(report: Report, at: int, words: str) -> str:
    return f'<a href="#{report.line.steps[at].entry}">{text(words)}</a>'


def chart(game: Game, report: Report) -> str:
    """The chance after each entry with its interval; each decision is a point that links to it."""
    line = report.line
    entries = [0, *(step.entry for step in line.steps)]
    return Chart(
        id="chart",
        label=tr("Chance of {side} after each entry", side=game.rules.side(game.rules.seats[0])),
        last=entries[-1],
        across=[(share, f"{share:.0%}") for share in (0, 0.25, 0.5, 0.75, 1)],
        line=[(entry, chance.mean) for entry, chance in zip(entries, report.chances, strict=True)],
        points=list(_points(game, report)),
        band=[chance.interval for chance in report.chances],
    ).drawn()


def _points(game: Game, report: Report) -> Iterator[Point]:
    """A point for each decision and each turning point."""
    line = report.line
    turned = set(turning_points(report))
    for at, (step, chance) in enumerate(zip(line.steps, report.chances[1:], strict=True)):
        if at in turned or isinstance(step, Decision):
            what = report_text.words(game, line, at)
            words = tr("entry {entry}: {chance}; {what}", entry=step.entry, chance=_chance(chance), what=what)
            yield Point(step.entry, chance.mean, words, at in turned)


def _chance(chance: Estimate) -> str:
    return report_text.own(chance, 1)
