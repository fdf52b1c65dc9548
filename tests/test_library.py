"""The library: what is public is this and no more, and does what its page shows."""

from __future__ import annotations

import contextlib
import inspect
import io
import re
from pathlib import Path
from random import Random
from types import FunctionType

import pytest
from ran import python

import pbem
from pbem.umpire import open_game
from pbem.web.luck import attacks, luck

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "LIBRARY.md").read_text("utf-8")
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def public() -> dict[str, str]:
    """Every public name, with its signature or the names of its fields; of classes their members too."""
    found: dict[str, str] = {}
    for name in pbem.__all__:
        thing = getattr(pbem, name)
        if isinstance(thing, str):
            continue
        if not inspect.isclass(thing):
            found[name] = _signature(thing)
            continue
        found[name] = ", ".join(getattr(thing, "__struct_fields__", ()))
        if thing.__module__.startswith("pbem.library"):
            for member, value in vars(thing).items():
                if not member.startswith("_") or member == "_repr_svg_":
                    if isinstance(value, property):
                        found[f"{name}.{member}"] = str(inspect.signature(value.fget).return_annotation)  # type: ignore[arg-type]
                    elif isinstance(value, FunctionType):
                        found[f"{name}.{member}"] = _signature(value)
    return found


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


def test_the_lazy_module_and_the_library_name_the_same() -> None:
    from pbem import library

    assert set(pbem.__all__) == {"__version__", *library.__all__}
    text = Path(str(pbem.__file__)).read_text("utf-8")
    assert set(re.findall(r"from pbem\.library import (\w+) as \1", text)) == set(library.__all__)


def test_a_bare_import_loads_nothing() -> None:
    loads = "import sys; old = set(sys.modules); import pbem; print(sorted(set(sys.modules) - old))"
    assert python("-c", loads).stdout.strip() == "['pbem']"
    commands = "import sys; from pbem import games, umpire; print('pbem.library' in sys.modules)"
    assert python("-c", commands).stdout.strip() == "False"


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
    found = luck(attacks(open_game((ROOT / "examples" / "mortain-it-exits.yaml").read_bytes())))
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


def test_what_is_asked_of_a_position_that_the_file_goes_on_from() -> None:
    game = pbem.read(ROOT / "examples" / "mortain-it-exits.yaml")
    assert len(game.entries) == len(game) == 80
    assert game.position.result == game.result
    with pytest.raises(IndexError):
        game.at(80)
    with pytest.raises(pbem.FileError, match="no game 'chess'"):
        pbem.rules("chess")
    assert "<svg" in game._repr_svg_()


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
