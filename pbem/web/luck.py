"""The luck of each side: exact chances against their outcomes.

Each attack counts once, with the chance it had before the first card or die, and as it was settled first.
Those of moves that were taken back count too: the cards were drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from pbem.core.traces import Settled, Shot
from pbem.umpire.game import Game


class SettledAttack(Struct, frozen=True):
    """An attack settled in an entry: its side, who attacked whom, the chance of a hit, and whether it hit."""

    entry: int
    side: str
    words: str
    chance: Fraction
    hit: bool

    @property
    def likelihood(self) -> Fraction:
        """The chance of the outcome that it had."""
        return self.chance if self.hit else 1 - self.chance


class SideLuck(Struct, frozen=True):
    """The attacks of one side: how many, the expected number of hits, and the actual one.

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
    for number, replayed in enumerate(game.replayed_entries):
        for trace in (trace for tell in replayed.events for trace in (traces(tell) if traces else [])):
            if isinstance(trace, Shot):
                declared = trace
            elif isinstance(trace, Settled) and declared is not None:
                yield SettledAttack(number, declared.side, declared.words, declared.chance, trace.hit)
                declared = None


def sum_luck(settled: Sequence[SettledAttack]) -> SideLuck:
    """These attacks summed up."""
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
