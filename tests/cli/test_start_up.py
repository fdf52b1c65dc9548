"""Commands are imported when they run, and not before; the table of their names is complete."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

import pbem.cli
from pbem.cli.app import app
from pbem.cli.command_groups import LazyGroup
from pbem.format.key_file import create_key_file
from support.processes import run_python

MAIN = typer.main.get_group(app)
assert isinstance(MAIN, LazyGroup)
GROUPS = [("", MAIN), ("mail", MAIN.load("mail"))]
HEAVY = {"yaml", "msgspec", "cryptography", "email", "pbem.umpire", "pbem.games", "pbem.player"}
EXAMPLES = Path(__file__).parents[2] / "examples"


def imported_modules(*arguments: str, **environment: str) -> set[str]:
    """The modules in a process that has run the command."""
    code = (
        "import sys\nfrom pbem.cli.app import run\nrun(sys.argv[1:])\n"
        "print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    done = run_python("-c", code, *arguments, cwd=None, PYTHONIOENCODING="utf-8", **environment)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines())


@pytest.mark.parametrize(("name", "group"), GROUPS)
def test_the_table_names_every_command(name: str, group: LazyGroup) -> None:
    """Each name leads to a command, and each module that is named has no command that is not."""
    assert isinstance(group, LazyGroup)
    for command, (module, line) in group.table.items():
        assert getattr(group.load(command), "commands", {command: None})
        others = typer.main.get_group(import_module(f"pbem.cli.{module}").app).commands
        named = {command for _, one in GROUPS for command in one.table} | {"pair", "check", "tune"}
        assert command not in others or set(others) <= named
        assert line.endswith(".")
        assert len(f"  {command:<8}  {line}") <= 78


def test_no_module_with_commands_is_left_out() -> None:
    folder = Path(pbem.cli.__file__).parent
    having = {path.stem for path in folder.glob("*.py") if "\napp = commands(" in path.read_text()}
    named = {module for _, group in GROUPS for module, _ in group.table.values()}
    assert having == named


@pytest.mark.parametrize("arguments", [["--help"], ["mail", "--help"]], ids=" ".join)
def test_what_runs_no_command_imports_none(arguments: list[str]) -> None:
    assert not HEAVY & imported_modules(*arguments)


@pytest.mark.thorough
@pytest.mark.parametrize(("typed", "name"), [("pbem ve", "verify"), ("pbem mail fe", "fetch")])
def test_completion_of_a_name_imports_no_command(typed: str, name: str) -> None:
    cursor = str(typed.count(" "))
    asked = {"_PBEM_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": cursor}
    done = run_python("-X", "importtime", "-m", "pbem", cwd=None, **asked)
    assert done.stdout.split() == [name]
    found = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "pbem.cli.app" in found
    assert not HEAVY & found


@pytest.mark.parametrize("example", ["mortain-it-exits", "rommel-axis-wins"])
def test_verify_needs_of_a_game_its_terms_and_its_rules_alone(example: str, tmp_path: Path) -> None:
    """Where the file has no map, which the game's view would be asked for."""
    data = (EXAMPLES / f"{example}.yaml").read_bytes()
    file = tmp_path / "bare.yaml"
    file.write_bytes(b"pbem: 1\nlog:" + data.partition(b"\nlog:")[2])
    game = example.partition("-")[0]
    loaded = {
        tuple(name.split(".")[2:4])
        for name in imported_modules("verify", str(file))
        if name.startswith("pbem.games.")
    }
    assert loaded == {(game,), (game, "terms"), (game, "rules")}


@pytest.mark.parametrize("example", ["mortain-it-exits", "rommel-axis-wins"])
def test_a_map_is_compared_without_chances_stories_or_advice(example: str) -> None:
    found = imported_modules("verify", str(EXAMPLES / f"{example}.yaml"), PBEM_LANG="en")
    view = f"pbem.games.{example.partition('-')[0]}.view"
    assert f"{view}.legend" in found
    assert not {f"{view}.{name}" for name in ("forecast", "story", "suggestions", "overlays")} & found


WAYS = (("-m", "pbem"), ("-c", "from pbem.cli.app import main; main()"))
"""How the program is started, and how Typer answers whatever is typed."""


@pytest.mark.parametrize("example", ["mortain-it-exits", "rommel-goes-on"])
def test_a_plain_verify_needs_no_typer(example: str) -> None:
    """Nor what Typer imports beside itself."""
    done = run_python("-X", "importtime", "-m", "pbem", "verify", str(EXAMPLES / f"{example}.yaml"), cwd=None)
    assert "verified: " in done.stdout
    found = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "pbem.umpire.verify" in found
    assert not [name for name in found if name.partition(".")[0] in {"typer", "shutil", "gettext", "yaml"}]


