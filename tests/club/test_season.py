"""Seasons: who plays whom with which side, and which game counts for which period."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pbem.club.season import make_round_robin, read_season
from pbem.club.table_text import describe_table
from pbem.errors import FileError
from pbem.games.mortain import RULES
from support.club_games import begin_game, make_club_table, play_game, write_games


@pytest.mark.parametrize("number", range(2, 31))
@pytest.mark.parametrize("twice", [False, True])
def test_each_plays_each_with_sides_that_balance(number: int, twice: bool) -> None:
    players = [f"p{one}" for one in range(number)]
    season = make_round_robin("s", RULES, "it", players, twice)
    pairs = Counter(frozenset(one.seats.values()) for one in season.pairings)
    assert len(pairs) == number * (number - 1) // 2
    assert set(pairs.values()) == {2 if twice else 1}
    sides = {seat: Counter(one.seats[seat] for one in season.pairings) for seat in RULES.seats}
    first, second = sides.values()
    assert max(abs(first[one] - second[one]) for one in players) <= (0 if twice or number % 2 else 1)
    if twice:
        assert len({tuple(sorted(one.seats.items())) for one in season.pairings}) == len(season.pairings)
    for period in {one.period for one in season.pairings}:
        busy = [name for one in season.pairings if one.period == period for name in one.seats.values()]
        assert len(busy) == len(set(busy))


SEASON = """\
season: spring-2027
game: mortain
pairings:
  - {{period: 1, seats: {{german: ana, us: bo}}}}
  - {{period: 2, seats: {{german: bo, us: ana}}{more}}}
  - {{period: 2, seats: {{german: cleo, us: ana}}}}
"""


def season(folder: Path, more: str = "", text: str = SEASON) -> Path:
    file = folder / "spring.yaml"
    file.write_text(text.format(more=more))
    return file


def test_what_counts_for_which_period(tmp_path: Path) -> None:
    """Clocks say nothing: the game of period 2 is older by its own. One beside the season counts not."""
    games = [
        play_game("ana", "bo", "german", on=30),
        play_game("bo", "ana", "german", on=2),
        play_game("ana", "cleo", "us", on=3),
        begin_game("cleo", "ana", on=5),
    ]
    found = make_club_table(write_games(tmp_path / "games", *games), season=season(tmp_path))
    assert [(one.pairing.period, one.stage) for one in found.standings.pairings] == [
        (1, "played"),
        (2, "played"),
        (2, "begun"),
    ]
    assert sum(row.all.games for row in found.standings.rows) == 4
    # after a win each, whoever won later, against a better opponent, is before
    assert [row.person.display_name for row in found.standings.rows] == ["bo", "ana"]
    assert found.problems == []


def test_several_games_of_one_pairing(tmp_path: Path) -> None:
    """The first by its clock counts, and the season is asked to say; where it says, nothing is told."""
    first, second = play_game("bo", "ana", "us", "1", on=8), play_game("bo", "ana", "german", "2", on=5)
    folder = write_games(
        tmp_path / "games", first, second, begin_game("cleo", "ana"), begin_game("ana", "bo")
    )
    found = make_club_table(folder, season=season(tmp_path))
    assert [one.problem[:11] for one in found.problems] == ["2 games fit"]
    assert found.standings.pairings[1].game is not None
    assert found.standings.pairings[1].game.head == second.ids[-1]
    named = make_club_table(folder, season=season(tmp_path, f', game: "{first.ids[0][:12]}"'))
    assert named.problems == []
    assert named.standings.pairings[1].game is not None
    assert named.standings.pairings[1].game.head == first.ids[-1]


def test_what_is_still_to_be_played_is_told(tmp_path: Path) -> None:
    lines = list(
        describe_table(
            make_club_table(
                write_games(tmp_path / "games", begin_game("ana", "bo"), play_game("cleo", "ana", "us")),
                season=season(tmp_path),
            ),
            "",
        )
    )
    assert "Still to be played" in lines
    assert any('period 2: German: "bo", US: "ana"' in line for line in lines)
    assert not any('German: "cleo", US: "ana"' in line for line in lines)


def test_a_season_that_names_nobody(tmp_path: Path) -> None:
    text = "season: empty\ngame: mortain\npairings: []\n"
    found = make_club_table(
        write_games(tmp_path / "games", play_game("ana", "bo", "us")), season=season(tmp_path, text=text)
    )
    assert [(one.file, one.problem) for one in found.problems] == [("spring.yaml", "the season names nobody")]
    assert found.standings.rows == []


def test_a_season_that_names_a_stranger(tmp_path: Path) -> None:
    found = make_club_table(
        write_games(tmp_path / "games", play_game("ana", "bo", "us")), season=season(tmp_path)
    )
    assert [one.problem for one in found.problems] == ["the season names 'cleo', who has no key here"]


def test_a_deadline_goes_before_what_waits_longer(tmp_path: Path) -> None:
    """Overdue first: by the end of the deadline, and then by how long a game waits, on any day."""
    games = [
        begin_game("a", "b", on=2),
        begin_game("a", "c", on=9, deadline="7d"),
        begin_game("a", "d", on=7, deadline="7d"),
        begin_game("a", "e", on=1),
    ]
    found = make_club_table(write_games(tmp_path / "games", *games), as_of="2027-01-16")
    opponents = [game.seats["us"].display_name for game in found.standings.open]
    assert opponents == ["d", "c", "e", "b"]
    lines = [line for line in describe_table(found, "2027-01-16") if "OVERDUE" in line]
    assert len(lines) == 1
    assert lines[0].startswith("  OVERDUE since 15 January 2027: ")


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("season: x\n", "the key 'game' is missing"),
        ("season: x\ngame: mortain\npairings: [{period: 0, seats: {}}]\n", r"pairings\[0\]\.period"),
        ("season: x\ngame: mortian\n", "game: the game 'mortian' is not installed"),
        (
            "season: x\ngame: mortain\npairings: [{period: 1, seats: {axis: a, us: b}}]\n",
            r"pairings\[0\]\.seats: must be german, us, not axis, us",
        ),
    ],
)
def test_what_is_no_season(text: str, where: str) -> None:
    with pytest.raises(FileError, match=where):
        read_season(text.encode())
