"""Games that no file ends: silence and the director's decisions, in every table; and invented keys."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from pbem.club.provenance import ClubTable
from pbem.club.season import read_season
from pbem.club.table_files import differences, games_csv, parse_standings, standings_csv, standings_json
from pbem.club.table_text import describe_table
from pbem.errors import FileError
from pbem.games.mortain import RULES
from pbem.texts import speaking
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Claim
from pbem.web.club_page import club_page
from support.club_games import (
    begin_game,
    day_of_2027,
    keys_of,
    make_club_table,
    play_game,
    public_key,
    write_games,
)

PLAYERS = ("ana", "bo", "cleo", "eve")
PAIRINGS = (("ana", "bo"), ("bo", "cleo"), ("cleo", "ana"), ("eve", "ana"))


def lying_draw(german: str, us: str, on: int = 3) -> Game:
    """A game in which the Germans do not add their half of draw 1, after the set-up of the Americans."""
    game = begin_game(german, us)
    place = next(RULES.offers(game.state.pending_question))  # type: ignore[arg-type]
    return write.play(game, keys_of(game, german, us)["us"], place, claim=day_of_2027(on))


def season(folder: Path, more: str = "", decisions: Sequence[tuple[Game, str, str]] = ()) -> Path:
    """A season of four games, with more lines, and with decisions."""
    lines = ["season: spring-2027", "game: mortain", more, "pairings:"]
    lines += [
        f"  - {{period: {period}, seats: {{german: {german}, us: {us}}}}}"
        for period, (german, us) in enumerate(PAIRINGS, 1)
    ]
    rows = [
        json.dumps({"game": game.ids[0][:8], "result": result, "reason": reason})
        for game, result, reason in decisions
    ]
    lines += ["decisions:", *(f"  - {row}" for row in rows)] if rows else []
    file = folder / "spring.yaml"
    file.write_text("\n".join([*lines, ""]))
    return file


def members(folder: Path, *names: str) -> Path:
    rows = [f'  - {{name: {name}, keys: ["{public_key(name)}"]}}' for name in names]
    file = folder / "members.yaml"
    file.write_text("\n".join(["members:", *rows, ""]))
    return file


SILENCE = 'silence: 30d\nday: "2027-03-01"'


@pytest.fixture
def games() -> dict[str, Game]:
    """Ana lets draw 1 lie against Bo; Bo and Cleo go on; Cleo has beaten Ana."""
    return {
        "lying": lying_draw("ana", "bo", on=3),
        "going on": begin_game("bo", "cleo", on=50),  # taken up on 23 February
        "over": play_game("cleo", "ana", "german", on=2),
    }


def table(folder: Path, games: dict[str, Game], file: Path, **how: Any) -> ClubTable:
    return make_club_table(write_games(folder / "games", *games.values()), season=file, **how)


def ways(made: ClubTable) -> list[tuple[str, str]]:
    """How the game of each pairing ended, and which seat has won; a dash without a game."""
    return [(one.game.way, one.game.winner) if one.game else ("-", "") for one in made.standings.pairings]


@pytest.mark.parametrize(
    ("day", "way"), [("2027-02-02", ""), ("2027-02-03", "silence"), ("2030-01-01", "silence")]
)
def test_silence_is_over_before_the_directors_day(
    tmp_path: Path, games: dict[str, Game], day: str, way: str
) -> None:
    """From noon of 3 January 30 days go until noon of 2 February."""
    made = table(tmp_path, {"lying": games["lying"]}, season(tmp_path, f'silence: 30d\nday: "{day}"'))
    assert ways(made)[0] == (way, "us" if way else "")
    assert [game.game for game in made.standings.open] == ([] if way else [games["lying"].ids[0]])


@pytest.mark.parametrize("more", ["", "silence: 30d", 'day: "2027-03-01"'])
def test_no_game_is_adjudged_without_both_words(tmp_path: Path, games: dict[str, Game], more: str) -> None:
    made = table(tmp_path, games, season(tmp_path, more))
    assert ways(made) == [("", ""), ("", ""), ("resignation", "german"), ("-", "")]
    assert b"adjudged" not in standings_json(made), "its table is as that of 0.1.0"


def test_two_adjudged_games_in_every_table(tmp_path: Path, games: dict[str, Game]) -> None:
    """One by silence, with who let which draw lie; one by the director, with his reason."""
    reason = "Bo has moved to the moon."
    made = table(tmp_path, games, season(tmp_path, SILENCE, [(games["going on"], "us", reason)]))
    assert ways(made) == [("silence", "us"), ("director", "us"), ("resignation", "german"), ("-", "")]
    rows = {row.person.display_name: (row.all.won, row.all.lost, row.adjudged) for row in made.standings.rows}
    assert rows == {"ana": (0, 2, 1), "bo": (1, 1, 2), "cleo": (2, 0, 1)}
    assert made.standings.open == []

    lines = list(csv.DictReader(io.StringIO(games_csv(made).decode())))
    by_id = {line["game"]: line for line in lines}
    silent = by_id[games["lying"].ids[0]]
    told = [
        silent[key] for key in ("winner", "way", "asked", "what", "draw", "since", "clock of", "director")
    ]
    assert told == ["us", "silence", "german", "share", "1", "2027-01-03T12:00:00Z", "us", ""]
    decided = by_id[games["going on"].ids[0]]
    assert [decided[key] for key in ("winner", "way", "director")] == ["us", "director", reason]
    standings = list(csv.DictReader(io.StringIO(standings_csv(made).decode())))
    assert {row["player"]: row["adjudged"] for row in standings} == {"ana": "1", "bo": "2", "cleo": "1"}

    adjudged = {one["game"]: one for one in json.loads(standings_json(made))["adjudged"]}
    assert adjudged[games["lying"].ids[0]] == {
        "game": games["lying"].ids[0],
        "head": games["lying"].ids[-1],
        "seats": {"german": "ana", "us": "bo"},
        "by": "silence",
        "result": "us",
        "reason": "",
        "asked": "german",
        "player": "ana",
        "what": "share",
        "draw": 1,
        "since": "2027-01-03T12:00:00Z",
        "clock_of": "us",
    }
    other = adjudged[games["going on"].ids[0]]
    assert (other["by"], other["result"], other["reason"]) == ("director", "us", reason)

    lies = '"ana" has not completed draw 1 since 3 January 2027, by the clock of "bo".'
    text = " ".join("\n".join(describe_table(made, "")).split())
    page = unescape(club_page(made, {}).decode())
    for shown in (text, page):
        assert lies in shown
        assert "The game is adjudged to the Americans." in shown
        assert f'The director has decided that the Americans win: "{reason}"' in shown
    assert page.count("adjudged: silence") == page.count("adjudged by the director") == 2  # season, all games


@pytest.mark.parametrize(
    ("result", "way", "winner", "sentence"),
    [
        ("draw", "director", "", "it is a draw"),
        ("german", "director", "german", "the Germans win"),
        ("open", "", "", "it continues"),
    ],
)
def test_the_director_goes_before_the_silence(
    tmp_path: Path, games: dict[str, Game], result: str, way: str, winner: str, sentence: str
) -> None:
    made = table(tmp_path, games, season(tmp_path, SILENCE, [(games["lying"], result, "I saw his move")]))
    assert ways(made)[0] == (way, winner)
    assert f'that {sentence}: "I saw his move"' in " ".join("\n".join(describe_table(made, "")).split())
    assert len(made.standings.open) == (2 if result == "open" else 1)
    assert [one["result"] for one in json.loads(standings_json(made))["adjudged"]] == [result]


def test_a_void_game_leaves_its_pairing_to_be_played(tmp_path: Path, games: dict[str, Game]) -> None:
    made = table(tmp_path, games, season(tmp_path, "", [(games["over"], "void", "Played under false names")]))
    assert ways(made)[2] == ("-", "")
    assert sum(row.all.games for row in made.standings.rows) == 0
    assert "does not count, by the director's decision" in unescape(club_page(made, {}).decode())
    assert 'does not count: "Played under false names"' in " ".join(
        "\n".join(describe_table(made, "")).split()
    )


def test_the_later_of_two_decisions_holds(tmp_path: Path, games: dict[str, Game]) -> None:
    game = games["over"]
    file = season(tmp_path, "", [(game, "void", "A complaint"), (game, "draw", "On appeal")])
    assert ways(table(tmp_path, games, file))[2] == ("director", "")


def test_decisions_on_no_game(tmp_path: Path, games: dict[str, Game]) -> None:
    """One that is not here, and one that is over and cannot go on: they change nothing, and are problems."""
    absent = play_game("eve", "ana", "us")
    decisions = [(absent, "us", "Too late"), (games["over"], "open", "Play on")]
    made = table(tmp_path, games, season(tmp_path, "", decisions))
    assert ways(made)[2] == ("resignation", "german")
    problems = [one.problem for one in made.problems if "director" in one.problem]
    assert problems == [
        f"the director says that game {games['over'].ids[0][:8]} goes on, but it is over",
        f"the director's decision on '{absent.ids[0][:8]}' fits 0 games",
    ]


def test_a_clock_ahead_of_the_directors_day(tmp_path: Path) -> None:
    """Who sets his clock ahead cannot hide his silence: the director is told that he must decide."""
    game = lying_draw("ana", "bo", on=90)
    made = table(tmp_path, {"lying": game}, season(tmp_path, SILENCE))
    assert ways(made)[0] == ("", "")
    [problem] = [one.problem for one in made.problems if "silence" in one.problem]
    counted = "is counted from 2027-04-06, a later day: the director may decide"
    assert problem == f"the silence in game {game.ids[0][:8]} {counted}"


def test_whoever_writes_after_a_long_silence_does_not_win_by_it(tmp_path: Path) -> None:
    """A half of a draw has no clock, so nothing says since when it has been the other player's turn."""
    game = lying_draw("ana", "bo", on=3)
    late = write.play(game, keys_of(game, "ana", "bo")["german"])
    assert late.state.writer == "us"
    made = table(tmp_path, {"late": late}, season(tmp_path, SILENCE))
    assert ways(made)[0] == ("", "")
    [problem] = [one.problem for one in made.problems if "silence" in one.problem]
    assert problem.endswith("began with an entry that has no clock: the director may decide")
    soon = table(tmp_path, {"late": late}, season(tmp_path, 'silence: 30d\nday: "2027-01-10"'))
    assert not [one for one in soon.problems if "silence" in one.problem]


