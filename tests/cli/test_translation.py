"""The command line in another language: help, slips of typing, questions, and the words of the prompt."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from gettext import NullTranslations
from pathlib import Path
from typing import cast

import pytest
import typer

from pbem import texts
from pbem.cli import completion, terminal
from pbem.cli.app import app, run
from pbem.cli.command_groups import LazyGroup, translate_typer_text
from pbem.cli.line_editor import Editor, Following
from pbem.cli.prompt import OrderPrompt, help_lines, prompt_commands
from pbem.player.status import describe_wait
from pbem.texts import ENGLISH, LANGUAGES, speak, spoken
from pbem.umpire.deadline import Deadline
from support.marked_language import CLOSE, OPEN, PSEUDO, words_outside_marks
from support.simulator import accept_game, offer_game

MAIN = typer.main.get_group(app)
assert isinstance(MAIN, LazyGroup)
TABLE = MAIN.table


def commands_of(path: list[str]) -> list[str]:
    """The commands that a command has, if it is a group."""
    assert isinstance(MAIN, LazyGroup)
    return list(getattr(MAIN.load(path[0]), "commands", ())) if len(path) == 1 else []


EXAMPLE = Path(__file__).parents[2] / "examples" / "mortain-it-exits.yaml"

PATHS = [path for name in TABLE for path in ([name], *([name, one] for one in commands_of([name])))]
PATHS += [["study", "tune"], ["club", "pair"], ["club", "check"]]  # commands of their own behind another's

COMMANDS = re.compile(r"pbem( [a-z]+)*|--?[a-z-]+|\[x[<>]=[^]]*\]|\bx[<>]=")
"""What stays in every language: commands, options, and the bounds of numbers."""

VALUES = re.compile(r"PBEM_NAME|sensible|mortain|(?<!pbem )club|\d+m")
"""What stands behind `default` and `env var`."""

RATINGS = re.compile(r"(Stand at Mortain|Rommel y Montgomery) random \d+(, \w+ \d+)*(, --think strong)?")
"""The games by their titles, their players as one types them, and which of them `--think` applies to."""

PLACEHOLDERS = re.compile(r"\b[A-Z]+\b|\b7d\b")
"""What stands behind an option for its value."""


@pytest.mark.usefixtures("pseudo")
class TestMarked:
    def said(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
        run(["--lang", PSEUDO, *arguments])
        told = capsys.readouterr()
        said = told.out + told.err
        assert OPEN in said
        return re.sub(f"^(  [a-z]+ +){OPEN}[^{CLOSE}\n]*$", r"\1", said, flags=re.MULTILINE)  # cut to a line

    @pytest.mark.parametrize("path", PATHS, ids=" ".join)
    def test_help(self, path: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        said = words_outside_marks(
            self.said(capsys, *path, "--help"), COMMANDS, VALUES, RATINGS, PLACEHOLDERS
        )
        assert said == set(commands_of(path))

    def test_capitals_stay_and_arguments_are_named(self, capsys: pytest.CaptureFixture[str]) -> None:
        """An argument has a name in the player's language; a value that an option takes has capitals."""
        assert re.search("--at N +", self.said(capsys, "show", "--help"))
        for path in PATHS:
            [usage] = re.findall(r"(?:pbem .+\n?)+", self.said(capsys, *path, "--help"))[:1]
            assert words_outside_marks(usage, COMMANDS) <= set(commands_of(path)), path
            assert not re.search("[A-Z]", re.sub(r"\[OPTIONS\]|COMMAND \[ARGS\]\.\.\.", "", usage)), usage

    def test_help_of_the_program(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert words_outside_marks(self.said(capsys, "--help")) == set(re.findall("[a-z]+", " ".join(TABLE)))

    @pytest.mark.parametrize(
        "typed",
        [
            "moves --unt",
            "moves --unit",
            "show --at x",
            "show --at -1",
            "hint --think x",
            "study mortain --seed x",
            "study",
            "mail",
            "shwo",
            "mail ftech",
            "show a b",
            "show --whole=3",
            "answer x perhaps",
            "propose",
        ],
    )
    def test_a_slip(self, typed: str, capsys: pytest.CaptureFixture[str]) -> None:
        names = re.compile(r"\b(?:show|fetch|watch)\b|" + "|".join(rf"\b{word}\b" for word in typed.split()))
        assert words_outside_marks(self.said(capsys, *typed.split()), COMMANDS, names) == set()


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "typed",
    [
        "shwo",
        "mail ftech",
        "moves --unt",
        "moves --unit",
        "show --at x",
        "show --at -1",
        "show --radius 9",
        "study",
        "show a b c",
        "show --whole=3",
        "study mortain --games 1.5",
    ],
)
def test_a_slip_is_said_in_our_words(language: str, typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Not a word of Typer's is left, nor its quotation marks where the language has its own."""
    assert run(["--lang", language, *typed.split()]) == 2
    error = capsys.readouterr().err.splitlines()[0]
    for words in ("argument(s)", "valid int", "range", "x>=", "requires", "Possible options"):
        assert words not in error
    if language != ENGLISH:
        assert "'" not in error.replace("l'", "")
        assert not re.search(r"\b(such|missing|not|must|take)\b", error)


def test_what_typer_proposes_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["shwo"]) == 2
    assert capsys.readouterr().err.splitlines()[0] == "error: no such command 'shwo'; did you mean show?"
    assert run(["moves", "--unt"]) == 2
    assert re.fullmatch(
        r"error: no such option: --unt; did you mean (--\w+(, | or )?)+\?",
        capsys.readouterr().err.splitlines()[0],
    )


