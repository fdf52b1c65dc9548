"""The ratings of practice players: from matches that anybody can repeat."""

from __future__ import annotations

from itertools import islice

import pytest

from benchmarks.match import match_round, result
from pbem import games
from pbem.analysis.statistics import rate_players, wilson_interval
from pbem.core.rules import DRAWN, LOST, WON, Match, Rules

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
