"""The program in other languages: complete catalogues, nothing forgotten, no line too wide."""

from __future__ import annotations

import io
import re
import shutil
import string
import sys
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest
from babel import Locale
from babel.dates import format_date, format_time
from babel.messages.catalog import Message
from babel.numbers import format_decimal, format_percent

from pbem.cli.app import run
from pbem.core.rulebook import HOW_TO, RULES, shipped
from pbem.games import load
from pbem.messages import Messages
from pbem.render.safe_text import columns
from pbem.texts import LANGUAGES, Texts, date_in_words, number, percent, speaking, time_in_words
from support.catalogues import (
    ROOT,
    catalogues,
    lines_to_translate,
    messages_to_translate,
    packages,
    read_catalogue,
    renew_catalogue,
)
from support.catalogues import compile_catalogue as compiled_of
from support.marked_language import OPEN, PSEUDO, words_outside_marks

PBEM = ROOT / "pbem"
CATALOGUES = [path for package in packages() for path in catalogues(package).values()]
TRANSLATIONS = [name for name in LANGUAGES if name != "en"]

QUOTED = re.compile(r"(?<![\w}])'[^'\n]*'(?!\w)")
"""A quotation in single marks; apostrophes follow a letter, or come before one."""

pytestmark = pytest.mark.usefixtures("compiled")


def places(text: str) -> set[str]:
    """The named places of a message."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def forms(message: Message) -> list[tuple[str, str]]:
    """Each translation of a message beside the English that it stands for; all others are of many."""
    if isinstance(message.id, str):
        return [(message.id, str(message.string))]
    one, many = message.id
    return [(many if number else one, said) for number, said in enumerate(message.string or ())]


def _locale(language: str) -> Locale:
    return Locale.parse({"en": "en_GB"}.get(language, language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_dates_are_written_as_in_the_cldr(language: str) -> None:
    """Each day of a leap year, each at another time of day."""
    locale = _locale(language)
    with speaking(language):
        for day in range(366):
            moment = datetime(2028, 1, 1, tzinfo=UTC) + timedelta(days=day, minutes=17 * day)
            date, time = format_date(moment, "long", locale), format_time(moment, "short", UTC, locale)
            assert date_in_words(moment) == date
            assert time_in_words(moment) == f"{date}, {time} UTC"
            assert time_in_words(moment.replace(tzinfo=None)) == f"{date}, {time}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_are_written_as_in_the_cldr(language: str) -> None:
    locale = _locale(language)
    with speaking(language):
        assert number(1234567.5, ",.1f") == format_decimal(1234567.5, locale=locale)
        assert percent(0.63) == format_percent(0.63, locale=locale)
        assert percent(0.482, 1) == format_percent(0.482, locale=locale, decimal_quantization=False)


def test_a_quantity_in_a_message_is_written_as_in_the_cldr() -> None:
    tr, later = Texts("pbem"), Messages("pbem")
    message = later("unpacks to more than {most} bytes, the limit for one mail", most=1234567)
    for language, most in {
        "en": "1,234,567",
        "es": "1.234.567",
        "it": "1.234.567",
        "de": "1.234.567",
    }.items():
        with speaking(language):
            assert most in str(message)
            assert most in tr.plural("{number} day", "{number} days", 1234567)
            assert "1234567" in tr("seed {seed}", seed="1234567")
            assert "1234567" in tr("Entry {entry} of {last}", entry=1234567, last=1)


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: f"{path.parents[3].name}-{path.parts[-3]}")
class TestCatalogues:
    def test_has_todays_messages(self, path: Path) -> None:
        """Else: cd tests && python -m support.catalogues, and translate what is new."""
        assert path.read_bytes() == renew_catalogue(path)

    def test_a_percent_sign_comes_with_its_number(self, path: Path) -> None:
        """By `percent`, which knows the language's custom."""
        for message in read_catalogue(path):
            for english, said in forms(message):
                assert not re.search(r"\}\s?%", english + said), said

    def test_quotation_marks_are_those_of_the_language(self, path: Path) -> None:
        """One form of them: 'x', «x» or „x“. Double ones are for what is typed at a shell, as in English."""
        own = {"es": "«»", "it": "«»", "de": "„“"}[path.parts[-3]]
        for message in read_catalogue(path):
            for english, said in forms(message):
                assert not QUOTED.search(said), said
                assert not set(said) & set("«»„“”‚‘") - set(own), said
                assert said.count(own[0]) == said.count(own[1]) >= len(QUOTED.findall(english)), said
                assert said.count('"') <= english.count('"'), said
                assert not set(english) & set("«»„“”‚‘’"), english

    def test_is_complete(self, path: Path) -> None:
        for message in filter(lambda one: one.id, read_catalogue(path)):
            for english, said in forms(message):
                assert said, message.id
                assert not message.fuzzy, message.id
                assert places(said) == places(english), said
                assert said.count("\n") == english.count("\n"), said


