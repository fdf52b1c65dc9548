"""`new` and `join` write the player's name and address as his settings for mail have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli.app import run
from pbem.player.local_player import LocalPlayer

CONFIG = "mail:\n  address: anna@example.org\n  name: Anna Config\n"
NEW = ("new", "mortain", "game.yaml", "--seat", "german")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Anna's home, whom her computer calls a."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PBEM_NAME", raising=False)
    monkeypatch.setenv("LOGNAME", "a")
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def written(home: Path, seat: str) -> tuple[str, str | None]:
    """Name and address in the game file."""
    taken = LocalPlayer(home).open(Path("game.yaml").read_bytes()).seats[seat]
    return taken.name, taken.mail


class TestWhoIsWritten:
    """The options, else the settings, else the computer's name for the player."""

    @pytest.mark.parametrize(
        ("options", "found"),
        [
            ((), ("Anna Config", "anna@example.org")),
            (("--name", "Anna"), ("Anna", "anna@example.org")),
            (("--mail", "a@example.net"), ("Anna Config", "a@example.net")),
        ],
    )
    def test_in_an_offer(self, options: tuple[str, ...], found: tuple[str, str], home: Path) -> None:
        (home / "config.yaml").write_text(CONFIG)
        assert run([*NEW, *options]) == 0
        assert written(home, "german") == found

    def test_name_in_the_environment(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (home / "config.yaml").write_text(CONFIG)
        monkeypatch.setenv("PBEM_NAME", "Anna Environment")
        assert run([*NEW]) == 0
        assert written(home, "german") == ("Anna Environment", "anna@example.org")

    def test_settings_without_a_name(self, home: Path) -> None:
        (home / "config.yaml").write_text("mail:\n  address: anna@example.org\n")
        assert run([*NEW]) == 0
        assert written(home, "german") == ("a", "anna@example.org")

    def test_in_an_acceptance(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PBEM_HOME", str(home / "other"))
        assert run([*NEW, "--name", "Bruno"]) == 0
        monkeypatch.setenv("PBEM_HOME", str(home))
        (home / "config.yaml").write_text(CONFIG)
        assert run(["join", "game.yaml"]) == 0
        assert written(home, "us") == ("Anna Config", "anna@example.org")


@pytest.mark.parametrize(
    ("config", "line"),
    [
        ("mail:\n  adress: anna@example.org\n", "mail: there is no key 'adress'"),
        ("mail: [\n", "line 2, column 1: "),
        ("mail:\n  address: Anna\n", "mail.address: 'Anna' is not a mail address such as"),
    ],
)
def test_broken_settings_are_one_line(
    config: str, line: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is written then, not even a key."""
    (home / "config.yaml").write_text(config)
    assert run([*NEW]) == 1
    error, *hints = capsys.readouterr().err.splitlines()
    assert error.startswith(f"error: {home / 'config.yaml'}: {line}")
    assert all(hint.startswith("hint: ") for hint in hints)
    assert [path.name for path in home.iterdir()] == ["config.yaml"]
    assert not Path("game.yaml").exists()


@pytest.mark.parametrize("path", [r"C:\Users\Anna", r"C:\temp\new", r"\\server\temp"])
def test_a_path_of_windows_between_double_quotes(
    path: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """YAML takes its backslashes for escapes, whether it knows these or not."""
    (home / "config.yaml").write_text(f'mail:\n  address: anna@example.org\n  maildir: "{path}"\n')
    assert run([*NEW]) == 1
    hint = capsys.readouterr().err.splitlines()[-1]
    assert hint == r"hint: between double quotes \ begins an escape: use single quotes, as in 'C:\Mail'"


def test_another_fault_beside_an_escape(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "config.yaml").write_text('mail:\n  adress: "Jos\\u00e9"\n  maildir: "C:\\\\Mail"\n')
    assert run([*NEW]) == 1
    assert "hint: between" not in capsys.readouterr().err
