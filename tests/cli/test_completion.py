"""What a shell is told when it asks: the real program, with the variables that bash and zsh set."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from support.processes import run_pbem
from support.transcripts import Step, perform_steps

pytestmark = pytest.mark.thorough

Ask = Callable[[Path, str], list[str]]
PBEM = [sys.executable, "-m", "pbem"]
ROMMEL = [Step("anna", "pbem new rommel --seat axis", 0), Step("bruno", "pbem join rommel.yaml", 0)]


def asked(table: Path, arguments: Sequence[str] = (), **environment: str) -> subprocess.CompletedProcess[str]:
    """A process of the program, asked by a shell."""
    return run_pbem(*arguments, cwd=table, **{"PBEM_HOME": "homes/anna", **environment})


def bash(table: Path, line: str, **environment: str) -> list[str]:
    """What bash is told for the last word of a line; one that ends with a blank has begun a new word."""
    words = re.findall(r"\"[^\"]*\"?|\S+", line) + ([""] if line.endswith(" ") else [])
    variables = {
        "_PBEM_COMPLETE": "complete_bash",
        "COMP_WORDS": "\n".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    done = asked(table, **variables, **environment)
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


def zsh(table: Path, line: str) -> list[str]:
    """The words that zsh is told, without what they mean."""
    done = asked(table, _PBEM_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS=line)
    assert done.stderr == ""
    return re.findall(r'^(?:_arguments .\*: :\(\()?"([^"]*)"', done.stdout, re.MULTILINE)


def id_of(table: Path, name: str) -> str:
    """The id of a game as it is offered to the shell."""
    shown = asked(table, ["verify", name, "--json"]).stdout
    found = re.search(r'"game": "([0-9a-f]{8})', shown)
    assert found
    return found[1]


def test_bash_parts_words_at_an_equals_sign(table: Path) -> None:
    """So it asks for the word behind the sign, and puts the answer there."""

    def told(*words: str) -> list[str]:
        variables = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
        return asked(table, _PBEM_COMPLETE="complete_bash", **variables).stdout.split()

    new = ("pbem", "new", "mortain", "--option")
    until = ["until_both_activated", "until_both_could"]
    assert told(*new, "early_joker=u") == [f"early_joker={value}" for value in until]
    assert told(*new, "early_joker", "=", "u") == until
    assert told(*new, "early_joker", "=") == ["ends_turn", *until]
    assert told(*new, "early_joker", "=", "x") == []


@pytest.mark.parametrize("ask", [bash, pytest.param(zsh, marks=pytest.mark.thorough)])
class TestBothShells:
    def test_games_by_file_and_by_id(self, table: Path, ask: Ask) -> None:
        (table / "letter.eml").write_text("")
        (table / "picture.png").write_text("")
        (table / "folder.yaml").mkdir()
        one = id_of(table, "mortain.yaml")
        assert ask(table, "pbem show ") == ["letter.eml", "mortain.yaml", one]
        assert ask(table, "pbem verify mo") == ["mortain.yaml"]
        assert ask(table, f"pbem mail send {one[:5]}") == [one]
        assert ask(table, "pbem show ./mo") == ["./mortain.yaml"]

    def test_a_new_game(self, table: Path, ask: Ask) -> None:
        assert ask(table, "pbem new ") == ["mortain", "rommel", "tabletop"]
        assert ask(table, "pbem new rommel --seat ") == ["allied", "axis"]
        assert ask(table, "pbem new mortain --seat g") == ["german"]
        assert ask(table, "pbem new mortain --edition e") == ["es", "en"]
        assert ask(table, "pbem new mortain --practice s") == ["sensible", "strong"]
        assert ask(table, "pbem new mortain --option exits") == ["exits_to_win=5"]
        assert ask(table, "pbem new mortain --option early_joker=u") == [
            "early_joker=until_both_activated",
            "early_joker=until_both_could",
        ]
        assert ask(table, "pbem new waterloo --seat ") == []

    def test_units_hexes_and_orders(self, table: Path, ask: Ask) -> None:
        assert ask(table, "pbem moves mortain.yaml --unit 2S") == ["2SS-A", "2SS-B"]
        assert ask(table, "pbem moves --unit Tig") == ["Tiger102"], "the one game, unnamed"
        assert ask(table, "pbem show mortain.yaml --around 19") == ["1901", "1902", "1903", "1904", "1905"]
        assert ask(table, 'pbem move mortain.yaml "enter DF 1903" "enter 2SS-') == [
            "enter 2SS-A",
            "enter 2SS-B",
        ]
        assert ask(table, 'pbem move "enter DF 190') == [f"enter DF 190{n}" for n in range(1, 6)]

    def test_plans(self, table: Path, ask: Ask) -> None:
        assert ask(table, "pbem plan mortain.yaml a") == ["add", "arm"]
        assert ask(table, "pbem plan mortain.yaml add ") == ["quiet", "fire", "hold", "march"]
        assert ask(table, "pbem plan add gr") == [], "which Rommel has alone"
        assert ask(table, "pbem plan add march Tig") == ["Tiger102"], "the one game, unnamed"
        assert ask(table, "pbem plan mortain.yaml add march DF 1603 2SS-A 190") == [
            f"190{n}" for n in range(1, 6)
        ]

    def test_set_ups(self, table: Path, ask: Ask) -> None:
        for _ in perform_steps(ROMMEL, table):
            pass
        assert ask(table, "pbem move rommel.yaml --setup ") == ["historical", "deep", "wall", "spread"]
        assert ask(table, "pbem setup rommel.yaml out.txt --setup h") == ["historical"]


def test_a_name_with_blanks_is_quoted_for_bash(table: Path) -> None:
    (table / "mortain.yaml").rename(table / "Stand at Mörtain.yaml")
    assert bash(table, "pbem show St") == ["Stand\\ at\\ Mörtain.yaml"]


@pytest.mark.parametrize("spoil", ["no home", "damaged game", "damaged list", "a list of a stranger's"])
def test_nothing_is_said_where_something_is_wrong(table: Path, spoil: str) -> None:
    """A shell that asks is never told of errors; what can be offered still is."""
    assert bash(table, "pbem moves mortain.yaml --unit Ti") == ["Tiger102"]
    game = next((table / "homes/anna/games").iterdir())
    match spoil:
        case "no home":
            assert bash(table, "pbem moves mortain.yaml --unit Ti", PBEM_HOME="nowhere") == []
        case "damaged game":
            (game / "game.yaml").write_text("damage")
            assert bash(table, "pbem moves mortain.yaml --unit Ti") == []
        case "damaged list":
            (game / "listed.json").write_bytes(b"\xff{")
            assert bash(table, "pbem moves mortain.yaml --unit Ti") == ["Tiger102"]
        case _:
            text = (game / "listed.json").read_text()
            (game / "listed.json").write_text(text.replace("Tiger102", "Tirpitz").replace(" ", " 0", 1))
            assert bash(table, "pbem moves mortain.yaml --unit Ti") == ["Tiger102"]


def test_a_game_that_is_listed_is_not_opened_again(table: Path) -> None:
    """The second time no rules are imported: the answer comes from the list."""
    variables = {
        "_PBEM_COMPLETE": "complete_bash",
        "COMP_WORDS": "pbem\nmoves\nmortain.yaml\n--unit\nTi",
        "COMP_CWORD": "4",
        "PYTHONPROFILEIMPORTTIME": "1",
    }
    first, second = (asked(table, **variables) for _ in range(2))
    assert first.stdout == second.stdout == "Tiger102\n"
    assert "pbem.games.mortain" in first.stderr
    assert "pbem.games.mortain" not in second.stderr


@pytest.mark.parametrize("ask", [bash, pytest.param(zsh, marks=pytest.mark.long)])
class TestEveryPlace:
    """Wherever a game, a seat, a unit or one of few words is typed, it is offered."""

    def test_games_with_rules(self, table: Path, ask: Ask) -> None:
        assert ask(table, "pbem rules ")[:4] == ["mortain", "rommel", "tabletop", "mortain.yaml"]

    def test_proposals(self, table: Path, ask: Ask) -> None:
        assert ask(table, "pbem propose mortain.yaml ") == ["draw", "last"]

    def test_units_of_the_story(self, table: Path, ask: Ask) -> None:
        assert ask(table, "pbem log mortain.yaml --unit 11") == ["117Inf", "119Inf"]

    def test_seats_before_the_game(self, table: Path, ask: Ask) -> None:
        seats = ["german", "us", "allied", "axis", "first", "second"]
        assert ask(table, "pbem new --seat ") == seats

    def test_players_of_a_study(self, table: Path, ask: Ask) -> None:
        assert ask(table, "pbem study mortain --players s") == ["sensible", "strong"]
        assert ask(table, "pbem study rommel --players easy,st") == ["easy,strong"]

    def test_editions_of_a_study(self, table: Path, ask: Ask) -> None:
        assert ask(table, "pbem study mortain --editions it,e") == ["it,es", "it,en"]

    def test_values_to_be_tuned(self, table: Path, ask: Ask) -> None:
        """None that is known: the map and the ranges of Mortain are."""
        offered = ask(table, "pbem study tune mortain --value units.CCA.f")
        assert offered == ["units.CCA.full", "units.CCA.full[0]", "units.CCA.full[1]"]
        assert ask(table, "pbem study tune mortain --value map") == []
