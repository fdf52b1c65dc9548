"""The pages in other languages say what the English ones say, as far as a program can tell.

A language is there where a game has its `RULES.es.md`. Words are compared with `docs/GLOSSARY.md`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.test_how_to_play import TWO_SCREENS
from pbem.core.rulebook import NUMBER, Row, Rulebook, filled
from pbem.core.rulebook import read as taken_apart
from pbem.games import load
from pbem.render.markdown import markdown_to_text
from pbem.texts import Texts, speaking
from support.transcripts import ROOT

GAMES = ("mortain", "rommel", "tabletop")
NAMES = {"en": "English", "es": "español", "it": "italiano", "de": "Deutsch"}
"""What a language calls itself: the heading of its column in the glossary."""

LANGUAGES = sorted({path.suffixes[-2][1:] for path in ROOT.glob("pbem/games/*/RULES.[a-z]*.md")})
GLOSSARY = (ROOT / "docs" / "GLOSSARY.md").read_text("utf-8")
PLACES = {"M": "mortain", "R": "rommel"}
"""The letter before a rule's number, and the game that has the rule."""

ENGLISH = re.compile(
    r"\b(the|and|of|with|which|is|are|that|this|by|from|for|its|whose|their|there|they|when|than|then|else"
    r"|may|must|does|not|only|two|three|each|any|units|turn|card|side|rule)\b",
    re.IGNORECASE,
)
"""Words that stay only where a sentence was forgotten: none of the languages has them."""
TITLES = ("Against the Odds", "Stand at Mortain")

CODE = re.compile(r"`([^`]+)`")
FIGURES = re.compile(r"(?<![A-Za-z\d])[-+]?\d+|\d+")
REFUSAL = re.compile(r"[A-Z]\d+\.\d+: ")
"""How a refusal begins. It is an example, and said in the reader's language."""
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)]+)\)")


def page(game: str, name: str, language: str) -> str:
    """A page of a game in a language, without the marks of its numbers."""
    named = name if language == "en" else name.replace(".", f".{language}.")
    return filled((ROOT / "pbem" / "games" / game / named).read_text("utf-8"), {})


def rules(game: str, language: str) -> Rulebook:
    """The rulebook of a game in a language."""
    return taken_apart(page(game, "RULES.md", language))


def held(text: str) -> tuple[set[str], list[str]]:
    """What no language changes: the spans of code, each at least once, and every number."""
    return set(CODE.findall(text)), sorted(FIGURES.findall(CODE.sub("", text)))


def holds_the_same(text: str, english: str, game: str, language: str) -> bool:
    """Whether a text holds what the English one does, where its orders may be in its reader's words."""
    (codes, numbers), (meant, figures) = held(text), held(english)
    codes, meant = ({code for code in spans if not REFUSAL.match(code)} for spans in (codes, meant))
    with speaking(language):
        forms = {word: {word, *Texts(load(game).package).typed(word)} for word in " ".join(meant).split()}

    def means(code: str, order: str) -> bool:
        own, words = code.split(), order.split()
        if len(own) != len(words):
            return False
        return all(one in forms[word] for one, word in zip(own, words, strict=True))

    each_means_one = all(any(means(code, order) for order in meant) for code in codes)
    each_is_said = all(any(means(code, order) for code in codes) for order in meant)
    return each_means_one and each_is_said and numbers == figures


def commands_and_numbers(text: str) -> tuple[set[str], list[str]]:
    """The same of a page whose orders are in its reader's language."""
    codes, numbers = held(text)
    return {code for code in codes if code.startswith("pbem ")}, numbers


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
class TestRules:
    """`RULES.es.md` has the form of `RULES.md`, its numbers, and its orders, perhaps in its own words."""

    def test_chapters(self, game: str, language: str) -> None:
        ours, english = rules(game, language).chapters, rules(game, "en").chapters
        assert [one.number for one in ours] == [one.number for one in english]
        assert LINK.findall(page(game, "RULES.md", language)) == LINK.findall(page(game, "RULES.md", "en"))

    def test_rules(self, game: str, language: str) -> None:
        ours, english = rules(game, language).passages, rules(game, "en").passages
        assert [one.number for one in ours] == [one.number for one in english]
        for own, theirs in zip(ours, english, strict=True):
            assert holds_the_same(own.text, theirs.text, game, language), own.text
            assert own.text.count("\n") == theirs.text.count("\n"), own.text
            assert own.text.count("**") == theirs.text.count("**"), own.text

    def test_tables(self, game: str, language: str) -> None:
        for own, theirs in zip(rules(game, language).rows, rules(game, "en").rows, strict=True):
            for cell, meant in zip(own.cells, theirs.cells, strict=True):
                assert holds_the_same(cell, meant, game, language), cell
            assert kept(own, theirs) == kept(theirs, theirs)


def kept(row: Row, english: Row) -> list[str]:
    """The cells that hold a value of the row's option, which no language changes."""
    values = CODE.findall(english.cells[1])
    return [own for own, cell in zip(row.cells, english.cells, strict=True) if cell.strip("*") in values]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
