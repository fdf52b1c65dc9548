"""The drawer about what decided the game, with a chart whose points link to the entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.analysis import report_text
from pbem.analysis.playouts import Decision
from pbem.analysis.statistics import Estimate
from pbem.analysis.turning_points import (
    GameReport,
    Stretch,
    significant_steps,
)
from pbem.texts import Texts, percent
from pbem.umpire.game_state import Game
from pbem.web.html_file import to_html
from pbem.web.page_panels import Chart, ChartPoint

tr = Texts("pbem")

_SECTION = """\
<p>{introduction}</p>
{chart}
<table><tr>{head}</tr>{sides}</table>
{turned}
{told}
"""


def chances_panel(game: Game, report: GameReport) -> str:
    """The content of the drawer `chances`."""
    head, *sides = report_text.side_table(game, report)
    points = "".join(_stretch_item(game, report, stretch) for stretch in report.stretches)
    paragraphs = [*report_text.verdict(game, report), report_text.report_paragraph(game, report)]
    listed = f"<h3>{to_html(report_text.stretches_heading())}</h3>\n<ul>{points}</ul>"
    return _SECTION.format(
        introduction=to_html(report_text.introduction(game, report)),
        chart=chances_chart(game, report),
        head="".join(f"<th>{to_html(cell)}</th>" for cell in head),
        sides="".join(f"<tr>{''.join(f'<td>{to_html(cell)}</td>' for cell in side)}</tr>" for side in sides),
        turned=listed if points else f"<p>{to_html(report_text.no_stretches_text())}</p>",
        told="\n".join(f"<p>{to_html(words)}</p>" for words in paragraphs),
    )


def _stretch_item(game: Game, report: GameReport, stretch: Stretch) -> str:
    """A stretch that decided the game, and the moment with most of its change; both link to their entries."""
    links = entry_link(report, stretch.first, report_text.describe_stretch(game, report, stretch))
    if stretch.key_step is not None and stretch.first < stretch.last:
        step = report_text.describe_key_step(game, report, stretch)
        links += f"<br>{entry_link(report, stretch.key_step, step)}"
    return f"<li>{links}</li>"


def entry_link(report: GameReport, at: int, words: str) -> str:
    """A link to the entry of a step."""
    return f'<a href="#{report.line.steps[at].entry}">{to_html(words)}</a>'


def chances_chart(game: Game, report: GameReport, seat: str = "") -> str:
    """The chance of `seat`, or of the first one, after each entry; each decision is a point and a link."""
    line, seat = report.line, seat or game.rules.seats[0]
    chances = [
        report_text.own_estimate(chance, 1 if seat == game.rules.seats[0] else -1)
        for chance in report.chances
    ]
    entries = [0, *(step.entry for step in line.steps)]
    return Chart(
        id="chart",
        label=tr("Chance of {side} after each entry", side=game.rules.side(seat)),
        last=entries[-1],
        across=[(share, percent(share)) for share in (0, 0.25, 0.5, 0.75, 1)],
        line=[(entry, chance.mean) for entry, chance in zip(entries, chances, strict=True)],
        points=list(_points(game, report, chances)),
        band=[chance.interval for chance in chances],
    ).as_svg()


def _points(game: Game, report: GameReport, chances: Sequence[Estimate]) -> Iterator[ChartPoint]:
    """A point for each decision and each turning point."""
    line = report.line
    turned = set(significant_steps(report))
    for at, (step, chance) in enumerate(zip(line.steps, chances[1:], strict=True)):
        if at in turned or isinstance(step, Decision):
            what = report_text.describe_step(game, line, at)
            words = tr(
                "entry {entry}: {chance}; {what}",
                entry=step.entry,
                chance=report_text.own_chance(chance, 1),
                what=what,
            )
            yield ChartPoint(step.entry, chance.mean, words, at in turned)
