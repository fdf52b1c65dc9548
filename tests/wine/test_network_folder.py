"""A folder of another computer, by its path: a game there, and hints that are pasted into `cmd`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.windows_program import PYTHON, WindowsProgram, run_windows_program

pytestmark = [pytest.mark.wine, pytest.mark.thorough]

SHARE = r"\\server\my games"
SET_UP = "place 117Inf 1501 823TD 1403 119Inf 1404 120Inf 1302 SPTD 1502"


@pytest.fixture
def share(tmp_path: Path) -> Iterator[Path]:
    """What Wine shows as a share."""
    link = Path(os.environ["WINEPREFIX"]) / "dosdevices" / "unc" / "server" / "my games"
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    shared = tmp_path / "shared"
    shared.mkdir()
    link.symlink_to(shared)
    yield shared
    link.unlink()


def test_a_game(share: Path, tmp_path: Path) -> None:
    """Offered, joined and played there, with a home there too; what is suggested can be pasted."""
    file = SHARE + r"\a & b.yaml"
    bruno = {"PBEM_HOME": SHARE + r"\home of Bruno"}
    with WindowsProgram() as windows:
        offered = windows.run(tmp_path, "new", "mortain", file, "--seat", "german", "--name", "Anna")
        joined = windows.run(tmp_path, "join", file, "--name", "Bruno", **bruno)
        refused = windows.run(tmp_path, "move", file, **bruno)
    assert 'pbem join "a & b.yaml"' in offered.out
    pasted = re.findall(r"(?:type: |: )(pbem .*)", joined.out + refused.err)
    assert pasted == [f'pbem show "{file}"', f'pbem moves "{file}"']
    typed = "\r\n".join(
        ["@echo off", f"set PATH={SCRIPTS};%PATH%", *pasted, f'pbem move "{file}" "{SET_UP}"']
    )
    (tmp_path / "typed.bat").write_bytes(typed.encode())
    done = run_windows_program(["cmd", "/c", "typed.bat"], tmp_path, environment=bruno)
    told = done.stdout.decode()
    assert done.returncode == 0, told
    assert f"Mail {file} to your opponent, and wait." in " ".join(told.split())
    assert (share / "home of Bruno" / "key").exists()


SCRIPTS = f"Z:{Path(PYTHON).parent / 'Scripts'}".replace("/", "\\")
