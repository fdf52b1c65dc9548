"""The findings of a study as text, a table for a terminal and a paragraph, and as data."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.analysis.findings import DRAW, Findings, HeadToHead, Tally, TallyRow
from pbem.analysis.statistics import wilson_interval
from pbem.analysis.study import DEFAULT_PLAYOUTS
from pbem.core.requests import Plain
from pbem.core.sentences import joined
from pbem.messages import quoted
from pbem.render.safe_text import cut, quote_name, safe_text, wrap
from pbem.texts import Texts, number, percent

tr = Texts("pbem")

_NAME = 18
"""The maximum width of names beside the figures; longer ones are above them."""

_REASON = 90
"""The maximum width of the reason why a game ended, which can contain words from a scenario."""


def findings_table(findings: Findings) -> list[str]:
    """Shares of wins with their intervals: a line for each cell, then for each group of cells."""
    groups = [findings.cells, *findings.groups.values()]
    if len(findings.cells) > 1:
        groups.append([TallyRow(tr("all"), findings.all)])
    width = min(_NAME, max(len(row.name) for rows in groups for row in rows))
    heads = [tr("{seat} wins", seat=findings.seat_name(seat)) for seat in findings.rules.seats]
    figures = f"{tr('games'):>8} {heads[0]:>18} {heads[1]:>18} {tr('draws'):>6} {length_unit(findings):>6}"
    lines = [f"{'':<{width}}{figures}"]
    for index, rows in enumerate(groups):
        lines += [""] if index else []
        lines += [line for row in rows for line in _row_lines(findings, row, width)]
    return lines


def _row_lines(findings: Findings, row: TallyRow, width: int) -> list[str]:
    """A row: one line, or two if its name does not fit beside the figures."""
    tally = row.tally
    shares = " ".join(f"{share_with_interval(tally, seat):>18}" for seat in findings.rules.seats)
    drawn, length = hundredths(tally.share(DRAW)), number(tally.length, ".1f")
    rest = f"{number(tally.games):>8} {shares} {drawn:>6} {length:>6}"
    return [f"{row.name:<{width}}{rest}"] if len(row.name) <= width else [row.name, f"{'':<{width}}{rest}"]


def share_with_interval(tally: Tally, seat: str) -> str:
    """A share of wins with its interval, as percentages: `48.2 (46.8-49.6)`."""
    low, high = tally.interval(seat)
    return f"{hundredths(tally.share(seat))} ({hundredths(low)}-{hundredths(high)})"


def hundredths(share: float) -> str:
    """A share as a percentage, with one decimal and no sign, which is in the table's heading."""
    return number(100 * share, ".1f")


def length_unit(findings: Findings) -> str:
    """The unit in which the length of a game is counted, in words."""
    return tr("turns") if findings.rules.view.turn else tr("orders")


def findings_paragraph(findings: Findings) -> str:
    """The main findings, in a few sentences."""
    return " ".join(_sentences(findings))


def _sentences(findings: Findings) -> Iterator[str]:
    plan, tally, seats = findings.plan, findings.all, findings.rules.seats
    players = {player: None for cell in plan.cells for player in cell.players.values()}
    yield tr.plural(
        "{games} game of {title}, played by {players}, seed {seed}.",
        "{games} games of {title}, played by {players}, seed {seed}.",
        tally.games,
        games=number(tally.games),
        title=findings.rules.title,
        players=joined([quoted(player) for player in players]),
        seed=str(plan.seed),
    )
    if findings.own_scenario:
        yield tr(
            "The scenario is {name}, which does not come with the game.",
            name=quote_name(findings.own_scenario),
        )
    if len(findings.terms) == 1:
        yield f"{_describe_wins(findings, tally)}."
    else:
        yield from _compare_terms(findings)
    yield from map(_describe_head_to_head, findings.matches)
    longest = max(tally.turns)
    if longest:
        length = number(tally.length, ".1f")
        yield tr(
            "A game takes {length} turns on average, the longest {longest}.", length=length, longest=longest
        )
    if tally.lost:
        lost = ((findings.seat_name(seat), number(tally.losses(seat)[-1], ".1f")) for seat in seats)
        costs = [tr("{seat} {losses} units", seat=seat, losses=losses) for seat, losses in lost]
        yield tr("Average losses per game: {losses}.", losses=", ".join(costs))
    yield tr("The most frequent endings: {ends}.", ends=_describe_endings(findings))


