"""A rulebook taken apart: chapters, rules by their numbers, what tables say of them, and words."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from pbem.core.rulebook import Rulebook, of, read, shipped
from pbem.games import load

BOOK = read(
    """# A game

A line before all.

| option | values | it | es |
|---|---|---|---|
| `early` | `yes`, `no` | yes | **no** |
| `late` | `yes`, `no` | no | no |

## G1 Moving

* G1.1 A unit moves, as `early` says:
  * by land;

  or by sea.
* G1.2 No unit flies | ever.
* **Ruling:** ties are settled by G2.1.

## G2 Fire

* G2.1 A die is thrown,
  and hits on a six.

| typed | rule |
|---|---|
| `move A \\| B` | G1.1 |
| `fire` | G2.1, G10.1 |

## More

Nothing with a number.
"""
)

OPTIONS = ("early", "late")


class TestRules:
    """A rule is a bullet with a number, with all that is indented below it."""

    def test_by_number(self) -> None:
        rule = BOOK.rule("G1.1")
        assert rule is not None
        assert rule.text == "* G1.1 A unit moves, as `early` says:\n  * by land;\n\n  or by sea."

    def test_it_ends_at_the_next(self) -> None:
        rule = BOOK.rule("G1.2")
        assert rule is not None
        assert rule.text == "* G1.2 No unit flies | ever."

    def test_lines_that_go_on(self) -> None:
        rule = BOOK.rule("G2.1")
        assert rule is not None
        assert rule.text.endswith("thrown,\n  and hits on a six.")

    @pytest.mark.parametrize("number", ["G1.3", "G1", "G", "", "g1.1"])
    def test_unknown(self, number: str) -> None:
        assert BOOK.rule(number) is None

    def test_numbers(self) -> None:
        assert BOOK.numbers() == ["G1", "G2", "G1.1", "G1.2", "G2.1"]

    def test_nearest(self) -> None:
        assert BOOK.nearest("G1.7") == ["G1.1", "G1.2"]
        assert BOOK.nearest("G7.1") == ["G1", "G2"]
        assert read("* F1 One.\n* F2 Two.").nearest("F3") == ["F1", "F2"]


class TestChapters:
    """A chapter has a number, a title, and its text whole."""

    def test_by_number(self) -> None:
        chapter = BOOK.chapter("G1")
        assert chapter is not None
        assert chapter.title == "Moving"
        assert chapter.text.startswith("* G1.1")
        assert chapter.text.endswith("settled by G2.1.")

    @pytest.mark.parametrize("number", ["G3", "", "G1.1"])
    def test_unknown(self, number: str) -> None:
        assert BOOK.chapter(number) is None


class TestRemarks:
    """Rows that name the rule, and rows of the options that it names."""

    def test_option_and_order(self) -> None:
        found = [row.markdown() for row in BOOK.remarks("G1.1", OPTIONS)]
        assert found == [
            "* `early`: values: `yes`, `no`; it: yes; es: **no**",
            "* `move A \\| B`: rule: G1.1",
        ]

    def test_a_longer_number_is_another(self) -> None:
        assert [row.cells[0] for row in BOOK.remarks("G10.1", OPTIONS)] == ["`fire`"]
        assert BOOK.remarks("G10", OPTIONS) == []

    def test_options(self) -> None:
        assert BOOK.options("G1.1", OPTIONS) == ["early"]
        assert BOOK.options("G1", OPTIONS) == ["early"]
        assert BOOK.options("G2.1", OPTIONS) == []


class TestSearch:
    """All words, each at the beginning of a word, in any case of letters."""

    @pytest.mark.parametrize(
        ("words", "numbers"),
        [
            (["unit"], ["G1.1", "G1.2"]),
            (["UNIT", "sea"], ["G1.1"]),
            (["hit"], ["G2.1"]),
            (["its"], []),
            (["ties"], ["G1"]),
            (["number"], [""]),
            (["line", "before"], [""]),
            (["(", "*"], []),
        ],
    )
    def test_words(self, words: list[str], numbers: list[str]) -> None:
        assert [one.number for one in BOOK.search(words)] == numbers


@pytest.mark.parametrize(
    "text", ["", "# Title", "| a |", "| a |\n|---|", "## \n* \n*", "\n\n  x\n", "|||\n|\n|x", "```"]
)
def test_whatever_the_text_is(text: str) -> None:
    """A text of another form is no rulebook, and breaks nothing."""
    assert isinstance(read(text), Rulebook)


class TestShipped:
    """What our games bring."""

    @pytest.mark.parametrize("game", ["mortain", "rommel"])
    def test_every_rule_of_the_text_is_found(self, game: str) -> None:
        book, package = of(load(game)), load(game).package
        for number in re.findall(r"^\* ([A-Z]\d+\.\d+) ", shipped(package, "RULES.md"), re.MULTILINE):
            assert book.rule(number) is not None, number
        for number in re.findall(r"^## ([A-Z]\d+) ", shipped(package, "RULES.md"), re.MULTILINE):
            assert book.chapter(number) is not None, number

    @pytest.mark.parametrize("game", ["mortain", "rommel"])
    def test_every_option_is_named_by_a_rule(self, game: str) -> None:
        """But for the number of turns, of which Mortain speaks as the last."""
        rules = load(game)
        book, options = of(rules), next(iter(rules.editions.values()))
        named = {option for number in book.numbers() for option in book.options(number, options)}
        assert named | {"turns"} == set(options)

    @pytest.mark.parametrize(
        ("game", "number", "options"),
        [
            ("mortain", "M4.1", ["east_column"]),
            ("mortain", "M6.3", ["support_target"]),
            ("rommel", "R8.3", ["after_last_turn", "last_turn"]),
            ("rommel", "R3.2", ["dust_artillery_moves_less"]),
        ],
    )
    def test_an_option_is_named_by_its_values_too(self, game: str, number: str, options: list[str]) -> None:
        rules = load(game)
        assert of(rules).options(number, next(iter(rules.editions.values()))) == options

    def test_none(self) -> None:
        assert shipped("pbem.core", "RULES.md") == ""
        assert of(replace(load("mortain"), package="pbem.core")) == Rulebook((), (), ())
