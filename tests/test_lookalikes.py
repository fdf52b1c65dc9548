"""Two names are the same where a reader sees no difference."""

from __future__ import annotations

import sys
from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import NotUnderstood
from pbem.lookalikes import escape_invisible, fold_name, is_invisible


class TestInvisible:
    """The default-ignorable code points: 4,174 of Unicode 16, of which category Cf holds the others."""

    @pytest.mark.thorough
    def test_all_of_them(self) -> None:
        others = [
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2065, 0x3164, 0xFFA0),
            *range(0xFE00, 0xFE10),
            *range(0xFFF0, 0xFFF9),
            *range(0xE0000, 0xE1000),
        ]
        found = [code for code in range(sys.maxunicode + 1) if is_invisible(chr(code))]
        assert found == sorted({*others, *(code for code in found if category(chr(code)) == "Cf")})
        assert {0xAD, 0x061C, 0x180E, 0x200B, 0x200D, 0x2060, 0xFEFF, 0x1D173, 0xE0001} < set(found)


class TestFolded:
    @pytest.mark.parametrize(
        "name",
        [
            "ana",
            "ANA",
            "An\u200ba",
            "A\u00adna\ufe0f",
            "\u3164Ana",
            "\uff21\uff4e\uff41",
            "\U000e0041Ana\U000e0100",
            " Ana\u2800",
            "Ana\u00a0",
        ],
    )
    def test_ana(self, name: str) -> None:
        assert fold_name(name) == fold_name("Ana")

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("José", "Jose\u0301"),
            ("José", "Jose\u034f\u0301"),
            ("Ana  María", "ana maría"),
            ("Groß", "GROSS"),
            ("ΣΊΣΥΦΟΣ", "Σίσυφος"),
            ("ﬁ", "fi"),
        ],
    )
    def test_the_same(self, one: str, other: str) -> None:
        assert fold_name(one) == fold_name(other)

    @pytest.mark.parametrize("other", ["Anna", "A na", "Аna", "Ána", ""])
    def test_another(self, other: str) -> None:
        """Look-alikes of another script are not told apart from it here: they are other names."""
        assert fold_name(other) != fold_name("Ana")

    @settings(max_examples=200)
    @given(st.text())
    def test_once_is_enough(self, name: str) -> None:
        assert fold_name(fold_name(name)) == fold_name(name)


class TestVisible:
    """In a refusal that cites a word nothing is hidden."""

    @pytest.mark.parametrize("character", ["\u200b", "\u2060", "\u034f", "\u3164", "\u202e", "\U000e0041"])
    def test_an_escape_stands_there(self, character: str) -> None:
        said = escape_invisible(f"pl\u00e9ace{character}")
        assert said == f"pl\u00e9ace{character.encode('unicode_escape').decode()}"

    def test_carets_stand_below_the_word(self) -> None:
        typed = "say\u200b SP\u200bTD 1404"
        refused = NotUnderstood("'SP\u200bTD' is no unit", typed, 5, 10, hint="not SP\u200bTD")
        assert (str(refused), refused.hint) == ("'SP\\u200bTD' is no unit", "not SP\\u200bTD")
        first, carets = refused.caret().split("\n")
        assert first == "say\\u200b SP\\u200bTD 1404"
        assert first[carets.index("^") : len(carets)] == "SP\\u200bTD"
