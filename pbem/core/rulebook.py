"""A game's rulebook as text: how to play, and any rule by its number or its words.

A game has two pages of Markdown in its package, beside `data/`: `RULES.md`, the reference, and `HOWTO.md`,
how to play, on two screens; `RULES.es.md` and `HOWTO.es.md` are the same in Spanish.

In `HOWTO.md` a number that depends on options or scenario is followed by its name, `3<!-- flak_range -->`.
Words that depend on an option are between its name and the words for its other values, which can contain a
number by name, so that the plain file describes the default edition of its language:

    Else <!-- after_last_turn: -->a draw<!-- continue: on, up to turn {last_turn} -->

In `RULES.md` a heading `## M4 Movement` begins a chapter, and a bullet `* M4.2 At most …` a rule. Table rows
that name a rule or an option belong to that rule too.

`RULES.1.md` contains only what version 1 does differently from the next version: its rules, by number, and
its table rows, by their first cells. `HOWTO.1.md` is the whole page of that version.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pkgutil import get_data
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

from msgspec import Struct

if TYPE_CHECKING:  # not needed at run time to read a text
    from pbem.core.requests import Plain
    from pbem.core.rules import Rules

RULES, HOW_TO = "RULES.md", "HOWTO.md"

NUMBER = re.compile(r"[A-Z]+[0-9]+(?:\.[0-9]+)*")
"""The number of a rule or of a chapter, as in `M4.2` or `R10`."""

_HEADING = re.compile(rf"## (?:({NUMBER.pattern}) )?(.*)")
_BULLET = re.compile(rf"\* (?:({NUMBER.pattern}) )?")
_CELL = re.compile(r"(?<!\\)\|")
_MARKED = re.compile(r"(\d+)<!-- (\w+) -->")
_WORDED = re.compile(r"<!-- (\w+): -->([^<]*)<!-- (\w+:.*?) -->")
_PLACE = re.compile(r"\{(\w+)\}")
_IN_CODE = re.compile(r"`([^`]+)`")


class Passage(Struct, frozen=True):
    """A rule in Markdown, or a paragraph or bullet without a number, which has its chapter's number."""

    number: str
    text: str


class Row(Struct, frozen=True):
    """A row of a table, with its column headings."""

    headings: tuple[str, ...]
    cells: tuple[str, ...]

    def markdown(self) -> str:
        """The row as a bullet: the first cell, then each other cell after its heading."""
        pairs = zip(self.headings[1:], self.cells[1:], strict=False)
        rest = "; ".join(f"{heading}: {cell}" for heading, cell in pairs if cell)
        return f"* {self.cells[0]}: {rest}" if rest else f"* {self.cells[0]}"

    def names(self, number: str) -> bool:
        """Whether a cell names the rule with that number."""
        return any(number in NUMBER.findall(cell) for cell in self.cells)


class Chapter(Struct, frozen=True):
    """A chapter: its number (empty: none), its title, and its text in Markdown."""

    number: str
    title: str
    text: str


