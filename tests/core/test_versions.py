"""A game outlives the program that began it: a later program knows the rules as they were (`core.versions`).

The later program is made here, by the recipe of CONTRIBUTING: Mortain's suppression (M6.4) becomes an option.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.core.requests import Plain
from pbem.core.versions import lacking, versions
from pbem.errors import FileError
from pbem.format.yaml_reader import parse_yaml
from pbem.games import load
from pbem.umpire.verify import open_game
from support.programs import ROOT, Program, altered_program, current_program, next_command

LONG = bool(os.environ.get("PBEM_LONG"))

EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))

EDITIONS = json.loads((ROOT / "pbem/games/mortain/data/editions.json").read_text("utf-8"))
LATER = {name: {**options, "suppression": 2 if name == "it" else 1} for name, options in EDITIONS.items()}

SUPPRESSION = {
    "games/mortain/__init__.py": [
        ("version=1,", 'version=2,\n    earlier={1: lacking({"suppression": 1})},'),
        (
            "from pbem.core.rules import",
            "from pbem.core.versions import lacking\nfrom pbem.core.rules import",
        ),
    ],
    "games/mortain/data/editions.json": [(json.dumps(EDITIONS, separators=(",", ":")), json.dumps(LATER))],
    "games/mortain/terms/setting.py": [
        ("    turns: Annotated", "    suppression: Literal[1, 2]\n    turns: Annotated")
    ],
    "games/mortain/rules/fire.py": [
        ('("suppressed", SUPPRESSION)', '("suppressed", state.setting.options.suppression)')
    ],
    "games/mortain/RULES.md": [
        ("`mortain/1`", "`mortain/2`"),
        ("| `turns` |", "| `suppression` | `1`, `2` | 2 | 1 | 1 | 1 |\n| `turns` |"),
        ("has +1 on the cards", "has +1 or +2, by `suppression`, on the cards"),
    ],
    "games/mortain/RULES.1.md": [
        ("", "* M6.4 Or air *suppresses*: +1 on the cards of attacks, as it was.\n"),
    ],
}
"""A later version of the rules of Mortain, and all that the program needs for it."""

LASTING = ("--option", "turns=3")
"""Terms of a game that no joker and no exit ends before it has been played on."""


class TestLacking:
    """The version before an option, as `lacking` derives it: it plays as with one value of it."""

    OPTIONS: tuple[dict[str, Plain], ...] = ({"turns": 3}, {"turns": 3, "fog": 2})

    def test_the_later_rules_judge_with_the_value_for_it(self) -> None:
        heard: list[tuple[dict[str, Plain], Plain]] = []
        later = replace(
            load("mortain"),
            version=2,
            editions={"es": dict(self.OPTIONS[1]), "de": {"turns": 6, "fog": 1}},
            begin=lambda options, data: heard.append((dict(options), data)),
            beats=lambda options, data: options["turns"] * options["fog"],
            public=lambda state: {"turn": state, "fog": 1},
            earlier={1: lacking({"fog": 1}, ["fog"])},
        )
        newest, first = versions(later).values()
        assert (newest.pin, newest.later, first.pin, first.later) == ("mortain/2", None, "mortain/1", later)
        assert first.editions == {"es": {"turns": 3}, "de": {"turns": 6}}
        first.begin({"turns": 3}, "map")
        assert heard == [({"turns": 3, "fog": 1}, "map")]
        assert first.beats({"turns": 3}, "map") == 3
        assert (first.public(4), later.public(4)) == ({"turn": 4}, {"turn": 4, "fog": 1})

    @pytest.mark.parametrize("what", ["begin", "beats"])
    def test_the_option_is_unknown_to_it(self, what: str) -> None:
        later = replace(load("mortain"), editions={"es": dict(self.OPTIONS[1])})
        first = lacking({"fog": 1})(later)
        with pytest.raises(FileError) as refused:
            getattr(first, what)(self.OPTIONS[1], {})
        assert str(refused.value) == "options: there is no key 'fog'"
        assert refused.value.hint == "it can be one of turns"


@pytest.fixture(scope="module")
def now() -> Iterator[Program]:
    with current_program() as running:
        yield running


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    with altered_program(tmp_path_factory.mktemp("later"), SUPPRESSION) as running:
        yield running


def told(program: Program, folder: Path, *arguments: str) -> str:
    """What a command prints; it must succeed."""
    done = program.run(folder, *arguments)
    assert done.code == 0, done.out + done.err
    return done.out


@pytest.mark.thorough
def test_every_example_verifies(later: Program, tmp_path: Path) -> None:
    """Byte for byte as it stands, and is shown with the edition that it is played by."""
    assert told(later, tmp_path, "verify", *map(str, EXAMPLES)).count("10 passes") == len(EXAMPLES)
    shown = told(later, tmp_path, "show", str(ROOT / "examples" / "mortain-it-exits.yaml"), "--whole")
    assert re.search(r"Edition: it\b", shown), shown
    assert "mortain/1, edition it" in shown


@pytest.mark.thorough
def test_a_game_of_version_1_is_played_on(now: Program, later: Program, tmp_path: Path) -> None:
    """By today's program on the one side, and one that knows version 2 on the other; at length to its end."""
    german, us = (now, tmp_path / "german"), (later, tmp_path / "us")
    for program, folder in (german, us):
        told(program, folder, "key")
    told(*german, "new", "mortain", "game.yaml", "--seat", "german", *LASTING)
    handed(german[1], us[1])
    told(*us, "join", "game.yaml")
    moves = 0
    for giver, taker in cycle(((us, german), (german, us))):
        while command := next_command(giver[1]):
            told(*giver, *command)
            moves += 1
        handed(giver[1], taker[1])
        if open_game((taker[1] / "game.yaml").read_bytes()).state.ending or (moves > 10 and not LONG):
            break
    assert moves > 10
    for program, folder in (german, us):
        assert "10 passes" in told(program, folder, "verify", "game.yaml")


