"""The ratings of practice players: from matches that anybody can repeat."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from benchmarks.match import match_round, result
from pbem import games
from pbem.analysis.self_play import RunDriver, SeatedPlayer, seeded_random
from pbem.analysis.statistics import rate_players, wilson_interval
from pbem.core.requests import Plain
from pbem.core.rules import DRAWN, LOST, WON, Match, Rules
from pbem.core.run import Position, Run


class Counted:
    """An effort of two playouts an answer that counts those that are taken."""

    def __init__(self) -> None:
        self.taken = 0

    def __iter__(self) -> Iterator[None]:
        for _ in range(2):
            self.taken += 1
            yield None


def shipped(rules: Rules) -> Plain:
    """The game's own scenario."""
    return rules.scenarios.data(rules.scenarios.names[0])


MATCHES = [
    pytest.param(rules, match, id=f"{rules.name} {match.one} {match.other}")
    for rules in map(games.load, games.names())
    for match in rules.matches
]


@pytest.mark.parametrize(("rules", "match"), MATCHES)
class TestMatches:
    """The results that a game has of its players' matches."""

    @pytest.mark.thorough
    def test_the_first_games_come_out_the_same(self, rules: Rules, match: Match) -> None:
        """After a change of a player: `python -m benchmarks.match` for his matches, and the new results."""
        again = match_round(rules, match.one, match.other, range(match.playouts), match.seed)
        found = "".join(result(run, seat) for _, seat, run in islice(again, 2))
        assert found == match.results[:2]

    def test_rounds_are_whole(self, rules: Rules, match: Match) -> None:
        assert set(match.results) <= {WON, LOST, DRAWN}
        assert len(match.results) % (2 * len(rules.editions)) == 0

    def test_the_stronger_wins_60_of_100_at_least(self, rules: Rules, match: Match) -> None:
        """With 95 % confidence, of the games that were decided; between beginners, half of them."""
        won, lost = match.results.count(WON), match.results.count(LOST)
        assert wilson_interval(won, won + lost)[0] > (0.5 if match.other == "random" else 0.6)


@pytest.mark.parametrize("name", ["mortain", "rommel"])
def test_all_players_are_rated_the_weakest_first(name: str) -> None:
    rules = games.load(name)
    ratings = rate_players(rules.matches)
    assert ratings["easy"].mean == 1000
    assert sorted(rules.players, key=lambda player: ratings[player].mean) == list(rules.players)


@pytest.mark.parametrize("name", ["mortain", "rommel"])
def test_who_searches_is_told(name: str) -> None:
    """An effort is taken by the players that search, and by no other."""
    rules = games.load(name)
    taken = {player: Counted() for player in rules.players}
    for player, effort in taken.items():
        run = Run(rules, Position(rules.begin(next(iter(rules.editions.values())), shipped(rules))))
        seated = {
            seat: SeatedPlayer(player, rules.players[player], seeded_random(seat), effort)
            for seat in rules.seats
        }
        driver = RunDriver(seated, seeded_random(player))
        for _ in range(60):
            if run.pending is not None and not effort.taken:
                driver.answer_pending(run)
    assert {player for player, effort in taken.items() if effort.taken} == {*rules.searching}
