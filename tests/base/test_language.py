"""Which language the player reads: what is typed, set, configured, or the system's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.test_start_up import imported_modules
from pbem.base.language import _system_language, configured_language
from pbem.cli.app import run
from pbem.core.rulebook import read
from pbem.mail.settings import MailSettings, read_config, write_config
from pbem.texts import Texts, speak

BEGIN = {
    "en": "You have no games on this computer yet.",
    "es": "En este ordenador aún no has jugado a nada.",
    "it": "Su questo computer non giochi ancora nessuna partita.",
    "de": "Auf diesem Rechner hast du noch keine Partien.",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of a player whose system speaks English, and who has set nothing."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    for name in ("PBEM_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.usefixtures("compiled")
class TestChoice:
    """The first of them that says something counts."""

    def test_in_order(
        self, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def said(*typed: str) -> str:
            assert run([*typed]) == 0
            return capsys.readouterr().out.partition(".")[0] + "."

        assert said() == BEGIN["en"]
        monkeypatch.setenv("LANG", "de_DE.UTF-8")
        assert said() == BEGIN["de"]
        (home / "config.yaml").write_text("lang: it  # a remark\n")
        assert said() == BEGIN["it"]
        monkeypatch.setenv("PBEM_LANG", "es")
        assert said() == BEGIN["es"]
        assert said("--lang", "DE") == BEGIN["de"]
        assert said("--lang", "en") == BEGIN["en"]

    @pytest.mark.parametrize(
        ("typed", "meant"),
        [
            ("es_ES", "es"),
            ("de_DE.UTF-8", "de"),
            ("it-IT", "it"),
            ("DE-at", "de"),
            ("es_MX@x", "es"),
            ("C", "en"),
            ("en_GB", "en"),
        ],
    )
    def test_as_systems_write_it(
        self,
        home: Path,
        typed: str,
        meant: str,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        assert run(["--lang", typed]) == 0
        monkeypatch.setenv("PBEM_LANG", typed)
        assert run([]) == 0
        monkeypatch.delenv("PBEM_LANG")
        (home / "config.yaml").write_text(f"lang: {typed}\n")
        assert run([]) == 0
        said = capsys.readouterr()
        assert said.out.count(BEGIN[meant]) == 3
        assert said.err == ""

    @pytest.mark.parametrize("typed", ["fr", "est_EE", "\x1b[31m", "_", "x" * 99])
    def test_unknown_is_english_and_said_in_one_line(
        self, home: Path, typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("LANG", "de_DE.UTF-8")
        shown = "x" * 19 + "~" if len(typed) > 20 else typed.replace("\x1b", "?")
        told = f"pbem does not speak '{shown}': use en, es, it, de\n"
        assert run(["--lang", typed]) == 0
        said = capsys.readouterr()
        assert BEGIN["en"] in said.out
        assert said.err == f"warning: --lang: {told}"
        monkeypatch.setenv("PBEM_LANG", typed)
        assert run(["rules"]) == 0
        assert capsys.readouterr().err == f"warning: PBEM_LANG: {told}"

    def test_unknown_in_the_settings(self, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (home / "config.yaml").write_text("lang: klingon\n")
        assert run(["rules"]) == 0
        assert (
            "config.yaml: lang: pbem does not speak 'klingon': use en, es, it, de" in capsys.readouterr().err
        )

    @pytest.mark.parametrize(
        ("environment", "expected"),
        [
            ({}, "en"),
            ({"LANG": "C.UTF-8"}, "en"),
            ({"LANG": "fr_FR.UTF-8"}, "en"),
            ({"LANG": "de_AT@euro"}, "de"),
            ({"LANG": "es"}, "es"),
            ({"LANG": "est_EE"}, "en"),
            ({"LANG": "it_IT.UTF-8", "LC_MESSAGES": "es_MX.UTF-8"}, "es"),
            ({"LANG": "it_IT.UTF-8", "LC_MESSAGES": "es_MX.UTF-8", "LC_ALL": "C"}, "en"),
            ({"LANG": "it_IT.UTF-8", "LC_ALL": ""}, "it"),
            ({"LANG": "Spanish_Spain.1252"}, "es"),
        ],
    )
    def test_system(self, environment: dict[str, str], expected: str) -> None:
        assert _system_language(environment) == expected

    def test_without_catalogues_it_is_english(self, monkeypatch: pytest.MonkeyPatch) -> None:
        speak("es")
        assert Texts("pbem.core")("{number} is a number", number=3) == "3 is a number"
        assert Texts("pbem.core").plural("{number} day", "{number} days", 2) == "2 days"


class TestSettings:
    """The line in `config.yaml`, which the mail's settings leave as it is."""

    @pytest.mark.parametrize("line", ["lang: es", "lang: 'es'", 'lang:  "es" # mine', "lang: es\r"])
    def test_forms(self, home: Path, line: str) -> None:
        (home / "config.yaml").write_bytes(f"# first\n{line}\nmail:\n  address: a@b.example\n".encode())
        assert configured_language(home) == "es"
        assert read_config(home).lang == "es"

    def test_none(self, home: Path) -> None:
        assert configured_language(home) == ""
        (home / "config.yaml").write_text("mail:\n  address: a@b.example\n  name: 'lang: es'\n")
        assert configured_language(home) == ""

    def test_mail_setup_keeps_it(self, home: Path) -> None:
        (home / "config.yaml").write_text("lang: de\n")
        write_config(home, MailSettings(address="anna@example.org"))
        assert configured_language(home) == "de"
        assert read_config(home).mail == MailSettings(address="anna@example.org")


class TestRules:
    """A game's pages in the player's language, and words found whatever their accents."""

    def run(self, capsys: pytest.CaptureFixture[str], *typed: str) -> str:
        assert run(["--lang", "es", "rules", *typed]) == 0
        return capsys.readouterr().out

    def test_in_spanish(self, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.run(capsys, "mortain", "M4.2").startswith("M4.2 En un hexágono se pueden apilar")
        assert "Cómo se juega a Stand at Mortain" in self.run(capsys, "mortain")

    def test_words_without_accents(self, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.run(capsys, "mortain", "hexagono", "tiger") == self.run(
            capsys, "mortain", "HEXÁGONO", "Tiger"
        )
        assert run(["--lang", "es", "rules", "mortain", "exagono"]) == 1

    def test_german_letters(self) -> None:
        book = read("* X1 Über die Straße und den Hügel.\n* X2 Nichts.")
        for word in ("uber", "strasse", "STRASSE", "hugel", "Hügel"):
            assert [one.number for one in book.search([word])] == ["X1"]


def test_english_reads_no_catalogue(home: Path) -> None:
    assert not {"pkgutil", "yaml", "msgspec", "pbem.base.home"} & imported_modules("--lang", "en", "--help")
    assert not {"yaml", "msgspec"} & imported_modules("--help", PBEM_LANG="")


@pytest.mark.thorough
def test_streams_that_have_no_accents(home: Path) -> None:
    """A pipe of an old code page gets what it can show."""
    command = [sys.executable, "-m", "pbem", "--lang", "es", "rules", "mortain", "M4.2"]
    environment = {**os.environ, "PYTHONIOENCODING": "cp850"}
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert "se pueden apilar como máximo dos unidades" in done.stdout.decode("cp850")
