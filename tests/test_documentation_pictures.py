"""The pictures of the pages are today's, and a PNG says what it needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli.app import run
from support.processes import run_python

ROOT = Path(__file__).parents[1]

PICTURES = {"mortain": ("mortain-it-exits", "58"), "rommel": ("rommel-goes-on", "40")}
"""Each picture of `docs/pictures`, which example after which entry; CONTRIBUTING has the commands."""


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_the_program_draws(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    example, entry = PICTURES[name]
    out = tmp_path / "map.svg"
    assert run(["picture", str(ROOT / "examples" / f"{example}.yaml"), "--at", entry, "-o", str(out)]) == 0
    assert out.read_bytes() == (ROOT / "docs" / "pictures" / f"{name}.svg").read_bytes()
    command = f"pbem picture examples/{example}.yaml --at {entry} -o docs/pictures/{name}.svg"
    assert command in (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_every_picture_is_known() -> None:
    assert {path.stem for path in (ROOT / "docs" / "pictures").glob("*.svg")} == set(PICTURES)


def test_without_its_package_a_png_is_refused_in_words(tmp_path: Path) -> None:
    without = "import sys; sys.modules['resvg_py'] = None"
    script = f"{without}\nfrom pbem.cli.app import run\nsys.exit(run(sys.argv[1:]))"
    game, out = ROOT / "examples" / "mortain-it-draw.yaml", tmp_path / "map.png"
    done = run_python("-c", script, "picture", str(game), "-o", str(out), PBEM_HOME=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == (
        "error: a PNG needs the package resvg-py, which is not installed\n"
        "hint: to install it, type pip install '.[picture]' in the folder of pbem, or pipx inject pbem "
        "resvg-py. Or write a .svg file\n"
    )
    assert not out.exists()
