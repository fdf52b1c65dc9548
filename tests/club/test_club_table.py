"""A club of 30 members and 200 games, with doubles, forks and other names: its table is reckoned twice."""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem import __version__
from pbem.base.worker_pool import local_pool
from pbem.club import table_files
from pbem.club.provenance import ClubTable
from pbem.texts import speaking
from pbem.umpire.game_state import Game
from pbem.web.club_page import club_page
from support.club_games import (
    begin_game,
    end_game,
    file_of,
    make_club_table,
    play_game,
    public_key,
    write_games,
)

MEMBERS, GAMES = 30, 200


def pairing(number: int) -> tuple[str, str, str]:
    """Who plays whom in a game, and who wins."""
    german = number % MEMBERS
    us = (german + 1 + number // MEMBERS) % MEMBERS
    winner = "german" if number * 7 % 10 < 4 else "us" if number * 7 % 10 < 9 else ""
    return f"m{german:02}", f"m{us:02}", winner


def names(number: int) -> dict[str, str]:
    """Member 3 calls himself in three ways."""
    return {"m03": ("m03", "Number Three", "M-3")[number % 3]}


@cache
def games() -> tuple[Game, ...]:
    return tuple(
        play_game(*pairing(number), str(number), names=names(number), on=number // 2 + 1)
        for number in range(GAMES)
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The club's folder: every game, some twice or cut short, two forks, some rubbish, and the members."""
    place = tmp_path_factory.mktemp("club")
    for number, game in enumerate(games()):
        below = place / f"{number % 4}"
        below.mkdir(exist_ok=True)
        (below / f"game-{number}.yaml").write_bytes(file_of(game))
    shutil.copy(place / "0" / "game-0.yaml", place / "the same again.yaml")
    (place / "earlier.yaml").write_bytes(file_of(begin_game("m01", "m02", "1", names=names(1), on=1)))
    # game 0: m01 resigned; then he signed his resignation once more
    german, us, _ = pairing(0)
    twice = end_game(begin_game(german, us, "0", names=names(0), on=1), "german", german, us, on=20)
    (place / "fork.yaml").write_bytes(file_of(twice))
    rows = [{"name": f"m{number:02}", "keys": [public_key(f"m{number:02}")]} for number in range(MEMBERS)]
    (place / "members.yaml").write_text(json.dumps({"members": rows}))
    (place / "notes.txt").write_text("Remember the milk.\n")
    return place


@pytest.fixture(scope="module")
def made(folder: Path) -> ClubTable:
    return make_club_table(folder)


def outputs(made: ClubTable) -> list[bytes]:
    """All that is written of a table."""
    tables = [table_files.games_csv(made), table_files.standings_csv(made), table_files.standings_json(made)]
    return [*tables, table_files.problems_csv(made.problems), club_page(made, {})]


def reckoned() -> dict[str, Counter[str]]:
    """Games, wins and losses of each member, counted here."""
    found: dict[str, Counter[str]] = {f"m{number:02}": Counter() for number in range(MEMBERS)}
    for number in range(GAMES):
        german, us, winner = pairing(number)
        for who, seat in ((german, "german"), (us, "us")):
            found[who]["games"] += 1
            found[who]["drawn" if not winner else "won" if winner == seat else "lost"] += 1
    return found


def test_wins_and_losses(made: ClubTable) -> None:
    expected = reckoned()
    assert len(made.standings.rows) == MEMBERS
    for row in made.standings.rows:
        counts = expected[row.person.display_name]
        tally = row.all
        assert (tally.games, tally.won, tally.lost, tally.drawn) == tuple(
            counts[what] for what in ("games", "won", "lost", "drawn")
        )
        assert sum(one.games for one in row.opponents.values()) == tally.games
        assert sum(one.won for one in row.seats.values()) == tally.won


def test_forks_doubles_and_names(made: ClubTable) -> None:
    table = made.standings
    assert len(table.games) == GAMES
    forked = [game for game in table.games if game.forks]
    assert [(game.way, game.winner) for game in forked] == [("forfeit", "german")]
    loser = pairing(0)[1]
    assert [row.person.display_name for row in table.rows if row.forfeits] == [loser]
    three = next(row.person for row in table.rows if row.person.display_name == "m03")
    assert three.names == ("M-3", "Number Three", "m03")
    assert [one.file for one in made.problems] == ["notes.txt"]


def glicko(results: list[tuple[float, float]]) -> tuple[float, float]:
    """A newcomer's rating and deviation after games with newcomers: (score, edge of his seat), by the paper.

    In floating point, with the volatility's own change left out, which is below a millionth here.
    """
    phi = 350 / 173.7178
    g = 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)
    expected = [1 / (1 + math.exp(-g * edge / 173.7178)) for _, edge in results]
    inverse = sum(g**2 * one * (1 - one) for one in expected)
    gain = sum(g * (score - one) for (score, _), one in zip(results, expected, strict=True))
    new = 1 / math.sqrt(1 / (phi**2 + 0.06**2) + inverse)
    return 1500 + 173.7178 * new**2 * gain, 173.7178 * new


def test_ratings(made: ClubTable) -> None:
    """All games are in one period, so each is against a newcomer of 1500."""
    scores = Counter(pairing(number)[2] for number in range(GAMES))
    edge = 400 * math.log10((scores["german"] + scores[""] / 2 + 5) / (scores["us"] + scores[""] / 2 + 5))
    german, us = made.standings.seats
    assert (float(german.edge), float(us.edge)) == pytest.approx((edge, -edge))
    results: dict[str, list[tuple[float, float]]] = {}
    for number in range(GAMES):
        one, other, winner = pairing(number)
        score = 0.5 if not winner else float(winner == "german")
        results.setdefault(one, []).append((score, edge))
        results.setdefault(other, []).append((1 - score, -edge))
    for row in made.standings.rows:
        rating, deviation = glicko(results[row.person.display_name])
        assert float(row.rating.rating) == pytest.approx(rating, abs=0.05)
        assert float(row.rating.deviation) == pytest.approx(deviation, abs=0.05)
    ratings = [row.rating.rating for row in made.standings.rows]
    assert ratings == sorted(ratings, reverse=True)


def test_a_name_that_a_spreadsheet_would_calculate(tmp_path: Path) -> None:
    """Where it parts lines at semicolons too, or the sign has the width of a Chinese letter."""
    names = {"a": "x;=1+1;y", "b": "＠SUM(1)"}
    made = make_club_table(write_games(tmp_path / "games", play_game("a", "b", "us", names=names)))
    for table in (table_files.games_csv(made), table_files.standings_csv(made)):
        assert b"x;'=1+1;y" in table
        assert "'＠SUM(1)".encode() in table


def test_the_files_say_the_same(made: ClubTable) -> None:
    told: dict[str, Any] = json.loads(table_files.standings_json(made))
    rows = list(csv.DictReader(io.StringIO(table_files.standings_csv(made).decode())))
    assert [row["player"] for row in rows] == [row["player"] for row in told["standings"]]
    assert [row["rating"] for row in rows] == [row["rating"] for row in told["standings"]]
    lines = list(csv.DictReader(io.StringIO(table_files.games_csv(made).decode())))
    wins = Counter(
        line["player" if line["winner"] == "german" else "other player"]
        for line in lines
        if line["winner"] != "draw"
    )
    assert {row["player"]: int(row["won"]) for row in rows} == {
        row["player"]: wins[row["player"]] for row in rows
    }


def test_the_same_bytes_in_any_folder_and_language(folder: Path, made: ClubTable, tmp_path: Path) -> None:
    """Under other names, in another order, as one mailbox, and told in German."""
    other = tmp_path / "elsewhere"
    other.mkdir()
    for number, path in enumerate(sorted(folder.rglob("*.yaml"), reverse=True)):
        if path.name != "members.yaml":
            shutil.copy(path, other / f"{number:03}.yaml")
    shutil.copy(folder / "notes.txt", other)
    with speaking("de"):
        again = make_club_table(other, members=folder / "members.yaml")
        assert outputs(again) == outputs(made)


@pytest.mark.thorough
def test_the_same_bytes_on_two_workers(folder: Path, made: ClubTable) -> None:
    with local_pool(2) as crew:
        assert outputs(make_club_table(folder, crew=crew)) == outputs(made)


def test_a_table_of_another_version_is_the_same(made: ClubTable) -> None:
    """Only if it says something else does the version matter."""
    older = replace(made, source={**made.source, "program": "0.0.1"})
    published = table_files.parse_standings(table_files.standings_json(older))
    assert list(table_files.differences(published, made)) == []
    published["standings"][0]["won"] += 1
    first, *others = map(str, table_files.differences(published, made))
    assert first == f"it was made by pbem 0.0.1, this is {__version__}"
    assert others
