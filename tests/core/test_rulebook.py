"""A rulebook taken apart: chapters, rules by their numbers, what tables say of them, and words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.core.requests import Plain
from pbem.core.rulebook import HOW_TO, Rulebook, of, page, read, shipped, shown
from pbem.core.rules import Rules
from pbem.core.versions import versions
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


class TestTexts:
    """What each edition's text says of an option, from the table that names its rule."""

    TABLE = read(
        "| option | rule | it | es |\n|---|---|---|---|\n"
        "| `early` | G1.1 | Yes. | No. |\n| `late` | all | Yes. | No. |\n"
    )

    def test_an_edition_without_a_column_says_nothing(self) -> None:
        assert self.TABLE.texts("early", ("it", "es", "de")) == (
            "G1.1",
            {"it": "Yes.", "es": "No.", "de": ""},
        )

    @pytest.mark.parametrize("option", ["late", "other"])
    def test_none_for_an_option_without_a_rule(self, option: str) -> None:
        assert self.TABLE.texts(option, ("it", "es")) == ("", {})


@pytest.mark.parametrize(
    ("value", "text"), [(True, "true"), (False, "false"), ([3, 5], "3, 5"), (7, "7"), ("always", "always")]
)
def test_a_value_as_the_rules_write_it(value: Plain, text: str) -> None:
    assert shown(value) == text


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


class TestEarlierVersion:
    """The pages of a version before: its own, else those of the later one with what differs replaced."""

    @pytest.fixture
    def fords(self, monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Rules]:
        monkeypatch.syspath_prepend(Path(__file__).parents[1] / "third_game")
        return versions(import_module("fords").RULES)

    def test_its_own_rules_and_the_rest(self, fords: Mapping[str, Rules]) -> None:
        first, second = of(fords["fords/1"]), of(fords["fords/2"])
        replaced = [number for number in second.numbers() if first.rule(number) != second.rule(number)]
        assert (first.numbers(), replaced) == (["F1", "F2", "F3", "F4", "F5"], ["F4", "F5"])
        rule = first.rule("F5")
        assert rule is not None
        assert rule.text == "* F5 This version has no such rule: the guard cannot dig in."
        [before, *_] = first.passages
        assert before.text.startswith("Rules version `fords/1`. ")

    @pytest.mark.parametrize(("name", "language"), [(HOW_TO, "en"), (HOW_TO, "es")])
    def test_a_page_of_its_own(self, fords: Mapping[str, Rules], name: str, language: str) -> None:
        assert "`dig 0202`" in page(fords["fords/2"], name, language)
        assert "`guard 0202`" in page(fords["fords/1"], name, language)
        assert "`dig 0202`" not in page(fords["fords/1"], name, language)

    def test_rows_and_options(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A row of its own stands for the later one, and a row of an option that it lacks goes."""
        package = tmp_path / "hills"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "RULES.md").write_text(
            "# Hills\n\nRules version `hills/2`.\n\n"
            "| option | values |\n|---|---|\n| `early` | 1, 2 |\n| `late` | 1 |\n| `turns` | 3 |\n\n"
            "## H1 Moving\n\n* H1.1 A unit moves:\n  * by land;\n  * by sea.\n* H1.2 None flies.\n"
        )
        (package / "RULES.1.md").write_text("| `early` | 1 |\n\n* H1.1 A unit moves by land.\n")
        (package / "HOWTO.md").write_bytes(b"Climb.\n")
        monkeypatch.syspath_prepend(tmp_path)
        now = replace(
            load("mortain"), name="hills", version=2, package="hills", editions={"a": {"early": 1, "late": 1}}
        )
        before = replace(now, version=1, editions={"a": {"early": 1}}, later=now)
        assert page(before, "RULES.md") == (
            "# Hills\n\nRules version `hills/1`.\n\n"
            "| option | values |\n|---|---|\n| `early` | 1 |\n| `turns` | 3 |\n\n"
            "## H1 Moving\n\n* H1.1 A unit moves by land.\n* H1.2 None flies.\n"
        )
        assert page(before, HOW_TO) == "Climb.\n"
