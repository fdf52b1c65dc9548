"""The house has floors: imports point down only, and rules cannot see the outside world."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "pbem"

MAY_IMPORT = {
    "errors": set(),
    "names": set(),
    "budgets": {"errors"},
    "files": {"errors"},
    "loader": set(),
    "core": {"loader", "errors"},
    "journal": {"budgets", "loader", "errors"},
    "draws": {"errors"},
    "keys": {"errors"},
    "render": {"core", "names", "errors"},
    "games": {"core", "loader", "errors"},
    "umpire": {"games", "journal", "draws", "keys", "core", "budgets", "errors"},
    "report": {"umpire", "render", "journal", "keys", "core", "errors"},
    "mail": {"render", "files", "budgets", "errors"},
    "desk": {
        "report",
        "umpire",
        "render",
        "journal",
        "keys",
        "core",
        "files",
        "names",
        "budgets",
        "errors",
    },
    "correspondence": {
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
        "errors",
    },
    "cli": {
        "correspondence",
        "mail",
        "desk",
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
        "errors",
    },
    "__main__": {"cli"},
}
"""Which rooms a room may import from, beside itself."""

UNSEEN = {"random", "secrets", "time", "datetime", "os", "socket", "asyncio", "pathlib", "io", "subprocess"}
"""What rules may not import: clock, chance, files, network."""


def modules() -> Iterator[tuple[str, Path]]:
    """Every module of the package, with its room."""
    for path in sorted(PACKAGE.rglob("*.py")):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if room != "__init__":
            yield room, path


def imports(path: Path) -> Iterator[str]:
    """Every module that a module imports, in full."""
    for node in ast.walk(ast.parse(path.read_text())):
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


def test_modules_stay_short() -> None:
    too_long = {str(p): n for _, p in modules() if (n := len(p.read_text().splitlines())) > 400}
    assert not too_long
