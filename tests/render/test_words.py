"""Text that others wrote is printed harmless; text is cut and wrapped."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.render.words import cut, quoted, safe, wrap


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
        ],
    )
    def test_harmful(self, text: str, shown: str) -> None:
        assert safe(text) == shown

    @pytest.mark.parametrize(
        "text", ["Plain ~ words!", "Jäger für Ælfred", "Кутузов", "東京", "שלום", "नमस्ते", "🎲"]
    )
    def test_letters_of_any_language_stay(self, text: str) -> None:
        assert safe(text) == text

    @settings(max_examples=100, deadline=None)
    @given(st.text())
    def test_always_one_printable_line_of_the_same_length(self, text: str) -> None:
        assert safe(text).isprintable()
        assert len(safe(text)) == len(text)


class TestCut:
    """A text that is too long ends in a `~`."""

    def test_cut(self) -> None:
        assert cut("Tiger102", 8) == "Tiger102"
        assert cut("Tiger102", 7) == "Tiger1~"


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

    @settings(max_examples=100, deadline=None)
    @given(st.text(), st.integers(0, 8))
    def test_never_wider(self, text: str, indent: int) -> None:
        assert all(len(line) <= 78 for line in wrap(safe(text), indent=indent).split("\n"))


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


class TestQuoted:
    """A suggested command can be pasted, whatever the file is called."""

    @pytest.mark.parametrize("name", NAMES)
    def test_a_shell_reads_the_name(self, name: str) -> None:
        script = f"printf '%s' {quoted(name, windows=False)}"
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout.removeprefix("./") == name

    @pytest.mark.parametrize("name", ["mortain.yaml", "games/mortain-2.yaml"])
    def test_plain_names_stay(self, name: str) -> None:
        assert quoted(name, windows=False) == quoted(name, windows=True) == name

    def test_no_option(self) -> None:
        assert quoted("-x.yaml", windows=False) == "./-x.yaml"
        assert quoted("-x.yaml", windows=True) == ".\\-x.yaml"
        assert quoted("-", windows=False) == quoted("-", windows=True) == "-"  # standard input

    @pytest.mark.parametrize(
        ("name", "typed"),
        [
            ("C:\\games\\mortain.yaml", "C:\\games\\mortain.yaml"),
            ("Mörtain.yaml", "Mörtain.yaml"),
            ("Stand at Mörtain.yaml", '"Stand at Mörtain.yaml"'),
            ("it's mine.yaml", '"it\'s mine.yaml"'),
            ("a&b(c).yaml", '"a&b(c).yaml"'),
        ],
    )
    def test_windows(self, name: str, typed: str) -> None:
        assert quoted(name, windows=True) == typed

    def test_harmless(self) -> None:
        assert quoted("a\x1b[2J.yaml", windows=False) == "'a?[2J.yaml'"
