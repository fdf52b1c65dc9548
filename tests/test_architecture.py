"""The house has floors: imports point down only, and rules cannot see the outside world."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from ran import python

PACKAGE = Path(__file__).parents[1] / "pbem"

BELOW = {"messages", "errors"}
"""What nearly every room uses. Rooms that have no more know no language: what they say are messages."""

EVERYWHERE = BELOW | {"texts"}
"""What rooms use that speak to whoever reads."""

MAY_IMPORT: dict[str, set[str]] = {
    "errors": {"messages", "names"},
    "messages": {"texts"},
    "texts": {"names"},
    "names": set(),
    "loader": set(),
    "doors": set(),
    "home": BELOW,
    "language": EVERYWHERE | {"home"},
    "budgets": BELOW,
    "files": BELOW,
    "faults": BELOW,
    "workers": EVERYWHERE | {"budgets"},
    "fingerprint": {"games"},
    "core": BELOW | {"faults", "names", "loader"},
    "journal": BELOW | {"faults", "budgets", "loader"},
    "draws": BELOW,
    "keys": BELOW,
    "render": EVERYWHERE | {"language", "core", "names"},
    "games": EVERYWHERE | {"core", "faults"},
    "umpire": BELOW | {"games", "journal", "draws", "keys", "core", "faults", "budgets"},
    "report": EVERYWHERE | {"umpire", "render", "journal", "keys", "core"},
    "study": EVERYWHERE
    | {
        "workers",
        "fingerprint",
        "doors",
        "report",
        "umpire",
        "games",
        "render",
        "journal",
        "core",
        "files",
        "faults",
        "budgets",
        "loader",
    },
    "library": EVERYWHERE | {"report", "umpire", "games", "render", "journal", "keys", "core", "budgets"},
    "club": EVERYWHERE
    | {
        "workers",
        "fingerprint",
        "doors",
        "study",
        "mail",
        "report",
        "umpire",
        "games",
        "render",
        "journal",
        "keys",
        "core",
        "files",
        "faults",
        "names",
        "budgets",
    },
    "web": EVERYWHERE
    | {"club", "correspondence", "desk", "study", "report", "umpire", "render", "journal", "keys", "core"},
    "mail": EVERYWHERE | {"names", "render", "files", "faults", "budgets"},
    "desk": EVERYWHERE
    | {"doors", "report", "umpire", "render", "journal", "keys", "core", "files", "names", "budgets"},
    "correspondence": EVERYWHERE
    | {
        "workers",
        "fingerprint",
        "doors",
        "language",
        "mail",
        "desk",
        "report",
        "umpire",
        "render",
        "journal",
        "keys",
        "core",
        "files",
        "names",
        "budgets",
    },
    "cli": EVERYWHERE
    | {
        "workers",
        "fingerprint",
        "names",
        "language",
        "home",
        "correspondence",
        "mail",
        "desk",
        "library",
        "web",
        "club",
        "study",
        "report",
        "umpire",
        "games",
        "render",
        "journal",
        "draws",
        "keys",
        "core",
        "files",
        "budgets",
    },
    "__main__": {"cli"},
}
"""Which rooms a room may import from, beside itself."""

ROOMS_OF_A_GAME = ("terms", "rules", "view", "players")
"""The rooms of each game: one may import from those before it. The game itself imports the first two."""

ROOMS_OF_THE_DESK = ("shelf", "waiting", "plans", "orders", "staff", "situation", "acts", "practice")
"""Each may import from those before it."""

DOORS = (*(f"desk.{room}" for room in ROOMS_OF_THE_DESK), "study", "club", "correspondence")
"""Others meet these at their doors."""

GAMES = sorted(path.parent.name for path in (PACKAGE / "games").glob("*/__init__.py"))

UNSEEN = {"random", "secrets", "time", "datetime", "os", "socket", "asyncio", "pathlib", "io", "subprocess"}
"""What rules may not import: clock, chance, files, network."""


def modules() -> Iterator[tuple[str, Path]]:
    """Every module of the package, with its room."""
    for path in sorted(PACKAGE.rglob("*.py")):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if room != "__init__":
            yield room, path


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imports(path: Path) -> Iterator[str]:
    """Every module that a module imports, in full."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: imports are written in full"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(name: str) -> str | None:
    """The room of pbem that a name belongs to; None for other packages, and for names of pbem itself."""
    parts = name.split(".")
    return parts[1] if parts[0] == "pbem" and len(parts) > 1 and parts[1] in MAY_IMPORT else None


