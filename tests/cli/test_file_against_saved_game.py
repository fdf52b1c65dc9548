"""What commands tell of a file that is older or newer than one's own copy, or whose head is false."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.cli.app import run
from pbem.texts import LANGUAGES, speaking
from support.transcripts import Step, perform_steps

pytestmark = pytest.mark.thorough

OLDER = "this file is older than yours: it ends with entry 2, yours with entry 3"
FALSE = "the map in this file is not the game's"
IN_HIS_LANGUAGE = {
    "en": ("is older than yours", "is not the game's"),
    "es": ("es más antiguo que el tuyo", "no es el de la partida"),
    "it": ("è più vecchio del tuo", "non è quella della partita"),
    "de": ("ist älter als deine", "ist nicht der der Partie"),
}


@pytest.fixture(autouse=True)
def _files(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anna has moved: `old.yaml` is from before, and in `false.yaml` a counter has another name."""
    steps = [
        Step("anna", "cp mortain.yaml old.yaml", 0),
        Step("anna", "pbem move mortain.yaml 'enter DF 1901'", 0),
        Step("anna", "sed 's/SPTD /SPTE /' mortain.yaml > false.yaml", 0),
    ]
    for step, printed in perform_steps(steps, table):
        assert not printed or printed[-1] != "[1]", step
    monkeypatch.chdir(table)
    monkeypatch.setenv("PBEM_HOME", "homes/anna")


class TestOlder:
    @pytest.mark.parametrize("look", ["", "--whole", "--threats", "--at 1"])
    def test_show_says_so_before_anything_else(self, look: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["show", "old.yaml", *look.split()]) == 1
        out = capsys.readouterr().out
        whole = out.replace("\n  ", " ")  # a line that was broken
        assert whole.startswith(f"warning: {OLDER}\nhint: to continue with yours: pbem show ")
        assert look == "--whole" or len(out.splitlines()) <= 40

    @pytest.mark.parametrize("look", ["log", "moves", "draws", "hint --think 0.1"])
    def test_who_only_looks_is_warned(self, look: str, capsys: pytest.CaptureFixture[str]) -> None:
        command, *rest = look.split()
        assert run([command, "old.yaml", *rest]) == 0
        assert capsys.readouterr().err.startswith(f"warning: {OLDER}\n")

    def test_verify_remarks_it_and_the_checks_hold(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["verify", "old.yaml"]) == 0
        assert capsys.readouterr().out.startswith(f"old.yaml\n  {OLDER}\n")

    @pytest.mark.parametrize(
        "command", ["move old.yaml pass", "propose old.yaml draw", "resign old.yaml --yes"]
    )
    def test_it_is_not_played_on(self, command: str, capsys: pytest.CaptureFixture[str]) -> None:
        before = Path("old.yaml").read_bytes()
        assert run(command.split()) == 1
        assert capsys.readouterr().err.startswith(f"error: {OLDER}\n")
        assert Path("old.yaml").read_bytes() == before

    def test_newer_for_whoever_has_less(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("PBEM_HOME", "homes/bruno")
        assert run(["verify", "mortain.yaml"]) == 0
        told = "this file is newer than yours: it ends with entry 3, yours with entry 2"
        assert capsys.readouterr().out.startswith(f"mortain.yaml\n  {told}\n")


class TestFalseMap:
    def test_show_says_so_and_shows_the_true_one(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["show", "false.yaml", "--whole"]) == 0
        told = capsys.readouterr().out
        assert told.startswith(f"warning: {FALSE}; here is the right one\n")
        assert "SPTD" in told
        assert "SPTE" not in told

    def test_verify_names_the_command_that_shows_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["verify", "false.yaml"]) == 0
        told = f"false.yaml {FALSE}. To see the right one: pbem show false.yaml 1 passes"
        assert " ".join(capsys.readouterr().out.split()).startswith(told)

    def test_a_true_one_is_not_mentioned(self, capsys: pytest.CaptureFixture[str]) -> None:
        for command in ("show", "verify"):
            assert run([command, "mortain.yaml"]) == 0
            assert "the map in this file" not in capsys.readouterr().out