def test_a_clock_of_the_year_5(tmp_path: Path) -> None:
    """A player may claim any time; its year has four digits in files, and is a year in words."""
    game = begin_game("ana", "bo")
    place = next(RULES.offers(game.state.pending_question))  # type: ignore[arg-type]
    game = write.play(game, keys_of(game, "ana", "bo")["us"], place, claim=Claim(at="0005-01-03T12:00:00Z"))
    made = make_club_table(write_games(tmp_path / "games", game))
    assert b",0005-01-03T12:00:00Z," in games_csv(made)
    text = " ".join("\n".join(describe_table(made, "")).split())
    assert 'it has been "ana"\'s turn since 3 January 5, by the clock of "bo"' in text


def test_a_game_outside_the_season_is_not_adjudged(tmp_path: Path) -> None:
    """Friends may leave a game of their own alone for as long as they like."""
    made = table(tmp_path, {"friends": lying_draw("cleo", "eve")}, season(tmp_path, SILENCE))
    [game] = made.standings.games
    assert game.way == ""


def test_the_check_makes_it_again(tmp_path: Path, games: dict[str, Game]) -> None:
    """With the same season nothing differs, in any language; by another day's word it is another table."""
    decisions = [(games["going on"], "us", "He is ill")]
    made = table(tmp_path, games, season(tmp_path, SILENCE, decisions))
    published = parse_standings(standings_json(made))
    with speaking("de"):
        again = table(tmp_path, games, season(tmp_path, SILENCE, decisions))
    assert list(differences(published, again)) == []
    later = table(tmp_path, games, season(tmp_path, 'silence: 30d\nday: "2027-01-10"', decisions))
    lines = [str(line) for line in differences(published, later)]
    assert lines[0] == "the season file is a different one"
    assert "its part 'adjudged' differs" in lines
    changed = json.loads(standings_json(made))
    changed["adjudged"][0]["result"] = "draw"
    assert [str(line) for line in differences(changed, again)] == [
        "it was made from the same files as here, but says something else: somebody changed the "
        "table by hand",
        "its part 'adjudged' differs",
    ]


