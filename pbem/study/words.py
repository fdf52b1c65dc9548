"""What a study has found in words: a table for a terminal, and one paragraph."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.requests import Plain
from pbem.render.words import cut, named, safe, wrap
from pbem.study.findings import Findings, Match, Row
from pbem.study.intervals import wilson
from pbem.study.plan import PLAYOUTS
from pbem.study.tally import DRAW, Tally

_NAME = 18
"""Columns of the names beside the figures, at most; longer ones stand above them."""

_REASON = 90
"""Columns of why a game has ended, at most: a scenario's own words may be in there."""


def table(findings: Findings) -> list[str]:
    """Win rates with their intervals, a line for each cell, then for cells taken together."""
    groups = [findings.cells, *findings.groups.values()]
    if len(findings.cells) > 1:
        groups.append([Row("all", findings.all)])
    width = min(_NAME, max(len(row.name) for rows in groups for row in rows))
    heads = [f"{findings.seat(seat)} wins" for seat in findings.rules.seats]
    lines = [f"{'':<{width}}{'games':>8} {heads[0]:>18} {heads[1]:>18}  draws {_unit(findings):>6}"]
    for number, rows in enumerate(groups):
        lines += [""] if number else []
        lines += [line for row in rows for line in _lines(findings, row, width)]
    return lines


def _lines(findings: Findings, row: Row, width: int) -> list[str]:
    """A row: one line, or two if its name has no room beside the figures."""
    tally = row.tally
    shares = " ".join(f"{interval(tally, seat):>18}" for seat in findings.rules.seats)
    rest = f"{tally.games:>8,} {shares}  {percent(tally.share(DRAW)):>5} {tally.length:>6.1f}"
    return [f"{row.name:<{width}}{rest}"] if len(row.name) <= width else [row.name, f"{'':<{width}}{rest}"]


def interval(tally: Tally, seat: str) -> str:
    """A share of wins with its interval, in percent: `48.2 (46.8-49.6)`."""
    low, high = tally.interval(seat)
    return f"{percent(tally.share(seat))} ({percent(low)}-{percent(high)})"


def percent(share: float) -> str:
    """A share in percent, with one decimal."""
    return f"{100 * share:.1f}"


def _unit(findings: Findings) -> str:
    return "turns" if findings.rules.view.turn else "orders"


def paragraph(findings: Findings) -> str:
    """What it comes to, in some sentences."""
    return " ".join(_sentences(findings))


def _sentences(findings: Findings) -> Iterator[str]:
    plan, tally, seats = findings.plan, findings.all, findings.rules.seats
    players = {player: None for cell in plan.cells for player in cell.players.values()}
    by = " and ".join(f"'{player}'" for player in players)
    yield f"{tally.games:,} games of {findings.rules.title}, played by {by}, seed {plan.seed}."
    if findings.own:
        yield f"The scenario is {named(findings.own)}, which is not the game's own."
    if len(findings.terms) == 1:
        yield f"{_wins(findings, tally)}."
    else:
        yield from _compared(findings)
    yield from map(_match, findings.matches)
    longest = max(tally.turns)
    if longest:
        yield f"A game takes {tally.length:.1f} turns, the longest {longest}."
    if tally.lost:
        costs = [f"{findings.seat(seat)} {tally.losses(seat)[-1]:.1f} units" for seat in seats]
        yield f"Lost in a game: {', '.join(costs)}."
    yield f"Most often it ends so: {_ends(findings)}."


def _wins(findings: Findings, tally: Tally) -> str:
    """`German wins 48.2 % (46.8 to 49.6), US 51.8 % (50.4 to 53.2), 0.0 % are drawn`."""
    parts = []
    for seat in findings.rules.seats:
        low, high = map(percent, tally.interval(seat))
        parts.append(f"{findings.seat(seat)} wins {percent(tally.share(seat))} % ({low} to {high})")
    drawn = f"{percent(tally.share(DRAW))} % are drawn" if tally.won[DRAW] else "none is drawn"
    return ", ".join([*parts, drawn])


