"""A game that is a distribution of its own plays without a line of the core (docs/WRITING-A-GAME.md)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from gettext import NullTranslations
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem import texts
from pbem.core.rules import Rules
from pbem.texts import TYPED
from support.marked_language import words_outside_marks
from support.markers import Posix, skip_without
from support.playout import GameSetup, play
from support.processes import run_python

pytestmark = pytest.mark.thorough

TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, compiled: None) -> Path:
    """A folder with the third game installed in it, from its own source."""
    skip_without(Posix.BUILD)
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-deps"]
    games = [str(TESTS / game) for game in ("third_game", "fourth_game")]
    subprocess.run([*pip, "--target", str(folder), *games], check=True)
    return folder


def started(site: Path, home: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command that has run, with what lies in `site` installed."""
    environment = {**os.environ, "PYTHONPATH": str(site), "PBEM_HOME": str(home), "COLUMNS": "80"}
    return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)


def ran(site: Path, home: Path, *command: str) -> str:
    """What a command prints, with the game installed; it must succeed."""
    done = started(site, home, *command)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tried(site: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A `pbem` command that has run, with the game installed."""
    return started(site, home, sys.executable, "-m", "pbem", *arguments)


def test_demo_is_verified(site: Path, tmp_path: Path) -> None:
    told = ran(site, tmp_path, sys.executable, "-m", "pbem", "demo", "d", "--game", "fords")
    assert "seals its orders as" in told
    assert "opens its sealed orders: cross 0" in told
    assert "9 passes  sealed orders" in told


@pytest.mark.thorough
def test_is_drawn(site: Path, tmp_path: Path) -> None:
    """With nothing said of how: textures, and the letter of a kind."""
    ran(site, tmp_path, sys.executable, "-m", "pbem", "demo", "d", "--game", "fords")
    words: set[str] = set()
    for game in sorted(tmp_path.glob("d/**/*.yaml")):  # the guard is not on the map after every entry
        ran(site, tmp_path, sys.executable, "-m", "pbem", "picture", str(game), "-o", "fords.svg")
        words |= set(re.findall(r"<text[^>]*>([^<]*)</text>", (tmp_path / "fords.svg").read_text("utf-8")))
    assert {"~ ~ ~ ~", "0101", "Guard", "G"} <= words
    ran(site, tmp_path, sys.executable, "-m", "pbem", "page", str(game), "-o", "fords.html")
    page = (tmp_path / "fords.html").read_text("utf-8")
    assert 'id="scene"' in page
    assert "<h2>Luck</h2>" not in page  # the game tells of no attacks


def test_contract_holds(site: Path, tmp_path: Path) -> None:
    for rules in ("fords", "fords/1", "smugglers"):
        path = os.pathsep.join([str(site), str(TESTS)])
        done = run_python("-m", "support.random_play", rules, "0", "100", cwd=tmp_path, PYTHONPATH=path)
        assert done.stdout.startswith("100 games hold"), done.stderr


def test_a_game_called_otherwise_than_its_package(site: Path, tmp_path: Path) -> None:
    """Written by the recipe alone: a hand of cards, a sealed decision, dice, YAML alone, no schemas."""

    def told(*arguments: str) -> str:
        return ran(site, tmp_path, sys.executable, "-m", "pbem", *arguments)

    assert "9 passes  sealed orders" in told("demo", "d", "--game", "smugglers")
    assert "S4 In a cove" in told("rules", "smugglers", "S4")
    last = max(tmp_path.glob("d/mail/*.yaml"))
    shutil.copy(last, tmp_path / "s.yaml")
    assert "wrote s.svg" in told("picture", "s.yaml")
    assert "The chance that smuggler wins, from " in told("report", "s.yaml", "--playouts", "50")
    told("study", "smugglers", "--games", "20", "--option", "turns=3,5", "--workers", "1")
    heads = (tmp_path / "study-smugglers" / "games.csv").read_text().splitlines()[0].split(",")
    assert {"option_turns", "turns", "Landed", "Seized"} <= set(heads)


def test_a_scenario_is_that_of_the_game_in_its_files_name(site: Path, tmp_path: Path) -> None:
    assert tried(site, tmp_path, "scenario", "write", "my-smugglers.yaml").returncode == 0
    assert "gold: 5" in (tmp_path / "my-smugglers.yaml").read_text()
    assert "pbem new smugglers" in tried(site, tmp_path, "scenario", "check", "my-smugglers.yaml").stdout
    refused = tried(site, tmp_path, "scenario", "write", "smugglers")
    assert refused.stderr == (
        "error: smugglers: is the name of a game, not of a file\n"
        "hint: pbem scenario write my-smugglers.yaml\n"
    )


def test_its_rules_are_read_beside_its_code(site: Path, tmp_path: Path) -> None:
    assert "South wins when one raft" in ran(site, tmp_path, sys.executable, "-m", "pbem", "rules", "fords")
    assert ran(site, tmp_path, sys.executable, "-m", "pbem", "rules", "F2").startswith("F2 Each turn South")
    missing = tried(site, tmp_path, "rules", "fords", "F9")
    assert missing.stderr == (
        "error: Three Fords has no rule F9; nearby: F1, F2, F3, F4, F5\nhint: pbem rules fords F1\n"
    )


def test_it_brings_its_own_languages(site: Path, tmp_path: Path) -> None:
    """A page and a catalogue beside its code; what it has not in a language is in English."""
    spanish = (sys.executable, "-m", "pbem", "--lang", "es", "rules")
    assert "pbem rules fords       Los tres vados" in ran(site, tmp_path, *spanish)
    assert "Sur gana cuando una balsa" in ran(site, tmp_path, *spanish, "fords")
    told = tried(site, tmp_path, "--lang", "es", "rules", "fords", "F2")
    assert told.stdout.startswith("F2 Each turn South")
    assert told.stderr == "nota: esta página de Los tres vados aún no está en español, sino en inglés\n"


@pytest.mark.usefixtures("pseudo")
def test_all_that_it_says_may_be_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside of the marks stand the names of fords, rules and orders alone: a pattern for other games."""
    monkeypatch.syspath_prepend(TESTS / "third_game")
    rules: Rules = import_module("fords").RULES
    begun = rules.begin(rules.editions["standard"], rules.scenarios.data("fords"))
    setup = GameSetup(rules, {}, {}, begun, (), begun)
    said: list[str] = []
    for move in (move for seed in range(5) for move in play(setup, Random(seed))):
        said += (rules.view.prompt(move.ask), *map(rules.view.story, move.told), *_shown(rules, move.state))
    assert len(said) > 100
    assert words_outside_marks("\n".join(said)) == {"Alder", "Birch", "Cedar", "cross", "guard", "dig"}


@pytest.mark.parametrize("language", ["en", "backwards"])
def test_its_orders_are_typed_in_ones_own_words(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Backwards(NullTranslations):
        def pgettext(self, context: str, message: str) -> str:
            return message[::-1] if context == TYPED and message.isalpha() else message

    monkeypatch.syspath_prepend(TESTS / "third_game")
    monkeypatch.setattr(texts, "_catalogue", lambda package, _: Backwards())
    rules: Rules = import_module("fords").RULES
    begun = rules.begin(rules.editions["standard"], rules.scenarios.data("fords"))
    [first, *_] = play(GameSetup(rules, {}, {}, begun, (), begun), Random(1))
    with texts.speaking(language):
        [typed] = rules.view.write_words(first.chosen)
        assert typed.split()[0] == ("cross" if language == "en" else "ssorc")
        for line in (typed, typed.replace("ssorc", "cross"), typed.upper()):
            assert rules.view.read_words(first.ask, [line]) == first.chosen


def _shown(rules: Rules, state: Any) -> Iterator[str]:
    assert rules.view.aim is not None
    yield from rules.view.aim(state)
    legend = rules.view.legend(state)
    yield from (*legend.sides.values(), *legend.names.values())
    yield from (text for both in (*legend.terrain.values(), *legend.figures) for text in both)


@pytest.mark.thorough
def test_show_and_a_trial_tell_what_it_tells(site: Path, tmp_path: Path) -> None:
    """Its aim, and what its forecast says of orders; a refusal names its rule."""
    new = ("new", "fords", "f.yaml", "--seat", "north", "--practice")
    assert tried(site, tmp_path, "key").returncode == 0
    assert tried(site, tmp_path, *new).returncode == 0
    shown = tried(site, tmp_path, "show", "f.yaml").stdout
    assert "south wins when a raft has crossed: 2 left (F1)" in shown
    told = tried(site, tmp_path, "move", "f.yaml", "guard 0202", "--dry-run").stdout
    assert "A raft that comes to 0202 is lost with 50% (F3)" in told
    assert "hint: pbem rules fords F4" in tried(site, tmp_path, "move", "f.yaml", "cross 0202").stderr


@pytest.mark.thorough
def test_an_earlier_version_is_kept_in_code(site: Path, tmp_path: Path) -> None:
    """What version 1 refused it refuses for ever, by its own rules; prompt and pages know no other."""
    assert tried(site, tmp_path, "key").returncode == 0
    new = ("--seat", "north", "--practice")
    assert tried(site, tmp_path, "new", "fords", "2.yaml", *new).returncode == 0
    assert tried(site, tmp_path, "new", "fords", "1.yaml", *new, "--rules", "fords/1").returncode == 0
    assert "dig HEX, once (F5)" in tried(site, tmp_path, "show", "2.yaml").stdout
    assert "dig" not in tried(site, tmp_path, "show", "1.yaml").stdout
    assert "dig 0202" not in tried(site, tmp_path, "moves", "1.yaml").stdout
    refused = tried(site, tmp_path, "move", "1.yaml", "dig 0202")
    assert refused.returncode == 3
    assert refused.stderr.startswith("error: F4: ")
    assert refused.stderr.endswith("hint: pbem rules fords/1 F4\n")
    assert "dig" not in ran(site, tmp_path, sys.executable, "-m", "pbem", "rules", "fords/1", "F4")
    assert "dig" not in ran(site, tmp_path, sys.executable, "-m", "pbem", "rules", "1.yaml")
    assert "The guard digs in at 0202" in tried(site, tmp_path, "move", "2.yaml", "dig 0202").stdout
    assert tried(site, tmp_path, "demo", "d", "--game", "fords/1").returncode == 0
    game = next(tmp_path.glob("d/**/*.yaml"))
    assert "    rules: fords/1\n" in game.read_text("utf-8")
    study = tried(site, tmp_path, "study", "fords/1", "--games", "10")
    assert "study-fords-1/study.html" in study.stdout, study.stderr


@pytest.mark.thorough
def test_plans_speak_of_it(site: Path, tmp_path: Path) -> None:
    """By its public state, its legend and its events; where it tells nothing of ranges a plan asks.

    Its guard leaves the map after each turn, which in any other game is a loss.
    """
    assert tried(site, tmp_path, "key").returncode == 0
    assert tried(site, tmp_path, "new", "fords", "f.yaml", "--seat", "north", "--practice").returncode == 0
    plan = ("plan", "f.yaml")
    assert "asked guard, turn 1, rafts 2, " in " ".join(tried(site, tmp_path, *plan).stdout.split())
    assert "quiet" not in tried(site, tmp_path, *plan).stdout
    refused = tried(site, tmp_path, *plan, "add", "quiet")
    assert refused.stderr.startswith("error: the plan: the plan 'quiet' does nothing in Three Fords")
    lines = (
        "despite hits",
        "when rafts 1 or more",
        "when hex 0202 empty",
        "do guard 0202",
        "until event victory",
    )
    assert tried(site, tmp_path, *plan, "add", *lines).returncode == 0
    armed = tried(site, tmp_path, *plan, "arm").stdout
    assert "Three Fords does not say which units are in range" in armed
    assert "now: your plan orders guard 0202 (step 1)" in tried(site, tmp_path, *plan, "--try").stdout
    played = tried(site, tmp_path, "move", "f.yaml", "--plan")
    assert played.returncode == 0
    assert "The guard stands at 0202" in played.stdout
    assert "wins" in played.stdout, "the plan has played the game to its end"
    asked = tried(site, tmp_path, *plan, "add", "when weather clear", "do guard 0102")
    assert asked.stderr.startswith("error: the plan: step 2: 'weather' is not a fact of this game\n")


def test_a_game_without_pages_says_so(site: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(site, bare)
    for page in ("HOWTO.md", "RULES.md"):
        (bare / "fords" / page).unlink()
    assert tried(bare, tmp_path, "rules", "fords").stdout == (
        "Three Fords comes with no text on how to play.\n"
    )
    assert tried(bare, tmp_path, "rules", "fords", "F1").stderr == (
        "error: Three Fords comes with no rules to read\n"
    )


def test_is_found_beside_the_others(site: Path, tmp_path: Path) -> None:
    names = "from pbem.games import names; print(*names())"
    assert ran(site, tmp_path, sys.executable, "-c", names).split() == [
        "fords",
        "mortain",
        "rommel",
        "smugglers",
        "tabletop",
    ]


def planted(folder: Path, distribution: str, name: str, module: str, source: str) -> Path:
    """An installed distribution of one module that brings a game, as pip would lay it out."""
    (folder / f"{module}.py").write_text(source)
    info = folder / f"{distribution}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[pbem.games]\n{name} = {module}:RULES\n")
    return folder


EXAMPLE = TESTS.parent / "examples" / "mortain-es-resigns.yaml"


class TestOthersGames:
    """A stranger's distribution can add a game, and never replace one; no fault of it stops the rest."""

    @pytest.mark.parametrize("name", ["mortain", pytest.param("rommel", marks=pytest.mark.thorough)])
    def test_ours_are_not_replaced(self, name: str, tmp_path: Path) -> None:
        """Its code does not even run: it would end the program. It lies before our package, and behind."""
        site = tmp_path / "site"
        site.mkdir()
        planted(site, "stranger", name, "stranger", "raise SystemExit('a stranger judges')\n")
        game = next(iter(TESTS.parent.glob(f"examples/{name}-*.yaml")))
        for places in (f"{site}", f"{sysconfig.get_path('purelib')}{os.pathsep}{site}"):
            assert "10 passes" in ran(
                Path(places), tmp_path, sys.executable, "-m", "pbem", "verify", str(game)
            )

    @pytest.mark.parametrize(
        ("source", "words"),
        [
            ("raise SystemExit(3)", "cannot be loaded: SystemExit: 3"),
            *(
                pytest.param(*one, marks=pytest.mark.thorough)
                for one in (
                    ("import nothing_of_that_name", "cannot be loaded: ModuleNotFoundError"),
                    ("RULES = None", "cannot be loaded: AttributeError"),
                    ("class RULES: name, version = 'mortain', 1", "calls itself 'mortain'; it is not used"),
                )
            ),
        ],
    )
    def test_one_that_fails_is_named_and_passed_over(self, source: str, words: str, tmp_path: Path) -> None:
        site = planted(tmp_path, "broken-game", "broken", "broken", source + "\n")
        failed = tried(site, tmp_path, "new", "broken", "--seat", "a")
        assert failed.returncode == 1
        assert failed.stderr.startswith("error: the game 'broken' (broken-game, broken:RULES) ")
        assert words in failed.stderr
        assert failed.stderr.count("\n") == 1
        assert "10 passes" in ran(site, tmp_path, sys.executable, "-m", "pbem", "verify", str(EXAMPLE))
        other = tmp_path / "other.yaml"
        other.write_bytes(EXAMPLE.read_bytes().replace(b"mortain/1", b"waterloo/7"))
        refused = tried(site, tmp_path, "show", "other.yaml")
        assert (
            "needs the rules 'waterloo/7', but this program has mortain/1, rommel/2, rommel/1, tabletop/1\n"
        ) in refused.stderr

    def test_a_name_that_two_claim_belongs_to_neither(self, tmp_path: Path) -> None:
        planted(tmp_path, "first-game", "twice", "first", "raise SystemExit('first')\n")
        site = planted(tmp_path, "second-game", "twice", "second", "raise SystemExit('second')\n")
        failed = tried(site, tmp_path, "new", "twice", "--seat", "a")
        assert failed.returncode == 1
        assert (
            "several packages provide the game 'twice': first-game, first:RULES, second-game, second:RULES"
            in failed.stderr
        )