class TestHowToPlay:
    """`HOWTO.es.md` is `HOWTO.md`, paragraph by paragraph, and fits two screens as well."""

    def test_paragraphs(self, game: str, language: str) -> None:
        ours, english = page(game, "HOWTO.md", language), page(game, "HOWTO.md", "en")
        own, theirs = ([line for line in text.splitlines() if line] for text in (ours, english))
        for line, meant in zip(own, theirs, strict=True):
            assert commands_and_numbers(line) == commands_and_numbers(meant), line
            assert line[:2] == meant[:2] or not {line[0], meant[0]} & set("#*"), line

    def test_fits_two_screens(self, game: str, language: str) -> None:
        lines = markdown_to_text(page(game, "HOWTO.md", language)).splitlines()
        assert len(lines) <= TWO_SCREENS
        assert max(map(len, lines)) <= 78


def pages(language: str) -> Iterator[Path]:
    """Every page that is in this language alone."""
    yield from ROOT.glob(f"pbem/games/*/*.{language}.md")
    yield from ROOT.glob(f"docs/*.{language}.md")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_english_is_left(language: str) -> None:
    for path in pages(language):
        text = CODE.sub("", FENCED.sub("", path.read_text("utf-8")))
        text = LINK.sub("]", re.sub("|".join(TITLES), "", text))
        assert ENGLISH.findall(text) == [], path.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_readme(language: str) -> None:
    """One screen, which leads to the rules in the language, and whose commands are those of the README."""
    text = (ROOT / "docs" / f"README.{language}.md").read_text("utf-8")
    assert len(text.splitlines()) <= 45
    for game in GAMES:
        assert f"](../pbem/games/{game}/RULES.{language}.md)" in text
    commands = [line for block in FENCED.findall(text) for line in block.splitlines()[1:-1]]
    commands += [code for code in CODE.findall(FENCED.sub("", text)) if code.startswith("pbem ")]
    english = (ROOT / "README.md").read_text("utf-8")
    assert [command for command in commands if command not in english] == []


def rows(heading: str) -> list[Row]:
    """The rows of the glossary whose first column is this one."""
    return [row for row in taken_apart(GLOSSARY).rows if row.headings[0] == heading]


def place(row: Row) -> list[str]:
    """Where a term stands: rules, and pages."""
    return row.cells[-1].split(", ")


def fold(text: str) -> str:
    """Without case and accents."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def stands(term: str, text: str) -> bool:
    """Whether a text has one of the words of a term, which commas part, up to what an ending may change."""
    for words in re.sub(r" \([^)]*\)", "", fold(term)).split(", "):
        stems = [word[: max(4, len(word) - 2)] for word in words.split()]
        begins = [stem if len(stem) > 4 else rf"(?<!\w){re.escape(stem)}" for stem in stems]
        if all(re.search(begin, fold(text)) for begin in begins):
            return True
    return False


def rule(book: Rulebook, number: str) -> str:
    """The text of a rule, or of a chapter with its title."""
    if chapter := book.chapter(number):
        return f"{chapter.title}\n{chapter.text}"
    found = book.rule(number)
    assert found, number
    return found.text


class TestGlossary:
    """Each term stands in the rule that is named beside it, in each language."""

    @pytest.mark.parametrize("language", ["en", *LANGUAGES])
    def test_terms(self, language: str) -> None:
        books = {game: rules(game, language) for game in GAMES}
        missing = []
        for row in rows("English"):
            term = row.cells[row.headings.index(NAMES[language])]
            for number in filter(NUMBER.fullmatch, place(row)):
                if not CODE.search(term) and not stands(term, rule(books[PLACES[number[0]]], number)):
                    missing.append(f"{number}: {term}")
        assert not missing, "\n".join(missing)

    def test_every_cell_is_filled(self) -> None:
        table = [row for row in taken_apart(GLOSSARY).rows if "English" in row.headings]
        assert table
        assert [row for row in table if len(row.cells) != len(row.headings) or not all(row.cells)] == []

    def test_places(self) -> None:
        """A place is a rule, a section of FORMAT, or another page."""
        sections = re.findall(r"^## (\d+)\.", (ROOT / "docs" / "FORMAT.md").read_text("utf-8"), re.MULTILINE)
        known = {f"FORMAT {number}" for number in sections} | {"HOWTO"}
        known |= {path.stem for path in ROOT.glob("docs/*.md")}
        for game in GAMES:
            known |= set(rules(game, "en").numbers())
        assert {one for row in taken_apart(GLOSSARY).rows for one in place(row)} <= known

    def test_every_order(self) -> None:
        """All verbs that the rules have as typed."""
        typed = {
            code.split()[0]
            for game in GAMES
            for row in rules(game, "en").rows
            if row.headings[1] == "as typed"
            for code in CODE.findall(row.cells[1])
        }
        named = [code for row in rows("English") for code in CODE.findall(row.cells[0])]
        assert typed <= {word for code in named for word in code.split()}
