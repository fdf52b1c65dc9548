"""Games in a text: where one is found, and what is mended and what not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.base.limits import MAIL_GAMES, REPAIR_LINES, mail_budget
from pbem.mail.armour import enclose
from pbem.mail.games_in_text import find_in_text, repaired_versions

FILE = """\
pbem: 1
status:
  game: Stand at Mortain
board: |
  a "map
  [of lines
log:
  - n: 0
    say: "a long word, and others: all on one line, from here to there"
    list: [{at: "1803"}, {at: "1804"}]
    sig: "0123456789012345678901234567890123456789012345678901234567890123456789=="
  - n: 1
    sig: "00=="
"""
LONG = "01234567890123456789012345678901234567890123"


def found(text: str) -> list[str]:
    return [candidate.data.decode() for candidate in find_in_text(text, "here").candidates]


def mended(text: str) -> list[str]:
    return [data.decode() for data in repaired_versions(text.encode())]


class TestFind:
    @pytest.mark.parametrize("mark", ["", "> ", "> > ", ">> ", "| ", "    ", " > "])
    def test_quoting_and_indentation_are_taken_off(self, mark: str) -> None:
        assert found("".join(f"{mark}{line}\n" for line in FILE.splitlines())) == [FILE]

    def test_several(self) -> None:
        assert found(f"Hello\n{FILE}{FILE}{enclose(b'block')}") == ["block", FILE, FILE + enclose(b"block")]

    def test_place(self) -> None:
        assert [str(one.place) for one in find_in_text(FILE + enclose(b"x"), "the mail").candidates] == [
            "the encoded block in the mail",
            "the mail",
        ]

    def test_nothing(self) -> None:
        assert find_in_text("Dear Anna,\npbem: one fine program!\n", "here").candidates == ()

    def test_no_more_than_some(self) -> None:
        with mail_budget():
            finding = find_in_text("pbem: 1\n" * 1000, "here")
        assert len(finding.candidates) == MAIL_GAMES
        assert str(finding.ended) == f"contains more than {MAIL_GAMES} games, the limit for one mail"

    @given(st.text(alphabet='pbem: 1\n>| -log"[]{}=C3cGJlbTog\r\\', max_size=200))
    def test_anything(self, text: str) -> None:
        for candidate in find_in_text(f"pbem: 1\n{text}", "here").candidates:
            list(repaired_versions(candidate.data))


class TestRepaired:
    def test_a_good_file_has_no_other_version(self) -> None:
        assert mended(FILE) == []

    def test_what_does_not_begin_as_a_game_has_none(self) -> None:
        assert mended("<!doctype html>\n<p>\u201cpbem\u201d is\nhere</p>\n-- \nAnna\n") == []

    @pytest.mark.parametrize(
        "footer", ["____\nlist\n", "-- \nAnna\n", "Anna\n", "On Monday you wrote:\n> a\n", "From: x\n"]
    )
    def test_a_footer_is_cut_off(self, footer: str) -> None:
        assert mended(f"{FILE}\n{footer}")[0] == FILE

    @pytest.mark.parametrize(
        "broken", ["and\nothers", "others:\nall", "n: 0", '"1803"},\n{at', 'sig:\n"0123']
    )
    def test_broken_at_a_blank(self, broken: str) -> None:
        whole = broken.replace("\n", " ")
        assert whole in FILE
        assert FILE in [FILE.replace(whole, broken, 1), *mended(FILE.replace(whole, broken, 1))]

    @pytest.mark.parametrize("broken", ["an\nd others", f"{LONG}\n456789"])
    def test_cut_in_a_word(self, broken: str) -> None:
        assert FILE in mended(FILE.replace(broken.replace("\n", ""), broken, 1))

    def test_broken_at_blanks_but_for_words_that_are_too_long(self) -> None:
        both = FILE.replace("and others", "and\nothers").replace(f"{LONG}456789", f"{LONG}\n456789")
        assert FILE in mended(both)

    def test_smart_quotes(self) -> None:
        assert FILE in mended(FILE.replace(' "', " “").replace('"', "”").replace("  a “map", '  a "map'))

    def test_a_map_out_of_its_column_is_dropped(self) -> None:
        without = FILE[: FILE.index("board")] + FILE[FILE.index("log") :]
        assert mended(FILE.replace("  [of", "[of")) == [without]

    @pytest.mark.parametrize(
        "change",
        [
            ("pbem: 1", "pbem: 1\npbem: 1"),
            ("status:", "status: &a"),
            ('"00=="\n', '"00=="\nextra: 1\n'),
            ('"00=="\n', '"00=="\n---\npbem: 1\n'),
            ('"00=="\n', '"00=="\n...\n'),
            ("n: 0", "n: !!int 0"),
        ],
    )
    def test_what_mail_does_not_do_is_left_to_be_refused(self, change: tuple[str, str]) -> None:
        """FORMAT 1: a repair hides no fault of the file."""
        assert mended(FILE.replace(*change)) == []

    def test_long_files_are_left_alone(self) -> None:
        assert mended(FILE + "\n" * REPAIR_LINES + "footer\n") == []