def _compared(findings: Findings) -> Iterator[str]:
    """Which terms are nearest to even chances, and which farthest from them."""
    rows = sorted(findings.terms, key=lambda row: abs(_balance(findings, row.tally)))
    fairest, unfairest = rows[0], rows[-1]
    yield f"The fairest is {fairest.name}: {_wins(findings, fairest.tally)}."
    if abs(_balance(findings, unfairest.tally)) > abs(_balance(findings, fairest.tally)):
        yield f"The least fair is {unfairest.name}: {_wins(findings, unfairest.tally)}."
    first, second = findings.rules.seats
    fair = [row.name for row in findings.terms if _may_be_even(row.tally, first, second)]
    yield f"Chances may be even in {'; '.join(fair)}." if fair else "Chances are even in none of them."


def _balance(findings: Findings, tally: Tally) -> float:
    """How far the wins are from half and half, of the decided games."""
    first, second = (tally.won[seat] for seat in findings.rules.seats)
    return first / (first + second) - 0.5 if first + second else 0.5


def _may_be_even(tally: Tally, first: str, second: str) -> bool:
    low, high = wilson(tally.won[first], tally.won[first] + tally.won[second])
    return low <= 0.5 <= high


def _match(match: Match) -> str:
    """Who is the better player, and how sure that is."""
    if match.won < match.lost:
        match = Match(match.other, match.one, match.games, match.lost, match.won)
    decided = match.won + match.lost
    if not decided:
        return f"No game between '{match.one}' and '{match.other}' is decided."
    low, high = map(percent, match.interval)
    return (
        f"In both seats together '{match.one}' wins {percent(match.won / decided)} % ({low} to {high}) of the"
        f" {decided:,} decided games against '{match.other}'."
    )


def _ends(findings: Findings) -> str:
    """The most frequent ends."""
    tally = findings.all
    said = []
    for (winner, reason, rule), games in tally.ends.most_common(3):
        who = f"{findings.seat(winner)} wins" if winner else "a draw"
        said.append(f"{who}, {cut(safe(reason), _REASON)} ({rule}), {percent(games / tally.games)} %")
    return "; ".join(said)


def data(findings: Findings) -> Plain:
    """The table for a program: shares and their intervals from 0 to 1, the length in turns or orders."""
    groups = {"cells": findings.cells, **findings.groups, "all": [Row("all", findings.all)]}
    return {
        "game": findings.plan.rules,
        "seed": findings.plan.seed,
        **{group: [_row_data(findings, row) for row in rows] for group, rows in groups.items()},
    }


def _row_data(findings: Findings, row: Row) -> Plain:
    tally = row.tally
    wins = {
        seat: {"won": tally.won[seat], "share": tally.share(seat), "interval": list(tally.interval(seat))}
        for seat in findings.rules.seats
    }
    return {"name": row.name, "games": tally.games, **wins, "drawn": tally.won[DRAW], "length": tally.length}


def command(findings: Findings) -> str:
    """What one types to get the same study."""
    plan = findings.plan
    parts = ["pbem study", plan.game, f"--seed {plan.seed}"]
    parts += (
        [f"--games {plan.games}"] if plan.until is None else [f"--until {plan.until:g} --games {plan.games}"]
    )
    parts.append(f"--editions {','.join(dict.fromkeys(cell.edition for cell in plan.cells))}")
    for option in plan.cells[0].changed:
        values = dict.fromkeys(str(cell.changed[option]) for cell in plan.cells)
        parts.append(f"--option {option}={','.join(values)}")
    players = dict.fromkeys(player for cell in plan.cells for player in cell.players.values())
    parts.append(f"--players {','.join(players)}")
    parts += [f"--playouts {plan.playouts}"] if plan.playouts != PLAYOUTS else []
    return " ".join([*parts, *(["--scenario FILE"] if findings.own else [])])


def told(findings: Findings) -> str:
    """Table and paragraph, as they are printed."""
    return "\n".join([*table(findings), "", wrap(paragraph(findings))])