@pytest.mark.parametrize("command", ["verify", "show", "log"])
def test_a_file_of_our_own_form_needs_no_yaml(command: str, tmp_path: Path) -> None:
    found = imported_modules(
        command, str(EXAMPLES / "mortain-it-exits.yaml"), PBEM_HOME=str(tmp_path), PBEM_LANG="en"
    )
    assert "pbem.format.yaml_lines" in found
    assert not {"yaml", "pbem.format.strict_yaml"} & found


def test_the_version_loads_no_rules(tmp_path: Path) -> None:
    """Nor does it ask the standard library for other people's games, where there are none."""
    found = imported_modules("--version", PBEM_HOME=str(tmp_path))
    assert "pbem.games" in found
    assert not {"pbem.games.mortain", "pbem.games.rommel", "pbem.format.document", "yaml"} & found
    assert "importlib.metadata" not in found


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        ("good.yaml", {}),
        ("good.yaml bad.yaml nowhere.yaml own.yaml", {}),
        ("good.yaml bad.yaml nowhere.yaml own.yaml", {"PBEM_LANG": "de"}),
        ("bad.yaml", {"PBEM_LANG": "", "LC_ALL": "it_IT.UTF-8"}),
        ("good.yaml", {"PBEM_LANG": "", "PBEM_HOME": "spanish"}),
        ("good.yaml", {"PBEM_LANG": "", "PBEM_HOME": "wrong"}),
        ("good.yaml", {"PBEM_LANG": "xx"}),
        ("nowhere.yaml", {"PBEM_LANG": "es", "PYTHONIOENCODING": "ascii"}),
        ("-", {}),
        ("*.yaml", {}),
        ("0000", {}),
        ("", {}),
        ("good.yaml --json", {}),
        ("--help", {}),
        ("--no-such-option good.yaml", {}),
        ("-- good.yaml", {}),
    ],
)
def test_a_plain_verify_says_what_typer_would(
    arguments: str, environment: dict[str, str], tmp_path: Path
) -> None:
    """The same lines and the same exit code, in each language, whether or not Typer is asked."""
    good = (EXAMPLES / "mortain-it-exits.yaml").read_bytes()
    (tmp_path / "good.yaml").write_bytes(good)
    (tmp_path / "bad.yaml").write_bytes(good.replace(b"beat: 2\n", b"beat: 3\n", 1))
    (tmp_path / "own.yaml").write_bytes((EXAMPLES / "mortain-de-own-scenario.yaml").read_bytes())
    for home, lang in (("spanish", "es"), ("wrong", "fr")):
        (tmp_path / home).mkdir()
        (tmp_path / home / "config.yaml").write_text(f"lang: {lang}\n")
    given = {"PBEM_HOME": "home", "PBEM_LANG": "en", **environment}
    one, other = (
        run_python(*way, "verify", *arguments.split(), cwd=tmp_path, typed=good.decode(), **given)
        for way in WAYS
    )
    assert (one.returncode, one.stdout, one.stderr) == (other.returncode, other.stdout, other.stderr)
    assert "Traceback" not in one.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("way", WAYS, ids=["plain", "typer"])
def test_verify_whose_reader_has_gone_says_nothing(way: tuple[str, str]) -> None:
    """As in `pbem verify FILE | head -1`."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, *way, "verify", str(EXAMPLES / "mortain-it-exits.yaml")]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_key_without_a_passphrase_is_read_with_little(tmp_path: Path) -> None:
    """Every command of a player reads his key."""
    create_key_file(tmp_path / "key")
    found = imported_modules("key", PBEM_HOME=str(tmp_path))
    assert "pbem.format.key_file" in found
    assert not {"cryptography.hazmat.primitives.serialization", "bcrypt"} & found


@pytest.mark.parametrize("arguments", ["verify -h", "help verify", "verify --help"])
def test_all_ways_to_ask_for_help(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    from pbem.cli.app import run

    assert run(arguments.split()) == 0
    assert "Example: pbem verify" in capsys.readouterr().out


def test_help_alone_is_that_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    from pbem.cli.app import run

    told = []
    for arguments in (["help"], ["-h"], ["--help"]):
        assert run(arguments) == 0
        told.append(capsys.readouterr().out)
    assert len(set(told)) == 1


def test_help_is_one_screen_with_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    from pbem.cli.app import run

    assert run(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) < 80
    named = set(re.findall(r"[a-z]+", " ".join(line[7:25] for line in lines[3:-1])))
    assert isinstance(MAIN, LazyGroup)
    assert named == set(MAIN.table)


def test_a_slip_is_still_understood(capsys: pytest.CaptureFixture[str]) -> None:
    from pbem.cli.app import run

    assert run(["verfy"]) == 2
    assert "did you mean verify?" in capsys.readouterr().err


def test_interrupted_while_it_is_loaded() -> None:
    """An interrupt that comes before there is any command ends in one line as well."""
    code = (
        "import sys\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'pbem.cli.app':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "from pbem.cli import main\n"
        "main()\n"
    )
    done = run_python("-c", code)
    assert (done.returncode, done.stderr) == (1, "error: stopped\n")