def test_the_directors_day_is_that_of_the_table(tmp_path: Path) -> None:
    """What is overdue is so by his day, in the files too, unless another is asked for."""
    game = begin_game("ana", "bo", on=50, deadline="7d")  # due on 3 March
    written = write_games(tmp_path / "games", game)
    file = season(tmp_path, 'day: "2027-03-09"')
    assert make_club_table(written, season=file).as_of == "2027-03-09"
    assert b",yes," in games_csv(make_club_table(written, season=file))
    assert b",yes," not in games_csv(make_club_table(written, season=file, as_of="2027-02-01"))


def sock_puppets() -> list[Game]:
    """Eve beats three keys that she has made herself; Ana has beaten her."""
    return [
        *(play_game("eve", f"puppet {number}", "german", str(number)) for number in range(3)),
        play_game("ana", "eve", "german"),
    ]


def test_sock_puppets_stand_apart(tmp_path: Path) -> None:
    """Where somebody has said who is who, games with others count for nobody."""
    folder = write_games(tmp_path / "games", *sock_puppets())
    made = make_club_table(folder, members=members(tmp_path, *PLAYERS))
    assert [row.person.display_name for row in made.standings.rows] == ["ana", "eve"]
    assert sorted(game.exclusion for game in made.standings.games) == ["", *["not a member"] * 3]
    page = unescape(club_page(made, {}).decode())
    assert page.count("with someone who is not a member") == 3
    assert "A key is not a person" not in page