class TestAChangedSentence:
    """What English says otherwise today keeps its translations, until someone has looked at them."""

    CODE = 'tr("{unit} is out of range of {target}")\ntr.plural("{number} unit", "{number} units", 2)\n'
    BEFORE = """
msgid "{unit} is out of the range of {target}"
msgstr "{unit} reicht nicht bis {target}"

msgid "Something that is said no more, and resembles nothing"
msgstr "Etwas Altes"

msgid "{number} unit"
msgid_plural "{number} units"
msgstr[0] "{number} Einheit"
msgstr[1] "{number} Einheiten"
"""

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        """The German catalogue of a package whose code has changed since, brought up to date."""
        (tmp_path / "said.py").write_text(self.CODE)
        path = tmp_path / "locale" / "de" / "LC_MESSAGES" / "pbem.po"
        path.parent.mkdir(parents=True)
        path.write_text(self.BEFORE)
        path.write_bytes(renew_catalogue(path))
        return path

    def test_is_fuzzy_beside_the_english_of_before(self, path: Path) -> None:
        [one] = messages_to_translate(read_catalogue(path))
        assert one.fuzzy
        assert one.id == "{unit} is out of range of {target}"
        assert one.previous_id == ["{unit} is out of the range of {target}"]
        assert one.string == "{unit} reicht nicht bis {target}"
        assert "Etwas Altes" in path.read_text()

    def test_is_listed_and_not_said(self, path: Path) -> None:
        assert [line.strip() for line in lines_to_translate(path)][1:] == [
            "was: {unit} is out of the range of {target}",
            "de:  {unit} reicht nicht bis {target}",
        ]
        said = compiled_of(read_catalogue(path))
        assert b"reicht nicht" not in said
        assert b"Einheiten" in said

    def test_waits_as_long_as_nobody_has_looked(self, path: Path) -> None:
        assert path.read_bytes() == renew_catalogue(path)
        text = path.read_text()
        path.write_text(re.sub("^#, fuzzy.*\n", "", text, flags=re.MULTILINE))
        path.write_bytes(renew_catalogue(path))
        assert list(lines_to_translate(path)) == []
        assert "#|" not in path.read_text()
        assert "Etwas Altes" not in path.read_text()


def test_every_language_has_a_catalogue() -> None:
    assert sorted(catalogues(PBEM)) == sorted(TRANSLATIONS)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("en", ["0 hours", "1 hour", "2 hours", "5 hours"]),
        ("es", ["0 horas", "1 hora", "2 horas", "5 horas"]),
        ("it", ["0 ore", "1 ora", "2 ore", "5 ore"]),
        ("de", ["0 Stunden", "1 Stunde", "2 Stunden", "5 Stunden"]),
    ],
)
def test_plural_forms(name: str, expected: list[str]) -> None:
    with speaking(name):
        said = [Texts("pbem").plural("{number} hour", "{number} hours", number) for number in (0, 1, 2, 5)]
    assert said == expected


class Terminal(io.StringIO):
    """What is printed on a terminal."""

    def isatty(self) -> bool:
        """It is one, whose width stands in `COLUMNS`."""
        return True


def printed(monkeypatch: pytest.MonkeyPatch, width: int, *arguments: str) -> str:
    """What a command says on a terminal of that width, and what is wrong with it."""
    terminal = Terminal()
    monkeypatch.setenv("COLUMNS", str(width))
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(sys, stream, terminal)
    run(list(arguments))
    return terminal.getvalue()


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a finished game, and a player who has none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", "home")
    shutil.copy(ROOT / "examples" / "mortain-it-exits.yaml", "game.yaml")
    return tmp_path


COMMANDS = [
    (),
    ("rules",),
    ("rules", "mortain"),
    ("rules", "mortain", "M99"),
    ("rules", "mortain", "unit"),
    ("rules", "mortain", "nowhere"),
    ("rules", "mortain", "nowhere", "else"),
    ("rules", "gone.yaml"),
    ("rules", "game.yaml"),
    ("rules", "game.yaml", "M7.2"),
    ("rules", "game.yaml", "woods"),
]
"""Every form of `pbem rules`, and `pbem` on a new computer."""

DATA = re.compile(
    r"\bpbem( [a-z-]+)*|Stand at Mortain|Rommel y Montgomery|\bM\d+(\.\d+)?\b|game\.yaml|mortain|rommel"
    r"|tabletop|unit|nowhere|else|early_joker|until_both_activated"
)
"""What stays in every language: commands, titles, numbers of rules, what was typed, options."""

NOT_YET = re.compile(r"gone\.yaml|\bit\b")
"""What is not translated: a file's name, and the name of an edition."""


@pytest.mark.usefixtures("pseudo", "table")
@pytest.mark.parametrize("width", [79, 60])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_is_forgotten(command: tuple[str, ...], width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside of the marks stand names, commands and what a game's pages say: nothing of the program's."""
    said = printed(monkeypatch, width, "--lang", PSEUDO, *command)
    assert OPEN in said or command == ("rules",)
    words = words_outside_marks(said, DATA, NOT_YET)
    assert words - (pages() if "mortain" in command or "game.yaml" in command else set()) == set()


@cache
def pages() -> set[str]:
    """The words of a game's own pages."""
    package = load("mortain").package
    return {word for name in (HOW_TO, RULES) for word in re.findall(r"[^\W\d]+", shipped(package, name))}


@pytest.mark.thorough
@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("width", [79, 60])
@pytest.mark.parametrize("name", TRANSLATIONS)
def test_no_line_is_too_wide(name: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in COMMANDS:
        said = printed(monkeypatch, width, "--lang", name, *command)
        assert "{" not in said
        assert [line for line in said.splitlines() if columns(line) > width] == []