class Rulebook(Struct, frozen=True):
    """The rules of a game, in order."""

    chapters: tuple[Chapter, ...]
    passages: tuple[Passage, ...]
    rows: tuple[Row, ...]

    def chapter(self, number: str) -> Chapter | None:
        """The chapter with that number, or None."""
        return next((one for one in self.chapters if number and one.number == number), None)

    def rule(self, number: str) -> Passage | None:
        """The rule with that number, or None; a chapter's number does not count."""
        chapters = [one.number for one in self.chapters]
        return next((one for one in self.passages if one.number == number not in chapters), None)

    def nearest(self, number: str) -> list[str]:
        """The numbers to suggest for an unknown one: those of its chapter, or else all chapters."""
        chapter = number.partition(".")[0]
        near = [one.number for one in self.passages if one.number.startswith(f"{chapter}.")]
        return near or [one.number for one in self.chapters if one.number] or self.numbers()

    def numbers(self) -> list[str]:
        """The numbers of all rules and chapters, each once."""
        every = (one.number for part in (self.chapters, self.passages) for one in part)
        return [number for number in dict.fromkeys(every) if number]

    def remarks(self, number: str, options: Collection[str]) -> list[Row]:
        """The table rows about a rule and about the options it names, in order."""
        named = self.options(number, options)
        return [row for row in self.rows if row.names(number) or _strip_backquotes(row.cells[0]) in named]

    def options(self, number: str, options: Collection[str]) -> list[str]:
        """Which of these options a rule or chapter names, also by a value, or a table assigns to it."""
        texts = [one.text for one in self.passages if one.number == number]
        texts += [one.text for one in self.chapters if one.number == number]
        texts += [row.cells[0] for row in self.rows if row.names(number)]
        named = {name for text in texts for name in _IN_CODE.findall(text)}
        values = self._values(options)
        only = [value for value in named if sum(value in of for of in values.values()) == 1]
        return [one for one in options if one in named or any(value in values[one] for value in only)]

    def texts(self, option: str, editions: Collection[str]) -> tuple[str, dict[str, str]]:
        """The rule an option belongs to, and each edition's text about it, by the name of the edition.

        They come from the table whose rows name option and rule; both are empty if there is none.
        """
        for row in self.rows:
            if _strip_backquotes(row.cells[0]) == option and NUMBER.fullmatch(row.cells[1]):
                said = dict(zip(row.headings, row.cells, strict=False))
                return row.cells[1], {name: said.get(name, "") for name in editions}
        return "", {}

    def _values(self, options: Collection[str]) -> dict[str, set[str]]:
        """The values of each option in the tables, where they are marked as code."""
        values: dict[str, set[str]] = {option: set() for option in options}
        for row in self.rows:
            if (option := _strip_backquotes(row.cells[0])) in values:
                values[option].update(name for cell in row.cells[1:] for name in _IN_CODE.findall(cell))
        return values

    def search(self, words: Sequence[str]) -> list[Passage]:
        """The passages that contain all these words or word beginnings."""
        return [one for one in self.passages if holds(one.text, words)]


def of(rules: Rules, language: str = "en") -> Rulebook:
    """The rulebook of a version of a game in a language, or an empty one."""
    return read(page(rules, RULES, language))


def page(rules: Rules, name: str, language: str = "en") -> str:
    """A page of Markdown for a version of a game, in a language; empty if there is none."""
    if rules.later is None:
        return shipped(rules.package, name, language)
    later = page(rules.later, name, language)
    stem, _, ending = name.rpartition(".")
    own = shipped(rules.package, f"{stem}.{rules.version}.{ending}", language)
    if name != RULES:
        return own or later
    gone = _options(rules.later) - _options(rules)
    return _replace_rules(later, own, gone).replace(f"`{rules.later.pin}`", f"`{rules.pin}`")


def _options(rules: Rules) -> set[str]:
    return {option for edition in rules.editions.values() for option in edition}


def _replace_rules(text: str, own: str, gone: Collection[str]) -> str:
    """A rulebook with rules and rows replaced by those of `own`, and without rows of the options `gone`."""
    blocks = {found[1]: block for block in _blocks(own.splitlines()) if (found := _BULLET.match(block[0]))}
    rows = {line.split("|")[1]: line for line in own.splitlines() if line.startswith("| `")}
    lines: list[str] = []
    replaced = False
    for line in text.splitlines():
        bullet = _BULLET.match(line)
        if bullet or not line.startswith("  "):
            replaced = bullet is not None and bullet[1] in blocks
        if bullet and replaced:
            lines += blocks[bullet[1]]
        elif line.startswith("| `"):
            cell = line.split("|")[1]
            lines += [rows.get(cell, line)] if _strip_backquotes(cell.strip()) not in gone else []
        elif not replaced:
            lines.append(line)
    return "\n".join(lines) + "\n"