def _describe_wins(findings: Findings, tally: Tally) -> str:
    """`The Germans win 48.2% (46.8 to 49.6), the Americans win 51.8% (50.4 to 53.2), none is drawn`."""
    parts: list[str] = []
    for seat in findings.rules.seats:
        low, high = map(hundredths, tally.interval(seat))
        share = percent(tally.share(seat), 1)
        facts = {"side": findings.rules.side(seat), "share": share, "low": low, "high": high}
        if parts:
            parts.append(tr("{side} {side:wins|win} {share} ({low} to {high})", **facts))
        else:
            parts.append(tr("{side:The} {side:wins|win} {share} ({low} to {high})", **facts))
    if not tally.won[DRAW]:
        return ", ".join([*parts, tr("no game is drawn")])
    return ", ".join([*parts, tr("{share} are drawn", share=percent(tally.share(DRAW), 1))])


def _compare_terms(findings: Findings) -> Iterator[str]:
    """Sentences about the terms nearest to even chances, and those farthest from them."""
    rows = sorted(findings.terms, key=lambda row: abs(_balance(findings, row.tally)))
    fairest, unfairest = rows[0], rows[-1]
    yield tr(
        "The fairest is {terms}: {wins}.", terms=fairest.name, wins=_describe_wins(findings, fairest.tally)
    )
    if abs(_balance(findings, unfairest.tally)) > abs(_balance(findings, fairest.tally)):
        wins = _describe_wins(findings, unfairest.tally)
        yield tr("The least fair is {terms}: {wins}.", terms=unfairest.name, wins=wins)
    first, second = findings.rules.seats
    fair = [row.name for row in findings.terms if _may_be_fair(row.tally, first, second)]
    if fair:
        yield tr("Chances could be even in {terms}.", terms="; ".join(fair))
    else:
        yield tr("Chances are even in none of them.")


def _balance(findings: Findings, tally: Tally) -> float:
    """How far the share of wins in the decided games is from one half."""
    first, second = (tally.won[seat] for seat in findings.rules.seats)
    return first / (first + second) - 0.5 if first + second else 0.5


def _may_be_fair(tally: Tally, first: str, second: str) -> bool:
    low, high = wilson_interval(tally.won[first], tally.won[first] + tally.won[second])
    return low <= 0.5 <= high


def _describe_head_to_head(match: HeadToHead) -> str:
    """A sentence about who is the better player, and how certain that is."""
    if match.won < match.lost:
        match = HeadToHead(match.opponent, match.player, match.games, match.lost, match.won)
    decided = match.won + match.lost
    if not decided:
        return tr(
            "No game between '{one}' and '{other}' has a winner.", one=match.player, other=match.opponent
        )
    low, high = map(hundredths, match.interval)
    return tr(
        "Playing both sides, '{one}' wins {share} ({low} to {high}) of the {games} decided games "
        "against '{other}'.",
        one=match.player,
        share=percent(match.won / decided, 1),
        low=low,
        high=high,
        games=number(decided),
        other=match.opponent,
    )


def _describe_endings(findings: Findings) -> str:
    """The most frequent endings."""
    tally = findings.all
    endings = []
    for (winner, reason, rule), games in tally.ends.most_common(3):
        side = findings.rules.side(winner or "")
        who = tr("{side} {side:wins|win}", side=side) if winner else tr("a draw")
        why = cut(safe_text(findings.say_reason(reason)), _REASON)
        endings.append(f"{who}, {why} ({rule}), {percent(games / tally.games, 1)}")
    return "; ".join(endings)


def study_data(findings: Findings) -> Plain:
    """The table for programs: shares and their intervals from 0 to 1, the length in turns or orders."""
    groups = {"cells": findings.cells, **findings.groups, "all": [TallyRow("all", findings.all)]}
    return {
        "game": findings.plan.rules,
        "seed": findings.plan.seed,
        **{group: [_row_data(findings, row) for row in rows] for group, rows in groups.items()},
    }


def _row_data(findings: Findings, row: TallyRow) -> Plain:
    tally = row.tally
    wins = {
        seat: {"won": tally.won[seat], "share": tally.share(seat), "interval": list(tally.interval(seat))}
        for seat in findings.rules.seats
    }
    return {"name": row.name, "games": tally.games, **wins, "drawn": tally.won[DRAW], "length": tally.length}


def study_command(findings: Findings) -> str:
    """The command line that repeats the study."""
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
    parts += [f"--playouts {plan.playouts}"] if plan.playouts != DEFAULT_PLAYOUTS else []
    parts += [f"--scenario {tr.sense('placeholder', 'FILE')}"] if findings.own_scenario else []
    return " ".join(parts)


def describe_study(findings: Findings) -> str:
    """The table and the paragraph, as printed."""
    return "\n".join([*findings_table(findings), "", wrap(findings_paragraph(findings))])