@pytest.mark.parametrize("listed", [None, "members: []\nlanguage: en\n"])
def test_without_members_the_page_says_that_keys_are_not_persons(tmp_path: Path, listed: str | None) -> None:
    """So does a list that names nobody."""
    folder = write_games(tmp_path / "games", *sock_puppets())
    if listed:
        (folder / "members.yaml").write_text(listed)
    made = make_club_table(folder)
    assert made.standings.rows[0].person.display_name == "eve"
    assert "A key is not a person" in unescape(club_page(made, {}).decode())


def test_a_season_that_names_somebody_who_is_not_a_member(tmp_path: Path) -> None:
    """A stranger who takes the name of the season's player does not play his games."""
    games = {"one": play_game("ana", "bo", "us")}
    made = table(tmp_path, games, season(tmp_path), members=members(tmp_path, "ana", "cleo", "eve"))
    assert ways(made)[0] == ("-", "")
    assert "the season names 'bo', who is not a member" in [one.problem for one in made.problems]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("silence: soon", "silence: 'soon' is not a time from 1d to 365d"),
        ("silence: 400d", "silence: '400d' is not a time from 1d to 365d"),
        ("day: tomorrow", "day: must be a day such as 2027-01-31, not 'tomorrow'"),
        ('day: "2027-02-30"', "day: '2027-02-30' is not a day such as 2027-01-31"),
        (
            "decisions: [{game: '5f1c', result: us, reason: x}]",
            r"decisions\[0\].game: must be at least 8 digits of a game's id, in quotation marks, not '5f1c'",
        ),
        (
            "decisions: [{game: 12345678, result: us, reason: x}]",
            r"decisions\[0\].game: must be at least 8 digits of a game's id, .*, not 12345678",
        ),
        (
            "decisions: [{game: '5f1c5f1c', result: Anna, reason: x}]",
            r"decisions\[0\].result: must be one of german, us, draw, open, void, not 'Anna'",
        ),
        ("decisions: [{game: '5f1c5f1c', result: us}]", r"decisions\[0\]: the key 'reason' is missing"),
        (
            'decisions: [{game: 5f1c5f1c, result: us, reason: "a\\nb"}]',
            r"decisions\[0\].reason: must be on one line",
        ),
    ],
)
def test_words_of_a_director_that_are_refused(more: str, told: str) -> None:
    with pytest.raises(FileError, match=told):
        read_season(f"season: x\ngame: mortain\n{more}\n".encode())


def test_a_file_written_by_notepad(tmp_path: Path, games: dict[str, Game]) -> None:
    """With a byte order mark, and lines that end as those of Windows."""
    people, file = members(tmp_path, *PLAYERS), season(tmp_path, SILENCE)
    for path in (people, file):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert ways(table(tmp_path, games, file, members=people))[0] == ("silence", "us")