def shipped(package: str, name: str, language: str = "en") -> str:
    """A page of Markdown in a game's package, in a language; empty if there is none."""
    if language != "en":
        stem, _, ending = name.rpartition(".")
        name = f"{stem}.{language}.{ending}"
    try:
        found = get_data(package, name)
    except OSError:
        return ""
    return (found or b"").decode("utf-8", "replace")


def filled(page: str, values: Mapping[str, Plain]) -> str:
    """A page with a game's numbers and options filled in at their names.

    Numbers and words whose names are not in `values` stay as they are, without the marks.
    """

    def choose_words(found: re.Match[str]) -> str:
        value = values.get(found[1])
        pairs = (one.partition(":") for one in found[3].split(" | "))
        said = {name: words.removeprefix(" ") for name, _, words in pairs}
        words = said.get(str(value).lower() if isinstance(value, bool) else str(value), found[2])
        return _PLACE.sub(lambda place: str(values[place[1]]), words)

    return _WORDED.sub(choose_words, _MARKED.sub(lambda found: str(values.get(found[2], found[1])), page))


def shown(value: Plain) -> str:
    """An option's value as written in the rules: `true`, `3, 5`."""
    match value:
        case bool():
            return str(value).lower()
        case list():
            return ", ".join(map(str, value))
        case _:
            return str(value)


def holds(text: str, words: Sequence[str]) -> bool:
    """Whether a text contains all these words or word beginnings, ignoring case and accents."""
    bare = _bare_letters(text)
    return all(re.search(rf"(?<!\w){re.escape(_bare_letters(word))}", bare) for word in words)


def _bare_letters(text: str) -> str:
    """The text in lower case without accents: `explosion`, `strasse`."""
    return "".join(letter for letter in normalize("NFKD", text.casefold()) if not combining(letter))


def read(markdown: str) -> Rulebook:
    """Parse a rulebook. Any other text yields only passages without numbers, and no chapters."""
    chapters: list[Chapter] = []
    passages: list[Passage] = []
    rows: list[Row] = []
    for number, title, lines in _chapters(markdown.splitlines()):
        if title:
            chapters.append(Chapter(number, title, "\n".join(lines).strip()))
        for block in _blocks(lines):
            if block[0].startswith("|"):
                rows += _rows(block)
            else:
                bullet = _BULLET.match(block[0])
                own = bullet[1] if bullet else None
                passages.append(Passage(own or number, "\n".join(block)))
    return Rulebook(tuple(chapters), tuple(passages), tuple(rows))


def _chapters(lines: Sequence[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Number, title and lines of each chapter; the text before the first has neither number nor title."""
    number, title, body = "", "", list[str]()
    for line in lines:
        if heading := _HEADING.fullmatch(line):
            yield number, title, body
            number, title, body = heading[1] or "", heading[2], []
        elif not line.startswith("# "):
            body.append(line)
    yield number, title, body


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """The blocks: paragraphs, tables, and bullets with the lines indented below them."""
    block: list[str] = []
    for line in lines:
        bullet = line.startswith("* ")
        goes_on = line.startswith("  ") or (line and block and block[-1] and not bullet)
        if block and line and not goes_on:
            yield _strip_blank_end(block)
            block = []
        if line or block:
            block.append(line)
    if block:
        yield _strip_blank_end(block)


def _strip_blank_end(block: list[str]) -> list[str]:
    while not block[-1]:
        block.pop()
    return block


def _rows(block: Sequence[str]) -> Iterator[Row]:
    """The rows of a table, without its headings and the rule below them."""
    cells = [tuple(cell.strip() for cell in _CELL.split(line.strip().strip("|"))) for line in block]
    yield from (Row(cells[0], line) for line in cells[2:])


def _strip_backquotes(cell: str) -> str:
    return cell.strip("`")
