"""The luck of each side, exact chances against their outcomes, and the drawer of the page that shows it.

Each attack counts once, with its chance before the first card or die, and with its first result. Attacks in
moves that were taken back count too: their cards were drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from pbem.core.legend import Legend
from pbem.core.traces import Settled, Shot
from pbem.texts import Texts, number, percent
from pbem.umpire.game_state import Game
from pbem.web.html_file import to_html
from pbem.web.page_panels import Chart, ChartPoint

tr = Texts("pbem")


class SettledAttack(Struct, frozen=True):
    """An attack settled in an entry: its side, who attacked whom, the chance of a hit, and whether it hit."""

    entry: int
    side: str
    words: str
    chance: Fraction
    hit: bool

    @property
    def likelihood(self) -> Fraction:
        """The chance of the actual outcome."""
        return self.chance if self.hit else 1 - self.chance


class SideLuck(Struct, frozen=True):
    """The attacks of one side: their number, and the expected and actual number of hits.

    `chance` is that of this many hits or more if there were more than expected, else of this many or fewer.
    """

    attacks: int
    expected: float
    hits: int
    chance: float


def settled_attacks(game: Game) -> list[SettledAttack]:
    """Every settled attack of a game, in order; none if the game's view has no traces."""
    return list(_settled_attacks(game))


def _settled_attacks(game: Game) -> Iterator[SettledAttack]:
    traces = game.rules.view.traces
    declared: Shot | None = None
    for entry, replayed in enumerate(game.replayed_entries):
        for trace in (trace for tell in replayed.events for trace in (traces(tell) if traces else [])):
            if isinstance(trace, Shot):
                declared = trace
            elif isinstance(trace, Settled) and declared is not None:
                yield SettledAttack(entry, declared.side, declared.words, declared.chance, trace.hit)
                declared = None


def sum_luck(settled: Sequence[SettledAttack]) -> SideLuck:
    """The sum of these attacks."""
    hits = sum(attack.hit for attack in settled)
    expected = float(sum(attack.chance for attack in settled))
    spread = hit_distribution([float(attack.chance) for attack in settled])
    chance = sum(spread[hits:]) if hits >= expected else sum(spread[: hits + 1])
    return SideLuck(len(settled), expected, hits, min(chance, 1.0))


def hit_distribution(chances: Sequence[float]) -> list[float]:
    """The probability of each number of hits, from none to all, in independent attacks with these chances."""
    spread = [1.0]
    for chance in chances:
        missed = [*(each * (1 - chance) for each in spread), 0.0]
        hit = [0.0, *(each * chance for each in spread)]
        spread = [first + second for first, second in zip(missed, hit, strict=True)]
    return spread


def joint_chance(ours: Sequence[SettledAttack], theirs: Sequence[SettledAttack]) -> float:
    """The chance that luck favours either side at least as much as it did.

    Luck is a side's hits beyond those expected, minus the other side's.
    """
    ahead = _excess_hits(ours) - _excess_hits(theirs)
    mine, yours = (hit_distribution([float(attack.chance) for attack in side]) for side in (ours, theirs))
    middle = float(sum(attack.chance for attack in ours)) - float(sum(attack.chance for attack in theirs))
    return min(
        1.0,
        sum(
            own_chance * other_chance
            for hits, own_chance in enumerate(mine)
            for against, other_chance in enumerate(yours)
            if abs(hits - against - middle) >= abs(ahead) - 1e-9
        ),
    )


def _excess_hits(settled: Sequence[SettledAttack]) -> float:
    return sum(attack.hit for attack in settled) - float(sum(attack.chance for attack in settled))


LEAST_LIKELY = 5
"""How many of the least likely results are listed."""


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
        "This much luck or more, for either side: {chance} of games with these attacks.",
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
    """The explanation of how the figures are computed."""
    return tr(
        "Based on the exact chance of each attack before its first card or die. How likely: this "
        "many hits or more if there were more than expected, otherwise this many or fewer. Attacks "
        "in moves that were taken back count too."
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
    """A chance as a percentage, with one decimal if it is small."""
    return percent(chance, 0 if chance >= 0.1 else 1)