@pytest.mark.parametrize(("room", "path"), list(modules()), ids=lambda value: str(value).split("/pbem/")[-1])
def test_imports_point_down_only(room: str, path: Path) -> None:
    for name in imports(path):
        target = room_of(name)
        if target is not None and target != room:
            assert target in MAY_IMPORT[room], f"{path.name} in {room} imports {name}"


@pytest.mark.parametrize(
    "path",
    [p for room, p in modules() if room in ("core", "games")],
    ids=lambda p: str(p).split("/pbem/")[-1],
)
def test_rules_see_no_clock_chance_files_or_network(path: Path) -> None:
    roots = {name.split(".")[0] for name in imports(path)}
    assert not roots & UNSEEN


def test_no_game_imports_another() -> None:
    for path in (PACKAGE / "games").rglob("*.py"):
        own = path.relative_to(PACKAGE / "games").parts[0]
        for name in imports(path):
            parts = name.split(".")
            if parts[:2] == ["pbem", "games"] and len(parts) > 2:
                assert parts[2] == own, f"{path} imports {name}"


@pytest.mark.parametrize("game", GAMES)
def test_the_rooms_of_a_game_import_in_order(game: str) -> None:
    for path in (PACKAGE / "games" / game).rglob("*.py"):
        room = path.relative_to(PACKAGE / "games" / game).parts[0]
        assert room in (*ROOMS_OF_A_GAME, "__init__.py"), f"{path} is in no room"
        last = ROOMS_OF_A_GAME.index("rules" if room == "__init__.py" else room)
        for name in imports(path):
            parts = name.split(".")
            if parts[:3] == ["pbem", "games", game] and len(parts) > 3 and parts[3] in ROOMS_OF_A_GAME:
                assert ROOMS_OF_A_GAME.index(parts[3]) <= last, f"{path} imports {name}"


@pytest.mark.parametrize("room", ROOMS_OF_THE_DESK)
def test_the_rooms_of_the_desk_import_in_order(room: str) -> None:
    above = ROOMS_OF_THE_DESK[ROOMS_OF_THE_DESK.index(room) + 1 :]
    for path in (PACKAGE / "desk" / room).rglob("*.py"):
        for name in _imports_run(path):
            assert not name.startswith(tuple(f"pbem.desk.{one}." for one in above)), f"{path} imports {name}"


def test_rooms_are_met_at_their_doors() -> None:
    """Whatever has a door lets in by it alone, whole modules apart: `from pbem.desk.acts import later`."""
    for room, path in modules():
        inside = tuple(f"pbem.{one}." for one in DOORS if one.partition(".")[0] != room)
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ImportFrom) and node.module:
                assert not node.module.startswith(inside), f"{path} imports from {node.module}"


@pytest.mark.parametrize("room", DOORS)
def test_the_names_at_a_door(room: str) -> None:
    """Each once, and in use; none a module's: else it is the one or the other, by what was imported first."""
    folder = PACKAGE.joinpath(*room.split("."))
    listed = [node for node in ast.walk(parsed(folder / "__init__.py")) if isinstance(node, ast.ImportFrom)]
    names = [alias.name for node in listed for alias in node.names if alias.asname]
    assert len(names) == len(set(names))
    assert not {path.stem for path in folder.glob("*.py")}.intersection(names)
    used = {name for _, path in modules() if folder not in path.parents for name in imports(path)}
    assert not [name for name in names if f"pbem.{room}.{name}" not in used]


@pytest.mark.parametrize("game", GAMES)
def test_no_player_imports_a_view(game: str) -> None:
    for path in (PACKAGE / "games" / game / "players").rglob("*.py"):
        assert not [name for name in imports(path) if name.startswith(f"pbem.games.{game}.view")], path