class TestHeads:
    """A map and a status that are false, or that cannot be compared; `--strict` makes them fail."""

    MAP, STATUS = "the map in this file is not the game's", "the status in this file is not the game's"
    OTHER_MAP = "pbem cannot compare the map in this file, because this version draws it differently"
    OTHER_STATUS = "pbem cannot compare the status in this file, because this version words it differently"

    ROWS = pytest.mark.parametrize(
        ("change", "told"),
        [
            ("s/SPTD /SPTE /", MAP),
            # a counter moved, a figure changed, and one word that made the map another program's
            ("s/1305/1304/; s/Exits: 0 of 5/Exits: 4 of 5/; s/Counters:/Counter:/", OTHER_MAP),
            ("s/  exits: .0 of 5./  exits: 4 of 5/", STATUS),
            ("s/  turn: .1 of 6./  turn: 6 of 6/", STATUS),
            ("s/^  next: .*/  next: the Germans have lost/", OTHER_STATUS),
            ("s/^  Next: .*/  Next: the Germans have lost/", OTHER_STATUS),
            ("s/^  next: .*/  next: 'the Germans: a card to play'/", STATUS),
            ("s/^  Next: .*/  Next: the Germans: a card to play/", STATUS),
        ],
    )

    @pytest.fixture
    def file(self, change: str, table: Path) -> str:
        in_quotes = change.replace("'", '"')
        step = Step("anna", f"sed '1,/^log:/{{ {in_quotes} }}' mortain.yaml > head.yaml", 0)
        ((_, printed),) = perform_steps([step], table)
        assert not printed
        assert Path("head.yaml").read_bytes() != Path("mortain.yaml").read_bytes()
        return "head.yaml"

    @ROWS
    def test_verify_says_so(self, file: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
        """In one line, and with no more than that it is as good a file as before."""
        assert run(["verify", file]) == 0
        shown = capsys.readouterr().out.replace("\n     ", " ")
        assert shown.startswith(f"{file}\n  {told}. To see the right one: pbem show {file}\n   1 passes")

    @ROWS
    def test_strict_fails(self, file: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["verify", "--strict", file, "mortain.yaml"]) == 1
        assert capsys.readouterr().out.replace("\n     ", " ").startswith(f"{file}\n  {told}")
        assert run(["verify", "--strict", "--json", file]) == 1

    @ROWS
    def test_show_says_so_first(self, file: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["show", file, "--whole"]) == 0
        shown = capsys.readouterr().out.replace("\n  ", " ")
        warning = "warning: " if told in (self.MAP, self.STATUS) else ""
        assert shown.startswith(f"{warning}{told}; here is the right one")

    def test_strict_holds_for_the_games_own(self, capsys: pytest.CaptureFixture[str]) -> None:
        """And for a file that shows nothing (FORMAT 3)."""
        text = Path("mortain.yaml").read_text("utf-8")
        Path("bare.yaml").write_text(f"pbem: 1\nlog:{text.partition(chr(10) + 'log:')[2]}", "utf-8")
        assert run(["verify", "--strict", "mortain.yaml", "bare.yaml"]) == 0
        assert "in this file" not in capsys.readouterr().out

    def test_strict_fails_where_a_check_fails(self, capsys: pytest.CaptureFixture[str]) -> None:
        text = Path("mortain.yaml").read_text("utf-8")
        Path("changed.yaml").write_text(text.replace("turns: 6", "turns: 5"), "utf-8")
        assert run(["verify", "--strict", "changed.yaml"]) == 1


def test_data(capsys: pytest.CaptureFixture[str]) -> None:
    """For programs both are `remarks`; a file of which nothing is to be said has none."""

    def told(command: str, file: str) -> list[str]:
        run([command, file, "--json"])
        value = json.loads(capsys.readouterr().out)
        remarks: list[str] = (value if command == "show" else value[0]).get("remarks", [])
        return remarks

    for command in ("show", "verify"):
        assert told(command, "old.yaml") == [OLDER]
        assert [one.startswith(FALSE) for one in told(command, "false.yaml")] == [True]
        assert told(command, "mortain.yaml") == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["show", "verify"])
def test_in_his_language(language: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for file, words in zip(("old.yaml", "false.yaml"), IN_HIS_LANGUAGE[language], strict=True):
        with speaking(language):
            run(["--lang", language, command, file])
        assert words in " ".join(capsys.readouterr().out.split())
