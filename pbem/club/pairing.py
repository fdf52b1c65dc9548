"""A season from its players: each against each, and each as often on either side as can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.club.season import Pairing, Season
from pbem.core.rules import Rules


def make_round_robin(name: str, rules: Rules, edition: str, players: Sequence[str], twice: bool) -> Season:
    """A season as a round robin, one round a period, of the players in this order.

    How often a player has each side differs by one at most; with `twice` each pair meets again with sides
    changed.
    """
    first_seat, second_seat = sorted(rules.seats)
    pairings = []
    rounds = list(_rounds(len(players)))
    for leg in range(2 if twice else 1):
        for number, pairs in enumerate(rounds, 1 + leg * len(rounds)):
            for pair in pairs:
                first, second = reversed(pair) if leg else pair
                pairings.append(Pairing(number, {first_seat: players[first], second_seat: players[second]}))
    return Season(name, rules.name, edition, pairings)


def _rounds(number: int) -> Iterator[list[tuple[int, int]]]:
    """The rounds by the circle method: all but the last rotate; with an odd number one has a bye."""
    places = number + number % 2
    for turn in range(places - 1):
        circle = [*((turn + at) % (places - 1) for at in range(places - 1)), places - 1]
        pairs = (sorted((circle[at], circle[places - 1 - at])) for at in range(places // 2))
        yield sorted(_assign_sides(low, high) for low, high in pairs if high < number)


def _assign_sides(low: int, high: int) -> tuple[int, int]:
    """The two players, the one with the first side first; each has it equally often, give or take one."""
    return (low, high) if (low + high) % 2 else (high, low)