@pytest.mark.thorough
def test_either_version_is_offered(now: Program, later: Program, tmp_path: Path) -> None:
    """The newest, unless an earlier one is wanted; a program without it says what it needs."""
    told(later, tmp_path, "key")
    new = ("new", "mortain", "--seat", "german", "--edition", "it")
    assert "mortain/2, edition it;" in told(later, tmp_path, *new[:2], "2.yaml", *new[2:])
    assert "mortain/1, edition it;" in told(
        later, tmp_path, *new[:2], "1.yaml", *new[2:], "--rules", "mortain/1"
    )
    one, two = (stated(tmp_path / name) for name in ("1.yaml", "2.yaml"))
    assert two == {**one, "suppression": 2}
    unknown = later.run(tmp_path, *new[:2], "3.yaml", *new[2:], "--rules", "mortain/3")
    assert "must be mortain/2, mortain/1, not 'mortain/3'" in unknown.err
    lacked = later.run(tmp_path, *new, "--rules", "mortain/1", "--option", "suppression=1")
    assert "--option" in lacked.err
    assert lacked.code == 2
    other = tmp_path / "other"
    told(now, other, "key")
    handed(tmp_path, other, "2.yaml")
    refused = now.run(other, "join", "2.yaml")
    assert refused.code == 1
    assert "needs the rules 'mortain/2', but this program has mortain/1, rommel/2, rommel/1" in refused.err
    assert "hint: this needs a newer pbem" in refused.err
    assert not list((other / "home").glob("games/*"))
    assert (other / "2.yaml").read_bytes() == (tmp_path / "2.yaml").read_bytes()


def test_a_rule_is_told_as_its_version_has_it(later: Program, tmp_path: Path) -> None:
    """By the file, by the version's name, and in the other pages of the rules."""
    example = str(ROOT / "examples" / "mortain-it-exits.yaml")
    assert "+1 on the cards of attacks, as it was" in told(later, tmp_path, "rules", example, "M6.4")
    assert "+1 on the cards of attacks, as it was" in told(later, tmp_path, "rules", "mortain/1", "M6.4")
    assert "+1 or +2" in told(later, tmp_path, "rules", "mortain", "M6.4")
    assert "Rules version mortain/1." in told(later, tmp_path, "rules", "mortain/1", "rules", "version")
    assert later.run(tmp_path, "rules", "mortain/4").err.startswith(
        "error: the rules 'mortain/4' are not installed; these are: mortain/2, mortain/1\n"
    )


def stated(file: Path) -> dict[str, Plain]:
    """The options that a file states, whatever rules it needs."""
    value: Any = parse_yaml(file.read_bytes())
    options: dict[str, Plain] = value["log"][0]["options"]
    return options


def handed(giver: Path, taker: Path, name: str = "game.yaml") -> None:
    """The file goes from one folder to the other."""
    taker.mkdir(exist_ok=True)
    (taker / name).write_bytes((giver / name).read_bytes())
