"""The drawer of the page on what turned the game, with a chart whose points link to the entries."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from pbem.analysis import report_text
from pbem.analysis.playouts import Decision, main_line
from pbem.analysis.statistics import Estimate
from pbem.analysis.turning_points import (
    GameReport,
    Stretch,
    make_report,
    playout_runner,
    significant_steps,
)
from pbem.errors import PbemError
from pbem.texts import Texts
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


_SECONDS = 5.0
"""The time for a report on the board by the clock: it is there sooner, with wider intervals."""

_MAX_REPORTS = 8

_reports: dict[str, ReportInProgress] = {}
"""The reports that were begun while the program runs, by the ids of the last entries."""


class ReportInProgress:
    """A report that is computed in a thread of this process; the thread ends with the program."""

    def __init__(self, game: Game) -> None:
        self.share_done = 0.0
        self.report: GameReport | None = None
        self.problem = ""
        threading.Thread(target=self._compute, args=(game,), daemon=True).start()

    def _compute(self, game: Game) -> None:
        try:
            positions = main_line(game)
            with playout_runner(game, positions, b"", workers=1) as runner:
                self.report = make_report(
                    game.rules, positions, game.rules.playouts, runner, self._note_progress, _SECONDS
                )
        except PbemError as error:
            self.problem = str(error)

    def _note_progress(self, done: int, of: int) -> None:
        self.share_done = min(done / of, 0.99)


def begin_report(game: Game) -> ReportInProgress:
    """The report on what turned a game, begun now if it was not before."""
    head = game.ids[-1]
    if head not in _reports:
        while len(_reports) >= _MAX_REPORTS:
            del _reports[next(iter(_reports))]
        _reports[head] = ReportInProgress(game)
    return _reports[head]


def finished_report(game: Game) -> GameReport | None:
    """The report on a game, if it was computed before."""
    begun = _reports.get(game.ids[-1])
    return begun.report if begun else None


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
    """A stretch that turned the game, and the moment with most of the change; both link to their entries."""
    links = _entry_link(report, stretch.first, report_text.describe_stretch(game, report, stretch))
    if stretch.key_step is not None and stretch.first < stretch.last:
        step = report_text.describe_key_step(game, report, stretch)
        links += f"<br>{_entry_link(report, stretch.key_step, step)}"
    return f"<li>{links}</li>"


def _entry_link(report: GameReport, at: int, words: str) -> str:
    return f'<a href="#{report.line.steps[at].entry}">{to_html(words)}</a>'


def chances_chart(game: Game, report: GameReport) -> str:
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
    ).as_svg()


def _points(game: Game, report: GameReport) -> Iterator[ChartPoint]:
    """A point for each decision and each turning point."""
    line = report.line
    turned = set(significant_steps(report))
    for at, (step, chance) in enumerate(zip(line.steps, report.chances[1:], strict=True)):
        if at in turned or isinstance(step, Decision):
            what = report_text.describe_step(game, line, at)
            words = tr(
                "entry {entry}: {chance}; {what}",
                entry=step.entry,
                chance=_describe_chance(chance),
                what=what,
            )
            yield ChartPoint(step.entry, chance.mean, words, at in turned)


def _describe_chance(chance: Estimate) -> str:
    return report_text.own_chance(chance, 1)