def test_new_words_of_typer_are_said_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    speak("es")
    assert translate_typer_text("no such thing") == "no such thing"


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_one_screen(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--lang", language, "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) < 80


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_commands_are_a_line_each(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What each is for stands beside it, on any terminal."""
    assert run(["--lang", language]) == 0
    _, *commands = capsys.readouterr().out.splitlines()
    assert len(commands) == 4
    assert max(map(len, commands)) <= 80


@pytest.mark.usefixtures("compiled")
def test_the_key_of_the_map_has_its_accents(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--lang", "de", "rules", str(EXAMPLE), "Sicht"]) == 0
    assert '" Hügel' in capsys.readouterr().out


@pytest.mark.parametrize("place", ["environment", "nothing"])
def test_help_is_in_the_language_that_is_not_typed(
    place: str, pseudo: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--help` is seen to before what is not typed, so before the language."""
    monkeypatch.setenv("PBEM_LANG", PSEUDO if place == "environment" else "en")
    assert run(["--help"]) == 0
    assert (OPEN in capsys.readouterr().out) == (place == "environment")


class Spanish(NullTranslations):
    """A few words that are typed."""

    def pgettext(self, context: str, message: str) -> str:
        """The words as a catalogue has them, by what they mean."""
        said = {
            "yes": "sí",
            "y": "s",
            "help": "ayuda|socorro",
            "map": "mapa",
            "quit": "salir",
            "draw": "tablas",
        }
        return said.get(message, message)


@pytest.fixture
def spanish(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who speaks it."""
    monkeypatch.setattr(texts, "_catalogue", lambda *_: Spanish())
    speak("es")


@pytest.mark.usefixtures("spanish")
class TestTyped:
    @pytest.mark.parametrize("said", ["sí", "si", "SÍ", "s", "y", "Yes", " s "])
    def test_yes(self, said: str) -> None:
        assert terminal.parse_yes_no(said) is True

    @pytest.mark.parametrize("said", ["no", "N"])
    def test_no(self, said: str) -> None:
        assert terminal.parse_yes_no(said) is False

    @pytest.mark.parametrize("said", ["sin", "map", "ye", ""])
    def test_neither(self, said: str) -> None:
        assert terminal.parse_yes_no(said) is None

    def test_a_question_shows_the_letters(self) -> None:
        assert terminal.yes_no_hint() == "[s/n]"

    def test_help_lists_them_as_they_are_typed(self) -> None:
        lines = help_lines(prompt_commands(shared=True))
        assert lines[0].split() == ["ayuda", "this", "list"]
        assert "mapa all for the whole map" in lines[1]
        assert any(line.startswith("drafts  ") for line in lines)
        assert lines[2].startswith(" " * 8), "what continues a line stands under its beginning"


class Typist:
    """An editor in which a player types these lines, and then says yes."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.offered: list[str] = []

    def line(self, prompt: str, following: Following, text: str = "", marked: object = None) -> str:
        """The next line, completed once."""
        self.offered += following(self.lines[0])[1]
        return self.lines.pop(0)

    def confirm(self, question: str) -> tuple[bool, str]:
        """Yes."""
        return True, ""


@pytest.mark.usefixtures("spanish")
class TestTalk:
    """The commands of the prompt, typed in the player's language or in English."""

    def talk(self, *lines: str) -> tuple[Typist, object]:
        game = accept_game(offer_game())
        typist = Typist(*lines)
        talk = OrderPrompt(game, game.state, cast("Editor", typist), [], [], lambda _: ("", []))
        return typist, talk.ask_orders()

    @pytest.mark.parametrize("quit", ["salir", "quit", "Salir"])
    def test_both_are_understood(self, quit: str, capsys: pytest.CaptureFixture[str]) -> None:
        _, orders = self.talk("ayuda", "MAPA 1301", "Socorro", "help", "mapa ALL", quit)
        assert orders is None
        told = capsys.readouterr().out
        assert len(re.findall("ayuda +this list", told)) == 3
        assert "error" not in told

    def test_the_rules_are_told_in_his_language_and_all_after_them(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """He may have typed it, and nothing else says it."""
        monkeypatch.setenv("PBEM_LANG", "de")
        self.talk("rules M7.2", "quit")
        assert "M7.2" in capsys.readouterr().out
        assert spoken() == "es"

    def test_completion_offers_the_players_own(self) -> None:
        typist, _ = self.talk("ma", "sa", "quit")
        assert typist.offered[:2] == ["mapa", "salir"]


def test_english_is_read_in_any_case_too() -> None:
    assert terminal.parse_yes_no("y") is True
    assert terminal.parse_yes_no("sí") is None


def test_send_says_what_mail_send_says(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for words in (["send"], ["mail", "send"]):
        run([*words, "--help"])
        said.append(capsys.readouterr().out.replace("pbem mail send", "pbem send"))
    assert said[0] == said[1]


def test_what_can_be_proposed_is_completed_in_ones_own_words(spanish: None) -> None:
    assert completion.proposals(None, "") == ["tablas", "last"]


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize(
    ("say", "english"),
    [
        (lambda: describe_wait(timedelta(hours=1)), "for 1 hour"),
        (lambda: describe_wait(timedelta(days=5)), "for 5 days"),
        (lambda: str(Deadline.parse("7d").description), "7 days a move"),
        (lambda: str(Deadline.parse("36h").description), "36 hours a move"),
    ],
)
def test_a_length_of_time_is_said_with_what_stands_beside_it(say: Callable[[], str], english: str) -> None:
    """Its case goes by that: "seit 5 Tagen", "7 Tage je Zug"."""
    assert words_outside_marks(say()) == set()
    assert re.sub(f"[{OPEN}{CLOSE}]", "", say()) == english
