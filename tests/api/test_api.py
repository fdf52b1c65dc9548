"""The library: what is public is this and no more, and does what its page shows."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import FunctionType

import pytest

import pbem
from pbem.umpire.verify import open_game
from pbem.web.luck import settled_attacks, sum_luck
from support.processes import run_pbem as ran
from support.processes import run_python

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "LIBRARY.md").read_text("utf-8")
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def public() -> dict[str, str]:
    """Every public name, with its signature or its fields and their types; of classes their members too."""
    found: dict[str, str] = {}
    for name in pbem.__all__:
        thing = getattr(pbem, name)
        if inspect.isclass(thing):
            fields = thing.__annotations__ if hasattr(thing, "__struct_fields__") else {}
            found[name] = ", ".join(f"{field}: {kind}" for field, kind in fields.items())
            if thing.__module__.startswith("pbem.api"):
                found |= {f"{name}.{member}": told for member, told in _members(thing)}
        elif not isinstance(thing, str):
            found[name] = _signature(thing)
    return found


def _members(of: type) -> Iterator[tuple[str, str]]:
    """What a class offers: the types of properties, the signatures of methods."""
    for name, value in vars(of).items():
        if name.startswith("_") and name not in ("__len__", "_repr_svg_"):
            continue
        if isinstance(value, property) and value.fget:
            yield name, str(inspect.signature(value.fget).return_annotation)
        elif isinstance(value, FunctionType):
            yield name, _signature(value)


def _signature(function: object) -> str:
    return str(inspect.signature(function)).replace("''", '""').replace("'", "")  # type: ignore[arg-type]


PUBLIC = Path(__file__).with_name("public.txt")
"""A line for each name, as `public` gives it."""


def held() -> dict[str, str]:
    """The same, as it was agreed."""
    lines = (line.partition(":") for line in PUBLIC.read_text().splitlines())
    return {name: rest.strip() for name, _, rest in lines}


def test_names_and_signatures() -> None:
    """Whoever changes one of these changes programs of others: the changelog says so."""
    assert public() == held()


def test_every_public_thing_says_what_it_is() -> None:
    for name in public():
        thing: object = pbem
        for part in name.split("."):
            thing = getattr(thing, part)
        told = inspect.getdoc(thing)
        assert told, name
        assert told.endswith("."), name


def test_what_raises_says_so() -> None:
    """The errors that callers must expect stand in the docstrings."""
    for thing, errors in {
        pbem.read: ("VerificationError", "OverBudget", "OSError"),
        pbem.rules: ("FileError",),
        pbem.Position.read: ("OrderError", "IllegalOrder"),
        pbem.Position.apply: ("OrderError",),
        pbem.Position.decide: ("IndexError",),
        pbem.Position.choose: ("OrderError", "FileError"),
        pbem.Game.at: ("IndexError",),
        pbem.Rules.begin: ("FileError",),
    }.items():
        assert all(error in str(inspect.getdoc(thing)) for error in errors), thing


def test_whoever_checks_types_finds_what_is_public() -> None:
    text = Path(str(pbem.__file__)).read_text("utf-8")
    assert {"__version__", *re.findall(r"from pbem\.api import (\w+) as \1", text)} == set(pbem.__all__)


def test_a_notebook_completes_what_is_public() -> None:
    assert dir(pbem) == sorted(pbem.__all__)


def test_a_bare_import_loads_nothing() -> None:
    loads = "import sys; old = set(sys.modules); import pbem; print(sorted(set(sys.modules) - old))"
    assert run_python("-c", loads).stdout.strip() == "['pbem', 'pbem.version']"
    commands = "import sys; from pbem import games, umpire; print('pbem.api' in sys.modules)"
    assert run_python("-c", commands).stdout.strip() == "False"


@pytest.mark.parametrize("number", range(1, 11))
def test_example(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """An example prints what its remarks say."""
    blocks = BLOCK.findall(PAGE)
    assert len(blocks) == 10
    code, _, printed = blocks[number - 1].partition("# prints\n")
    monkeypatch.chdir(ROOT)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, f"example {number}", "exec"), {})
    assert said.getvalue().splitlines() == [
        line.removeprefix("#").removeprefix(" ") for line in printed.splitlines()
    ]


def test_the_notebook_counts_as_the_page_does() -> None:
    """Attacks, hits and what was to be expected, by what events leave on the map instead of by the story."""
    found = sum_luck(settled_attacks(open_game((ROOT / "examples" / "mortain-it-exits.yaml").read_bytes())))
    line = f"# {found.attacks} attacks, {found.hits} hits, {found.expected:.1f} to be expected"
    assert line in PAGE


@pytest.mark.parametrize("name", ["mortain", "rommel"])
def test_a_game_without_files(name: str) -> None:
    """Begun, walked to its end by practice players, sealed orders too; a position tried from stays."""
    rules, chooser = pbem.rules(name), Random(3)
    position = rules.begin()
    first = position.digest()
    begun = position
    while not position.result:
        if position.outcomes:
            position = position.decide(chooser.randrange(len(position.outcomes)))
        else:
            position = position.apply(position.choose("random", chooser))
    assert begun.digest() == first
    assert position.asked is None
    with pytest.raises(pbem.OrderError):
        position.apply("pass")


@pytest.mark.parametrize("example", ["mortain-it-exits", "rommel-axis-wins"])
def test_positions_are_those_that_the_players_signed(example: str) -> None:
    """At rest, a position's digest is the one in the entry; and going on from it leads to the next."""
    game = pbem.read(ROOT / "examples" / f"{example}.yaml")
    checked = 0
    for entry, position in zip(game._game.entries, game.positions(), strict=True):
        signed = getattr(entry.body, "position", None)
        if signed and position.asked and not position.outcomes:
            assert position.digest() == signed
            assert position.asked.seat in position.rules.seats
            if position.answers():
                position.apply(position.answers()[0].orders)
                checked += 1
    assert checked > 10


