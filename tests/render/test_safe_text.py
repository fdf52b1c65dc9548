"""Text that others wrote is printed harmless; text is cut and wrapped."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth

from pbem.render.safe_text import (
    cut,
    drawn_text,
    keeping_accents,
    quote_lines,
    quote_name,
    quote_path,
    safe_text,
    split_command,
    to_ascii,
    wrap,
)
from pbem.texts import speaking
from support.markers import Posix, requires


@pytest.mark.parametrize(
    ("language", "text", "shown"),
    [
        ("de", "übrig: Höhe, Straße, Änderung", "uebrig: Hoehe, Strasse, Aenderung"),
        ("de", "HÜGEL", "HUEGEL"),
        ("de", "63\u00a0%", "63 %"),
        ("de", "u\u0308brig", "uebrig"),
        ("es", "pingüino, señal", "pinguino, senal"),
        ("it", "città, è", "citta, e"),
        ("de", "„Verdun“, 63\u00a0%", "'Verdun', 63 %"),
        ("es", "«Verdun»", "'Verdun'"),
        ("en", "Jäger", "Jager"),
    ],
)
def test_letters_in_ascii(language: str, text: str, shown: str) -> None:
    """As natives write them where ASCII is all there is."""
    with speaking(language):
        assert to_ascii(text) == shown


def test_a_drawing_keeps_what_has_one_column() -> None:
    """A wide letter would shift the rest of its line, and a mark that turns the direction all of it."""
    text = "Hu\u0308gel, Straße, Łódź 山 \u202e\u05d0"
    with keeping_accents():
        assert drawn_text(text) == "Hügel, Straße, Łódź ? ??"
    assert drawn_text(text).isascii()


class TestSafe:
    """Nothing that reaches a terminal can move the cursor, turn the writing or begin a line."""

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("\x1b[2Jgone", "?[2Jgone"),
            ("\x9b31mred", "?31mred"),
            ("bell\a back\b", "bell? back?"),
            ("\u202eevil\u202c \u2066x\u2069", "?evil? ?x?"),
            ("soft\u00adhyphen", "soft?hyphen"),
            ("one\ntwo\r\nthree\tfour", "one two  three four"),
            ("a\u2028b\u2029c\x85d", "a b c d"),
            ("\ud800", "?"),
            ("\ufeff\ue000", "??"),
            ("A\ufe0fn\u034fn\u3164a\U000e0100", "A?n?n?a?"),
            ("\u115f\u1160\u17b4\u180b\uffa0\u2065\ufff0\U000e0041", "????????"),
            ("a\u2800b\u3000c\u00a0d", "a b c d"),
            ("a\u0301\u0323\u0302\u0303\u0304b\u0301", "a\u0301\u0323\u0302??b\u0301"),
            ("\u0338a", "?a"),
            ("\u11a8\u11a8", "??"),
        ],
    )
    def test_harmful(self, text: str, shown: str) -> None:
        assert safe_text(text) == shown

    @pytest.mark.parametrize(
        "text",
        [
            *("Plain ~ words!", "Jäger für Ælfred", "Кутузов", "東京", "שלום", "नमस्ते", "🎲", "한국"),
            *("e\u0301", "\u1112\u1161\u11ab", "שָׁלוֹם", "Tiê\u0323ng Viê\u0323t"),
        ],
    )
    def test_letters_of_any_language_stay(self, text: str) -> None:
        assert safe_text(text) == text

    @settings(max_examples=100)
    @given(st.text())
    def test_always_one_printable_line_of_the_same_length(self, text: str) -> None:
        assert safe_text(text).isprintable()
        assert len(safe_text(text)) == len(text)


class TestCut:
    """A text that is too long ends in a `~`."""

    def test_cut(self) -> None:
        assert cut("Tiger102", 8) == "Tiger102"
        assert cut("Tiger102", 7) == "Tiger1~"

    def test_by_columns(self) -> None:
        assert cut("漢字漢字", 8) == "漢字漢字"
        assert cut("漢字漢字", 7) == "漢字漢~"
        assert cut("漢字漢字", 6) == "漢字~"
        assert cut("e\u0301" * 4, 4) == "e\u0301" * 4


class TestNamed:
    """What a stranger calls something stands between double quotes, and cannot end them."""

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("Anna", '"Anna"'),
            ("D'Errico", '"D\'Errico"'),
            ('Bruno" (you)', '"Bruno\' (you)"'),
            ("\u201cB\u201d \u2033\uff02", "\"'B' '\""),
            ("Bruno'' \u2019\u2019(you)", "\"Bruno' '(you)\""),
            ("  Ana \t\u3000\u2800 SHA256:", '"Ana SHA256:"'),
            ("\u0338Anna", '"?Anna"'),
            ("N" * 40, f'"{"N" * 40}"'),
            ("N" * 41, f'"{"N" * 39}~"'),
            ("漢" * 21, f'"{"漢" * 19}~"'),
            ("", '""'),
        ],
    )
    def test_named(self, text: str, shown: str) -> None:
        assert quote_name(text) == shown

    @settings(max_examples=100)
    @given(st.text())
    def test_always_two_quotes_and_one_line(self, text: str) -> None:
        assert quote_name(text).count('"') == 2
        assert quote_name(text)[0] == quote_name(text)[-1] == '"'
        assert 2 <= wcswidth(quote_name(text)) <= 42


class TestSaid:
    """Each line of a player's words stands between double quotes, and holds none."""

    def test_lines(self) -> None:
        assert quote_lines("Good luck!\nU.", 30) == ['    "Good luck!"', '    "U."']
        assert quote_lines('so "they" say', 14, 2) == ["  \"so 'they'\"", '  "say"']

    @settings(max_examples=100)
    @given(st.text(), st.integers(0, 8))
    def test_always(self, words: str, indent: int) -> None:
        for line in quote_lines(words, 40, indent):
            assert line.startswith(" " * indent + '"')
            assert (line[-1], line.count('"')) == ('"', 2)
            assert wcswidth(line) <= 40


