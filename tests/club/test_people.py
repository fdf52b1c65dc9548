"""People are keys: joined and named by members.yaml, told apart where their names are alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.club.people import fingerprint, read_members
from pbem.errors import FileError
from pbem.games.mortain import RULES
from support.club_games import begin_game, make_club_table, play_game, public_key, write_games

MEMBERS = """\
members:
  - name: Ana
    keys: ["{ana}", "{laptop}"]
  - name: Bo
    keys: ["{bo}"]
"""


def members(folder: Path, text: str = MEMBERS, **keys: str) -> Path:
    file = folder / "members.yaml"
    labels = {"ana": "ana", "laptop": "ana's laptop", "bo": "bo", **keys}
    file.write_text(text.format(**{name: public_key(label) for name, label in labels.items()}))
    return file


def test_three_names_of_one_key(tmp_path: Path) -> None:
    """Without members he is called as he mostly was; all names are told."""
    games = [
        play_game("x", "bo", "us", str(number), names={"x": name})
        for number, name in enumerate(["Ann", "Anna", "Annie", "Anna"])
    ]
    found = make_club_table(write_games(tmp_path, *games))
    person = next(row.person for row in found.standings.rows if row.all.lost)
    assert person.display_name == "Anna"
    assert person.names == ("Ann", "Anna", "Annie")


def test_two_keys_of_one_member(tmp_path: Path) -> None:
    folder = write_games(
        tmp_path, play_game("ana", "bo", "german"), play_game("ana's laptop", "bo", "german")
    )
    found = make_club_table(folder, members=members(tmp_path))
    [ana, bo] = found.standings.rows
    assert (ana.person.display_name, ana.all.won, bo.all.lost) == ("Ana", 2, 2)
    assert found.problems == []


def test_two_keys_of_one_member_against_each_other_is_solitaire(tmp_path: Path) -> None:
    folder = write_games(tmp_path, play_game("ana", "ana's laptop", "german"), play_game("bo", "bo", "us"))
    found = make_club_table(folder, members=members(tmp_path))
    assert [game.exclusion for game in found.standings.games] == ["solitaire", "solitaire"]


def test_members_that_lie_in_the_folder_are_found(tmp_path: Path) -> None:
    members(write_games(tmp_path, play_game("ana's laptop", "bo", "german")))
    assert make_club_table(tmp_path).standings.rows[0].person.display_name == "Ana"


def test_who_calls_himself_as_a_member(tmp_path: Path) -> None:
    """He is told from the member by his key, and it is told, also where the letters only look alike."""
    names = {"stranger": "Аna", "other": "ANA", "third": "4na"}  # the first begins with a Cyrillic letter
    games = [play_game(who, "bo", "us", names=names) for who in names]
    found = make_club_table(write_games(tmp_path, *games), members=members(tmp_path))
    told = [one.problem for one in found.problems]
    assert sum("imitates that of the member 'Ana'" in one for one in told) == 2
    called = {person.display_name for person in found.people.all}
    digits = {who: fingerprint(public_key(who)).removeprefix("SHA256:")[:8] for who in names}
    assert called == {f"ANA ({digits['other']})", f"Аna ({digits['stranger']})", "4na", "Ana", "Bo"}


def test_strangers_with_one_name(tmp_path: Path) -> None:
    names = {"one": "Max", "two": "MAX"}
    found = make_club_table(
        write_games(tmp_path, *(play_game(who, "bo", "german", names=names) for who in names))
    )
    [problem] = found.problems
    assert problem.problem.casefold().startswith("2 keys go by the name 'max': sha256:")
    assert len({row.person.display_name for row in found.standings.rows}) == 3


def test_members_keep_their_names(tmp_path: Path) -> None:
    """However alike two of them are: the list of members says that they are two."""
    pairs = ("Clara", "Dara"), ("Zoe", "Zoë")
    rows = "".join(f'  - name: {one}\n    keys: ["{public_key(one)}"]\n' for pair in pairs for one in pair)
    (tmp_path / "members.yaml").write_text(f"members:\n{rows}", "utf-8")
    found = make_club_table(write_games(tmp_path, *(play_game(one, other, "us") for one, other in pairs)))
    assert {row.person.display_name for row in found.standings.rows} == {"Clara", "Dara", "Zoe", "Zoë"}
    assert found.problems == []


def test_who_calls_himself_as_the_table_tells_another(tmp_path: Path) -> None:
    """A stranger's name with the beginning of a key behind it is his own, and no way into another's row."""
    shown = f"Max ({fingerprint(public_key('one')).removeprefix('SHA256:')[:8]})"
    names = {"one": "Max", "two": "MAX", "three": shown}
    found = make_club_table(
        write_games(tmp_path, *(play_game(who, "bo", "german", names=names) for who in names))
    )
    assert sorted(row.all.won for row in found.standings.rows) == [0, 1, 1, 1]
    assert len({row.person.display_name for row in found.standings.rows}) == 4


def test_a_key_that_two_claim_is_nobodys(tmp_path: Path) -> None:
    folder = write_games(tmp_path, play_game("ana", "bo", "german"))
    found = make_club_table(folder, members=members(tmp_path, bo="ana"))
    [problem] = [one.problem for one in found.problems if one.file == "members.yaml"]
    assert problem == f"Ana and Bo claim one key, {fingerprint(public_key('ana'))}: it is taken for neither's"
    assert not any(row.person.member for row in found.standings.rows)


def test_practice_and_own_scenarios_stand_apart(tmp_path: Path) -> None:
    own = {**RULES.scenarios.data("mortain"), "name": "another"}
    games = [
        play_game("ana", "robot", "german", names={"robot": "Practice"}),
        play_game("ana", "bo", "german", own=own),
        begin_game("ana", "bo", "goes on"),
    ]
    found = make_club_table(write_games(tmp_path, *games))
    assert sorted(game.exclusion for game in found.standings.games) == ["", "own scenario", "practice"]
    assert found.standings.rows == []
    assert [game.log.asked for game in found.standings.open] == ["us"]


def test_nobody_makes_practice_of_his_defeats(tmp_path: Path) -> None:
    """One game as "Practice" does nothing to his others, and nothing at all if he is a member."""
    sly = [
        play_game("sly", "bo", "us"),
        play_game("sly", "puppet", "german", names={"sly": "Practice"}),
    ]
    found = make_club_table(write_games(tmp_path / "sly", *sly))
    assert sorted(game.exclusion for game in found.standings.games) == ["", "practice"]
    ana = play_game("ana", "bo", "us", names={"ana": "Practice"})
    found = make_club_table(write_games(tmp_path / "ana", ana), members=members(tmp_path))
    assert [game.exclusion for game in found.standings.games] == [""]
    assert {row.person.display_name: row.all.lost for row in found.standings.rows}["Ana"] == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("members: Ana\n", "members: must be a list, not 'Ana'"),
        (
            "members:\n  - name: Ana\n    keys: [x]\n",
            r"members\[0\].keys\[0\]: must be an OpenSSH key 'ssh-ed25519 AAAA…', not 'x'",
        ),
        ("members: []\nlanguage: fr\n", "language: must be one of en, es, it, de, not 'fr'"),
        (
            "members:\n- {name: Max, keys: []}\n- {name: MAX, keys: []}\n",
            r"members\[1\].name: 'MAX' is listed twice",
        ),
        ("nobody: here\n", "there is no key 'nobody'"),
    ],
)
def test_what_is_no_file_of_members(text: str, told: str) -> None:
    with pytest.raises(FileError, match=told):
        read_members(text.encode())