@pytest.mark.parametrize("example", ["mortain-it-draw", "mortain-es-resigns", "mortain-de-takebacks"])
def test_where_orders_are_asked_they_can_be_given(example: str) -> None:
    """Also while a proposal waits, of which the rules know nothing; once it is over nobody is asked."""
    game = pbem.read(ROOT / "examples" / f"{example}.yaml")
    for position in game.positions():
        if answers := position.answers():
            assert position.apply(answers[-1].words).rules is position.rules
    last = game.position
    assert (last.asked, last.outcomes, last.answers()) == (None, (), [])
    assert last.result == game.result


def test_what_is_asked_of_a_position_that_the_file_goes_on_from() -> None:
    game = pbem.read(ROOT / "examples" / "mortain-it-exits.yaml")
    assert len(game.entries) == len(game) == 80
    assert game.position.result == game.result
    with pytest.raises(IndexError):
        game.at(80)
    with pytest.raises(pbem.FileError, match="the game 'chess' is not installed"):
        pbem.rules("chess")
    assert "<svg" in game._repr_svg_()


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.yaml").open("wb") as huge:
        huge.truncate(2**40)
    with pytest.raises(pbem.VerificationError, match="at most 16,777,216"):
        pbem.read(tmp_path / "huge.yaml")


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "at"), [("mortain-it-exits", 58), ("rommel-axis-wins", 40)])
def test_what_the_commands_say(name: str, at: int, tmp_path: Path) -> None:
    """A program finds what a player reads: the map, the drawing, whose move it is, what was drawn."""
    file = ROOT / "examples" / f"{name}.yaml"
    position = pbem.read(file).at(at)
    shown = json.loads(run_python("-m", "pbem", "show", str(file), "--at", str(at), "--json").stdout)
    assert shown["board"] == position.map()
    run_python("-m", "pbem", "picture", str(file), "--at", str(at), "-o", str(tmp_path / "map.svg"))
    drawn = (tmp_path / "map.svg").read_text("utf-8")
    assert drawn == position.svg(f"{position.rules.title}, after entry {at}")


@pytest.mark.thorough
def test_answers_are_what_moves_offers(tmp_path: Path) -> None:
    """The same orders, and the same exact chances of the same attacks."""
    file = tmp_path / "rommel.yaml"
    ana, bo = str(tmp_path / "ana"), str(tmp_path / "bo")
    ran("new", "rommel", str(file), "--seat", "axis", PBEM_HOME=ana)
    ran("join", str(file), PBEM_HOME=bo)
    for home in (ana, bo) * 3:
        ran("move", str(file), "--setup", "historical", "--yes", PBEM_HOME=home)
    position = pbem.read(file).position
    assert position.asked
    home = ana if position.asked.seat == "axis" else bo
    told = json.loads(ran("moves", str(file), "--json", PBEM_HOME=home).stdout)
    assert told["prompt"] == position.asked.prompt
    assert told["orders"] == [one.orders for one in position.answers()]
    assert told["attacks"] == [
        {"orders": one.orders, "words": "\n".join(one.words), "chance": str(one.hit), "why": one.why}
        for one in position.attacks()
    ]
    assert told["orders"]


if __name__ == "__main__":  # today's output into the page, to be reviewed
    import os

    os.chdir(ROOT)
    page = PAGE
    for block in BLOCK.findall(PAGE):
        code = block.partition("# prints\n")[0]
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(code, "example", "exec"), {})
        printed = "".join(f"# {line}".rstrip() + "\n" for line in said.getvalue().splitlines())
        page = page.replace(block, f"{code}# prints\n{printed}")
    (ROOT / "docs" / "LIBRARY.md").write_text(page, "utf-8")
    PUBLIC.write_text("".join(f"{name}: {rest}".rstrip() + "\n" for name, rest in public().items()))