class TestWrap:
    """Lines are broken at spaces, never at hyphens; all but the first are indented."""

    def test_hanging_indent(self) -> None:
        assert (
            wrap("117Inf fires at 2SS-A from 1503", 14, indent=2) == "117Inf fires\n  at 2SS-A\n  from 1503"
        )

    def test_names_are_not_broken(self) -> None:
        assert wrap("hits Panzer-Lehr", 12) == "hits\nPanzer-Lehr"

    def test_short_text_stays(self) -> None:
        assert wrap("DF: hit") == "DF: hit"

    def test_nothing(self) -> None:
        assert wrap("") == ""

    def test_a_word_too_long_is_broken(self) -> None:
        assert wrap("abcdefgh", 5) == "abcde\nfgh"
        assert wrap("ab cdefgh", 5, indent=2) == "ab cd\n  efg\n  h"

    def test_the_first_line_keeps_its_indent(self) -> None:
        assert wrap("    " + "W" * 8, 10, indent=5) == "    WWWWWW\n     WW"

    def test_wide_letters_take_two_columns(self) -> None:
        assert wrap("漢字 漢字 x", 9, indent=1) == "漢字 漢字\n x"
        assert wrap("漢字漢字x", 5, indent=1) == "漢字\n 漢字\n x"
        assert wrap("漢字", 1).split() == ["漢", "字"]  # wider than asked for, but it comes to an end

    def test_marks_stay_with_their_letter(self) -> None:
        assert wrap("e\u0301" * 4, 3) == "e\u0301" * 3 + "\n" + "e\u0301"

    def test_what_is_quoted_is_not_broken(self) -> None:
        assert wrap('mail 1, "Anna B C" (us)', 14, indent=2) == 'mail 1,\n  "Anna B C"\n  (us)'
        assert wrap('mail ("a b c"), 2', 12) == 'mail\n("a b c"), 2'
        assert wrap('a "b c', 4) == 'a "b\nc'

    @settings(max_examples=100)
    @given(st.text(), st.integers(0, 8))
    def test_never_wider(self, text: str, indent: int) -> None:
        first, *others = wrap(safe_text(text), 30, indent).split("\n")
        assert all(wcswidth(line) <= 30 for line in (first, *others))
        assert all(line.startswith(" " * indent) for line in others)
        assert "".join(wrap(safe_text(text), 30, indent).split()) == "".join(safe_text(text).split())


NAMES = [
    "mortain.yaml",
    "games/mortain-2.yaml",
    "Stand at Mörtain.yaml",
    "it's mine.yaml",
    'say "yes".yaml',
    "a$HOME;b&c|d`e`(f)*?~.yaml",
    "-x.yaml",
    "#1.yaml",
]


class TestUnquoted:
    """A command that a player has set, such as his editor or what prints his password, in words."""

    @pytest.mark.parametrize(
        ("command", "words"),
        [
            ("C:\\Tools\\pass.exe show mail", ["C:\\Tools\\pass.exe", "show", "mail"]),
            ('"C:\\Program Files\\Code\\code.exe" --wait', ["C:\\Program Files\\Code\\code.exe", "--wait"]),
            ("notepad", ["notepad"]),
            ("", []),
        ],
    )
    def test_on_windows(self, command: str, words: list[str]) -> None:
        assert split_command(command, windows=True) == words

    def test_elsewhere(self) -> None:
        assert split_command("pass 'my mail' a\\ b", windows=False) == ["pass", "my mail", "a b"]

    @pytest.mark.parametrize("windows", [True, False])
    def test_a_quote_that_is_not_closed(self, windows: bool) -> None:
        with pytest.raises(ValueError, match="closing quotation"):
            split_command('pass "my mail', windows=windows)


class TestQuoted:
    """A suggested command can be pasted, whatever the file is called."""

    @requires(Posix.SHELL)
    @pytest.mark.parametrize("name", NAMES)
    def test_a_shell_reads_the_name(self, name: str) -> None:
        script = f"printf '%s' {quote_path(name, windows=False)}"
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout.removeprefix("./") == name

    @pytest.mark.parametrize("name", ["mortain.yaml", "games/mortain-2.yaml"])
    def test_plain_names_stay(self, name: str) -> None:
        assert quote_path(name, windows=False) == quote_path(name, windows=True) == name

    def test_no_option(self) -> None:
        assert quote_path("-x.yaml", windows=False) == "./-x.yaml"
        assert quote_path("-x.yaml", windows=True) == ".\\-x.yaml"
        assert quote_path("-", windows=False) == quote_path("-", windows=True) == "-"  # standard input

    @pytest.mark.parametrize(
        ("name", "typed"),
        [
            ("C:\\games\\mortain.yaml", "C:\\games\\mortain.yaml"),
            ("Mörtain.yaml", "Mörtain.yaml"),
            ("Stand at Mörtain.yaml", '"Stand at Mörtain.yaml"'),
            ("it's mine.yaml", '"it\'s mine.yaml"'),
            ("a&b(c).yaml", '"a&b(c).yaml"'),
            ("\\\\server\\games\\a.yaml", "\\\\server\\games\\a.yaml"),
            ("\\\\server\\my games\\", '"\\\\server\\my games\\\\"'),
        ],
    )
    def test_windows(self, name: str, typed: str) -> None:
        assert quote_path(name, windows=True) == typed

    def test_harmless(self) -> None:
        assert quote_path("a\x1b[2J.yaml", windows=False) == "'a?[2J.yaml'"
