"""The drawer of the page on the luck of a game, as HTML."""

from __future__ import annotations

from pbem.core.legend import Legend
from pbem.texts import Texts, number
from pbem.umpire.game import Game
from pbem.web.chart import Chart, ChartPoint
from pbem.web.document import to_html
from pbem.web.luck import SettledAttack, joint_chance, settled_attacks, sum_luck

tr = Texts("pbem")

LEAST_LIKELY = 5
"""How many of the least likely attacks are listed."""


def luck_panel(game: Game, legend: Legend) -> str:
    """The content of the drawer `luck`; empty if nobody has attacked."""
    settled = settled_attacks(game)
    if not settled:
        return ""
    sides = {side: [attack for attack in settled if attack.side == side] for side in legend.sides}
    rows = "".join(_side_row(legend.sides[side], own) for side, own in sides.items())
    least = sorted(settled, key=lambda attack: attack.likelihood)[:LEAST_LIKELY]
    one, two, *_ = sides.values()
    heads = (tr("Side"), tr("Attacks"), tr("Hits expected"), tr("Hits"), tr("How likely"))
    so_much = tr(
        "So much luck for one side or the other, or more: {chance} of games with these attacks.",
        chance=_percent(joint_chance(one, two)),
    )
    return (
        f"{_luck_chart(game, settled, legend)}\n"
        f"<table><tr>{''.join(f'<th>{to_html(head)}</th>' for head in heads)}</tr>{rows}</table>\n"
        f"<p>{to_html(so_much)}</p>\n<h3>{to_html(tr('The least likely draws'))}</h3>\n"
        f"<ul>{''.join(map(_attack_item, least))}</ul>\n"
        f'<p class="quiet">{to_html(_explain_figures())}</p>'
    )


def _luck_chart(game: Game, settled: list[SettledAttack], legend: Legend) -> str:
    """The first side's advantage in luck after each attack, in hits beyond those expected."""
    first = next(iter(legend.sides))
    ahead, line = 0.0, [(0, 0.0)]
    for attack in settled:
        more = attack.hit - float(attack.chance)
        ahead += more if attack.side == first else -more
        line.append((attack.entry, ahead))
    most = max(1.0, *(abs(value) for _, value in line))
    one, two, *_ = legend.sides.values()
    points = [
        ChartPoint(entry, 0.5 + value / most / 2, _describe_attack(attack))
        for attack, (entry, value) in zip(settled, line[1:], strict=True)
    ]
    return Chart(
        id="luck-chart",
        label=tr("Luck of {one} over {two}: hits beyond those expected", one=one, two=two),
        last=len(game.entries) - 1,
        across=[(0, f"{-most:.0f}"), (0.5, "0"), (1, f"+{most:.0f}")],
        line=[(entry, 0.5 + value / most / 2) for entry, value in line],
        points=points,
    ).as_svg()


def _explain_figures() -> str:
    """How the figures are computed."""
    return tr(
        "From the exact chance of each attack before its first card or die. How likely: so many hits or more "
        "where there were more than expected, else so many or fewer. Attacks of moves that were taken back "
        "count."
    )


def _side_row(side: str, own: list[SettledAttack]) -> str:
    total = sum_luck(own)
    cells = [side, str(total.attacks), number(total.expected, ".1f"), str(total.hits), _percent(total.chance)]
    return f"<tr>{''.join(f'<td>{to_html(cell)}</td>' for cell in cells)}</tr>"


def _attack_item(attack: SettledAttack) -> str:
    link = f'<a href="#{attack.entry}">{to_html(tr("entry {entry}", entry=attack.entry))}</a>'
    return f"<li>{link}: {to_html(_describe_attack(attack))}</li>"


def _describe_attack(attack: SettledAttack) -> str:
    """An attack, its outcome, and how likely that was."""
    likely = _percent(float(attack.likelihood))
    if attack.hit:
        return tr("{attack}: a hit, {chance}", attack=attack.words, chance=likely)
    return tr("{attack}: a miss, {chance}", attack=attack.words, chance=likely)


def _percent(chance: float) -> str:
    """A chance in per cent, with one decimal if it is small."""
    return f"{number(100 * chance, '.0f' if chance >= 0.1 else '.1f')}%"