@pytest.mark.parametrize("game", GAMES)
def test_terms_and_rules_of_a_game_speak_no_language(game: str) -> None:
    for room in ("terms", "rules"):
        for path in (PACKAGE / "games" / game / room).rglob("*.py"):
            assert "pbem.texts" not in set(imports(path)), f"{path} says what should be a message"


def graph() -> dict[str, set[str]]:
    """The modules of the package, each with those that it imports, in its functions too."""
    paths = {_module(path): path for path in PACKAGE.rglob("*.py")}
    return {
        module: {name if name in paths else name.rpartition(".")[0] for name in _imports_run(path)}
        & paths.keys() - {module}
        for module, path in paths.items()
    }


def _module(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def _imports_run(path: Path) -> Iterator[str]:
    """What a module imports while it is loaded or runs: not for the types alone."""
    waiting: list[ast.AST] = list(parsed(path).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting.extend(node.orelse)
        else:
            waiting.extend(ast.iter_child_nodes(node))


def test_no_module_imports_itself_by_way_of_others() -> None:
    left = graph()
    while free := [module for module, needed in left.items() if not needed & left.keys()]:
        for module in free:
            del left[module]
    assert not left, f"these import one another, or what does: {sorted(left)}"


WRITING = {"offer", "accept", "play", "propose", "answer", "resign"}
"""What of `umpire.write` makes an entry."""


def writes(path: Path) -> set[str]:
    """What of `umpire.write` a module calls or takes: `write.play`, or `play` out of it."""
    tree = ast.parse(path.read_text("utf-8"))
    nodes = list(ast.walk(tree))
    taken = {
        one.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module == "pbem.umpire.write"
        for one in node.names
    }
    called = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "write"
    }
    return (taken | called) & WRITING


def test_entries_are_written_by_acts_alone() -> None:
    """Whatever way a player takes, one way leads to an entry: `desk/acts`."""
    outside = {
        path.as_posix(): found for room, path in modules() if room != "umpire" and (found := writes(path))
    }
    acts = {path for path in outside if "desk/acts/" in path}
    assert acts, "the test sees nothing"
    assert outside.keys() == acts


LOADED = """
import sys
from pbem.cli.app import run
assert run(["verify", sys.argv[1]]) == 0
print(*(name for name in sys.modules if name.startswith("pbem.games.")), file=sys.stderr)
"""


@pytest.mark.parametrize("example", ["mortain-it-exits", "rommel-axis-wins"])
def test_verify_needs_of_a_game_its_terms_and_its_rules_alone(example: str, tmp_path: Path) -> None:
    """Where the file has no map, which the game's view would be asked for."""
    data = (PACKAGE.parent / "examples" / f"{example}.yaml").read_bytes()
    file = tmp_path / "bare.yaml"
    file.write_bytes(b"pbem: 1\nlog:" + data.partition(b"\nlog:")[2])
    done = python("-c", LOADED, str(file))
    assert done.returncode == 0, done.stderr
    game = example.partition("-")[0]
    loaded = {tuple(name.split(".")[2:4]) for name in done.stderr.split()}
    assert loaded == {(game,), (game, "terms"), (game, "rules")}


def test_modules_stay_short() -> None:
    too_long = {str(p): n for _, p in modules() if (n := len(p.read_text("utf-8").splitlines())) > 400}
    assert not too_long


ALIKE = 6
"""So many lines that stand in two places are one thing that is done twice."""


def written(path: Path) -> list[str]:
    """The lines of a module that say something of its own: no imports, comments, blank lines or brackets."""
    text = path.read_text("utf-8")
    imported = {
        number
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = (line.strip() for number, line in enumerate(text.splitlines(), 1) if number not in imported)
    return [line for line in lines if line.strip('()[]{},:"') and not line.startswith("#")]


def test_nothing_stands_twice() -> None:
    found: dict[tuple[str, ...], str] = {}
    for _, path in modules():
        lines = written(path)
        for first in range(len(lines) - ALIKE + 1):
            passage = tuple(lines[first : first + ALIKE])
            other = found.setdefault(passage, str(path))
            assert other == str(path), f"stands in {path} and {other}: {passage}"
